// Trying the box out, on a simulated one: turn a card up, press as two players would, and see the ruling.
import { bar } from "./frame/bar.js";
import { Connection } from "./wire/connection.js";
import { byId, h, show, within } from "./frame/dom.js";
import { acting } from "./desk/acting.js";
import { pressable } from "./buttons/inputs.js";
import { PanelLink } from "./buttons/panel_link.js";
import { explained } from "./shown/explained.js";
import { cards, cardSays, onState, POSITIONS } from "./shown/looks.js";
import { late, order, raceHead, setWindow, statusSentence, touching, windowBar } from "./shown/race.js";
import { readOut, sayNews } from "./frame/speaker.js";
import { buttonPicture, cardPicture, token } from "./shown/symbols.js";
import { asked, capital, colourSays, required, who } from "./frame/words.js";
import { listed, say } from "./frame/say.js";

/** @import { Button, ButtonFace, Colour, State, StateWithMatch } from "../../documents.js" */
/** @import { Child } from "./frame/dom.js" */

const connection = new Connection();
const link = new PanelLink(connection);
const problem = byId("try-problem");
const act = acting(problem, () => {});
const closing = windowBar();

bar(connection);
link.on("about", () => connection.state && render(connection.state));
link.on("answered", ({ detail }) => {
  if (detail.taken || detail.input?.type !== "press") return;
  problem.textContent = say("Not taken: {why}.", { why: detail.why ?? "" });
  problem.hidden = false;
  readOut(problem.textContent);
});
onState(connection, (state) => {
  render(state);
  sayNews(state);
});
connection.open();

/** @param {State} state */
function render(state) {
  const hasMatch = state.match !== null && !state.match.over;
  byId("try-none").hidden = hasMatch;
  byId("try-steps").hidden = !hasMatch;
  if (state.match === null) return;
  byId("try-card").hidden = cards().length === 0;
  show(byId("try-cards"), [state.cards, state.can.reveal], () => cardKeys(state));
  show(byId("try-buttons"), [state.seats.map(({ colour }) => colour), state.buttons, link.about?.ready,
    link.about?.buttons], () => banks(state));
  show(byId("try-good"), [state.claims, state.seats.map(({ colour }) => colour)], () => goodPlays(state));
  const race = state.race && { ...state.race, closes_in_ms: null };
  show(byId("try-ruling"), [race, state.phase, state.offers, state.menu, state.seats, state.game], () => ruling(state));
  setWindow(closing, state);
}

/** @param {StateWithMatch} state */
function cardKeys(state) {
  const playing = state.seats.map(({ colour }) => colour);
  const ours = state.cards.filter(({ card }) => {
    const look = cards().find(({ name }) => name === card);
    return !look?.colour || playing.includes(look.colour); // the others' cards are there too, and would be many
  });
  return ours.map(({ card }) => h("button", { type: "button", class: "button is-small", "data-key": card,
    disabled: !state.can.reveal, onclick: () => void act("/api/try/card", { card }) },
    h("span", { class: "card is-small" }, cardPicture(card), h("span", null, cardSays(card)))));
}

/**
 * Which buttons would be good plays now, where the game can tell.
 * @param {StateWithMatch} state
 */
function goodPlays(state) {
  const playing = state.seats.map(({ colour }) => colour);
  const plays = state.claims.flatMap(({ by }) => by).filter((name) => playing.some((one) =>
    name.startsWith(colourSays(one))));
  const able = new Set(plays);
  return able.size > 0 && h("p", { class: "sentence" },
    within(say("Good plays now: {plays}."), { plays: h("strong", null, listed([...able])) }));
}

/** @param {StateWithMatch} state */
function banks(state) {
  const isReady = Boolean(link.about?.ready);
  return state.seats.map(({ colour }) => h("div", { class: `try-bank ${colour}`, role: "group",
    "aria-label": colourSays(colour) },
    h("p", { class: "try-who" }, token(colour), h("strong", null, capital(who(state.seats, colour)))),
    state.buttons.map((face, index) => arcade(colour, index, face, isReady))));
}

/**
 * @param {Colour} colour
 * @param {number} index
 * @param {ButtonFace} face
 * @param {boolean} isReady
 */
function arcade(colour, index, face, isReady) {
  /** @type {Button} */
  const label = `${colour} ${POSITIONS[index]}`;
  const element = h("button", { type: "button", class: "button try-button", "data-button": label, "data-key": label,
    disabled: !isReady, "aria-label": capital(`${colourSays(colour)} ${face.label}`) },
    h("span", { class: "mark" }, buttonPicture(face, index)), h("span", null, face.label));
  pressable(element, (event, by) => {
    problem.hidden = true;
    link.press(label, event, by);
  }, (event, by) => link.release(label, event, by));
  return element;
}

/** @param {StateWithMatch} state */
function ruling(state) {
  if (state.race === null) {
    return h("p", { class: "sentence" }, say("Nothing has been pressed yet. The first to press is the first here."));
  }
  /** @type {Child[]} */
  const parts = [raceHead(state, "h3"), closing, h("p", { class: "sentence" }, statusSentence(state.race)),
    order(state), touching(state), late(state), explained(state)];
  const [first] = required(state);
  if (first) {
    parts.push(h("p", { class: "wanted-line" }, say("{what}: press the button that picks it.",
      { what: asked(state, first) })),
      state.menu && h("ul", { class: "try-options" }, state.menu.items.map((item) => h("li", null,
        (item.role || item.button) && h("kbd", null, item.button ?? item.role),
        h("span", null, `${item.label} ${item.value}`.trim())))));
  } else if (state.race.status === "final") {
    parts.push(h("p", { class: "actions" }, h("a", { class: "button is-main", href: "/host", "data-key": "own" },
        say("Now a match of your own")), h("a", { class: "button", href: "/table", "data-key": "table" },
          say("The table"))));
  }
  return parts;
}
