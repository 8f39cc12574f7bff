"""A choice whose instant matters has it from the press or the pick that made it, with its uncertainty, and keeps it."""

from __future__ import annotations

from companion.core.errors import CompanionError
from companion.core.panel import Colour
from companion.core.play.commands import Change, Choose, PreviewReplace, ReplaceCall
from companion.core.record.lines import Line, TimedLine
from companion.core.ruling.offers import line_key
from companion.core.timing.events import MS, SECOND
from companion.testing.virtual_box import VirtualBox
from companion.testing.walks import only
from tests.contract.turns import TURN_NS, TURNS, Expired, Go, Halt, HandOver, Ready

ME = {"reason": "a test", "by": "referee"}


def box_of(*seats: str) -> VirtualBox:
    """Everything is dealt by hand; everybody is asked whether they are ready."""
    box = VirtualBox(seats or ("red", "yellow"), "turns", find=only(TURNS), games=("turns",))
    answer = box.command(Choose(result=("oakum", "ashlar", "elvan", "firkin", "yawl", "bayou")))
    box.run(box.now_ms + 100)
    assert not isinstance(answer[0], CompanionError), answer
    return box


def running() -> VirtualBox:
    box = box_of()
    box.press("red first", 2000)
    box.press("yellow first", 2500)
    box.run(2700)
    return box


def newest(box: VirtualBox, kind: type[Line]) -> Line:
    return next(line for line in reversed(box.lines) if isinstance(line, kind))


def test_a_press_gives_its_own_instant_and_its_own_uncertainty() -> None:
    box = box_of()
    box.press("red third", 2000, error_ns=7_000)
    box.run(2500)
    assert newest(box, Ready) == Ready(colour=Colour.RED, t_ns=2000 * MS, error_ns=7_000)


def test_a_pick_by_the_knob_is_of_when_the_knob_was_pushed() -> None:
    box = running()
    box.pick("Halt", 3000)
    box.turn(1, 3500)
    box.press("knob push", 3600, 100, error_ns=9_000)
    box.run(4000)
    assert newest(box, Halt) == Halt(t_ns=3600 * MS, error_ns=9_000)


def test_a_pick_on_a_page_is_of_when_it_came() -> None:
    box = running()
    box.run(3000)
    box.command(Choose(kind="over", seat=Colour.RED, option=line_key(HandOver(colour=Colour.RED))))
    box.run(3200)
    assert newest(box, HandOver) == HandOver(colour=Colour.RED, t_ns=3000 * MS)


def test_what_time_alone_leads_to_is_of_its_deadline() -> None:
    box = running()
    box.run(2500 + TURN_NS // MS + 500)
    assert newest(box, Expired) == Expired(colour=Colour.RED, t_ns=2500 * MS + TURN_NS)


def test_a_push_of_the_knob_before_a_deadline_comes_before_it() -> None:
    box = running()
    end_ms = 2500 + TURN_NS // MS
    box.pick("Halt", end_ms - 1000)
    box.turn(1, end_ms - 400)
    box.press("knob push", end_ms - 50, 500)
    box.run(end_ms + 900)
    assert newest(box, TimedLine) == Halt(t_ns=(end_ms - 50) * MS, error_ns=20_000)


def test_the_key_of_a_choice_says_nothing_of_when_it_was() -> None:
    assert line_key(Ready(colour=Colour.RED, t_ns=SECOND, error_ns=5)) == line_key(Ready(colour=Colour.RED))


def test_a_replaced_call_keeps_the_instant_and_none_is_invented() -> None:
    box = running()
    box.press("red first", 4000)
    box.run(4200)
    line = len(box.lines)
    change = Change(line=line, lines=({"type": "hand-over", "colour": "red"},))
    answer = box.command(ReplaceCall(changes=(change,), seen=len(box.lines), **ME))
    box.run(4400)
    assert not isinstance(answer[0], CompanionError), answer
    assert newest(box, HandOver) == HandOver(colour=Colour.RED, t_ns=4000 * MS, error_ns=20_000)
    later = len(box.lines)
    invented = Change(line=later, lines=({"type": "hand-over", "colour": "red", "t_ns": 3_900_000_000},))
    refused = box.command(PreviewReplace(changes=(invented,), seen=len(box.lines)))
    box.run(4600)
    assert "at its own time" in str(refused[0])


def test_after_a_restart_nothing_is_timed_across_it() -> None:
    match = running().session.match
    assert match is not None
    state = TURNS.restarted(match.judge.state)
    assert TURNS.deadline(state) is None
    after, _ = TURNS.apply(state, Go(t_ns=5))
    assert TURNS.deadline(after) is not None
