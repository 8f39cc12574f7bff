// The hall screen: what everybody in the room wants to know, to be read from far away. Nothing has to be touched.
import { Connection } from "./wire/connection.js";
import { byId, h, show } from "./frame/dom.js";
import { get, getPicture, messageOf } from "./wire/api.js";
import { read } from "./hall/address.js";
import { call, controls, toneOf } from "./hall/callouts.js";
import { HALL } from "./hall/parameters.js";
import { isSettled, Settled } from "./hall/settled.js";
import { LONG, standings } from "./hall/standings.js";
import { areaList } from "./shown/areas.js";
import { clockBoard } from "./shown/clocks.js";
import { cardIn, onState } from "./shown/looks.js";
import { late, order, raceHead, setWindow, statusSentence, touching, windowBar } from "./shown/race.js";
import { readOut, sayNews } from "./frame/speaker.js";
import { cardPicture, token } from "./shown/symbols.js";
import { capital, choose, colourSays, decider, doesNext, gapParts, required, victory, who } from "./frame/words.js";
import { listed, say } from "./frame/say.js";

/** @import { Highlight, Link, Seat, State, StateWithMatch, StateWithRace } from "../../documents.js" */

/** Of a strip in pixels as the box lays it out; the page draws it as large as there is room for. */
const STRIP_WIDTH = 450;

document.body.classList.add("is-far");
const { asked, problem } = read(location.search, HALL);
const connection = new Connection();
const closing = windowBar();
const clocks = clockBoard();
const settled = new Settled(asked.stays * 1000, () => connection.state && render(connection.state));
/** @type {State | null} */
let before = null;
/** @type {{ key: string, picture: Element | null }} */
let strip = { key: "", picture: null };
/** @type {{ key: string, all: Highlight[] }} */
let remarkable = { key: "", all: [] };
/** @type {Link | null} */
let link = null;

const comeControls = controls(byId("controls"), () => connection.state?.shows.controls_ms ?? null);
onState(connection, (state) => {
  if (before === null) comeControls();
  render(state);
  sayNews(state);
  call(toneOf(before, state));
  before = state;
});
connection.on("lost", ({ detail: { was } }) => {
  if (!was) return;
  tell(say("The connection to the box is lost: this may be out of date. It is being tried again."));
  document.body.classList.add("is-lost");
});
connection.on("live", () => {
  tell(problem);
  document.body.classList.remove("is-lost");
});
tell(problem);
connection.open();
get("/api/link").then((found) => {
  link = found;
  if (connection.state) render(connection.state);
}, () => {});

/** @param {string | null} text */
function tell(text) {
  byId("lost").hidden = text === null;
  byId("lost").textContent = text;
  readOut(text);
}

/** @param {State} state */
function render(state) {
  const view = viewOf(state);
  document.body.dataset.view = view;
  if (state.match !== null && isSettled(state)) askStrip(state);
  if (state.match !== null && view === "final") askHighlights(state);
  const race = state.race && { ...state.race, closes_in_ms: null };
  const data = [view, race, state.seats, state.leaders, state.offers, state.turn, state.lobby, state.question,
    state.game, state.can.reveal, state.phase, state.hidden, newestCard(state), strip.key, strip.picture !== null,
    remarkable, link, state.score_label, state.match?.id, state.game_phase, state.round, state.areas];
  clocks.render(state.clocks, state.seats, state.match?.id);
  document.body.classList.toggle("has-clocks", state.clocks.length > 0 && view !== "final");
  show(byId("head"), data, () => head(state, view));
  show(byId("stage"), data, () => stage(state, view));
  show(byId("beside"), data, () => beside(state, view));
  show(byId("foot"), [...data, state.recorded], () => foot(state, view));
  setWindow(closing, state);
}

/** @typedef {"nobody" | "ready" | "race" | "between" | "final"} View */

/**
 * @param {State} state
 * @returns {View}
 */
function viewOf(state) {
  const isOver = settled.isOver(state);
  if (state.match === null) return "nobody";
  if (state.phase === "final") return "final";
  if (state.race === null) return "ready";
  return isOver ? "between" : "race";
}

/**
 * @param {State} state
 * @param {View} view
 */
function head(state, view) {
  if (state.match === null) return h("h1", null, state.phase === "offer" ? say("A match was cut off")
    : say("The table is free"));
  if (view === "final") return h("h1", null, state.leaders.map((colour) => token(colour)), victory(state));
  if (state.race === null) return [h("h1", null, state.game.title), card(state)];
  return [raceHead(state, "h1"), state.race.card === null && card(state)];
}

/**
 * The card that was turned since the newest race, in the box's words; null where none was.
 * @param {State} state
 */
function newestCard(state) {
  const entry = state.course.find(({ type, undone }) => !undone && (type === "reveal" || type === "judge"));
  return entry?.type === "reveal" ? entry.says[0] ?? null : null;
}

/** @param {State} state */
function card(state) {
  const says = newestCard(state);
  if (says === null) return null;
  const named = cardIn(says);
  return h("p", { class: "race-card" }, named && cardPicture(named.name), h("span", null, capital(says)));
}

/**
 * @param {State} state
 * @param {View} view
 */
