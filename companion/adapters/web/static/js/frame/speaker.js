// The page's one polite live region, and what it says of a match as it goes on.
import { capital, required } from "./words.js";

/** @import { Race, Row, State } from "../../../documents.js" */

/** @type {string[]} */
const waiting = [];
let timer = 0;

/**
 * Have a sentence spoken by a screen reader, after those that wait.
 * @param {string | null} text
 */
export function say(text) {
  if (!text || waiting.at(-1) === text) return;
  waiting.push(text);
  if (timer === 0) timer = setTimeout(speak, 120);
}

function speak() {
  const region = document.getElementById("spoken");
  if (region) region.textContent = waiting.splice(0).join(" ");
  timer = 0;
}

/**
 * @typedef {{ match: number | null | undefined, race: Race | null, decisions: string[], over: boolean }} Said
 * @type {Said | null}
 */
let before = null;

/**
 * Say what is new in a state: a card, a place, the final order, whose choice, the end. The first state is not news.
 * @param {State} state
 * @param {(text: string) => void} [aloud]  told each sentence too, by a page with a voice of its own
 */
export function sayNews(state, aloud) {
  const news = before === null ? [] : newsOf(before, state);
  before = { match: state.match?.id, race: state.race, decisions: decisions(state), over: state.phase === "final" };
  for (const text of news) {
    say(text);
    aloud?.(text);
  }
}

/**
 * Who must choose between what, and the button of each, in the box's words.
 * @param {State} state
 */
const decisions = (state) => required(state).flatMap(({ says, by_buttons: buttons }) => [says, buttons])
  .filter(Boolean);

/**
 * @param {Said} last
 * @param {State} state
 */
function newsOf(last, state) {
  const race = state.race;
  const isSame = last.match === state.match?.id && last.race?.number === race?.number;
  const old = isSame ? last.race : null;
  const news = [];
  if (race?.card && race.card !== old?.card) news.push(...revealed(state));
  if (race && isSettled(race) && !(old && isSettled(old) && sameRows(old, race))) {
    news.push(`${state.game?.race_name} ${race.number}, ${race.status}.`, ...race.rows.map(rowSays));
  } else if (race && !isSettled(race)) {
    news.push(...placed(old?.rows ?? [], race.rows));
    const told = old?.made ?? [];
    news.push(...race.made.filter((colour) => !told.includes(colour)).map((colour) =>
      `${capital(colour)} has pressed.`)); // while nobody is to see which place that is
  }
  for (const turn of (race?.turns ?? []).slice(old?.turns.length ?? 0)) {
    if (turn.result !== "punished" || turn.cards.length) news.push(`${capital(turn.says)}.`);
  }
  news.push(...decisions(state).filter((text) => !last.decisions.includes(text)));
  if (state.phase === "final" && !last.over) {
    news.push(`The match is over. ${state.seats.map((seat) => `${capital(seat.colour)} ${seat.score}`).join(", ")}.`);
  }
  return news;
}

/**
 * The newest card, in the box's words.
 * @param {State} state
 */
function revealed(state) {
  const entry = state.course.find(({ type, undone }) => type === "reveal" && !undone);
  return entry ? entry.says.map((text) => `${capital(text)}.`) : [];
}

/**
 * Who is new in an order that is not settled, wherever an allowance has put them, then whose place they took.
 * @param {Row[]} before
 * @param {Row[]} now
 */
function placed(before, now) {
  const places = new Map(before.map((row) => [`${row.colour} ${row.role}`, row.place]));
  /** @param {Row} row */
  const placeBefore = (row) => places.get(`${row.colour} ${row.role}`);
  const fresh = now.filter((row) => placeBefore(row) === undefined);
  const moved = now.filter((row) => placeBefore(row) !== undefined && placeBefore(row) !== row.place);
  return [...fresh.map((row) => `${capital(row.says)}.`), ...moved.map(rowSays)];
}

/** @param {Race} race */
const isSettled = (race) => race.status === "final" || race.status === "not recorded";
/**
 * @param {Race} a
 * @param {Race} b
 */
const sameRows = (a, b) => JSON.stringify(a.rows) === JSON.stringify(b.rows);

/** @param {Row} row */
function rowSays(row) {
  return `${row.place}: ${row.says}.`;
}
