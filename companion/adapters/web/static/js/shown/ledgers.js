// Accounts as the game keeps them: a table each, with its own caption. On a narrow page the table scrolls by itself, on
// paper it stands as it is.
import { h } from "../frame/dom.js";
import { token } from "./symbols.js";
import { say } from "../frame/say.js";
import { colourSays } from "../frame/words.js";

/** @import { Ledger } from "../../../documents.js" */

/**
 * The accounts under a heading; nothing where a game keeps none.
 * @param {Ledger[]} ledgers
 */
export function accounts(ledgers) {
  if (ledgers.length === 0) return null;
  return [h("h2", { id: "ledgers-title" }, ledgers.length === 1 ? say("Account") : say("Accounts")),
    ledgers.map(ledgerTable)];
}

const NUMBER = /^[+−-]?[\d.,:  ]*$/;

/** @param {Ledger} ledger */
function ledgerTable({ key, title, columns, rows, note }) {
  const kinds = columns.map((_, index) => rows.some(({ values }) => !NUMBER.test(values[index] ?? "")) && "is-text");
  return h("figure", { class: "ledger" },
    h("div", { class: "ledger-scroll", tabindex: 0, role: "region", "aria-labelledby": `ledger-${key}` },
      h("table", null, h("caption", { id: `ledger-${key}` }, title),
        h("thead", null, h("tr", null, h("td"),
          columns.map((text, index) => h("th", { scope: "col", class: kinds[index] }, text)))),
        h("tbody", null, rows.map(({ label, owner, values }) => h("tr", null,
          h("th", { scope: "row" }, owner
            ? h("span", { class: "player-chip" }, token(owner), h("span", null, label),
              !label.toLowerCase().includes(colourSays(owner)) && h("span", { class: "unseen" },
                `, ${colourSays(owner)}`))
            : label),
          values.map((text, index) => h("td", { class: kinds[index] }, text))))))),
    note && h("figcaption", null, note));
}
