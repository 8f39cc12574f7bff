// A word of the trade that explains itself: a button that opens what the word means, in a box of its own beside it.
// The words come from the box, once, when one is asked for. Esc, or a touch anywhere else, closes; the focus goes back.
import { append, h } from "./dom.js";
import { get, messageOf } from "../wire/api.js";
import { say } from "./say.js";

/** @import { Child } from "./dom.js" */
/** @import { Documents, Word } from "../../../documents.js" */

/** How far the box stays from the edges of the window, in pixels. */
const EDGE = 8;

/** @type {Promise<Documents["/api/words"]> | null} */
let words = null;
/** @type {HTMLElement | null} */
let box = null;

/**
 * A word as it stands on the page (the word itself where nothing else is given), with its explanation. On a screen that
 * nobody touches (`is-far`) it is the word alone.
 * @param {string} word  as the table of words has it
 * @param {...Child} shown
 */
export function term(word, ...shown) {
  if (document.body.classList.contains("is-far")) return h("span", null, shown.length ? shown : word);
  return h("button", { type: "button", class: "term", "data-key": `term ${word}`, "data-term": word,
    "aria-haspopup": "dialog", title: say("What does that mean?"), onclick: opened }, shown.length ? shown : word);
}

/**
 * A text in which one mark is such a word.
 * @param {string} text
 * @param {string} mark
 * @param {string} word
 * @returns {Child[]}
 */
export function withTerm(text, mark, word) {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), term(word, mark), text.slice(at + mark.length)];
}

/** @param {MouseEvent & { currentTarget: HTMLButtonElement }} event */
async function opened(event) {
  const button = event.currentTarget;
  const word = button.dataset.term ?? "";
  const place = button.getBoundingClientRect();
  event.stopPropagation();
  const said = await meaning(word);
  explain(place, word, [h("p", null, said.says)], { address: said.more, words: say("More in the help") });
}

/**
 * Open the box beside a place of the page, with something else to explain.
 * @param {DOMRect} place
 * @param {string} title
 * @param {Child[]} content
 * @param {{ address: string, words: string } | null} more  where there is more
 */
export function explain(place, title, content, more) {
  box ??= explanation();
  box.replaceChildren();
  append(box, [
    h("h2", { id: "term-title" }, title),
    content,
    h("p", { class: "actions" },
      more && h("a", { class: "button is-small", href: more.address, target: "_blank" }, more.words),
      h("button", { class: "button is-small", type: "button", onclick: () => box?.hidePopover() }, say("Close")))]);
  box.showPopover();
  put(box, place);
  box.focus();
}

/**
 * What a word means; where the box cannot be asked, why not.
 * @param {string} word
 * @returns {Promise<Word>}
 */
async function meaning(word) {
  words ??= get("/api/words");
  try {
    return (await words)[word] ?? { word, says: say("The help has more."), more: "/help#words" };
  } catch (problem) {
    words = null; // asked again at the next touch
    return { word, says: messageOf(problem), more: "/help#words" };
  }
}

/** The one box of this page, closed. */
function explanation() {
  const made = h("div", { id: "term", class: "term-box", popover: "auto", role: "dialog", tabindex: -1,
    "aria-labelledby": "term-title" });
  document.body.append(made);
  return made;
}

/**
 * Put the box below a place, or above it where there is no room; always whole within the window.
 * @param {HTMLElement} element
 * @param {DOMRect} place
 */
function put(element, place) {
  const { width, height } = element.getBoundingClientRect();
  const below = place.bottom + EDGE;
  const top = below + height + EDGE > innerHeight ? place.top - EDGE - height : below;
  element.style.left = `${Math.max(EDGE, Math.min(place.left, innerWidth - width - EDGE))}px`;
  element.style.top = `${Math.max(EDGE, Math.min(top, innerHeight - height - EDGE))}px`;
}
