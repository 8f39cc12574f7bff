// What a player feels: the phone trembles at what became of the own press, and at a choice. Can be switched off.

/** @import { Me } from "../../../documents.js" */

const SETTING = "companion vibration";
/** Of each thing that is felt: tremble, wait, tremble, …, in milliseconds. */
const PATTERNS = {
  taken: [45],
  ignored: [60, 60, 60],
  punished: [220],
  choose: [45, 60, 45, 60, 90],
};

/** Whether this device can tremble at all. */
export const canTremble = () => "vibrate" in navigator;
export const trembles = () => localStorage.getItem(SETTING) !== "off";

/** @param {boolean} on */
export function letTremble(on) {
  localStorage.setItem(SETTING, on ? "on" : "off");
}

/** @typedef {keyof typeof PATTERNS} Felt */

/** @param {Felt} what */
export function tremble(what) {
  if (canTremble() && trembles()) navigator.vibrate(PATTERNS[what]);
}

/**
 * What is new for a player, to be felt and heard; null where nothing is. before: null for the first, which is no news.
 * @param {Me | null} before
 * @param {Me} me
 * @returns {Felt | null}
 */
export function newsFor(before, me) {
  if (before === null || before.seat !== me.seat || me.seat === null) return null;
  if (me.press && me.press.number !== before.press?.number) {
    return ["counts", "waits for its card", "answers what the box asks"].includes(me.press.fate) ? "taken" : "ignored";
  }
  if (me.mood === before.mood && me.headline === before.headline) return null;
  if (me.mood === "choose") return "choose";
  return me.mood === "bad" ? "punished" : null;
}
