// The board or table of a game in words: where it stands, its clocks, its parts and whose what is.
import { h } from "../frame/dom.js";
import { clockBoard } from "./clocks.js";
import { token } from "./symbols.js";
import { capital, colourSays } from "../frame/words.js";
import { say } from "../frame/say.js";

/** @import { Area, Clock, Seat, StateWithMatch } from "../../../documents.js" */

/**
 * Where the game stands; null in a game that has no such thing.
 * @param {StateWithMatch} state
 */
export function standing({ game_phase: phase, round, clocks, seats, match }) {
  if (!phase && round === null && clocks.length === 0) return null;
  return h("div", { class: "standing" },
    h("p", { class: "stage" }, phase && h("strong", null, capital(phase)),
      round !== null && h("span", null, say("round {round}", { round }))),
    clocks.length > 0 && clockList(clocks, seats, match.id));
}

const board = clockBoard();

/**
 * The page's clocks, always the same element: they count on whatever else is drawn anew.
 * @param {Clock[]} clocks
 * @param {Seat[]} seats
 * @param {number | null} match
 */
function clockList(clocks, seats, match) {
  board.render(clocks, seats, match);
  return board.element;
}

/**
 * The areas; empty where there are none.
 * @param {Area[]} areas
 */
export const areaList = (areas) => areas.map(({ name, cells, note }) => h("section", { class: "area" },
  h("h3", null, name),
  cells.length > 0 && h("ul", { class: "cells" }, cells.map(({ text, owner }) =>
    h("li", { class: owner ? "is-owned" : null }, owner && token(owner),
      h("span", null, text, owner && h("span", { class: "unseen" }, `, ${colourSays(owner)}`))))),
  note && h("p", { class: "sentence" }, note)));
