// The table: the race as it happens, what lies face up, who has what, and the course of the match.
import { bar } from "./bar.js";
import { Connection } from "./connection.js";
import { byId, h, show } from "./dom.js";
import { get, messageOf, post } from "./api.js";
import { areaList, standing } from "./areas.js";
import { cardIn, cards, onState } from "./looks.js";
import { oled } from "./oled.js";
import { late, order, raceHead, rowKey, setWindow, statusSentence, touching, windowBar, cardChip } from "./race.js";
import { seatList } from "./seats.js";
import { say, sayNews } from "./speaker.js";
import { cardPicture, isColour, token, COLOURS } from "./symbols.js";
import { capital, decider, listed, required, victory, who } from "./words.js";

/** @import { Child } from "./dom.js" */
/**
 * @import {
 *   CardCount, CourseEntry, Link, Offer, Session, State, StateWithMatch, StateWithoutMatch
 * } from "../../documents.js"
 */

const connection = new Connection({ oled: true });
const closing = windowBar();
/** @type {Session | null} */
let session = null;
/** @type {Link | null} */
let link = null;
/** @type {Set<string>} */
let known = new Set();
/** @type {{ entries: CourseEntry[], total: number } | null} */
let wholeCourse = null;

bar(connection);
byId("display").append(h("h2", { id: "display-title" }, "The box’s display"), oled(connection));
onState(connection, (state) => {
  render(state);
  sayNews(state);
});
connection.open();
Promise.all([get("/api/session"), get("/api/link")]).then(([who_, how]) => {
  [session, link] = [who_, how];
  if (connection.state) render(connection.state);
}, () => {});

/** @param {State} state */
function render(state) {
  const hasMatch = state.match !== null;
  document.body.dataset.phase = state.phase;
  for (const id of ["seats", "course"]) byId(id).hidden = !hasMatch;
  byId("claims").hidden = !hasMatch || (cards().length === 0 && state.table.length === 0);
  byId("areas").hidden = state.areas.length === 0;
  const race = state.race && { ...state.race, closes_in_ms: null };
  show(byId("race"),
    [state.phase, race, state.offers, state.seats, state.leaders, state.lobby, state.question, state.game, session,
      link, state.hidden, state.game_phase, state.round, state.clocks, state.turn, state.can.reveal],
    () => main(state));
  setWindow(closing, state);
  if (state.match === null) return;
  show(byId("claims"), [state.table, state.claims], () => faceUp(state));
  show(byId("areas"), state.areas, () => [h("h2", { id: "areas-title" }, "The board"), areaList(state.areas)]);
  show(byId("seats"), [state.seats, state.hidden, state.score_label, state.leaders, state.match.variants, state.phase,
    required(state).length, state.can.reveal, state.race?.is_running, state.race?.asks_card, state.protests,
    state.signed], () => seats(state));
  if (wholeCourse && wholeCourse.total !== state.course_total) wholeCourse = null;
  show(byId("course"), [state.course, state.course_total, wholeCourse !== null], () => course(state));
}

/** @param {State} state */
function main(state) {
  if (state.match === null) return welcome(state);
  const parts = [];
  if (state.phase === "final") parts.push(verdict(state));
  else parts.push(required(state).map((offer) => decision(state, offer)));
  const isOpen = required(state).length > 0;
  if (state.race === null) {
    const head = h("div", { class: "race-head" }, h("h2", { id: "race-title" }, state.game.title), standing(state));
    if (state.phase !== "final" && !isOpen) parts.push(waiting(state));
    return [head, parts];
  }
  const fresh = new Set(state.race.rows.map((row) => rowKey(state.race, row)).filter((key) => !known.has(key)));
  known = new Set(state.race.rows.map((row) => rowKey(state.race, row)));
  const sentence = statusSentence(state.race);
  parts.push(raceHead(state), standing(state), closing);
  if (sentence) parts.push(h("p", { class: "sentence" }, sentence));
  parts.push(order(state, fresh), touching(state), late(state));
  if (!state.race.is_running && !state.race.asks_card && !isOpen && state.race.status === "final"
    && state.phase !== "final" && state.hidden !== 0) parts.push(waiting(state));
  return parts;
}

