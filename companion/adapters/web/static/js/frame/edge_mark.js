// What is heard and felt is also seen: a mark at the edge with its word. It stands for a while and goes; one that
// comes meanwhile takes its place, so that nothing ever flashes. Can be switched off, which this browser remembers.
import { h } from "./dom.js";
import { say } from "./say.js";
import { SEEN_MS } from "./signs.js";

/** @import { Sign } from "../../../documents.js" */

const SETTING = "companion signs";
/**
 * The shape that goes with each word, so that none is told by colour alone.
 * @type {Record<Sign, string>}
 */
const SHAPES = { open: "●", yours: "?", first: "★", punished: "✕", accepted: "✓", ignored: "!", refused: "–",
  "little time": "◔", "time is up": "■", alarm: "▲" };

/** @type {Record<Sign, string>} */
const SAYS = { open: say("Press now"), yours: say("Your choice"), first: say("First"), punished: say("Punished"),
  accepted: say("Taken"), ignored: say("Does not count"), refused: say("Not possible"),
  "little time": say("Little time"), "time is up": say("Time is up"), alarm: say("Look at the box") };

const word = h("span", { class: "sign-word" });
const shape = h("span", { class: "sign-shape" });
/** What is said by words elsewhere on the page: here only for the eye. */
const mark = h("div", { class: "edge-mark", id: "edge-mark", "aria-hidden": "true", hidden: true }, shape, word);
let timer = 0;

export const marks = () => localStorage.getItem(SETTING) !== "off";

/** @param {boolean} on */
export function letMark(on) {
  localStorage.setItem(SETTING, on ? "on" : "off");
  if (!on) mark.hidden = true;
}

/**
 * @param {Sign} sign
 * @param {string} about  of whom, empty for the reader
 */
export function showMark(sign, about = "") {
  if (!marks()) return;
  if (!mark.isConnected) document.body.append(mark);
  mark.dataset.sign = sign;
  shape.textContent = SHAPES[sign];
  word.textContent = about ? say("{who}: {what}", { who: about, what: SAYS[sign] }) : SAYS[sign];
  mark.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => {
    mark.hidden = true;
  }, SEEN_MS);
}
