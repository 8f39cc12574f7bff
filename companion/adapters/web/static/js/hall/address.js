// What a page is asked for in its address: "?place=left&shows=order,card". Pure; what is not known is said.
import { say } from "../frame/say.js";

/**
 * What a parameter may be: one of some words, several of them (order kept, commas between), or a whole number.
 * @typedef {{ kind: "one", of: readonly string[], usual: string }} One
 * @typedef {{ kind: "some", of: readonly string[], usual: readonly string[] }} Some
 * @typedef {{ kind: "number", low: number, high: number, usual: number }} Count
 * @typedef {One | Some | Count} Known
 */

/**
 * @template {Known} K
 * @typedef {K extends Count ? number : K extends Some ? string[] : string} Read
 */

/**
 * Read an address. problem: a sentence on what is wrong in it, null where nothing is; what is wrong is as usual then.
 * @template {Record<string, Known>} T
 * @param {string} search  of the address, from its question mark on
 * @param {T} known
 * @returns {{ asked: { [N in keyof T]: Read<T[N]> }, problem: string | null }}
 */
export function read(search, known) {
  /** @type {Record<string, string | number | readonly string[]>} */
  const asked = Object.fromEntries(Object.entries(known).map(([name, { usual }]) => [name, usual]));
  const problems = [];
  for (const [name, text] of new URLSearchParams(search)) {
    const problem = Object.hasOwn(known, name) ? wrong(known[name], name, text)
      : say("“{name}” is not known here. Known are {words}.", { name, words: Object.keys(known).join(", ") });
    if (problem) problems.push(problem);
    else asked[name] = taken(known[name], text);
  }
  return {
    asked: /** @type {{ [N in keyof T]: Read<T[N]> }} */ (asked),
    problem: problems.length ? say("The address of this page is not right. {problems}",
      { problems: problems.join(" ") }) : null,
  };
}

/** @param {string} text */
const words = (text) => text.split(",").filter((word) => word !== "");

/**
 * @param {Known} known
 * @param {string} text
 */
function taken(known, text) {
  if (known.kind === "number") return Number(text);
  return known.kind === "some" ? words(text) : text;
}

/**
 * @param {Known} known
 * @param {string} name
 * @param {string} text
 */
function wrong(known, name, text) {
  if (known.kind === "number") {
    const is = /^\d{1,6}$/.test(text) && Number(text) >= known.low && Number(text) <= known.high;
    return is ? null : say("“{name}={value}”: it must be a whole number from {low} to {high}.",
      { name, value: text, low: known.low, high: known.high });
  }
  const unknown = (known.kind === "some" ? words(text) : [text]).find((word) => !known.of.includes(word));
  if (unknown === undefined) return null;
  const what = { name, value: unknown, words: known.of.join(", ") };
  return known.kind === "some"
    ? say("“{name}={value}”: it must be any of these, with commas between: {words}.", what)
    : say("“{name}={value}”: it must be one of these: {words}.", what);
}

/**
 * Write an address that asks for this; what is as usual is left out.
 * @param {Record<string, string | number | readonly string[]>} asked
 * @param {Record<string, Known>} known
 */
export function written(asked, known) {
  const parts = Object.entries(asked).filter(([name, value]) => String(value) !== String(known[name].usual));
  return parts.length ? `?${parts.map(([name, value]) => `${name}=${String(value)}`).join("&")}` : "";
}
