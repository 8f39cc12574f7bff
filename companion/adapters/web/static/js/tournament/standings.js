// The standings; each number says on demand how it came about.
import { append, byId, h } from "../frame/dom.js";
import { number, say, sayMany } from "../frame/say.js";
import { explain } from "./explaining.js";
import { begin } from "./frame.js";
import { ownPlayer } from "./own.js";
import { matches, playerLink, searchField } from "./parts.js";

/** @import { Standing, Standings } from "../../../tournament/event_documents.js" */

/** So many are shown before somebody asks for all. */
const FIRST = 200;

const live = begin();
/** @type {Standings | null} */
let shown = null;
let typed = "";
let isWhole = false;

byId("tools").append(searchField({ id: "search", label: say("Search for a name"), oninput: (text) => {
  typed = text;
  draw();
} }));
live.follow("standings", (told) => {
  shown = told;
  draw();
});
live.on("event", () => draw());
let drawn = "";

function draw() {
  const own = ownPlayer(live.event?.id);
  const key = `${shown?.version} ${typed} ${isWhole} ${own}`;
  if (shown === null || key === drawn) return;
  drawn = key;
  byId("about").textContent = aboutSays(shown);
  const rows = shown.rows.filter(({ name, club }) => !typed || matches(`${name} ${club}`, typed));
  const some = isWhole || typed ? rows : rows.slice(0, FIRST);
  const place = byId("standings");
  place.replaceChildren();
  if (shown.rows.length === 0) return;
  append(place, [table(shown, some, own), some.length < rows.length && h("p", { class: "actions" },
    h("button", { type: "button", class: "button", id: "all", onclick: () => {
      isWhole = true;
      draw();
    } }, say("Show all {count}", { count: number(rows.length) })))]);
}

/** @param {Standings} told */
function aboutSays({ rounds, is_final: isFinal, waiting, rows }) {
  if (rows.length === 0) return say("Nobody has checked in yet.");
  if (rounds === 0) return say("No round has been played yet.");
  const after = sayMany("After one round.", "After {count} rounds.", rounds);
  const final = say("All results are final.");
  const provisional = say("Some results are not final yet.");
  const lacking = sayMany("One table has no result yet.", "{count} tables have no result yet.", waiting);
  return `${after} ${isFinal ? final : waiting === 0 ? provisional : lacking}`;
}

/**
 * @param {Standings} told
 * @param {Standing[]} rows
 * @param {number | null} own
 */
function table({ columns }, rows, own) {
  return h("div", { class: "plate scroll", tabindex: 0, role: "region", "aria-label": say("Standings") },
    h("table", { class: "standings" },
      h("thead", null, h("tr", null, h("th", { scope: "col" }, say("Place")), h("th", { scope: "col" }, say("Player")),
        h("th", { scope: "col", class: "value" }, say("Points, all")),
        columns.map(({ key, title, how }) => h("th", { scope: "col", class: `value of-${key}`, title: how },
          key === "points" ? say("Mean") : title)),
        h("th", { scope: "col" }, h("span", { class: "unseen" }, say("How it came about"))))),
      h("tbody", null, rows.map((row) => h("tr", { class: row.player === own && "is-own" },
        h("td", { class: "value" }, row.place),
        h("th", { scope: "row" }, playerLink(row), row.club && h("small", null, row.club),
          !row.is_final && h("small", null, say("not final yet"))),
        h("td", { class: "value" }, h("strong", null, row.points)),
        columns.map(({ key }, index) => h("td", { class: `value of-${key}` }, row.values[index])),
        h("td", null, h("button", { type: "button", class: "button is-small",
          "aria-label": say("How the numbers of {name} came about", { name: row.name }),
          onclick: () => explain(row.player) }, say("How?"))))))));
}
