// What happens at the table, as the table and the demonstration show it: the race or what comes next, and what lies
// face up. Each part is drawn from a state alone.
import { areaList, standing } from "./areas.js";
import { explained } from "./explained.js";
import { cardIn, cardSays } from "./looks.js";
import { cardChip, late, order, raceHead, rowKey, statusSentence, touching } from "./race.js";
import { cardPicture, COLOURS, token } from "./symbols.js";
import { h, within } from "../frame/dom.js";
import { capital, decider, doesNext, required, victory, who } from "../frame/words.js";
import { say, sayMany } from "../frame/say.js";

/** @import { Child } from "../frame/dom.js" */
/** @import { CardCount, Offer, State, StateWithMatch } from "../../../documents.js" */

/**
 * The race, or what is waited for. `known`: the keys of the rows that were shown before. `closing`: what shows how the
 * window runs out, null for nothing.
 * @param {StateWithMatch} state
 * @param {Set<string>} known
 * @param {HTMLElement | null} closing
 */
export function scene(state, known, closing) {
  const parts = [];
  if (state.phase === "final") parts.push(verdict(state));
  else parts.push(required(state).map((offer) => decision(state, offer)));
  const isOpen = required(state).length > 0;
  if (state.race === null) {
    const head = h("div", { class: "race-head" }, h("h2", { id: "race-title" }, state.game.title), standing(state));
    if (state.phase !== "final" && !isOpen) parts.push(waiting(state));
    return [head, parts];
  }
  const fresh = new Set([...rowKeys(state)].filter((key) => !known.has(key)));
  const sentence = statusSentence(state.race);
  parts.push(raceHead(state), standing(state), closing);
  if (sentence) parts.push(h("p", { class: "sentence" }, sentence));
  parts.push(order(state, fresh), touching(state), late(state), explained(state));
  if (!state.race.is_running && !state.race.asks_card && !isOpen && state.race.status === "final"
    && state.phase !== "final" && state.hidden !== 0) parts.push(waiting(state));
  return parts;
}

/**
 * The keys of the rows that a state shows.
 * @param {State} state
 */
export const rowKeys = ({ race }) => new Set(race === null ? [] : race.rows.map((row) => rowKey(race, row)));

/** @param {State} state */
function waiting(state) {
  const ready = state.game?.race_name ? say("Ready for the next {race}.", { race: state.game.race_name })
    : state.waits.says;
  const next = state.turn && (state.game?.race_name || state.can.reveal)
    ? `${doesNext(state, capital(who(state.seats, state.turn)))}.` : ready;
  return next && h("p", { class: "waiting" }, state.turn && token(state.turn), h("span", null, next));
}

/**
 * @param {State} state
 * @param {Offer} offer
 */
function decision(state, offer) {
  return h("div", { class: "decision" },
    offer.seat && token(offer.seat),
    h("div", null,
      h("p", { class: "decision-who" },
        within(offer.private ? say("{who} chooses secretly") : say("{who} chooses"),
          { who: h("strong", null, decider(state, offer)) })),
      offer.options.length > 0 && h("ul", { class: "decision-options" },
        offer.options.map((option) => h("li", { "data-or": say("or") }, choice(option.label)))),
      offer.number && h("p", null, say("a number from {low} to {high}", offer.number)),
      (offer.stepped || offer.chance) && !offer.private && h("p", null, offer.prompt)));
}

/**
 * An option's words with a picture of each card they name.
 * @param {string} label
 */
function choice(label) {
  return label.split(", ").map((words) => {
    const card = cardIn(words);
    return h("span", { class: "card" }, card && cardPicture(card.name), h("span", null, words));
  });
}

/** @param {State} state */
function verdict(state) {
  return h("div", { class: "verdict" }, state.leaders.map((colour) => token(colour)), h("p", null, victory(state)));
}

/** @param {State} state */
export const board = (state) => [h("h2", { id: "areas-title" }, say("The board")),
  h("div", { class: "areas" }, areaList(state.areas))];

/** @param {StateWithMatch} state */
export function faceUp(state) {
  const total = state.table.reduce((sum, { count }) => sum + count, 0);
  /** @type {Child[]} */
  const parts = [h("h2", { id: "claims-title" }, say("Face up"), " ",
    h("small", null, sayMany("{count} card", "{count} cards", total)))];
  if (total === 0) return [...parts, h("p", { class: "empty" }, say("No card lies face up."))];
  const able = state.claims.filter((claim) => claim.by.length > 0);
  if (able.length > 0) {
    parts.push(h("ul", { class: "claim-list" }, able.map((claim) => h("li", { class: "claim" },
      h("p", { class: "prize" }, claim.cards.map(({ card, says }) => cardChip(card, says))),
      h("p", { class: "by" }, h("span", { class: "label" }, say("for")),
        claim.by.map(buttonChip))))));
  }
  const told = able.flatMap((claim) => [...claim.cards.map(({ card }) => card), ...claim.by]);
  return [...parts, rest(state, new Set(told))];
}

/**
 * A button as the record has it, "red fourth", and for people as the card that it stands for.
 * @param {string} name
 */
function buttonChip(name) {
  const colour = COLOURS.find((one) => name.startsWith(`${one} `));
  const picture = colour && token(colour, name.slice(colour.length + 1));
  return h("span", { class: "card is-small" }, picture, h("span", null, cardSays(name)));
}

/**
 * What else lies there: by what the game says of it, then what it says nothing of.
 * @param {StateWithMatch} state
 * @param {Set<string>} told
 */
function rest(state, told) {
  /** @param {CardCount[]} cards */
  const chips = (cards) => h("p", { class: "rest" }, cards.map(({ card, says }) => cardChip(card, says, "is-small")));
  const groups = state.claims.filter((claim) => claim.by.length === 0 && claim.cards.length > 0);
  /** @type {Child[]} */
  const parts = [];
  for (const { says, cards: found } of groups) {
    const isHeading = says !== found.map((one) => one.says).join(", ");
    parts.push(isHeading && h("h3", null, says), chips(found));
    for (const { card } of found) told.add(card);
  }
  const others = state.table.filter(({ card }) => !told.has(card));
  return [parts, others.length > 0 && chips(others)];
}
