// A sheet: tables, plots and bars as the box tells them, fit for a phone and for paper. Words nothing itself.
import { h, s } from "../frame/dom.js";
import { capital } from "../frame/words.js";
import { fitting, lanes } from "../shown/plot.js";
import { token } from "../shown/symbols.js";
import { listed, say } from "../frame/say.js";

/** @import { Sheet, SheetCell, SheetTable } from "../../../documents.js" */
/** @import { Child } from "../frame/dom.js" */

/**
 * The whole sheet. actions: what can be done with it, beside printing.
 * @param {Sheet} sheet
 * @param {Child} [actions]
 */
export function drawn(sheet, actions = null) {
  return [
    h("div", { class: "title" }, h("h1", { tabindex: -1 }, sheet.title),
      sheet.about.map((text) => h("p", { class: "sentence" }, text))),
    h("p", { class: "actions for-screen" },
      h("button", { type: "button", class: "button is-main", id: "print", onclick: () => print() }, say("Print")),
      sheet.pdf && h("a", { class: "button", id: "pdf", href: sheet.pdf, download: "" }, "PDF"), actions),
    sheet.pdf_says && h("p", { class: "sentence for-screen", id: "no-pdf" }, sheet.pdf_says),
    h("div", { class: "sheet" }, sheet.tables.map((one) => table(one)), sheet.plots.map(plot), sheet.bars.map(bars)),
    notes(sheet.notes),
  ];
}

/** @param {string[]} texts */
export function notes(texts) {
  if (!texts.length) return null;
  return h("section", { class: "notes", "aria-labelledby": "notes-title" },
    h("h2", { id: "notes-title" }, say("Notes")), h("ul", null, texts.map((text) => h("li", null, text))));
}

/**
 * A table on a plate of its own.
 * @param {SheetTable} told
 */
export function table(told) {
  if (told.rows.length === 0) return null;
  return h("section", { class: "plate" }, h("h2", null, told.title), rowsOf(told));
}

/**
 * A table that is opened by its title.
 * @param {SheetTable} told
 */
export function folded(told) {
  return h("details", { class: "plate" }, h("summary", null, h("h2", null, told.title)), rowsOf(told));
}

/** Characters beyond which a cell has a row of its own on a phone, and columns beyond which rows become blocks. */
const [LONG, MOST_COLUMNS] = [16, 4];

/**
 * The rows, which become blocks where there is no room for columns; they stay a table for those who hear it.
 * @param {SheetTable} told
 */
function rowsOf({ title, head, rows, how, named_by: named }) {
  return [how && h("p", { class: "sentence" }, capital(how)),
    h("table", { role: "table", "aria-label": title, class: head.length > MOST_COLUMNS && "is-wide" },
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" },
        head.map((text) => h("th", { role: "columnheader", scope: "col" }, text)))),
      h("tbody", { role: "rowgroup" }, rows.map((row) => h("tr", { role: "row" },
        row.map((cell, index) => index === named
          ? h("th", { role: "rowheader", scope: "row", "data-head": head[index] }, inside(cell))
          : h("td", { role: "cell", "data-head": head[index],
            class: cell.text === "" ? "is-empty" : cell.text.length > LONG && "is-long" }, inside(cell)))))))];
}

/** @param {SheetCell} cell */
function inside({ text, colour, href }) {
  const said = href ? h("a", { href }, text) : text;
  return colour ? h("span", { class: "player-chip" }, token(colour), said) : said;
}

/** @param {Sheet["plots"][number]} told */
function plot({ title, how, lanes: told }) {
  const medians = told.map(({ label, median }) => `${label} ${median}`);
  return h("section", { class: "plate" }, h("h2", null, title),
    h("p", { class: "sentence" }, say("{how}; the line marks each median.", { how: capital(how) })),
    fitting((width) => lanes(told, say("{title}, medians: {medians}", { title, medians: listed(medians) }), width)));
}

/** @param {Sheet["bars"][number]} told */
function bars({ title, how, bars: told }) {
  return h("section", { class: "plate" }, h("h2", null, title), h("p", { class: "sentence" }, capital(how)),
    h("ul", { class: "bars" }, told.map(({ label, part, of, says }) => h("li", null,
      h("strong", null, label),
      s("svg", { class: "share-bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
        s("rect", { class: "whole", x: 0, y: 0, width: 100, height: 8 }),
        s("rect", { class: "part", x: 0, y: 0, width: (100 * part) / of, height: 8 })),
      h("span", null, says)))));
}
