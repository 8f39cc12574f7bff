// The one menu of a player's page: sound, trembling, full screen, what is known of this phone, help, and getting up.
import { isOn, turnSound, wake } from "../frame/sound.js";
import { h, show } from "../frame/dom.js";
import { canTremble, letTremble, tremble, trembles } from "./touch_back.js";
import { touchTrial } from "./trial.js";

/** @import { Colour } from "../../../documents.js" */
/** @import { PanelLink } from "./panel_link.js" */

/** A clock with larger steps is told to whoever plays by it. */
const COARSE_MS = 4;

/**
 * Give the button that opens it, and what draws it anew.
 * @param {PanelLink} link
 * @param {() => Colour | null} seat
 * @param {() => void} leave
 */
export function phoneMenu(link, seat, leave) {
  const code = h("p", { class: "menu-code", id: "code" });
  const clock = h("p", { class: "menu-clock", id: "clock" });
  const doubt = h("p", { class: "menu-clock", id: "doubt" });
  const seated = h("p", { class: "actions" });
  const dialog = h("dialog", { class: "plate", "aria-labelledby": "menu-title", id: "menu" },
    h("h2", { id: "menu-title" }, "This phone"), code, clock, doubt,
    tick("Sound", isOn(), (on) => {
      turnSound(on);
      wake();
    }, "sound"),
    canTremble() && tick("Tremble at what became of a press", trembles(), (on) => {
      letTremble(on);
      tremble("taken");
    }, "tremble"),
    touchTrial(() => link.tellDevice()),
    h("p", { class: "actions" },
      document.fullscreenEnabled && h("button", { type: "button", class: "button", id: "full-screen",
        onclick: fullScreen }, "Full screen"),
      h("a", { class: "button", href: "/help" }, "Help")),
    seated,
    h("p", { class: "actions" }, h("button", { type: "button", class: "button is-main", id: "menu-close",
      onclick: () => dialog.close() }, "Back to the buttons")));
  document.body.append(dialog);
  const opener = h("button", { type: "button", class: "button menu-opener", id: "menu-opener",
    "aria-haspopup": "dialog", onclick: () => dialog.showModal() }, "Menu");
  /** @param {boolean} isLive */
  const render = (isLive) => {
    const { about } = link;
    code.textContent = about ? `Its code is ${about.code}.` : "";
    clock.textContent = about ? clockSays(about, isLive) : "";
    show(seated, seat(), () => seat() && h("button", { type: "button", class: "button is-bad", id: "leave",
      onclick: () => {
        dialog.close();
        leave();
      } }, `Give up the seat (${seat()})`));
  };
  /** @param {string} why  the newest press counts from its arrival */
  const doubted = (why) => {
    doubt.textContent = `A press was counted from its arrival: ${why}.`;
  };
  return { opener, render, doubted };
}

/**
 * @param {import("../../../documents.js").PanelMessage} about
 * @param {boolean} isLive
 */
function clockSays({ ready, error_ms: width, step_ms: step }, isLive) {
  if (!isLive || !ready) return "Its clock is being compared with the box.";
  const known = width === null ? "" : `Its clock is known to ±${width} ms.`;
  return step > COARSE_MS
    ? `${known} This browser tells the time in steps of ${step.toFixed(1)} ms: presses may count from when they arrive.`
    : known;
}

/**
 * @param {string} label
 * @param {boolean} checked
 * @param {(on: boolean) => void} changed
 * @param {string} id
 */
function tick(label, checked, changed, id) {
  const box = h("input", { type: "checkbox", checked, id, onchange: () => changed(box.checked) });
  return h("label", { class: "tick" }, box, label);
}

function fullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen({ navigationUI: "hide" }).catch(() => {});
}
