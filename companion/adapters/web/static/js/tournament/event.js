// The event: where it stands, what to do now, one's own table, and what lets everybody check it.
import { byId, h, show } from "../frame/dom.js";
import { say, sayMany } from "../frame/say.js";
import { begin, clockFace } from "./frame.js";
import { ownTable } from "./own_table.js";
import { hashed } from "./parts.js";

/** @import { EventNow } from "../../../tournament/event_documents.js" */

const live = begin();
const now = h("section", { class: "plate now", "aria-labelledby": "now-title" });
const own = h("section", { class: "plate own", "aria-label": say("Your table"), hidden: true });
const announced = h("section", { class: "plate", "aria-labelledby": "announced-title", hidden: true });
const checked = h("section", { class: "plate", "aria-labelledby": "checked-title" });
const title = h("h1", null, say("Event"));
byId("event").append(title, h("div", { class: "columns" }, h("div", { class: "column" }, now, own),
  h("div", { class: "column" }, announced, checked)));
const clock = clockFace(live);
ownTable(live, own);

live.on("event", (event) => {
  title.textContent = event.name;
  document.title = `${event.name} · companion`;
  show(now, [event.now, event.round, event.rounds, event.tables, event.players, event.stage], () => shownNow(event));
  show(announced, event.announcements, () => [h("h2", { id: "announced-title" }, say("Announced")),
    h("ul", { class: "announcements" }, [...event.announcements].reverse().map(({ text }) => h("li", null, text)))]);
  announced.hidden = event.announcements.length === 0;
  show(checked, [event.seed, event.seed_sha256, event.head], () => shownChecked(event));
});

/** @param {EventNow} event */
function shownNow(event) {
  const { tables, players } = event;
  return [h("h2", { id: "now-title" }, say("Now")), h("p", { class: "big" }, event.now), clock,
    h("dl", { class: "facts" },
      fact(say("Game"), event.game),
      fact(say("Players"), event.stage === "entering" ? sayMany("one entered", "{count} entered", players.entered)
        : say("{there} of {entered} there", players)),
      event.round !== null && fact(say("Round"), event.rounds === null ? String(event.round)
        : say("{round} of {rounds}", { round: event.round, rounds: event.rounds })),
      tables && fact(say("Tables"), say("{final} of {all} final", { final: tables.final, all: tables.all })))];
}

/**
 * @param {string} label
 * @param {string} text
 */
const fact = (label, text) => h("div", null, h("dt", null, label), h("dd", null, text));

/** @param {EventNow} event */
function shownChecked(event) {
  return [h("h2", { id: "checked-title" }, say("To be checked by all")),
    h("p", { class: "sentence" }, event.seed === null
      ? say("The draw follows from a seed that nobody knows before check-in closes. Its SHA-256 is told beforehand.")
      : say("The draw follows from this seed, whose SHA-256 was told before check-in opened.")),
    h("dl", { class: "hashes" }, hashed(say("SHA-256 of the seed"), event.seed_sha256),
      event.seed !== null && hashed(say("Seed"), event.seed),
      hashed(say("Head of the log, {lines} lines", { lines: event.lines }), event.head))];
}
