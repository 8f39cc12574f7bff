// The board or table of a game in words: where it stands, its clocks, its parts and whose what is.
import { h } from "../frame/dom.js";
import { token } from "./symbols.js";
import { capital } from "../frame/words.js";

/** @import { Area, Clock, StateWithMatch } from "../../../documents.js" */

/**
 * Where the game stands; null in a game that has no such thing.
 * @param {StateWithMatch} state
 */
export function standing({ game_phase: phase, round, clocks }) {
  if (!phase && round === null && clocks.length === 0) return null;
  return h("div", { class: "standing" },
    h("p", { class: "stage" }, phase && h("strong", null, capital(phase)),
      round !== null && h("span", null, `round ${round}`)),
    clocks.length > 0 && h("ul", { class: "clock-list" }, clocks.map(clockItem)));
}

/**
 * The areas; empty where there are none.
 * @param {Area[]} areas
 */
export const areaList = (areas) => areas.map(({ name, cells, note }) => h("section", { class: "area" },
  h("h3", null, name),
  cells.length > 0 && h("ul", { class: "cells" }, cells.map(({ text, owner }) =>
    h("li", { class: owner ? "is-owned" : null }, owner && token(owner),
      h("span", null, text, owner && h("span", { class: "unseen" }, `, ${owner}`))))),
  note && h("p", { class: "sentence" }, note)));

/** @param {Clock} clock */
function clockItem({ label, seat, left_ms: left, left_text: text, is_running: runs }) {
  const digits = h("strong", { role: "timer" }, text);
  const element = h("li", { class: runs ? "is-running" : null }, seat && token(seat), h("span", null, label), digits,
    h("small", null, runs ? "▸ runs" : "stands"));
  if (runs) follow(digits, performance.now() + left);
  return element;
}

/**
 * Count a clock down, as the box says it, until another takes its place.
 * @param {HTMLElement} element
 * @param {number} ends  of this page's clock, ms
 */
function follow(element, ends) {
  const tick = () => {
    const seconds = Math.max(0, Math.ceil((ends - performance.now()) / 1000));
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    /** @param {number} value */
    const two = (value) => String(value).padStart(2, "0");
    element.textContent = hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
    if (seconds > 0) setTimeout(() => element.isConnected && tick(), 250);
  };
  setTimeout(() => element.isConnected && tick(), 250);
}
