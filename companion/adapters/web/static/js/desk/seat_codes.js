// Where phones ask for a seat: a code for each, and who plays it.
import { h } from "../frame/dom.js";
import { COLOURS, token } from "../shown/symbols.js";
import { capital, colourSays } from "../frame/words.js";
import { say } from "../frame/say.js";

/** @import { Colour, Link, State } from "../../../documents.js" */

/**
 * A tile for each seat: its code, its address in words, whether a phone asks for it or plays it.
 * @param {Link} link
 * @param {State} state
 */
export function seatCodes(link, state) {
  const home = link.urls[0] ?? "";
  const seats = state.match && !state.match.over ? state.seats.map(({ colour }) => colour) : COLOURS;
  return h("ul", { class: "seat-codes" }, seats.map((colour) => h("li", { class: "seat-code", "data-colour": colour },
    h("p", { class: "seat-code-head" }, token(colour), h("strong", null, capital(colourSays(colour))), stands(colour,
      state)),
    h("img", { src: `/api/seats/${colour}.svg`, alt: say("QR code: play {colour} on a phone",
      { colour: colourSays(colour) }), width: 168, height: 168,
      loading: "lazy" }),
    h("p", { class: "seat-address" }, home, h("wbr"), `play#seat=${colour}`))));
}

/**
 * @param {Colour} colour
 * @param {State} state
 */
function stands(colour, { phones, lobby }) {
  const plays = phones.find(({ seat }) => seat === colour);
  if (plays) {
    return h("span", { class: `chip ${plays.connected ? "is-good" : "is-bad"}` },
      plays.connected ? say("✓ {phone} plays", { phone: plays.code }) : say("{phone} has gone", { phone: plays.code }));
  }
  const asks = phones.find((one) => one.asks === colour && one.connected);
  if (asks) return h("span", { class: "chip is-heat" }, say("{phone} asks", { phone: asks.code }));
  return h("span", { class: "chip is-idle" }, lobby?.seats.includes(colour) ? say("seated at the box") : say("free"));
}
