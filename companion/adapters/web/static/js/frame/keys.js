// Single keys: what has one says so itself, and its key presses it. Whoever wishes switches them all off (WCAG 2.1.4):
// then no single key does anything anywhere. Knows no page.
import { h, isIn } from "./dom.js";
import { say } from "./say.js";

const SETTING = "companion keys";
const OFF = "keys-off";

/** Whether single keys do something here. */
export const keysAreOn = () => localStorage.getItem(SETTING) !== "off";

/** @param {boolean} on */
export function turnKeys(on) {
  localStorage.setItem(SETTING, on ? "on" : "off");
  document.body.classList.toggle(OFF, !on);
  for (const element of document.querySelectorAll("[data-shortcut]")) mark(element);
}

/**
 * Tell assistive technology of a key only where it does something.
 * @param {Element} element
 */
function mark(element) {
  const key = element.getAttribute("data-shortcut");
  if (key && keysAreOn()) element.setAttribute("aria-keyshortcuts", key);
  else element.removeAttribute("aria-keyshortcuts");
}

/**
 * The attributes of a control that this key presses: "1", "?", or "Shift+U": a letter, as letters alone are typed.
 * @param {string} key
 */
export const shortcut = (key) => ({ "data-shortcut": key, "aria-keyshortcuts": keysAreOn() ? key : null });

/**
 * Have a control that is there already pressed by this key, null: by none.
 * @param {Element} element
 * @param {string | null} key
 */
export function setShortcut(element, key) {
  if (key === null) element.removeAttribute("data-shortcut");
  else element.setAttribute("data-shortcut", key);
  mark(element);
}

/**
 * A key as it stands on its control, drawn by the style alone: it is no part of the control's words, and screen readers
 * have it from the control.
 * @param {string} key
 */
export const keycap = (key) =>
  h("kbd", { class: "keycap", "aria-hidden": "true", "data-cap": key.replace("Shift+", "⇧") });

/**
 * What a key press is called, null for none that could be a shortcut. A letter counts with the shift key alone: with
 * caps lock it is typed.
 * @param {KeyboardEvent} event
 */
function nameOf(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return null;
  if (!/^\p{L}$/u.test(event.key)) return event.key;
  return event.shiftKey ? `Shift+${event.key.toUpperCase()}` : event.key;
}

/**
 * The control that a key presses now, null where none is there, or it cannot be pressed.
 * @param {string} key
 */
function pressedBy(key) {
  const found = [...document.querySelectorAll(`[data-shortcut="${CSS.escape(key)}"]`)];
  return found.find((one) => one instanceof HTMLElement && one.checkVisibility() && !one.matches(":disabled")) ?? null;
}

/** Begin to listen. Nothing is pressed while something is typed, or a question is open. */
export function listenForKeys() {
  document.body.classList.toggle(OFF, !keysAreOn());
  addEventListener("keydown", (event) => {
    if (!keysAreOn() || isIn(event, "input, select, textarea, dialog")) return;
    if (document.querySelector("dialog[open]")) return;
    const name = nameOf(event);
    const control = name === null ? null : pressedBy(name);
    if (!(control instanceof HTMLElement)) return;
    event.preventDefault();
    if (control instanceof HTMLInputElement && control.type !== "checkbox") control.focus();
    else control.click();
  });
}

/**
 * What a control does, in words.
 * @param {Element} element
 */
function wordsOf(element) {
  return element.getAttribute("data-does") ?? element.getAttribute("aria-label") ?? element.textContent?.trim() ?? "";
}

/**
 * The button that lists the keys there are now, by the key "?"; `notes`: more of them, each with what it does.
 * @param {[key: string, does: string][]} notes
 */
export function keysButton(notes = []) {
  return h("button", { type: "button", class: "button tool", id: "keys", "data-does": say("list the keys"),
    onclick: () => listKeys(notes), ...shortcut("?") }, h("span", { class: "tool-name" }, say("Keys")), keycap("?"));
}

/** @param {[key: string, does: string][]} notes */
function listKeys(notes) {
  const before = document.activeElement;
  const found = [...document.querySelectorAll("[data-shortcut]")].filter((one) => one.checkVisibility());
  const rows = /** @type {[string, string][]} */ (
    found.map((one) => [one.getAttribute("data-shortcut") ?? "", wordsOf(one)]));
  const tick = h("input", { type: "checkbox", id: "keys-on", checked: keysAreOn(),
    onchange: ({ currentTarget }) => turnKeys(currentTarget.checked) });
  const dialog = h("dialog", { class: "plate key-list", "aria-labelledby": "key-list-title" },
    h("h2", { id: "key-list-title" }, say("Keys")),
    h("label", { class: "tick" }, tick, say("Single keys do something")),
    h("p", { class: "sentence" },
      say("Switched off, letters and digits do nothing by themselves, and the tabulator key, "
      + "space and enter still reach everything.")),
    h("dl", { tabindex: 0, "aria-label": say("Keys that do something now") }, [...notes, ...rows].map(([key, does]) =>
      h("div", null, h("dt", null, h("kbd", null, key.replace("Shift+", "⇧ "))), h("dd", null, does)))),
    h("p", { class: "actions" }, h("button", { type: "button", class: "button is-main",
      onclick: () => dialog.close() }, say("Close"))));
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before instanceof HTMLElement) before.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}
