// The box itself: how others reach it, another PIN, leaving the desk.
import { h } from "../frame/dom.js";
import { get, messageOf, putPin } from "../wire/api.js";
import { say } from "../frame/speaker.js";
import { capital } from "../frame/words.js";

/** @param {() => void} leave */
export function box(leave) {
  const link = h("div", { class: "link" });
  get("/api/link").then(({ urls, lan }) => link.replaceChildren(
    lan ? h("img", { src: "/api/link.svg", alt: "QR code of the address below", width: 120, height: 120 }) : "",
    h("p", null, lan ? "Others reach this box at " : "Only this machine reaches the box, at ",
      h("a", { href: urls[0] }, urls[0]))), () => {});
  const pin = h("input", { name: "new-pin", inputmode: "numeric", pattern: "[0-9]{4,12}", required: true,
    autocomplete: "off", maxlength: 12 });
  const said = h("p", { class: "sentence" }, "4 to 12 digits; all other referees must then enter it.");
  /** @param {SubmitEvent} event */
  async function change(event) {
    event.preventDefault();
    try {
      said.textContent = `${capital((await putPin(pin.value)).says)}.`;
      pin.value = "";
    } catch (problem) {
      said.textContent = capital(messageOf(problem));
    }
    say(said.textContent);
  }
  return [link,
    h("details", null, h("summary", null, "Another PIN"), h("form", { class: "actions", onsubmit: change },
      h("label", { class: "field" }, h("span", { class: "label" }, "New PIN"), pin),
      h("button", { class: "button", type: "submit" }, "Change")), said),
    h("p", { class: "actions" }, h("a", { class: "button is-small", href: "/overlay" }, "Overlay for streams"),
      h("a", { class: "button is-small", href: "/files" }, "Files for games"),
      h("button", { type: "button", class: "button is-small", id: "log-out", onclick: leave }, "Close the desk"))];
}
