// Replace a call: choose an earlier line, say what stands in its place or before it, see what every later ruling
// becomes, accept or leave it. Changes nothing until it is accepted; the record keeps both.
import { h, maybe, show } from "../frame/dom.js";
import { get, messageOf, post } from "../wire/api.js";
import { lastName, rememberName } from "../frame/ask.js";
import { readOut } from "../frame/speaker.js";
import { capital, colourSays } from "../frame/words.js";
import { changesSay } from "./changes.js";
import { say } from "../frame/say.js";

/**
 * @import {
 *   Change, Content, Fate, KnownPress, LineField, Preview, RecordDocument, RecordLine, Retold, State
 * } from "../../../documents.js"
 */
/** @import { Desk } from "../referee.js" */

/** @type {Record<Fate, string>} */
const FATES = { out: say("taken out"), new: say("put in"), same: say("as before"), changed: say("rulings change"),
  misfit: say("does not fit any more") };

/**
 * What can be changed in a line: what the box says, and whose press it was. Times are never entered.
 * @param {RecordLine} line
 * @param {State | null} state
 * @returns {LineField[]}
 */
function fieldsOf({ content, fields }, state) {
  if (content.type !== "press") return fields;
  const values = (state?.seats ?? []).map(({ colour }) => ({ value: colour, label: colourSays(colour) }));
  return [{ name: "colour", label: say("colour"), values }, ...fields];
}

/**
 * The end of the record, as a line that nothing stands in yet.
 * @param {RecordDocument} record
 * @returns {RecordLine}
 */
const endOf = ({ seen }) => ({ line: seen + 1, says: say("the end of the record"), content: { type: "" }, fields: [] });

/**
 * What the game calls its buttons, as the box gives them with a press.
 * @param {RecordDocument | null} record
 */
function rolesOf(record) {
  const press = record?.lines.find(({ content }) => content.type === "press");
  const values = press?.fields.find(({ name }) => name === "role")?.values ?? [];
  return values.map(({ value, label }) => ({ value: String(value), label }));
}

/** @param {KnownPress} press */
const pressSays = ({ line, says, state }) => `${line}: ${says}${state === "counts" ? "" : ` (${state})`}`;

/**
 * What was entered in a text field of a form.
 * @param {FormData} form
 * @param {string} name
 */
const entered = (form, name) => String(form.get(name) ?? "").trim();

/**
 * Give the part: `element`, and `render(state)`.
 * @param {Pick<Desk, "act" | "connection">} desk
 */
