// An emulated pod in virtual time, led by its parent: node virtual.mjs FOLDER FILES [SCRATCH [ID]]
// SCRATCH: what the watchdog's registers, which live through a reset, hold at the start: [number, ...].
// A line in: {"edges": [[ns, pin, level], ...], "usb": hex, "until": ns}. A line out: {"now": ns, "usb": hex, ...}.
// The answer is given at `until`, or as soon as the pod has sent something where "wake" is true.
import readline from 'node:readline';
import { Pico } from './pico.mjs';

const pico = new Pico(process.argv[2], process.argv[3], null, process.argv[5]);
for (let pin = 0; pin < 30; pin++) pico.drive(pin, 1); // pull-ups, contacts open
const STEP_NS = 20_000;
const kept = pico.chip.peripherals[0x40058].scratchData;
kept.set(JSON.parse(process.argv[4] ?? '[]'));

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { edges = [], usb = '', until, wake = false } = JSON.parse(line);
  for (const [nanos, pin, level] of edges) pico.driveAt(nanos, pin, level);
  if (usb) pico.send(Buffer.from(usb, 'hex'));
  do {
    pico.runUntil(Math.min(pico.clock.nanos + STEP_NS, until));
  } while (pico.clock.nanos < until && !(wake && pico.out.length));
  const { warnings, resets } = pico;
  console.log(JSON.stringify({ now: Math.round(pico.clock.nanos), usb: pico.take().toString('hex'), resets, warnings, kept: [...kept] }));
  pico.warnings = [];
});
