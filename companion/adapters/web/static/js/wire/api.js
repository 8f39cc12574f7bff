// Requests to the box. A refusal is an Error whose message is the box's sentence for people.

import { language, say } from "../frame/say.js";

/** @import { Answers, Bodies, Documents, Done, Look, Refusal, Session, Sheet, Sheets } from "../../../documents.js" */

const UNREACHABLE =
  say("The box cannot be reached: look whether it runs and this device is in its network, then try again.");
/** The command may have come there, and its answer not here. */
const UNSURE = say("The box cannot be reached: wait until this page is live again, and look whether it was done.");

export class Refused extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * @param {string} method
 * @param {string} address
 * @param {unknown} [body]
 * @param {RequestCache} [cache]
 * @returns {Promise<unknown>} the content of the answer, null where it is no JSON; Refused otherwise
 */
async function ask(method, address, body, cache = "no-store") {
  /** @type {RequestInit} */
  const options = { method, cache, headers: { language } };
  if (body !== undefined) {
    options.headers = { language, "content-type": "application/json" };
    options.body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(address, options);
  } catch {
    throw new Refused(0, "unreachable", method === "GET" ? UNREACHABLE : UNSURE);
  }
  const content = await answer.json().catch(() => null);
  if (!answer.ok) {
    const problem = /** @type {Partial<Refusal> | null} */ (content)?.error;
    throw new Refused(answer.status, problem?.code ?? "", problem?.message ?? say("the box answered {status}",
      { status: answer.status }));
  }
  return content;
}

/**
 * @template {keyof Documents} A
 * @param {A} address
 * @returns {Promise<Documents[A]>}
 */
export const get = (address) => /** @type {Promise<Documents[A]>} */ (ask("GET", address));

/**
 * @template {keyof Bodies} A
 * @param {A} address
 * @param {Bodies[A]} body
 * @returns {Promise<Answers[A]>}
 */
export const post = (address, body) => /** @type {Promise<Answers[A]>} */ (ask("POST", address, body));

/**
 * How a game's things look; kept by the browser as long as it stays the same.
 * @param {string} game
 */
export const getLook = (game) =>
  /** @type {Promise<Look>} */ (ask("GET", `/api/games/${encodeURIComponent(game)}/look`, undefined, "no-cache"));

/**
 * A sheet of a person, an evening, a match's result or a link.
 * @param {keyof Sheets} address
 */
export const getSheet = (address) => /** @type {Promise<Sheet>} */ (ask("GET", address));

/**
 * A picture that the box draws, as an element of this page: its words can be found, copied and read out.
 * @param {string} address
 */
export async function getPicture(address) {
  const answer = await fetch(address, { cache: "no-store", headers: { language } }).catch(() => null);
  if (answer === null) throw new Refused(0, "unreachable", UNREACHABLE);
  if (!answer.ok) {
    const problem = /** @type {Partial<Refusal>} */ (await answer.json().catch(() => ({}))).error;
    throw new Refused(answer.status, problem?.code ?? "", problem?.message ?? say("the box answered {status}",
      { status: answer.status }));
  }
  const drawn = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
  return document.importNode(drawn.documentElement, true);
}

/**
 * Take another PIN.
 * @param {string} pin
 */
export const putPin = (pin) => /** @type {Promise<Done>} */ (ask("PUT", "/api/pin", { pin }));

/** End the session. */
export const removeSession = () => /** @type {Promise<Session>} */ (ask("DELETE", "/api/session"));

/**
 * What to tell people of something that was thrown.
 * @param {unknown} problem
 */
export const messageOf = (problem) => (problem instanceof Error ? problem.message : String(problem));
