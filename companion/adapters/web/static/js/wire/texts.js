// Texts for games: of this device's files, and of the box's own.
import { get } from "./api.js";

/**
 * Where a file is opened to be read or written; an empty name is that of a new one.
 * @param {string} game
 * @param {string} key
 * @param {string} name
 */
export const fileHash = (game, key, name) => `/files#${[game, key, name].map(encodeURIComponent).join("/")}`;

/**
 * Where a file of the box is got.
 * @param {string} game
 * @param {string} key
 * @param {string} name
 * @returns {`/api/files/${string}/${string}/${string}`}
 */
export const fileAddress = (game, key, name) =>
  `/api/files/${encodeURIComponent(game)}/${encodeURIComponent(key)}/${encodeURIComponent(name)}`;

/**
 * A file of the box.
 * @param {string} game
 * @param {string} key
 * @param {string} name
 */
export const getFile = (game, key, name) => get(fileAddress(game, key, name));

/**
 * The text of a file of this device, its lines ended alike. An Error that says what would be right where it is none.
 * @param {File} file
 */
export async function textOf(file) {
  const content = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content).replaceAll("\r\n", "\n");
  } catch {
    throw new Error("it is no text in UTF-8: keep it as such in your editor, and take it again");
  }
}
