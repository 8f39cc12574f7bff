// Choosing a player or a box in a form: by number or by name, offered as one types.
import { h } from "../frame/dom.js";
import { say } from "../frame/say.js";
import { byName, folded } from "./parts.js";

/** @import { Seated } from "../../../tournament/event_documents.js" */

/** The list that fields of players offer. */
export const PLAYERS = "list-of-players";
export const BOXES = "list-of-boxes";

/** @type {Seated[]} */
let known = [];

/** @param {Seated[]} players */
export function offerPlayers(players) {
  known = players;
  fill(PLAYERS, byName(players).map(({ player, name }) => ({ value: `${player} ${name}` })));
}

/** @param {string[]} boxes */
export const offerBoxes = (boxes) => fill(BOXES, boxes.map((value) => ({ value })));

/**
 * @param {string} id
 * @param {{ value: string }[]} options
 */
function fill(id, options) {
  const list = document.getElementById(id) ?? document.body.appendChild(h("datalist", { id }));
  list.replaceChildren(...options.map(({ value }) => h("option", { value })));
}

/**
 * The number of the player that was typed: a number, or a name that only one has. An Error that says what is wrong.
 * @param {string} typed
 */
export function playerTyped(typed) {
  const number = /^(\d+)(?:\s|$)/.exec(typed)?.[1];
  if (number) return Number(number);
  const found = known.filter(({ name }) => folded(name) === folded(typed));
  if (found.length === 1) return found[0].player;
  throw new Error(found.length ? say("several players are called {name}: type the number", { name: typed })
    : say("no player is called {name}", { name: typed }));
}
