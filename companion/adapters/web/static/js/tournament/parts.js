// Small things that several pages of a desk show: names that lead to a player's way, tables, results, searching.
import { h } from "../frame/dom.js";
import { language, say } from "../frame/say.js";

/** @import { Placed, Seated, TableRow, TableStage } from "../../../tournament/event_documents.js" */
/** @import { Child } from "../frame/dom.js" */

/** @param {Seated} seated */
export const playerLink = ({ player, name }) => h("a", { href: `/player/${player}` }, name);

/**
 * Names one after the other, each a link.
 * @param {Seated[]} seated
 * @returns {Child[]}
 */
export const playerLinks = (seated) => seated.map((one, index) => [index > 0 && ", ", playerLink(one)]);

/** @type {Record<TableStage, string>} */
const CHIPS = { drawn: "is-idle", playing: "is-turn", disputed: "is-bad", open: "is-heat", final: "is-good" };

/** @param {TableRow} row */
export const stageChip = ({ stage, says }) => h("span", { class: `chip ${CHIPS[stage]}` }, says);

/**
 * A table's result in one line: "1. Ann 24, 2. Ben 12".
 * @param {TableRow} row
 */
export function resultSays({ players, result }) {
  const names = new Map(players.map(({ player, name }) => [player, name]));
  return (result ?? []).map((/** @type {Placed} */ { player, rank, points }) =>
    say("{rank}. {name}: {points}", { rank, name: names.get(player) ?? player, points })).join(" · ");
}

/**
 * Letters as they are searched for: small, without accents.
 * @param {string} text
 */
export const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase(language);

/**
 * Tell whether a name has all words that were typed, in any order.
 * @param {string} text
 * @param {string} typed
 */
export function matches(text, typed) {
  const within = folded(text);
  return folded(typed).split(/\s+/).every((word) => within.includes(word));
}

const collator = new Intl.Collator(language, { numeric: true });

/**
 * Sort by name as the page's language does.
 * @template {{ name: string }} T
 * @param {T[]} list
 */
export const byName = (list) => [...list].sort((one, other) => collator.compare(one.name, other.name));

/**
 * A field to search in.
 * @param {{ id: string, label: string, oninput: (typed: string) => void }} wishes
 */
export function searchField({ id, label, oninput }) {
  const input = h("input", { id, type: "search", autocomplete: "off", spellcheck: "false",
    oninput: ({ currentTarget }) => oninput(currentTarget.value.trim()) });
  return h("label", { class: "field search" }, h("span", { class: "label" }, label), input);
}

/**
 * A hash of which the first digits are seen, and all of which can be copied.
 * @param {string} label
 * @param {string} digits
 */
export const hashed = (label, digits) =>
  h("div", { class: "hashed" }, h("dt", null, label), h("dd", null, h("code", null, digits)));
