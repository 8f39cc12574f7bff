// Which codes of a picture are new. A card lies before a camera for many pictures: it counts once, until it has been
// out of them for two seconds. Knows no camera and no clock.

/** A code that was out of sight for so long counts again. */
export const GONE_MS = 2000;

/**
 * Give what tells new codes: it is handed all that one picture shows, and when that was, in ms of any clock.
 */
export function once() {
  /** @type {Map<string, number>} */
  const seen = new Map();
  return {
    /**
     * @param {string[]} codes
     * @param {number} now
     */
    fresh(codes, now) {
      for (const [code, last] of seen) if (now - last >= GONE_MS) seen.delete(code);
      const found = [...new Set(codes)].filter((code) => !seen.has(code));
      for (const code of codes) seen.set(code, now);
      return found;
    },
  };
}
