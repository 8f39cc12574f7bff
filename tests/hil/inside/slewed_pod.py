"""Runs in the guest: a pod at a serial port while the kernel corrects its clock, and what the program makes of it.

    slewed_pod.py OFFSET_MS SECONDS SEED [--blind]

The pod's very program is on a pseudo-terminal, its crystal is CLOCK_MONOTONIC_RAW, which no correction touches. The
kernel works off a correction as systemd-timesyncd asks for one. `--blind`: the source believes that CLOCK_MONOTONIC
runs evenly. Prints `slewed NS` (how much MONOTONIC gained on RAW meanwhile), and in JSON a line for each movement of a
contact, `["moved", LABEL, ACTIVE, BEFORE_NS, AFTER_NS]` by CLOCK_MONOTONIC, and for each edge that the source gave,
`["edge", LABEL, ACTIVE, T_NS, ERROR_NS]`; and `end`.
"""

import ctypes
import json
import random
import select
import struct
import sys
import tempfile
import time
from pathlib import Path

from companion.adapters.host_clocks.reading import read_clocks
from companion.adapters.pods.interpreter import Assigned
from companion.adapters.pods.source import PodsSource
from companion.core.timing.events import MS, Edge
from companion.core.timing.host_clocks import ClockReading
from tests.fakes.wired_pico import WiredPico

LABELS = ("red first", "red second", "red third", "red fourth")
UNIQUE_ID = b"\1slewed\0"
GAPS_S = (0.02, 0.06)
SETTLED_S = 3.0
"""From then on a clock's drift is known; edges before it count too, and have a wider ±."""

TIMEX = struct.Struct("@I4xlllli4xl")
"""modes, offset, freq, maxerror, esterror, status, constant: what adjtimex(2) has first."""
TIMEX_BYTES = 208
ADJ_OFFSET, ADJ_FREQUENCY, ADJ_STATUS, ADJ_TIMECONST, ADJ_NANO = 0x1, 0x2, 0x10, 0x20, 0x2000
STA_PLL = 1
TIME_CONSTANT = 1


def correct(offset_ns: int) -> None:
    """Ask the kernel's phase-locked loop to work off an offset; 0 ends what it was asked for."""
    modes = ADJ_OFFSET | ADJ_FREQUENCY | ADJ_STATUS | ADJ_TIMECONST | ADJ_NANO
    asked = ctypes.create_string_buffer(TIMEX_BYTES)
    TIMEX.pack_into(asked, 0, modes, offset_ns, 0, 0, 0, STA_PLL, TIME_CONSTANT)
    if ctypes.CDLL(None, use_errno=True).adjtimex(asked) < 0:
        raise OSError(ctypes.get_errno(), "adjtimex")


def even() -> ClockReading:
    """What a program believes that knows one clock."""
    now_ns = time.monotonic_ns()
    return ClockReading(now_ns, now_ns, now_ns, 0)


def raw_ns() -> int:
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)


class Bench:
    """A pod, its source, and a hand that moves the contacts at random."""

    def __init__(self, rng: random.Random, folder: Path, *, is_blind: bool) -> None:
        self._rng = rng
        self._pod = WiredPico(raw_ns, unique_id=UNIQUE_ID)
        self._pod.name(folder / "pod")
        self._source = PodsSource(
            {UNIQUE_ID.hex(): Assigned("slewed", LABELS)},
            ports=[self._pod.path],
            is_required=True,
            limit_ns=1000 * MS,
            read_clocks=even if is_blind else read_clocks,
        )
        self._closed = [False] * len(LABELS)
        self.rows: list[list[object]] = []

    def open(self) -> None:
        self._source.open()

    def play(self, seconds: float) -> None:
        """Moves contacts and reads what comes."""
        end_s = time.monotonic() + seconds
        while (now_s := time.monotonic()) < end_s:
            next_s = now_s + self._rng.uniform(*GAPS_S)
            self._move(self._rng.randrange(len(LABELS)))
            self.read_until(next_s)

    def _move(self, line: int) -> None:
        self._closed[line] = not self._closed[line]
        with self._pod.pico.lock:
            before_ns = time.monotonic_ns()
            self._pod.pico.contact(line, self._closed[line])
            after_ns = time.monotonic_ns()
        self.rows.append(["moved", LABELS[line], self._closed[line], before_ns, after_ns])

    def read_until(self, until_s: float) -> None:
        while (rest_s := until_s - time.monotonic()) > 0:
            if select.select([self._source.fileno()], [], [], rest_s)[0]:
                for event in self._source.read():
                    if isinstance(event, Edge):
                        self.rows.append(["edge", event.line, event.active, event.t_ns, event.error_ns])

    def close(self) -> None:
        self._source.close()
        self._pod.close()


def main() -> None:
    offset_ms, seconds, seed = (int(text) for text in sys.argv[1:4])
    with tempfile.TemporaryDirectory(dir="/run") as folder:
        bench = Bench(random.Random(seed), Path(folder), is_blind="--blind" in sys.argv)
        bench.open()
        bench.play(SETTLED_S)
        gained_ns = time.monotonic_ns() - raw_ns()
        correct(offset_ms * MS)
        bench.play(seconds)
        slewed_ns = time.monotonic_ns() - raw_ns() - gained_ns
        bench.read_until(time.monotonic() + 1)
        correct(0)
        bench.close()
    print("slewed", slewed_ns)
    print("\n".join(map(json.dumps, bench.rows)))
    print("end")


if __name__ == "__main__":
    main()
