// The clocks of a game, large: what is left as the box says it, counted on here until it says more. One timer for all.
import { h, show } from "../frame/dom.js";
import { readOut } from "../frame/speaker.js";
import { called, capital } from "../frame/words.js";
import { token } from "./symbols.js";
import { say } from "../frame/say.js";

/** @import { Clock, Seat } from "../../../documents.js" */

/** With less than this left, tenths of a second are shown, in ms. */
const TENTHS_BELOW = 20_000;

/**
 * A clock as the box said it at `since`, a time of this page's clock, and where that is shown.
 * @typedef {{ clock: Clock, since: number, digits: HTMLElement, held: HTMLElement, row: HTMLElement }} Counted
 */

/** @type {Map<HTMLElement, Counted[]>} */
const boards = new Map();
/** The clocks whose little time, or whose end, has been told. */
const told = new Set();
let timer = 0;

/** A list of clocks that counts by itself: `element`, and `render` for what the box says anew. */
export function clockBoard() {
  const element = h("ul", { class: "clocks" });
  /**
   * @param {Clock[]} clocks
   * @param {Seat[]} seats
   * @param {number | null | undefined} match
   * @param {Clock["seat"]} own  whose page this is, null where it is everybody's
   */
  function render(clocks, seats, match, own = null) {
    const since = performance.now();
    element.hidden = clocks.length === 0;
    element.dataset.count = String(clocks.length);
    const shape = clocks.map(({ label, seat, is_running: runs, flag }) => [label, seat, runs, flag]);
    show(element, [shape, seats.map(called), own], () => clocks.map((clock) => rowOf(clock, seats, own)));
    const rows = /** @type {HTMLElement[]} */ ([...element.children]);
    boards.set(element, clocks.map((clock, index) => counted(clock, since, rows[index])));
    tellFlags(clocks, seats, match);
    tick();
  }
  return { element, render };
}

/**
 * @param {Clock} clock
 * @param {number} since
 * @param {HTMLElement | undefined} row
 * @returns {Counted}
 */
function counted(clock, since, row) {
  if (!row) throw new Error("a clock has no row");
  const [digits, held] = [".digits", ".held"].map((part) => /** @type {HTMLElement} */ (row.querySelector(part)));
  if (!digits || !held) throw new Error("a clock has no digits");
  return { clock, since, digits, held, row };
}

/**
 * @param {Clock} clock
 * @param {Seat[]} seats
 * @param {Clock["seat"]} own
 */
function rowOf({ label, seat, is_running: runs, flag }, seats, own) {
  const who = nameOf(seat, seats);
  const classes = [runs && "is-running", own !== null && seat === own && "is-own"].filter(Boolean).join(" ");
  return h("li", { class: classes || null, "data-colour": seat },
    seat && token(seat),
    h("span", { class: "name" }, who || label, runs && h("span", { class: "unseen" }, ", ", say("runs"))),
    flag !== null && h("span", { class: "flag" }, `⚑ ${flag}`, h("span", { class: "unseen" }, " ",
      say("time is over"))),
    h("span", { class: "held" }),
    h("strong", { class: "digits", role: "timer", "aria-label": `${who} ${label}`.trim() }));
}

/**
 * @param {Clock["seat"]} colour
 * @param {Seat[]} seats
 */
function nameOf(colour, seats) {
  const found = seats.find((seat) => seat.colour === colour);
  return found ? capital(called(found)) : "";
}

/**
 * Say once of each clock that its time is over.
 * @param {Clock[]} clocks
 * @param {Seat[]} seats
 * @param {number | null | undefined} match
 */
function tellFlags(clocks, seats, match) {
  for (const { seat, flag } of clocks) {
    const key = `${match} ${seat} flag`;
    if (flag === null) told.delete(key);
    else if (!told.has(key)) {
      told.add(key);
      readOut(say("{who}: time is over.", { who: nameOf(seat, seats) }));
    }
  }
}

/** Show what is left now on all boards of this page, and again when that changes. */
function tick() {
  clearTimeout(timer);
  const now = performance.now();
  let wait = Infinity;
  for (const [board, clocks] of boards) {
    if (!board.hidden) wait = Math.min(wait, ...clocks.map((one) => draw(one, now)));
  }
  if (wait < Infinity) timer = setTimeout(tick, Math.max(16, wait));
}

/**
 * Write what is left of a clock; give in how many ms that changes.
 * @param {Counted} counting
 * @param {number} now
 */
function draw({ clock, since, digits, held, row }, now) {
  const left = leftOf(clock, now - since);
  const stands = Math.max(0, clock.held_ms - (clock.is_running ? now - since : 0));
  const isLow = left > 0 && left <= clock.low_ms;
  write(digits, leftText(left));
  write(held, stands > 0 ? `+${Math.ceil(stands / 1000)} s` : "");
  row.classList.toggle("is-low", isLow);
  row.classList.toggle("is-over", left <= 0);
  return changesIn(clock, left, clock.is_running ? stands : 0);
}

/**
 * @param {HTMLElement} element
 * @param {string} text
 */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * What is left of a clock so many ms after the box said it.
 * @param {Clock} clock
 * @param {number} passed
 */
export function leftOf({ left_ms: left, held_ms: held, is_running: runs, pace: [spent, passing] }, passed) {
  return left - Math.max(0, passed - (runs ? held : 0)) * spent / passing;
}

/**
 * @param {Clock} clock
 * @param {number} left
 * @param {number} stands
 */
function changesIn({ pace: [spent, passing] }, left, stands) {
  if (stands > 0) return (stands - 1) % 1000 + 1;
  if (spent === 0) return Infinity;
  const unit = Math.abs(left) < TENTHS_BELOW ? 100 : 1000;
  const above = ((left % unit) + unit) % unit;
  return ((spent > 0 ? above : unit - above) + 1) * passing / Math.abs(spent);
}

/**
 * What is left in words, as the box's display says it.
 * @param {number} left  in ms
 */
export function leftText(left) {
  const isOver = left <= 0;
  const size = Math.abs(left);
  if (size < TENTHS_BELOW) {
    const tenths = isOver ? Math.floor(size / 100) : Math.ceil(size / 100);
    return `${isOver && tenths > 0 ? "−" : ""}0:${two(Math.floor(tenths / 10))}.${tenths % 10}`;
  }
  const seconds = isOver ? Math.floor(size / 1000) : Math.ceil(size / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const text = hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  return isOver ? `−${text}` : text;
}

/** @param {number} value */
const two = (value) => String(value).padStart(2, "0");
