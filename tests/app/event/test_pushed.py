"""Lines of an event's match on their way from a real journal to a desk: whole, once, whatever is cut or dies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.core.errors import Unavailable
from companion.core.panel import Colour
from companion.core.play.commands import NewMatch, Player
from companion.core.record.lines import Setup, parse_line
from companion.tournament.wire import read_up
from tests.app.event.running import CARDS, RunningBox, event_of, sit
from tests.fakes.event_link import FakeDesk

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.app.event.thread import Hears
    from companion.ports import EventLink


def test_a_table_is_prepared_played_and_pushed_line_by_line(begin: Callable[..., RunningBox], desk: FakeDesk) -> None:
    box = begin()
    desk.say(sit())
    box.seated()
    match = box.start()
    box.reveal(*CARDS)
    box.end()
    desk.until(lambda: box.is_pushed(match) and b'"end"' in b"".join(desk.model.record(match)))
    setup = parse_line(desk.record(match)[0], 1)
    assert isinstance(setup, Setup)
    assert setup.event is not None
    assert (setup.event.id, setup.event.round, setup.event.table) == ("open", 2, 7)
    assert [seat.colour.value for seat in setup.seats] == ["red", "yellow"]
    assert b'"Ada"' in desk.record(match)[1]
    assert len(desk.sent) == len(set(desk.sent)), "a line was sent twice without need"


def test_a_match_that_is_played_without_a_network_is_pushed_once_there_is_one(
    begin: Callable[..., RunningBox], desk: FakeDesk
) -> None:
    box = begin()
    desk.say(sit())
    box.seated()
    desk.cut()
    match = box.start()
    box.reveal(*CARDS)
    assert desk.matches() == []
    desk.mend()
    desk.until(lambda: len(desk.model.record(match)) >= 2 + len(CARDS) and box.is_pushed(match))


def test_a_box_that_starts_again_goes_on_from_what_the_desk_has(
    begin: Callable[..., RunningBox], desk: FakeDesk, tmp_path: Path
) -> None:
    box = begin()
    desk.say(sit())
    box.seated()
    match = box.start()
    desk.until(lambda: box.is_pushed(match))
    desk.cut()
    box.reveal(*CARDS)
    box.stop()
    before = len(desk.sent)
    desk.mend()
    again = begin(resume="always")
    again.reveal("totem pole")
    desk.until(lambda: again.is_pushed(match) and b"totem pole" in b"".join(desk.model.record(match)))
    assert desk.sent[before:] == [(match, number) for number in range(before + 1, len(again.lines()) + 1)]


def test_a_box_that_lost_what_it_kept_sends_again_and_the_desk_has_each_line_once(
    begin: Callable[..., RunningBox], desk: FakeDesk, tmp_path: Path
) -> None:
    box = begin()
    desk.say(sit())
    box.seated()
    match = box.start()
    desk.until(lambda: box.is_pushed(match))
    box.stop()
    (tmp_path / "state" / "event.json").unlink()
    again = begin(resume="always")
    again.reveal(*CARDS)
    desk.until(lambda: again.is_pushed(match) and len(desk.model.record(match)) > len(CARDS))


def test_a_match_that_is_none_of_the_event_is_pushed_nowhere(begin: Callable[..., RunningBox], desk: FakeDesk) -> None:
    box = begin()
    desk.say(sit(round_=3))
    box.seated(3)
    own = box.start()
    box.end()
    box.leave()
    box.until(lambda session: session.table.event is None)
    other = box.start()
    assert other != own
    box.reveal(*CARDS)
    desk.until(lambda: box.is_pushed(own))
    box.stop()
    assert desk.matches() == [own]
    assert len(box.numbers()) == 2


def test_what_the_desk_has_not_got_whole_is_not_deleted_however_few_matches_are_kept(
    begin: Callable[..., RunningBox], desk: FakeDesk
) -> None:
    box = begin(keep_matches=1)
    desk.say(sit(round_=1))
    box.seated(1)
    desk.cut()
    match = box.start()
    box.end()
    box.leave()
    for _ in range(3):
        box.until(lambda session: session.can_be_prepared)
        box.start()
        box.end()
        box.leave()
    box.until(lambda _session: box.numbers() == [1, 4])
    desk.mend()
    desk.until(lambda: box.is_pushed(match))
    box.until(lambda session: all(one.pushed == one.lines for one in event_of(session).matches))
    box.start()
    box.until(lambda _session: box.numbers() == [5])


def test_a_link_that_lacks_something_is_said_and_tried_again_without_haste(
    begin: Callable[..., RunningBox], desk: FakeDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[int] = []
    make_link = desk.make_link

    def make(hears: Hears, will: tuple[str, bytes]) -> EventLink:
        tries.append(1)
        if lacks:
            raise Unavailable("no password is there")
        return make_link(hears, will)

    lacks = True
    monkeypatch.setattr(desk, "make_link", make)
    box = begin()
    box.until(lambda session: event_of(session).why == "no password is there")
    for _ in range(20):
        box.ask(lambda _session: None)
    assert len(tries) <= 2, "it does not turn in a circle"
    lacks = False
    box.do(NewMatch(seats=(Player(Colour.RED), Player(Colour.BLUE))))
    desk.until(lambda: bool(desk.here))


def test_a_box_says_that_it_is_there_what_it_plays_and_that_it_goes(
    begin: Callable[..., RunningBox], desk: FakeDesk
) -> None:
    box = begin()
    desk.say(sit())
    box.seated()
    match = box.start()
    desk.until(lambda: bool(desk.states) and desk.states[-1].match == match)
    assert (desk.states[-1].is_there, desk.states[-1].round, desk.states[-1].table) == (True, 2, 7)
    box.reveal("buffalo")
    desk.until(lambda: bool(desk.shown) and any("buffalo" in row for row in desk.shown[-1].rows))
    box.stop()
    assert not desk.states[-1].is_there
    assert desk.will is not None
    assert not read_up(*desk.will).message.is_there  # type: ignore[union-attr]
