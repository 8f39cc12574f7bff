"""Beside the race a seat on one switch sits down, starts, chooses, asks, protests and accepts the result, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.match.effects import Cue
from companion.core.match.match import PlaySettings
from companion.core.panel import Colour
from companion.core.play.commands import Choose, EndMatch, EnterCard
from companion.core.record.lines import Protest, Sign
from companion.core.shown.scene import Choosing, Final, Idle, Lobby, Question, Standing
from companion.core.switches.ways import SwitchScanning
from companion.core.timing.events import MS, SECOND
from companion.games.apache.lines import Claim
from companion.testing.driving import OneSeed
from companion.testing.virtual_box import VirtualBox as AnyVirtualBox
from companion.testing.walks import only
from tests.contract.everything import EVERYTHING, Bid, Stake
from tests.contract.turns import TURNS, HandOver, Ready
from tests.core.play.test_commands import Desk

if TYPE_CHECKING:
    from typing import Any

RED, YELLOW, *_ = Colour
HOW = SwitchScanning(dwell_ns=SECOND, loops=2)
PLAY = PlaySettings(switches={RED: HOW})


def cued(box: AnyVirtualBox) -> Any:
    found = box.session.switches.cued()
    return found[0] if found else None


def pick(box: AnyVirtualBox, label: str, within_ms: float = 40_000) -> None:
    """Wait until something is offered, and press."""
    until_ms = box.now_ms + within_ms
    while box.now_ms < until_ms:
        box.run(box.now_ms + 50)
        if cued(box) is not None and cued(box).number and cued(box).says.startswith(label):
            box.press("red first", box.now_ms + 10)
            box.run(box.now_ms + 200)
            return
    raise AssertionError(f"{label} was never offered")


def test_one_press_sits_down_and_scanning_sets_and_starts_the_match() -> None:
    box = Desk(seats=(), play=PLAY, start=False)
    box.press("red first", 1200)
    box.press("yellow first", 1400)
    box.run(1600)
    assert isinstance(box.body, Lobby)
    assert box.body.seats == (RED, YELLOW)
    box.press("red first", 2000)
    box.run(2200)
    assert (cued(box).says, cued(box).number, box.body.menu.cursor) == ("start", 1, 0)
    window = next(item.says for item in box.body.menu.items if item.label == "window")
    pick(box, "window")
    assert next(item.says for item in box.body.menu.items if item.label == "window") != window
    assert cued(box).says.startswith("window")  # it goes on from there
    pick(box, "start")
    assert box.session.match is not None
    assert cued(box) is None


def test_scanning_the_settings_rests_after_its_loops_and_a_press_begins_anew() -> None:
    box = Desk(seats=("red", "yellow"), play=PLAY, start=False)
    box.press("red first", 1200)
    box.run(1400)
    count = cued(box).of
    box.run(1400 + 2 * count * 1000 + 200)
    assert cued(box) is None
    assert [e.number for e in box.effects if isinstance(e, Cue)][-1] == 0
    box.press("red first", box.now_ms + 100)
    box.run(box.now_ms + 300)
    assert cued(box).number == 1


def test_one_press_agrees_to_what_a_match_begins_with() -> None:
    box = Desk(seats=("red", "yellow"), play=PLAY, allowances_ms={YELLOW: 500})
    assert isinstance(box.body, Question)
    box.press("red second", 1200)
    box.press("yellow second", 1300)
    box.run(1500)
    assert box.session.match is not None


def with_a_choice() -> Desk:
    """Red's hunter may take the buffalo or the teepee; red has pressed, and its hunter is not picked yet."""
    box = Desk(seats=("red", "yellow"), play=PLAY)
    for at, card in ((2000, "red hunter"), (2200, "buffalo"), (2400, "teepee")):
        box.ask(EnterCard(card=card), at)
    box.press("red first", 2600)
    box.run(2700)
    return box


def test_a_choice_of_a_race_is_offered_by_itself_on_the_display_and_picked_by_a_press() -> None:
    box = with_a_choice()
    pick(box, "hunter")
    box.run(9500)
    assert isinstance(box.body, Choosing)
    assert box.body.seat is RED
    first = cued(box)
    assert (first.number, first.is_private) == (1, False)
    box.run(box.now_ms + 1000)
    assert box.body.menu.cursor == 1
    assert box.body.menu.items[1].says == cued(box).says
    label = cued(box).says
    box.press("red second", box.now_ms)
    box.run(box.now_ms + 200)
    assert [line for line in box.lines if isinstance(line, Claim)] == [Claim(colour=RED, take="teepees")], label
    assert not isinstance(box.body, Choosing)


