"""What `make chaos` checks at the end is noticed where it does not hold; and its plan is one of the seed alone."""

from __future__ import annotations

import asyncio
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from tests.chaos import checks
from tests.chaos.chaos import counted_wrong
from tests.chaos.plan import Kind, Place, Played, faults_of, order_of
from tests.chaos.wires import Wire

if TYPE_CHECKING:
    from pathlib import Path

SETUP, PRESS, END, SEAL = b'{"type":"setup"}', b'{"type":"press"}', b'{"type":"end"}', b'{"type":"seal"}'
LINES = [SETUP, PRESS, END, SEAL]
KEY = ("box-1", "a" * 32)
PLAYED = Played("1", "chaos", 6)
PLACE = Place(2, 3, (4, 8, 15, 16))


def wrong(*stored: tuple[int, bytes]) -> list[str]:
    return checks.differences({KEY: LINES}, {KEY: list(stored)})


def test_what_is_stored_once_in_order_with_the_same_bytes_is_right() -> None:
    assert wrong(*enumerate(LINES, 1)) == []


@pytest.mark.parametrize(
    ("stored", "says"),
    [
        ([(1, SETUP), (2, PRESS), (4, SEAL)], "lines [3] are not in the store"),
        ([], "lines [1, 2, 3, 4] are not in the store"),
        ([(1, SETUP), (2, PRESS), (2, PRESS), (3, END), (4, SEAL)], "lines are in the store twice"),
        ([(1, SETUP), (2, b"{}"), (3, END), (4, SEAL)], "lines [2] are others in the store"),
        ([*enumerate(LINES, 1), (5, b"{}")], "lines [5] are others in the store"),
        ([(2, PRESS), (1, SETUP), (3, END), (4, SEAL)], "lines are in another order in the store"),
    ],
)
def test_what_is_stored_otherwise_is_said(stored: list[tuple[int, bytes]], says: str) -> None:
    assert wrong(*stored) == [f"match {KEY[1]} of box-1: {says}"]


def test_a_match_that_no_box_has_is_said() -> None:
    assert checks.differences({}, {KEY: [(1, SETUP)]}) == [f"box-1 has no match {KEY[1]}, and the store has"]


def test_an_end_without_a_seal_is_said() -> None:
    assert checks.unsealed({KEY: LINES}) == []
    assert checks.unsealed({KEY: LINES[:2]}) == []
    assert checks.unsealed({KEY: LINES[:3]}) == [f"match {KEY[1]} of box-1 is over and its end is not sealed"]
    assert checks.sealed_lines(LINES) == 4


def test_what_a_desk_should_never_have_had_to_note_is_said() -> None:
    usual = ["box-1 is not enrolled: type the code on its display at the desk"]
    assert checks.bad_notes(usual) == []
    assert checks.bad_notes([*usual, "box-1 sent another line 7 of match a than the one that is stored"])


def test_an_error_in_a_log_is_said(tmp_path: Path) -> None:
    (tmp_path / "box-1.log").write_text("12:00 WARNING the broker is gone\n")
    (tmp_path / "desk.log").write_text("12:00 INFO a round is drawn\n12:00 ERROR the store\n")
    assert checks.told_faults(tmp_path, ["box-1", "desk"]) == ["desk has logged: 12:00 ERROR the store"]


def test_an_event_that_came_to_something_else_is_said() -> None:
    one = checks.CameTo(1, ((1, (), ()),), (), ((1, 5, 24, ()),))
    assert checks.unlike(one, one) == []
    other = one._replace(standings=((1, 6, 24, ()),))
    said = "standings are others than those of the undisturbed event: (1, 5, 24, ()) and (1, 6, 24, ())"
    assert checks.unlike(one, other) == [said]


def test_too_few_faults_and_a_kind_that_was_not_there_are_said() -> None:
    enough = Counter(dict.fromkeys(Kind, 20))
    assert counted_wrong(enough, 60) == []
    assert counted_wrong(enough - Counter({Kind.KILL_BOX: 20}), 1) == [f"there was none of: {Kind.KILL_BOX.value}"]
    assert counted_wrong(Counter(dict.fromkeys(Kind, 19)), 60) == ["only 285 faults in 60 minutes"]


def test_who_wins_follows_from_the_seed_and_the_table_alone() -> None:
    order = order_of(PLAYED, PLACE, 1)
    assert sorted(order) == list(PLACE.players)
    assert order == order_of(PLAYED, PLACE, 1)
    others = [order_of(PLAYED, PLACE, race) for race in range(2, 20)]
    assert any(other != order for other in others)


def test_faults_are_drawn_from_the_seed_and_each_kind_is_dealt_again_and_again() -> None:
    boxes = ("box-1", "box-2")
    some = list(islice(faults_of("1", boxes, "desk"), 60))
    assert some == list(islice(faults_of("1", boxes, "desk"), 60))
    assert some != list(islice(faults_of("2", boxes, "desk"), 60))
    assert {fault.kind for fault in some[:30]} == set(Kind)
    assert all("desk" not in fault.targets for fault in some if fault.kind is Kind.KILL_BOX)


def test_what_is_held_on_a_wire_passes_later_and_what_is_refused_or_cut_never_does() -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(100):
            writer.write(data)
        writer.close()

    async def play() -> None:
        server = await asyncio.start_server(echo, "127.0.0.1", 0)
        async with Wire(server.sockets[0].getsockname()[1]) as wire:
            reader, writer = await asyncio.open_connection("127.0.0.1", wire.port)
            writer.write(b"one")
            assert await reader.readexactly(3) == b"one"
            wire.hold(up=False, down=True)
            writer.write(b"two")
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(reader.readexactly(3), 0.1)
            wire.release()
            assert await reader.readexactly(3) == b"two"
            wire.is_refusing = True
            wire.cut()
            assert await _ends(reader)
            writer.close()
            again, writer = await asyncio.open_connection("127.0.0.1", wire.port)
            assert await _ends(again)
            writer.close()
        server.close()

    async def _ends(reader: asyncio.StreamReader) -> bool:
        try:
            return await reader.read() == b""
        except ConnectionError:
            return True

    asyncio.run(play())
