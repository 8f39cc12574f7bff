// A race as pages show it: its card, its places with gaps and verdicts, what became of each player.
import { disputedChip } from "./disputes.js";
import { h, part, within } from "../frame/dom.js";
import { cardSays } from "./looks.js";
import { cardPicture, token } from "./symbols.js";
import { term } from "../frame/term.js";
import { called, capital, colourSays, coloursSay, gapParts } from "../frame/words.js";
import { listed, number, say } from "../frame/say.js";

/** @import { Card, Colour, Race, Row, State, StateWithRace, Turn } from "../../../documents.js" */

/**
 * The line above the order: which race, how far it can be relied on, the card it is about.
 * @param {StateWithRace} state
 * @param {"h1" | "h2" | "h3"} heading
 */
export function raceHead(state, heading = "h2") {
  const { race, game } = state;
  return h("div", { class: "race-head" },
    h(heading, { id: "race-title" }, game?.race_name ?? say("Race"), ` ${race.number}`),
    h("p", { class: `status is-${race.status.replace(" ", "-")}` }, statusWord(race.status)),
    disputedChip(race.disputed),
    race.card && h("p", { class: "race-card" },
      h("span", { class: "label" }, say("Card")), cardPicture(race.card), h("span", null, cardSays(race.card))),
  );
}

/**
 * How far a race can be relied on, in a word or two.
 * @param {Race["status"]} status
 */
export function statusSays(status) {
  switch (status) {
    case "saving": return say("saving");
    case "closed": return say("closed");
    case "final": return say("final");
    case "not recorded": return say("not recorded");
    default: return say("provisional");
  }
}

/** @param {Race["status"]} status */
function statusWord(status) {
  const says = capital(statusSays(status));
  return status === "saving" ? says : term(status === "closed" ? "close" : status, says);
}

/**
 * How a status reads in a sentence; empty where its one word says it all.
 * @param {Race} race
 */
export function statusSentence(race) {
  if (race.asks_card) return say("Which card was turned? Enter it, or say that there was none.");
  if (race.status === "provisional" && race.without && race.hidden_for.length) {
    return say("Everybody lays a card face down, in their own time.");
  }
  if (race.status === "provisional") return race.is_running ? say("Presses are being collected.") : "";
  return race.status === "final" ? "" : capital(race.status_text);
}

/**
 * The places. `fresh`: keys of the rows that are new and may move in.
 * @param {StateWithRace} state
 * @param {Set<string>} fresh
 */
export function order(state, fresh = new Set()) {
  const { race } = state;
  if (race.hidden_for.length) return hidden(race);
  const furthest = Math.max(1, ...race.rows.map((row) => Math.abs(row.gap_ns) + row.error_ns));
  return h("ol", { class: "order" }, race.rows.map((row) => place(state, row, furthest, fresh)));
}

/**
 * Who has made a press, while nobody is to see which one.
 * @param {Race} race
 */
function hidden(race) {
  if (race.without) return faceDown(race, race.without);
  return [
    h("ul", { class: "made" }, race.made.map((colour) =>
      h("li", { "data-colour": colour }, token(colour), h("strong", null, ` ${capital(colourSays(colour))} •`)))),
    h("p", { class: "why" },
      within(say("The order is {hidden} until {who} pressed, or the race is closed.",
        { who: listed(race.hidden_for.map(colourSays)) }), { hidden: term("veiled", say("hidden")) })),
  ];
}

/**
 * Whose card lies face down, and who plays none; which card it is knows only whoever has laid it.
 * @param {Race} race
 * @param {Colour[]} without
 */
function faceDown(race, without) {
  return [
    h("ul", { class: "made" },
      race.made.map((colour) =>
        h("li", { "data-colour": colour }, token(colour), h("strong", null, ` ${capital(colour)} ✓`))),
      without.map((colour) => h("li", { "data-colour": colour }, token(colour),
        h("span", null, " ", say("{colour} plays none", { colour: capital(colour) }))))),
    h("p", { class: "why" },
      say("The cards lie face down until {colours} laid one, too.", { colours: listed(race.hidden_for) })),
  ];
}

/**
 * @param {Race} race
 * @param {Row} row
 */
export const rowKey = (race, row) => `${race.number} ${row.colour} ${row.role}`;

/**
 * @param {StateWithRace} state
 * @param {Row} row
 * @param {number} furthest  nanoseconds
 * @param {Set<string>} fresh
 */
function place(state, row, furthest, fresh) {
  const seat = state.seats.find((one) => one.colour === row.colour);
  const isNamed = Boolean(seat?.name || seat?.title);
  const turn = state.race.turns.find((one) => one.colour === row.colour);
  const classes = ["place", row.verdict && `is-${row.verdict}`, fresh.has(rowKey(state.race, row)) && "is-fresh"];
  return h("li", { class: classes.filter(Boolean).join(" "), "data-colour": row.colour, "data-place": row.place },
    h("span", { class: "number" }, row.place),
    token(row.colour, row.role, row.role_says),
    h("p", { class: "player" },
      h("strong", null, seat ? called(seat) : capital(colourSays(row.colour))),
      h("span", null, isNamed ? `${colourSays(row.colour)} ${row.role_says}` : row.role_says)),
    h("p", { class: "gap" }, gapOf(row)),
    lane(row, furthest),
    h("p", { class: "ruling" }, ruling(row, turn)),
    turn && taken(turn),
  );
}

