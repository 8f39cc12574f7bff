// What a seat has drawn unseen and holds: a key that shows it for as long as it is looked at. Nothing of it lies on the
// page before that, so that nobody beside the player reads it in passing.
import { h, show } from "../frame/dom.js";
import { capital } from "../frame/words.js";
import { say } from "../frame/say.js";

/** @import { Me } from "../../../documents.js" */

/** Give the key, and what draws it anew. */
export function inHand() {
  const list = h("div", { class: "in-hand-list" });
  const dialog = h("dialog", { class: "plate in-hand", "aria-labelledby": "in-hand-title", id: "in-hand" },
    h("h2", { id: "in-hand-title" }, say("Only you see this")), list,
    h("p", { class: "actions" }, h("button", { type: "button", class: "button is-main", id: "in-hand-close",
      onclick: () => dialog.close() }, say("Hide it again"))));
  document.body.append(dialog);
  /** @type {Me["in_hand"]} */
  let held = [];
  const fill = () => show(list, dialog.open ? held : [], () => (dialog.open ? held : []).map(entry));
  const opener = h("button", { type: "button", class: "button is-small", id: "look-in-hand", hidden: true,
    "aria-haspopup": "dialog", onclick: () => {
      dialog.showModal();
      fill();
    } }, say("What you hold"));
  dialog.addEventListener("close", fill);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) dialog.close();
  });
  /** @param {Me["in_hand"]} now */
  const render = (now) => {
    held = now;
    opener.hidden = held.length === 0;
    if (dialog.open && opener.hidden) dialog.close();
    fill();
  };
  return { opener, render };
}

/** @param {Me["in_hand"][number]} one */
function entry({ label, items, note }) {
  return h("section", null, h("h3", null, capital(label)),
    items.length > 0 && h("ul", { class: "in-hand-items" }, items.map((item) => h("li", null, item))),
    note && h("p", null, note));
}
