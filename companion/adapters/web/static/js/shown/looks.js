// How the things of the game that is played look: its cards, symbols and buttons, as the box says them. Fetched once
// for each game; what is drawn is drawn by it. Knows no game.
import { forgetAll, s } from "../frame/dom.js";
import { getLook } from "../wire/api.js";

/** @import { ButtonFace, Card, Look, LookCard, State } from "../../../documents.js" */
/** @import { Connection } from "../wire/connection.js" */

/** @type {Look} */
const PLAIN = { symbols: {}, cards: [], buttons: [] };
/** @type {readonly ["first", "second", "third", "fourth"]} */
export const POSITIONS = ["first", "second", "third", "fourth"];

/**
 * Which of a seat's buttons this is, from 0; -1 for the name of none.
 * @param {string} name
 */
export const placeOf = (name) => /** @type {readonly string[]} */ (POSITIONS).indexOf(name);

/** @type {Map<string, Promise<Look>>} */
const looks = new Map();
/** @type {{ name: string | null, look: Look, cards: Map<Card, LookCard> }} */
let now = { name: null, look: PLAIN, cards: new Map() };
/** @type {string | null} */
let wanted = null;

/**
 * Draw by the look of this game from now on; plainly where the box has no such game any more.
 * @param {string} name
 */
export async function useLook(name) {
  wanted = name;
  if (name === now.name) return;
  const asked = looks.get(name) ?? getLook(name);
  looks.set(name, asked);
  try {
    const look = await asked;
    if (name === wanted) take(name, look);
  } catch {
    looks.delete(name); // asked again at the next state
    take(null, PLAIN);
  }
}

/**
 * @param {string | null} name
 * @param {Look} look
 */
function take(name, look) {
  if (name === now.name) return;
  now = { name, look, cards: new Map(look.cards.map((card) => [card.name, card])) };
  forgetAll();
}

/**
 * Have each state drawn once the look of its game is known: always the newest, as it is then. What waits for the first
 * one is hidden till then (`is-drawn` in base.css), so that nothing moves under somebody's finger.
 * @param {Connection} connection
 * @param {(state: State) => void} render
 */
export function onState(connection, render) {
  connection.on("state", async ({ detail: { state } }) => {
    const name = state.game?.look ?? state.lobby?.game;
    if (name !== undefined) await useLook(name);
    if (connection.state) render(connection.state);
    document.body.classList.add("is-drawn");
  });
}

/** The cards that can lie on the table, in the game's order. */
export const cards = () => now.look.cards;

/**
 * Whether cards are turned up in this game: one without a race may have cards for the scanner and for labels alone.
 * @param {State} state
 */
export const takesCards = ({ game, can }) => Boolean(game?.race_name || can.reveal || can.another);

/**
 * A card by its name, null for one that the game does not list.
 * @param {Card} name
 */
export const cardNamed = (name) => now.cards.get(name) ?? null;

/**
 * What people call a card.
 * @param {Card} name
 */
export const cardSays = (name) => cardNamed(name)?.label ?? name;

/**
 * The card that a part of a sentence names, the longest name first; null where it names none.
 * @param {string} text
 */
export function cardIn(text) {
  const words = ` ${text} `;
  const found = now.look.cards.filter(({ label, plural }) =>
    words.includes(` ${label} `) || words.includes(` ${plural} `));
  return found.reduce((/** @type {LookCard | null} */ best, card) =>
    (best === null || card.label.length > best.label.length ? card : best), null);
}

/**
 * What a button is drawn of: its symbol, else as many dots as its place.
 * @param {ButtonFace | undefined} face
 * @param {number} index
 */
export const faceDrawing = (face, index) => (face?.symbol && strokes(face.symbol)) || dots(index + 1);

/**
 * What the thing of this name is drawn of, a card's or a button's; null where there is nothing to draw.
 * @param {string} name
 * @param {string} says  a button's name as the page's language has it
 * @returns {SVGElement[] | null}
 */
export function drawing(name, says = "") {
  const index = now.look.buttons.findIndex(({ label }) => label === name || label === says);
  const symbol = cardNamed(name)?.symbol ?? now.look.buttons[index]?.symbol ?? name;
  return strokes(symbol) ?? dots((index < 0 ? placeOf(name) : index) + 1);
}

/**
 * @param {string} name
 * @returns {SVGElement[] | null}
 */
function strokes(name) {
  if (!Object.hasOwn(now.look.symbols, name)) return null;
  return now.look.symbols[name].map(({ path, width, turned }) => {
    const transform = turned ? `rotate(${turned} 12 12)` : null;
    if (width === 0) return s("path", { d: path, transform, "fill-rule": "evenodd", fill: "currentColor" });
    return s("path", { d: path, transform, fill: "none", stroke: "currentColor", "stroke-width": width,
      "stroke-linecap": "round", "stroke-linejoin": "round" });
  });
}

/**
 * @param {number} count
 * @returns {SVGElement[] | null}
 */
function dots(count) {
  if (count === 0) return null;
  return Array.from({ length: count }, (_, index) =>
    s("circle", { cx: 12 + 5.6 * (index - (count - 1) / 2), cy: 12, r: 2.1, fill: "currentColor" }));
}
