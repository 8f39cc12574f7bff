"""Runs in the guest: who was first, as a gpiozero tutorial would write it. The benchmark's other side.

    hobbyist.py GPIO,GPIO,...

A `Button` with a bounce time for each line, and a handler that asks the clock. Prints `ready`; on SIGTERM one line a
press, `press GPIO T_NS`, in the order in which the handlers ran. It is spared what a tutorial would do next, printing
in the handler, which would make it slower still.
"""

import signal
import sys
import time

from gpiozero import Button


def main() -> None:
    presses: list[tuple[int, float]] = []

    def pressed(button: Button) -> None:
        presses.append((button.pin.info.name, time.monotonic()))

    buttons = {}
    for text in sys.argv[1].split(","):
        buttons[text] = Button(int(text), bounce_time=0.02)
        buttons[text].when_pressed = pressed
    ended: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: ended.append(number))
    print("ready")
    while not ended:
        time.sleep(0.2)
    for name, t_s in presses:
        print("press", str(name).removeprefix("GPIO"), round(t_s * 1e9))


if __name__ == "__main__":
    main()