export function replaceCall({ act, connection }) {
  const element = h("div", { class: "replace-part" });
  /** @type {RecordDocument | null} */
  let record = null;
  /** @type {RecordLine | null} */
  let chosen = null;
  /** @type {Preview | null} */
  let preview = null;
  /** @type {Change[]} */
  let changes = [];
  let problem = "";
  let isAccepting = false;
  let stands = "";

  async function open() {
    try {
      record = await get("/api/record");
      [chosen, preview, problem] = [null, null, ""];
    } catch (refusal) {
      problem = messageOf(refusal);
    }
    draw();
    maybe(element, "select")?.focus();
  }

  function close() {
    [record, chosen, preview, problem] = [null, null, null, ""];
    draw();
    maybe(element, "button")?.focus();
  }

  /**
   * @param {number} line
   * @param {Content[]} lines
   * @param {{ before?: true }} where
   */
  async function look(line, lines, where = {}) {
    changes = [{ line, with: lines, ...where }];
    try {
      preview = await post("/api/replace/preview", { changes, seen: record?.seen });
      problem = "";
      readOut(changesSay(preview));
    } catch (refusal) {
      preview = null;
      problem = capital(messageOf(refusal));
      readOut(problem);
    }
    draw();
    maybe(element, "#preview-title")?.focus();
  }

  /** @param {SubmitEvent & { currentTarget: HTMLFormElement }} event */
  async function accept(event) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [reason, by] = [entered(form, "reason"), entered(form, "by")];
    if (!preview) return;
    rememberName(by);
    isAccepting = true; // the state that follows from it may be here before the answer
    const isDone = await act("/api/replace", { changes, reason, by, seen: preview.seen });
    isAccepting = false;
    if (isDone) close();
  }

  function draw() {
    show(element, [record, chosen, preview, problem], () => {
      if (record === null) {
        return [h("p", { class: "sentence" },
          say("An earlier line was wrong? See what would become of everything after it, then accept or leave it.")),
          problem && h("p", { class: "problem" }, problem),
          h("button", { type: "button", class: "button", id: "replace-open", "data-key": "open", onclick: open },
            say("Look through the record"))];
      }
      return [picker(record), chosen?.content.type && editor(chosen), chosen && inserter(chosen, record),
        problem && h("p", { class: "problem", role: "alert" }, problem),
        preview && outcome(preview),
        h("p", { class: "actions" }, h("button", { type: "button", class: "button", "data-key": "leave",
          onclick: close }, say("Leave it as it is")))];
    });
  }

  /** @param {RecordDocument} from */
  function picker(from) {
    const lines = [endOf(from), ...[...from.lines].reverse()];
    return h("label", { class: "field" }, h("span", { class: "label" }, say("Which line, newest first")),
      h("select", {
        id: "replace-line", "data-key": "line",
        onchange: (event) => {
          chosen = lines.find(({ line }) => line === Number(event.currentTarget.value)) ?? null;
          [preview, problem] = [null, ""];
          draw();
        },
      }, h("option", { value: "" }, say("choose…")), lines.map(({ line, says }) =>
        h("option", { value: line, selected: line === chosen?.line }, `${line}: ${says}`))));
  }

  /** @param {RecordLine} chosen */
  function editor(chosen) {
    const { line, content } = chosen;
    const fields = fieldsOf(chosen, connection.state);
    /** @param {SubmitEvent & { currentTarget: HTMLFormElement }} event */
    const submitted = (event) => {
      event.preventDefault();
      look(line, [changed(content, fields, event.currentTarget)]);
    };
    return h("form", { class: "replace-edit", onsubmit: submitted },
      fields.map(({ name, label, values }) => h("label", { class: "field" },
        h("span", { class: "label" }, capital(label)),
        h("select", { name, "data-key": name }, values.map(({ value, label: says }) =>
          h("option", { value: String(value), selected: String(value) === String(content[name] ?? "") },
            says || say("none")))))),
      h("p", { class: "actions" },
        fields.length > 0 && h("button", { type: "submit", class: "button is-main", id: "replace-look" },
          say("See what changes")),
        h("button", { type: "button", class: "button", id: "replace-out", onclick: () => look(line, []) },
          say("Without this line"))));
  }

  /**
   * What can be put in before a line: a card, or a press that the record has, at its time.
   * @param {RecordLine} chosen
   * @param {RecordDocument} from
   */
  function inserter({ line }, { cards, presses: known }) {
    const state = connection.state;
    const presses = [...known].reverse(); // the newest first
    const before = /** @type {const} */ ({ before: true });
    /** @param {SubmitEvent & { currentTarget: HTMLFormElement }} event */
    const card = (event) => {
      event.preventDefault();
      look(line, [{ type: "reveal", card: new FormData(event.currentTarget).get("card") }], before);
    };
    /** @param {SubmitEvent & { currentTarget: HTMLFormElement }} event */
    const press = (event) => {
      event.preventDefault();
      const form = new FormData(event.currentTarget);
      const one = presses[Number(form.get("press"))];
      if (one) look(line, [{ ...one.content, colour: form.get("colour"), role: form.get("role") }], before);
    };
    /** @param {Event & { currentTarget: HTMLSelectElement }} event */
    const follow = ({ currentTarget }) => {
      const content = presses[Number(currentTarget.value)]?.content;
      for (const name of ["colour", "role"]) {
        const select = currentTarget.form?.elements.namedItem(name);
        if (content && select instanceof HTMLSelectElement) select.value = String(content[name]);
      }
    };
    const first = presses[0]?.content;
    return h("fieldset", { class: "replace-insert" }, h("legend", null, say("Put in before it")),
      cards.length > 0 && h("form", { class: "replace-put", onsubmit: card },
        choice("card", say("Card"), cards),
        h("button", { type: "submit", class: "button", id: "replace-put-card" }, say("See it with this card"))),
      presses.length > 0 && h("form", { class: "replace-put", onsubmit: press },
        choice("press", say("Press, at its own time"),
          presses.map((one, index) => ({ value: String(index), label: pressSays(one) })), "0", follow),
        choice("colour", say("Colour"), (state?.seats ?? []).map(({ colour }) =>
          ({ value: colour, label: colourSays(colour) })),
          String(first?.colour)),
        choice("role", say("Button"), rolesOf(record),
          String(first?.role)),
        h("button", { type: "submit", class: "button", id: "replace-put-press" }, say("See it with this press"))));
  }

  /**
   * @param {string} name
   * @param {string} label
   * @param {{ value: string, label: string }[]} values
   * @param {string} value
   * @param {(event: Event & { currentTarget: HTMLSelectElement }) => void} onchange
   */
  function choice(name, label, values, value = "", onchange = () => {}) {
    return h("label", { class: "field" }, h("span", { class: "label" }, label),
      h("select", { name, "data-key": `put ${name}`, onchange }, values.map((one) =>
        h("option", { value: one.value, selected: one.value === value }, one.label))));
  }

  /**
   * @param {Content} before
   * @param {LineField[]} fields
   * @param {HTMLFormElement} form
   */
  function changed(before, fields, form) {
    const content = { ...before };
    for (const [name, text] of new FormData(form)) {
      const values = fields.find((field) => field.name === name)?.values.map(({ value }) => value) ?? [];
      const value = values.find((one) => String(one) === text) ?? text; // a number, or yes or no, is no text
      if (value === "") delete content[name];
      else content[name] = typeof before[name] === "number" ? Number(value) : value;
    }
    return content;
  }

  /** @param {Preview} next */
  function outcome(next) {
    return h("div", { class: "preview", id: "preview" },
      h("h3", { id: "preview-title", tabindex: -1 }, say("What would become of it")),
      h("p", null, changesSay(next)),
      h("ol", { class: "retold", tabindex: 0, "aria-labelledby": "preview-title" },
        next.lines.filter(({ state }) => state !== "same").map(retold)),
      h("dl", { class: "then" },
        h("div", null, h("dt", null, say("Before")), next.outcome.before.map((text) => h("dd", null, text))),
        h("div", null, h("dt", null, say("After")), next.outcome.after.map((text) => h("dd", null, text))),
        next.then.offer && h("div", null, h("dt", null, say("Then to be decided")),
          h("dd", null, next.then.offer.prompt))),
      h("form", { class: "accept", onsubmit: accept },
        h("label", { class: "field" }, h("span", { class: "label" }, say("Why")),
          h("input", { name: "reason", required: true, maxlength: 200, autocomplete: "off" })),
        h("label", { class: "field" }, h("span", { class: "label" }, say("Who")),
          h("input", { name: "by", required: true, maxlength: 40, value: lastName(), autocomplete: "off" })),
        h("button", { type: "submit", class: "button is-main", id: "replace-accept" }, say("Accept the change"))));
  }

  /** @param {Retold} line */
  function retold({ line, says, state, before, after, message }) {
    return h("li", { class: `is-${state}` },
      h("p", null, h("span", { class: "line" }, line), " ", says, " ", h("span", { class: "chip" }, FATES[state])),
      message && h("p", { class: "why" }, `${capital(message)}.`),
      state === "changed" && before.filter((text) => !after.includes(text)).map((text) =>
        h("p", { class: "was" }, h("del", null, text))),
      state === "changed" && after.filter((text) => !before.includes(text)).map((text) =>
        h("p", { class: "becomes" }, h("ins", null, text))));
  }

  return {
    element,
    /** @param {State} state */
    render(state) {
      const now = JSON.stringify([state.match?.id, state.can.undo]);
      const isNew = now !== stands; // what stands has changed; notes that come by themselves change nothing
      stands = now;
      if (record && !isAccepting && state.match && isNew && state.match.lines !== record.seen
        && (state.match.id !== record.match || preview || chosen)) {
        problem = say("The record has grown since: look again.");
        preview = null;
        refresh();
      }
      draw();
    },
  };

  async function refresh() {
    const match = connection.state?.match;
    const newer = await get("/api/record").catch(() => null);
    if (record === null) return; // accepted or left meanwhile
    record = newer;
    chosen = record?.match === match?.id ? record?.lines.find(({ line }) => line === chosen?.line) ?? null : null;
    draw();
  }
}
