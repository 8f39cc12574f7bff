// Which card was turned up, said by whoever turned it: a key that opens all cards. It gives the buttons free as soon
// as a race runs, so that nobody's own press waits for it.
import { h, show } from "../frame/dom.js";
import { scanKey } from "../scanning/opener.js";
import { cardSays } from "../shown/looks.js";
import { cardPicture } from "../shown/symbols.js";
import { say } from "../frame/say.js";

/** @import { Card, State } from "../../../documents.js" */

/**
 * Give the key, and what draws it anew: `may` is whether this seat may enter a card now.
 * @param {(card: Card) => void} enter
 * @param {() => void} scan  have the camera look which it is
 */
export function turnedCard(enter, scan) {
  const grid = h("div", { class: "turned-cards" });
  const dialog = h("dialog", { class: "plate turned", "aria-labelledby": "turned-title", id: "turned" },
    h("h2", { id: "turned-title" }, say("Which card lies face up?")), grid,
    h("p", { class: "actions" }, scanKey("scan-turned", () => {
      dialog.close();
      scan();
    }), h("button", { type: "button", class: "button", id: "turned-close",
      onclick: () => dialog.close() }, say("Back to the buttons"))));
  document.body.append(dialog);
  const opener = h("button", { type: "button", class: "button is-small", id: "enter-card", hidden: true,
    "aria-haspopup": "dialog", onclick: () => dialog.showModal() }, say("Enter the card"));
  /**
   * @param {State | null} state
   * @param {boolean} may
   */
  const render = (state, may) => {
    const cards = may && state ? state.cards : [];
    const isRacing = Boolean(state?.race?.is_running && !state.race.asks_card);
    opener.hidden = cards.length === 0;
    if (dialog.open && (opener.hidden || isRacing)) dialog.close();
    show(grid, cards.map(({ card }) => card), () => cards.map(({ card }) =>
      h("button", { type: "button", class: "button", "data-key": `turned ${card}`, onclick: () => {
        dialog.close();
        enter(card);
      } }, cardPicture(card), cardSays(card))));
  };
  return { opener, render };
}
