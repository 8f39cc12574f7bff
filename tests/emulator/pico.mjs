// An emulated Raspberry Pi Pico: rp2040js, and around it what MicroPython needs that the emulator does otherwise.
// Nothing of rp2040js itself is changed; each mend says what it mends.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const FILES_AT = 0xa0000; // where MicroPython's file system begins in the flash of a Pico
const SOF_NS = 1e6;
const SOF_BIT = 1 << 17;
const FRAME_READ = 0x48;
const WATCHDOG = 0x40058;
const FLASH_INTERFACE = 0x18000;
const DATA = 0x60; // SSI_DR0 (RP2040 datasheet, 4.10.13)
const READ_UNIQUE_ID = 0x4b; // of the flash (Winbond W25Q16JV, 8.2.22): four bytes of nothing, then eight of number

const words = (file) => {
  const bytes = fs.readFileSync(file);
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
};

export class Pico {
  // folder: build/emulator. files: the image of the pod's file system; '' for an empty flash behind the program.
  // before: the chip that was reset: its flash and the watchdog's registers live on. id: the number of its flash, which
  // is the chip's, in 16 hexadecimal digits.
  constructor(folder, files, before = null, id = '0'.repeat(16)) {
    const require = createRequire(path.join(path.resolve(folder), 'node', 'package.json'));
    const { Simulator, USBCDC } = require('rp2040js');
    const simulator = new Simulator();
    this.clock = simulator.clock;
    this.chip = simulator.rp2040;
    this.warnings = [];
    const note = (name, text) => this.warnings.push(`${name}: ${text}`);
    this.chip.logger = { debug() {}, info() {}, warn() {}, error: note };
    this.chip.loadBootrom(words(path.join(folder, 'bootrom.bin')));
    if (before) {
      this.chip.flash.set(before.chip.flash);
      this.chip.peripherals[WATCHDOG].scratchData.set(before.chip.peripherals[WATCHDOG].scratchData);
    } else {
      this.chip.flash.fill(0xff);
      this.chip.flash.set(fs.readFileSync(path.join(folder, 'firmware.bin')), 0);
      if (files) this.chip.flash.set(fs.readFileSync(files), FILES_AT);
    }
    this.cdc = new USBCDC(this.chip.usbCtrl);
    this.out = []; // bytes from the pod, not yet taken
    this.cdc.onSerialData = (bytes) => this.out.push(...bytes);
    this.resets = 0;
    this.chip.peripherals[WATCHDOG].onWatchdogTrigger = () => this.resets++;
    this.answerWhenThereIsData();
    this.sendStartOfFrame();
    this.haveNumber(Buffer.from(id, 'hex'));
    this.levels = new Map();
    this.chip.core.PC = 0x10000000;
  }

  // rp2040js answers every OUT buffer at once with an empty packet; TinyUSB arms it again at once: a storm.
  answerWhenThereIsData() {
    const usb = this.chip.usbCtrl;
    const before = usb.onEndpointRead;
    this.inbox = [];
    this.room = 0;
    usb.onEndpointRead = (endpoint, size) => {
      if (endpoint !== this.cdc.outEndpoint) {
        before(endpoint, size);
        return;
      }
      this.room = size;
      this.deliver();
    };
  }

  deliver() {
    if (!this.room || !this.inbox.length) return;
    const packet = Uint8Array.from(this.inbox.splice(0, this.room));
    this.room = 0;
    this.chip.usbCtrl.endpointReadDone(this.cdc.outEndpoint, packet);
  }

  // rp2040js gives no start-of-frame to a device; TinyUSB waits for one before it sends (RP2040 erratum 15).
  sendStartOfFrame() {
    const usb = this.chip.usbCtrl;
    const read = usb.readUint32.bind(usb);
    usb.readUint32 = (offset) => {
      if (offset === FRAME_READ && usb.intRaw & SOF_BIT) {
        usb.intRaw &= ~SOF_BIT;
        usb.checkInterrupts();
      }
      return read(offset);
    };
    const frame = this.clock.createAlarm(() => {
      usb.sofFrameNumber = (usb.sofFrameNumber + 1) & 0x7ff;
      usb.intRaw |= SOF_BIT;
      if (usb.intEnable & SOF_BIT) usb.checkInterrupts();
      frame.schedule(SOF_NS);
    });
    frame.schedule(SOF_NS);
  }

  // rp2040js answers every question to the flash by zeros: all chips would have one number.
  haveNumber(number) {
    const ssi = this.chip.peripherals[FLASH_INTERFACE];
    const [read, write] = [ssi.readUint32.bind(ssi), ssi.writeUint32.bind(ssi)];
    const answer = [0, 0, 0, 0, 0, ...number];
    let asked = answer.length; // so many bytes of it have been clocked out
    const waiting = [];
    ssi.writeUint32 = (offset, value) => {
      if (offset === DATA && asked === answer.length && (value & 0xff) === READ_UNIQUE_ID) asked = 0;
      if (offset === DATA && asked < answer.length) waiting.push(answer[asked++]);
      write(offset, value);
    };
    ssi.readUint32 = (offset) => (offset === DATA && waiting.length ? waiting.shift() : read(offset));
  }

  send(bytes) {
    this.inbox.push(...bytes);
    this.deliver();
  }

  take() {
    return Buffer.from(this.out.splice(0));
  }

  // rp2040js takes a level that does not change for an edge.
  drive(pin, level) {
    if (this.levels.get(pin) === level) return;
    this.levels.set(pin, level);
    this.chip.gpio[pin].setInputValue(Boolean(level));
  }

  driveAt(nanos, pin, level, after = () => {}) {
    const alarm = this.clock.createAlarm(() => {
      this.drive(pin, level);
      after();
    });
    alarm.schedule(Math.max(nanos - this.clock.nanos, 0));
  }

  // rp2040js's own loop takes 125 MHz for granted; a waiting core is skipped over to the next alarm.
  runUntil(nanos) {
    const { clock, chip } = this;
    while (clock.nanos < nanos) {
      if (chip.core.waiting) {
        const next = clock.nextAlarm ? Math.max(clock.nanosToNextAlarm, 8) : nanos - clock.nanos + 1;
        clock.tick(Math.min(next, nanos - clock.nanos + 1));
      } else {
        clock.tick((chip.core.executeInstruction() * 1e9) / chip.clkSys);
      }
    }
  }
}
