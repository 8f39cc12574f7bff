// All files that games ask for, by game: what comes along, and what the box keeps.
import { ask } from "../frame/ask.js";
import { h } from "../frame/dom.js";
import { capital } from "../frame/words.js";
import { post } from "../wire/api.js";
import { fileHash } from "../wire/texts.js";
import { number, say, sayMany } from "../frame/say.js";

/** @import { FileAsked, GameFiles, ListedFile } from "../../../documents.js" */

/**
 * How many faults a file has, in words.
 * @param {number} count
 */
export const faultsSay = (count) => sayMany("{count} fault", "{count} faults", count);

/**
 * What the page does beside what is drawn: say something, show another part, say what was refused.
 * @typedef {{
 *   tell: (text: string, isBad?: boolean) => void,
 *   begin: (where: [], says?: string) => void,
 *   refused: (problem: unknown) => void,
 * }} Doing
 */

/**
 * @param {GameFiles} told
 * @param {Doing} doing
 */
export function fileLists(told, doing) {
  const { room } = told;
  return [
    h("p", { class: "sentence" }, say("Some games are told by a file what is played, or where. What comes along with a "
      + "game stays as it is; what you write is kept on this box, and stands whole in the record of each match.")),
    told.asked.length === 0 && h("p", { class: "plate" }, say("No game on this box asks for a file.")),
    h("div", { class: "file-lists" }, told.asked.map((asked) => list(asked, doing))),
    told.problems.length > 0 && h("section", { class: "plate", "aria-labelledby": "left-out" },
      h("h2", { id: "left-out" }, say("Left out")),
      h("ul", { class: "file-problems" }, told.problems.map((text) => h("li", null, `${capital(text)}.`)))),
    h("p", { class: "sentence" }, say("This box keeps {files} of {most_files} files, {size} of {most_size} KiB.", {
      files: room.files, most_files: room.most_files, size: number(Math.ceil(room.bytes / 1024)),
      most_size: number(room.most_bytes / 1024) })),
  ];
}

/**
 * @param {FileAsked} asked
 * @param {Doing} doing
 */
function list(asked, doing) {
  const id = `list-${asked.game}-${asked.key}`;
  return h("section", { class: "plate", "aria-labelledby": id },
    h("h2", { id }, `${asked.title} `, h("small", null, asked.label)),
    h("ul", { class: "file-list" }, asked.files.map((file) => item(asked, file, doing))),
    h("p", { class: "actions" }, h("a", { class: "button is-main", href: fileHash(asked.game, asked.key, ""),
      "data-key": `new ${id}` }, say("Write a new one"))));
}

/**
 * @param {FileAsked} asked
 * @param {ListedFile} file
 * @param {Doing} doing
 */
function item({ game, key }, file, doing) {
  const { seen } = file;
  return h("li", { "data-file": file.name },
    h("a", { class: "file-name", href: fileHash(game, key, file.name) }, file.name),
    file.title && h("span", { class: "sentence" }, capital(file.title)),
    h("span", { class: "file-chips" },
      file.is_usual && h("span", { class: "chip is-turn" }, say("usual")),
      file.kind === "sample" && h("span", { class: "chip is-idle" }, say("comes along")),
      file.faults > 0 && h("span", { class: "chip is-bad" }, faultsSay(file.faults))),
    seen !== null && h("button", { type: "button", class: "button is-small is-bad", "aria-label": say("Delete {file}",
      { file: file.name }),
      onclick: () => remove({ game, key, name: file.name, seen }, (says) => doing.begin([], says), doing.refused) },
      say("Delete")));
}

/**
 * Ask, and keep a file no longer.
 * @param {{ game: string, key: string, name: string, seen: string }} file
 * @param {(says: string) => void} then
 * @param {(problem: unknown) => void} refused
 */
export async function remove(file, then, refused) {
  const answer = await ask({ title: say("Delete {file}?", { file: file.name }), yes: say("Delete"), isBad: true,
    about: [say("It goes from this box. Matches that were played with it have it in their records still.")] });
  if (!answer) return;
  try {
    then(`${capital((await post("/api/files/remove", file)).says)}.`);
  } catch (problem) {
    refused(problem);
  }
}
