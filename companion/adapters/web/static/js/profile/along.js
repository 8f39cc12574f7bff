// What goes with a person: their profile as a file and as a code, and their card.
import { h } from "../frame/dom.js";
import { say } from "../frame/say.js";
import { messageOf } from "../wire/api.js";
import { capital } from "../frame/words.js";

/** @import { Along } from "../../../documents.js" */

/**
 * @param {() => Promise<Along>} find
 */
export function along(find) {
  const place = h("div", { class: "stack" });
  const open = h("button", { type: "button", class: "button", id: "along", onclick: async () => {
    try {
      place.replaceChildren(shown(await find()));
      open.hidden = true;
    } catch (problem) {
      place.replaceChildren(h("p", { class: "problem", role: "alert" }, `${capital(messageOf(problem))}.`));
    }
  } }, say("Show file, code and card"));
  return h("section", { class: "plate stack", "aria-labelledby": "along-title" },
    h("h2", { id: "along-title" }, say("Take it along")),
    h("p", { class: "sentence" },
      say("To another box: as a file, or as a code that its scanner or its page reads.")),
    h("p", { class: "sentence" }, say("What the card says opens this profile: show it to nobody else.")),
    h("p", { class: "actions" }, open), place);
}

/** @param {Along} told */
function shown(told) {
  const file = URL.createObjectURL(new Blob([told.file], { type: "application/json" }));
  return h("div", { class: "profile-ways" },
    h("div", { class: "stack" }, h("h3", null, say("The file")),
      h("p", { class: "actions" }, h("a", { class: "button", id: "file", href: file,
        download: `${told.name}.profile.json` }, say("Keep it on this device")))),
    told.code_svg ? code(say("The profile"), told.code_svg, told.code) : h("p", { class: "sentence" },
      `${capital(told.code_says ?? "")}.`),
    told.card_svg && code(say("The card, for the scanner at a box"), told.card_svg, told.card),
    told.address_svg && code(say("For one’s own phone: this opens the page"), told.address_svg, told.address));
}

/**
 * @param {string} title
 * @param {string} svg
 * @param {string | null} text
 */
function code(title, svg, text) {
  const drawn = new DOMParser().parseFromString(svg, "text/html").body.firstElementChild;
  return h("figure", { class: "stack" }, h("figcaption", null, h("h3", null, title)),
    h("div", { class: "code-picture", role: "img", "aria-label": say("{title}, as a QR code", { title }) },
      drawn),
    text && h("details", null, h("summary", null, say("Its text")), h("p", { class: "code-text" }, text)));
}
