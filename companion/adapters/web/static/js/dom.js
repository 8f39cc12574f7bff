// Making elements, and replacing what a section shows only where its data has changed. Knows nothing of the box.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" && "value" in element) element.value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(9)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}

/** An HTML element. Attributes that are null, undefined or false are left out; "onclick" and the like are listeners. */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element, likewise. */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

const shown = new WeakMap();

/**
 * Let `target` show what `build` gives, if `data` (anything JSON can say) is not what it showed last. The focus goes
 * back to the element with the same data-key. Tells whether anything was built.
 */
export function show(target, data, build) {
  const text = JSON.stringify(data);
  if (shown.get(target) === text) return false;
  shown.set(target, text);
  const focused = target.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  const built = build();
  target.replaceChildren();
  append(target, [built]);
  if (focused !== undefined) target.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  return true;
}

/** Have the next `show` build anew, whatever its data. */
export function forget(target) {
  shown.delete(target);
}

export const byId = (id) => document.getElementById(id);
