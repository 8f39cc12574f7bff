// The cards' symbols and the players' shapes, as inline SVG: so that nothing is told by colour alone.
// The same cards as in the box's 8×8 pixel art, drawn as lines and areas. Every picture is beside words, and hidden
// from screen readers.
import { s } from "./dom.js";

/** @import { Card, Colour, Role } from "../../documents.js" */

/** @param {string} d */
const area = (d) => s("path", { d, "fill-rule": "evenodd", fill: "currentColor" });
/**
 * @param {string} d
 * @param {number} width
 */
const line = (d, width) =>
  s("path", {
    d, fill: "none", stroke: "currentColor", "stroke-width": width, "stroke-linecap": "round",
    "stroke-linejoin": "round",
  });

/**
 * Each in a square of 24 × 24.
 * @type {Record<string, () => SVGElement[]>}
 */
const DRAWINGS = {
  chief: () => [
    area(
      "M12 .8C14 3 14 6 12.9 8.6H11.1C10 6 10 3 12 .8Z" +
      "M3.4 3.3C6.4 3.6 8.4 5.6 9.1 8.6L7.4 9.5C4.9 8.4 3.3 6.2 3.4 3.3Z" +
      "M20.6 3.3C17.6 3.6 15.6 5.6 14.9 8.6L16.6 9.5C19.1 8.4 20.7 6.2 20.6 3.3Z",
    ),
    area("M5 10.2H19V12.8H5Z"),
    area(
      "M5.9 14H18.1V16A6.1 7 0 0 1 5.9 16ZM9.4 15.4A1.1 1.1 0 1 0 9.4 17.6A1.1 1.1 0 1 0 9.4 15.4Z" +
      "M14.6 15.4A1.1 1.1 0 1 0 14.6 17.6A1.1 1.1 0 1 0 14.6 15.4Z",
    ),
  ],
  warrior: () => [
    line("M4.4 7V22", 1.9),
    area("M4.4 .8L7.2 7.2H1.6Z"),
    area(
      "M15.2 5.4A7.3 7.3 0 1 1 15.2 20A7.3 7.3 0 1 1 15.2 5.4Z" +
      "M15.2 8A4.7 4.7 0 1 0 15.2 17.4A4.7 4.7 0 1 0 15.2 8Z",
    ),
    area("M15.2 10.5A2.2 2.2 0 1 1 15.2 14.9A2.2 2.2 0 1 1 15.2 10.5Z"),
  ],
  maiden: () => [
    area(
      "M12 2A8.3 8.3 0 0 1 20.3 10.3V20.3A1.75 1.75 0 0 1 16.8 20.3V16.6A7 7 0 0 1 7.2 16.6V20.3" +
      "A1.75 1.75 0 0 1 3.7 20.3V10.3A8.3 8.3 0 0 1 12 2Z" +
      "M12 6.2C10.6 7.8 9 8.7 7.2 9.2V12A4.8 4.8 0 0 0 16.8 12V9.2C15 8.7 13.4 7.8 12 6.2Z",
    ),
    area("M10.1 10.4A1 1 0 1 1 10.1 12.4A1 1 0 1 1 10.1 10.4ZM13.9 10.4A1 1 0 1 1 13.9 12.4A1 1 0 1 1 13.9 10.4Z"),
  ],
  hunter: () => [
    line("M9.4 2.2C18.6 6 18.6 18 9.4 21.8", 2.3),
    line("M9.4 2.2V21.8", 1),
    line("M2 12H19.4", 1.9),
    area("M23.2 12L18 8.9V15.1Z"),
    line("M2 12L.9 9.6M2 12L.9 14.4M4.6 12L3.4 9.6M4.6 12L3.4 14.4", 1.2),
  ],
  buffalo: () => [
    area(
      "M1.9 3.6C4 4.2 4.7 6.3 7.6 7.4Q12 5.6 16.4 7.4C19.3 6.3 20 4.2 22.1 3.6C22.8 7.4 21.3 10.3 18 11" +
      "C18.1 15.2 17 18.8 14.7 21.2Q12 22.8 9.3 21.2C7 18.8 5.9 15.2 6 11C2.7 10.3 1.2 7.4 1.9 3.6Z" +
      "M9.2 11.2A1.15 1.15 0 1 0 9.2 13.5A1.15 1.15 0 1 0 9.2 11.2Z" +
      "M14.8 11.2A1.15 1.15 0 1 0 14.8 13.5A1.15 1.15 0 1 0 14.8 11.2Z" +
      "M10.5 17.8A.9 .9 0 1 0 10.5 19.6A.9 .9 0 1 0 10.5 17.8Z" +
      "M13.5 17.8A.9 .9 0 1 0 13.5 19.6A.9 .9 0 1 0 13.5 17.8Z",
    ),
  ],
  "totem pole": () => [
    area(
      "M8.4 2.6Q12 .4 15.6 2.6V4.4L22.8 3.2Q22.4 7.4 20 9.2L15.6 9.8V22.4H8.4V9.8L4 9.2Q1.6 7.4 1.2 3.2L8.4 4.4Z" +
      "M10.4 4.8A1 1 0 1 0 10.4 6.8A1 1 0 1 0 10.4 4.8ZM13.6 4.8A1 1 0 1 0 13.6 6.8A1 1 0 1 0 13.6 4.8Z" +
      "M11 7.8H13L12 9.6ZM8.4 11H15.6V12H8.4ZM10 13.4H11.4V14.8H10ZM12.6 13.4H14V14.8H12.6ZM10 16H14V17.2H10Z" +
      "M8.4 18.6H15.6V19.6H8.4Z",
    ),
  ],
  tomahawk: () => [
    s("g", { transform: "rotate(18 12 12)" },
      area(
        "M12.6 1.4H15.2V22.4H12.6ZM12.6 4.4Q8 4.4 3.6 2.4Q5.4 7.4 3.6 12.6Q8 10.6 12.6 10.4Z" +
        "M15.2 5.2H19.4V9.6H15.2Z",
      ),
    ),
  ],
  necklace: () => [
    line("M4 2.6C4 10 7 14.8 12 14.8C17 14.8 20 10 20 2.6", 1.1),
    ...[[4.2, 4.6], [5, 8.2], [6.8, 11.6], [17.2, 11.6], [19, 8.2], [19.8, 4.6]].map(([cx, cy]) =>
      s("circle", { cx, cy, r: 1.75, fill: "currentColor" })),
    area("M12 12.6L15.9 17.6L12 23L8.1 17.6Z"),
  ],
  teepee: () => [
    line("M10.3 1.2L13.6 6.6M13.7 1.2L10.4 6.6", 1.5),
    area("M12 4.8L22 22H2ZM12 12.6L15.4 22H8.6ZM8.9 12.3H9.9L10.8 10.6H9.9ZM15.1 12.3H14.1L13.2 10.6H14.1Z"),
  ],
};

