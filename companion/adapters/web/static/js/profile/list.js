// Everybody's profiles, for the referee: a list, a new one, and one that came from another box.
import { h } from "../frame/dom.js";
import { say } from "../frame/say.js";
import { capital } from "../frame/words.js";

/** @import { Profile, Profiles } from "../../../documents.js" */

/** The largest that is read: a profile is far smaller. */
const MOST_BYTES = 32_768;

/**
 * @param {Profiles} told
 * @param {string[]} names  of everybody on the list of players
 * @param {{ begin: (name: string) => void, takeIn: (text: string) => void }} does
 */
export function list({ profiles, problems }, names, does) {
  const missing = names.filter((name) => !profiles.some((one) => one.name === name));
  const name = h("input", { id: "new-profile", maxlength: 12, required: true, autocomplete: "off",
    list: "without-profile" });
  return h("div", { class: "profile-ways" },
    h("section", { class: "plate", "aria-labelledby": "profiles-title" },
      h("h2", { id: "profiles-title" }, say("Profiles "), h("small", null, profiles.length)),
      problems.map((text) => h("p", { class: "problem" }, `${capital(text)}.`)),
      profiles.length === 0 && h("p", { class: "empty" },
        say("Nobody has one yet: all play by the settings of their seats.")),
      h("ul", { class: "line-list", id: "profiles" }, profiles.map((one) => h("li", null,
        h("a", { class: "line-link", href: `#person=${encodeURIComponent(one.name)}` },
          h("strong", { translate: "no" }, one.name), h("span", null, about(one)))))),
      h("form", { class: "stack", onsubmit: (event) => {
        event.preventDefault();
        does.begin(name.value.trim());
      } },
        h("label", { class: "field" }, h("span", { class: "label" }, say("A profile for")), name),
        h("datalist", { id: "without-profile" }, missing.map((one) => h("option", { value: one }))),
        h("p", { class: "actions" },
          h("button", { class: "button", type: "submit", id: "begin-profile" }, say("Begin it"))))),
    takeIn(does.takeIn));
}

/** @param {Profile} profile */
function about({ has_card: hasCard, wishes, concessions }) {
  return [hasCard ? say("has a card") : say("no card"), wishes.input === "scan" ? say("one switch")
    : say("four buttons"),
    ...(concessions.length ? [say("every seat agrees first")] : [])].join(" · ");
}

/** @param {(text: string) => void} take */
function takeIn(take) {
  const text = h("textarea", { id: "import-text", maxlength: MOST_BYTES, spellcheck: "false", required: true });
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  /** @param {string} said */
  const fail = (said) => {
    problem.textContent = said;
    problem.hidden = false;
  };
  return h("section", { class: "plate stack", "aria-labelledby": "import-title" },
    h("h2", { id: "import-title" }, say("From another box")),
    h("p", { class: "sentence" },
      say("A profile comes as a file or as a QR code. A scanner at this box reads the code, too.")),
    h("label", { class: "field" }, h("span", { class: "label" }, say("A file, or a picture of a code")),
      h("input", { type: "file", id: "import-file", accept: ".json,application/json,text/plain,image/*",
        onchange: async ({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (!file) return;
          problem.hidden = true;
          try {
            take(file.type.startsWith("image/") ? await codeIn(file) : await textOf(file));
          } catch (error) {
            fail(error instanceof Error ? error.message : String(error));
          }
        } })),
    h("form", { class: "stack", onsubmit: (event) => {
      event.preventDefault();
      take(text.value);
    } },
      h("label", { class: "field" }, h("span", { class: "label" }, say("Or the text of either")), text),
      h("p", { class: "actions" }, h("button", { class: "button", type: "submit", id: "import" }, say("Take it in")))),
    problem);
}

/** @param {File} file */
async function textOf(file) {
  if (file.size > MOST_BYTES) throw new Error(say("This file is too large to be a profile."));
  return file.text();
}

/**
 * The browser's own reader of codes, which TypeScript does not know yet.
 * @typedef {{ detect: (picture: ImageBitmap) => Promise<{ rawValue: string }[]> }} CodeReader
 */

/**
 * Read a code off a picture, by the browser's own means.
 * @param {File} file
 * @returns {Promise<string>}
 */
async function codeIn(file) {
  const here = /** @type {{ BarcodeDetector?: new (asked: { formats: string[] }) => CodeReader }} */ (globalThis);
  if (!here.BarcodeDetector) {
    throw new Error(say(
      "This browser reads no codes off pictures: scan it with the phone’s camera, and paste its text."));
  }
  const [found] = await new here.BarcodeDetector({ formats: ["qr_code"] }).detect(await createImageBitmap(file));
  if (!found) throw new Error(say("There is no code in this picture."));
  return found.rawValue;
}
