"""What is told to a box while no match is on its table: it is taken, said where it matters, and breaks nothing."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from companion.core.match.effects import Announce, Played, Wrote
from companion.core.match.match import PlaySettings
from companion.core.panel import Colour
from companion.core.play.commands import EndMatch, EnterCard, NewMatch, Player
from companion.core.play.health import Doing, doing_of, match_of
from companion.core.record.lines import Seal
from companion.core.ruling.race import RacePhase
from companion.core.shown.scene import Invitation, Lobby
from companion.core.shown.times import Times
from companion.core.timing.events import MS, SourceFault
from tests.core.play.test_commands import Desk
from tests.core.play.virtual_box import VirtualBox, unfinished
from tests.core.record.test_lines import KEY, SHA, SIGNATURE

RED, YELLOW, *_ = Colour
SEALED = Seal(sha256=SHA, key=KEY, signature=SIGNATURE)


def seating(*seats: str) -> Desk:
    return Desk(seats, start=False)


def test_lines_that_are_stored_after_their_match_was_left_end_the_journal_s_alarm_alone() -> None:
    box = seating("red")
    box.session.not_stored("the disk is full")
    assert box.scene.alarms == ("not recorded: the disk is full",)
    box.session.stored(7)
    assert box.scene.alarms == ()
    assert box.session.match is None


def test_what_is_refused_from_outside_is_sounded_and_logged_at_the_seating_and_shown_in_a_match() -> None:
    box = seating("red", "yellow")
    box.session.refuse("no such card")
    box.run(1200)
    assert (box.tones(), box.logs()) == (["refused"], ["refused: no such card"])
    assert box.scene.notice == ""
    box.pick("start", 2000)
    box.session.refuse("no such card")
    assert box.scene.notice == "refused: no such card"


def test_the_end_of_a_word_that_nobody_waits_for_means_nothing() -> None:
    box = seating("red", "yellow")
    before = box.scene
    box.session.announced(1, 2000 * MS, "no voice is installed")
    assert box.scene == before


def test_a_card_that_was_not_spoken_is_revealed_all_the_same_and_the_match_says_why() -> None:
    box = Desk(("red", "yellow"), "apache", PlaySettings(is_spoken=True, announcement_ns=10_000 * MS))
    box.ask(EnterCard(card="buffalo"), 2000)
    (said,) = [effect for effect in box.effects if isinstance(effect, Announce)]
    box.session.announced(said.token, 2500 * MS, "no voice is installed")
    assert box.scene.notice == "not spoken: no voice is installed"
    box.run(2600)
    assert box.types()[-1] == "reveal"


def test_an_alarm_that_stays_is_dismissed_at_the_seating_too() -> None:
    box = VirtualBox(("red",), start=False, times=Times(alarm_ns=None))
    box.session.feed(SourceFault("gpiod", "gpiod lost 3 edges", 1100 * MS, 3))
    box.run(600_000)
    assert box.scene.alarms == ("gpiod lost 3 edges",)
    assert box.session.can_be_dismissed
    box.session.dismiss()
    assert (box.scene.alarms, box.session.can_be_dismissed) == ((), False)


def test_nothing_is_picked_or_sealed_where_no_match_runs() -> None:
    box = seating("red", "yellow")
    with pytest.raises(Illegal, match="no match is running"):
        box.session.pick_item(RED, 0, "pass", 2000 * MS)
    box.session.seal(SEALED)
    box.session.changed_elsewhere("replaced: line 3")
    assert box.session.pick_by_card("red hunter", 2500 * MS) == ""
    box.run(3000)
    assert not [effect for effect in box.effects if isinstance(effect, Wrote)]
    assert isinstance(box.body, Lobby)
    assert box.scene.notice == ""
    box.pick("start", 3500)
    box.session.seal(SEALED)
    box.run(4000)
    assert box.lines[-1] == SEALED


def test_another_pin_is_shown_where_the_one_before_was_and_where_it_is_asked_for_again() -> None:
    box = seating("red")
    box.session.change_pin("0000")  # nobody can look on: nothing is shown
    assert isinstance(box.body, Lobby)
    box.session.invite("http://box", "1234")
    box.session.change_pin("5678")
    assert isinstance(box.body, Invitation)
    assert box.body.pin == "5678"
    box.click(2000)
    box.run(2300)
    box.pick("how to join", 2500)
    assert box.body.pin == "5678"


def test_what_players_are_at_is_told_from_the_offer_to_the_end() -> None:
    box = Desk(("red", "yellow"), start=False)
    assert (doing_of(box.session), match_of(box.session, None)) == (Doing.SEATING, None)
    box.pick("start", 2000)
    assert doing_of(box.session) is Doing.PLAYING
    told = match_of(box.session, 7)
    assert told is not None
    assert (told.number, told.game, told.seats) == (7, "Apache", ("red", "yellow"))
    assert (told.race, told.phase) == (1, RacePhase.WAITING)
    assert told.lines == told.durable == 1
    box.ask(EndMatch(), 3000)
    assert doing_of(box.session) is Doing.ENDED
    offered = VirtualBox(("red", "yellow"), unfinished=unfinished(box.lines[:1]))
    assert doing_of(offered.session) is Doing.OFFERING


@pytest.mark.parametrize("is_practice", [False, True])
def test_a_practice_match_says_nothing_of_anybody_s_quickness(is_practice: bool) -> None:
    box = Desk((), "order", start=False)
    box.ask(NewMatch(seats=(Player(RED, "Ann"), Player(YELLOW, "Ben")), practice=is_practice), 1500)
    box.press("red first", 2000)
    box.press("yellow first", 2080)
    box.run(6000)
    box.ask(EndMatch(), 6100)
    played = [effect for effect in box.effects if isinstance(effect, Played)]
    assert [one.gaps_ms for one in played] == ([] if is_practice else [{"Ann": (-80,), "Ben": (80,)}])
