// Scanning with the camera: the dialog with the picture. The camera runs only while the dialog is open and the page is
// seen, and the reader of codes is asked for when it starts. What a code means the box says.
import { h, show } from "../frame/dom.js";
import { say } from "../frame/say.js";
import { play } from "../frame/sound.js";
import { readAloud } from "../frame/voice.js";
import { capital } from "../frame/words.js";
import { messageOf } from "../wire/api.js";
import { camerasThere, startCamera } from "./camera.js";
import { once } from "./once.js";
import { openReader } from "./reader.js";

/** @import { Reader } from "./reader.js" */

/** The camera is switched off when no code was new for so long. */
const IDLE_MS = 180_000;
/** After so long without a code it is said how to hold the card. */
const HINT_MS = 8000;
/** Pictures are read no closer together, for the battery's sake. */
const APART_MS = 100;
/** What the box takes for a code; all else is not asked about. */
const CODE = /^[ -~]{1,64}$/;
const SHOWN = 24;

/**
 * @typedef {"wait" | "look" | "good" | "bad"} Mood
 * @typedef {Awaited<ReturnType<typeof startCamera>>} Camera
 */

/**
 * Give what opens and shuts the dialog. `send` hands a code to the box and gives what it says of it; it
 * throws what the box refuses. isForOne: one card that the box takes shuts the dialog, as the buttons are under it.
 * @param {(code: string, age: number) => Promise<string>} send  age: of the picture, in ms
 * @param {{ isForOne: boolean }} how
 */
