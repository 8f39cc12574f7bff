"""A whole match of Apache in which red plays by one switch: what hands do, to be done on kernel lines and on a model.

The 114 cards of the deck, four Pow-Wows, both of a switch's fates (it picks; it lets all loops pass), choices by switch
and by buttons, the seating and the end: fingers at instants fixed beforehand, in parts between which nothing waits.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.core.match.match import PlaySettings
from companion.core.panel import KNOB_PUSH, Colour
from companion.core.switches.ways import SwitchScanning
from companion.core.timing.events import SECOND
from tests.core.play.virtual_box import START_MS, VirtualBox
from tests.hil.box import GPIOS, PINS
from tests.hil.patterns import CLOSED, OPEN, Edge, Kind, Stroke, press

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from companion.core.record.lines import Line

S = 1_000_000
DWELL_S = 4
"""Long: the emulator may stand still for a while, and it is what is picked that is tested."""
LOOPS = 1
ORDER = (3, 1, 2, 0)
"""Red's cards as they are offered: the buttons that they have at the panel, counted from 0."""
SWITCH = "red first"
"""Where the one switch is wired."""
DECK = 114
CARD_US = 1_100_000
"""From a card to the next where the knob turns to the first of the menu and is pushed."""


@dataclass(frozen=True, slots=True)
class Finger:
    """A contact that closes at `at_us` for `hold_us`; or the knob that goes on by one detent, where label is ""."""

    at_us: int
    label: str
    hold_us: int = 100_000


@dataclass(slots=True)
class Script:
    """What is done, in parts that begin at 0 each, and how long each of them lasts.

    timed: part and place of the presses that are times of races. cards: how many are turned.
    """

    parts: list[list[Finger]] = field(default_factory=lambda: [[]])
    lasts_us: list[int] = field(default_factory=lambda: [0])
    timed: list[tuple[int, int]] = field(default_factory=list)
    cards: int = 0

    @property
    def now_us(self) -> int:
        """How long the newest part lasts so far."""
        return self.lasts_us[-1]

    @now_us.setter
    def now_us(self, now_us: int) -> None:
        self.lasts_us[-1] = now_us

    def part(self) -> None:
        """Begin another part: nothing waits for anything here."""
        self.parts.append([])
        self.lasts_us.append(0)

    def press(self, label: str, then_s: float, *, is_time: bool = False) -> None:
        """Press a contact, and wait."""
        if is_time:
            self.timed.append((len(self.parts) - 1, len(self.parts[-1])))
        self.parts[-1].append(Finger(self.now_us, label))
        self.now_us += round(then_s * S)

    def indian(self, label: str) -> None:
        """Turn an Indian: the knob is held, and its button pressed."""
        self.parts[-1] += [Finger(self.now_us, KNOB_PUSH, 500_000), Finger(self.now_us + 200_000, label)]
        self.now_us += 1_500_000
        self.cards += 1

    def card(self, place: int = 1) -> None:
        """Turn the card that the menu has at this place."""
        steps = [Finger(self.now_us + step * 400_000, "") for step in range(place)]
        push_us = self.now_us + (place - 1) * 400_000 + 500_000
        self.parts[-1] += [*steps, Finger(push_us, KNOB_PUSH)]
        self.now_us += (place - 1) * 400_000 + CARD_US
        self.cards += 1

    def first_cards(self, count: int) -> None:
        """Turn so many, always the first that is left, in parts of half a minute."""
        for number in range(count):
            if number % 25 == 24:
                self.part()
            self.card()


def opening() -> Script:
    """Give its seating and two Pow-Wows, from the empty table on: what is picked, and what is played unpicked."""
    script = Script()
    _seating(script)
    script.indian("red fourth")
    script.card()  # a buffalo
    script.card(5)  # a teepee: so that the hunter has a choice
    script.part()
    # The switch before yellow: then its first card, the hunter, within the first dwell.
    script.press(SWITCH, 0.04, is_time=True)
    script.press("yellow third", DWELL_S / 2 + 0.5, is_time=True)
    script.press(SWITCH, 2 + 1.5 * DWELL_S + 0.5)
    script.press(SWITCH, 6)  # the teepee is the second of what is offered by itself
    script.part()
    script.indian("yellow third")
    # Nothing is picked: the card that is offered last is played.
    script.press("yellow third", 0.06, is_time=True)
    script.press(SWITCH, LOOPS * 4 * DWELL_S + 7, is_time=True)
    return script


def whole_match() -> Script:
    """Give all of it: the opening, two Pow-Wows more, all cards, the end."""
    script = opening()
    script.part()
    script.first_cards(50)
    script.indian("red fourth")
    script.part()
    # Alone, and the second of its cards.
    script.press(SWITCH, 1.5 * DWELL_S + 0.5, is_time=True)
    script.press(SWITCH, 6)
    script.part()
    script.first_cards(DECK - script.cards)
    script.part()
    _last_race(script)
    return script


def _seating(script: Script) -> None:
    script.press("yellow first", 2)
    script.press(SWITCH, 2)  # sits down
    script.press(SWITCH, DWELL_S / 2 + 0.5)  # has the menu offered
    script.press(SWITCH, 3)  # picks its first: the match begins


def _last_race(script: Script) -> None:
    """Both may take something, and yellow leaves red but one thing; the match ends; red accepts it by its switch."""
    script.press("yellow second", 0.06, is_time=True)
    script.press(SWITCH, 1.5 * DWELL_S + 0.5, is_time=True)
    script.press(SWITCH, 5)
    script.press("yellow first", 8)
    script.part()
    script.press(SWITCH, DWELL_S / 2 + 0.5)
    script.press(SWITCH, 3)


def strokes(script: Script, rng: random.Random) -> list[list[list[Stroke]]]:
    """Give each part's fingers on the kernel's lines: a press is one stroke, a detent is one for each of its lines."""
    return [[_strokes(finger, rng) for finger in part] for part in script.parts]


def _strokes(finger: Finger, rng: random.Random) -> list[Stroke]:
    if not finger.label:
        lines = PINS.knob
        assert lines is not None
        return [
            Stroke(Kind.PRESS, (Edge(at, line, CLOSED), Edge(at + 20_000, line, OPEN)))
            for line, at in zip(lines, (finger.at_us, finger.at_us + 10_000), strict=True)
        ]
    line = PINS.knob_push if finger.label == KNOB_PUSH else GPIOS[finger.label]
    assert line is not None
    return [press(rng, line, finger.at_us, finger.hold_us)]


def on_model(script: Script) -> Sequence[Line]:
    """Give the record's lines of the same fingers at a box without kernel, files and waiting."""
    scans = {Colour.RED: SwitchScanning(dwell_ns=DWELL_S * SECOND, loops=LOOPS, order=ORDER)}
    box = VirtualBox((), play=PlaySettings(switches=scans), start=False)
    began_ms = START_MS + 500.0
    for part, lasts_us in zip(script.parts, script.lasts_us, strict=True):
        for finger in part:
            at_ms = began_ms + finger.at_us / 1000
            if finger.label:
                box.press(finger.label, at_ms, finger.hold_us / 1000)
            else:
                box.turn(1, at_ms)
        began_ms += lasts_us / 1000 + 1000
        box.run(began_ms)
    return box.lines
