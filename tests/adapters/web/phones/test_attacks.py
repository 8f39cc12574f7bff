"""Phones that lie, at a table in virtual time: none gains more than 10 ms, but for what is said aloud.

A cheater's true press is when it sends its message: it cannot send what it has not decided. What it gains is by how
much earlier than that its press counts.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from companion.adapters.web.phones.panel_source import USUAL_TRUST
from companion.adapters.web.phones.stamps import MAX_ERROR_NS, MOST_BACK_NS
from companion.core.match.match import PlaySettings
from companion.core.play.commands import EnterCard
from companion.core.record.lines import Close, PressLine, Remark, dump_line, parse_line
from companion.core.record.told_presses import read_press
from companion.core.ruling.judge import Judge
from companion.core.timing.events import MS, SECOND
from companion.games import registry
from tests.adapters.web.phones.hall import START_NS, Hall, Phone

if TYPE_CHECKING:
    from companion.adapters.web.wire.messages import By

pytestmark = pytest.mark.slow  # asks every address with made-up requests

MOST_GAINED_NS = 10 * MS
QUICK = PlaySettings(window_ns=SECOND // 2, late_ns=SECOND // 5)
RED, YELLOW = "red first", "yellow first"


class BackDater(Phone):
    """Dates its presses `back_us` back."""

    back_us = 1_950_000

    def stamp_us(self, at_ns: int) -> int:
        return super().stamp_us(at_ns) - self.back_us


class LateAnswerer(BackDater):
    """Holds every answer to a round trip back, so that its ± grows, and dates back as far as that allows."""

    held_ms = 295.0
    back_us = 0

    def answers(self, now_ns: int) -> tuple[int, int]:
        return super().answers(now_ns)[0], round(self.held_ms * MS)


class SometimesLate(LateAnswerer):
    """Holds back two of three answers: its usual round trip is long, its best one short."""

    held_ms = 150.0
    back_us = 60_000

    def answers(self, now_ns: int) -> tuple[int, int]:
        return super().answers(now_ns)[0], round(self.held_ms * MS) if self.rng.random() < 2 / 3 else 0


class Jumper(Phone):
    """Its clock leaps to and fro by seconds."""

    def true_us(self, t_ns: int) -> int:
        leap_us = random.Random(t_ns // (2 * SECOND)).choice((0, 3_000_000, -4_000_000, 9_900_000))
        return max(0, super().true_us(t_ns) + leap_us)


class SlowLiar(Phone):
    """Its clock gains 100 µs in each second, as clocks may, for minutes; its presses are dated as if it did not."""

    def __init__(self, hall: Hall, seat: str, seed: int = 1) -> None:
        super().__init__(hall, seat, drift_ppm=100, seed=seed)
        hall.run(300 * SECOND)

    def stamp_us(self, at_ns: int) -> int:
        return super().stamp_us(at_ns) - (at_ns - START_NS) // 10_000_000


class OneSided(LateAnswerer):
    """Says that its answers are read late and sends them late: all of its round trip lies on one side."""

    held_ms = 30.0

    def answers(self, now_ns: int) -> tuple[int, int]:
        held_ns = round(self.held_ms * MS)
        return self.true_us(now_ns + held_ns), held_ns

    back_us = 25_000


CHEATERS = [BackDater, LateAnswerer, SometimesLate, Jumper, SlowLiar, OneSided]


def gains(hall: Hall, cheater: Phone) -> list[int]:
    """By how much each of a cheater's presses counts before it was sent, of those of which nothing was said."""
    marked = [text for text in hall.remarks() if "counts from its arrival" in text and "first" in text]
    found = []
    for sent_ns, came_ns, taken in cheater.taken:
        assert taken.why is None or "not known" in taken.why
        if taken.why is not None or taken.arrival is not None:
            continue
        near = [line for line in hall.lines if isinstance(line, PressLine) and abs(line.t_ns - came_ns) <= MOST_BACK_NS]
        found += [sent_ns - line.t_ns for line in near if line.colour == cheater.panel.seat]
    assert len(marked) == sum(1 for *_, taken in cheater.taken if taken.arrival is not None)
    return found