/**
 * The symbol's name of a card: "red hunter" has a hunter's, "2 totem poles" a totem pole's; null where there is none.
 * @param {Card} card
 */
export function symbolOf(card) {
  return Object.keys(DRAWINGS).find((name) => card.includes(name)) ?? null;
}

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
/** @type {readonly ["first", "second", "third", "fourth"]} */
export const POSITIONS = ["first", "second", "third", "fourth"];
export const ROLES = ["chief", "warrior", "maiden", "hunter"];
export const BOOTY = ["buffalo", "totem pole", "tomahawk", "necklace", "teepee"];

/**
 * @param {string | null} name
 * @returns {name is Colour}
 */
export const isColour = (name) => name !== null && Object.hasOwn(SHAPES, name);

/**
 * A player's shape in the player's colour, with a hand card's symbol inside where `role` is one.
 * @param {Colour} colour
 * @param {Role | null} role
 */
export function token(colour, role = null) {
  const shape = SHAPES[colour];
  const [x, y, size] = shape.inside;
  return s("svg", { class: `token ${colour}`, viewBox: "0 0 48 48", "aria-hidden": "true", focusable: "false" },
    s("g", { class: "shape" }, shape.draw()),
    role && s("g", { class: "mark", transform: `translate(${x} ${y}) scale(${size / 24})` }, drawing(role)),
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
 * A card: an Indian's as a token, a booty kind's as its symbol on a plain disc; null for a name without a picture.
 * @param {Card} card
 */
export function cardPicture(card) {
  const [colour, role] = card.split(" ");
  if (isColour(colour) && DRAWINGS[role]) return token(colour, role);
  const name = symbolOf(card);
  if (name === null) return null;
  return s("svg", { class: "token booty", viewBox: "0 0 48 48", "aria-hidden": "true", focusable: "false" },
    s("g", { class: "shape" }, s("rect", { x: 3, y: 3, width: 42, height: 42, rx: 9 })),
    s("g", { class: "mark", transform: "translate(9 9) scale(1.25)" }, DRAWINGS[name]()),
  );
}

/**
 * A symbol alone, in the colour of the text around it.
 * @param {Role} name
 */
export function symbol(name) {
  return s("svg", { class: "symbol", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    drawing(name));
}

/**
 * What a symbol is drawn of: the plain buttons of a game without symbols have as many dots as their place.
 * @param {Role} name
 */
function drawing(name) {
  if (Object.hasOwn(DRAWINGS, name)) return DRAWINGS[name]();
  const dots = POSITIONS.findIndex((position) => position === name) + 1;
  return Array.from({ length: dots }, (_, index) =>
    s("circle", { cx: 12 + 5.6 * (index - (dots - 1) / 2), cy: 12, r: 2.1, fill: "currentColor" }));
}
