// The lists of the page: players, evenings, links that were given out. What changes them is handed in.
import { h } from "../frame/dom.js";
import { say } from "../frame/say.js";

/** @import { Link, People, Share } from "../../../documents.js" */

/** @param {string} name */
export const personHash = (name) => `#person=${encodeURIComponent(name)}`;

/**
 * @param {People["people"]} people
 * @param {(name: string) => Promise<boolean>} add
 */
export function players(people, add) {
  const input = h("input", { id: "new-name", maxlength: 12, required: true, autocomplete: "off" });
  return h("section", { class: "plate", "aria-labelledby": "players-title" },
    h("h2", { id: "players-title" }, say("Players"), " ", h("small", null, people.length)),
    people.length === 0 && h("p", { class: "empty" },
      say("Nobody yet. Whoever plays with a name in the match form is kept here, and need not be typed again.")),
    h("ul", { class: "line-list", id: "players" }, people.map(({ name, says }) => h("li", null,
      h("a", { class: "line-link", href: personHash(name) },
        h("strong", { translate: "no" }, name), h("span", null, says))))),
    h("form", { class: "add-form", onsubmit: async (event) => {
      event.preventDefault();
      if (await add(input.value.trim())) input.value = "";
    } },
      h("label", { class: "field" }, h("span", { class: "label" }, say("Another player")), input),
      h("button", { class: "button", type: "submit", id: "add" }, say("Add"))));
}

/** @param {People["evenings"]} evenings */
export function evenings(evenings) {
  return h("section", { class: "plate", "aria-labelledby": "evenings-title" },
    h("h2", { id: "evenings-title" }, say("Evenings"), " ", h("small", null, evenings.length)),
    evenings.length === 0 && h("p", { class: "empty" }, say("No match is over yet.")),
    h("ul", { class: "line-list", id: "evenings" }, evenings.map(({ evening, says, matches, players: who }) =>
      h("li", null, h("a", { class: "line-link", href: `#evening=${evening}` },
        h("strong", null, says), h("span", null, `${matches}${who && `: ${who}`}`))))));
}

/**
 * Links, each to be copied or taken back.
 * @param {Share[]} shares
 * @param {Link} link  how others reach the box
 * @param {(token: string) => void} takeBack
 */
export function links(shares, link, takeBack) {
  if (shares.length === 0) return null;
  const base = link.lan ? link.urls[0].replace(/\/$/, "") : location.origin;
  return h("section", { class: "plate", "aria-labelledby": "links-title" },
    h("h2", { id: "links-title" }, say("Links")),
    h("p", { class: "sentence" }, say("Whoever has one sees that page without a PIN, on this box’s network.")),
    !link.lan && h("p", { class: "sentence" },
      say("This box serves only its own machine now; with --lan, others reach the links.")),
    h("ul", { class: "share-list", id: "links" }, shares.map(({ token, address, says }) => {
      const field = h("input", { readonly: true, value: base + address, "aria-label": say("Link: {what}",
        { what: says }) });
      return h("li", null, h("a", { href: address }, says), field,
        h("span", { class: "actions" },
          h("button", { type: "button", class: "button", onclick: () => copy(field) }, say("Copy")),
          h("button", { type: "button", class: "button is-bad", "aria-label": say("Take back the link: {what}",
            { what: says }),
            onclick: () => takeBack(token) }, say("Take back"))));
    })));
}

/**
 * Copy a field's text: by the clipboard, which only secure pages have, else by its being selected.
 * @param {HTMLInputElement} field
 */
async function copy(field) {
  field.focus();
  field.select();
  await navigator.clipboard?.writeText(field.value).catch(() => {});
}

/** Files for other programs. */
export function files() {
  return h("section", { class: "plate", "aria-labelledby": "files-title" },
    h("h2", { id: "files-title" }, say("Files")),
    h("p", { class: "sentence" },
      say("Every match that is over, with what each player did. Nothing leaves the box by itself.")),
    h("p", { class: "actions" },
      h("a", { class: "button", href: "/api/people/export.csv", download: "people.csv" }, say("CSV, for spreadsheets")),
      h("a", { class: "button", href: "/api/people/export.jsonl", download: "people.jsonl" }, "JSON Lines")));
}
