"""In the guest: phones on WebSockets of their own press in races of a box there; prints what was truly done, as JSON.

    lossy_phones.py PORT PIN ROUNDS COLOUR...

Their clocks are the guest's, and so is the box's: a press is made at the instant that it says.
"""

import json
import random
import sys
import threading
import time
import urllib.request
from types import SimpleNamespace
from typing import Any

from tests.attack.phones import Phone
from tests.engines.table import Referee, is_final, until

MS = 1_000_000
APART_MS = (0, 1, 5, 20, 80, 200)
AGAIN = "press again"
"""In the answer to a press of a phone whose clock is not known, as after a press that came too late."""
AGAIN_S, TRIES = 0.5, 20


class Box(SimpleNamespace):
    """As much of `tests.browser.box.Box` as a table needs."""

    url: str
    pin: str

    def get(self, address: str) -> Any:
        with urllib.request.urlopen(self.url + address, timeout=60) as answer:
            return json.loads(answer.read())


def main() -> int:
    port, rounds = int(sys.argv[1]), int(sys.argv[3])
    box = Box(url=f"http://127.0.0.1:{port}", pin=sys.argv[2])
    referee, phones = Referee(box), dict[str, Phone]()
    for colour in sys.argv[4:]:
        phones[colour] = Phone(port, colour)
        referee.grant(colour)
    chance, done = random.Random(5), list[dict[str, Any]]()
    for number in range(1, rounds + 1):
        for phone in phones.values():
            phone.ready()
        began_ns = time.monotonic_ns() + 50 * MS
        pressing = [
            threading.Thread(target=press, args=(phone, colour, began_ns + chance.choice(APART_MS) * MS, number, done))
            for colour, phone in phones.items()
        ]
        for thread in pressing:
            thread.start()
        for thread in pressing:
            thread.join()
        until(box, lambda state, number=number: is_over(state, number))
    print(json.dumps(done))
    return 0


def is_over(state: dict[str, Any], number: int) -> bool:
    return bool(is_final(number)(state))


def press(phone: Phone, colour: str, at_ns: int, number: int, done: list[dict[str, Any]]) -> None:
    """Press at an instant, and again while the box asks for that; note what it answered each time."""
    for _ in range(TRIES):
        while time.monotonic_ns() < at_ns:
            time.sleep(0.0002)
        pressed_ns = time.monotonic_ns()
        answer = phone.press(f"{colour} first", back_ns=time.monotonic_ns() - pressed_ns)
        done.append({"colour": colour, "round": number, "pressed_ns": pressed_ns, "answer": answer})
        if answer["taken"] or AGAIN not in answer["why"]:
            return
        time.sleep(AGAIN_S)


if __name__ == "__main__":
    sys.exit(main())
