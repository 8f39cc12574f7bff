// What a seat may say of a ruling, for itself: that it disputes the newest race, or that it accepts the result;
// and that it plays no card.
import { h } from "../frame/dom.js";
import { ask } from "../frame/ask.js";
import { say } from "../frame/say.js";

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
      "data-key": "protest", onclick: () => protest(connection) }, say("Protest")),
    can.sign.includes(own) && h("button", { type: "button", class: "button is-main is-small", id: "sign",
      "data-key": "sign", onclick: () => connection.send({ type: "sign" }) }, say("Accept the result")),
    can.none.includes(own) && h("button", { type: "button", class: "button is-small", id: "none",
      "data-key": "none", onclick: () => connection.send({ type: "none" }) }, say("I play no card")),
    signed.includes(own) && h("span", { class: "chip is-good" }, say("✓ you signed the result")),
  ];
}

/** @param {Connection} connection */
async function protest(connection) {
  const said = await ask({
    title: say("Protest?"),
    about: [say("Against the newest race that is judged. It is noted for all to see, and the referee answers it.")],
    fields: [{ name: "text", label: say("What about"), optional: true }], yes: say("Protest"),
  });
  if (said) connection.send(said.text ? { type: "protest", text: said.text } : { type: "protest" });
}
