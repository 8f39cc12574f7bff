"""A button that has its interrupts merged on purpose: how much earlier does its press count than it was?

On a model of the kernel's interrupts (`tests/adapters/gpio/interrupts.py`), through the program's own numbers, books
and contacts. The player may change the line as often and as fast as they like; the machine decides how late a thread
is.
"""

import random

import gpiod
import pytest

from companion.adapters.gpio.event_numbers import Heard, Numbers, order
from companion.adapters.gpio.lines.levels import LineBook
from companion.core.timing.contacts import USUAL, Contacts
from companion.core.timing.events import MS, SECOND, Edge, Levels, Press
from tests.adapters.gpio.interrupts import Interrupts

LABELS = {4: "red first", 5: "red second"}
OWN_NS = 20_000
RISING = gpiod.EdgeEvent.Type.RISING_EDGE
HELD_NS = 30 * MS


def attack(rng: random.Random, wait_ns: int) -> tuple[int, Press]:
    """When the button was first touched, and what its press was told to be; the thread may wait for `wait_ns`."""
    touched_ns = SECOND + rng.randint(0, MS)
    edges = [touched_ns]
    for _ in range(2 * rng.randint(1, 4)):
        edges.append(edges[-1] + rng.randint(200, max(wait_ns // 4, 400)))
    edges.append(edges[-1] + HELD_NS)
    kernel = Interrupts(rng, sorted(LABELS), wait_ns, is_prompt=True)
    kernel.play([(t_ns, 4) for t_ns in edges])
    numbers, book = Numbers(LABELS, RISING, 0), LineBook(LABELS.values(), OWN_NS)
    contacts = Contacts(dict.fromkeys(LABELS.values(), USUAL))
    out = contacts.feed(Levels(frozenset(), frozenset(LABELS.values()), 0))
    book.start(set(), 0, [])
    heard = numbers.take(sorted((Heard(event, max(wait_ns, kernel.longest_ns)) for event in kernel.events), key=order))
    told = [edge for edge in book.edges(heard.edges) if isinstance(edge, Edge)]
    for edge in sorted(told, key=lambda edge: edge.earliest_ns):
        out += contacts.feed(edge)
    (press,) = (event for event in out + contacts.advance(3 * SECOND) if isinstance(event, Press))
    return touched_ns, press


@pytest.mark.parametrize("wait_us", [50, 500, 2_000])
def test_merging_on_purpose_gains_half_the_wait_in_order_and_the_wait_in_ties_at_most(wait_us: int) -> None:
    wait_ns = wait_us * 1000
    gained, reached = 0, 0
    for seed in range(2_000):
        touched_ns, press = attack(random.Random(seed), wait_ns)
        gained = max(gained, touched_ns - press.t_ns)
        reached = max(reached, touched_ns - (press.t_ns - press.error_ns))
        assert abs(press.t_ns - touched_ns) <= press.error_ns
    assert 0 < gained <= wait_ns // 2 + OWN_NS
    assert reached <= wait_ns + OWN_NS
