// The box's tones: short, distinct ones, made on the spot. Silent until the page has been touched once.

/** @import { Tone } from "../../../documents.js" */

/**
 * Of each its notes: frequency in hertz, and length in seconds.
 * @type {Record<Tone, [number, number][]>}
 */
const TONES = {
  accepted: [[880, 0.06]],
  ignored: [[330, 0.08]],
  punished: [[196, 0.14], [147, 0.22]],
  "your choice": [[660, 0.09], [880, 0.09], [1100, 0.12]],
  refused: [[220, 0.07], [220, 0.07]],
  "little time": [[1320, 0.05]],
  "time is up": [[1320, 0.12], [1320, 0.12], [1320, 0.5]],
};
const SETTING = "companion sound";
/** @type {AudioContext | null} */
let context = null;

export const isOn = () => localStorage.getItem(SETTING) !== "off";

/** @param {boolean} on */
export function turnSound(on) {
  localStorage.setItem(SETTING, on ? "on" : "off");
}

/** To be called in a gesture: only then may a page begin to sound. */
export function wake() {
  if (isOn()) begin();
}

/** The same, for a page with a switch of its own. */
export function begin() {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
}

/** @param {Tone} tone */
export function play(tone) {
  if (isOn()) sound(tone);
}

/**
 * The same, for a page with a switch of its own.
 * @param {Tone} tone
 */
export function sound(tone) {
  const notes = TONES[tone];
  if (!notes || context === null || context.state !== "running") return;
  let at = context.currentTime;
  for (const [frequency, length] of notes) {
    const oscillator = context.createOscillator();
    const volume = context.createGain();
    oscillator.frequency.value = frequency;
    oscillator.type = "triangle";
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(0.25, at + 0.008);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
    oscillator.connect(volume).connect(context.destination);
    oscillator.start(at);
    oscillator.stop(at + length + 0.02);
    at += length + 0.03;
  }
}
