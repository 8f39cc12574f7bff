"""The clock in a whole box: presses, knob and commands; what they write, what is then left, shown and heard."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.match.match import PlaySettings
from companion.core.panel import Colour
from companion.core.play.commands import Choose
from companion.core.record.lines import TimedLine
from companion.core.ruling.offers import line_key
from companion.core.shown.scene import Idle
from companion.core.timing.events import MS
from companion.games.clock import GAME
from companion.games.clock.lines import Done, Pause, Score, Start, TooLate, TurnOver
from companion.games.clock.state import Phase
from companion.testing.virtual_box import VirtualBox, live_rulings
from companion.testing.walks import only
from tests.games.clock.table import S


def box_of(*seats: str, **parameters: Any) -> VirtualBox:
    return VirtualBox(
        seats or ("red", "yellow", "blue"), "clock", find=only(GAME), games=("clock",), parameters=parameters,
        play=PlaySettings(),
    )  # fmt: skip


def match_of(box: VirtualBox) -> Any:
    return box.session.match


def timed(box: VirtualBox) -> list[tuple[str, str | None, int]]:
    """Give what was timed: its type, whose, and its millisecond."""
    lines = [line for line in box.lines if isinstance(line, TimedLine)]
    return [(str(line.__struct_config__.tag), getattr(line, "colour", None), (line.t_ns or 0) // MS) for line in lines]


def left(box: VirtualBox) -> list[int]:
    """Give what is left of each clock in milliseconds, as of the newest line."""
    return [clock.left // MS for clock in match_of(box).judge.state.seats]


def test_any_own_button_ends_the_turn_at_the_instant_of_the_press() -> None:
    box = box_of(main="60")
    for button, at_ms in (("yellow fourth", 2000), ("red first", 3000), ("yellow second", 4500), ("blue third", 7000)):
        box.press(button, at_ms)
    box.run(7500)
    assert timed(box) == [
        ("start", "yellow", 2000),
        ("done", "red", 3000),
        ("done", "yellow", 4500),
        ("done", "blue", 7000),
    ]
    assert left(box) == [59_000, 58_500, 57_500]
    assert [line.error_ns for line in box.lines if isinstance(line, Done)] == [20_000] * 3
    assert isinstance(box.body, Idle)


def test_another_seat_s_button_is_a_tone_and_no_line() -> None:
    box = box_of(main="60")
    box.press("red first", 2000)
    box.press("blue first", 4000)
    box.run(4500)
    assert box.types()[-1] == "start"
    assert box.tones()[-1] == "ignored"
    assert isinstance(box.body, Idle), "it opens nothing"


def test_the_fourth_button_of_anybody_pauses_and_goes_on() -> None:
    box = box_of(main="60")
    for button, at_ms in (("red first", 2000), ("blue fourth", 5000), ("yellow fourth", 9000), ("red first", 10_000)):
        box.press(button, at_ms)
    box.run(10_500)
    assert [kind for kind, _, _ in timed(box)] == ["start", "pause", "start", "done"]
    assert left(box)[0] == 56_000


def test_the_knob_pauses_by_two_pushes_and_takes_back_to_before_the_press() -> None:
    box = box_of(main="60")
    box.press("red first", 2000)
    box.press("red first", 6000)
    box.press("yellow first", 7500)
    box.run(8000)
    box.click(9000)
    box.click(9400)
    box.run(9600)
    assert timed(box)[-1][0] == "pause"
    box.press("knob push", 10_000, hold_ms=1500)
    box.run(11_800)
    box.click(12_000)
    box.run(12_300)
    assert box.types()[-3:] == ["undo", "undo", "pause"]
    assert box.lines[-1] == Pause(t_ns=7500 * MS)
    assert left(box) == [56_000, 58_500, 60_000]
    assert match_of(box).judge.state.turn == 1


def test_nothing_is_taken_back_while_the_clocks_run() -> None:
    box = box_of(main="60")
    box.press("red first", 2000)
    box.run(2500)
    box.press("knob push", 3000, hold_ms=1500)
    box.run(4800)
    box.click(5000)
    box.run(5300)
    assert box.types()[-1] == "start"
    assert "pause them first" in box.scene.notice


def test_a_flag_falls_by_itself_at_its_exact_instant_and_is_heard() -> None:
    box = box_of(main="10", warn="0")
    box.press("red first", 2000)
    box.run(12_500)
    assert timed(box)[-1] == ("fall", "red", 12_000)
    assert box.tones()[-1] == "time is up"
    box.press("yellow first", 13_000)
    box.run(13_500)
    assert left(box)[1] == 9_000, "yellow's clock has run from the flag on"


def test_a_press_made_before_the_flag_counts_though_the_flag_s_instant_is_past_when_it_arrives() -> None:
    box = box_of("red", "yellow", main="10")
    box.press("red first", 2000)
    box.press("red second", 11_999.9)
    box.run(12_400)
    assert timed(box)[-1] == ("done", "red", 11_999)
    assert [ruling.close for ruling in live_rulings(box) if isinstance(ruling, TurnOver)] == [False]


def test_who_presses_just_after_the_flag_is_told_by_how_much() -> None:
    box = box_of("red", "yellow", main="10")
    box.press("red first", 2000)
    box.press("red second", 12_000.01, error_ns=20_000)
    box.run(12_500)
    late = next(ruling for ruling in live_rulings(box) if isinstance(ruling, TooLate))
    assert (box.types()[-1], late.behind_ns, late.close) == ("late", 10_000, True)


def test_little_time_is_heard_once_for_each_clock() -> None:
    box = box_of("red", "yellow", main="20", extra="15", warn="30")
    box.press("red first", 2000)
    box.run(6900)
    assert "little time" not in box.tones()
    box.run(7100)
    assert box.tones().count("little time") == 1
    box.press("red first", 8000)
    box.press("yellow first", 14_500)
    box.press("red first", 28_000)
    box.run(28_500)
    assert box.tones().count("little time") == 2, "red's and yellow's, and red's not again"


def test_points_are_entered_by_own_buttons_while_the_clocks_stand() -> None:
    box = box_of("red", "yellow", main="60")
    for button, at_ms in (
        ("red first", 2000), ("red fourth", 4000), ("yellow first", 6000), ("yellow third", 8000),
        ("yellow second", 9000), ("yellow fourth", 10_000),
    ):  # fmt: skip
        box.press(button, at_ms)
        box.run(at_ms + 400)
    assert box.lines[-1] == Score(colour=Colour.YELLOW, value=11)
    assert isinstance(box.body, Idle)
    assert box.body.menu is None, "nobody has turned the knob: the display shows the clocks again"
    box.press("yellow fourth", 12_000)
    box.run(12_400)
    assert isinstance(box.lines[-1], Start)


def test_what_starts_the_clocks_is_told_as_it_is() -> None:
    box = box_of("red", "yellow", main="60", turns="all")
    assert GAME.view(match_of(box).judge.state).hints == ("any button starts",)
    for at_ms, button in ((2000, "red first"), (3000, "red first"), (4000, "yellow first")):
        box.press(button, at_ms)
    box.run(4500)
    state = match_of(box).judge.state
    assert (state.phase, state.round) == (Phase.READY, 2)
    assert GAME.view(state).hints == ("fourth button: start",), "the others enter points now"


def test_a_page_ends_a_turn_and_gives_time() -> None:
    box = box_of("red", "yellow", main="60")
    box.press("red first", 2000)
    box.run(3000)
    box.command(Choose(kind="turn", seat=Colour.RED, option=line_key(Done(colour=Colour.RED))))
    box.run(box.now_ms + 300)
    assert timed(box)[-1][:2] == ("done", "red")
    box.press("yellow fourth", box.now_ms + 700)
    box.run(box.now_ms + 1500)
    time = next(offer for offer in GAME.offers(match_of(box).judge.state) if offer.kind == "time red")
    give = next(option for option in time.options if option.label == "+2 min")
    before = left(box)[0]
    box.command(Choose(kind="time red", option=give.key))
    box.run(box.now_ms + 300)
    assert left(box)[0] == before + 120_000


def test_the_knob_ends_the_match_once_the_clocks_stand() -> None:
    box = box_of("red", "yellow", main="60")
    box.press("red first", 2000)
    box.press("red fourth", 3500)
    box.run(4000)
    box.pick("end of the game", 5000)
    box.run(5300)
    box.click(6000)
    box.run(6500)
    assert box.types()[-1] == "end"


@pytest.mark.parametrize("mode", ["increment", "delay", "move", "hourglass"])
def test_what_a_display_shows_of_a_running_clock_is_what_a_pause_then_records(mode: str) -> None:
    box = box_of("red", "yellow", "blue", mode=mode, main="60", extra="3")
    box.press("red first", 2000)
    box.press("red first", 6000)
    box.run(6500)
    view = match_of(box).view()
    shown = [clock.left(15_000 * MS) for clock in view.clocks]
    box.press("yellow fourth", 15_000)
    box.run(15_500)
    now = match_of(box).judge.state.seats
    assert [abs(one - clock.left) <= 2 for one, clock in zip(shown, now, strict=True)] == [True] * 3
    assert sum(clock.spent for clock in now) == 13 * S
