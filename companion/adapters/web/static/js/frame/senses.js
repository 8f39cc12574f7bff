// The switches for what is heard and seen of each sign, and how loud: the same on every page, kept by this browser.
import { h } from "./dom.js";
import { letMark, marks, showMark } from "./edge_mark.js";
import { say } from "./say.js";
import { isOn, play, setVolume, turnSound, volume, wake } from "./sound.js";

/** How loud: a slider, whose end is heard. */
export function volumeSlider() {
  const slider = h("input", { type: "range", id: "volume", min: 0, max: 100, step: 5, value: volume(),
    oninput: () => setVolume(Number(slider.value)),
    onchange: () => {
      wake();
      play("accepted");
    } });
  return h("label", { class: "field" }, h("span", { class: "label" }, say("Volume")), slider);
}

export function soundTick() {
  return tick("sound", say("Sound"), isOn(), (on) => {
    turnSound(on);
    wake();
  });
}

export function markTick() {
  return tick("marks", say("Mark at the edge for each tone"), marks(), (on) => {
    letMark(on);
    showMark("accepted");
  });
}

/**
 * @param {string} id
 * @param {string} label
 * @param {boolean} checked
 * @param {(on: boolean) => void} changed
 */
export function tick(id, label, checked, changed) {
  const box = h("input", { type: "checkbox", checked, id, onchange: () => changed(box.checked) });
  return h("label", { class: "tick" }, box, label);
}
