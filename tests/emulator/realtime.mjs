// An emulated pod in real time at a pseudo-terminal: node realtime.mjs FOLDER FILES FD [ID]
// FILES: the image of its file system, or '' for a new chip. A reset is one: memory gone, flash kept.
// A line in: {"edges": [[ns from now, pin, level], ...]}; a line out for each edge when it is made: {"pin", "level", "lag"}.
// lag: by how many ns the emulated time was behind the real one at the last look. A machine that is too busy to keep up
// would fall behind for ever: what is more than MOST_LAG_NS is let go, as if the pod's clock had stood still.
import fs from 'node:fs';
import readline from 'node:readline';
import { Pico } from './pico.mjs';

const terminal = Number(process.argv[4]);
const START_NS = 700e6; // MicroPython starts at whatever speed there is
const MOST_LAG_NS = 500e6;
const AHEAD_NS = 50e6; // a slice of emulated time; then bytes and lines get their turn
let pico, began;
let lag = 0;

function start(before) {
  pico = new Pico(process.argv[2], process.argv[3], before, process.argv[5]);
  for (let pin = 0; pin < 30; pin++) pico.drive(pin, 1); // pull-ups, contacts open
  pico.runUntil(START_NS);
  began = Number(process.hrtime.bigint()) - pico.clock.nanos;
}

fs.createReadStream(null, { fd: terminal, autoClose: false })
  .on('data', (bytes) => pico.send(bytes))
  .on('error', () => {});
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  for (const [nanos, pin, level] of JSON.parse(line).edges) {
    pico.driveAt(pico.clock.nanos + nanos, pin, level, () => console.log(JSON.stringify({ pin, level, lag })));
  }
}).on('close', () => process.exit(0));

start(null);
(function turn() {
  let real = Number(process.hrtime.bigint()) - began;
  lag = Math.round(real - pico.clock.nanos);
  if (lag > MOST_LAG_NS) {
    began += lag;
    real -= lag;
  }
  pico.runUntil(Math.min(real, pico.clock.nanos + AHEAD_NS));
  const bytes = pico.take();
  if (bytes.length) fs.writeSync(terminal, bytes);
  if (pico.resets) {
    start(pico);
    setImmediate(turn);
  } else if (pico.clock.nanos < real - 1e6) setImmediate(turn);
  else setTimeout(turn, 1);
})();