def everything() -> AnyVirtualBox:
    return AnyVirtualBox(
        ("red", "blue"), "everything", seeds=OneSeed(), parameters={"rounds": 2},
        find=only(EVERYTHING), games=("everything",), play=PLAY,
    )  # fmt: skip


def test_a_choice_in_secret_is_offered_to_the_seat_alone() -> None:
    box = everything()
    box.run(1500)
    assert cued(box).is_private
    assert {item.says for item in box.body.menu.items} == {""}
    pick(box, "2")
    assert [line for line in box.lines if isinstance(line, Bid)] == [Bid(colour=RED, bid="2")]


def test_a_number_is_counted_by_scanning_which_goes_on_where_it_was() -> None:
    box = everything()
    pick(box, "3")
    box.press("blue first", box.now_ms + 10)
    box.run(box.now_ms + 300)
    assert box.session.match is not None
    assert box.session.match.judge.state.leader == "red"
    pick(box, "+10")
    assert cued(box).says.startswith("+10")
    pick(box, "+10")
    pick(box, "enter")
    (stake,) = [line for line in box.lines if isinstance(line, Stake)]
    assert stake.stake > 20


def turns() -> AnyVirtualBox:
    box = AnyVirtualBox(("red", "yellow"), "turns", find=only(TURNS), games=("turns",), play=PLAY)
    box.command(Choose(result=("oakum", "ashlar", "elvan", "firkin", "yawl", "bayou")))
    box.run(box.now_ms + 100)
    return box


def test_what_leaves_no_choice_is_done_by_one_press_at_its_own_time() -> None:
    box = turns()
    box.press("red third", 2000)
    box.press("yellow first", 2500)
    box.run(2700)
    assert [line.t_ns for line in box.lines if isinstance(line, Ready)] == [2000 * MS, 2500 * MS]
    box.press("red second", 4000)
    box.run(4200)
    assert [line.t_ns for line in box.lines if isinstance(line, HandOver)] == [4000 * MS]


def test_at_the_end_a_press_offers_to_accept_the_result_to_protest_or_to_leave() -> None:
    box = Desk(seats=("red", "yellow"), play=PLAY)
    box.ask(EnterCard(card="buffalo"), 2000)
    box.press("red first", 2500)
    box.run(14_000)
    box.ask(EndMatch(), 15_000)
    box.run(16_500)
    assert isinstance(box.body, Final)
    assert cued(box) is None
    box.press("red first", 17_000)
    box.run(17_200)
    assert cued(box).says == "accept the result"
    assert box.body.menu is not None
    assert [item.label for item in box.body.menu.items] == ["accept the result"]
    pick(box, "protest")
    assert [line.colour for line in box.lines if isinstance(line, Protest)] == [RED]
    assert not any(isinstance(line, Sign) for line in box.lines)
    box.press("red first", box.now_ms + 100)
    box.run(box.now_ms + 300)
    pick(box, "go to the seating")
    assert isinstance(box.body, Lobby)


def test_where_the_box_asks_who_protests_one_press_is_the_protest() -> None:
    box = Desk(seats=("red", "yellow"), play=PLAY)
    box.ask(EnterCard(card="buffalo"), 2000)
    box.press("yellow hunter", 2500)
    box.run(9000)
    assert box.session._menus is not None
    box.session._menus.ask("protest", round(box.now_ms * MS))
    box.run(box.now_ms + 100)
    box.press("red fourth", box.now_ms + 10)
    box.run(box.now_ms + 300)
    assert [line.colour for line in box.lines if isinstance(line, Protest)] == [RED]
    assert box.session.match is not None
    assert RED not in box.session.match.unpicked


def test_a_press_made_before_a_question_was_shown_answers_nothing() -> None:
    box = with_a_choice()
    pick(box, "hunter")
    box.run(5700)
    assert isinstance(box.body, Standing)
    box.press("red second", 5800)  # the race is closed, and nothing is asked yet
    box.run(9500)
    assert isinstance(box.body, Choosing)
    assert not any(isinstance(line, Claim) for line in box.lines)


def test_where_nothing_is_asked_of_a_seat_nothing_is_offered() -> None:
    box = Desk(seats=("red", "yellow"), play=PLAY)
    box.run(3000)
    assert isinstance(box.body, Idle)
    assert cued(box) is None
    assert not any(isinstance(effect, Cue) for effect in box.effects)
