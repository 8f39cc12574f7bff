// Forms that have the desk do something. What it refuses is said at the form, at the field that it names; what was
// typed stays until it is done.
import { ask } from "../frame/ask.js";
import { append, h } from "../frame/dom.js";
import { say } from "../frame/say.js";
import { readOut } from "../frame/speaker.js";
import { capital } from "../frame/words.js";
import { messageOf, Refused } from "../wire/api.js";
import { act } from "./api.js";

/** @import { Acts } from "../../../tournament/event_documents.js" */
/** @import { Child } from "../frame/dom.js" */

const WHO = "companion desk name";
/** The name that was given last as "who", so that it need not be typed each time. */
export const lastName = () => localStorage.getItem(WHO) ?? "";

/**
 * A field. list: the id of a list that offers values. choices: makes it a choice among these.
 * @typedef {{ name: string, label: string, value?: string, optional?: boolean, maxlength?: number, list?: string,
 *   type?: "text" | "number" | "checkbox" | "textarea", min?: number, max?: number,
 *   choices?: { value: string, label: string }[] }} Field
 */

/** @typedef {{ title: string, about?: string[], yes: string, isBad?: boolean }} Question */

/** Called where a session has ended; a page with sessions sets it. */
export const session = { ended: () => {} };

/**
 * What is said of an act: done, or why not. `fields`: of which the one that the desk names is marked.
 */
export class Saying {
  problem = h("p", { class: "problem", role: "alert", hidden: true });
  done = h("p", { class: "done", role: "status", hidden: true });

  /** @param {string} says */
  said(says) {
    const sentence = `${capital(says)}.`;
    this.problem.hidden = true;
    this.done.textContent = sentence;
    this.done.hidden = false;
  }

