// What the pages say by themselves, in the language that the page is in. What the box sends is in it already.
//
// The first arguments are literal messages: they are found in the code, and translated in
// companion/adapters/web/locale. Placeholders are {name}; whole sentences only, as word order is each language's own.

/** @type {Record<string, string | string[]>} */
const words = /** @type {{ companionWords?: Record<string, string | string[]> }} */ (globalThis).companionWords ?? {};

/** The language of the page: for the browser's own formatting of dates, numbers and lists. */
export const language = globalThis.document?.documentElement.lang || "en";

const plurals = new Intl.PluralRules(language);

/**
 * A message, filled in.
 * @param {string} message
 * @param {Record<string, string | number>} [values]
 */
export function say(message, values = {}) {
  const said = words[message];
  return filled(typeof said === "string" && said ? said : message, values);
}

/**
 * A message about `count` things; {count} in it is the number, as the language writes it.
 * @param {string} one
 * @param {string} many
 * @param {number} count
 * @param {Record<string, string | number>} [values]
 */
export function sayMany(one, many, count, values = {}) {
  const forms = words[one];
  const index = plurals.select(count) === "one" ? 0 : 1;
  const said = Array.isArray(forms) ? forms[index] : undefined;
  return filled(said || (count === 1 ? one : many), { count: count.toLocaleString(language), ...values });
}

/**
 * "red, yellow and blue", or with "or".
 * @param {string[]} parts
 * @param {"conjunction" | "disjunction"} type
 */
export const listed = (parts, type = "conjunction") => {
  const between = language === "en" ? "en-GB" : language; // no comma before "and", as everywhere in the program
  return new Intl.ListFormat(between, { type }).format(parts);
};

/**
 * A number with so many decimals, with the language's own signs.
 * @param {number} value
 * @param {number} [decimals]
 */
export const number = (value, decimals = 0) =>
  value.toLocaleString(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });

/**
 * @param {string} message
 * @param {Record<string, string | number>} values
 */
const filled = (message, values) =>
  message.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
