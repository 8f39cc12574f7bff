// Which input is which button: a button is named here and pressed at the box, before a match.
import { h } from "../frame/dom.js";
import { say } from "../frame/say.js";
import { COLOURS } from "../shown/symbols.js";
import { buttonSays } from "../frame/words.js";

/** @import { Desk } from "../referee.js" */

const PLACES = ["first", "second", "third", "fourth"];
const KNOB_PUSH = "knob push";

/**
 * What asks for the input that shall be a button.
 * @param {Pick<Desk, "act">} desk
 */
export function inputs({ act }) {
  const button = h("select", { name: "button" },
    COLOURS.map((colour) => PLACES.map((place) => h("option", { value: `${colour} ${place}` },
      buttonSays(`${colour} ${place}`)))),
    h("option", { value: KNOB_PUSH }, buttonSays(KNOB_PUSH)));
  /** @param {SubmitEvent} event */
  function ask(event) {
    event.preventDefault();
    act("/api/input", { button: button.value });
  }
  return h("details", { class: "inputs" }, h("summary", null, say("Which input is which button")),
    h("p", { class: "sentence" }, say(
      "Any switch, pad or key can be any button. Before a match: choose one, then press at the box what it shall be.")),
    h("form", { class: "actions", onsubmit: ask },
      h("label", { class: "field" }, h("span", { class: "label" }, say("Button, from the left")), button),
      h("button", { class: "button", type: "submit", "data-key": "assign" }, say("Press it now")),
      h("button", { class: "button is-small", type: "button", "data-key": "stop assigning",
        onclick: () => act("/api/input", { button: null }) }, say("Nothing more")),
      h("button", { class: "button is-small", type: "button", "data-key": "forget input",
        onclick: () => act("/api/input", { button: button.value, forget: true }) },
          say("Take away what was assigned"))));
}
