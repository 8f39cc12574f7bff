// The box's reader of codes, in a thread of its own, so that buttons answer while it works. It has no page, and is the
// one script of the box that may compile WebAssembly (`companion/adapters/web/access/gate.py`).
// It is handed pictures (ImageData) one after another, and answers each by the codes in it.

const READER = "/zxing/reader/index.js";
const WASM = "/zxing/reader/zxing_reader.wasm";
const ASKED = { formats: ["QRCode", "DataMatrix", "Code128"], tryHarder: true, maxNumberOfSymbols: 8 };

begin();

async function begin() {
  let read;
  try {
    const answer = await fetch(WASM, { credentials: "same-origin" });
    if (!answer.ok) {
      postMessage({ failed: "missing" });
      return;
    }
    const { prepareZXingModule, readBarcodes } = await import(READER);
    await prepareZXingModule({ overrides: { wasmBinary: await answer.arrayBuffer() }, fireImmediately: true });
    read = readBarcodes;
  } catch {
    postMessage({ failed: "refused" });
    return;
  }
  addEventListener("message", async ({ data }) => {
    /** @type {{ isValid: boolean, text: string }[]} */
    const found = await read(data, ASKED).catch(() => []);
    postMessage({ codes: found.filter(({ isValid }) => isValid).map(({ text }) => text) });
  });
  postMessage({ ready: true });
}
