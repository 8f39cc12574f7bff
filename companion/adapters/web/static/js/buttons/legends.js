// What is printed on the keys that play: they lie at the same places on every keyboard, and are called differently.
// Told by the browser where it can (a page over TLS, in Chromium), else learned from what the keys type, or chosen.

/** @typedef {Record<string, string>} Keys  what the key at a place types: `{ KeyQ: "a" }` */

const CHOSEN = "companion layout";
const LEARNED = "companion keys seen";
/**
 * Layouts by what their letters differ in from the first one's.
 * @type {Record<string, Keys>}
 */
export const LAYOUTS = {
  QWERTY: {},
  QWERTZ: { KeyZ: "y", KeyY: "z" },
  AZERTY: { KeyQ: "a", KeyA: "q", KeyW: "z", KeyZ: "w" },
};

/** @type {Keys} */
let told = {};

/** The layout that was chosen, empty where none was. */
export const chosenLayout = () => localStorage.getItem(CHOSEN) ?? "";

/** @param {string} name  of `LAYOUTS`; empty: as it is found */
export const chooseLayout = (name) => localStorage.setItem(CHOSEN, name);

/**
 * What is printed on the key at a place, in small letters. Digits stand on their keys on every layout, whether or not
 * they are typed without the shift key.
 * @param {string} code  as of a KeyboardEvent: "KeyQ", "Digit1"
 */
export function legendOf(code) {
  const plain = code.replace(/^(Key|Digit)/, "").toLowerCase();
  if (code.startsWith("Digit")) return plain;
  const chosen = LAYOUTS[chosenLayout()];
  if (chosen) return chosen[code] ?? plain;
  const learned = seen();
  return told[code] ?? learned[code] ?? likely(learned)[code] ?? plain;
}

/**
 * Ask the browser for its layout; `changed` is called once that is known.
 * @param {() => void} changed
 */
export async function askLayout(changed) {
  const { keyboard } = /** @type {{ keyboard?: { getLayoutMap?: () => Promise<Map<string, string>> } }} */ (navigator);
  const map = await keyboard?.getLayoutMap?.().catch(() => null);
  if (!map || map.size === 0) return;
  told = Object.fromEntries(map);
  changed();
}

/**
 * Learn from a key that was pressed; tells whether anything is called differently now.
 * @param {KeyboardEvent} event
 */
export function learn({ code, key, shiftKey, ctrlKey, altKey, metaKey }) {
  if (!code.startsWith("Key") || !/^\p{L}$/u.test(key) || shiftKey || ctrlKey || altKey || metaKey) return false;
  const learned = seen();
  const types = key.toLowerCase();
  if (learned[code] === types) return false;
  const before = legendOf(code);
  const kept = code in learned ? {} : learned; // another keyboard: what the last one typed is worth nothing
  localStorage.setItem(LEARNED, JSON.stringify({ ...kept, [code]: types }));
  return legendOf(code) !== before;
}

/** @returns {Keys} */
function seen() {
  try {
    const found = JSON.parse(localStorage.getItem(LEARNED) ?? "{}");
    return found !== null && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

/**
 * The layout that some of its keys give away.
 * @param {Keys} learned
 */
const likely = (learned) => Object.values(LAYOUTS).find((keys) =>
  Object.entries(keys).some(([code, key]) => learned[code] === key)) ?? {};
