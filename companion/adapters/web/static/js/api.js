// Requests to the box. A refusal is an Error whose message is the box's sentence for people.

export class Refused extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

async function ask(method, address, body) {
  const options = { method, headers: {}, cache: "no-store" };
  if (body !== undefined) {
    options.headers["content-type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(address, options);
  } catch {
    throw new Refused(0, "unreachable", "The box cannot be reached: nothing has been changed.");
  }
  const content = await answer.json().catch(() => null);
  if (!answer.ok) {
    const problem = content?.error;
    throw new Refused(answer.status, problem?.code ?? "", problem?.message ?? `the box answered ${answer.status}`);
  }
  return content;
}

export const get = (address) => ask("GET", address);
export const post = (address, body = {}) => ask("POST", address, body);
export const put = (address, body) => ask("PUT", address, body);
export const remove = (address) => ask("DELETE", address);
