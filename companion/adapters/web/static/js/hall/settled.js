// How long a final order stays before the next thing is shown. Knows no page.
import { required } from "../frame/words.js";

/** @import { State } from "../../../documents.js" */

/**
 * Whether the newest race is through: its order is final, and nobody has to decide anything.
 * @param {State} state
 */
export function isSettled(state) {
  const { race } = state;
  if (race === null || race.is_running || race.asks_card || required(state).length > 0) return false;
  return race.status === "final" || race.status === "not recorded";
}

/** Knows since when the newest race is through, and calls when it has been so for long enough. */
export class Settled {
  #key = "";
  #since = -Infinity;
  #isFirst = true;
  #timer = 0;
  #stays_ms;
  #onOver;

  /**
   * @param {number} stays_ms
   * @param {() => void} onOver
   */
  constructor(stays_ms, onOver) {
    this.#stays_ms = stays_ms;
    this.#onOver = onOver;
  }

  /**
   * Whether the newest race has been through for long enough, or there is none. A page that is opened later than
   * that finds it so from the first.
   * @param {State} state
   */
  isOver(state) {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (state.race === null) return true;
    const key = isSettled(state) ? JSON.stringify([state.match?.id, state.race.number, state.race.rows]) : "";
    if (key !== this.#key) {
      this.#key = key;
      this.#since = isFirst ? -Infinity : performance.now();
    }
    clearTimeout(this.#timer);
    if (key === "") return false;
    const left = this.#since + this.#stays_ms - performance.now();
    if (left > 0) this.#timer = setTimeout(this.#onOver, left);
    return left <= 0;
  }
}
