// One camera of this device: asked for, chosen, lit, let go of. Whatever keeps it away is an Error with a sentence that
// says what to do. Knows no codes.
import { say } from "../frame/say.js";

/** Wide enough for a code of 10 mm in a picture of a hand's width, and little enough for an old phone. */
const WISHED = { width: { ideal: 1280 }, height: { ideal: 720 } };
const CHOSEN = "companion camera";

/** Why there is no camera. */
export class NoCamera extends Error {}

/** @typedef {MediaTrackCapabilities & { torch?: boolean }} Capabilities */
/** @typedef {MediaTrackConstraintSet & { torch: boolean }} Lit */

const SENTENCES = {
  /** Nobody has said no to a page without TLS: its browser has no camera to be asked for. */
  insecure: () => say("A browser lends its camera to encrypted pages alone, and this page is not encrypted. Whoever"
    + " keeps the box changes that by “sudo companion encrypt” and a restart. Until then tap the card instead."),
  NotAllowedError: () => say("This page may not use the camera. Allow it in the browser, by the sign beside the"
    + " address, and in the system’s settings for the browser; then start again."),
  NotFoundError: () => say("This device has no camera that the browser knows. Tap the card instead."),
  NotReadableError: () => say("Something else uses the camera. Close the other app or page, and start again."),
  lost: () => say("The camera has gone: was it unplugged, or taken by another app? Start again."),
};

/** @param {unknown} problem  what `getUserMedia` threw */
function sentenceOf(problem) {
  const name = problem instanceof DOMException ? problem.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return SENTENCES.NotAllowedError();
  if (name === "NotFoundError" || name === "OverconstrainedError") return SENTENCES.NotFoundError();
  if (name === "NotReadableError" || name === "AbortError") return SENTENCES.NotReadableError();
  return say("The camera did not start: {why}", { why: problem instanceof Error ? problem.message : String(problem) });
}

/** The way to the cameras; a NoCamera where a browser gives none to this page. */
function devices() {
  if (!isSecureContext || !navigator.mediaDevices?.getUserMedia) throw new NoCamera(SENTENCES.insecure());
  return navigator.mediaDevices;
}

/** @param {string | null} id  of a device, null for the one that looks away from whoever holds the phone */
async function streamOf(id) {
  const video = id ? { ...WISHED, deviceId: { exact: id } } : { ...WISHED, facingMode: { ideal: "environment" } };
  const all = devices();
  try {
    return await all.getUserMedia({ video, audio: false });
  } catch (problem) {
    if (id && problem instanceof DOMException && problem.name === "OverconstrainedError") return streamOf(null);
    throw new NoCamera(sentenceOf(problem));
  }
}

/**
 * Start the camera that was chosen last. `id` names another; it is remembered. onLost: it has gone by itself.
 * @param {HTMLVideoElement} video  shows its picture
 * @param {(problem: NoCamera) => void} onLost
 * @param {string | null} [id]
 */
export async function startCamera(video, onLost, id = null) {
  if (id) localStorage.setItem(CHOSEN, id);
  const stream = await streamOf(id ?? localStorage.getItem(CHOSEN));
  const [track] = stream.getVideoTracks();
  let isOn = true;
  const stop = () => {
    isOn = false;
    for (const one of stream.getTracks()) one.stop();
    if (video.srcObject === stream) video.srcObject = null;
  };
  track.addEventListener("ended", () => {
    if (!isOn) return;
    stop();
    onLost(new NoCamera(SENTENCES.lost()));
  });
  video.srcObject = stream;
  try {
    await video.play();
  } catch (problem) {
    if (isOn) {
      stop();
      throw new NoCamera(sentenceOf(problem));
    }
  }
  const able = /** @type {Capabilities | undefined} */ (track.getCapabilities?.());
  return {
    id: track.getSettings().deviceId ?? "",
    stop,
    canLight: Boolean(able?.torch),
    /** @param {boolean} on */
    light: (on) => track.applyConstraints({ advanced: [/** @type {Lit} */ ({ torch: on })] }),
  };
}

/** The cameras there are, with names: a browser tells them to a page that one was lent to. */
export async function camerasThere() {
  const all = await devices().enumerateDevices();
  return all.filter(({ kind, deviceId }) => kind === "videoinput" && deviceId)
    .map(({ deviceId, label }, index) => ({ id: deviceId,
      label: label || say("camera {number}", { number: index + 1 }) }));
}
