"""Runs in the guest: gpiozero on lgpio, as a program that trusts the factory's own time stamps would use it.

    gpiozero_reader.py LINE,LINE,...

Prints `board MODEL FACTORY`, `ready`, and one line an event, `edge LINE LEVEL T_NS`; ends on SIGTERM.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable

from gpiozero import Device
from gpiozero.pins.lgpio import LGPIOFactory


def main() -> None:
    lines = [int(text) for text in sys.argv[1].split(",")]
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    factory = Device.pin_factory = LGPIOFactory()
    events: list[tuple[int, int, int]] = []

    def reporter(line: int) -> Callable[[float, int], None]:
        # Nothing slow in here: lgpio drops reports when its callback is late.
        return lambda ticks, state: events.append((line, int(state), round(ticks * 1e9)))

    handlers = []  # gpiozero keeps a weak reference only
    for line in lines:
        pin = factory.pin(f"GPIO{line}")
        pin.input_with_pull("up")
        pin.bounce = None
        handlers.append(reporter(line))
        pin.when_changed = handlers[-1]
        pin.edges = "both"
    print("board", factory.board_info.model, type(factory).__name__)
    print("ready")
    ended.wait()
    ended.clear()
    ended.wait(0.5)
    for event in events:
        print("edge", *event)
    # No tidying up: lgpio gives lines back so late that gpiozero's close() finds them busy. The kernel does it anyway.
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
