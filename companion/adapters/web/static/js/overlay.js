// The overlay for streaming software: on nothing. What it shows, where and how, is asked for in its address; between
// races it is empty, and at the end it names the winner.
import { Connection } from "./wire/connection.js";
import { byId, h, show } from "./frame/dom.js";
import { read } from "./hall/address.js";
import { OVERLAY } from "./hall/parameters.js";
import { Settled } from "./hall/settled.js";
import { ranked } from "./hall/standings.js";
import { clockBoard } from "./shown/clocks.js";
import { cardSays, onState } from "./shown/looks.js";
import { cardPicture, token } from "./shown/symbols.js";
import { called, capital, choose, colourSays, coloursSay, decider, doesNext, gapParts, required, victory,
  who } from "./frame/words.js";
import { say } from "./frame/say.js";
import { statusSays } from "./shown/race.js";

/** @import { Row, State } from "../../documents.js" */

const { asked, problem } = read(location.search, OVERLAY);
const connection = new Connection();
const clocks = clockBoard();
const settled = new Settled(asked.stays * 1000, () => connection.state && render(connection.state));

document.documentElement.dataset.size = asked.size; // of the letters that all lengths follow
for (const name of /** @type {const} */ (["place", "theme"])) document.body.dataset[name] = asked[name];
byId("problem").hidden = problem === null;
byId("problem").textContent = problem;
onState(connection, render);
byId("title").dataset.lost = say("connection lost");
connection.on("lost", () => document.body.classList.add("is-lost"));
connection.on("live", () => document.body.classList.remove("is-lost"));
connection.open();

/** @param {"order" | "card" | "scores" | "turn" | "clocks"} part */
const shows = (part) => asked.shows.includes(part);

/** @param {State} state */
function render(state) {
  const isOver = settled.isOver(state);
  const race = state.match !== null && state.phase !== "final" && !isOver ? state.race : null;
  document.body.dataset.shows = race ? "race" : state.phase === "final" ? "winner" : "nothing";
  show(byId("title"), [race?.number, race?.status, race?.disputed, race?.card, state.phase, state.leaders, state.seats],
    () => title(state, race));
  byId("title").classList.toggle("unseen", !race && state.phase !== "final");
  byId("order").hidden = !shows("order");
  show(byId("order"), [race?.rows, race?.made, race?.number, state.seats], () => (race?.rows ?? [])
    .map((row) => entry(state, row))
    .concat((race?.made ?? []).map((colour) =>
      h("li", { "data-colour": colour }, token(colour), h("span", { class: "name" },
        `${capital(colourSays(colour))} ${race?.without ? "✓" : "•"}`)))));
  const line = more(state, race !== null);
  byId("more").hidden = line === "";
  byId("more").textContent = line;
  byId("scores").hidden = !shows("scores") || state.match === null;
  show(byId("scores"), [state.seats, state.leaders], () => ranked(state).map(({ seat }) =>
    h("li", { "data-colour": seat.colour }, token(seat.colour), h("span", { class: "name" }, called(seat)),
      h("strong", null, seat.score))));
  byId("scores").after(clocks.element);
  clocks.render(shows("clocks") && state.phase !== "final" ? state.clocks : [], state.seats, state.match?.id);
}

/**
 * @param {State} state
 * @param {State["race"]} race
 */
function title(state, race) {
  if (state.phase === "final") return [state.leaders.map((colour) => token(colour)), h("span", null, victory(state))];
  if (!race) return say("No race");
  const disputed = race.disputed.length > 0
    && say("disputed by {who}", { who: coloursSay(race.disputed) });
  const head = [`${state.game?.race_name} ${race.number}`, statusSays(race.status), disputed];
  return [h("span", null, head.filter(Boolean).join(" · ")),
    shows("card") && race.card && h("span", { class: "card" }, cardPicture(race.card), cardSays(race.card))];
}

/**
 * The line below: who chooses, where a race is shown; whose turn it is, where that was asked for.
 * @param {State} state
 * @param {boolean} isRace
 */
function more(state, isRace) {
  const deciding = [...new Set(required(state).map((offer) => decider(state, offer)))];
  if (isRace && deciding.length) return choose(deciding);
  if (!shows("turn") || state.match === null || state.phase === "final" || state.turn === null) return "";
  if (state.race?.is_running || state.hidden === 0 || deciding.length) return "";
  return doesNext(state, capital(who(state.seats, state.turn)));
}

/**
 * @param {State} state
 * @param {Row} row
 */
function entry(state, row) {
  const seat = state.seats.find((one) => one.colour === row.colour);
  const { number, unit } = gapParts(row);
  return h("li", { class: row.verdict ? `is-${row.verdict}` : null, "data-colour": row.colour },
    h("span", { class: "number" }, row.place), token(row.colour, row.role, row.role_says),
    h("span", { class: "name" }, h("strong", null, seat ? called(seat) : capital(colourSays(row.colour))),
      ` ${row.role_says}`),
    h("span", { class: "gap" }, `${number} ${unit}`.trim(), h("small", null, ` ${row.error_text}`)),
    row.allowance_text && h("span", { class: "note" }, row.allowance_text),
    row.dead_heat && h("span", { class: "note" }, say("≈ dead heat")),
    row.verdict === "punish" && h("span", { class: "note is-bad" }, `✕ ${row.why_text}`));
}
