"""What pages are not sent while phones race: nothing from which a program could learn that somebody has pressed."""

from __future__ import annotations

from companion.core.panel import Colour
from companion.core.play.commands import CloseRace, EnterCard, TakeBack
from companion.core.play.snapshot import Snapshot, as_of, is_ticking, is_withheld
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import MS
from tests.core.play.test_commands import Desk, two

RED, YELLOW, *_ = Colour
PHONES = (YELLOW,)
SLOW = {"yellow fourth": LineTiming(accept_ns=300 * MS, seat="yellow")}


def now(box: Desk) -> Snapshot:
    return box.session.snapshot(round(box.now_ms * MS))


def turned() -> Desk:
    box = Desk(seats=("red", "yellow", "blue"))
    box.ask(EnterCard(card="buffalo"), 2000)
    return box


def test_the_first_press_of_a_race_is_withheld_until_the_race_takes_no_more() -> None:
    box = turned()
    before = now(box)
    assert not is_withheld(before, before, PHONES)
    box.press("red hunter", 2500)
    box.run(2700)
    pressed = now(box)
    assert is_withheld(before, pressed, PHONES)
    assert is_withheld(None, pressed, PHONES), "a page that is opened just then"
    assert not is_withheld(pressed, pressed, PHONES), "it says no more than what was told"
    box.ask(CloseRace(), 3000)
    box.run(6000)
    assert not is_withheld(before, now(box), PHONES)


def test_the_second_press_is_withheld_from_who_knows_the_first() -> None:
    box = turned()
    box.press("red hunter", 2500)
    box.run(2700)
    one = now(box)
    box.press("yellow hunter", 2800)
    box.run(3000)
    assert is_withheld(one, now(box), PHONES)


def test_a_press_that_waits_for_its_card_is_withheld_too() -> None:
    box = two()
    before = now(box)
    box.press("red hunter", 2500)
    box.run(2700)
    assert is_withheld(before, now(box), PHONES)
    assert is_withheld(None, now(box), PHONES)


def test_a_contact_that_may_become_a_press_is_withheld() -> None:
    box = Desk(seats=("red", "yellow", "blue"), timings=SLOW)
    box.ask(EnterCard(card="buffalo"), 2000)
    box.press("red hunter", 2500)
    box.run(2700)
    before = now(box)
    box.edge("yellow fourth", True, 2800)
    box.run(2850)
    seen = now(box)
    assert seen.match is not None
    assert seen.match.race is not None
    assert (seen.match.race.unsettled, len(seen.match.race.presses)) == ((YELLOW,), 1)
    assert is_withheld(before, seen, PHONES)


def test_nothing_is_withheld_where_no_phone_plays_a_seat_of_the_match() -> None:
    box = turned()
    before = now(box)
    box.press("red hunter", 2500)
    box.run(2700)
    assert not is_withheld(before, now(box), ())
    assert not is_withheld(before, now(box), (Colour.PURPLE,))
    assert not is_withheld(None, now(Desk(("red",), start=False)), PHONES)


def test_what_was_told_of_another_match_is_nothing_known_of_this_one() -> None:
    told = []
    for seats in (("red", "yellow", "blue"), ("yellow", "red", "blue")):
        box = Desk(seats=seats)
        box.ask(EnterCard(card="buffalo"), 2000)
        box.press("red hunter", 2500)  # the very same press in both
        box.run(2700)
        told.append(now(box))
    assert is_withheld(told[0], told[1], PHONES)
    assert not is_withheld(told[1], told[1], PHONES)


def test_a_race_that_is_opened_again_withholds_no_press_that_all_have_seen() -> None:
    box = turned()
    box.press("red hunter", 2500)
    box.run(7000)
    judged = now(box)
    for at_ms in (7500, 8000):  # the judging, and the close: the race runs again
        newest = now(box).match
        assert newest is not None
        assert newest.newest is not None
        box.ask(TakeBack(reason="too soon", by="Ann", line=newest.newest), at_ms)
    again = now(box)
    assert again.match is not None
    assert not is_withheld(judged, again, PHONES)
    box.press("yellow hunter", 8500)
    box.run(8700)
    assert is_withheld(again, now(box), PHONES)


def test_without_a_clock_a_later_instant_shows_the_same() -> None:
    shown = now(turned())
    assert not is_ticking(shown)
    assert as_of(shown, shown.now_ns + 5000 * MS) is shown
    assert as_of(shown, shown.now_ns - MS) is shown
