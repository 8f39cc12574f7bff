// Presses of arcade buttons by touch, mouse and keyboard: taken when they go down, each finger by itself.

/** @import { Button, By, Colour, Position } from "../../../documents.js" */

/** @typedef {(event: Event, by: By) => void} Listener  of a press or its end */

/**
 * The same keys as on the terminal's panel: a row a position, a column a colour. Where they lie, whatever is printed on
 * them: the same places on every keyboard layout.
 * @type {Record<Position, string[]>}
 */
export const CODES = {
  first: ["Digit1", "Digit2", "Digit3", "Digit4", "Digit5"],
  second: ["KeyQ", "KeyW", "KeyE", "KeyR", "KeyT"],
  third: ["KeyA", "KeyS", "KeyD", "KeyF", "KeyG"],
  fourth: ["KeyZ", "KeyX", "KeyC", "KeyV", "KeyB"],
};

/**
 * @param {string} code
 * @param {Colour[]} colours
 * @returns {Button | null}
 */
export function labelOfCode(code, colours) {
  for (const [position, codes] of Object.entries(CODES)) {
    const index = codes.indexOf(code);
    if (index >= 0) return `${colours[index]} ${position}`;
  }
  return null;
}

/**
 * Watch an element that is pressed. down(event, by) tells whether the press was begun; up(event, by) ends it. Several
 * fingers on one element are one press, until the last is lifted.
 * @param {HTMLElement} element
 * @param {Listener} down
 * @param {Listener} up
 */
export function pressable(element, down, up) {
  /** @type {Set<number>} */
  const pointers = new Set();
  /** @type {string | null} */
  let key = null;
  element.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    event.preventDefault(); // no focus ring, no text selection, no second "mouse" press after a touch
    const isFirst = pointers.size === 0 && key === null;
    pointers.add(event.pointerId);
    if (isFirst) down(event, kindOf(event));
    capture(element, event.pointerId);
  });
  for (const type of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"])) {
    element.addEventListener(type, (event) => {
      if (pointers.delete(event.pointerId) && pointers.size === 0 && key === null) up(event, kindOf(event));
    });
  }
  element.addEventListener("keydown", (event) => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat || key !== null) return;
    key = event.code;
    if (pointers.size === 0) down(event, "key");
  });
  /** @param {KeyboardEvent | FocusEvent} event */
  const keyUp = (event) => {
    if (key === null || (event instanceof KeyboardEvent && event.code !== key)) return;
    event.preventDefault();
    key = null;
    if (pointers.size === 0) up(event, "key");
  };
  element.addEventListener("keyup", keyUp);
  element.addEventListener("blur", keyUp);
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  // A screen reader's "activate" makes a click with no pointer and no key before it: a press, and let go again.
  element.addEventListener("click", (event) => {
    if (event.detail !== 0 || (event instanceof PointerEvent && event.pointerType)) return;
    down(event, "key");
    up(event, "key");
  });
}

/**
 * Let the end of the press come here wherever the finger is then; a pointer that has gone already has no capture.
 * @param {HTMLElement} element
 * @param {number} pointerId
 */
function capture(element, pointerId) {
  try {
    element.setPointerCapture(pointerId);
  } catch (problem) {
    if (!(problem instanceof DOMException && problem.name === "NotFoundError")) throw problem;
  }
}

/**
 * @param {PointerEvent} event
 * @returns {By}
 */
const kindOf = (event) => (event.pointerType === "mouse" ? "mouse" : "touch");
