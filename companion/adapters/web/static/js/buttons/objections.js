// What a seat may say of a ruling, for itself: that it disputes the newest race, or that it accepts the result.
import { h } from "../frame/dom.js";
import { ask } from "../frame/ask.js";

/** @import { Colour, State } from "../../../documents.js" */
/** @import { Connection } from "../wire/connection.js" */

/**
 * The buttons for it, where it may.
 * @param {Colour} own
 * @param {State} state
 * @param {Connection} connection
 */
export function objections(own, { can, signed }, connection) {
  return [
    can.protest.includes(own) && h("button", { type: "button", class: "button is-small", id: "protest",
      "data-key": "protest", onclick: () => protest(connection) }, "Protest"),
    can.sign.includes(own) && h("button", { type: "button", class: "button is-main is-small", id: "sign",
      "data-key": "sign", onclick: () => connection.send({ type: "sign" }) }, "Accept the result"),
    signed.includes(own) && h("span", { class: "chip is-good" }, "✓ you signed the result"),
  ];
}

/** @param {Connection} connection */
async function protest(connection) {
  const said = await ask({
    title: "Protest?",
    about: ["Against the newest race that is judged. It is noted for all to see, and the referee answers it."],
    fields: [{ name: "text", label: "What about", optional: true }], yes: "Protest",
  });
  if (said) connection.send(said.text ? { type: "protest", text: said.text } : { type: "protest" });
}
