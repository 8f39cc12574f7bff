// The knob: turned by dragging around it, by the wheel, by the arrow keys or by the two buttons beside it; its middle
// is pushed like a button, and held.
import { h, s } from "../frame/dom.js";
import { pressable } from "./inputs.js";
import { say } from "../frame/say.js";

/** @import { By } from "../../../documents.js" */
/** @import { Listener } from "./inputs.js" */

/** @typedef {(steps: number, event: Event, by: By) => void} Turned  clockwise is positive */

const DETENT_DEGREES = 18;
const WHEEL_STEP = 60;

/**
 * Give the knob. turn(steps, event, by), press(event, by), release(event, by) are called as it is moved.
 * @param {{ turn: Turned, press: Listener, release: Listener }} listeners
 */
export function knob({ turn, press, release }) {
  const pointer = s("g", { class: "knob-pointer" }, s("circle", { cx: 60, cy: 15, r: 4.5 }));
  const ring = h("div", { class: "knob-ring", "aria-hidden": "true" }, drawing(pointer));
  const pushed = h("button", { type: "button", class: "knob-push",
    "aria-label": say("Knob: push, hold 1 s to take back"),
    "aria-pressed": "false", "aria-keyshortcuts": "Enter" }, say("push"));
  let angle = 0;
  /** @type {Turned} */
  const move = (steps, event, by) => {
    angle += steps * DETENT_DEGREES;
    pointer.style.transform = `rotate(${angle}deg)`;
    turn(steps, event, by);
  };
  /**
   * @param {number} steps
   * @param {string} name
   * @param {string} arrow
   */
  const nudge = (steps, name, arrow) => {
    const button = h("button", { type: "button", class: "button knob-nudge", "aria-label": name }, arrow);
    pressable(button, (event, by) => move(steps, event, by), () => {});
    return button;
  };
  pressable(pushed, press, release);
  const element = h("div", { class: "knob", role: "group", "aria-label": say("Knob") },
    nudge(-1, say("Turn the knob left"), "↺"), h("div", { class: "knob-body" }, ring, pushed),
    nudge(1, say("Turn the knob right"), "↻"));
  element.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    move(event.key === "ArrowRight" ? 1 : -1, event, "key");
  });
  byWheel(element, move);
  byDragging(ring, move);
  /**
   * @param {number} steps
   * @param {Event} event
   */
  const byKey = (steps, event) => move(steps, event, "key");
  return { element, pushed, byKey };
}

/**
 * @param {HTMLElement} element
 * @param {Turned} move
 */
function byWheel(element, move) {
  let gathered = 0;
  element.addEventListener("wheel", (event) => {
    event.preventDefault();
    gathered += event.deltaMode === 1 ? event.deltaY * 20 : event.deltaY;
    const steps = Math.trunc(gathered / WHEEL_STEP);
    if (steps === 0) return;
    gathered -= steps * WHEEL_STEP;
    move(Math.max(-50, Math.min(50, steps)), event, "mouse");
  }, { passive: false });
}

/**
 * @param {HTMLElement} ring
 * @param {Turned} move
 */
function byDragging(ring, move) {
  /** @type {number | null} */
  let last = null;
  let gathered = 0;
  /** @param {PointerEvent} event */
  const angleOf = (event) => {
    const box = ring.getBoundingClientRect();
    return (Math.atan2(event.clientY - box.y - box.height / 2, event.clientX - box.x - box.width / 2) * 180) / Math.PI;
  };
  ring.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    ring.setPointerCapture(event.pointerId);
    last = angleOf(event);
    gathered = 0;
  });
  ring.addEventListener("pointermove", (event) => {
    if (last === null) return;
    const now = angleOf(event);
    gathered += ((now - last + 540) % 360) - 180;
    last = now;
    const steps = Math.trunc(gathered / DETENT_DEGREES);
    if (steps === 0) return;
    gathered -= steps * DETENT_DEGREES;
    move(steps, event, event.pointerType === "mouse" ? "mouse" : "touch");
  });
  for (const type of ["pointerup", "pointercancel"]) ring.addEventListener(type, () => { last = null; });
}

/** @param {SVGElement} pointer */
function drawing(pointer) {
  const ticks = Array.from({ length: 360 / DETENT_DEGREES }, (_, index) =>
    s("line", { x1: 60, y1: 1.5, x2: 60, y2: 5.5, transform: `rotate(${index * DETENT_DEGREES} 60 60)` }));
  return s("svg", { viewBox: "0 0 120 120", "aria-hidden": "true", focusable: "false" },
    s("g", { class: "knob-ticks" }, ticks), s("circle", { class: "knob-skirt", cx: 60, cy: 60, r: 52 }), pointer);
}
