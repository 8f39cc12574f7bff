"""Every sort of offer, made at the box by buttons and knob: a match of the game that uses all of them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core.panel import Colour
from companion.core.record.lines import ChanceLine, Line, dump_line
from companion.core.ruling.chance import drawn
from companion.core.ruling.judge import judge_record
from companion.core.ruling.offers import Chance
from companion.testing.driving import OneSeed
from companion.testing.virtual_box import VirtualBox, live_rulings
from companion.testing.walks import SEED, only
from tests.contract.everything import EVERYTHING, Bid, Double, Late, Move, Phase, Stake, State


@pytest.fixture
def box() -> VirtualBox:
    return VirtualBox(
        ("red", "blue"),
        "everything",
        seeds=OneSeed(),
        parameters={"rounds": 2},
        find=only(EVERYTHING),
        games=("everything",),
    )


def press(box: VirtualBox, *labels: str) -> None:
    for label in labels:
        box.press(label, box.now_ms + 1)
        box.run(box.now_ms + 250)


def pick(box: VirtualBox, label: str) -> None:
    box.pick(label, box.now_ms + 1)


def written(box: VirtualBox) -> list[Line]:
    return [line for line in box.lines[1:] if not isinstance(line, ChanceLine)]


def state_of(box: VirtualBox) -> State:
    assert box.session.match is not None
    state: State = box.session.match.judge.state
    return state


def to_stake(box: VirtualBox) -> None:
    press(box, "blue third", "red second")


def to_move(box: VirtualBox) -> None:
    to_stake(box)
    press(box, "blue fourth")


def test_secret_bids_are_made_by_all_at_once_each_blind_with_their_own_buttons(box: VirtualBox) -> None:
    red_is_asked = box.body
    assert (red_is_asked.seat, red_is_asked.is_private) == ("red", True)
    assert {item.label for item in red_is_asked.menu.items} == {""}
    press(box, "blue third")
    assert box.lines[1:] == [Bid(colour=Colour.BLUE, bid="2")]
    assert "blue has bid" in [EVERYTHING.describe(line) for line in box.lines]
    press(box, "blue first")
    assert len(box.lines) == 2, "blue has bid already"
    press(box, "red second")
    assert state_of(box).phase is Phase.STAKE
    assert state_of(box).leader == "blue"


def test_the_knob_shows_and_bids_nothing_of_what_is_private(box: VirtualBox) -> None:
    seen = {item.label for item in box.menu().items} | {item.value for item in box.menu().items}
    assert seen <= {"", None}


def test_a_large_number_is_counted_and_entered_by_buttons(box: VirtualBox) -> None:
    to_stake(box)
    press(box, "blue third", "blue third", "blue first", "blue fourth")
    assert written(box)[2:] == [Stake(colour=Colour.BLUE, stake=20)]


def test_a_large_number_is_counted_by_the_knob_and_stays_in_its_range(box: VirtualBox) -> None:
    to_stake(box)
    box.turn(-9, box.now_ms + 1)
    box.run(box.now_ms + 100)
    assert box.body.more, "what else can be done stands below the lowest"
    box.turn(42, box.now_ms + 1)
    box.run(box.now_ms + 100)
    box.click(box.now_ms + 1)
    box.run(box.now_ms + 300)
    assert written(box)[2:] == [Stake(colour=Colour.BLUE, stake=42)]


def test_an_optional_offer_of_another_seat_comes_by_its_own_button_while_somebody_must_decide(box: VirtualBox) -> None:
    to_stake(box)
    press(box, "red second")
    assert (box.body.seat, len(written(box))) == ("red", 2)
    press(box, "red first")
    assert [replace(line, t_ns=None, error_ns=0) for line in written(box)[2:]] == [Double(colour=Colour.RED)]
    press(box, "red first")
    assert len(written(box)) == 3, "it cannot be done twice"
    press(box, "blue fourth")
    assert written(box)[3:] == [Stake(colour=Colour.BLUE, stake=1)]


def test_a_choice_of_two_hundred_is_made_in_two_steps_and_a_step_back_is_no_line(box: VirtualBox) -> None:
    to_move(box)
    before = len(box.lines)
    pick(box, "17")
    assert box.menu().title == "Which row?"
    pick(box, "back")
    assert box.menu().title == "Which column?"
    assert len(box.lines) == before
    press(box, "blue second", "blue third")
    assert written(box)[3:] == [Move(colour=Colour.BLUE, column=2, row=3)]


def test_dice_and_draws_are_the_boxs_from_its_committed_seed_or_made_by_hand(box: VirtualBox) -> None:
    to_move(box)
    press(box, "blue second", "blue third")
    pick(box, "let the box do it")
    assert box.lines[-1] == ChanceLine(name="die", n=1, by="box", result=drawn(SEED, Chance("die"), 1))
    pick(box, "let the box do it")
    assert box.lines[-1] == ChanceLine(name="card", n=1, by="box")
    box.press("knob push", box.now_ms + 1, 1500)
    box.run(box.now_ms + 1700)
    pick(box, "yes")
    pick(box, "moon")
    assert box.lines[-1] == ChanceLine(name="card", n=1, by="hand", result=("moon",))


def test_a_whole_match_with_races_a_deadline_and_the_seed_at_its_end(box: VirtualBox) -> None:
    to_move(box)
    press(box, "blue second", "blue third")
    pick(box, "let the box do it")
    pick(box, "let the box do it")
    pick(box, "bell")
    press(box, "red third", "blue third")
    box.run(box.now_ms + 3000)
    assert state_of(box).round == 2
    press(box, "red third", "blue first")
    assert state_of(box).phase is Phase.STAKE
    box.run(box.now_ms + 25_000)
    assert Late() in box.lines
    assert state_of(box).phase is Phase.MOVE
    press(box, "red first", "red first")
    pick(box, "let the box do it")
    pick(box, "let the box do it")
    pick(box, "red whistle")
    press(box, "blue third", "red third")
    box.run(box.now_ms + 5000)
    assert box.types()[-2:] == ["open", "end"]
    record = [dump_line(line) for line in box.lines]
    assert list(judge_record(record, only(EVERYTHING))) == live_rulings(box)


def test_what_the_referee_may_set_by_hand_is_in_the_knobs_menu(box: VirtualBox) -> None:
    to_move(box)
    press(box, "blue second", "blue third")
    pick(box, "let the box do it")
    pick(box, "let the box do it")
    pick(box, "set RED's score")
    box.turn(12, box.now_ms + 1)
    box.run(box.now_ms + 100)
    box.click(box.now_ms + 1)
    box.run(box.now_ms + 300)
    assert box.types()[-1] == "by_hand"
    assert state_of(box).scores[0] == 12, "counting begins at what it is"
