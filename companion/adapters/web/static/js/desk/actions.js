// The referee's tools, always the same and always where they were: what cannot be done now is switched off, never away.
import { h } from "../frame/dom.js";
import { ask, lastName, rememberName } from "../frame/ask.js";
import { keycap, keysButton, shortcut } from "../frame/keys.js";
import { capital } from "../frame/words.js";

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
    "data-key": id, onclick, "data-does": label.toLowerCase(), ...shortcut(key) },
    h("span", { class: "tool-name" }, label), keycap(key));

  const about = h("small", { class: "tool-about" });
  const undo = tool("act-undo", "Take back", "Shift+U", takeBack);
  undo.append(about);
  const another = tool("another-card", "Another card", "Shift+A", cards.another);
  another.append(h("small", { class: "tool-about" }, "for the race before"));
  another.setAttribute("aria-pressed", "false");
  const note = tool("act-note", "Note something", "Shift+N", addNote);
  const replace = tool("act-replace", "Replace a call", "Shift+R", () => goTo("replace"));
  const protest = tool("act-protest", "Protests", "Shift+P", () => goTo("disputes"));
  const end = tool("act-end", "End the match", "Shift+E", endMatch, "is-bad");
  const element = h("div", { class: "tools" }, undo, another, replace, protest, note, end, keysButton(NOTES));

  /** One tap: the reason may be told afterwards, and where it was the wrong line, it can be entered again. */
  async function takeBack() {
    const line = connection.state?.can.undo?.line;
    if (line !== undefined) await act("/api/undo", { line });
  }

  async function endMatch() {
    const said = await ask({ title: "End the match?",
      about: ["The score is final then. The end can be taken back as any other line."], yes: "End the match",
      isBad: true });
    if (said) await act("/api/end", { seen: seen() });
  }

  async function addNote() {
    const said = await ask({ title: "A note in the record", about: ["It decides nothing."],
      fields: [{ name: "text", label: "Note" }, { name: "by", label: "Who", value: lastName(), maxlength: 40 }],
      yes: "Note it" });
    if (!said) return;
    rememberName(said.by);
    await act("/api/remark", { text: said.text, by: said.by });
  }

  return {
    element,
    /** @param {State} state */
    render({ can, match }) {
      undo.disabled = !can.undo;
      about.textContent = can.undo ? capital(can.undo.says) : "nothing";
      undo.title = can.undo ? `${capital(can.undo.says)}, line ${can.undo.line}` : "";
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
const NOTES = [["a b", "two letters: enter the card that they stand on"], ["↑ ↓", "move through the answers"]];

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
