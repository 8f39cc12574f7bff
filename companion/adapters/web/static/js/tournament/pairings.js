// Who sits where: by name, with a field to search in, and by table. Whoever finds their name may have it remembered.
import { append, byId, h } from "../frame/dom.js";
import { say, sayMany } from "../frame/say.js";
import { get } from "./api.js";
import { begin } from "./frame.js";
import { ownPlayer, rememberPlayer } from "./own.js";
import { ownTable } from "./own_table.js";
import { byName, matches, playerLink, searchField } from "./parts.js";

/** @import { Named, PairingsOf } from "../../../tournament/event_documents.js" */

/** @typedef {Named & { table: number | null }} Placed */

const live = begin();
const lookAgain = ownTable(live, byId("own"));
/** @type {PairingsOf | null} */
let shown = null;
let typed = "";
let isByTable = false;
/** @type {number | null} null: the newest */
let chosen = null;

const way = h("div", { class: "toggle", role: "group", "aria-label": say("Order") },
  toggle("by-name", say("By name"), false), toggle("by-table", say("By table"), true));
const round = h("select", { id: "round", onchange: ({ currentTarget }) => choose(Number(currentTarget.value)) });
byId("tools").append(searchField({ id: "search", label: say("Search for a name"), oninput: (text) => {
  typed = text;
  draw();
} }), way, h("label", { class: "field" }, h("span", { class: "label" }, say("Round")), round));

live.follow("pairings", (told) => {
  round.replaceChildren(...Array.from({ length: told.rounds }, (_, index) => h("option", { value: told.rounds - index,
    selected: told.rounds - index === (chosen ?? told.rounds) }, told.rounds - index)));
  round.disabled = told.rounds < 2;
  if (chosen === null || chosen === told.round) {
    shown = told;
    draw();
  }
  lookAgain();
});
live.on("event", () => draw());

/**
 * @param {string} id
 * @param {string} text
 * @param {boolean} byTable
 */
function toggle(id, text, byTable) {
  return h("button", { type: "button", id, class: "button", "aria-pressed": String(byTable === isByTable),
    onclick: () => {
      isByTable = byTable;
      byId("by-name").setAttribute("aria-pressed", String(!byTable));
      byId("by-table").setAttribute("aria-pressed", String(byTable));
      draw();
    } }, text);
}

/** @param {number} number */
async function choose(number) {
  chosen = number;
  shown = await get(`/api/pairings/${number}`).catch(() => shown);
  draw();
}

function draw() {
  const place = byId("pairings");
  place.replaceChildren();
  if (shown === null) return;
  if (shown.round === null) {
    byId("count").textContent = say("No round is drawn yet.");
    return;
  }
  const { tables, byes } = shown;
  /** @type {Placed[]} */
  const all = [...tables.flatMap(({ table, players }) => players.map((player) => ({ ...player, table }))),
    ...byes.map((player) => ({ ...player, table: null }))];
  const found = typed ? all.filter(({ name, club }) => matches(`${name} ${club}`, typed)) : all;
  byId("count").textContent = typed ? sayMany("one player found", "{count} players found", found.length)
    : sayMany("one player", "{count} players", all.length);
  append(place, [isByTable ? byTables(found) : names(found)]);
}

/** @param {Placed[]} found */
function names(found) {
  const own = ownPlayer(live.event?.id);
  return h("ul", { class: "names" }, byName(found).map((one) =>
    h("li", { class: one.player === own && "is-own" }, h("span", { class: "who" }, playerLink(one),
      one.club && h("small", null, one.club)),
      one.player !== own && typed && mine(one),
      h("span", { class: "where" }, one.table === null ? say("bye") : h("span", null,
        h("span", { class: "label" }, say("Table")), " ", h("strong", null, one.table))))));
}

/** @param {Placed} one */
const mine = ({ player, name }) => h("button", { type: "button", class: "button is-small",
  "aria-label": say("I am {name}", { name }), onclick: () => {
    if (live.event) rememberPlayer(live.event.id, player);
    lookAgain();
    draw();
    byId("own").scrollIntoView({ block: "nearest" });
  } }, say("This is me"));

/** @param {Placed[]} found */
function byTables(found) {
  const own = ownPlayer(live.event?.id);
  const wanted = new Set(found.map(({ table }) => table));
  const groups = (shown?.tables ?? []).filter(({ table }) => wanted.has(table));
  return [h("ul", { class: "by-table" }, groups.map(({ table, players }) => h("li", { class: "plate" },
    h("h2", null, say("Table {table}", { table })), h("ol", null, players.map((one) =>
      h("li", { class: one.player === own && "is-own" }, playerLink(one), one.club && h("small", null, one.club)))))),
    wanted.has(null) && h("li", { class: "plate" }, h("h2", null, say("Byes")),
      h("ul", null, (shown?.byes ?? []).map((one) => h("li", null, playerLink(one))))))];
}
