// A screen for the hall: the round's clock, and pairings, live tables or standings in large letters, a page at a time.
// `?show=pairings`, `tables` or `standings` stays with one; `?seconds=12` is how long a page is shown.
import { append, byId, h } from "../frame/dom.js";
import { say } from "../frame/say.js";
import { clockFace, followLife } from "./frame.js";
import { Live } from "./live.js";
import { byName, resultSays } from "./parts.js";

/** @import { EventNow, Pairings, Standings, TableRow } from "../../../tournament/event_documents.js" */
/** @import { Child } from "../frame/dom.js" */

const wishes = new URLSearchParams(location.search);
const seconds = Math.min(120, Math.max(3, Number(wishes.get("seconds")) || 10));
const only = ["pairings", "tables", "standings"].find((one) => one === wishes.get("show")) ?? null;
const LOST = say("Connection lost. What is shown may be old: this screen tries again by itself.");

const live = new Live({ tables: true });
/** @type {Pairings | null} */
let pairings = null;
/** @type {Standings | null} */
let standings = null;
/** @type {Map<number, TableRow>} */
let rows = new Map();
let page = 0;
let isPaused = false;

const title = h("h1", null, say("The hall screen"));
const about = h("p", { class: "about" });
const now = h("p", { class: "now" });
const clock = clockFace(live);
byId("head").replaceChildren(h("div", null, title, about), clock);
const pages = h("p", { class: "pages" });
byId("foot").replaceChildren(now, pages);
const pause = h("button", { type: "button", class: "button is-small", id: "pause", "aria-pressed": "false",
  onclick: () => {
    isPaused = !isPaused;
    pause.setAttribute("aria-pressed", String(isPaused));
  } }, say("Pause"));
byId("controls").append(h("a", { class: "button is-small", href: "/" }, say("Event")),
  h("button", { type: "button", class: "button is-small", id: "back", onclick: () => turn(-1) }, say("Page before")),
  pause, h("button", { type: "button", class: "button is-small", id: "on", onclick: () => turn(1) }, say("Next page")));

live.follow("pairings", (told) => {
  pairings = told;
  draw();
});
live.follow("standings", (told) => {
  standings = told;
  draw();
});
live.follow("tables", (told) => {
  rows = new Map(told.rows.map((row) => [row.table, row]));
  draw();
});
live.on("rows", (told) => {
  for (const row of told.rows) rows.set(row.table, row);
  draw();
});
live.on("event", (event) => {
  title.textContent = event.name;
  document.title = `${event.name} · companion`;
  about.textContent = event.round === null ? event.stage_says : say("Round {round}", { round: event.round });
  now.textContent = event.announcements.at(-1)?.text ?? event.now;
  draw();
});
followLife(live, (isLost) => {
  byId("lost").textContent = LOST;
  byId("lost").hidden = !isLost;
});
addEventListener("resize", () => draw());
setInterval(() => {
  if (!isPaused) turn(1);
}, seconds * 1000);
live.open();

/** @param {number} by */
function turn(by) {
  page += by;
  draw();
}

/** @param {EventNow} event */
function wanted({ stage, round, has_begun: hasBegun, tables }) {
  if (only) return only;
  if (round === null) return "nothing";
  if (!hasBegun) return "pairings";
  return stage === "ended" || tables?.final === tables?.all ? "standings" : "tables";
}

let drawn = "";

function draw() {
  const { event } = live;
  if (event === null) return;
  const kind = wanted(event);
  const items = itemsOf(kind);
  const { across, down } = room(kind);
  const many = Math.max(1, Math.ceil(items.length / (across * down)));
  page = ((page % many) + many) % many;
  const some = items.slice(page * across * down, (page + 1) * across * down);
  pages.textContent = many > 1 ? say("Page {page} of {pages}", { page: page + 1, pages: many }) : "";
  const key = JSON.stringify([kind, some, across, down, event.now]);
  if (key === drawn) return;
  drawn = key;
  const stage = byId("stage");
  stage.replaceChildren();
  stage.dataset.kind = kind;
  stage.style.setProperty("--across", String(across));
  stage.style.setProperty("--down", String(Math.max(1, Math.ceil(some.length / across))));
  append(stage, [some.length ? h("ul", { class: "items" }, some.map(([head, text, end]) => h("li", null,
    h("span", { class: "head" }, head), h("span", { class: "text" }, text), h("span", { class: "end" }, end))))
    : h("p", { class: "big" }, event.now)]);
}

/**
 * How many columns and lines there is room for.
 * @param {string} kind
 */
function room(kind) {
  const { width, height } = byId("stage").getBoundingClientRect();
  const em = Number.parseFloat(getComputedStyle(byId("stage")).fontSize);
  const wide = kind === "tables" ? 26 : 17;
  return { across: Math.max(1, Math.floor(width / (em * wide))), down: Math.max(1, Math.floor(height / (em * 1.9))) };
}

/**
 * @param {string} kind
 * @returns {[Child, Child, Child][]} beginning, text and end of each line
 */
function itemsOf(kind) {
  if (kind === "pairings" && pairings?.round) {
    const all = [...pairings.tables.flatMap(({ table, players }) => players.map((one) => ({ ...one, at: `${table}` }))),
      ...pairings.byes.map((one) => ({ ...one, at: say("bye") }))];
    return byName(all).map(({ name, at }) => ["", name, at]);
  }
  if (kind === "standings" && standings) {
    return standings.rows.map(({ place, name, points }) => [`${place}.`, name, points]);
  }
  if (kind === "tables") {
    return [...rows.values()].map((row) => [row.table, row.result ? resultSays(row)
      : row.shown.join(" · ") || row.players.map(({ name }) => name).join(", "), row.says]);
  }
  return [];
}
