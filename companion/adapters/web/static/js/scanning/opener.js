// The keys that open the camera's dialog. Its code and its looks are asked for when one is used first: most cards are
// entered by other keys, and a page is there sooner without.
import { h } from "../frame/dom.js";
import { say } from "../frame/say.js";
import { messageOf } from "../wire/api.js";

/** How the dialog looks. */
const STYLE = "/css/scanning.css";

/** @typedef {Awaited<ReturnType<typeof load>>} Dialog */

/**
 * A key that opens it.
 * @param {string} id
 * @param {() => void} open
 */
export const scanKey = (id, open) => h("button", { type: "button", class: "button", id, "aria-haspopup": "dialog",
  onclick: open }, say("Scan with the camera"));

/**
 * Give what opens and shuts the dialog; see `scanDialog`. `fail` is told why there is none.
 * @param {Parameters<typeof import("./dialog.js").scanDialog>} what
 * @param {(why: string) => void} fail
 */
export function scanner(what, fail) {
  /** @type {Promise<Dialog> | null} */
  let coming = null;
  /** @type {Dialog | null} */
  let dialog = null;
  let isWanted = false;
  return {
    open: async () => {
      isWanted = true;
      try {
        coming ??= load(what);
        dialog = await coming;
        if (isWanted) dialog.open();
        isWanted = false; // a key that was hit twice opens one
      } catch (problem) {
        coming = null;
        fail(say("The camera’s dialog did not come from the box ({why}): try again, or load this page again.",
          { why: messageOf(problem) }));
      }
    },
    close: () => {
      isWanted = false;
      dialog?.close();
    },
  };
}

/** @param {Parameters<typeof import("./dialog.js").scanDialog>} what */
async function load(what) {
  const [{ scanDialog }] = await Promise.all([import("./dialog.js"), styled()]);
  return scanDialog(...what);
}

function styled() {
  if (document.querySelector(`link[href="${STYLE}"]`)) return null;
  return new Promise((done, failed) => {
    const link = h("link", { rel: "stylesheet", href: STYLE });
    link.addEventListener("load", done);
    link.addEventListener("error", () => {
      link.remove();
      failed(new Error(STYLE));
    });
    document.head.append(link);
  });
}
