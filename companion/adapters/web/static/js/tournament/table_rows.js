// Rows of tables, each changed in its place as it comes: a thousand of them are on a page.
import { h } from "../frame/dom.js";
import { say } from "../frame/say.js";
import { playerLinks, resultSays, stageChip } from "./parts.js";

/** @import { TableRow, Tables } from "../../../tournament/event_documents.js" */
/** @import { Child } from "../frame/dom.js" */
/** @import { Live } from "./live.js" */

export class TableRows {
  /** @type {Map<number, HTMLElement>} */
  #elements = new Map();
  /** @type {Map<number, TableRow>} */
  rows = new Map();
  #version = 0;

  /**
   * @param {Live} live
   * @param {HTMLElement} list
   * @param {(row: TableRow) => boolean} wanted
   * @param {{ after?: (row: TableRow) => Child, told?: () => void }} [more] after: what a row ends with
   */
  constructor(live, list, wanted, { after = () => null, told = () => {} } = {}) {
    this.list = list;
    this.wanted = wanted;
    this.after = after;
    this.told = told;
    live.follow("tables", (tables) => this.#all(tables));
    live.on("rows", ({ version, rows }) => {
      if (version <= this.#version) return; // what was fetched meanwhile is newer
      this.#version = version;
      for (const row of rows) this.#one(row);
      this.told();
    });
  }

  /** Look again at which rows are wanted. */
  filter() {
    for (const [number, element] of this.#elements) {
      const row = this.rows.get(number);
      element.hidden = row !== undefined && !this.wanted(row);
    }
  }

  /** @param {Tables} tables */
  #all({ version, rows }) {
    if (version < this.#version) return;
    this.#version = version;
    const numbers = new Set(rows.map(({ table }) => table));
    for (const [number, element] of this.#elements) {
      if (numbers.has(number)) continue;
      element.remove();
      this.#elements.delete(number);
      this.rows.delete(number);
    }
    for (const row of rows) this.#one(row);
    const sorted = rows.map(({ table }) => /** @type {HTMLElement} */ (this.#elements.get(table)));
    if (sorted.some((element, index) => this.list.children[index] !== element)) this.list.replaceChildren(...sorted);
    this.told();
  }

  /** @param {TableRow} row */
  #one(row) {
    let element = this.#elements.get(row.table);
    const before = this.rows.get(row.table);
    this.rows.set(row.table, row);
    if (element === undefined) {
      element = h("li", { class: "table-row", id: `table-${row.table}` });
      this.#elements.set(row.table, element);
      this.list.append(element);
    } else if (JSON.stringify(before) === JSON.stringify(row)) return;
    element.hidden = !this.wanted(row);
    if (before && element.querySelector(".shown") && onlyShown(before, row)) {
      /** @type {HTMLElement} */ (element.querySelector(".shown")).textContent = row.shown.join(" · ");
      return;
    }
    if (element.contains(document.activeElement) && before && sameKind(before, row)) return this.#quietly(element, row);
    element.replaceChildren();
    fillRow(element, row, this.after(row));
  }

  /**
   * Change what a row says, and leave what is pressed there.
   * @param {HTMLElement} element
   * @param {TableRow} row
   */
  #quietly(element, row) {
    const fresh = h("li", null);
    fillRow(fresh, row, null);
    for (const part of [".chip", ".shown", ".result"]) {
      const now = element.querySelector(part);
      const wanted = fresh.querySelector(part);
      if (now && wanted) now.replaceWith(wanted);
    }
  }
}

/**
 * @param {TableRow} before
 * @param {TableRow} row
 */
const onlyShown = (before, row) =>
  row.shown.length > 0 && JSON.stringify({ ...before, shown: 0 }) === JSON.stringify({ ...row, shown: 0 });

/**
 * @param {TableRow} before
 * @param {TableRow} row
 */
const sameKind = (before, row) => before.stage === row.stage && before.box === row.box;

/**
 * @param {HTMLElement} element
 * @param {TableRow} row
 * @param {Child} after
 */
function fillRow(element, row, after) {
  const result = resultSays(row);
  element.append(
    h("span", { class: "number" }, h("span", { class: "unseen" }, say("Table")), " ", row.table),
    h("span", { class: "players" }, .../** @type {Node[]} */ (playerLinks(row.players).flat().filter(Boolean))),
    stageChip(row),
    h("span", { class: "shown" }, row.shown.join(" · ")),
    h("span", { class: "result" }, result, row.by_hand && h("em", null, say("entered by hand: {reason}",
      { reason: row.reason ?? "" })),
      row.box !== null && !row.is_there && row.stage === "playing" && h("em", null, say("its box is not connected"))));
  if (after) element.append(h("span", { class: "after" }, /** @type {Node} */ (after)));
}
