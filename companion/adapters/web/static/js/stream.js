// Makes the address of an overlay from what is chosen. Sends nothing.
import { byId, h } from "./frame/dom.js";
import { written } from "./hall/address.js";
import { OVERLAY } from "./hall/parameters.js";
import { capital } from "./frame/words.js";

/** @import { Known } from "./hall/address.js" */

/** @type {Record<string, string>} */
const SAYS = {
  place: "Where", size: "How large", theme: "On what ground", shows: "What it shows",
  stays: "How many seconds a final order stays",
};
/** @type {Record<string, string>} */
const WORDS = { order: "the order of a race", card: "the card of a race", scores: "everybody’s score, all the time",
  turn: "whose turn it is, between races",
  clocks: "the clocks of a game that has some", clear: "none, letters with an edge" };

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
    byId("copied").textContent = "It is copied.";
  } catch {
    getSelection()?.selectAllChildren(byId("address"));
    byId("copied").textContent = "The browser does not let this page copy. The address is selected: copy it by hand.";
  }
}
