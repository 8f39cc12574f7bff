"""While something must be decided the knob still reaches all else: by "more …", the last item, which no button has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.config.languages import language
from companion.core.panel import KNOB_PUSH, Colour
from companion.core.shown.scene import MORE, Choosing, Final, Idle, Question
from companion.core.words.texts import in_language, joined
from companion.testing.driving import OneSeed
from companion.testing.virtual_box import VirtualBox
from companion.testing.walks import only
from tests.contract.everything import EVERYTHING, Bid, Double, Phase
from tests.contract.nim import NIM, TakeLine

if TYPE_CHECKING:
    from companion.core.ruling.game import Adjustable


@pytest.fixture
def box() -> VirtualBox:
    return VirtualBox(
        ("red", "blue"), "everything", seeds=OneSeed(), parameters={"rounds": 2}, find=only(EVERYTHING),
        games=("everything",),
    )  # fmt: skip


def press(box: VirtualBox, *labels: str) -> None:
    for label in labels:
        box.press(label, box.now_ms + 1)
        box.run(box.now_ms + 250)


def pick(box: VirtualBox, *labels: str) -> None:
    for label in labels:
        box.pick(label, box.now_ms + 1)


def turn(box: VirtualBox, steps: int) -> None:
    box.turn(steps, box.now_ms + 1)
    box.run(box.now_ms + 50)


def click(box: VirtualBox) -> None:
    box.click(box.now_ms + 1)
    box.run(box.now_ms + 300)


def state(box: VirtualBox) -> Any:
    assert box.session.match is not None
    return box.session.match.judge.state


def to_move(box: VirtualBox) -> None:
    """Red and blue have bid, blue has staked: blue must say where to, field by field."""
    press(box, "blue third", "red second", "blue fourth")
    assert isinstance(box.body, Choosing)
    assert box.body.menu.title == "Which column?"


def labels(box: VirtualBox) -> list[str]:
    return [item.label for item in box.menu().items]


def test_the_last_item_leads_to_all_that_can_be_done_and_back_again(box: VirtualBox) -> None:
    to_move(box)
    before = box.body
    pick(box, MORE.label)
    assert isinstance(box.body, Idle)
    assert labels(box)[:2] == ["back", "show the table"]
    assert {"set RED's score", "set BLU's score", "end of the game"} <= set(labels(box))
    assert box.menu().cursor == 0, "a second push goes back"
    click(box)
    assert box.body == before


def test_it_is_on_no_button_and_on_no_page(box: VirtualBox) -> None:
    to_move(box)
    items = box.menu().items
    turn(box, -1)
    assert isinstance(box.body, Choosing)
    assert box.body.more
    assert box.body.menu.items == items
    assert MORE not in items
    assert not MORE.role
    turn(box, 1)
    assert (box.body.more, box.body.menu.cursor) == (False, 0)


def test_a_private_choice_stays_blind_beside_it(box: VirtualBox) -> None:
    assert box.body.is_private
    turn(box, -1)
    assert box.body.more
    assert {item.label for item in box.body.menu.items} == {""}
    click(box)
    assert isinstance(box.body, Idle)
    press(box, "blue third")
    assert box.lines[1:] == [Bid(colour=Colour.BLUE, bid="2")], "who decides in secret need not wait for the knob"


def test_something_is_set_by_hand_while_a_choice_waits_and_then_it_is_asked_for_again(box: VirtualBox) -> None:
    to_move(box)
    pick(box, MORE.label, "set RED's score")
    turn(box, 12)
    click(box)
    assert state(box).scores[0] == 12
    assert box.menu().title == "Which column?"


def test_the_game_ends_while_a_choice_waits(box: VirtualBox) -> None:
    to_move(box)
    pick(box, MORE.label, "end of the game")
    assert isinstance(box.body, Question)
    pick(box, "yes")
    assert isinstance(box.body, Final)


def test_no_end_leads_back_to_the_choice(box: VirtualBox) -> None:
    to_move(box)
    pick(box, MORE.label, "end of the game", "no")
    assert isinstance(box.body, Choosing)
    assert "end" not in box.types()


def test_the_table_is_shown_until_the_knob_is_pushed(box: VirtualBox) -> None:
    to_move(box)
    pick(box, MORE.label, "show the table")
    assert isinstance(box.body, Idle)
    assert box.body.menu is None
    box.run(box.now_ms + 5000)
    assert isinstance(box.body, Idle)
    click(box)
    assert isinstance(box.body, Choosing)


@pytest.mark.parametrize("labels", [(MORE.label,), (MORE.label, "show the table")])
def test_it_closes_by_itself(box: VirtualBox, labels: tuple[str, ...]) -> None:
    to_move(box)
    pick(box, *labels)
    box.run(box.now_ms + 21_000)
    assert isinstance(box.body, Choosing)


@pytest.mark.parametrize("labels", [(MORE.label,), (MORE.label, "show the table")])
def test_a_press_of_whoever_must_choose_brings_the_choice_back_and_picks_nothing(
    box: VirtualBox, labels: tuple[str, ...]
) -> None:
    to_move(box)
    count = len(box.lines)
    pick(box, *labels)
    press(box, "blue third")
    assert box.menu().title == "Which column?"
    assert len(box.lines) == count, "it was not meant for what was not to be seen"
    press(box, "blue third")
    assert box.menu().title == "Which row?"


def test_within_a_choice_there_is_the_way_back_instead(box: VirtualBox) -> None:
    to_move(box)
    press(box, "blue second")
    turn(box, -1)
    assert not box.body.more
    assert box.menu().items[box.menu().cursor].label == "back"
    click(box)
    turn(box, -1)
    assert box.body.more


def test_an_offer_that_need_not_be_made_is_opened_by_the_knob_while_another_seat_must_choose(box: VirtualBox) -> None:
    press(box, "blue third", "red second")
    assert state(box).phase is Phase.STAKE
    turn(box, -1)
    assert box.body.more, "below its lowest a number has nothing else"
    click(box)
    double = next(item for item in labels(box) if item.startswith("Double"))
    pick(box, double)
    assert box.body.seat == "red"
    assert not box.body.more
    click(box)
    assert isinstance(box.lines[-1], Double)
    assert box.body.seat == "blue"


def test_a_choice_that_need_not_be_made_has_no_such_item(box: VirtualBox) -> None:
    press(box, "blue third", "red second", "red second")
    assert box.body.seat == "red"
    for _ in box.body.menu.items:
        turn(box, 1)
        assert not box.body.more


def test_a_number_is_left_below_its_lowest_and_no_earlier(box: VirtualBox) -> None:
    press(box, "blue third", "red second")
    turn(box, 3)
    turn(box, -9)
    assert (box.body.more, box.menu().items[0].value) == (False, "1")
    turn(box, -9)
    assert box.body.more
    turn(box, 1)
    assert (box.body.more, box.menu().items[0].value) == (False, "1")


def test_few_numbers_are_picked_by_the_knob_as_any_other_item() -> None:
    box = VirtualBox(("red", "blue"), "nim", find=only(NIM), games=("nim",))
    press(box, "red first")
    assert labels(box) == ["1", "2", "3"]
    pick(box, "3")
    assert box.lines[-1] == TakeLine(colour=Colour.RED, count=3)


def test_to_take_back_is_reached_from_it_too(box: VirtualBox) -> None:
    to_move(box)
    pick(box, MORE.label)
    box.press(KNOB_PUSH, box.now_ms + 1, 1500)
    box.run(box.now_ms + 1700)
    assert box.body.title == "Take back?"
    pick(box, "yes")
    assert state(box).phase is Phase.STAKE


# -- many things to set by hand


class Many(type(EVERYTHING)):  # type: ignore[misc]
    """As many things may be set by hand as in a game with a board."""

    def adjustable(self, state: object) -> tuple[Adjustable, ...]:
        found = super().adjustable(state)
        return tuple(
            type(one)(
                one.key if n == 3 else f"{one.key} {n}",
                joined((Colour(one.key).short, f"score {n}"), " "),
                one.low,
                one.high,
                one.value,
            )
            for one in found
            for n in range(5)
        )


@pytest.fixture
def many() -> VirtualBox:
    find = only(Many())
    box = VirtualBox(
        ("red", "blue"), "everything", seeds=OneSeed(), parameters={"rounds": 2}, find=find, games=("everything",)
    )
    to_move(box)
    return box


def test_many_things_to_set_by_hand_are_asked_for_in_two_steps(many: VirtualBox) -> None:
    pick(many, MORE.label)
    assert not [label for label in labels(many) if label.startswith("set RED")]
    pick(many, "set by hand …")
    assert labels(many) == ["back", "BLU …", "RED …"] or labels(many) == ["back", "RED …", "BLU …"]
    pick(many, "RED …")
    assert labels(many) == ["back", *(f"RED score {n}" for n in range(5))]
    assert in_language(many.menu().title, language("de")) == "ROT"
    assert many.menu().items[1].value == "0"
    pick(many, "RED score 3")
    turn(many, 7)
    click(many)
    assert many.types()[-1] == "by_hand"
    assert state(many).scores[0] == 7


def test_back_goes_one_step_up(many: VirtualBox) -> None:
    pick(many, MORE.label, "set by hand …", "RED …", "back")
    assert "BLU …" in labels(many)
    pick(many, "back")
    assert "set by hand …" in labels(many)
    pick(many, "back")
    assert isinstance(many.body, Choosing)
