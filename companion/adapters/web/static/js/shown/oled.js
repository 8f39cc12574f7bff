// The OLED's live picture on a canvas, with its words beside it for screen readers.
import { h } from "../frame/dom.js";
import { say } from "../frame/say.js";

/** @import { OledMessage } from "../../../documents.js" */
/** @import { Connection } from "../wire/connection.js" */

const LIT = "#cde8ff";
const DARK = "#04080d";
/** Each pixel of the display is a square of so many on the canvas, so that the browser scales it evenly. */
const DOT = 8;

/**
 * Give an element that shows the display of the box `connection` leads to.
 * @param {Connection} connection
 */
export function oled(connection) {
  const canvas = h("canvas", { width: 128 * DOT, height: 64 * DOT, class: "oled-picture", "aria-hidden": "true" });
  const words = h("p", { class: "unseen", "data-role": "oled-words" });
  connection.on("oled", ({ detail }) => draw(canvas, detail));
  connection.on("state", ({ detail: { state } }) => {
    words.textContent = say("The display shows: {lines}", { lines: state.lines.join(". ") });
  });
  return h("div", { class: "oled" }, canvas, words);
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {OledMessage} message
 */
function draw(canvas, { width, height, bits }) {
  if (canvas.width !== width * DOT || canvas.height !== height * DOT) {
    canvas.width = width * DOT;
    canvas.height = height * DOT;
  }
  const bytes = Uint8Array.from(atob(bits), (letter) => letter.charCodeAt(0));
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.fillStyle = DARK;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = LIT;
  for (let i = 0; i < width * height; i++) {
    const isLit = (bytes[i >> 3] >> (7 - (i & 7))) & 1;
    if (isLit) context.fillRect((i % width) * DOT, Math.floor(i / width) * DOT, DOT, DOT);
  }
  canvas.dataset.drawn = String(Number(canvas.dataset.drawn ?? 0) + 1);
}
