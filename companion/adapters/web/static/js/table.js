// The table: the race as it happens, what lies face up, who has what, and the course of the match.
import { bar } from "./frame/bar.js";
import { Connection } from "./wire/connection.js";
import { byId, h, show } from "./frame/dom.js";
import { get, messageOf } from "./wire/api.js";
import { cards, onState, takesCards } from "./shown/looks.js";
import { accounts } from "./shown/ledgers.js";
import { oled } from "./shown/oled.js";
import { setWindow, windowBar } from "./shown/race.js";
import { board, faceUp, rowKeys, scene } from "./shown/scene.js";
import { seatList } from "./shown/seats.js";
import { readOut, sayNews } from "./frame/speaker.js";
import { token, COLOURS } from "./shown/symbols.js";
import { required } from "./frame/words.js";
import { say, sayMany } from "./frame/say.js";

/** @import { Child } from "./frame/dom.js" */
/** @import { CourseEntry, Link, State, StateWithMatch, StateWithoutMatch } from "../../documents.js" */

const connection = new Connection({ oled: true });
const closing = windowBar();
/** @type {Link | null} */
let link = null;
/** @type {Set<string>} */
let known = new Set();
/** @type {{ entries: CourseEntry[], total: number } | null} */
let wholeCourse = null;

bar(connection);
byId("display").append(h("h2", { id: "display-title" }, say("The box’s display")), oled(connection));
onState(connection, (state) => {
  render(state);
  sayNews(state);
});
connection.open();
get("/api/link").then((how) => {
  link = how;
  if (connection.state) render(connection.state);
}, () => {});

/** @param {State} state */
function render(state) {
  const hasMatch = state.match !== null;
  document.body.dataset.phase = state.phase;
  for (const id of ["seats", "course"]) byId(id).hidden = !hasMatch;
  const isInAreas = cards().length === 0 || !takesCards(state) || state.areas.length > 0;
  byId("claims").hidden = !hasMatch || (state.table.length === 0 && isInAreas);
  byId("areas").hidden = state.areas.length === 0;
  byId("ledgers").hidden = state.ledgers.length === 0;
  const race = state.race && { ...state.race, closes_in_ms: null };
  show(byId("race"),
    [state.phase, race, state.offers, state.seats, state.leaders, state.lobby, state.question, state.game,
      link, state.hidden, state.game_phase, state.round, state.clocks, state.turn, state.can.reveal],
    () => main(state));
  setWindow(closing, state);
  if (state.match === null) return;
  show(byId("claims"), [state.table, state.claims], () => faceUp(state));
  show(byId("areas"), state.areas, () => board(state));
  show(byId("ledgers"), state.ledgers, () => accounts(state.ledgers));
  show(byId("seats"), [state.seats, state.hidden, state.score_label, state.leaders, state.match.variants, state.phase,
    required(state).length, state.can.reveal, state.race?.is_running, state.race?.asks_card, state.protests,
    state.signed], () => seats(state));
  if (wholeCourse && wholeCourse.total !== state.course_total) wholeCourse = null;
  show(byId("course"), [state.course, state.course_total, wholeCourse !== null], () => course(state));
}

/** @param {State} state */
function main(state) {
  if (state.match === null) return welcome(state);
  const before = known;
  known = rowKeys(state);
  return scene(state, before, closing);
}

/** @param {StateWithoutMatch} state */
function welcome(state) {
  /** @type {Child[]} */
  const parts = [h("div", { class: "race-head" }, h("h2", { id: "race-title" },
    state.now.title))];
  if (state.question) {
    parts.push(h("p", { class: "sentence" }, [state.question.title, ...state.question.lines].join(" · ")),
      h("p", null, h("a", { class: "button", href: "/referee" }, say("To the referee’s desk"))));
    return parts;
  }
  const seated = state.lobby?.seats ?? [];
  parts.push(h("p", { class: "sentence" }, state.now.says));
  parts.push(h("p", { class: "shapes", "aria-hidden": "true" }, COLOURS.map((colour) => {
    const one = token(colour);
    if (!seated.includes(colour)) one.classList.add("is-faint");
    return one;
  })));
  parts.push(h("p", { class: "actions" },
    h("a", { class: "button is-main", id: "demo", href: "/demo" }, say("See a demonstration")),
    h("a", { class: "button", href: "/host" }, say("New match")),
    h("a", { class: "button", href: "/panel" }, say("To the panel"))));
  if (link?.lan) {
    parts.push(h("figure", { class: "link" },
      h("img", { src: "/api/link.svg", alt: say("QR code of the address below"), width: 132, height: 132 }),
      h("figcaption", null, say("Others see this table at"), h("br"), h("a", { href: link.urls[0] }, link.urls[0]))));
  }
  return parts;
}

/** @param {StateWithMatch} state */
function seats(state) {
  const facts = [];
  if (state.hidden !== null) facts.push(h("div", null, h("dt", null, say("Cards left")), h("dd", null, state.hidden)));
  const played = state.match.variants.map(({ label }) => label);
  if (state.match.practice) {
    facts.push(h("div", null, h("dt", null, say("Practice")), h("dd", null, say("rulings are explained"))));
  }
  if (played.length) facts.push(h("div", null, h("dt", null, say("Variants")), h("dd", null, played.join(", "))));
  return [h("h2", { id: "seats-title" }, say("Score")), seatList(state),
    facts.length > 0 && h("dl", { class: "facts" }, facts)];
}

/** @param {StateWithMatch} state */
function course(state) {
  const entries = wholeCourse?.entries ?? state.course;
  const hasMore = state.course_total > entries.length;
  return [
    h("h2", { id: "course-title" }, say("Course"), " ", h("small", null, say("newest first"))),
    h("ol", { class: "course-list", tabindex: 0, "aria-labelledby": "course-title" },
      entries.map((entry) => h("li", { class: `type-${entry.type}${entry.undone ? " is-undone" : ""}` },
      h("span", { class: "line", "aria-hidden": "true" }, entry.line),
      h("div", null,
        entry.says.map((text) => h("p", null, text)),
        entry.undone && h("p", { class: "undone-by" }, say("taken back by line {line}",
          { line: entry.undone_by ?? "" })))))),
    hasMore && h("button", { type: "button", class: "button is-small", "data-key": "all", onclick: showAll },
      sayMany("Show the {count} entry", "Show all {count} entries", state.course_total)),
  ];
}

async function showAll() {
  try {
    const { entries } = await get("/api/course");
    wholeCourse = { entries, total: entries.length };
    if (connection.state) render(connection.state);
  } catch (problem) {
    readOut(messageOf(problem));
  }
}
