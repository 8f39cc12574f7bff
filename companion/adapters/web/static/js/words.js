// Numbers and names as people read them.

/** @import { Card, Colour } from "../../documents.js" */

const MS = 1e6;

/**
 * A time in nanoseconds as number and unit: finer the shorter it is.
 * @param {number} ns
 * @returns {[string, string]}
 */
export function amount(ns) {
  const ms = ns / MS;
  if (ms < 0.1) return [(ns / 1e3).toFixed(0), "µs"];
  if (ms < 1) return [ms.toFixed(2), "ms"];
  if (ms < 100) return [ms.toFixed(1), "ms"];
  if (ms < 10000) return [ms.toFixed(0), "ms"];
  return [(ms / 1e3).toFixed(1), "s"];
}

/**
 * "±20 µs"
 * @param {number} ns
 */
export function error(ns) {
  const [number, unit] = amount(ns);
  return `±${number} ${unit}`;
}

/**
 * How far behind place 1: number with its sign, and unit; null for place 1 itself.
 * @param {{ place: number, gap_ns: number }} row
 * @returns {[string, string] | null}
 */
export function gap(row) {
  if (row.place === 1 && row.gap_ns === 0) return null;
  const [number, unit] = amount(Math.abs(row.gap_ns));
  return [`${row.gap_ns < 0 ? "−" : "+"}${number}`, unit];
}

/** @param {string | null | undefined} text */
export const capital = (text) => (text ? text[0].toUpperCase() + text.slice(1) : "");

/**
 * "Ann (red)" or "Red".
 * @param {{ colour: Colour, name: string | null }[]} seats
 * @param {Colour} colour
 */
export function who(seats, colour) {
  const name = seats.find((seat) => seat.colour === colour)?.name;
  return name ? `${name} (${colour})` : capital(colour);
}

/**
 * "2 buffalo", "red hunter", "2 red hunters"
 * @param {number} count
 * @param {Card} card
 */
export function counted(count, card) {
  if (count === 1) return card.includes(" ") && !card.startsWith("totem") ? card : `1 ${card}`;
  return `${count} ${card}${card === "buffalo" ? "" : "s"}`;
}

/**
 * Equal neighbours and others counted, in the order of their first.
 * @param {Card[]} cards
 * @returns {[Card, number][]}
 */
export function grouped(cards) {
  const counts = new Map();
  for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
  return [...counts];
}

/**
 * "red, yellow and blue"
 * @param {string[]} words
 */
export function listed(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/**
 * A date and time of the reader's own place; the text itself where it is none.
 * @param {string} text
 */
export function when(text) {
  const date = new Date(text);
  if (Number.isNaN(date.valueOf())) return text ?? "";
  return date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
