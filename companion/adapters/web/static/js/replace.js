// Replace a call: choose an earlier line, say what stands in its place, see what every later ruling becomes, accept or
// leave it. Changes nothing until it is accepted; the record keeps both.
import { h, show } from "./dom.js";
import { get, post } from "./api.js";
import { lastName, rememberName } from "./ask.js";
import { say } from "./speaker.js";
import { BOOTY, COLOURS, ROLES } from "./symbols.js";
import { capital } from "./words.js";

const CARDS = [...BOOTY, ...COLOURS.flatMap((colour) => ROLES.map((role) => `${colour} ${role}`))];
const FATES = { out: "taken out", new: "put in", same: "as before", changed: "rulings change",
  misfit: "does not fit any more" };

/** What can be changed in a line of each type: the field and what it may be. Times are never entered. */
const FIELDS = {
  reveal: () => [["card", "Card", CARDS]],
  press: () => [["colour", "Colour", COLOURS], ["role", "Hand card", ROLES]],
  claim: (content) => [
    ["take", "Takes", [...new Set(["booty", "teepees", "wedding", content.take])]],
    ["prisoner", "Prisoner", ["", ...CARDS.filter((card) => card.includes(" ") && !card.includes("totem")
      && !card.includes("maiden"))]],
    ["spouse", "Spouse", ["", ...CARDS.filter((card) => card.includes(" ") && !card.includes("totem"))]],
  ],
};

/** Give the part: `element`, and `render(state)`. */
export function replaceCall({ act, connection }) {
  const element = h("div", { class: "replace-part" });
  let record = null;
  let chosen = null;
  let preview = null;
  let changes = null;
  let problem = "";
  let isAccepting = false;

  async function open() {
    try {
      record = await get("/api/record");
      [chosen, preview, problem] = [null, null, ""];
    } catch (refusal) {
      problem = refusal.message;
    }
    draw();
    element.querySelector("select")?.focus();
  }

  function close() {
    [record, chosen, preview, problem] = [null, null, null, ""];
    draw();
    element.querySelector("button")?.focus();
  }

  async function look(lines) {
    changes = [{ line: chosen.line, with: lines }];
    try {
      preview = await post("/api/replace/preview", { changes, seen: record.seen });
      problem = "";
      say(`${preview.changed} later rulings change, ${preview.misfits} lines do not fit any more.`);
    } catch (refusal) {
      preview = null;
      problem = capital(refusal.message);
      say(problem);
    }
    draw();
    element.querySelector("#preview-title")?.focus();
  }

  async function accept(event) {
    event.preventDefault();
    const form = new FormData(event.target);
    const [reason, by] = [form.get("reason").trim(), form.get("by").trim()];
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
          "An earlier line was wrong? See what would become of everything after it, then accept or leave it."),
          problem && h("p", { class: "problem" }, problem),
          h("button", { type: "button", class: "button", id: "replace-open", "data-key": "open", onclick: open },
            "Look through the record")];
      }
      return [picker(), chosen && editor(), problem && h("p", { class: "problem", role: "alert" }, problem),
        preview && outcome(),
        h("p", { class: "actions" }, h("button", { type: "button", class: "button", "data-key": "leave",
          onclick: close }, "Leave it as it is"))];
    });
  }

  function picker() {
    const lines = [...record.lines].reverse();
    return h("label", { class: "field" }, h("span", { class: "label" }, "Which line, newest first"),
      h("select", {
        id: "replace-line", "data-key": "line",
        onchange: (event) => {
          chosen = record.lines.find(({ line }) => line === Number(event.target.value)) ?? null;
          [preview, problem] = [null, ""];
          draw();
        },
      }, h("option", { value: "" }, "choose…"), lines.map(({ line, says }) =>
        h("option", { value: line, selected: line === chosen?.line }, `${line}: ${says}`))));
  }

  function editor() {
    const fields = FIELDS[chosen.content.type]?.(chosen.content) ?? [];
    const submitted = (event) => {
      event.preventDefault();
      look([changed(event.target)]);
    };
    return h("form", { class: "replace-edit", onsubmit: submitted },
      fields.map(([name, label, values]) => h("label", { class: "field" }, h("span", { class: "label" }, label),
        h("select", { name, "data-key": name }, values.map((value) =>
          h("option", { value, selected: value === (chosen.content[name] ?? "") }, value || "none"))))),
      h("p", { class: "actions" },
        fields.length > 0 && h("button", { type: "submit", class: "button is-main", id: "replace-look" },
          "See what changes"),
        h("button", { type: "button", class: "button", id: "replace-out", onclick: () => look([]) },
          "Without this line")));
  }

  function changed(form) {
    const content = { ...chosen.content };
    for (const [name, value] of new FormData(form)) {
      if (value) content[name] = value;
      else delete content[name];
    }
    return content;
  }

  function outcome() {
    const summary = preview.changed + preview.misfits === 0
      ? "No later ruling changes."
      : `${preview.changed} later ${preview.changed === 1 ? "ruling changes" : "rulings change"}; ` +
        `${preview.misfits} ${preview.misfits === 1 ? "line does" : "lines do"} not fit any more.`;
    return h("div", { class: "preview", id: "preview" },
      h("h3", { id: "preview-title", tabindex: -1 }, "What would become of it"),
      h("p", null, summary),
      h("ol", { class: "retold", tabindex: 0, "aria-labelledby": "preview-title" },
        preview.lines.filter(({ state }) => state !== "same").map(retold)),
      h("dl", { class: "then" },
        h("div", null, h("dt", null, "Before"), preview.outcome.before.map((text) => h("dd", null, text))),
        h("div", null, h("dt", null, "After"), preview.outcome.after.map((text) => h("dd", null, text))),
        preview.then.decision && h("div", null, h("dt", null, "Then to be decided"),
          h("dd", null, preview.then.decision.prompt))),
      h("form", { class: "accept", onsubmit: accept },
        h("label", { class: "field" }, h("span", { class: "label" }, "Why"),
          h("input", { name: "reason", required: true, maxlength: 200, autocomplete: "off" })),
        h("label", { class: "field" }, h("span", { class: "label" }, "Who"),
          h("input", { name: "by", required: true, maxlength: 40, value: lastName(), autocomplete: "off" })),
        h("button", { type: "submit", class: "button is-main", id: "replace-accept" }, "Accept the change")));
  }

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
    render(state) {
      if (record && !isAccepting && state.match && state.match.lines !== record.seen
        && (state.match.id !== record.match || preview || chosen)) {
        problem = "The record has grown since: look again.";
        preview = null;
        refresh();
      }
      draw();
    },
  };

  async function refresh() {
    const match = connection.state.match;
    const newer = await get("/api/record").catch(() => null);
    if (record === null) return; // accepted or left meanwhile
    record = newer;
    chosen = record?.match === match?.id ? record?.lines.find(({ line }) => line === chosen?.line) ?? null : null;
    draw();
  }
}
