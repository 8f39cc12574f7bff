// Entering the card that was turned up: one tap, or two letters. After a race has been judged, one tap more says that
// the card lay there too when it began, and it is judged again.
import { lastName } from "./ask.js";
import { h, isIn, show } from "./dom.js";
import { cards as all, cardSays } from "./looks.js";
import { cardPicture, COLOURS } from "./symbols.js";

/** @import { Card, EntryCard, State } from "../../documents.js" */
/** @import { Desk } from "./referee.js" */

const MOST_COLUMNS = 6;

/**
 * What people call a card, in small letters.
 * @param {EntryCard} entry
 */
const small = ({ card }) => cardSays(card).toLowerCase();

/**
 * Give the entry: `element`, and `render(state)`.
 * @param {Pick<Desk, "act" | "seen">} desk
 */
export function cardEntry({ act, seen }) {
  /** @type {EntryCard[]} */
  let cards = [];
  const help = h("p", { class: "sentence", id: "type-help" });
  const typed = h("input", { id: "type", type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    maxlength: 12, "aria-describedby": "type-help", oninput: onInput, onkeydown: onKey });
  const grid = h("div", { class: "card-grid" });
  const another = h("button", { type: "button", class: "button", id: "another-card", hidden: true,
    "aria-pressed": "false", onclick: () => setAnother(!isAnother()) });
  const element = h("div", { class: "entry-form" }, another, h("label", { class: "field type" },
    h("span", { class: "label" }, "Two letters"), typed), help, grid);

  const isAnother = () => another.getAttribute("aria-pressed") === "true";

  /** @param {boolean} on */
  function setAnother(on) {
    another.setAttribute("aria-pressed", String(on));
    element.classList.toggle("is-another", on);
    help.textContent = on ? "Which card lay there too? The race is judged again with it." : example();
  }

  /** @param {Card} card */
  async function enter(card) {
    typed.value = "";
    const toRaceBefore = isAnother();
    setAnother(false);
    help.textContent = `Entered: ${cardSays(card)}.`;
    const done = toRaceBefore ? act("/api/another-card", { card, by: lastName() || "referee", seen: seen() })
      : act("/api/reveal", { card, seen: seen() });
    if (!(await done)) help.textContent = `Not entered: ${cardSays(card)}.`;
  }

  /** How it is done, by the first card there is. */
  function example() {
    return cards.length ? `Type two letters: “${cards[0].keys}” is ${cardSays(cards[0].card)}.` : "Type two letters.";
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
      : `No card that can be turned up begins with “${text}”.`;
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
      return h("button", {
        type: "button", class: "card-key", "data-key": name, disabled: !found,
        "aria-label": found ? `${says}, ${found.keys}` : `${says}: cannot be turned up any more`,
        onclick: () => enter(name),
      }, cardPicture(name), h("span", { class: "name" }, says), h("kbd", null, found?.keys ?? "–"));
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
    help.textContent = example();
    return [row([...of(null), ...others]), COLOURS.map((colour) => row(of(colour)))];
  }

  addEventListener("keydown", (event) => {
    // letters typed anywhere on the desk go to the entry
    if (event.ctrlKey || event.metaKey || event.altKey || !/^\p{Ll}$/u.test(event.key)) return;
    if (isIn(event, "input, select, textarea, dialog, button, a") || !element.offsetParent) return;
    typed.focus();
  });

  return {
    element,
    /** @param {State} state */
    render(state) {
      cards = state.cards;
      another.hidden = !state.can.another;
      another.textContent = `Another card was turned for ${state.game?.race_name ?? ""} ${state.race?.number ?? ""}`;
      if (another.hidden && isAnother()) setAnother(false);
      if (cards.length) show(grid, cards, build);
    },
  };
}
