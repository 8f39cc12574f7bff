// Reads aloud what the live region says, by the browser's own voice: off until somebody switches it on, and remembered
// for this page in this browser. Private words are on a seat's own page alone, and so are read there alone.
import { h } from "./dom.js";
import { say } from "./say.js";

/** @typedef {{ on: boolean, rate: number, volume: number }} Voice */

const SETTING = `companion voice ${location.pathname}`;
const USUAL = { on: false, rate: 1, volume: 1 };
/** What the seat's player wants by a profile. @type {Partial<Voice>} */
let wished = {};
const SLOWEST = 0.5;
const FASTEST = 3;
/** More sentences than these that wait are old: they are left out. */
const MOST_WAITING = 8;
/** Some browsers never tell that a sentence is over: after so long, and so long a letter, the next one is begun. */
const LONGEST_MS = 5000;
const LONGEST_OF_LETTER_MS = 250;

/** Whether this browser can speak. */
export const canSpeak = () => "speechSynthesis" in globalThis;

/** Says once more what was read last; no single letter, which would do something while somebody types (WCAG 2.1.4). */
const KEY = "Alt+V";

/** What was chosen here. @returns {Partial<Voice>} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(SETTING) ?? "{}");
  } catch {
    return {};
  }
}

/** @returns {Voice} */
const settings = () => ({ ...USUAL, ...wished, ...kept() });

/** @param {Partial<Voice>} changed */
function change(changed) {
  localStorage.setItem(SETTING, JSON.stringify({ ...kept(), ...changed }));
}

/**
 * Speak as the seat's player wants it by a profile, where nothing was chosen here; null for nothing.
 * @param {number | null} rate
 * @param {number | null} volume
 */
export function wishVoice(rate, volume) {
  wished = { ...(rate === null ? {} : { rate }), ...(volume === null ? {} : { volume }) };
}

export const isReading = () => canSpeak() && settings().on;

/** @type {string[]} */
let waiting = [];
/** @type {string[]} */
let newest = [];
/** @type {SpeechSynthesisUtterance | null} */
let now = null;
let patience = 0;

/**
 * Read sentences aloud, after those that wait; pressing: instead of them. Nothing where that is not switched on.
 * @param {string[]} texts
 * @param {boolean} [pressing]
 */
export function readAloud(texts, pressing = false) {
  const fresh = texts.filter((text) => pressing || !waiting.includes(text));
  if (fresh.length === 0) return;
  newest = fresh;
  if (isReading()) put(fresh, pressing);
}

/** Read once more what was said last. */
export function again() {
  put(newest, true);
}

/**
 * @param {string[]} texts
 * @param {boolean} instead
 */
function put(texts, instead) {
  if (!canSpeak()) return;
  if (instead) hush();
  waiting = [...waiting, ...texts].slice(-MOST_WAITING);
  if (now === null) next();
}

/** Fall silent. */
export function hush() {
  waiting = [];
  now = null;
  clearTimeout(patience);
  if (canSpeak()) speechSynthesis.cancel();
}

function next() {
  clearTimeout(patience);
  const text = waiting.shift();
  now = null;
  if (text === undefined) return;
  const said = new SpeechSynthesisUtterance(text);
  const { rate, volume } = settings();
  Object.assign(said, { lang: document.documentElement.lang, rate, volume });
  said.onend = said.onerror = () => {
    if (now === said) next();
  };
  now = said;
  patience = setTimeout(next, LONGEST_MS + LONGEST_OF_LETTER_MS * text.length);
  speechSynthesis.speak(said);
}

/**
 * Switch it on, with a word so that it is heard that it is, or off.
 * @param {boolean} on
 */
export function turnVoice(on) {
  change({ on });
  if (on) put([say("This page is read aloud.")], true);
  else hush();
}

/**
 * Have it read faster or slower, and say so.
 * @param {number} by
 */
export function changeRate(by) {
  const rate = Math.min(FASTEST, Math.max(SLOWEST, Math.round((settings().rate + by) * 10) / 10));
  change({ rate });
  put([by > 0 ? say("Faster.") : say("Slower.")], true);
}

/**
 * The switch, and what goes with it while it is on: again, slower, faster, and how loud.
 * @returns {HTMLElement | null}
 */
export function voiceControls() {
  if (!canSpeak()) return null;
  const { on, volume } = settings();
  const loud = h("input", { type: "range", id: "read-volume", min: 0, max: 1, step: 0.1, value: String(volume),
    onchange: () => {
      change({ volume: Number(loud.value) });
      again();
    } });
  const more = h("span", { class: "voice-more", hidden: !on },
    h("button", { type: "button", class: "button is-small", id: "read-again", onclick: again,
      "aria-keyshortcuts": KEY }, say("Again")),
    h("button", { type: "button", class: "button is-small", id: "read-slower", onclick: () => changeRate(-0.2) },
      say("Slower")),
    h("button", { type: "button", class: "button is-small", id: "read-faster", onclick: () => changeRate(0.2) },
      say("Faster")),
    h("label", { class: "voice-volume" }, say("Volume"), loud));
  addEventListener("keydown", (event) => {
    if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== "KeyV" || !isReading()) return;
    event.preventDefault();
    again();
  });
  const toggle = h("button", { type: "button", class: "button is-small", id: "read-aloud", "aria-pressed": String(on),
    onclick: () => {
      const reads = !settings().on;
      toggle.setAttribute("aria-pressed", String(reads));
      more.hidden = !reads;
      turnVoice(reads);
    } }, say("Read aloud"));
  return h("section", { class: "voice", id: "voice-controls", "aria-label": say("Read aloud") }, toggle, more);
}