@pytest.mark.parametrize("kind", CHEATERS)
def test_a_cheater_that_presses_after_its_rival_is_never_first_and_gains_ten_milliseconds_at_most(
    kind: type[Phone],
) -> None:
    hall = Hall(play=QUICK)
    cheater = kind(hall, "yellow", seed=3)
    for after_ms in (40, 15, 200, 450, 100, 20, 30):
        at_ns = hall.now_ns + 50 * MS
        hall.wired(RED, at_ns)
        hall.at(at_ns + after_ms * MS, lambda: cheater.send(YELLOW, cheater.stamp_us(hall.now_ns)))
        hall.run(3 * SECOND)
    assert hall.firsts() == ["red"] * 7
    assert max(gains(hall, cheater), default=0) <= MOST_GAINED_NS
    assert all(press.error_ns <= MAX_ERROR_NS for press in hall.presses("yellow"))


def test_a_press_dated_two_seconds_back_counts_from_its_arrival_and_the_box_says_so_at_once() -> None:
    hall = Hall(play=QUICK)
    cheater = BackDater(hall, "yellow")
    cheater.send(YELLOW, cheater.stamp_us(hall.now_ns))
    hall.run(4 * MS)
    assert any("counts from its arrival" in alarm and cheater.panel.code in alarm for alarm in hall.alarms())
    hall.run(SECOND)
    (press,) = hall.presses("yellow")
    assert (press.t_ns, press.error_ns) == (cheater.taken[0][1], 0)
    (told,) = [text for text in hall.remarks() if text.startswith(YELLOW)]
    assert "its own stamp was" in told


@pytest.mark.parametrize("back_ms", [5, 15, 40, 80, 300])
def test_honest_presses_of_a_phone_are_believed_and_its_dated_back_ones_gain_ten_milliseconds(back_ms: int) -> None:
    hall = Hall(play=QUICK)
    cheater = BackDater(hall, "yellow")
    cheater.back_us = back_ms * 1000
    cheater.touch(hall.now_ns + 100 * MS, YELLOW)
    hall.run(2 * SECOND)
    assert all(gain <= MOST_GAINED_NS for gain in gains(hall, cheater))
    cheater.back_us = 0
    cheater.touch(hall.now_ns + 100 * MS, YELLOW)
    hall.run(2 * SECOND)
    assert cheater.taken[-1][2].arrival is None


def test_an_honest_press_that_comes_late_starts_no_race_of_its_own() -> None:
    hall = Hall(play=QUICK)
    phone = Phone(hall, "yellow")
    at_ns = hall.now_ns + 50 * MS
    hall.wired(RED, at_ns)
    hall.at(at_ns - 20 * MS, lambda: phone.send(YELLOW, phone.stamp_us(hall.now_ns), late_ns=1800 * MS))
    hall.run(4 * SECOND)
    assert hall.firsts() == ["red"]
    assert hall.presses("yellow") == []
    (told,) = [text for text in hall.remarks() if "before the last race closed" in text]
    assert told.endswith(f"({phone.taken[0][1]} ns ± 0 ns)")
    hall.wired(RED, hall.now_ns + 50 * MS)
    phone.touch(hall.now_ns + 20 * MS, YELLOW)
    hall.run(3 * SECOND)
    assert hall.firsts() == ["red", "yellow"]


def test_a_record_with_such_remarks_is_judged_again_alike_and_the_belated_press_can_be_played() -> None:
    hall = Hall(play=QUICK)
    phone = Phone(hall, "yellow")
    at_ns = hall.now_ns + 50 * MS
    hall.wired(RED, at_ns)
    hall.at(at_ns - 20 * MS, lambda: phone.send(YELLOW, phone.stamp_us(hall.now_ns), late_ns=1800 * MS))
    hall.run(4 * SECOND)
    judge = Judge(registry.find)
    again = [judge.feed(parse_line(dump_line(line), number)) for number, line in enumerate(hall.lines, 1)]
    assert again == [told.rulings for told in hall.session.match.history]  # type: ignore[union-attr]
    told = [read_press(line, hall.game.roles) for line in hall.lines if isinstance(line, Remark)]
    (press,) = [one for one in told if one is not None]
    assert (press.colour, press.t_ns, press.error_ns) == ("yellow", phone.taken[0][1], 0)


