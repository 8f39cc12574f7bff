// Keeps a phone from switching its screen off while somebody plays: by the browser's wake lock, which only encrypted
// pages have; else by a small silent video that plays, for which many phones stay awake too.
import { h } from "../frame/dom.js";

/** How often the video's picture changes: a still one may be taken for none. */
const FRAME_MS = 500;
/** @type {WakeLockSentinel | null} */
let lock = null;
/** @type {HTMLVideoElement | null} */
let video = null;
let isWanted = false;

/** Keep the screen on from now on, also after the page was away. To be called in a gesture: a video may need one. */
export function stayAwake() {
  if (isWanted) return;
  isWanted = true;
  document.addEventListener("visibilitychange", hold);
  hold();
}

async function hold() {
  if (document.visibilityState !== "visible") return;
  if (!("wakeLock" in navigator)) {
    playVideo();
    return;
  }
  if (lock && !lock.released) return;
  try {
    lock = await navigator.wakeLock.request("screen");
  } catch {
    playVideo(); // a battery that is low, or a browser that may not
  }
}

function playVideo() {
  video ??= makeVideo();
  video?.play().catch(() => {}); // not before a gesture: it is tried again when the page is back
}

/** A video of nothing, as the screen's own size in one pixel: muted, in the page, without controls. */
function makeVideo() {
  const canvas = h("canvas", { width: 2, height: 2 });
  const context = canvas.getContext("2d");
  if (!context || !("captureStream" in canvas)) return null;
  let shade = 0;
  setInterval(() => {
    shade = 1 - shade;
    context.fillStyle = shade ? "#010101" : "#000";
    context.fillRect(0, 0, 2, 2);
  }, FRAME_MS);
  const made = h("video", { class: "awake", muted: true, loop: true, playsinline: true, "aria-hidden": "true",
    tabindex: -1 });
  made.muted = true;
  made.srcObject = canvas.captureStream();
  document.body.append(made);
  return made;
}