export function scanDialog(send, { isForOne }) {
  const video = h("video", { playsinline: true, muted: true, "aria-hidden": "true", tabindex: -1 });
  video.muted = true;
  const mark = h("span", { class: "mark-of", "aria-hidden": "true" });
  const text = h("p", { id: "scan-says", role: "status" });
  const said = h("div", { class: "scan-says" }, mark, text);
  const start = h("button", { type: "button", id: "scan-start", class: "button is-main", hidden: true,
    onclick: () => begin() }, say("Start the camera"));
  const lamp = h("button", { type: "button", id: "scan-light", class: "button", hidden: true, "aria-pressed": "false",
    onclick: () => turnLamp() }, say("Light"));
  const which = h("div", { class: "scan-which" });
  const dialog = h("dialog", { class: "plate scanning", id: "scan-dialog", "aria-labelledby": "scan-title",
    onclose: () => end() },
    h("h2", { id: "scan-title" }, say("Scan cards")), h("div", { class: "scan-picture" }, video), said, which,
    h("p", { class: "actions" }, start, lamp,
      h("button", { type: "button", class: "button", id: "scan-close", onclick: () => dialog.close() },
        say("Close the camera"))));
  document.body.append(dialog);

  /** @type {Camera | null} */
  let camera = null;
  /** @type {Reader | null} */
  let reader = null;
  /** Which start the camera is of: what belongs to an earlier one has come to nothing. */
  let run = 0;
  let seen = once();

  /**
   * @param {Mood} mood
   * @param {string} sentence
   */
  function tell(mood, sentence) {
    said.dataset.mood = mood;
    mark.textContent = { wait: "…", look: "●", good: "✓", bad: "✕" }[mood];
    text.textContent = sentence;
    if (mood === "good" || mood === "bad") readAloud([sentence]);
  }

  /** @param {string | null} [device] */
  async function begin(device = null) {
    end();
    const mine = run;
    start.hidden = true;
    tell("wait", say("The camera starts…"));
    try {
      const started = await startCamera(video, (problem) => mine === run && stopped(problem.message), device);
      if (mine !== run) {
        started.stop();
        return;
      }
      camera = started;
      lamp.hidden = !camera.canLight;
      lamp.setAttribute("aria-pressed", "false");
      offerCameras(await camerasThere());
      if (mine === run) tell("wait", say("The code reader is being loaded…"));
      const opened = await openReader();
      if (mine !== run) {
        opened.close();
        return;
      }
      reader = opened;
      dialog.dataset.reader = reader.by;
      tell("look", say("Hold the label of a card in front of the camera."));
      await look(mine);
    } catch (problem) {
      if (mine === run) stopped(messageOf(problem));
    }
  }

  /** Switch the camera off, and say why; it may be started again. @param {string} why */
  function stopped(why) {
    end();
    start.hidden = false;
    tell("bad", why);
  }

  function end() {
    run += 1;
    camera?.stop();
    reader?.close();
    camera = reader = null;
    lamp.hidden = true;
    seen = once();
    delete dialog.dataset.reader;
  }

  /** @param {number} mine */
  async function look(mine) {
    let newest = performance.now();
    let hinted = newest;
    while (mine === run && reader) {
      const taken = await nextPicture(video);
      if (mine !== run || !reader) return;
      const codes = await reader.read(video);
      if (mine !== run) return;
      const now = performance.now();
      if (codes.length > 0) hinted = now;
      for (const code of seen.fresh(codes, now)) {
        newest = now;
        await take(code, taken, mine);
        if (mine !== run) return;
      }
      if (now - newest > IDLE_MS) {
        stopped(say("The camera was switched off, as nothing was scanned for three minutes."));
      } else if (now - hinted > HINT_MS) {
        hinted = now;
        tell("look", say("No code is seen: hold the label flat, a hand’s width away, and in the light."));
      }
      await pause(APART_MS);
    }
  }

  /**
   * @param {string} code
   * @param {number} taken
   * @param {number} mine
   */
  async function take(code, taken, mine) {
    try {
      if (!CODE.test(code)) throw new Error(say("This is no card’s code: {code}", { code: shortened(code) }));
      const says = await send(code, Math.min(60_000, Math.max(0, Math.ceil(performance.now() - taken))));
      if (mine !== run) return;
      tell("good", `${capital(says)}.`);
      play("accepted");
      if (isForOne) dialog.close();
    } catch (problem) {
      if (mine !== run) return;
      tell("bad", capital(messageOf(problem)));
      play("refused");
    }
  }

  /** @param {Awaited<ReturnType<typeof camerasThere>>} all */
  function offerCameras(all) {
    const used = camera?.id ?? "";
    show(which, [all, used], () => all.length > 1 && h("label", { class: "field" },
      h("span", { class: "label" }, say("Camera")),
      h("select", { id: "scan-camera", onchange: ({ currentTarget }) => begin(currentTarget.value) },
        all.map((one) => h("option", { value: one.id, selected: one.id === used }, one.label)))));
  }

  async function turnLamp() {
    const on = lamp.getAttribute("aria-pressed") !== "true";
    try {
      await camera?.light(on);
      lamp.setAttribute("aria-pressed", String(on));
    } catch {
      lamp.hidden = true; // it says that it has one, and does not light it
    }
  }

  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden" && dialog.open && start.hidden) {
      stopped(say("The camera was switched off while this page was away."));
    }
  });

  return {
    open: () => {
      dialog.showModal();
      begin();
    },
    close: () => {
      if (dialog.open) dialog.close();
    },
  };
}

/** @param {string} code */
const shortened = (code) => (code.length > SHOWN ? `${code.slice(0, SHOWN)}…` : code);

/** @param {number} ms */
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/**
 * Wait for the next picture; give when it was taken, by this page's clock, as well as the browser knows.
 * @param {HTMLVideoElement} video
 * @returns {Promise<number>}
 */
function nextPicture(video) {
  if (!("requestVideoFrameCallback" in video)) return pause(0).then(() => performance.now());
  return new Promise((done) => {
    video.requestVideoFrameCallback((now, { captureTime }) => {
      const isOnOurClock = captureTime !== undefined && captureTime > 0 && captureTime <= now;
      done(isOnOurClock ? captureTime : now);
    });
  });
}
