// What a person's own card says, as this device keeps it: whoever has the device has the card.
import { h } from "../frame/dom.js";
import { say } from "../frame/say.js";

const KEPT = "companion card";

/** The card that this device keeps, "" for none. */
export const keptCard = () => localStorage.getItem(KEPT) ?? "";
/** @param {string} card */
export const keepCard = (card) => localStorage.setItem(KEPT, card.trim());
export const forgetCard = () => localStorage.removeItem(KEPT);

/**
 * A form that asks for what a card says.
 * @param {(card: string) => void} opened
 */
export function cardForm(opened, words = say("Open my profile")) {
  const card = h("input", { id: "own-card", name: "card", autocomplete: "off", autocapitalize: "characters",
    spellcheck: "false", required: true, maxlength: 40, "aria-describedby": "own-card-help" });
  return h("form", { class: "plate stack", id: "card-form", onsubmit: (event) => {
    event.preventDefault();
    opened(card.value);
  } },
    h("h2", null, say("Your card")),
    h("p", { class: "sentence", id: "own-card-help" },
      say("Type what stands on it, P- and 16 characters. This device then opens your profile by itself.")),
    h("label", { class: "field" }, h("span", { class: "label" }, say("What the card says")), card),
    h("p", { class: "actions" }, h("button", { type: "submit", class: "button is-main" }, words)));
}