  /**
   * @param {unknown} refusal
   * @param {HTMLElement | null} [form]
   */
  refused(refusal, form = null) {
    if (refusal instanceof Refused && refusal.status === 401) session.ended();
    const message = messageOf(refusal);
    this.done.hidden = true;
    this.problem.textContent = capital(message);
    this.problem.hidden = false;
    const named = /`\$\.(\w+)/.exec(message)?.[1];
    const field = form?.querySelector(named ? `[name="${named}"]` : "[data-first]");
    if (field instanceof HTMLElement) {
      if (named) field.setAttribute("aria-invalid", "true");
      field.focus();
    }
  }

  clear() {
    this.problem.hidden = true;
    this.done.hidden = true;
  }
}

/**
 * Have something done, asked for first where it cannot be taken back; tells whether it was.
 * @template {keyof Acts} A
 * @param {A} name
 * @param {Acts[A]} body
 * @param {Saying} saying
 * @param {{ sure?: Question, form?: HTMLElement }} [wishes]
 */
export async function doAct(name, body, saying, { sure, form } = {}) {
  saying.clear();
  if (sure && (await ask(sure)) === null) return false;
  try {
    const { says } = await act(name, body);
    saying.said(says);
    readOut(`${capital(says)}.`);
    return true;
  } catch (refusal) {
    saying.refused(refusal, form ?? null);
    return false;
  }
}

/**
 * A button that has something done. body: gives what is asked for, null: nothing now.
 * @template {keyof Acts} A
 * @param {string} text
 * @param {A} name
 * @param {() => Acts[A] | null} body
 * @param {{ saying: Saying, kind?: string, sure?: () => Question, key?: string, label?: string }} wishes
 */
export function actButton(text, name, body, { saying, kind = "", sure, key, label }) {
  const button = h("button", { type: "button", class: `button ${kind}`, "data-key": key, "aria-label": label,
    onclick: async () => {
      const wanted = body();
      if (wanted === null) return;
      button.disabled = true;
      const question = sure?.();
      await doAct(name, wanted, saying, question ? { sure: question } : {});
      button.disabled = false;
    } }, text);
  return button;
}

/** @typedef {{ [name: string]: string }} Values */

/**
 * A form. body: makes of what was typed what is asked for. sure: what is asked before. done: called after it was done.
 * @template {keyof Acts} A
 * @param {A} name
 * @param {{ id: string, title: string, about?: Child, fields: Field[], yes: string, isBad?: boolean, keep?: string[],
 *   body: (values: Values) => Acts[A] | null, sure?: (values: Values) => Question | undefined, done?: () => void,
 *   more?: Child }} wishes
 */
export function actForm(name, { id, title, about, fields, yes, isBad, keep = ["by"], body, sure, done, more }) {
  const saying = new Saying();
  const submit = h("button", { type: "submit", class: `button ${isBad ? "is-bad" : "is-main"}` }, yes);
  const form = h("form", { class: "act", id, onsubmit: async (event) => {
    event.preventDefault();
    if (submit.disabled) return;
    for (const one of form.querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
    const values = valuesOf(form);
    const wanted = body(values);
    if (wanted === null) return;
    submit.disabled = true;
    const question = sure?.(values);
    const isDone = await doAct(name, wanted, saying, question ? { sure: question, form } : { form });
    submit.disabled = false;
    if (!isDone) return;
    if (values.by) localStorage.setItem(WHO, values.by);
    empty(form, keep);
    done?.();
  } }, h("h3", null, title), about, fields.map((field, index) => fieldOf(id, field, index)));
  append(form, [more, saying.problem, saying.done, h("p", { class: "actions" }, submit)]);
  return { form, saying };
}

/** @param {HTMLFormElement} form */
function valuesOf(form) {
  /** @type {Values} */
  const values = {};
  for (const one of form.querySelectorAll("input, select, textarea")) {
    if (one instanceof HTMLInputElement && one.type === "checkbox") values[one.name] = one.checked ? "yes" : "";
    else if (one instanceof HTMLInputElement || one instanceof HTMLSelectElement
      || one instanceof HTMLTextAreaElement) values[one.name] = one.value.trim();
  }
  return values;
}

/**
 * @param {HTMLFormElement} form
 * @param {string[]} keep
 */
function empty(form, keep) {
  for (const one of form.querySelectorAll("input, textarea")) {
    if (one instanceof HTMLTextAreaElement) one.value = "";
    else if (one instanceof HTMLInputElement && one.type !== "checkbox" && !keep.includes(one.name)) one.value = "";
  }
  const first = form.querySelector("[data-first]");
  if (first instanceof HTMLElement) first.focus();
}

/**
 * @param {string} form
 * @param {Field} field
 * @param {number} index
 */
function fieldOf(form, field, index) {
  const { name, label, value = name === "by" ? lastName() : "", optional = false, maxlength = 200, list, type = "text",
    min, max, choices } = field;
  const usual = { id: `${form}-${name}`, name, required: !optional, "data-first": index === 0 };
  const said = h("span", { class: "label" }, optional ? say("{label} (if any)", { label }) : label);
  if (choices) {
    return h("label", { class: "field" }, h("span", { class: "label" }, label), h("select", usual,
      choices.map((one) => h("option", { value: one.value, selected: one.value === value }, one.label))));
  }
  if (type === "checkbox") {
    return h("label", { class: "tick" }, h("input", { id: `${form}-${name}`, name, type, checked: value === "yes" }),
      h("span", null, label));
  }
  if (type === "textarea") {
    return h("label", { class: "field" }, said, h("textarea", { ...usual, rows: 3, maxlength }));
  }
  return h("label", { class: "field" }, said, h("input", { ...usual, type, value, min, max, list,
    maxlength: type === "text" && maxlength, autocomplete: "off" }));
}

/** A number that may be left out. */
export const orNull = (/** @type {string} */ typed) => (typed === "" ? null : Number(typed));

/**
 * Who "by" is, in most forms.
 * @returns {Field}
 */
export const byField = () => ({ name: "by", label: say("Your name"), maxlength: 80 });
