// Making elements, and replacing what a section shows only where its data has changed. Knows nothing of the box.

/** @typedef {string | number | boolean | null | undefined} Value  of an attribute; null, undefined and false: none */
/** @typedef {Node | string | number | false | null | undefined} Leaf */
/** @typedef {Leaf | Child[]} Child  what may stand in an element: lists are taken apart, what is empty is left out */
/**
 * Attributes and listeners of an element.
 * @template {Element} E
 * @typedef {{
 *   onchange?: (event: Event & { currentTarget: E }) => void,
 *   onclick?: (event: MouseEvent & { currentTarget: E }) => void,
 *   oninput?: (event: Event & { currentTarget: E }) => void,
 *   onkeydown?: (event: KeyboardEvent & { currentTarget: E }) => void,
 *   onsubmit?: (event: SubmitEvent & { currentTarget: E }) => void,
 *   [name: string]: Value | ((event: never) => void),
 * }} Attributes
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {Element} E
 * @param {E} element
 * @param {Attributes<E> | null | undefined} attributes
 * @param {Child[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name === "value" && "value" in element) element.value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

/**
 * @param {Element} element
 * @param {Child[]} children
 */
export function append(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(element, child);
    else if (child !== null && child !== undefined && child !== false) {
      element.append(typeof child === "number" ? String(child) : child);
    }
  }
}

/**
 * A sentence with elements in it, each in the place that `{name}` holds.
 * @param {string} text
 * @param {Record<string, Child>} parts
 * @returns {Child[]}
 */
export const within = (text, parts) => text.split(/\{(\w+)\}/)
  .map((piece, index) => (index % 2 ? parts[piece] : piece));

/**
 * An HTML element. Attributes that are null, undefined or false are left out; "onclick" and the like are listeners.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes<HTMLElementTagNameMap[K]> | null} [attributes]
 * @param {...Child} children
 */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * An SVG element, likewise.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes<SVGElementTagNameMap[K]> | null} [attributes]
 * @param {...Child} children
 */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** @type {WeakMap<Element, string>} */
let shown = new WeakMap();

/**
 * Let `target` show what `build` gives, if `data` (anything JSON can say) is not what it showed last. The focus goes
 * back to the element with the same data-key. Tells whether anything was built.
 * @param {Element} target
 * @param {unknown} data
 * @param {() => Child} build
 */
export function show(target, data, build) {
  const text = JSON.stringify(data);
  if (shown.get(target) === text) return false;
  shown.set(target, text);
  const active = document.activeElement;
  const focused = active instanceof HTMLElement && target.contains(active) ? active.dataset.key : undefined;
  const built = build();
  target.replaceChildren();
  append(target, [built]);
  if (focused !== undefined) maybe(target, `[data-key="${CSS.escape(focused)}"]`)?.focus();
  return true;
}

/** Have everything built anew at its next `show`. */
export function forgetAll() {
  shown = new WeakMap();
}

/**
 * The page's element of that name. An Error where there is none: pages have what their scripts look for.
 * @param {string} id
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return element;
}

/**
 * The first part of an element that `selector` finds, null where there is none.
 * @param {Element} element
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function maybe(element, selector) {
  return element.querySelector(selector);
}

/**
 * Likewise, an Error where there is none.
 * @param {Element} element
 * @param {string} selector
 */
export function part(element, selector) {
  const found = maybe(element, selector);
  if (found === null) throw new Error(`nothing is ${selector}`);
  return found;
}

/**
 * Tell whether an event came from inside of what `selector` finds, and that is seen: a field of a dialog that has just
 * closed has the focus until the page is drawn next.
 * @param {Event} event
 * @param {string} selector
 */
export const isIn = ({ target }, selector) =>
  target instanceof Element && Boolean(target.closest(selector)?.checkVisibility());
