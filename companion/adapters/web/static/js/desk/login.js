// The way to the desk: the PIN, with the work that it may need, or a code that the box's own display shows.
import { get, messageOf, post, Refused } from "../wire/api.js";
import { h } from "../frame/dom.js";
import { capital } from "../frame/words.js";
import { solve } from "../wire/work.js";
import { say } from "../frame/say.js";

/** @import { Session } from "../../../documents.js" */

/** Why the PIN is asked again. */
export const ENDED = say("The session has ended, by its age or because the PIN was changed: "
  + "enter the PIN that the box’s display shows now.");
const TO_THE_DESK = {
  open: say("Open the desk"),
  help: say("Watching is open to all. To change anything, enter the PIN that the box’s display shows."),
};

/**
 * Open a session by the PIN, with work where the box asks for it.
 * @param {string} pin
 * @param {() => void} [onWork] called where it will take a while
 * @returns {Promise<Session>}
 */
export async function byPin(pin, onWork = () => {}) {
  try {
    return await post("/api/session", { pin });
  } catch (problem) {
    if (!(problem instanceof Refused && problem.code === "work_needed")) throw problem;
  }
  onWork();
  const puzzle = await get("/api/session/puzzle");
  return post("/api/session", puzzle.bits ? { pin, work: await solve(puzzle) } : { pin });
}

/**
 * The form that asks for the PIN; said: why it is asked again. opened: called with the session. words: what it opens.
 * @param {string} said
 * @param {(session: Session) => void} opened
 * @param {{ open: string, help: string }} words
 */
export function loginForm(said, opened, words = TO_THE_DESK) {
  const pin = h("input", { id: "pin", name: "pin", type: "password", inputmode: "numeric",
    autocomplete: "current-password", required: true, maxlength: 64, "aria-describedby": "pin-problem pin-help" });
  const problem = h("p", { class: "problem", id: "pin-problem", role: "alert", hidden: !said }, said);
  const working = h("p", { class: "sentence", id: "pin-working", role: "status", hidden: true },
    say("Somebody is trying PINs. This page solves a puzzle before yours is looked at; it may take half a minute."));
  const submit = h("button", { class: "button is-main", type: "submit" }, words.open);
  return h("div", { class: "plate pin" },
    h("form", { class: "pin-form", onsubmit: (event) => attempt(event, submit, () =>
      byPin(pin.value, () => { working.hidden = false; }), pin) },
      h("h2", null, say("Referee’s PIN")),
      h("p", { class: "sentence", id: "pin-help" }, words.help),
      h("label", { class: "field" }, h("span", { class: "label" }, "PIN"), pin), working, problem, submit),
    byCode());

  /** What is there without the PIN: a code that only those at the box can read. */
  function byCode() {
    const place = h("div", { class: "pin-form", id: "by-code" });
    const ask = h("button", { type: "button", class: "button is-small", id: "ask-code", onclick: async () => {
      ask.disabled = true; // one question at a time
      try {
        place.replaceChildren(codeForm((await post("/api/session/ask-code", {})).ticket));
      } catch (refusal) {
        tell(refusal);
      }
      ask.disabled = false;
    } }, say("Show a code on the box’s display"));
    place.append(h("p", { class: "sentence" }, say("Or, at the box itself, without the PIN:")), ask);
    return place;
  }

  /** @param {string} ticket */
  function codeForm(ticket) {
    const code = h("input", { id: "code", name: "code", autocomplete: "off", autocapitalize: "characters",
      required: true, maxlength: 16, "aria-describedby": "pin-problem" });
    const open = h("button", { class: "button", type: "submit" }, words.open);
    return h("form", { class: "pin-form", onsubmit: (event) => attempt(event, open, () =>
      post("/api/session/code", { ticket, code: code.value }), code) },
      h("label", { class: "field" }, h("span", { class: "label" }, say("Code on the box’s display, for a minute")),
        code),
      open);
  }

  /**
   * @param {SubmitEvent} event
   * @param {HTMLButtonElement} button
   * @param {() => Promise<Session>} log
   * @param {HTMLInputElement} input
   */
  async function attempt(event, button, log, input) {
    event.preventDefault();
    button.disabled = true; // one question at a time: an older answer must not take the place of a newer one
    try {
      opened(await log());
    } catch (refusal) {
      button.disabled = false;
      tell(refusal);
      input.setAttribute("aria-invalid", "true");
      input.select();
      input.focus();
    }
    working.hidden = true;
  }

  /** @param {unknown} refusal */
  function tell(refusal) {
    problem.textContent = capital(messageOf(refusal));
    problem.hidden = false;
  }
}
