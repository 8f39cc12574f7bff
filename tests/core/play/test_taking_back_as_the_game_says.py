"""The newest doing of a running match is taken back as its game says; the record's own `undo` is as it was."""

from __future__ import annotations

import pytest

from companion.core.errors import CompanionError, Illegal
from companion.core.panel import Colour
from companion.core.play.commands import Change, Choose, ReplaceCall, TakeBack
from companion.core.record.lines import Line, Restart, Undo, dump_line
from companion.core.ruling.game import TakingBack
from companion.core.ruling.judge import judge_record
from companion.core.timing.events import MS
from companion.games.guarded import guarded
from companion.testing.virtual_box import VirtualBox, live_rulings
from companion.testing.walks import only
from tests.contract.turns import TURNS, Halt, HandOver, Phase, State, Turns
from tests.core.play.test_timed_choices import box_of, running
from tests.core.play.virtual_box import unfinished


def halted() -> VirtualBox:
    """Red has handed over at 4000; at 5000 all is halted."""
    box = running()
    box.press("red first", 4000)
    box.pick("Halt", 4600)
    box.turn(1, 4950)
    box.click(5000)
    box.run(5300)
    assert isinstance(box.lines[-1], Halt)
    return box


def take_back(box: VirtualBox, line: int | None = None) -> object:
    answer = box.command(TakeBack(line=line or len(box.lines), by="referee"))
    box.run(box.now_ms + 200)
    return answer[0]


def state_of(box: VirtualBox) -> State:
    assert box.session.match is not None
    found: State = box.session.match.judge.state
    return found


def test_while_time_runs_the_game_says_what_is_to_be_done_first_and_nothing_changes() -> None:
    box = running()
    before = list(box.lines)
    assert "halt first" in str(take_back(box))
    box.edge("knob push", True, 4000)
    box.run(5200)
    box.edge("knob push", False, 5300)
    box.run(5500)
    box.click(5600)
    box.run(5900)
    assert box.session.scene().notice == "refused: halt first: while time runs, nothing is taken back"
    assert box.lines == before


def test_several_lines_go_together_and_what_the_game_wants_then_is_written_at_its_own_time() -> None:
    box = halted()
    halt = box.lines[-1]
    assert isinstance(halt, Halt)
    done = take_back(box)
    assert not isinstance(done, CompanionError), done
    assert [type(line) for line in box.lines[-3:]] == [Undo, Undo, Halt]
    assert box.lines[-1] == Halt(t_ns=halt.t_ns)
    assert state_of(box).phase is Phase.HALTED
    assert state_of(box).spent == ()
    assert list(judge_record(map(dump_line, box.lines), only(TURNS))) == live_rulings(box)


def test_a_new_clock_that_began_after_it_stays_begun() -> None:
    begun = box_of()
    begun.press("red first", 2000)
    begun.run(2300)
    lines = begun.lines
    box = VirtualBox(
        ("red", "yellow"), "turns", find=only(TURNS), games=("turns",), unfinished=unfinished(lines, same_clock=False)
    )
    box.click(1200)
    box.run(1500)
    assert box.session.match is not None
    assert isinstance(box.session.match.history[-1].line, Restart)
    take_back(box, len(lines))
    assert [type(told.line) for told in box.session.match.history][-4:] == [Restart, Undo, Undo, Restart]


class Taking(Turns):
    """It has any line taken back in one way."""

    def __init__(self, how: TakingBack) -> None:
        self.how = how

    def taking_back(self, state: State, newest: Line) -> TakingBack:
        return self.how


@pytest.mark.parametrize(
    ("how", "why"),
    [
        (TakingBack(99), "not so many"),
        (TakingBack(1, HandOver(colour=Colour.PURPLE)), "not on offer"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_changes(how: TakingBack, why: str) -> None:
    box = VirtualBox(("red", "yellow"), "turns", find=only(Taking(how)), games=("turns",))
    box.command(Choose(result=("oakum", "ashlar", "elvan", "firkin", "yawl", "bayou")))
    box.run(1500)
    before = list(box.lines)
    assert why in str(take_back(box))
    assert box.lines == before


def test_a_game_of_somebody_elses_says_so_too_and_its_slips_take_one_line_back() -> None:
    faults: list[str] = []
    game = guarded(TURNS, lambda text, _: faults.append(text))
    match = running().session.match
    assert match is not None
    state = match.judge.state
    with pytest.raises(Illegal, match="halt first"):
        game.taking_back(state, HandOver(colour=Colour.RED))
    assert faults == []
    slipping = guarded(Taking("nonsense"), lambda text, _: faults.append(text))  # type: ignore[arg-type]
    assert slipping.taking_back(state, HandOver(colour=Colour.RED)) == TakingBack()
    assert len(faults) == 1


def test_a_call_can_be_replaced_in_such_a_game_too() -> None:
    box = halted()
    line = len(box.lines) - 1
    change = Change(line=line, lines=())
    answer = box.command(ReplaceCall(changes=(change,), reason="it was nobody", by="referee", seen=len(box.lines)))
    box.run(box.now_ms + 200)
    assert not isinstance(answer[0], CompanionError), answer
    assert box.lines[-1] == Halt(t_ns=5000 * MS, error_ns=20_000)
    assert state_of(box).spent == ()