/** @param {Row} row */
function gapOf(row) {
  const { number, unit } = gapParts(row);
  return [
    h("strong", { class: unit ? null : "is-first" }, number, unit && h("span", { class: "unit" }, ` ${unit}`)),
    h("small", null, row.place === 1 ? term("uncertainty", row.error_text) : row.error_text),
  ];
}

/**
 * Where the press lies on the way from the first to the last, with its uncertainty: for the eye, the words say it.
 * @param {Row} row
 * @param {number} furthest
 */
function lane(row, furthest) {
  const tick = h("span", { class: "tick" });
  const doubt = h("span", { class: "doubt" });
  /** @param {number} ns */
  const along = (ns) => Math.min(100, (100 * Math.max(0, ns)) / furthest);
  const [from, to] = [along(row.gap_ns - row.error_ns), along(row.gap_ns + row.error_ns)];
  tick.style.insetInlineStart = `${along(row.gap_ns)}%`;
  doubt.style.insetInlineStart = `${from}%`;
  doubt.style.width = `${to - from}%`;
  return h("span", { class: "lane", "aria-hidden": "true" }, doubt, tick);
}

/**
 * @param {Row} row
 * @param {Turn | undefined} turn
 */
function ruling(row, turn) {
  const said = [];
  if (row.allowance_text) {
    said.push(h("span", { class: "chip is-heat" }, term("allowance", say("allowance"))), h("span", { class: "why" },
      row.allowance_text));
  }
  if (row.dead_heat) said.push(h("span", { class: "chip is-heat" }, term("dead heat", say("≈ dead heat"))));
  if (row.anticipated) {
    said.push(h("span", { class: "chip is-bad" }, term("anticipated", say("! too soon"))),
      h("span", { class: "why" }, say("Made before anybody can have seen the card.")));
  }
  if (row.verdict === "punish") {
    said.push(h("span", { class: "chip is-bad" }, say("✕ punished")),
      h("span", { class: "why" }, `${capital(row.why_text)}.`));
  } else if (turn?.result === "nothing") {
    said.push(h("span", { class: "chip is-idle" }, say("○ nothing")), h("span", { class: "why" },
      `${capital(turn.lead)}.`));
  } else if (row.verdict === "claim") {
    said.push(h("span", { class: "chip is-good" }, turn ? say("✓ claims") : say("✓ may claim")));
  }
  return said;
}

/** @param {Turn} turn */
function taken(turn) {
  const isAllSaid = turn.result === "nothing" || (turn.result === "claimed" && turn.counted.length === 0);
  if (isAllSaid && !turn.note) return null;
  return h("p", { class: "taken" },
    !isAllSaid && [h("span", { class: "verb" }, turn.lead), " "],
    turn.counted.map(({ card, says }) => cardChip(card, says)),
    turn.note && h("span", { class: "note" }, turn.note),
  );
}

/**
 * A card with its picture, and what the box says of it: its name, its number.
 * @param {Card} card
 * @param {string} says
 * @param {string} extra
 */
export function cardChip(card, says, extra = "") {
  return h("span", { class: `card ${extra}` }, cardPicture(card), h("span", null, says));
}

/**
 * Seats that touch a button, and may come yet.
 * @param {StateWithRace} state
 */
export function touching(state) {
  if (state.race.unsettled.length === 0) return null;
  return h("p", { class: "late" }, h("span", { class: "chip is-idle" }, "…"), " ",
    within(say("{who}: {touching}, not a press yet.", { who: capital(coloursSay(state.race.unsettled)) }),
      { touching: term("unsettled", say("touching")) }));
}

/**
 * Presses after the close.
 * @param {StateWithRace} state
 */
export function late(state) {
  if (state.race.late.length === 0) return null;
  const said = state.race.late.map((press) => `${colourSays(press.colour)} ${press.role_says}`).join(", ");
  return h("p", { class: "late" }, h("span", { class: "chip is-idle" }, term("too late", say("too late"))), " ",
    say("{presses}: noted, does not count.", { presses: capital(said) }));
}

let deadline = 0;
let whole = 1;

/** A bar that empties as the collecting window runs out. Call `setWindow` with each state. */
export function windowBar() {
  return h("p", { class: "window is-still", hidden: true },
    h("span", { class: "window-text", "aria-hidden": "true" }),
    h("span", { class: "window-bar", "aria-hidden": "true" }, h("span")));
}

/**
 * keepsPlace: where nothing counts down it stays where it is, and says so.
 * @param {HTMLElement} element
 * @param {State} state
 * @param {{ keepsPlace?: boolean }} how
 */
export function setWindow(element, state, { keepsPlace = false } = {}) {
  const left = state.race?.is_running ? state.race.closes_in_ms : null;
  element.hidden = left === null && !keepsPlace;
  element.classList.toggle("is-still", left === null);
  if (left === null || state.match === null) {
    part(element, ".window-text").textContent = state.waits.countdown;
    return;
  }
  deadline = performance.now() + left;
  whole = Math.max(left, state.match.window_ms);
  if (!element.dataset.runs) {
    element.dataset.runs = "1";
    requestAnimationFrame(() => tick(element));
  }
}

/** @param {HTMLElement} element */
function tick(element) {
  if (element.classList.contains("is-still") || !element.isConnected) {
    delete element.dataset.runs;
    return;
  }
  const left = Math.max(0, deadline - performance.now());
  part(element, ".window-text").textContent = say("closes in {seconds} s",
    { seconds: number(left / 1000, 1) });
  part(element, ".window-bar span").style.transform = `scaleX(${Math.min(1, left / whole)})`;
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  setTimeout(() => requestAnimationFrame(() => tick(element)), isCalm ? 500 : 60);
}
