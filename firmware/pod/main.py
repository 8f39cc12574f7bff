# Starts the pod's program on a Raspberry Pi Pico, Pico W or Pico 2 with MicroPython. Pins: pod.json beside this file.
#
# The USB serial port carries frames, so Ctrl-C means nothing while the program runs. To install files, the host asks
# for a restart without it (`companion pods install`), which is kept in a register that only a power cut clears.
import json
import os
import select
import sys
from time import ticks_diff, ticks_us

import machine
import micropython
from machine import Pin
from pod_program import Pod
from pod_ring import HEAD

WATCHDOG_MS = 5000
REST_MS = 4
_MARK = 0x50D10000  # in the upper half of the scratch register, so that chance is not taken for a count
_REPL = 0x52455021


def _scratch():
    """Give the address of a watchdog register that lives through every reset but a power cut."""
    is_2350 = "RP2350" in getattr(sys.implementation, "_machine", "")
    return (0x400D8000 if is_2350 else 0x40058000) + 0x0C


class Board:
    """The chip: who it is, why it started, its watchdog."""

    def __init__(self):
        scratch = _scratch()
        kept = machine.mem32[scratch + 4]
        self.resets = ((kept & 0xFFFF) + 1) & 0xFFFF if kept & 0xFFFF0000 == _MARK else 0
        machine.mem32[scratch + 4] = _MARK | self.resets
        self.wants_repl = machine.mem32[scratch + 8] == _REPL
        machine.mem32[scratch + 8] = 0
        cause = machine.reset_cause()
        self.cause = 1 if cause == machine.PWRON_RESET else 2 if cause == machine.WDT_RESET else 0
        if self.resets and self.wants_repl:
            self.cause = 3
        self.unique_id = machine.unique_id()
        noise = os.urandom(4)
        self.boot = bytes(
            (noise[0] ^ (self.resets & 0xFF), noise[1] ^ (ticks_diff(ticks_us(), 0) & 0xFF), noise[2], noise[3])
        )
        self._scratch = scratch

    def guard(self):
        """From now on, a loop that hangs restarts the pod."""
        self.feed = machine.WDT(timeout=WATCHDOG_MS).feed

    def quiet(self):
        return machine.disable_irq()

    def loud(self, state):
        machine.enable_irq(state)

    def to_repl(self):
        machine.mem32[self._scratch + 8] = _REPL
        machine.reset()


class UsbPort:
    """The USB serial port, byte by byte and without waiting."""

    def __init__(self):
        micropython.kbd_intr(-1)
        self._in = sys.stdin.buffer
        self._out = sys.stdout.buffer
        self._byte = bytearray(1)
        self._readable = select.poll()
        self._readable.register(sys.stdin, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(sys.stdout, select.POLLOUT)
        self._look = self._readable.ipoll
        self._take = self._in.readinto

    def wait(self):
        """Rest; a byte that comes ends it. An edge does not: its stamp is taken, its telling may wait so long."""
        for _ in self._look(REST_MS):
            return

    @micropython.native
    def read_byte(self):
        for _ in self._look(0):
            self._take(self._byte, 1)
            return self._byte[0]
        return -1

    def can_write(self):
        for _ in self._writable.ipoll(0):
            return True
        return False

    def write(self, buf, length):
        self._out.write(buf, length)


def load_pins(path="pod.json"):
    """Give the inputs, the lamps by line and the level of a closed contact, as the pod's file says."""
    with open(path) as file:
        chosen = json.load(file)
    inputs = chosen["inputs"]
    lamps = chosen.get("lamps", [])
    if not 1 <= len(inputs) <= 24 or len(lamps) > len(inputs):
        raise ValueError("pod.json: 1 to 24 inputs, and at most one lamp for each (null: none)")
    used = inputs + [number for number in lamps if number is not None]
    if len(set(used)) != len(used):
        raise ValueError("pod.json: a pin is used twice")
    to_ground = chosen.get("contact", "ground") == "ground"
    pull = Pin.PULL_UP if to_ground else Pin.PULL_DOWN
    pins = [Pin(number, Pin.IN, pull) for number in inputs]
    lights = [None if number is None else Pin(number, Pin.OUT, value=0) for number in lamps]
    return pins, lights + [None] * (len(pins) - len(lights)), 0 if to_ground else 1


def main():
    board = Board()
    if board.wants_repl:
        return
    micropython.alloc_emergency_exception_buf(100)
    pins, lamps, active_value = load_pins()
    port = UsbPort()
    pod = Pod(pins, lamps, active_value, port, board)
    for pin, handler in zip(pins, pod.ring.handlers):
        pin.irq(handler, Pin.IRQ_RISING | Pin.IRQ_FALLING, hard=True)
    held = board.quiet()
    if pod.ring.state[HEAD] == 0:
        pod.ring.look()  # what changed while the interrupts were being set up
    board.loud(held)
    board.guard()
    while True:
        pod.step()
        port.wait()


if __name__ == "__main__":
    main()
