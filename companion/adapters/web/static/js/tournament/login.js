// The form that asks for a role's PIN, with work where the desk asks for it.
import { h } from "../frame/dom.js";
import { say } from "../frame/say.js";
import { capital } from "../frame/words.js";
import { messageOf, Refused } from "../wire/api.js";
import { solve } from "../wire/work.js";
import { get, logIn } from "./api.js";

/** @import { Role, Session } from "../../../tournament/event_documents.js" */

/** Why a PIN is asked again. */
export const ENDED = say("The session has ended, by its age or because the desk was started anew: enter the PIN "
  + "again.");
const WORDS = {
  organiser: { title: say("Organiser’s PIN"),
    help: say("Whoever runs the event enters the organiser’s PIN here.") },
  referee: { title: say("Referee’s PIN"),
    help: say("Whoever decides at the tables enters the referee’s PIN here, or the organiser’s.") },
};

/**
 * Give the session, opened by a PIN in the address ("#pin=123456", as the desk prints it) where there is one.
 * @param {Role} role
 * @returns {Promise<Session>}
 */
export async function openSession(role) {
  const pin = /^#pin=(\d{4,12})$/.exec(location.hash)?.[1];
  if (pin) history.replaceState(null, "", location.pathname);
  const session = await get("/api/session");
  return pin && !may(session, role) ? byPin(role, pin) : session;
}

/**
 * @param {Session} session
 * @param {Role} role
 */
export const may = (session, role) => session.role === "organiser" || session.role === role;

/**
 * @param {Role} role
 * @param {string} pin
 * @param {() => void} [onWork] called where it will take a while
 */
async function byPin(role, pin, onWork = () => {}) {
  try {
    return await logIn({ role, pin });
  } catch (problem) {
    if (!(problem instanceof Refused && problem.code === "work_needed")) throw problem;
  }
  onWork();
  const puzzle = await get("/api/session/puzzle");
  return logIn(puzzle.bits ? { role, pin, work: await solve(puzzle) } : { role, pin });
}

/**
 * @param {Role} role
 * @param {string} said  why it is asked again
 * @param {() => void} opened
 */
export function loginForm(role, said, opened) {
  const pin = h("input", { id: "pin", name: "pin", type: "password", inputmode: "numeric",
    autocomplete: "current-password", required: true, maxlength: 64, "aria-describedby": "pin-problem pin-help" });
  const problem = h("p", { class: "problem", id: "pin-problem", role: "alert", hidden: !said }, said);
  const working = h("p", { class: "sentence", role: "status", hidden: true },
    say("Somebody is trying PINs. This page solves a puzzle before yours is looked at; it may take half a minute."));
  const which = h("select", { id: "pin-role" }, h("option", { value: "referee" }, say("referee")),
    h("option", { value: "organiser" }, say("organiser")));
  const submit = h("button", { class: "button is-main", type: "submit" }, say("Open the desk"));
  const { title, help } = WORDS[role];
  return h("div", { class: "plate pin" }, h("form", { class: "act", onsubmit: async (event) => {
    event.preventDefault();
    submit.disabled = true; // one question at a time
    try {
      await byPin(role === "organiser" ? role : /** @type {Role} */ (which.value), pin.value, () => {
        working.hidden = false;
      });
      opened();
    } catch (refusal) {
      submit.disabled = false;
      problem.textContent = capital(messageOf(refusal));
      problem.hidden = false;
      pin.setAttribute("aria-invalid", "true");
      pin.select();
      pin.focus();
    }
    working.hidden = true;
  } },
  h("h2", null, title), h("p", { class: "sentence", id: "pin-help" }, help),
  role === "referee" && h("label", { class: "field" }, h("span", { class: "label" }, say("As")), which),
  h("label", { class: "field" }, h("span", { class: "label" }, "PIN"), pin), working, problem, submit));
}
