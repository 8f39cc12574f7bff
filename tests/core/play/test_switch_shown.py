"""What a seat scans in public is what stands on the display: nothing is picked that nobody sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.core.calibration.menu import Supplies
from companion.core.match.effects import Cue, Sound, Tone
from companion.core.match.match import PlaySettings
from companion.core.panel import Colour
from companion.core.play.commands import EndMatch, EnterCard
from companion.core.record.lines import Protest, Reveal
from companion.core.shown.scene import Apart, Final, Idle, Invitation, Lobby, Question, Standing, Trust
from companion.core.timing.events import MS
from companion.games import registry
from companion.testing.driving import OneSeed
from companion.testing.virtual_box import VirtualBox as AnyVirtualBox
from tests.core.play.test_commands import Desk
from tests.core.play.test_sitting import ANN, BOB, People
from tests.core.play.test_switch_elsewhere import HOW, PLAY, RED, YELLOW, cued, pick

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from companion.core.shown.cued import Cued
    from companion.core.shown.scene import Menu

BOTH = PlaySettings(switches={RED: HOW, YELLOW: HOW})


def menu_of(box: AnyVirtualBox) -> Menu | None:
    body = box.body
    found: Menu | None = getattr(body.question if isinstance(body, Apart) else body, "menu", None)
    return found


def displayed(box: AnyVirtualBox) -> str:
    menu = menu_of(box)
    return "" if menu is None else str(menu.items[menu.cursor].says)


def in_public(box: AnyVirtualBox) -> list[Cued]:
    return [one for one in box.session.switches.cued() if not one.is_private and one.number]


def steps(box: AnyVirtualBox, count: int, step_ms: int = 1000) -> Iterator[str]:
    """Let time pass, and give what is offered in public after each step."""
    for _ in range(count):
        box.run(box.now_ms + step_ms)
        yield from (one.says for one in in_public(box))


# -- the seating -------------------------------------------------------------------------------------------------------


def seating(**more: Any) -> Desk:
    box = Desk(seats=("red", "yellow"), play=PLAY, start=False, **more)
    box.run(1100)
    return box


def called(box: Desk) -> Desk:
    """A press begins to offer what the seating has."""
    box.press("red first", box.now_ms + 100)
    box.run(box.now_ms + 400)
    return box


def invited(trust: Trust | None = None) -> Desk:
    box = seating()
    box.session.invite("http://box:8080/", "1234", trust)
    while isinstance(box.body, Invitation):
        called(box)
    pick(called(box), "how to join")
    assert isinstance(box.body, Invitation)
    return box


def test_nothing_is_offered_under_an_invitation_and_a_press_puts_it_away() -> None:
    box = invited()
    assert cued(box) is None
    assert list(steps(box, 30)) == []
    box.press("red first", box.now_ms + 10)
    box.run(box.now_ms + 300)
    assert isinstance(box.body, Lobby)
    assert (box.session.match, cued(box)) == (None, None)
    called(box)
    assert displayed(box) == cued(box).says == "how to join", "it goes on from there"


def test_a_press_leafs_through_an_invitation_of_several_pages_as_a_push_of_the_knob_does() -> None:
    box = invited(Trust("http://box:8080/trust", "AB CD"))
    pages = []
    while isinstance(box.body, Invitation):
        pages.append(box.body.page)
        box.press("red first", box.now_ms + 10)
        box.run(box.now_ms + 300)
    assert pages == [0, 1, 2]
    assert cued(box) is None


def named() -> Desk:
    box = Desk(seats=(), play=PLAY, start=False, people=People(ANN, BOB))
    box.press("yellow first", 1200)
    box.press("red first", 1600)
    box.run(1900)
    pick(called(box), "who is RED")
    assert isinstance(box.body, Apart)
    return box


def test_the_names_are_offered_while_they_are_shown_and_one_is_picked() -> None:
    box = named()
    seen = []
    for says in steps(box, 4):
        assert displayed(box) == says
        seen.append(says)
    assert sorted(seen) == ["Ann", "Bob", "back", "nobody"]
    pick(box, "Bob")
    assert isinstance(box.body, Lobby)
    assert dict(box.session.table.names or {}) == {RED: "Bob"}
    assert box.session.match is None
    assert displayed(box) == cued(box).says, "the seating goes on being offered"


def test_from_the_names_there_is_a_way_back() -> None:
    box = named()
    pick(box, "back")
    assert isinstance(box.body, Lobby)
    assert not box.session.table.names


def test_the_names_that_a_knob_has_opened_are_offered_once_a_press_asks() -> None:
    box = Desk(seats=(), play=PLAY, start=False, people=People(ANN, BOB))
    box.press("yellow first", 1200)
    box.press("red first", 1600)
    box.run(1900)
    box.pick("who is RED", 2000)
    assert isinstance(box.body, Apart)
    assert cued(box) is None
    assert displayed(called(box)) == cued(box).says == "nobody"


def test_what_no_switch_could_leave_again_is_not_offered() -> None:
    box = seating(supplies=Supplies(lambda _below: 0))
    box.session.let_assign()
    called(box)
    assert {"calibrate", "buttons"} <= {item.label for item in menu_of(box).items}  # type: ignore[union-attr]
    count = cued(box).of
    for says in steps(box, count):
        assert displayed(box) == says
        assert says not in ("calibrate", "buttons")


def test_nothing_is_offered_while_allowances_are_measured_or_buttons_assigned() -> None:
    for ask in ("calibrate", "buttons"):
        box = seating(supplies=Supplies(lambda _below: 0))
        box.session.let_assign()
        called(box)
        assert cued(box) is not None
        if ask == "calibrate":
            box.session.measuring.open(box.session.table.seats, {})
        else:
            box.session.ask_input("red first")
        box.run(box.now_ms + 100)
        assert isinstance(box.body, Question)
        assert box.session.switches.cued() == (), ask
        assert [effect.number for effect in box.effects if isinstance(effect, Cue)][-1] == 0


# -- a match -----------------------------------------------------------------------------------------------------------


def test_which_card_it_was_is_scanned_on_the_display() -> None:
    box = Desk(seats=("red", "yellow"), play=PLAY)
    box.press("yellow hunter", 2500)
    box.run(7000)
    assert isinstance(box.body, Standing)
    called(box)
    assert displayed(box) == cued(box).says
    for says in steps(box, 4):
        assert displayed(box) == says
    says = displayed(box)
    box.press("red first", box.now_ms + 10)
    box.run(box.now_ms + 300)
    (card,) = [line.card for line in box.lines if isinstance(line, Reveal)]
    assert says.replace(" ", "_") in (card, f"{card}s"), says


@pytest.mark.parametrize("name", registry.names())
def test_what_is_scanned_in_public_stands_on_the_display_in_every_game(name: str) -> None:
    box = AnyVirtualBox(
        ("red", "yellow"), name, find=registry.find, games=tuple(registry.names()), seeds=OneSeed(), play=PLAY
    )
    box.run(1500)
    for step in range(40):
        if not box.session.switches.cued():
            box.press("red first", box.now_ms + 20)
        box.run(box.now_ms + 450)
        for one in in_public(box):
            assert displayed(box) == one.says, (step, type(box.body).__name__)
        if step % 4 == 3:
            box.press("red first", box.now_ms + 20)
            box.run(box.now_ms + 300)


def ended(play: PlaySettings) -> Desk:
    box = Desk(seats=("red", "yellow"), play=play)
    box.ask(EnterCard(card="buffalo"), 2000)
    box.press("red first", 2500)
    box.run(14_000)
    box.ask(EndMatch(), 15_000)
    box.run(16_500)
    assert isinstance(box.body, Final)
    return box


# -- two seats on a switch each ----------------------------------------------------------------------------------------


def test_at_the_end_one_seat_at_a_time_is_offered_something_and_the_other_s_press_says_so() -> None:
    box = ended(BOTH)
    called(box)
    box.press("yellow first", box.now_ms + 10)
    box.run(box.now_ms + 200)
    assert [one.colour for one in box.session.switches.cued()] == [RED]
    assert [effect for effect in box.effects if isinstance(effect, Sound)][-1] == Sound(Tone.IGNORED, (YELLOW,))
    assert "RED" in str(box.scene.notice)
    box.press("yellow first", box.now_ms + 10)
    box.run(box.now_ms + 300)
    assert not any(isinstance(line, Protest) for line in box.lines)
    pick(box, "protest")
    assert [line.colour for line in box.lines if isinstance(line, Protest)] == [RED]
    box.press("yellow first", box.now_ms + 100)
    box.run(box.now_ms + 300)
    assert [one.colour for one in box.session.switches.cued()] == [YELLOW]
    assert displayed(box) == cued(box).says


def test_at_the_seating_the_other_s_press_starts_nothing() -> None:
    box = Desk(seats=("red", "yellow"), play=BOTH, start=False)
    box.press("red first", 1200)
    box.run(2600)
    assert displayed(box) == cued(box).says != "start"
    for at in (2700, 3200):
        box.press("yellow first", at)
        box.run(at + 200)
    assert box.session.match is None
    assert [one.colour for one in box.session.switches.cued()] == [RED]
    assert "RED" in str(box.scene.notice)


def test_a_seat_may_sit_down_while_another_scans() -> None:
    box = Desk(seats=("red",), play=BOTH, start=False)
    called(box)
    box.press("yellow first", box.now_ms + 10)
    box.run(box.now_ms + 200)
    assert box.session.table.seats == (RED, Colour.YELLOW)


def test_a_scan_that_rests_keeps_nobody_off() -> None:
    box = ended(BOTH)
    called(box)
    box.run(box.now_ms + 20_000)
    assert not in_public(box)
    box.press("yellow first", box.now_ms + 10)
    box.run(box.now_ms + 300)
    assert [one.colour for one in in_public(box)] == [YELLOW]
    assert not isinstance(box.body, Idle)
    assert box.now_ms * MS > 0
