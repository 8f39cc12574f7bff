// All tables of the round, live.
import { byId, h } from "../frame/dom.js";
import { say, sayMany } from "../frame/say.js";
import { begin } from "./frame.js";
import { matches, searchField } from "./parts.js";
import { TableRows } from "./table_rows.js";

/** @import { TableRow } from "../../../tournament/event_documents.js" */

const live = begin({ tables: true });
let typed = "";
let which = "all";
const select = h("select", { id: "which", onchange: ({ currentTarget }) => {
  which = currentTarget.value;
  rows.filter();
  count();
} }, h("option", { value: "all" }, say("all tables")), h("option", { value: "open" }, say("not final yet")),
  h("option", { value: "disputed" }, say("disputed")));
byId("tools").append(searchField({ id: "search", label: say("Search for a name or a table"), oninput: (text) => {
  typed = text;
  rows.filter();
  count();
} }), h("label", { class: "field" }, h("span", { class: "label" }, say("Show")), select));

/** @param {TableRow} row */
function isWanted(row) {
  if (which === "open" && row.stage === "final") return false;
  if (which === "disputed" && row.stage !== "disputed") return false;
  return !typed || String(row.table) === typed || matches(row.players.map(({ name }) => name).join(" "), typed);
}

const rows = new TableRows(live, byId("tables"), isWanted, { told: count });

function count() {
  const all = [...rows.rows.values()];
  const wanted = all.filter(isWanted).length;
  byId("count").textContent = all.length === 0 ? say("No round is drawn yet.")
    : sayMany("one table", "{count} tables", wanted);
}
