// Reads the codes in a video's picture: by the browser's own reader where it has one for all kinds of labels, else by
// the box's (zxing-wasm), which is asked for now and not before, and works in a thread of its own.
import { say } from "../frame/say.js";

/** The kinds that labels are printed in. */
const FORMATS = ["qr_code", "data_matrix", "code_128"];
/** The larger side of the picture that the box's reader is given. */
const LARGEST_PX = 1280;
const WORKER = "/js/scanning/worker.js";

/**
 * @typedef {{ read: (video: HTMLVideoElement) => Promise<string[]>, close: () => void, by: "browser" | "box" }} Reader
 * @typedef {{ detect: (from: HTMLVideoElement) => Promise<{ rawValue: string }[]> }} Detector
 * @typedef {{ new (asked: { formats: string[] }): Detector, getSupportedFormats: () => Promise<string[]> }} Detectors
 */

/** Why nothing can read codes here. */
export class NoReader extends Error {}

/** @returns {Promise<Reader>}  a NoReader where there is none */
export async function openReader() {
  return (await ofBrowser()) ?? ofBox();
}

/** @returns {Promise<Reader | null>}  null where the browser has none for every kind */
async function ofBrowser() {
  const here = /** @type {{ BarcodeDetector?: Detectors }} */ (globalThis).BarcodeDetector;
  if (!here) return null;
  const known = await here.getSupportedFormats().catch(() => /** @type {string[]} */ ([]));
  if (!FORMATS.every((format) => known.includes(format))) return null;
  const detector = new here({ formats: FORMATS });
  /** @type {Reader | null} */
  let instead = null;
  return {
    by: "browser",
    async read(video) {
      if (instead) return instead.read(video);
      try {
        return (await detector.detect(video)).map(({ rawValue }) => rawValue);
      } catch { // what it says it knows, and cannot do: on phones the system's service may be missing
        instead = await ofBox();
        return instead.read(video);
      }
    },
    close: () => instead?.close(),
  };
}

/** @returns {Promise<Reader>} */
function ofBox() {
  const worker = new Worker(WORKER, { type: "module" });
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d", { willReadFrequently: true });
  /** @type {((codes: string[]) => void) | null} */
  let answer = null;
  /** @param {HTMLVideoElement} video */
  const pixels = (video) => {
    const { videoWidth: width, videoHeight: height } = video;
    const scale = Math.min(1, LARGEST_PX / Math.max(width, height));
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    if (!context || !canvas.width || !canvas.height) return null;
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    return context.getImageData(0, 0, canvas.width, canvas.height);
  };
  /** @type {Reader} */
  const reader = {
    by: "box",
    read: (video) => new Promise((done) => {
      const image = pixels(video);
      if (!image) {
        done([]);
        return;
      }
      answer = done;
      worker.postMessage(image, [image.data.buffer]);
    }),
    close: () => worker.terminate(),
  };
  return new Promise((opened, failed) => {
    /** @param {"missing" | "refused"} why */
    const fail = (why) => {
      worker.terminate();
      failed(new NoReader(SENTENCES[why]()));
    };
    let isOpen = false;
    worker.addEventListener("error", (event) => {
      event.preventDefault(); // what it was is said to whoever scans
      if (isOpen) answer?.([]);
      else fail("refused");
    });
    worker.addEventListener("message", ({ data }) => {
      if (data.ready) {
        isOpen = true;
        opened(reader);
      }
      else if (data.failed) fail(data.failed);
      else answer?.(data.codes);
    });
  });
}

const SENTENCES = {
  missing: () => say("This browser reads no codes itself, and this box was installed without the reader that does it"
    + " instead. Tap the card, or use Chrome on Android."),
  refused: () => say("This browser reads no codes itself, and does not let the box’s reader run: WebAssembly is"
    + " switched off in it. Tap the card, or use another browser."),
};