function stage(state, view) {
  if (state.match === null) return nobody(state);
  if (view === "final") return standings(state);
  if (state.race === null && state.clocks.length > 0) return [standingOf(state), clocks.element];
  if (state.race === null && (state.areas.length > 0 || state.game_phase)) {
    return [standingOf(state), h("div", { class: "areas" }, areaList(state.areas))];
  }
  if (state.race === null) return h("p", { class: "calm" }, say("The match has begun."));
  if (view === "between") return strip.picture ? h("figure", { class: "strip" }, strip.picture) : places(state);
  const sentence = state.race.is_running && !state.race.asks_card ? "" : statusSentence(state.race);
  return [closing, sentence && h("p", { class: "sentence" }, sentence), places(state), touching(state), late(state)];
}

/** @param {StateWithMatch} state */
const standingOf = ({ game_phase: phase, round }) => h("p", { class: "sentence" },
  [capital(phase), round !== null && say("round {round}", { round })].filter(Boolean).join(", "));

/** @param {State} state */
function nobody(state) {
  const seated = state.lobby?.seats ?? [];
  return [
    h("p", { class: "calm" }, seated.length
      ? say("At the table, clockwise: {who}.", { who: listed(seated.map((one) => capital(colourSays(one)))) })
      : say("Nobody sits at the table yet.")),
    h("p", { class: "seated" }, seated.map((colour) => token(colour))),
    link?.lan && h("figure", { class: "link" },
      h("img", { src: "/api/link.svg", alt: say("QR code of the address beside it") }),
      h("figcaption", null, say("Look on, or play with your phone:"), h("strong", null, link.urls[0]))),
  ];
}

/** @param {StateWithRace} state */
function places(state) {
  const all = h("div", null, order(state));
  for (const name of all.querySelectorAll(".player strong")) {
    name.classList.toggle("is-long", (name.textContent ?? "").length > LONG);
  }
  return [...all.children];
}

/**
 * What a seat did in the newest race, in one line; the strip beside it has the rest.
 * @param {State} state
 * @param {Seat} seat
 */
function inRace(state, { colour }) {
  const row = state.race?.rows.find((one) => one.colour === colour);
  if (!row) return null;
  const { number, unit } = gapParts(row);
  const gap = [number, unit, row.place > 1 && row.error_text].filter(Boolean).join(" ");
  return [h("small", null, `${row.place}. ${gap}`, row.dead_heat && [" · ", say("≈ dead heat")]),
    row.verdict === "punish" && h("small", { class: "is-bad" }, say("✕ punished"))];
}

/**
 * @param {State} state
 * @param {View} view
 */
function beside(state, view) {
  if (state.match === null) return null;
  if (view === "final") return highlights();
  return [h("h2", null, capital(state.score_label) || say("Score")),
    standings(state, (seat) => (view === "between" && strip.picture ? inRace(state, seat) : null))];
}

function highlights() {
  return remarkable.all.length > 0 && [h("h2", null, say("Of this match")), h("dl", { class: "highlights" },
    remarkable.all.map(({ title, colours, says }) => h("div", null,
      h("dt", null, title), h("dd", null, colours.map((colour) => token(colour)), h("span", null, says)))))];
}

/**
 * @param {State} state
 * @param {View} view
 */
function foot(state, view) {
  const lines = [];
  if (!state.recorded) lines.push(h("p", { class: "problem" },
    say("What is shown is not recorded: tell the referee.")));
  if (state.match !== null && view !== "final") lines.push(...doing(state));
  return lines;
}

/** @param {StateWithMatch} state */
function doing(state) {
  const deciding = required(state);
  if (deciding.length > 0) {
    return deciding.map((offer) => h("p", { class: "turn" }, offer.seat && token(offer.seat),
      h("strong", null, choose([decider(state, offer)])),
      deciding.length === 1 && h("span", null, listed(offer.options.map(({ label }) => label), "disjunction"))));
  }
  const isWaiting = state.race === null || isSettled(state);
  if (!isWaiting || state.turn === null || state.hidden === 0) return [];
  return [h("p", { class: "turn" }, token(state.turn),
    h("strong", null, doesNext(state, capital(who(state.seats, state.turn)))))];
}

/**
 * Ask for the lanes of the newest race, once its evidence is in the record; without one the order stays.
 * @param {StateWithMatch} state
 */
async function askStrip(state) {
  const newest = state.course.find(({ type }) => type === "evidence" || type === "judge");
  const key = newest?.type === "evidence" && state.race && newest.race === state.race.number
    ? JSON.stringify([state.match.id, state.race.number, newest.line, state.race.rows]) : "";
  if (key === strip.key) return;
  strip = { key, picture: null };
  if (key === "") return;
  const address = `/api/matches/${state.match.id}/strips/${state.race?.number}.svg?part=lanes&width=${STRIP_WIDTH}`;
  const picture = await getPicture(address).catch(() => null);
  if (key !== strip.key) return;
  picture?.removeAttribute("width");
  picture?.removeAttribute("height");
  strip = { key, picture };
  if (connection.state) render(connection.state);
}

/**
 * Ask for what was remarkable, once the match has ended and each time it changes after that.
 * @param {StateWithMatch} state
 */
async function askHighlights(state) {
  const key = `${state.match.id} ${state.match.lines}`;
  if (key === remarkable.key || state.match.id === null) return;
  remarkable = { key, all: remarkable.all };
  try {
    const { highlights } = await get(`/api/matches/${state.match.id}`);
    if (key === remarkable.key) remarkable = { key, all: highlights ?? [] };
  } catch (fault) {
    tell(messageOf(fault));
  }
  if (connection.state) render(connection.state);
}
