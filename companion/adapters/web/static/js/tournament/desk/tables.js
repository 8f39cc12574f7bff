// Tables at the desk: live, with what can be done at each: a result by hand, another box, final before its time.
import { h } from "../../frame/dom.js";
import { say, sayMany } from "../../frame/say.js";
import { actForm, doAct, Saying } from "../acting.js";
import { BOXES, PLAYERS, playerTyped } from "../choosing.js";
import { matches, searchField } from "../parts.js";
import { enterResult, pointsForm } from "../result_form.js";
import { TableRows } from "../table_rows.js";
import { folded, plate } from "./part.js";

/** @import { TableRow } from "../../../../tournament/event_documents.js" */
/** @import { Live } from "../live.js" */
/** @import { DeskPart } from "./part.js" */

/**
 * @param {Live} live
 * @returns {DeskPart}
 */
export function tablesPart(live) {
  const saying = new Saying();
  const list = h("ul", { class: "table-rows", id: "tables-list" });
  const count = h("p", { class: "sentence" });
  let typed = "";
  let which = "all";
  /** @param {TableRow} row */
  const wanted = (row) => (which === "all" || (which === "open" ? row.stage !== "final" : row.stage === which))
    && (!typed || String(row.table) === typed || matches(`${row.players.map(({ name }) => name).join(" ")} ${row.box}`,
      typed));
  const told = () => {
    const all = [...rows.rows.values()].filter(wanted).length;
    count.textContent = sayMany("one table", "{count} tables", all);
  };
  const rows = new TableRows(live, list, wanted, { after: (row) => buttons(row, saying), told });
  const again = () => {
    rows.filter();
    told();
  };
  const select = h("select", { id: "which-tables", onchange: ({ currentTarget }) => {
    which = currentTarget.value;
    again();
  } }, h("option", { value: "all" }, say("all tables")), h("option", { value: "open" }, say("not final yet")),
  h("option", { value: "disputed" }, say("disputed")), h("option", { value: "drawn" }, say("without a box")));
  const search = searchField({ id: "search-table", label: say("Search for a name, a table or a box"),
    oninput: (text) => {
      typed = text;
      again();
    } });
  const content = [plate(say("Tables"), h("div", { class: "tools" }, search,
    h("label", { class: "field" }, h("span", { class: "label" }, say("Show")), select)), saying.problem, saying.done,
  count, list),
  folded(say("Give points of a round"), pointsForm(() => live.event?.round ?? null, PLAYERS, playerTyped))];
  return { id: "tables", title: say("Tables"), content };
}

/**
 * @param {TableRow} row
 * @param {Saying} saying
 */
function buttons(row, saying) {
  const { round, table, box, stage, result } = row;
  return h("span", { class: "actions" },
    stage !== "final" && h("button", { type: "button", class: "button is-small", "data-key": `move ${table}`,
      "aria-label": box === null ? say("Give table {table} a box", { table })
        : say("Move table {table} to another box", { table }),
      onclick: () => move(row, saying) }, box === null ? say("Give a box") : say("Other box")),
    stage === "open" && result !== null && h("button", { type: "button", class: "button is-small",
      "data-key": `final ${table}`, "aria-label": say("Make table {table} final", { table }),
      onclick: () => doAct("final", { round, table }, saying, { sure: {
        title: say("Make table {table} final?", { table }), yes: say("Make it final"),
        about: [say("Before all have signed, and before the time for protests is over.")] } }) },
    say("Make it final")),
    h("button", { type: "button", class: "button is-small", "data-key": `hand ${table}`,
      "aria-label": say("Enter the result of table {table} by hand", { table }), onclick: () => enterResult(row) },
    say("By hand")));
}

/**
 * @param {TableRow} row
 * @param {Saying} saying
 */
function move({ round, table, box }, saying) {
  const before = document.activeElement;
  const { form } = actForm("assign", { id: "move-table",
    title: box === null ? say("A box for table {table}", { table })
      : say("Table {table} goes on on another box", { table }),
    about: box !== null && h("p", { class: "sentence" }, say("It is on {box} now. What has come from there goes along; "
      + "what has not come is lost to the match.", { box })),
    fields: [{ name: "box", label: say("Box"), list: BOXES, maxlength: 32 }], yes: say("Do it"),
    body: (values) => ({ round, table, box: values.box }),
    done: () => {
      saying.said(say("table {table} has a box", { table }));
      dialog.close();
    } });
  const dialog = h("dialog", { class: "plate", "aria-label": say("Another box") }, form, h("p", { class: "actions" },
    h("button", { type: "button", class: "button", onclick: () => dialog.close() }, say("Leave it"))));
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before instanceof HTMLElement) before.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}
