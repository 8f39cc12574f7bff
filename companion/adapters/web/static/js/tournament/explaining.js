// How each number of a player's standing came about: in a dialog, and on the player's own page.
import { h } from "../frame/dom.js";
import { say } from "../frame/say.js";
import { capital } from "../frame/words.js";
import { messageOf } from "../wire/api.js";
import { get } from "./api.js";

/** @import { Explained } from "../../../tournament/event_documents.js" */
/** @import { Child } from "../frame/dom.js" */

/** @param {number} player */
export async function explain(player) {
  const before = document.activeElement;
  /** @type {Child} */
  let content;
  let title = say("How it came about");
  try {
    const { name, standing } = await get(`/api/player/${player}`);
    title = say("{name}: how it came about", { name });
    content = standing ? numbers(standing) : h("p", null, say("Nothing has been played yet."));
  } catch (problem) {
    content = h("p", { class: "problem" }, capital(messageOf(problem)));
  }
  const dialog = h("dialog", { class: "plate explained", "aria-labelledby": "explained-title" },
    h("h2", { id: "explained-title" }, title), h("div", { tabindex: 0, class: "explained-body", role: "region",
      "aria-labelledby": "explained-title" }, content),
    h("p", { class: "actions" }, h("button", { type: "button", class: "button is-main",
      onclick: () => dialog.close() }, say("Close"))));
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before instanceof HTMLElement) before.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {Explained} standing */
export const numbers = ({ numbers: all }) => h("div", { class: "numbers" }, all.map(({ title, how, value, rows }) =>
  h("details", { class: "number-of" },
    h("summary", null, h("span", null, title), " ", h("strong", null, value)),
    h("p", { class: "sentence" }, `${capital(how)}.`),
    h("ul", null, rows.map((row) => h("li", null, capital(row)))))));
