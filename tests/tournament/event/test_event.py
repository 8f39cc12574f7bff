"""The event's state machine: what each line does, and what each refusal says and leaves as it was."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import Illegal
from companion.tournament.event.event import Event, event_of
from companion.tournament.event.rounds import TableStage
from companion.tournament.event.stages import Stage
from companion.tournament.log import lines
from companion.tournament.log.chain import read_log
from tests.tournament.logs import SEED, Log, started


def picture(event: Event):
    """Give all of an event's state, to be compared."""
    return copy.deepcopy((
        event.stage, event.players.all, event.players.apart, event.boxes, event.seed, event.announcements, event.had,
        [(one.line, one.clock, one.given, one.tables) for one in event.rounds],
    ))  # fmt: skip


def refused(log: Log, kind, because: str, **fields) -> None:
    """See that a line is refused with this reason and changes nothing."""
    before, count = picture(log.event), len(log.raw)
    with pytest.raises(Illegal, match=because):
        log.add(kind, **fields)
    assert picture(log.event) == before
    assert len(log.raw) == count


def test_an_event_goes_through_its_stages() -> None:
    log = Log()
    assert log.event.stage is Stage.ENTERING
    log.players(4)
    assert log.event.stage is Stage.RUNNING
    assert log.event.seed == SEED
    log.draw((1, 2, 3, 4))
    hand = [lines.PlaceByHand(player, rank) for rank, player in enumerate((3, 1, 2, 4), start=1)]
    log.add(lines.ByHandLine, round=1, table=1, places=tuple(hand), reason="the box failed", by="R")
    log.add(lines.EndedLine)
    assert log.event.stage is Stage.ENDED
    refused(log, lines.AnnouncedLine, "nothing follows", text="hello", by="O")


def test_whoever_reads_the_log_has_the_event() -> None:
    log = started()
    assert picture(event_of(read_log(log.raw))) == picture(log.event)


@pytest.mark.parametrize(
    ("breaks", "why"),
    [
        (("wins", "points", "lots"), "begin with points"),
        (("points", "wins"), "end with lots"),
        (("points", "wins", "wins", "lots"), "each once"),
    ],
)
def test_tie_breaks_are_an_order_from_points_to_lots(breaks, why) -> None:
    with pytest.raises(Illegal, match=why):
        Log(tie_breaks=breaks)


def test_a_log_of_another_version_is_refused_by_name() -> None:
    with pytest.raises(Illegal, match="version 2; this program reads version 1"):
        Log(log=2)


def test_a_log_begins_with_the_event() -> None:
    other = Log().chain.next(lines.EndedLine)
    with pytest.raises(Illegal, match="begins with the event's line"):
        event_of([other])
    with pytest.raises(Illegal, match="is empty"):
        event_of([])


def test_the_seed_has_to_be_the_one_that_was_published() -> None:
    log = Log()
    log.add(lines.CheckInOpenedLine)
    refused(log, lines.CheckInClosedLine, "not the seed whose hash", seed="abc")


