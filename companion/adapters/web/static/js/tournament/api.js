// Requests to the desk. A refusal is an Error whose message is the desk's sentence for people.
import { language, say } from "../frame/say.js";
import { Refused } from "../wire/api.js";

/** @import { Acts, Documents, Done, Refusal, Role, Session } from "../../../tournament/event_documents.js" */

const UNREACHABLE =
  say("The desk cannot be reached: look whether this device is in its network, then try again.");
/** It may have been done, and the answer not have come here. */
const UNSURE =
  say("The desk cannot be reached: wait until this page is live again, and look whether it was done.");

/**
 * @param {string} method
 * @param {string} address
 * @param {unknown} [body]
 * @returns {Promise<unknown>} the content of the answer; Refused otherwise
 */
async function ask(method, address, body) {
  /** @type {RequestInit} */
  const options = { method, cache: "no-store", headers: { language } };
  if (body !== undefined) {
    options.headers = { language, "content-type": "application/json" };
    options.body = JSON.stringify(body);
  }
  const answer = await fetch(address, options).catch(() => null);
  if (answer === null) throw new Refused(0, "unreachable", method === "GET" ? UNREACHABLE : UNSURE);
  const content = await answer.json().catch(() => null);
  if (answer.ok) return content;
  const problem = /** @type {Partial<Refusal> | null} */ (content)?.error;
  throw new Refused(answer.status, problem?.code ?? "",
    problem?.message ?? say("the desk answered {status}", { status: answer.status }));
}

/**
 * @template {keyof Documents} A
 * @param {A} address
 * @returns {Promise<Documents[A]>}
 */
export const get = (address) => /** @type {Promise<Documents[A]>} */ (ask("GET", address));

/**
 * Have something done.
 * @template {keyof Acts} A
 * @param {A} act
 * @param {Acts[A]} body
 */
export const act = (act, body) => /** @type {Promise<Done>} */ (ask("POST", `/api/acts/${act}`, body));

/**
 * Enter the players of a CSV file.
 * @param {string} text
 */
export const importPlayers = (text) => /** @type {Promise<Done>} */ (ask("POST", "/api/players/import", { text }));

/**
 * @param {{ role: Role, pin: string, work?: { puzzle: string, number: number } }} body
 */
export const logIn = (body) => /** @type {Promise<Session>} */ (ask("POST", "/api/session", body));

export const logOut = () => /** @type {Promise<Session>} */ (ask("DELETE", "/api/session"));
