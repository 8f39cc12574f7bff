// Phones that stand in for buttons: those that ask for a seat, with one consent for all of them or each by itself; and
// every phone with its seat, and the door.
import { h, show, within } from "../frame/dom.js";
import { COLOURS, isColour, token } from "../shown/symbols.js";
import { say, sayMany } from "../frame/say.js";
import { colourSays } from "../frame/words.js";

/** @import { Phone, State } from "../../../documents.js" */
/** @import { Desk } from "../referee.js" */

/**
 * The seat that a phone asks for and has not been given, null for none.
 * @param {Phone} phone
 */
const wish = ({ asks, seat }) => (asks && asks !== seat ? asks : null);

/**
 * Whether phones ask for seats: `element`, and `render(state)`.
 * @param {Pick<Desk, "act">} desk
 */
export function askingPhones({ act }) {
  const element = h("div", { class: "phones-all", id: "phones-all" });

  /** @param {Phone[]} asking */
  const consent = (asking) => [
    h("button", { type: "button", class: "button is-main", id: "grant-all", "data-key": "grant all", "data-answer": "",
      onclick: () => act("/api/phones", { codes: asking.map(({ code }) => code) }) },
      sayMany("Let this phone play", "Let these {count} phones play", asking.length)),
    h("ul", { class: "asking", id: "asking" }, asking.map((phone) => {
      const seat = wish(phone);
      return h("li", { class: "asked" }, seat && token(seat),
        h("span", { class: "asked-words" }, within(say("{phone} asks for {colour}"),
          { phone: h("strong", null, phone.code), colour: seat && colourSays(seat) })),
        asking.length > 1 && h("button", { type: "button", class: "button is-small", "data-key": `allow ${phone.code}`,
          onclick: () => act(`/api/phones/${phone.code}`, { seat }) }, seat && say("Only {colour}",
            { colour: colourSays(seat) })));
    })),
  ];

  return {
    element,
    /** @param {State} state */
    render({ phones }) {
      const asking = phones.filter((phone) => phone.connected && wish(phone));
      show(element, asking.map(({ code, asks }) => [code, asks]), () => asking.length > 0 && consent(asking));
    },
  };
}

/**
 * Every phone with its seat, and the door: `element`, and `render(state)`. asks: with those that ask for a seat on top.
 * @param {Pick<Desk, "act">} desk
 * @param {{ asks?: boolean }} [shown]
 */
export function phoneList({ act }, { asks = true } = {}) {
  const asking = askingPhones({ act });
  const list = h("ul", { class: "phone-list" });
  const door = h("input", { type: "checkbox", id: "door", "data-key": "door", onchange: async () => {
    const wanted = door.checked;
    if (!await act("/api/door", { open: wanted })) door.checked = !wanted;
  } });
  const element = h("div", { class: "phones-part" }, asks && asking.element, list,
    h("label", { class: "tick" }, door, say("New phones may join")));

  /**
   * @param {Phone} phone
   * @param {State["seats"]} seated
   */
  function row(phone, seated) {
    const seats = seated.length ? seated.map((seat) => seat.colour) : COLOURS;
    const quality = phone.error_ms === null ? say("clock not known yet") : `±${phone.error_ms} ms`;
    const select = h("select", {
      "aria-label": say("Seat of the phone {phone}", { phone: phone.code }), "data-key": `phone ${phone.code}`,
      onchange: ({ currentTarget: { value } }) =>
        act(`/api/phones/${phone.code}`, { seat: isColour(value) ? value : null }),
    }, h("option", { value: "" }, say("no seat")), seats.map((colour) =>
      h("option", { value: colour, selected: colour === phone.seat }, colourSays(colour))));
    return h("li", { "data-phone": phone.code },
      h("p", null, h("strong", null, phone.code), h("small", null, phone.connected ? quality : say("not connected"))),
      select);
  }

  return {
    element,
    /** @param {State} state */
    render(state) {
      if (asks) asking.render(state);
      show(list, [state.phones, state.seats.map(({ colour }) => colour)], () =>
        state.phones.map((phone) => row(phone, state.seats)));
      if (document.activeElement !== door) door.checked = state.door_open;
    },
  };
}
