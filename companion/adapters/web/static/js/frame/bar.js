// The bar at the top of each page: the way to the others, and whether what is shown is live.
import { h, byId } from "./dom.js";
import { say } from "./speaker.js";
import { capital } from "./words.js";

/** @import { Connection } from "../wire/connection.js" */

const LOST = "connection lost. What is shown may be old: stay on this page, it tries again by itself; if that takes "
  + "long, look whether the box runs and this device is in its network.";

/** A connection that is lost is told only after so long: one that is made anew is back by then. */
const GRACE_MS = 600;

/**
 * Complete the bar, which comes with the page: with a connection it shows whether that is alive, and faults.
 * @param {Connection | null} connection
 */
export function bar(connection = null) {
  if (!connection) return;
  const lamp = h("p", { class: "lamp", id: "lamp" }, "connecting…");
  byId("bar").append(lamp);
  follow(connection, lamp);
}

/**
 * @param {Connection} connection
 * @param {HTMLElement} lamp
 */
function follow(connection, lamp) {
  const faults = h("aside", { class: "faults", id: "faults", "aria-label": "Faults", hidden: true });
  byId("bar").after(faults);
  let lost = false;
  const showFaults = () => {
    const { state } = connection;
    const texts = state ? [...state.alarms] : [];
    if (state && !state.recorded) texts.unshift("What is shown is not recorded: the journal cannot store it.");
    if (lost) texts.unshift(LOST);
    faults.hidden = texts.length === 0;
    faults.replaceChildren(...texts.map((text) => h("p", null, h("strong", null, "Fault: "), text)));
  };
  const showLost = () => {
    lamp.textContent = "connection lost, trying again";
    lamp.className = "lamp is-lost";
    document.body.classList.add("is-lost");
    if (!lost) say(capital(LOST));
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
    lamp.textContent = connection.hello?.simulated ? "live, simulated box" : "live";
    lamp.className = "lamp is-live";
    document.body.classList.remove("is-lost");
    if (lost) say("Connected to the box again.");
    lost = false;
    showFaults();
  });
  connection.on("state", showFaults);
}
