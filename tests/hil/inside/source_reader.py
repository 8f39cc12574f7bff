"""Runs in the guest: one of the program's own sources of buttons, and all that it gives.

    source_reader.py gpiod|gpiozero CHIP LABEL=LINE,LABEL=LINE,...

Prints `ready`, and on SIGTERM what came, one JSON list a line: `edge LABEL ACTIVE T_NS ERROR_NS MERGED_NS
LOST_SINCE_NS`, `levels T_NS ACTIVE KNOWN` and `unheard T_NS LINES` (labels with commas between), `fault TEXT T_NS
LINE...`, `late LABEL` for an edge that came later than its source states and had said, after each `read` a `turn
NOW_NS UNTIL_NS` (see `given_until_ns`; `NOW_NS` is before the `read`), `delay NS`, `most COUNT`, the most edges that
one `read` gave, and `wait NS`, the longest that an interrupt's thread was seen to wait (null where the machine does not
tell).
"""

import json
import select
import signal
import sys
import time
from pathlib import Path

from companion.adapters.gpio.gpiod_source import GpiodSource
from companion.adapters.gpio.gpiozero_source import GpiozeroSource
from companion.core.timing.events import Edge, Levels, SourceEvent, SourceFault, Unheard

CHECK_S = 1.0


class Collector:
    """What a source gives, and how far it said that it had given all."""

    def __init__(self, source: GpiodSource | GpiozeroSource) -> None:
        self._source = source
        self._horizon_ns = 0
        self._most = 0
        self.rows: list[list[object]] = []

    def read(self) -> None:
        now_ns = time.monotonic_ns()
        events = self._source.read()
        self._most = max(self._most, sum(isinstance(event, Edge) for event in events))
        for event in events:
            self._take(event)
        certain_ns = now_ns - self._source.delay_ns
        until_ns = self._source.given_until_ns
        self._horizon_ns = max(self._horizon_ns, certain_ns if until_ns is None else min(certain_ns, until_ns))
        self.rows.append(["turn", now_ns, until_ns])

    def text(self) -> str:
        """All rows, a line each. Encoded at one go: a million rows one by one take minutes in the guest."""
        wait_ns = self._source.longest_wait_ns if isinstance(self._source, GpiodSource) else None
        rows = [*self.rows, ["delay", self._source.delay_ns], ["most", self._most], ["wait", wait_ns]]
        return json.dumps(rows)[1:-1].replace("], [", "]\n[")

    def _take(self, event: SourceEvent) -> None:
        if isinstance(event, Edge):
            doubt = (event.merged_ns, event.lost_since_ns)
            self.rows.append(["edge", event.line, event.active, event.t_ns, event.error_ns, *doubt])
            if event.earliest_ns <= self._horizon_ns:
                self.rows.append(["late", event.line])
        elif isinstance(event, Levels):
            self.rows.append(["levels", event.t_ns, ",".join(sorted(event.active)), ",".join(sorted(event.known))])
        elif isinstance(event, Unheard):
            self.rows.append(["unheard", event.t_ns, ",".join(sorted(event.lines))])
        elif isinstance(event, SourceFault):
            self.rows.append(["fault", event.text, event.t_ns, *event.lines])


def main() -> None:
    kind, chip, pairs = sys.argv[1:]
    lines = {label: int(line) for label, line in (pair.split("=") for pair in pairs.split(","))}
    if kind == "gpiod":
        source: GpiodSource | GpiozeroSource = GpiodSource(lines, chip=chip)
    else:
        source = GpiozeroSource(lines, factory="lgpio", chip=chip, work_dir=Path("/run/lgpio"))
    ended: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: ended.append(number))
    source.open()
    collector = Collector(source)
    collector.read()
    print("ready")
    poll = select.poll()
    poll.register(source.fileno(), select.POLLIN)
    checked_s, quiet_s = time.monotonic(), 0.0
    while not ended or quiet_s < 1.0:
        begun_s = time.monotonic()
        is_ready = bool(poll.poll(100))
        collector.read()
        if time.monotonic() - checked_s > CHECK_S:
            source.check()
            checked_s = time.monotonic()
        quiet_s = 0.0 if is_ready or not ended else quiet_s + time.monotonic() - begun_s
    source.close()
    print(collector.text())
    print("end")


if __name__ == "__main__":
    main()
