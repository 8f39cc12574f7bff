// One file to write: its text, its name, where it begins from, what is done with it. What is typed and not kept stays
// in this window's own memory till it is.
import { ask } from "../frame/ask.js";
import { h } from "../frame/dom.js";
import { readOut } from "../frame/speaker.js";
import { capital } from "../frame/words.js";
import { messageOf, post } from "../wire/api.js";
import { fileAddress, fileHash, getFile, textOf } from "../wire/texts.js";
import { editor } from "./editor.js";
import { remove } from "./lists.js";
import { pastMatches } from "./past.js";
import { trial } from "./trial.js";
import { say } from "../frame/say.js";

/** @import { FileAsked, GameFile } from "../../../documents.js" */

/**
 * @typedef {{
 *   tell: (text: string, isBad?: boolean) => void,
 *   go: (where: [string, string, string] | [], says?: string) => void,
 *   refused: (problem: unknown) => void,
 *   isSimulated: boolean,
 * }} Doing
 */

/**
 * Give `element`, and `isKept()`: whether all that was typed is kept.
 * @param {FileAsked} asked
 * @param {GameFile | null} file  what it begins with; null where the game has none
 * @param {boolean} isNew
 * @param {Doing} doing
 */
export function workshop(asked, file, isNew, { tell, go, refused, isSimulated }) {
  const { game, key } = asked;
  const isOwn = !isNew && file?.kind === "kept";
  const draft = `file ${fileHash(game, key, isNew ? "" : file?.name ?? "")}`;
  const left = stored(draft);
  let kept = file?.text ?? "";
  let seen = isOwn ? file.seen : null;
  const text = editor(asked, left ?? kept, changed);
  const name = h("input", { id: "file-name", required: true, maxlength: 40, autocomplete: "off", spellcheck: "false",
    value: isOwn ? file.name : "", placeholder: "my-file.toml", "aria-describedby": "file-name-says" });
  const save = h("button", { type: "submit", class: "button is-main", id: "keep" }, say("Keep it"));
  const practise = h("button", { type: "button", class: "button", id: "practise", hidden: !isSimulated, onclick: play },
    say("Practise with it on this box"));
  const tried = trial(asked, text);
  const past = pastMatches(asked, text);

  const element = h("div", { class: "workshop" },
    h("section", { class: "plate", "aria-labelledby": "text-title" },
      h("h2", { id: "text-title" }, isNew ? say("A new file") : file?.name),
      !isNew && file?.kind !== "kept" && h("p", { class: "sentence" },
        say("This one comes along with the game. Change it as you like, and keep yours under a name of its own.")),
      left !== null && left !== kept && h("p", { class: "plate said", id: "left" },
        say("What you had typed and not kept is back."), " ",
        h("button", { type: "button", class: "button is-small", onclick: forget }, say("Take the kept text instead"))),
      begins(),
      text.element,
      h("form", { class: "keeping", onsubmit: keep },
        h("label", { class: "field" }, h("span", { class: "label" }, say("Name")), name),
        save,
        h("p", { class: "sentence", id: "file-name-says" }, say("Letters, digits, spaces and . _ - +, at most 40."))),
      h("p", { class: "actions" }, links())),
    tried.element, past.element);
  changed();

  function links() {
    const address = `${fileAddress(game, key, file?.name ?? "")}/text`;
    return [
      file && !isNew && h("a", { class: "button", href: address, download: file.name, "data-key": "download" },
        say("Download")),
      isOwn && h("button", { type: "button", class: "button is-bad", id: "delete", onclick: () =>
        remove({ game, key, name: file.name, seen: seen ?? "" }, (says) => {
          forgetDraft();
          go([], says);
        }, refused) }, say("Delete")),
      practise,
      h("a", { class: "button", href: "/host", "data-key": "host" }, say("Begin a match")),
    ];
  }

  /** On a simulated box: a practice match on its own buttons, by the text as it stands. */
  async function play() {
    try {
      await post("/api/try", { game, files: { [key]: { name: name.value.trim() || key, text: text.text() } } });
      location.assign("/try");
    } catch (problem) {
      refused(problem);
    }
  }

  /** What the text may begin from: any file there is, or one of this device. */
  function begins() {
    const list = h("select", { id: "from" }, asked.files.map((one) =>
      h("option", { value: one.name, selected: one.name === file?.name }, one.title ? `${one.name}: ${one.title}`
        : one.name)));
    const upload = h("input", { type: "file", id: "upload", accept: "text/*,.toml,.txt",
      onchange: (event) => take(event.currentTarget.files?.[0]) });
    return h("details", { class: "begins" }, h("summary", null, say("Start from another file")),
      asked.files.length > 0 && h("p", { class: "actions" },
        h("label", { class: "field" }, h("span", { class: "label" }, say("One of this box")), list),
        h("button", { type: "button", class: "button", id: "take", onclick: () => takeFrom(list.value) },
          say("Take it"))),
      h("label", { class: "field" }, h("span", { class: "label" }, say("One of this device")), upload));
  }

  /** @param {string} from */
  async function takeFrom(from) {
    try {
      await put((await getFile(game, key, from)).text, from);
    } catch (problem) {
      refused(problem);
    }
  }

  /** @param {File | undefined} from */
  async function take(from) {
    if (!from) return;
    try {
      await put(await textOf(from), from.name);
      if (!name.value) name.value = from.name.slice(0, 40);
    } catch (problem) {
      tell(`${from.name}: ${messageOf(problem)}.`, true);
    }
  }

  /**
   * Take a text in the place of what stands there; what was typed is only put away by somebody who says so.
   * @param {string} content
   * @param {string} from
   */
  async function put(content, from) {
    const isSame = text.text() === kept || text.text() === "";
    if (!isSame && !(await ask({ title: say("Put away what you have typed?"), yes: say("Take the other text"),
      isBad: true,
      about: [say("The text of {file} takes the place of what stands here, which is not kept.",
        { file: from })] }))) return;
    text.put(content);
    readOut(say("The text is that of {file} now.", { file: from }));
  }

  /** @param {SubmitEvent} event */
  async function keep(event) {
    event.preventDefault();
    save.disabled = true; // one at a time: what was seen is of the answer before
    const content = text.text();
    const isSameName = isOwn && name.value.trim() === file.name;
    try {
      const told = await post("/api/files/save", { game, key, name: name.value, text: content,
        seen: isSameName ? seen : null });
      forgetDraft();
      if (!isSameName) return go([game, key, told.name], `${capital(told.says)}.`);
      [kept, seen] = [content, told.seen];
      changed();
      tell(`${capital(told.says)}.`);
    } catch (problem) {
      refused(problem);
    } finally {
      save.disabled = false;
    }
  }

  function changed() {
    if (text.text() === kept) forgetDraft();
    else store(draft, text.text());
    practise.disabled = (text.faults() ?? [null]).length > 0;
    tried.changed();
    past.changed();
  }

  function forgetDraft() {
    store(draft, null);
  }

  function forget() {
    text.put(kept);
    element.querySelector("#left")?.remove();
  }

  return { element, isKept: () => stored(draft) === null };
}

/**
 * What this window remembers; nothing where it may not.
 * @param {string} key
 */
function stored(key) {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {string | null} text
 */
function store(key, text) {
  try {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    return; // a browser that keeps nothing: the page asks before it is left, all the same
  }
}
