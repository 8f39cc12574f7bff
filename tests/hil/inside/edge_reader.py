"""Runs in the guest: the plainest reader of edges there is, python3-gpiod, to prove the guest itself.

    edge_reader.py CHIP LINE,LINE,...

Prints one line `level LINE LEVEL` for each line as it is found, and `ready`. On SIGTERM, when nothing has come for
0.3 s, it prints one line for each event in the order of delivery, `edge LINE LEVEL T_NS SEQNO`, and `end`.
"""

import signal
import sys
from datetime import timedelta

import gpiod
from gpiod.line import Bias, Clock, Direction, Edge, Value

# The kernel grants no more than this, whatever is asked for, and drops the oldest when it is full.
BUFFER_EVENTS = 1024
QUIET = timedelta(seconds=0.3)


def main() -> None:
    chip, lines = sys.argv[1], tuple(int(text) for text in sys.argv[2].split(","))
    told_to_end: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: told_to_end.append(number))
    settings = gpiod.LineSettings(
        direction=Direction.INPUT,
        edge_detection=Edge.BOTH,
        bias=Bias.PULL_UP,
        event_clock=Clock.MONOTONIC,
    )
    with gpiod.request_lines(chip, config={lines: settings}, event_buffer_size=BUFFER_EVENTS) as request:
        for line, value in zip(lines, request.get_values(), strict=True):
            print("level", line, 1 if value is Value.ACTIVE else 0)
        print("ready")
        told = []  # printing is slow in the guest, so it waits for the end
        while request.wait_edge_events(QUIET) or not told_to_end:
            if request.wait_edge_events(timedelta(0)):
                for event in request.read_edge_events(BUFFER_EVENTS):
                    level = 1 if event.event_type is event.Type.RISING_EDGE else 0
                    told.append((event.line_offset, level, event.timestamp_ns, event.global_seqno))
    for edge in told:
        print("edge", *edge)
    print("end")


if __name__ == "__main__":
    main()
