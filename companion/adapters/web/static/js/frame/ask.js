// A question in a dialog of its own: what it is about, what must be said with it, and do it or leave it.
import { h } from "./dom.js";
import { say } from "./say.js";

const WHO = "companion referee";

/** The name that was given last as "who", so that it need not be typed each time. */
export const lastName = () => localStorage.getItem(WHO) ?? "";
/** @param {string} name */
export const rememberName = (name) => localStorage.setItem(WHO, name);

/**
 * @template {string} N
 * @typedef {{ name: N, label: string, value?: string, suggestions?: string[], optional?: boolean, maxlength?: number,
 *   type?: "text" | "number", min?: number, max?: number }} Field
 */

/**
 * Ask; all fields but optional ones have to be filled in. Gives what was entered by each field's name, null where the
 * question was left.
 * @template {string} [N=never]
 * @param {{ title: string, about?: string[], fields?: Field<N>[], yes?: string, isBad?: boolean }} question
 * @returns {Promise<Record<N, string> | null>}
 */
export function ask({ title, about = [], fields = [], yes = say("Do it"), isBad = false }) {
  return new Promise((resolve) => {
    const inputs = fields.map(({ name, label, value = "", suggestions = [], optional = false, maxlength = 200,
      type = "text", min, max }, index) => {
      const list = suggestions.length ? h("datalist", { id: `ask-list-${index}` },
        suggestions.map((text) => h("option", { value: text }))) : null;
      return h("label", { class: "field" }, h("span", { class: "label" }, label),
        h("input", { name, type, value, required: !optional, maxlength: type === "text" && maxlength, min, max,
          autocomplete: "off", list: list?.id }), list);
    });
    const dialog = h("dialog", { "aria-labelledby": "ask-title", class: "plate" },
      h("form", { method: "dialog", onsubmit: done },
        h("h2", { id: "ask-title" }, title), about.map((text) => h("p", null, text)), inputs,
        h("p", { class: "actions" },
          h("button", { class: `button ${isBad ? "is-bad" : "is-main"}`, type: "submit", value: "yes" }, yes),
          h("button", { class: "button", type: "button", onclick: () => dialog.close() }, say("Leave it")))));
    /** @type {Record<N, string> | null} */
    let answer = null;
    const before = document.activeElement;
    /** @param {SubmitEvent} event */
    function done(event) {
      event.preventDefault();
      const entered = [...dialog.querySelectorAll("input")].map((input) => [input.name, input.value.trim()]);
      answer = /** @type {Record<N, string>} */ (Object.fromEntries(entered));
      dialog.close();
    }
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (before instanceof HTMLElement) before.focus();
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
