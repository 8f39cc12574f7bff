// The players' shapes and the cards' pictures, as inline SVG: so that nothing is told by colour alone. Every picture is
// beside words, and hidden from screen readers. What is drawn inside comes from the game's look.
import { s } from "../frame/dom.js";
import { cardNamed, drawing, faceDrawing } from "./looks.js";

/** @import { ButtonFace, Card, Colour, Role } from "../../../documents.js" */

/** @type {Record<Colour, { draw: () => SVGElement, inside: [number, number, number], name: string }>} */
const SHAPES = {
  red: { draw: () => s("circle", { cx: 24, cy: 24, r: 21.5 }), inside: [11.5, 11.5, 25], name: "circle" },
  yellow: { draw: () => s("path", { d: "M24 3.4L45.2 42.6H2.8Z" }), inside: [14, 20.6, 20], name: "triangle" },
  green: { draw: () => s("rect", { x: 4, y: 4, width: 40, height: 40, rx: 3 }), inside: [10.5, 10.5, 27],
    name: "square" },
  blue: { draw: () => s("path", { d: "M24 1.6L46.4 24L24 46.4L1.6 24Z" }), inside: [13, 13, 22], name: "diamond" },
  purple: { draw: () => s("path", { d: "M13 4.2H35L46.2 24L35 43.8H13L1.8 24Z" }), inside: [11.5, 11.5, 25],
    name: "hexagon" },
};

export const COLOURS = /** @type {Colour[]} */ (Object.keys(SHAPES));

/**
 * @param {string | null} name
 * @returns {name is Colour}
 */
export const isColour = (name) => name !== null && Object.hasOwn(SHAPES, name);

/**
 * A player's shape in the player's colour, with the drawing of `what` (a button's or card's name) inside.
 * @param {Colour} colour
 * @param {Role | Card | null} what
 * @param {string} says  a button's name as the page's language has it
 */
export function token(colour, what = null, says = "") {
  const shape = SHAPES[colour];
  const [x, y, size] = shape.inside;
  const inside = what === null ? null : drawing(what, says);
  return s("svg", { class: `token ${colour}`, viewBox: "0 0 48 48", "aria-hidden": "true", focusable: "false" },
    s("g", { class: "shape" }, shape.draw()),
    inside && s("g", { class: "mark", transform: `translate(${x} ${y}) scale(${size / 24})` }, inside),
  );
}

/**
 * A player's shape alone, as a part of another SVG around the point (x, y).
 * @param {Colour} colour
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
export function mark(colour, x, y, size) {
  return s("g", { class: `token ${colour}`,
    transform: `translate(${x - size / 2} ${y - size / 2}) scale(${size / 48})` },
    s("g", { class: "shape" }, SHAPES[colour].draw()));
}

/**
 * A card: one of a player's colour as a token, any other as its symbol on a plain disc; null where it has no picture.
 * @param {Card} name
 */
export function cardPicture(name) {
  const card = cardNamed(name);
  if (card?.colour) return token(card.colour, name);
  const inside = card?.symbol ? drawing(name) : null;
  if (inside === null) return null;
  return s("svg", { class: "token is-card", viewBox: "0 0 48 48", "aria-hidden": "true", focusable: "false" },
    s("g", { class: "shape" }, s("rect", { x: 3, y: 3, width: 42, height: 42, rx: 9 })),
    s("g", { class: "mark", transform: "translate(9 9) scale(1.25)" }, inside),
  );
}

/**
 * Button number `index` of a seat, in the colour of the text around it.
 * @param {ButtonFace | undefined} face
 * @param {number} index
 */
export function buttonPicture(face, index) {
  return s("svg", { class: "symbol", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    faceDrawing(face, index));
}