def test_a_late_press_does_not_enter_a_race_that_began_since() -> None:
    hall = Hall(game="apache", play=QUICK)
    for card in ("red hunter", "buffalo"):
        hall.command(EnterCard(card=card))
    phone = Phone(hall, "yellow")
    at_ns = hall.now_ns + 50 * MS
    hall.wired("red hunter", at_ns)
    hall.at(at_ns + 10 * MS, lambda: phone.send("yellow third", phone.stamp_us(hall.now_ns), late_ns=1800 * MS))
    hall.run(SECOND)
    hall.command(EnterCard(card="teepee"))
    hall.run(2 * SECOND)
    assert hall.presses("yellow") == []
    assert len([line for line in hall.lines if isinstance(line, Close)]) == 1


def test_a_press_that_is_late_within_its_race_counts_from_its_arrival() -> None:
    hall = Hall(play=PlaySettings(window_ns=3 * SECOND))
    phone = Phone(hall, "yellow")
    at_ns = hall.now_ns + 50 * MS
    hall.wired(RED, at_ns)
    hall.at(at_ns - 20 * MS, lambda: phone.send(YELLOW, phone.stamp_us(hall.now_ns), late_ns=1800 * MS))
    hall.run(6 * SECOND)
    assert hall.firsts() == ["red"]
    (press,) = hall.presses("yellow")
    assert (press.t_ns, press.error_ns) == (phone.taken[0][1], 0)


class Searching(Phone):
    """Draws all that it may choose anew again and again: when and what it answers, how and when it dates a press."""

    held_ms = lie_us = 0.0
    often = 1.0

    def draw(self) -> None:
        rng = self.rng
        self.held_ms = rng.choice((0.0, 1.0, 5.0, 20.0, 50.0, 300.0)) * rng.random()
        self.often = rng.random()
        self.lie_us = rng.choice((0, 100, 10_000, 50_000, 1_000_000)) * (rng.random() - 0.5)

    def answers(self, now_ns: int) -> tuple[int, int]:
        reading, _ = super().answers(now_ns)
        held_ns = round(self.held_ms * MS) if self.rng.random() < self.often else 0
        return max(0, reading + round(self.lie_us * self.rng.random())), held_ns

    def dated(self) -> tuple[int, By]:
        back_us = self.rng.choice((0, 2_000, 10_000, 25_000, 60_000, 2_000_000)) * self.rng.random()
        by: By = self.rng.choice(("touch", "mouse", "key"))
        return max(0, self.stamp_us(self.hall.now_ns) - round(back_us)), by


@pytest.mark.parametrize("seed", range(4))
def test_no_search_finds_a_way_to_more_than_ten_milliseconds(seed: int) -> None:
    hall = Hall()
    cheater = Searching(hall, "yellow", there_ms=0.3, back_ms=0.3, jitter_ms=0.2, seed=seed)
    hall.source.close()  # only what the panels say of each press is looked at
    best_ns = believed = 0
    for _ in range(60):
        cheater.draw()
        cheater.panel.clock.tried(cheater.rng.choice((5, 1000, 20_000)), cheater.rng.choice((None, 1, 50_000)))
        cheater.panel.pressed_ns = 0
        hall.run(cheater.rng.randrange(SECOND))
        for _ in range(25):
            t_us, by = cheater.dated()
            taken_before = len(cheater.taken)
            cheater.panel.down.clear()
            cheater.send(YELLOW, t_us, by)
            hall.run(2 * MS)
            for sent_ns, _, taken in cheater.taken[taken_before:]:
                if taken.why is None and taken.arrival is None:
                    believed += 1
                    best_ns = max(best_ns, sent_ns - cheater.panel.pressed_ns)
    assert believed > 50
    assert MOST_GAINED_NS * 3 // 4 < best_ns <= MOST_GAINED_NS
    assert USUAL_TRUST.max_error_ns == MAX_ERROR_NS
