// What this device adds to the time of a press: how finely its browser tells the time, and how often its screen is
// looked at. The box widens the ± of what is pressed here by it; where nothing was tried it assumes a slow screen.

import { h } from "../frame/dom.js";
import { number, say } from "../frame/say.js";

/** Looked for so long at most: a clock that stands still for longer is noticed by the box from what it is told. */
const LOOK_MS = 6;
/** So many distances between touches tell how often a screen is looked at. */
const ENOUGH = 24;
const KEPT = "companion touch";

/**
 * The smallest step seen of this page's clock, in microseconds; null where it stood still while it was looked at.
 * @returns {number | null}
 */
export function clockStep() {
  const begun = performance.now();
  let before = begun;
  let step = Infinity;
  for (let looks = 0; looks < 100_000 && before - begun < LOOK_MS; looks++) {
    const now = performance.now();
    if (now > before) step = Math.min(step, now - before);
    before = now;
  }
  return Number.isFinite(step) ? Math.max(1, Math.round(step * 1000)) : null;
}

/**
 * How often the screen is looked at as an earlier trial found it, in microseconds; null before any.
 * @returns {number | null}
 */
export function touchInterval() {
  const kept = Number(localStorage.getItem(KEPT));
  return kept > 0 ? kept : null;
}

/**
 * A field to slide a finger over. found: is told the interval between two looks at the screen, in microseconds.
 * @param {(interval: number) => void} found
 */
export function touchTrial(found) {
  const field = h("div", { class: "trial", id: "trial" }, said());
  /** @type {number[]} */
  let distances = [];
  /** @type {number | null} */
  let before = null;
  field.addEventListener("pointerdown", () => {
    before = null;
  });
  field.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "touch") return;
    for (const one of merged(event)) {
      if (before !== null && one.timeStamp > before) distances.push(one.timeStamp - before);
      before = one.timeStamp;
    }
    if (distances.length < ENOUGH) return;
    const interval = Math.round(median(distances) * 1000);
    distances = [];
    localStorage.setItem(KEPT, String(interval));
    field.replaceChildren(said());
    found(interval);
  });
  return field;
}

function said() {
  const interval = touchInterval();
  return interval === null
    ? say("Slide a finger over this field: the box then knows how often this screen is looked at.")
    : say("This screen is looked at every {interval} ms. Slide a finger here to try again.",
      { interval: number(interval / 1000, 1) });
}

/**
 * The events that a browser has merged into one; that one alone where it does not tell (a page without TLS).
 * @param {PointerEvent} event
 */
function merged(event) {
  const all = event.getCoalescedEvents?.() ?? [];
  return all.length > 0 ? all : [event];
}

/** @param {number[]} numbers */
function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