/** @param {State} state */
function waiting(state) {
  const does = state.can.reveal ? "reveals the next card" : "is next";
  const ready = state.game?.race_name ? `Ready for the next ${state.game.race_name}.` : "";
  const next = state.turn ? `${capital(who(state.seats, state.turn))} ${does}.` : ready;
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
      h("p", { class: "decision-who" }, h("strong", null, decider(state, offer)),
        offer.private ? " chooses secretly" : " chooses"),
      offer.options.length > 0 && h("ul", { class: "decision-options" },
        offer.options.map((option) => h("li", null, choice(option.label)))),
      offer.number && h("p", null, `a number from ${offer.number.low} to ${offer.number.high}`),
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

/** @param {StateWithoutMatch} state */
function welcome(state) {
  /** @type {Child[]} */
  const parts = [h("div", { class: "race-head" }, h("h2", { id: "race-title" },
    state.phase === "offer" ? "A match was cut off" : "Nobody plays yet"))];
  if (state.question) {
    parts.push(h("p", { class: "sentence" }, [state.question.title, ...state.question.lines].join(" · ")),
      h("p", null, h("a", { class: "button", href: "/referee" }, "To the referee’s desk")));
    return parts;
  }
  const seated = state.lobby?.seats ?? [];
  parts.push(h("p", { class: "sentence" }, seated.length
    ? `At the table, clockwise: ${listed(seated)}.`
    : "Take a seat by pressing any button of your colour, or begin a match at the referee’s desk."));
  parts.push(h("p", { class: "shapes", "aria-hidden": "true" }, COLOURS.map((colour) => {
    const one = token(colour);
    if (!seated.includes(colour)) one.classList.add("is-faint");
    return one;
  })));
  parts.push(h("p", { class: "actions" },
    session?.demo && h("button", { type: "button", class: "button is-main", id: "demo", "data-key": "demo",
      onclick: playDemo }, "Play a demonstration match"),
    h("a", { class: "button", href: "/referee" }, "New match"),
    h("a", { class: "button", href: "/panel" }, "To the panel")));
  if (link?.lan) {
    parts.push(h("figure", { class: "link" },
      h("img", { src: "/api/link.svg", alt: "QR code of the address below", width: 132, height: 132 }),
      h("figcaption", null, "Others see this table at", h("br"), h("a", { href: link.urls[0] }, link.urls[0]))));
  }
  return parts;
}

/** @param {MouseEvent & { currentTarget: HTMLButtonElement }} event */
async function playDemo(event) {
  const button = event.currentTarget;
  button.disabled = true;
  try {
    say((await post("/api/demo", {})).says);
  } catch (problem) {
    say(messageOf(problem));
    button.after(h("p", { class: "problem" }, messageOf(problem)));
  }
  button.disabled = false;
}

/** @param {StateWithMatch} state */
function faceUp(state) {
  const total = state.table.reduce((sum, { count }) => sum + count, 0);
  /** @type {Child[]} */
  const parts = [h("h2", { id: "claims-title" }, "Face up ",
    h("small", null, total === 1 ? "1 card" : `${total} cards`))];
  if (total === 0) return [...parts, h("p", { class: "empty" }, "No card lies face up.")];
  const able = state.claims.filter((claim) => claim.by.length > 0);
  if (able.length > 0) {
    parts.push(h("ul", { class: "claim-list" }, able.map((claim) => h("li", { class: "claim" },
      h("p", { class: "prize" }, claim.cards.map(({ card, says }) => cardChip(card, says))),
      h("p", { class: "by" }, h("span", { class: "label" }, "for"),
        claim.by.map(buttonChip))))));
  }
  const told = able.flatMap((claim) => [...claim.cards.map(({ card }) => card), ...claim.by]);
  return [...parts, rest(state, new Set(told))];
}

/**
 * A button as the game calls it: "red fourth".
 * @param {string} name
 */
function buttonChip(name) {
  const [colour, ...role] = name.split(" ");
  const picture = isColour(colour) && token(colour, role.join(" "));
  return h("span", { class: "card is-small" }, picture, h("span", null, name));
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

/** @param {StateWithMatch} state */
function seats(state) {
  const facts = [];
  if (state.hidden !== null) facts.push(h("div", null, h("dt", null, "Cards left"), h("dd", null, state.hidden)));
  const played = state.match.variants.map(({ label }) => label);
  if (played.length) facts.push(h("div", null, h("dt", null, "Variants"), h("dd", null, played.join(", "))));
  return [h("h2", { id: "seats-title" }, "Score"), seatList(state),
    facts.length > 0 && h("dl", { class: "facts" }, facts)];
}

/** @param {StateWithMatch} state */
function course(state) {
  const entries = wholeCourse?.entries ?? state.course;
  const hasMore = state.course_total > entries.length;
  return [
    h("h2", { id: "course-title" }, "Course ", h("small", null, "newest first")),
    h("ol", { class: "course-list", tabindex: 0, "aria-labelledby": "course-title" },
      entries.map((entry) => h("li", { class: `type-${entry.type}${entry.undone ? " is-undone" : ""}` },
      h("span", { class: "line", "aria-hidden": "true" }, entry.line),
      h("div", null,
        entry.says.map((text) => h("p", null, text)),
        entry.undone && h("p", { class: "undone-by" }, `taken back by line ${entry.undone_by}`))))),
    hasMore && h("button", { type: "button", class: "button is-small", "data-key": "all", onclick: showAll },
      `Show all ${state.course_total} entries`),
  ];
}

async function showAll() {
  try {
    const { entries } = await get("/api/course");
    wholeCourse = { entries, total: entries.length };
    if (connection.state) render(connection.state);
  } catch (problem) {
    say(messageOf(problem));
  }
}
