// What can be printed, as PDF, on either paper.
import { h, show } from "../../frame/dom.js";
import { language, say } from "../../frame/say.js";
import { get } from "../api.js";
import { plate } from "./part.js";

/** @import { Live } from "../live.js" */
/** @import { DeskPart } from "./part.js" */

/**
 * @param {Live} live
 * @returns {DeskPart}
 */
export function printsPart(live) {
  const list = h("ul", { class: "prints" });
  let asked = "";
  live.on("event", async ({ stage, round }) => {
    const key = `${stage} ${round}`;
    if (key === asked) return;
    asked = key;
    const told = await get("/api/prints").catch(() => null);
    if (told === null) {
      asked = "";
      return;
    }
    show(list, told, () => (told.prints.length === 0
      ? h("li", { class: "empty" }, say("Nothing can be printed yet."))
      : told.prints.map((one) => h("li", null, h("span", null, one.title), h("span", { class: "actions" },
        told.papers.map((paper) => h("a", { class: "button is-small", target: "_blank", rel: "noopener",
          "aria-label": `${one.title}, ${paper}`,
          href: `/api/prints/${one.key}.pdf?${new URLSearchParams({ paper, language,
            ...(one.round === null ? {} : { round: String(one.round) }) })}` }, paper)))))));
  });
  const content = plate(say("Prints"), h("p", { class: "sentence" },
    say("Each opens as PDF. The pairings have the head of the log on them, by which the event can be checked later.")),
  list);
  return { id: "prints", title: say("Prints"), content };
}
