// A text with numbered lines, and what is wrong with it: asked of the box a moment after each change. Knows no format.
import { h } from "../frame/dom.js";
import { capital } from "../frame/words.js";
import { messageOf, post } from "../wire/api.js";
import { faultsSay } from "./lists.js";
import { say } from "../frame/say.js";

/** @import { FileFault, FileOf } from "../../../documents.js" */

const PAUSE_MS = 500;

/**
 * Give the editor: `element`, `text()`, `put(text)`, and `faults()`, null while they are being asked for.
 * @param {FileOf} of
 * @param {string} begun
 * @param {() => void} onChange  called when the text or its faults have changed
 */
export function editor({ game, key }, begun, onChange) {
  /** @type {FileFault[] | null} */
  let faults = null;
  let asked = 0;
  let timer = 0;
  const numbers = h("div", { class: "line-numbers", "aria-hidden": "true" });
  const area = h("textarea", { id: "text", class: "text", spellcheck: "false", autocapitalize: "off", wrap: "off",
    autocomplete: "off", "aria-describedby": "found", rows: 16, value: begun, oninput: changed });
  area.addEventListener("scroll", () => {
    numbers.scrollTop = area.scrollTop;
  });
  const found = h("p", { id: "found", class: "found", role: "status" }, say("It is being looked through …"));
  const list = h("ol", { class: "fault-list", "aria-label": say("Faults") });
  const element = h("div", { class: "editor" },
    h("label", { class: "label", for: "text" }, say("Text")),
    h("div", { class: "numbered" }, numbers, area), found, list);
  number();
  check();

  function changed() {
    faults = null;
    number();
    clearTimeout(timer);
    timer = setTimeout(check, PAUSE_MS);
    onChange();
  }

  function number() {
    const bad = new Set((faults ?? []).map(({ line }) => line));
    const count = area.value.split("\n").length;
    numbers.replaceChildren(...Array.from({ length: count }, (_, index) =>
      h("span", { class: bad.has(index + 1) ? "is-bad" : null }, bad.has(index + 1) ? `▸${index + 1}` : index + 1)),
      h("span", null, "\u00a0")); // as much below as a scroll bar of the text takes
    numbers.scrollTop = area.scrollTop;
  }

  /** Ask the box. An older answer never takes the place of a newer one. */
  async function check() {
    asked += 1;
    const mine = asked;
    try {
      const told = await post("/api/files/check", { game, key, text: area.value });
      if (mine === asked) tell(told.faults);
    } catch (problem) {
      if (mine === asked) tell([{ line: null, says: messageOf(problem) }]);
    }
  }

  /** @param {FileFault[]} told */
  function tell(told) {
    faults = told;
    number();
    found.textContent = told.length === 0 ? say("Nothing is wrong with it.") : `${faultsSay(told.length)}.`;
    found.className = told.length === 0 ? "found is-good" : "found is-bad";
    list.replaceChildren(...told.map((fault) => h("li", null, one(fault))));
    if (told.length > 0) area.setAttribute("aria-invalid", "true");
    else area.removeAttribute("aria-invalid");
    onChange();
  }

  /** @param {FileFault} fault */
  function one({ line, says }) {
    if (line === null) return h("p", null, `${capital(says)}.`);
    return h("button", { type: "button", class: "fault", onclick: () => goTo(line) },
      h("strong", null, say("Line {line}", { line })), h("span", null, says));
  }

  /**
   * Go to a line, which is then selected.
   * @param {number} line
   */
  function goTo(line) {
    const lines = area.value.split("\n");
    const from = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    area.focus();
    area.setSelectionRange(from, from + (lines[line - 1] ?? "").length);
    const height = Number.parseFloat(getComputedStyle(area).lineHeight);
    area.scrollTop = Math.max(0, (line - 4) * height);
    area.scrollLeft = 0;
  }

  return {
    element,
    text: () => area.value,
    faults: () => faults,
    /** @param {string} text */
    put(text) {
      area.value = text;
      changed();
      area.setSelectionRange(0, 0);
      area.scrollTop = 0;
    },
  };
}
