// The course of a match, what was taken back folded away: what stands is read first, and nothing is lost.
import { h } from "../frame/dom.js";
import { say } from "../frame/say.js";

/** @import { CourseEntry } from "../../../documents.js" */

/**
 * What follows each other and belongs together: entries that were taken back, entries that took something back, or one
 * entry that stands.
 * @typedef {{ kind: "stands" | "undone" | "undo", entries: CourseEntry[] }} Run
 */

/**
 * @param {CourseEntry} entry
 * @returns {Run["kind"]}
 */
const kindOf = ({ undone, type }) => (undone ? "undone" : type === "undo" ? "undo" : "stands");

/**
 * @param {CourseEntry[]} entries
 * @returns {Run[]}
 */
export function runs(entries) {
  /** @type {Run[]} */
  const found = [];
  for (const entry of entries) {
    const kind = kindOf(entry);
    const last = found.at(-1);
    if (last && kind !== "stands" && last.kind === kind) last.entries.push(entry);
    else found.push({ kind, entries: [entry] });
  }
  return found;
}

/**
 * The course as a list.
 * @param {CourseEntry[]} entries
 * @param {string} title  id of its heading
 */
export function folded(entries, title) {
  return h("ol", { class: "course-list", tabindex: 0, "aria-labelledby": title }, runs(entries).map(item));
}

/** @param {Run} run */
function item({ kind, entries: of }) {
  if (kind === "stands") return line(of[0]);
  const [from, to] = [of[0].line, of.at(-1)?.line ?? of[0].line];
  const what = kind === "undo" ? of[0].says[0] ?? say("taken back") : say("taken back");
  const says = from === to ? say("Line {line}: {what}", { line: from, what })
    : say("Lines {from} to {to}: {what}", { from, to, what });
  return h("li", { class: "folded" }, h("details", null, h("summary", null, says), h("ol", null, of.map(line))));
}

/** @param {CourseEntry} entry */
function line(entry) {
  return h("li", { class: `type-${entry.type}${entry.undone ? " is-undone" : ""}` },
    h("span", { class: "line", "aria-hidden": "true" }, entry.line),
    h("div", null, entry.says.map((text) => h("p", null, text)),
      entry.undone && h("p", { class: "undone-by" }, say("taken back by line {line}",
        { line: entry.undone_by ?? "" }))));
}
