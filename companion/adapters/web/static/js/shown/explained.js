// In a practice match: why the newest race was ruled as it was, in the box's words.
import { h } from "../frame/dom.js";
import { explain } from "../frame/term.js";
import { token } from "./symbols.js";
import { who } from "../frame/words.js";
import { say } from "../frame/say.js";

/** @import { Colour, State } from "../../../documents.js" */

/**
 * For every seat of the race, or for one alone; null where there is nothing to explain.
 * @param {State} state
 * @param {Colour | null} only
 */
export function explained(state, only = null) {
  const told = (state.race?.explained ?? []).filter(({ colour }) => only === null || colour === only);
  if (told.length === 0) return null;
  return h("section", { class: "explained", "aria-labelledby": "explained-title" },
    h("h3", { id: "explained-title" }, say("Why it was ruled so")),
    h("ul", null, told.map(({ colour, says, rule }) => h("li", { "data-colour": colour },
      token(colour),
      h("div", null,
        h("p", null, h("strong", null, who(state.seats, colour)), " ", says.join(" ")),
        rule && h("p", null, h("a", { href: rule.more, target: "_blank" }, say("The rules: {clause}",
          { clause: rule.says }))))))));
}

/**
 * The same for one seat where there is little room: a button that opens it; null where there is nothing to explain.
 * @param {State} state
 * @param {Colour} own
 */
export function whyButton(state, own) {
  const mine = state.race?.explained.find(({ colour }) => colour === own);
  if (!mine) return null;
  const more = mine.rule && { address: mine.rule.more, words: say("The rules: {clause}", { clause: mine.rule.says }) };
  return h("button", { type: "button", class: "button is-small", id: "why", "data-key": "why",
    "aria-haspopup": "dialog", onclick: ({ currentTarget }) =>
      explain(currentTarget.getBoundingClientRect(), say("Why it was ruled so"), mine.says.map((text) => h("p", null,
        text)),
        more) }, say("Why?"));
}
