// How each input is: pressed now, its last bounce, contacts that were no press. Asked for while somebody looks.
import { h, show } from "../frame/dom.js";
import { get, messageOf } from "../wire/api.js";
import { say, sayMany } from "../frame/say.js";

/** @import { Health, InputHealth } from "../../../documents.js" */

const AGAIN_MS = 1000;

/** Give the part: it asks the box each second while it is open. */
export function health() {
  const table = h("div", { class: "health" });
  const element = h("details", { id: "health-details", ontoggle: look },
    h("summary", null, say("How each button is")), table);
  let timer = 0;

  async function look() {
    clearTimeout(timer);
    if (!element.open || !element.isConnected) return;
    if (document.visibilityState === "visible") {
      try {
        draw(await get("/api/health"));
      } catch (problem) {
        table.replaceChildren(h("p", { class: "problem" }, messageOf(problem)));
      }
    }
    timer = setTimeout(look, AGAIN_MS);
  }

  /** @param {Health} found */
  function draw({ withheld, inputs }) {
    if (withheld !== null) {
      show(table, withheld, () => h("p", { class: "sentence" }, `${withheld}.`));
      return;
    }
    const known = inputs.filter(({ presses, is_doubtful: doubtful, is_down: down }) => presses || doubtful || down);
    const rest = inputs.length - known.length;
    show(table, [known, rest], () => [
      h("ul", { class: "input-list" }, known.map(one)),
      rest > 0 && h("p", { class: "sentence" },
      sayMany("{count} more input: nothing to tell yet.", "{count} more inputs: nothing to tell yet.", rest))]);
  }

  /** @param {InputHealth} input */
  const one = ({ line, is_doubtful: doubtful, is_down: down, says }) => h("li", { "data-line": line },
    h("strong", null, line), " ",
    down && h("span", { class: "chip is-turn" }, say("● pressed now")), " ",
    doubtful && h("span", { class: "chip is-bad" }, say("! look at it")),
    h("p", { class: "sentence" }, `${says}.`));

  return { element };
}
