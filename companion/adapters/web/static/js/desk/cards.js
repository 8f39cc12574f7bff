// Entering the card that was turned up: one tap, or two letters. After a race has been judged, one tap more says that
// the card lay there too when it began, and it is judged again.
import { lastName } from "../frame/ask.js";
import { keysAreOn } from "../frame/keys.js";
import { h, isIn, maybe, show } from "../frame/dom.js";
import { cardNamed, cards as all, cardSays } from "../shown/looks.js";
import { cardPicture, COLOURS } from "../shown/symbols.js";
import { say } from "../frame/say.js";

/** @import { Card, EntryCard, State } from "../../../documents.js" */
/** @import { Desk } from "../referee.js" */

const MOST_COLUMNS = 6;

/**
 * What people call a card, in small letters.
 * @param {EntryCard} entry
 */
const small = ({ card }) => cardSays(card).toLowerCase();

/**
 * Give the entry: `element`, and `render(state)`. Every card of the game keeps its place and its letters for a whole
 * match; what cannot be turned now is switched off. onMode: called when a card begins or ends to be for the race
 * before.
 * @param {Pick<Desk, "act" | "seen">} desk
 * @param {() => void} onMode
 */
export function cardEntry({ act, seen }, onMode = () => {}) {
  /** @type {EntryCard[]} */
  let cards = [];
  const help = h("p", { class: "sentence type-help", id: "type-help" });
  const typed = h("input", { id: "type", type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    placeholder: say("two letters"), maxlength: 12, "aria-describedby": "type-help", oninput: onInput,
      onkeydown: onKey });
  const grid = h("div", { class: "card-grid" });
  const element = h("div", { class: "entry-form" }, h("label", { class: "field type" },
    h("span", { class: "unseen" }, say("Two letters")), typed), help, grid);
  let toRaceBefore = false;

  /** @param {boolean} on */
  function setAnother(on) {
    toRaceBefore = on;
    onMode();
    element.classList.toggle("is-another", on);
    help.textContent = on ? say("Which card lay there too? The race is judged again with it.") : example();
  }

  /** @param {Card} card */
  async function enter(card) {
    typed.value = "";
    const isAnother = toRaceBefore;
    setAnother(false);
    help.textContent = say("Entered: {card}.", { card: cardSays(card) });
    const done = isAnother ? act("/api/another-card", { card, by: lastName() || "referee", seen: seen() })
      : act("/api/reveal", { card, seen: seen() });
    if (!(await done)) help.textContent = say("Not entered: {card}.", { card: cardSays(card) });
  }

  /** How it is done, by the first card there is. */
  function example() {
    return cards.length ? say("Type two letters: “{keys}” is {card}.", { keys: cards[0].keys,
      card: cardSays(cards[0].card) })
      : say("Type two letters.");
  }

  function matching() {
    const text = typed.value.trim().toLowerCase();
    if (!text) return [];
    const exact = cards.filter((one) => one.keys === text || small(one) === text);
    return exact.length ? exact : cards.filter((one) => one.keys.startsWith(text) || small(one).startsWith(text));
  }

  function onInput() {
    const text = typed.value.trim().toLowerCase();
    const exact = cards.find((one) => one.keys === text);
    if (exact) {
      enter(exact.card);
      return;
    }
    const found = matching();
    mark(new Set(found.map((one) => one.card)));
    if (!text) help.textContent = example();
    else help.textContent = found.length ? found.map((one) => `${one.keys}: ${cardSays(one.card)}`).join(", ")
      : say("No card that can be turned up begins with “{letters}”.", { letters: text });
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (event.key === "Escape") typed.value = "";
    if (event.key !== "Enter") return;
    event.preventDefault();
    const found = matching();
    if (found.length === 1) enter(found[0].card);
  }

  /** @param {Set<Card | undefined>} found */
  function mark(found) {
    for (const button of grid.querySelectorAll("button")) button.classList.toggle("is-found",
      found.has(button.dataset.key));
  }

  function build() {
    /** @param {Card} name */
    const one = (name) => {
      const found = cards.find(({ card }) => card === name);
      const says = cardSays(name);
      const keys = found?.keys ?? cardNamed(name)?.keys ?? "–";
      return h("button", {
        type: "button", class: "card-key", "data-key": name, disabled: !found,
        "aria-label": found ? `${says}, ${keys}` : say("{card}, {keys}: cannot be turned up now", { card: says, keys }),
        onclick: () => enter(name),
      }, cardPicture(name), h("span", { class: "name" }, says), h("kbd", null, keys));
    };
    /** @param {Card[]} names */
    const row = (names) => {
      const element = h("div", { class: "card-row" }, names.map(one));
      element.style.setProperty("--columns", String(Math.min(MOST_COLUMNS, names.length)));
      return names.length > 0 && element;
    };
    const listed = new Set(all().map(({ name }) => name));
    const others = cards.map(({ card }) => card).filter((card) => !listed.has(card));
    /** @param {string | null} colour */
    const of = (colour) => all().filter((card) => card.colour === colour).map(({ name }) => name);
    return [row([...of(null), ...others]), COLOURS.map((colour) => row(of(colour)))];
  }

  addEventListener("keydown", (event) => {
    // letters typed anywhere on the desk go to the entry; with the shift key they are other things' keys
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !/^\p{L}$/u.test(event.key)) return;
    if (!keysAreOn() || isIn(event, "input, select, textarea, dialog") || !element.offsetParent) return;
    typed.focus();
  });

  return {
    element,
    another: () => {
      setAnother(!toRaceBefore);
      maybe(grid, "button:not(:disabled)")?.focus();
    },
    isAnother: () => toRaceBefore,
    hasCards: () => all().length > 0 || cards.length > 0,
    /** @param {State} state */
    render(state) {
      const before = cards;
      cards = state.can.reveal || state.can.another ? state.cards : [];
      if (before.length === 0 && cards.length > 0 && !typed.value) help.textContent = example();
      if (cards.length === 0) help.textContent = say("No card is entered now.");
      if (!state.can.another && toRaceBefore) setAnother(false);
      show(grid, [cards, all().length], build);
    },
  };
}
