// What a part of the desk's page is, and what several of them have.
import { h } from "../../frame/dom.js";

/** @import { Child } from "../../frame/dom.js" */
/** @typedef {{ id: string, title: string, content: Child }} DeskPart */

/**
 * A plate with a heading.
 * @param {string} title
 * @param {...Child} children
 */
export function plate(title, ...children) {
  return h("div", { class: "plate" }, h("h2", null, title), children);
}

/**
 * Something that is opened when it is wanted: a form that is seldom used.
 * @param {string} title
 * @param {...Child} children
 */
export function folded(title, ...children) {
  return h("details", { class: "plate folded" }, h("summary", null, title), children);
}