@pytest.mark.parametrize(
    ("kind", "fields", "why"),
    [
        (lines.PlayerLine, {"player": 10, "name": "X"}, "has the number 9, not 10"),
        (lines.PlayerLine, {"player": 9, "name": "Player 1"}, "player 1 is called Player 1 too"),
        (lines.EditedLine, {"player": 2, "name": "Player 1"}, "player 1 is called Player 1 too"),
        (lines.EditedLine, {"player": 30, "name": "X"}, "there is no player 30"),
        (lines.CheckedInLine, {"player": 1}, "Player 1 is checked in already"),
        (lines.DroppedLine, {"player": 9}, "there is no player 9"),
        (lines.ApartLine, {"players": (1, 1)}, "nobody is kept apart from"),
        (lines.ApartLine, {"players": (2, 1), "apart": False}, "may meet"),
        (lines.BoxOutLine, {"box": "nobody"}, "nobody is no box of this event"),
        (lines.AssignedLine, {"round": 1, "table": 1, "box": "box-1"}, "is on box-1 already"),
        (lines.AssignedLine, {"round": 1, "table": 1, "box": "box-9"}, "enrol it first"),
        (lines.AssignedLine, {"round": 1, "table": 9, "box": "box-2"}, "round 1 has no table 9"),
        (lines.FinalLine, {"round": 1, "table": 1, "why": "signed"}, "has no result yet"),
        (lines.FinalLine, {"round": 2, "table": 1, "why": "signed"}, "round 2 is not drawn yet"),
        (lines.PointsLine, {"round": 1, "player": 99, "points": 1, "reason": "", "by": "O"}, "no player 99"),
        (lines.ClockLine, {"round": 1, "action": "pause", "left_s": 9}, "does not run"),
        (lines.ClockLine, {"round": 1, "action": "resume", "left_s": 9}, "has not been started"),
        (lines.CheckInOpenedLine, {}, "not now: rounds are played"),
        (lines.EndedLine, {}, "table 1 of round 1 has to be final first: on a box"),
        (
            lines.AnswerLine,
            {"round": 1, "table": 1, "match": "0" * 32, "line": 3, "text": "", "by": "R", "stands": True},
            "is no protest that waits",
        ),
        (
            lines.ByHandLine,
            {"round": 1, "table": 1, "places": (lines.PlaceByHand(1, 1),), "reason": "", "by": "R"},
            "players 1, 2, 3, 4 sit there",
        ),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(kind, fields, why) -> None:
    refused(started(), kind, why, **fields)


def test_a_key_belongs_to_one_box() -> None:
    log = started()
    key = log.event.boxes["box-1"].keys[-1]
    refused(log, lines.BoxLine, "box-1 is enrolled with this key", box="box-3", key=key)
    refused(log, lines.BoxLine, "already", box="box-1", key=key)


def test_a_box_that_left_comes_back_with_another_key_and_both_are_known() -> None:
    log = started()
    log.add(lines.BoxOutLine, box="box-1")
    assert log.event.boxes_in() == ("box-2",)
    log.box("box-1", b"\x01" * 32)
    assert len(log.event.boxes["box-1"].keys) == 2
    assert log.event.boxes_in() == ("box-1", "box-2")


@pytest.mark.parametrize(
    ("tables", "byes", "why"),
    [
        (((1, 2, 3, 4), (4, 5, 6, 7, 8)), (), "players 4 are drawn twice"),
        (((1, 2, 3, 4), (5, 6, 7)), (), "not the players who are there: 8"),
        (((1, 2, 3, 4), (5, 6, 7, 8, 9)), (), "not the players who are there: 9"),
        (((1, 2, 3, 4), (5, 6, 7), (8,)), (), "two to five"),
        (((1, 2, 3, 4, 5, 6), (7, 8)), (), "two to five"),
    ],
)
def test_a_drawing_seats_everybody_who_is_there_once(tables, byes, why) -> None:
    log = Log()
    log.players(8)
    with pytest.raises(Illegal, match=why):
        log.draw(*tables, byes=byes)
    log.draw((1, 2, 3, 4), (5, 6, 7), byes=(8,))


def test_a_drawing_names_the_hash_of_its_own_pairings() -> None:
    log = Log()
    log.players(4)
    with pytest.raises(Illegal, match="hash of the pairings of round 1 is not theirs"):
        log.draw((1, 2, 3, 4), sheet="0" * 64)


CHANGE: dict[str, Any] = {
    "kind": lines.RedrawnLine, "round": 1, "reason": "r", "by": "O", "meetings": 0, "spread": 0, "seats": 0,
}  # fmt: skip


def test_a_drawing_is_changed_by_hand_until_its_round_begins() -> None:
    log = started()
    log.draw((5, 2, 3, 4), (1, 6, 7, 8), **CHANGE)
    assert log.event.table(1, 1).players == (5, 2, 3, 4)
    assert log.event.table(1, 1).box == "box-1"
    log.record(1)
    with pytest.raises(Illegal, match="round 1 has begun: its drawing stays"):
        log.draw((1, 2, 3, 4), (5, 6, 7, 8), **CHANGE)


def test_a_longer_record_of_the_match_takes_the_place_of_a_shorter_one() -> None:
    log = started()
    log.record(1, 10)
    with pytest.raises(Illegal, match="10 lines of this match already: 10 are"):
        log.record(1, 10)
    log.record(1, 12)
    record = log.event.table(1, 1).record
    assert record is not None
    assert record.lines == 12


def test_a_record_of_a_box_that_never_had_the_table_is_refused() -> None:
    log = started()
    with pytest.raises(Illegal, match="table 1 of round 1 is not played on box-2"):
        log.record(1, box="box-2")
    log.add(lines.AssignedLine, round=1, table=1, box="box-2")
    log.record(1, box="box-2")
    log.record(1, box="box-1", match="1" * 32)


def test_a_protest_keeps_the_result_waiting_until_it_is_answered() -> None:
    log = started()
    log.record(1)
    table, where = log.event.table(1, 1), {"round": 1, "table": 1, "match": "0" * 32, "line": 7}
    assert table.stage is TableStage.OPEN
    log.add(lines.ProtestLine, **where)
    assert (table.stage, table.has_result) == (TableStage.DISPUTED, False)
    refused(log, lines.ProtestLine, "known already", **where)
    refused(log, lines.FinalLine, "waits for its answer", round=1, table=1, why="signed")
    log.add(lines.AnswerLine, **where, text="it stands", by="R", stands=True)
    assert table.has_result
    log.add(lines.FinalLine, round=1, table=1, why="signed")
    assert table.stage is TableStage.FINAL
    refused(log, lines.ProtestLine, "is final", **{**where, "line": 8})


@pytest.mark.parametrize("ranks", [(1, 2, 3, 4), (1, 1, 3, 3), (1, 2, 2, 4), (1, 1, 1, 1)])
def test_ranks_by_hand_are_those_of_a_race(ranks) -> None:
    log = started()
    places = tuple(lines.PlaceByHand(player, rank) for player, rank in enumerate(ranks, start=1))
    log.add(lines.ByHandLine, round=1, table=1, places=places, reason="r", by="R")
    assert log.event.table(1, 1).is_final


@pytest.mark.parametrize("ranks", [(2, 2, 3, 4), (1, 1, 2, 3), (1, 2, 2, 3), (1, 2, 3, 5)])
def test_other_ranks_by_hand_are_refused(ranks) -> None:
    log = started()
    places = tuple(lines.PlaceByHand(player, rank) for player, rank in enumerate(ranks, start=1))
    refused(log, lines.ByHandLine, "cannot be number", round=1, table=1, places=places, reason="r", by="R")


def test_the_clock_runs_and_stands() -> None:
    log = started()
    one = log.event.round(1)
    for action, runs in (("start", True), ("pause", False), ("resume", True), ("stop", False)):
        log.add(lines.ClockLine, round=1, action=action, left_s=60)
        assert one.clock is not None
        assert one.clock.is_running is runs
        if runs:
            refused(log, lines.ClockLine, "runs already", round=1, action="start", left_s=60)


KINDS: list[tuple[type[lines.Entry], dict[str, st.SearchStrategy[Any]]]] = [
    (lines.PlayerLine, {"player": st.integers(1, 6), "name": st.sampled_from(["Ada", "Ben", "Cy"])}),
    (lines.CheckInOpenedLine, {}),
    (lines.CheckedInLine, {"player": st.integers(1, 5)}),
    (lines.CheckInClosedLine, {"seed": st.sampled_from([SEED, "bad"])}),
    (lines.DroppedLine, {"player": st.integers(1, 5)}),
    (lines.ApartLine, {"players": st.tuples(st.integers(1, 5), st.integers(1, 5)), "apart": st.booleans()}),
    (lines.BoxLine, {"box": st.sampled_from(["a", "b"]), "key": st.sampled_from(["A" * 43 + "=", "B" * 42 + "A="])}),
    (lines.BoxOutLine, {"box": st.sampled_from(["a", "b"])}),
    (lines.EndedLine, {}),
]


@given(st.lists(st.sampled_from(KINDS).flatmap(lambda one: st.tuples(st.just(one[0]), st.fixed_dictionaries(one[1])))))
def test_any_line_is_taken_or_changes_nothing(entries) -> None:
    log = Log()
    for kind, fields in entries:
        before = picture(log.event)
        try:
            log.add(kind, **fields)
        except Illegal:
            assert picture(log.event) == before
    assert picture(event_of(read_log(log.raw))) == picture(log.event)
    assert all(msgspec.json.decode(raw) for raw in log.raw)
