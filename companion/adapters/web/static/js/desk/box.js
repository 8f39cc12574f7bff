// The box itself: how others reach it, another PIN, leaving the desk.
import { h, within } from "../frame/dom.js";
import { get, messageOf, post, putPin } from "../wire/api.js";
import { readOut } from "../frame/speaker.js";
import { capital } from "../frame/words.js";
import { say } from "../frame/say.js";

/** @param {() => void} leave */
export function box(leave) {
  const link = h("div", { class: "link" });
  get("/api/link").then(({ urls, lan }) => link.replaceChildren(
    lan ? h("img", { src: "/api/link.svg", alt: say("QR code of the address below"), width: 120, height: 120 }) : "",
    h("p", null, within(lan ? say("Others reach this box at {address}")
      : say("Only this machine reaches the box, at {address}"), { address: h("a", { href: urls[0] }, urls[0]) }))),
        () => {});
  const pin = h("input", { name: "new-pin", inputmode: "numeric", pattern: "[0-9]{4,12}", required: true,
    autocomplete: "off", maxlength: 12 });
  const said = h("p", { class: "sentence" }, say("4 to 12 digits; all other referees must then enter it."));
  /** @param {SubmitEvent} event */
  async function change(event) {
    event.preventDefault();
    try {
      said.textContent = `${capital((await putPin(pin.value)).says)}.`;
      pin.value = "";
    } catch (problem) {
      said.textContent = capital(messageOf(problem));
    }
    readOut(said.textContent);
  }
  const sounds = h("p", { class: "sentence" }, say("The box’s own buzzer, for everybody at the table."));
  /** @param {boolean} on */
  async function turn(on) {
    try {
      sounds.textContent = `${capital((await post("/api/sound", { on })).says)}.`;
    } catch (problem) {
      sounds.textContent = capital(messageOf(problem));
    }
    readOut(sounds.textContent);
  }
  return [link,
    h("details", null, h("summary", null, say("Sound of the box")), h("p", { class: "actions" },
      h("button", { type: "button", class: "button", id: "sound-on", onclick: () => turn(true) }, say("On")),
      h("button", { type: "button", class: "button", id: "sound-off", onclick: () => turn(false) }, say("Off"))),
        sounds),
    h("details", null, h("summary", null, say("Another PIN")), h("form", { class: "actions", onsubmit: change },
      h("label", { class: "field" }, h("span", { class: "label" }, say("New PIN")), pin),
      h("button", { class: "button", type: "submit" }, say("Change"))), said),
    h("p", { class: "actions" }, h("a", { class: "button is-small", href: "/overlay" }, say("Overlay for streams")),
      h("a", { class: "button is-small", href: "/files" }, say("Files for games")),
      h("button", { type: "button", class: "button is-small", id: "log-out", onclick: leave }, say("Close the desk")))];
}
