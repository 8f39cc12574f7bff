// The bar at the top of each page: the way to the others, and whether what is shown is live.
import { h, byId } from "./dom.js";
import { factsPanel, followBox, simpleSwitch } from "./simple.js";
import { readOut } from "./speaker.js";
import { post } from "../wire/api.js";
import { voiceControls } from "./voice.js";
import { say } from "./say.js";
import { capital } from "./words.js";

/** @import { Connection } from "../wire/connection.js" */

const LOST = say("connection lost. What is shown may be old: stay on this page, it tries again by itself; if "
  + "that takes long, look whether the box runs and this device is in its network.");

/** A connection that is lost is told only after so long: one that is made anew is back by then. */
const GRACE_MS = 600;

/**
 * Complete the bar, which comes with the page: with a connection it shows whether that is alive, and faults. At the
 * end of the page is the switch to have it read aloud.
 * @param {Connection | null} connection
 */
export function bar(connection = null) {
  byId("main").after(h("p", { class: "page-switch" }, simpleSwitch()), voiceControls() ?? "");
  if (!connection) return;
  followBox(connection);
  factsPanel(connection);
  const lamp = h("p", { class: "lamp", id: "lamp" }, say("connecting…"));
  byId("bar").append(lamp);
  follow(connection, lamp);
}

/** The key that takes away what stands on the box's display until somebody dismisses it. */
const dismisser = () => h("button", { type: "button", class: "button is-small", id: "dismiss", "data-key": "dismiss",
  onclick: () => post("/api/dismiss", {}).catch(() => {}) }, say("Dismiss what is shown"));

/**
 * @param {Connection} connection
 * @param {HTMLElement} lamp
 */
function follow(connection, lamp) {
  const faults = h("aside", { class: "faults", id: "faults", "aria-label": say("Faults"), hidden: true });
  byId("bar").after(faults);
  let lost = false;
  const showFaults = () => {
    const { state } = connection;
    const texts = state ? [...state.alarms] : [];
    if (state && !state.recorded) texts.unshift(say("What is shown is not recorded: the journal cannot store it."));
    if (lost) texts.unshift(LOST);
    faults.hidden = texts.length === 0;
    const canDismiss = Boolean(state?.can.dismiss) && Boolean(connection.hello?.referee) && !lost;
    faults.hidden &&= !canDismiss;
    faults.replaceChildren(...texts.map((text) => h("p", null, h("strong", null, say("Fault:")), " ", text)),
      ...(canDismiss ? [dismisser()] : []));
  };
  const showLost = () => {
    lamp.textContent = say("connection lost, trying again");
    lamp.className = "lamp is-lost";
    document.body.classList.add("is-lost");
    if (!lost) readOut(capital(LOST));
    lost = true;
    showFaults();
  };
  let grace = 0;
  connection.on("lost", () => {
    clearTimeout(grace);
    grace = setTimeout(showLost, lost ? 0 : GRACE_MS);
  });
  connection.on("live", () => {
    clearTimeout(grace);
    lamp.textContent = connection.hello?.simulated ? say("live, simulated box") : say("live");
    lamp.className = "lamp is-live";
    document.body.classList.remove("is-lost");
    if (lost) readOut(say("Connected to the box again."));
    lost = false;
    showFaults();
  });
  connection.on("state", showFaults);
}
