// The referee's tools, always the same and always where they were: what cannot be done now is switched off, never away.
import { h } from "../frame/dom.js";
import { ask, lastName, rememberName } from "../frame/ask.js";
import { keycap, keysButton, shortcut } from "../frame/keys.js";
import { capital, small } from "../frame/words.js";
import { say } from "../frame/say.js";

/** @import { State } from "../../../documents.js" */
/** @import { Desk } from "../referee.js" */

/**
 * Give the tools: `element`, and `render(state)`.
 * @param {Desk} desk
 * @param {{ another: () => void, isAnother: () => boolean, hasCards: () => boolean }} cards
 */
export function actions({ act, seen, connection }, cards) {
  /**
   * @param {string} id
   * @param {string} label
   * @param {string} key
   * @param {() => void} onclick
   * @param {string} kind
   */
  const tool = (id, label, key, onclick, kind = "") => h("button", { type: "button", class: `button tool ${kind}`, id,
    "data-key": id, onclick, "data-does": small(label), ...shortcut(key) },
    h("span", { class: "tool-name" }, label), keycap(key));

  const about = h("small", { class: "tool-about" });
  const undo = tool("act-undo", say("Take back"), "Shift+U", takeBack);
  undo.append(about);
  const another = tool("another-card", say("Another card"), "Shift+A", cards.another);
  another.append(h("small", { class: "tool-about" }, say("for the race before")));
  another.setAttribute("aria-pressed", "false");
  const note = tool("act-note", say("Note something"), "Shift+N", addNote);
  const replace = tool("act-replace", say("Replace a call"), "Shift+R", () => goTo("replace"));
  const protest = tool("act-protest", say("Protests"), "Shift+P", () => goTo("disputes"));
  const end = tool("act-end", say("End the match"), "Shift+E", endMatch, "is-bad");
  const element = h("div", { class: "tools" }, undo, another, replace, protest, note, end, keysButton(NOTES));

  /** One tap: the reason may be told afterwards, and where it was the wrong line, it can be entered again. */
  async function takeBack() {
    const line = connection.state?.can.undo?.line;
    if (line !== undefined) await act("/api/undo", { line });
  }

  async function endMatch() {
    const said = await ask({ title: say("End the match?"),
      about: [say("The score is final then. The end can be taken back as any other line.")], yes: say("End the match"),
      isBad: true });
    if (said) await act("/api/end", { seen: seen() });
  }

  async function addNote() {
    const said = await ask({ title: say("A note in the record"), about: [say("It decides nothing.")],
      fields: [{ name: "text", label: say("Note") }, { name: "by", label: say("Who"), value: lastName(),
        maxlength: 40 }],
      yes: say("Note it") });
    if (!said) return;
    rememberName(said.by);
    await act("/api/remark", { text: said.text, by: said.by });
  }

  return {
    element,
    /** @param {State} state */
    render({ can, match }) {
      undo.disabled = !can.undo;
      about.textContent = can.undo ? capital(can.undo.says) : say("nothing");
      undo.title = can.undo ? say("{what}, line {line}", { what: capital(can.undo.says), line: can.undo.line }) : "";
      another.hidden = !cards.hasCards();
      another.disabled = !can.another;
      another.setAttribute("aria-pressed", String(cards.isAnother()));
      note.disabled = match === null || match.over;
      end.disabled = !can.end;
      replace.disabled = protest.disabled = match === null;
    },
  };
}

/** @type {[string, string][]} */
const NOTES = [["a b", say("two letters: enter the card that they stand on")], ["↑ ↓",
  say("move through the answers")]];

/**
 * Go to a part of the desk further below.
 * @param {string} id
 */
function goTo(id) {
  const place = document.getElementById(id);
  if (place === null || place.hidden) return;
  place.scrollIntoView({ block: "start" });
  const control = place.querySelector("button:not(:disabled), select, input");
  if (control instanceof HTMLElement) control.focus();
  else place.focus();
}
