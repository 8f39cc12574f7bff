// Makes the address of an overlay from what is chosen. Sends nothing.
import { byId, h } from "./frame/dom.js";
import { written } from "./hall/address.js";
import { OVERLAY } from "./hall/parameters.js";
import { capital } from "./frame/words.js";
import { say } from "./frame/say.js";

/** @import { Known } from "./hall/address.js" */

/** @type {Record<string, string>} */
const SAYS = {
  place: say("Where"), size: say("How large"), theme: say("On what ground"), shows: say("What it shows"),
  stays: say("How many seconds a final order stays"),
};
/** @type {Record<string, string>} */
const WORDS = { top: say("at the top"), bottom: say("at the bottom"), left: say("at the left"),
  right: say("at the right"),
  small: say("small"), medium: say("medium"), large: say("large"), dark: say("dark"), light: say("light"),
  order: say("the order of a race"), card: say("the card of a race"), scores: say("everybody’s score, all the time"),
  turn: say("whose turn it is, between races"),
  clocks: say("the clocks of a game that has some"), clear: say("none, letters with an edge") };

const form = /** @type {HTMLFormElement} */ (byId("form"));
form.append(...Object.entries(OVERLAY).map(([name, known]) => field(name, known)));
form.addEventListener("input", update);
form.addEventListener("submit", (event) => event.preventDefault());
byId("copy").addEventListener("click", copy);
update();
document.body.classList.add("is-drawn");

/**
 * @param {string} name
 * @param {Known} known
 */
function field(name, known) {
  if (known.kind === "some") {
    return h("fieldset", { class: "field" }, h("legend", null, SAYS[name]), known.of.map((word) =>
      h("label", { class: "tick" },
        h("input", { type: "checkbox", name, value: word, checked: known.usual.includes(word) }),
        capital(WORDS[word] ?? word))));
  }
  const control = known.kind === "one"
    ? h("select", { name, id: name }, known.of.map((word) =>
      h("option", { value: word, selected: word === known.usual }, capital(WORDS[word] ?? word))))
    : h("input", { type: "number", name, id: name, min: known.low, max: known.high, value: known.usual,
      required: true });
  return h("label", { class: "field" }, h("span", null, SAYS[name]), control);
}

function update() {
  if (!form.checkValidity()) return;
  const chosen = new FormData(form);
  const asked = Object.fromEntries(Object.entries(OVERLAY).map(([name, known]) =>
    [name, known.kind === "some" ? chosen.getAll(name).map(String) : String(chosen.get(name))]));
  const address = new URL(`/overlay${written(asked, OVERLAY)}`, location.href).href;
  byId("address").setAttribute("href", address);
  byId("address").textContent = address;
  byId("copied").textContent = "";
}

async function copy() {
  const text = byId("address").textContent ?? "";
  try {
    await navigator.clipboard.writeText(text);
    byId("copied").textContent = say("It is copied.");
  } catch {
    getSelection()?.selectAllChildren(byId("address"));
    byId("copied").textContent = say("The browser does not let this page copy. The address is selected: "
      + "copy it by hand.");
  }
}
