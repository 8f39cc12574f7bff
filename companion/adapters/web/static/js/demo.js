// A demonstration: a short match, step by step, as fast as whoever looks on wants it. The steps are states of a box
// that nobody is at; they are fetched once, and nothing here reaches the box that this page comes from.
import { bar } from "./frame/bar.js";
import { byId, h, isIn, show } from "./frame/dom.js";
import { get, messageOf } from "./wire/api.js";
import { useLook } from "./shown/looks.js";
import { board, faceUp, rowKeys, scene } from "./shown/scene.js";
import { seatList } from "./shown/seats.js";
import { token, COLOURS } from "./shown/symbols.js";
import { colourSays } from "./frame/words.js";
import { listed, say } from "./frame/say.js";

/** @import { Colour, Demonstration, State, StateWithMatch, StateWithoutMatch } from "../../documents.js" */

const STEP = /** @type {const} */ ({ ArrowRight: 1, ArrowLeft: -1, PageDown: 1, PageUp: -1 });

/** @type {Demonstration | null} */
let played = null;
/** @type {{ name: string, title: string }[]} */
let games = [];
let at = 0;
/** @type {Set<string>} */
let known = new Set();

bar();
byId("back").addEventListener("click", () => go(at - 1));
byId("next").addEventListener("click", () => go(at + 1));
addEventListener("keydown", keyed);
addEventListener("hashchange", () => go(wanted()));
start();

async function start() {
  try {
    games = await get("/api/demonstrations");
    const asked = new URLSearchParams(location.search).get("game");
    const name = games.find((game) => game.name === asked)?.name ?? games[0]?.name;
    if (name === undefined) return told(say("No game on this box has a demonstration."));
    played = await get(`/api/demonstrations/${encodeURIComponent(name)}`);
    await useLook(name);
    go(wanted());
  } catch (problem) {
    told(say("{problem} Load this page again in a moment.", { problem: messageOf(problem) }));
  }
}

/** @param {string} text */
function told(text) {
  byId("caption").textContent = text;
  byId("steps").hidden = true;
}

/** The step that the address names, from 0. */
const wanted = () => (Number.parseInt(location.hash.slice(1), 10) || 1) - 1;

/** @param {KeyboardEvent} event */
function keyed(event) {
  if (played === null || event.altKey || event.ctrlKey || event.metaKey || isIn(event, "[popover]")) return;
  const { key } = event;
  if (key === "ArrowRight" || key === "ArrowLeft" || key === "PageDown" || key === "PageUp") go(at + STEP[key]);
  else if (key === "Home") go(0);
  else if (key === "End") go(played.scenes.length - 1);
  else return;
  event.preventDefault();
}

/**
 * Show a step, from 0; the nearest there is.
 * @param {number} step
 */
function go(step) {
  if (played === null) return;
  const last = played.scenes.length - 1;
  at = Math.max(0, Math.min(last, step));
  const { caption, state } = played.scenes[at];
  byId("caption").textContent = caption;
  byId("count").textContent = say("{number} of {of}", { number: at + 1, of: last + 1 });
  const progress = byId("progress");
  progress.setAttribute("max", String(last + 1));
  progress.setAttribute("value", String(at + 1));
  byId("back").toggleAttribute("disabled", at === 0);
  byId("next").toggleAttribute("disabled", at === last);
  byId("now-you").hidden = at !== last;
  byId("others").hidden = at !== last || games.length < 2;
  show(byId("others"), [games, played.game], otherGames);
  history.replaceState(null, "", `${location.search}#${at + 1}`);
  render(state);
  document.body.classList.add("is-drawn");
  known = rowKeys(state);
}

/** @param {State} state */
function render(state) {
  const hasMatch = state.match !== null;
  document.body.dataset.phase = state.phase;
  byId("seats").hidden = !hasMatch;
  byId("areas").hidden = state.areas.length === 0;
  byId("claims").hidden = !hasMatch || state.table.length === 0;
  show(byId("race"), state, () => (state.match === null ? seating(state) : scene(state, known, null)));
  if (state.match === null) return;
  show(byId("claims"), [state.table, state.claims], () => faceUp(state));
  show(byId("areas"), state.areas, () => board(state));
  show(byId("seats"), [state.seats, state.phase, state.race], () => score(state));
}

/** @param {StateWithMatch} state */
const score = (state) => [h("h2", { id: "seats-title" }, say("Score")), seatList(state)];

/** @param {StateWithoutMatch} state */
function seating(state) {
  const seated = state.lobby?.seats ?? [];
  return [
    h("div", { class: "race-head" },
      h("h2", { id: "race-title" }, seatedSay(seated))),
    h("p", { class: "shapes", "aria-hidden": "true" }, COLOURS.map((colour) => {
      const one = token(colour);
      if (!seated.includes(colour)) one.classList.add("is-faint");
      return one;
    })),
  ];
}

/** @param {Colour[]} seated */
function seatedSay(seated) {
  if (seated.length === 0) return say("Nobody is seated");
  return say("{who} are seated", { who: listed(seated.map(colourSays)) });
}

function otherGames() {
  return games.filter(({ name }) => name !== played?.game).map(({ name, title }) =>
    h("a", { class: "button", href: `/demo?game=${encodeURIComponent(name)}` }, say("Demonstration of {title}",
      { title })));
}
