// What a player feels: the phone trembles in the rhythm of what is new for its seat. Can be switched off.
import { FELT, PULSE_MS } from "../frame/signs.js";

/** @import { Me, Sign } from "../../../documents.js" */

const TAKEN = ["counts", "waits for its card", "answers what the box asks", "lies face down"];
const SETTING = "companion vibration";
const MOST_PULSES = 12;
/** What is felt again where the line says something new of it: a second choice, another punishment. */
const AGAIN = ["yours", "punished"];

/** Whether this device can tremble at all. */
export const canTremble = () => "vibrate" in navigator;
/** What the seat's player wants by a profile; null for nothing. @type {boolean | null} */
let wished = null;

export const trembles = () => {
  const chosen = localStorage.getItem(SETTING);
  return chosen === null ? wished ?? true : chosen !== "off";
};

/** @param {boolean | null} on */
export function wishTremble(on) {
  wished = on;
}

/** @param {boolean} on */
export function letTremble(on) {
  localStorage.setItem(SETTING, on ? "on" : "off");
}

/** @param {Sign} sign */
export function tremble(sign) {
  if (canTremble() && trembles()) navigator.vibrate(FELT[sign]);
}

/**
 * What scanning offers now: so many short pulses, for this hand alone. 0: nothing any more.
 * @param {number} number
 */
export function trembleCue(number) {
  if (!canTremble() || !trembles()) return;
  navigator.vibrate(Array.from({ length: Math.min(number, MOST_PULSES) }, () => PULSE_MS).flat());
}

/**
 * What is new for a player, to be felt and heard; null where nothing is. before: null for the first, which is no news.
 * @param {Me | null} before
 * @param {Me} me
 * @returns {Sign | null}
 */
export function newsFor(before, me) {
  if (before === null || before.seat !== me.seat || me.seat === null) return null;
  if (me.press && me.press.number !== before.press?.number) {
    return TAKEN.includes(me.press.fate) ? "accepted" : "ignored";
  }
  if (me.sign === null || me.sign === "accepted") return null;
  if (me.sign !== before.sign) return me.sign;
  return me.headline !== before.headline && AGAIN.includes(me.sign) ? me.sign : null;
}
