// The bar at the top of each page: the way to the others, and whether what is shown is live.
import { h, byId } from "./dom.js";
import { say } from "./speaker.js";

/** @import { Connection } from "./connection.js" */

const PAGES = [["/", "Table"], ["/referee", "Referee"], ["/panel", "Panel"], ["/matches", "Matches"]];

/**
 * Build the bar; with a connection it shows whether that is alive, and what is wrong with the box.
 * @param {Connection | null} connection
 */
export function bar(connection = null) {
  const here = location.pathname.replace(/\.html$/, "").replace(/^\/index$/, "/");
  const links = PAGES.map(([address, name]) =>
    h("li", null, h("a", { href: address, "aria-current": address === here ? "page" : null }, name)));
  const lamp = h("p", { class: "lamp", id: "lamp" }, "connecting…");
  byId("bar").replaceChildren(
    h("a", { class: "brand", href: "/" }, h("span", { class: "brand-mark", "aria-hidden": "true" }), "companion"),
    h("nav", { "aria-label": "Pages" }, h("ul", null, links)),
    connection ? lamp : "",
  );
  if (connection) follow(connection, lamp);
}

/**
 * @param {Connection} connection
 * @param {HTMLElement} lamp
 */
function follow(connection, lamp) {
  const faults = h("div", { class: "faults", id: "faults", hidden: true });
  byId("bar").after(faults);
  let lost = false;
  const showLost = () => {
    lamp.textContent = "connection lost, trying again";
    lamp.className = "lamp is-lost";
    document.body.classList.add("is-lost");
    if (!lost) say("The connection to the box is lost. Trying again.");
    lost = true;
  };
  let grace = 0;
  connection.on("lost", () => {
    clearTimeout(grace);
    grace = setTimeout(showLost, lost ? 0 : 150);
  });
  connection.on("live", () => {
    clearTimeout(grace);
    lamp.textContent = connection.hello?.simulated ? "live, simulated box" : "live";
    lamp.className = "lamp is-live";
    document.body.classList.remove("is-lost");
    if (lost) say("Connected to the box again.");
    lost = false;
  });
  connection.on("state", ({ detail: { state } }) => {
    const texts = [...state.alarms];
    if (!state.recorded) texts.unshift("What is shown is not recorded: the journal cannot store it.");
    faults.hidden = texts.length === 0;
    faults.replaceChildren(...texts.map((text) => h("p", null, h("strong", null, "Fault: "), text)));
  });
}
