// The box's tones, made on the spot: who is meant follows as that seat's own tone. Silent until the page has been
// touched once. Volume and switch are remembered by this browser.
import { NOTES, OWN, PAUSE_MS } from "./signs.js";

/** @import { Colour, Tone } from "../../../documents.js" */

const SETTING = "companion sound";
const VOLUME = "companion volume";
/** The gain of full volume: several pages in a room, and phones near an ear. */
const LOUDEST = 0.35;
const MS = 0.001;
/** @type {AudioContext | null} */
let context = null;
/** @type {GainNode | null} */
let output = null;
/** When what sounds, or waits to, has ended. */
let ends = 0;
/** @type {Set<OscillatorNode>} */
const sounding = new Set();

/** What the seat's player wants by a profile; null for nothing. @type {boolean | null} */
let wished = null;

export const isOn = () => {
  const chosen = localStorage.getItem(SETTING);
  return chosen === null ? wished ?? true : chosen !== "off";
};

/** @param {boolean | null} on */
export function wishSound(on) {
  wished = on;
  if (!isOn()) silence();
}

/** @param {boolean} on */
export function turnSound(on) {
  localStorage.setItem(SETTING, on ? "on" : "off");
  if (!on) silence();
}

/** How loud, 0 to 100. */
export function volume() {
  const kept = Number(localStorage.getItem(VOLUME) ?? 100);
  return kept >= 0 && kept <= 100 ? kept : 100;
}

/** @param {number} loud  0 to 100 */
export function setVolume(loud) {
  localStorage.setItem(VOLUME, String(loud));
  if (output !== null) output.gain.value = gain();
}

/** As an ear hears it: half of the number is about half as loud, which is a quarter of the height. */
const gain = () => LOUDEST * (volume() / 100) ** 2;

/** To be called in a gesture: only then may a page begin to sound. */
export function wake() {
  if (isOn()) begin();
}

/** The same, for a page with a switch of its own. */
export function begin() {
  context ??= new AudioContext();
  if (output === null) {
    output = context.createGain();
    output.gain.value = gain();
    output.connect(context.destination);
  }
  if (context.state === "suspended") context.resume();
}

/**
 * @param {Tone} tone
 * @param {Colour[]} seats  whom it is about
 * @param {boolean} follows  it waits for the one that sounds, and does not cut it off
 */
export function play(tone, seats = [], follows = false) {
  if (isOn()) sound(tone, seats, follows);
}

/**
 * The same, for a page with a switch of its own.
 * @param {Tone} tone
 * @param {Colour[]} seats
 * @param {boolean} follows
 */
export function sound(tone, seats = [], follows = false) {
  if (context === null || output === null || context.state !== "running" || !(tone in NOTES)) return;
  if (!follows) silence();
  let at = Math.max(context.currentTime, ends);
  for (const notes of [NOTES[tone], ...seats.map((seat) => OWN[seat])]) {
    for (const [frequency, ms] of notes) {
      if (frequency > 0) note(context, output, frequency, at, ms * MS);
      at += ms * MS;
    }
    at += PAUSE_MS * MS;
  }
  ends = at;
}

/**
 * @param {AudioContext} on
 * @param {AudioNode} into
 * @param {number} frequency
 * @param {number} at
 * @param {number} length
 */
function note(on, into, frequency, at, length) {
  const oscillator = on.createOscillator();
  const shape = on.createGain();
  oscillator.frequency.value = frequency;
  oscillator.type = "triangle";
  shape.gain.setValueAtTime(0.0001, at);
  shape.gain.exponentialRampToValueAtTime(1, at + 0.008);
  shape.gain.setValueAtTime(1, at + Math.max(0.009, length - 0.02));
  shape.gain.exponentialRampToValueAtTime(0.0001, at + length);
  oscillator.connect(shape).connect(into);
  oscillator.onended = () => sounding.delete(oscillator);
  sounding.add(oscillator);
  oscillator.start(at);
  oscillator.stop(at + length + 0.005);
}

function silence() {
  for (const oscillator of sounding) oscillator.stop();
  sounding.clear();
  ends = 0;
}
