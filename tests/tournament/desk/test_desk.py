"""The desk: what becomes official, what boxes are told, and what is refused by name with nothing lost."""

from __future__ import annotations

from hashlib import sha256
from random import Random

import pytest

from companion.core.errors import Illegal, Malformed
from companion.core.record.seals import in_base64
from companion.tournament.desk.rounds import change_drawing, match_to_move, move_table
from companion.tournament.event.rounds import TableStage
from companion.tournament.fingerprint import fingerprint
from companion.tournament.log import lines
from companion.tournament.log.chain import sheet_of
from companion.tournament.log.lines import TableDrawn
from companion.tournament.results import Place
from companion.tournament.wire import (
    Answered,
    Ask,
    Clock,
    Finally,
    Have,
    Held,
    NotEnrolled,
    Say,
    Shown,
    Sit,
    State,
    TakeOver,
    Welcome,
    Withdraw,
    read_up,
    state_topic,
    write_message,
)  # fmt: skip
from tests.tournament.desk.hall import Hall
from tests.tournament.tables.sealing import COLOURS, box_key, line, sealed


def hall(count: int = 8, boxes: int = 2, **event) -> Hall:
    """Give a desk with boxes, players and a first round by hand, each table on a box."""
    it = Hall(**event)
    it.enrol(*range(1, boxes + 1))
    it.players(count)
    draw(it)
    return it


def draw(it: Hall) -> None:
    players = [player.number for player in it.event.players.there()]
    tables = tuple(
        TableDrawn(number, tuple(players[4 * number - 4 : 4 * number])) for number in range(1, len(players) // 4 + 1)
    )
    number = len(it.event.rounds) + 1
    it.act(lines.DrawnLine, round=number, tables=tables, sheet=sheet_of(tables, (), "spring", number))
    for table, box in zip(tables, it.event.boxes_in(), strict=False):
        it.act(lines.AssignedLine, round=number, table=table.table, box=box)


def told(it: Hall, box: str, kind):
    return [message for message in it.told.get(box, []) if isinstance(message, kind)]


# -- boxes -------------------------------------------------------------------------------------------------------------


def test_after_a_connection_every_box_is_asked() -> None:
    it = hall()
    assert it.desk.connected().sends == [("box-1", Ask()), ("box-2", Ask())]


def test_a_box_waits_until_its_code_is_typed() -> None:
    it = Hall()
    it.here(1)
    assert told(it, "box-1", NotEnrolled)[0].why == "box-1 is not enrolled: type the code on its display at the desk"
    assert it.desk.boxes.waiting(it.event) == ("box-1",)
    with pytest.raises(Malformed, match="ten digits"):
        it.desk.enrol("12345", it.wall)
    with pytest.raises(Illegal, match="no box that waits shows the code 00000 00000; waiting: box-1"):
        it.desk.enrol("0000000000", it.wall)
    it.done(it.desk.enrol(fingerprint(box_key(1).key).upper(), it.wall))
    assert told(it, "box-1", Welcome) == [Welcome(name="Cup")]
    assert it.desk.boxes.waiting(it.event) == ()


def test_a_box_that_waits_is_no_note_and_what_is_noted_twice_is_there_once() -> None:
    it = Hall()
    it.here(1)
    it.here(1)
    assert list(it.desk.notes) == []
    it.enrol(1)
    for key in (7, 1, 8):
        it.here(1, key=key)
    (note,) = it.desk.notes
    assert "enrolled with another key" in note


def test_a_box_with_another_key_waits_and_its_lines_are_left_out() -> None:
    it = hall()
    it.here(1, key=7)
    assert "enrolled with another key" in told(it, "box-1", NotEnrolled)[-1].why
    it.pushes(1, it.record(1, box=7))
    assert it.stored == {}
    assert "was left out: box-1 is enrolled with another key" in it.notes[-1]


def test_a_box_without_enrolment_gets_nothing_stored() -> None:
    it = hall()
    it.pushes(9, it.record(1, box=9))
    assert it.stored == {}
    assert it.notes[-1] == "a line of box-9 was left out: it is no box of this event"


def test_what_waited_is_sent_once_the_box_is_enrolled() -> None:
    it = hall()
    it.here(3, Held(match="a" * 32, lines=5, acknowledged=0))
    it.done(it.desk.enrol(fingerprint(box_key(3).key), it.wall))
    assert [(have.match, have.lines) for have in told(it, "box-3", Have)] == [("a" * 32, 0)]


def test_a_box_that_left_is_refused_by_name() -> None:
    it = hall()
    it.act(lines.BoxOutLine, box="box-1")
    it.here(1)
    assert told(it, "box-1", NotEnrolled)[-1].why == "box-1 takes part no more"


def test_a_last_will_says_that_a_box_has_gone() -> None:
    it = hall()
    assert it.desk.boxes["box-1"].is_there
    up = read_up(state_topic("spring", "box-1"), write_message(State(is_there=False)))
    it.done(it.desk.arrived(up))
    assert not it.desk.boxes["box-1"].is_there


def test_a_message_of_another_event_is_left_out() -> None:
    it = hall()
    it.pushes(1, it.record(1), event="autumn")
    assert it.stored == {}
    assert "of another event, autumn, was left out" in it.notes[-1]


# -- records -----------------------------------------------------------------------------------------------------------


def test_a_table_is_told_to_its_box_with_names_in_the_order_of_the_seats() -> None:
    sit = told(hall(), "box-2", Sit)[-1]
    assert (sit.round, sit.table, sit.game) == (1, 2, "order")
    assert [(seat.player, seat.name) for seat in sit.seats] == [(n, f"Player {n}") for n in (5, 6, 7, 8)]


def test_a_sealed_result_becomes_official_and_signed_by_all_it_is_final() -> None:
    it = hall()
    record = it.record(1, signed=COLOURS[:4])
    it.pushes(1, record)
    table = it.event.table(1, 1)
    assert it.kinds().count("record") == 5  # at the end, and at each signature: the seals a box makes
    assert (table.record.lines, table.final.why) == (len(record), "signed")
    assert it.desk.find(table.record) == (Place(1, 1), Place(2, 3), Place(3, 3), Place(4, 2))
    assert told(it, "box-1", Have)[-1].lines == len(record)
    assert told(it, "box-1", Finally)[-1].why == "signed"


def test_lines_count_in_any_order_and_however_often_they_come() -> None:
    it, other = hall(), hall()
    record = it.record(1)
    other.pushes(1, record)
    places = list(range(1, len(record) + 1)) * 2
    Random(3).shuffle(places)
    for place in places:
        it.pushes(1, [record[0], *[b""] * (place - 2), record[place - 1]] if place > 1 else record[:1], place)
    assert it.stored == other.stored
    assert it.event.table(1, 1).record.sha256 == other.event.table(1, 1).record.sha256
    assert it.kinds().count("record") == 1


def test_what_is_not_sealed_is_not_official() -> None:
    it = hall()
    record = it.record(1)
    it.pushes(1, record[:-1])
    assert it.event.table(1, 1).record is None
    it.pushes(1, record, len(record))
    assert it.event.table(1, 1).record.lines == len(record)


def test_a_desk_that_begins_anew_has_the_same() -> None:
    it = hall()
    it.pushes(1, it.record(1, signed=COLOURS[:4]))
    it.pushes(2, it.record(2, box=2)[:-1])
    again = it.again()
    assert again.chain.head == it.desk.chain.head
    assert again.results() == it.desk.results()
    assert {key: held.have() for key, held in again.records.held.items()} == {
        key: held.have() for key, held in it.desk.records.held.items()
    }


def test_what_was_stored_and_not_judged_before_a_kill_becomes_official_after_it() -> None:
    it = hall()
    record = it.record(1)
    log = list(it.log)
    it.pushes(1, record)
    it.log = log
    desk = it.again()
    official = desk.event.table(1, 1).record
    assert official is not None
    assert official.lines == len(record)


# -- attacks -----------------------------------------------------------------------------------------------------------


def marked(it: Hall, why: str) -> None:
    """See that table 1 got no result, and that the organiser reads why."""
    assert it.event.table(1, 1).record is None
    assert any(why in note for note in it.notes), it.notes


def test_a_record_sealed_by_a_foreign_key_does_not_count() -> None:
    it = hall()
    it.pushes(1, it.record(1, box=9))
    marked(it, "table 1 of round 1: the record of box-1 does not count: from line 14 on it is sealed by a key that no")


def test_a_record_sealed_by_another_box_of_the_event_does_not_count() -> None:
    it = hall()
    it.pushes(1, it.record(1, box=2))
    marked(it, "sealed by the key of another box")


def test_an_altered_record_does_not_count() -> None:
    it = hall()
    record = it.record(1)
    changed = [raw.replace(b'"red"', b'"blue"') if b'"press"' in raw else raw for raw in record]
    it.pushes(1, changed)
    marked(it, "this seal does not hold")


def test_a_re_ordered_record_does_not_count() -> None:
    it = hall()
    record = it.record(1)
    record[1], record[2] = record[2], record[1]
    it.pushes(1, record)
    marked(it, "this seal does not hold")


def test_the_record_of_another_table_does_not_count_for_this_one() -> None:
    it = hall()
    it.pushes(1, it.record(2, box=1))
    assert it.event.table(1, 1).record is None
    assert it.event.table(1, 2).record is None
    assert any("table 2 of round 1: the record of box-1 does not count" in note for note in it.notes)


def test_a_replayed_record_of_an_earlier_round_does_not_count_again() -> None:
    it = hall()
    record = it.record(1, signed=COLOURS[:4])
    it.pushes(1, record)
    it.pushes(2, it.record(2, box=2, signed=COLOURS[:4]))
    draw(it)
    before = list(it.log)
    it.pushes(1, record)
    assert it.log == before
    assert it.event.table(2, 1).record is None


def test_another_line_in_the_place_of_one_that_is_stored_is_told_by_name_and_changes_nothing() -> None:
    it = hall()
    record = it.record(1)
    it.pushes(1, record[:6])
    other = [*record[:5], b'{"type":"remark","text":"other"}']
    it.pushes(1, other, 6)
    assert it.stored["box-1", it.desk.records.at[1, 1][0].match, 6] == record[5]
    assert "box-1 sent another line 6 of match" in it.notes[-1]
    it.pushes(1, record, 7)
    marked(it, "the box has sent two different lines in one place")


def test_a_line_far_ahead_is_left_out() -> None:
    it = hall()
    record = it.record(1)
    it.pushes(1, [record[0], *[b""] * 2000, record[1]], 2002)
    assert it.stored == {}
    assert "those before it have not come" in it.notes[-1]


def test_a_desk_restored_from_yesterdays_backup_is_marked_and_nothing_is_lost() -> None:
    it = hall()
    backup_log, backup = list(it.log), dict(it.stored)
    record = it.record(1)
    it.pushes(1, record)
    it.log, it.stored = backup_log, backup
    it.desk = it.again()
    match = f"{101:032x}"
    it.here(1, Held(match=match, lines=len(record), acknowledged=len(record)))
    assert f"had {len(record)} lines of match {match}, and there are 0: the desk has been restored" in it.notes[-1]
    assert told(it, "box-1", Have)[-1].lines == 0
    it.pushes(1, record)
    assert it.event.table(1, 1).record.lines == len(record)


def test_garbage_as_a_first_line_is_named() -> None:
    it = hall()
    it.done(it.desk.arrived(read_up("companion/1/spring/box-1/up/line/" + "0" * 32 + "/1", b"junk")))
    assert any("match 00000000000000000000000000000000 of box-1:" in note for note in it.notes)


# -- disputes, deadlines, hands ----------------------------------------------------------------------------------------

PROTEST = line("protest", colour="yellow", race=1, text="I was first")


def test_a_protest_waits_for_the_referees_answer_which_the_box_writes() -> None:
    it = hall()
    record = it.record(1, more=[PROTEST])
    at = record.index(PROTEST) + 1
    it.pushes(1, record)
    table = it.event.table(1, 1)
    assert table.stage is TableStage.DISPUTED
    assert it.desk.results()[0].waiting == (1, 2)
    where = {"round": 1, "table": 1, "match": table.record.match, "line": at}
    it.act(lines.AnswerLine, **where, text="red was", by="Ref", stands=True)
    assert told(it, "box-1", Answered) == [
        Answered(match=table.record.match, protest=at, text="red was", by="Ref", stands=True)
    ]
    assert it.desk.results()[0].waiting == (2,)
    answered = sealed([line("answer", protest=at, text="red was", by="Ref", stands=True)], 1, record)
    it.pushes(1, answered, len(record) + 1)
    assert it.kinds().count("answer") == 1


def test_a_protest_that_was_answered_at_the_box_waits_no_more() -> None:
    it = hall()
    at = len(it.record(1)) - 1
    record = it.record(1, more=[PROTEST, line("answer", protest=at, text="no", stands=True)])
    assert record[at - 1] == PROTEST
    it.pushes(1, record)
    table = it.event.table(1, 1)
    assert (table.stage, table.protests[0].answer.by) == (TableStage.OPEN, "referee at box-1")


def test_an_unsigned_result_is_final_after_its_deadline_and_not_while_it_is_disputed() -> None:
    it = hall(deadline_minutes=10)
    it.pushes(1, it.record(1))
    it.pushes(2, it.record(2, box=2, more=[PROTEST]))
    it.seconds = 599
    assert it.done(it.desk.advance(it.now, it.wall)).entries == []
    it.seconds = 600
    it.done(it.desk.advance(it.now, it.wall))
    assert it.event.table(1, 1).final.why == "deadline"
    assert it.event.table(1, 2).final is None
    protest = it.event.table(1, 2).protests[0]
    it.act(
        lines.AnswerLine, round=1, table=2, match=protest.match, line=protest.line, text="", by="R", stands=True
    )  # fmt: skip
    it.seconds = 1199
    it.done(it.desk.advance(it.now, it.wall))
    assert it.event.table(1, 2).final is None
    it.seconds = 1200
    it.done(it.desk.advance(it.now, it.wall))
    assert it.event.table(1, 2).final.why == "deadline"


def answered(it: Hall, seconds: int, *, stands: bool, until: str | None = None) -> None:
    """Have the protest at table 1 answered, so many seconds after the beginning."""
    it.seconds = seconds
    (protest,) = it.event.table(1, 1).protests
    more = {"match": protest.match, "line": protest.line, "text": "", "by": "R"}
    it.act(lines.AnswerLine, round=1, table=1, stands=stands, until=until, **more)


def is_final_after(it: Hall, seconds: int) -> bool:
    it.seconds = seconds
    it.done(it.desk.advance(it.now, it.wall))
    is_final: bool = it.event.table(1, 1).is_final
    return is_final


def test_an_answer_that_says_until_when_it_may_be_disputed_keeps_the_result_open_until_then() -> None:
    it = hall(deadline_minutes=10)
    it.pushes(1, it.record(1, more=[PROTEST]))
    it.seconds = 1800
    until = it.now.isoformat(timespec="seconds")
    answered(it, 60, stands=True, until=until)
    assert not is_final_after(it, 1799)
    assert is_final_after(it, 1800)


def test_no_deadline_makes_a_result_final_of_which_a_protest_was_upheld() -> None:
    """It is wrong until somebody has put it right: at the box, by hand, or by saying that it stays."""
    it = hall(deadline_minutes=10)
    it.pushes(1, it.record(1, more=[PROTEST]))
    answered(it, 60, stands=False)
    assert not is_final_after(it, 100_000)
    it.act(lines.FinalLine, round=1, table=1, why="by hand")
    assert it.event.table(1, 1).is_final


def test_a_result_by_hand_goes_before_the_boxs() -> None:
    it = hall()
    it.pushes(1, it.record(1))
    places = tuple(lines.PlaceByHand(player, rank) for player, rank in ((1, 4), (2, 3), (3, 2), (4, 1)))
    it.act(lines.ByHandLine, round=1, table=1, places=places, reason="wrong card", by="Ref")
    result = it.desk.results()[0].results[0]
    assert result.by_hand
    assert result.places[3] == Place(4, 1)
    assert told(it, "box-1", Finally)[-1].why == "by hand"


def test_a_box_that_failed_is_replaced_and_the_match_goes_on_from_its_record() -> None:
    it = hall(boxes=3)
    record = it.record(1)
    half = record[:5]  # between two races
    it.pushes(1, half)
    found = match_to_move(it.desk, 1, 1)
    assert found is not None
    box, match = found
    lines_there = [it.stored[box, match, number] for number in range(1, 6)]
    it.done(move_table(it.desk, 1, 1, "box-3", it.wall, match=match, record=lines_there))
    assert told(it, "box-1", Withdraw)[-1].reason == "the table has gone to box-3"
    parts = told(it, "box-3", TakeOver)
    assert [raw.encode() for part in parts for raw in part.lines] == half
    previous = sha256(b"".join(raw + b"\n" for raw in half)).hexdigest()
    moved = line("moved", box="box-3", key=in_base64(box_key(3).key), previous=previous)
    full = sealed([moved, *record[5:-1]], 3, half)
    it.pushes(3, full)
    assert (it.event.table(1, 1).record.box, it.event.table(1, 1).record.lines) == ("box-3", len(full))
    it.pushes(1, record, 6)
    assert it.event.table(1, 1).record.box == "box-3"
    assert any("the table has gone to box-3, which has a record of it" in note for note in it.notes)


def test_a_drawing_is_changed_by_hand_with_the_difference_it_makes() -> None:
    it = hall()
    draw(it)
    tables = [TableDrawn(1, (5, 2, 3, 4)), TableDrawn(2, (1, 6, 7, 8))]
    it.done(change_drawing(it.desk, tables, (), reason="a family", by="O", wall=it.wall))
    line = it.event.rounds[1].line
    assert (line.meetings, line.spread, line.seats) == (-6, 0, 0)
    assert told(it, "box-1", Sit)[-1].seats[0].player == 5


def test_a_drawing_is_changed_by_hand_after_somebody_of_it_has_left() -> None:
    it = hall()
    draw(it)
    it.act(lines.DroppedLine, player=8)
    tables = [TableDrawn(1, (1, 2, 3, 4)), TableDrawn(2, (5, 6, 7))]
    it.done(change_drawing(it.desk, tables, (), reason="8 has left", by="O", wall=it.wall))
    assert it.event.rounds[1].line.meetings == -3


def test_announcements_and_the_clock_are_told_to_all_and_to_whoever_comes_later() -> None:
    it = hall()
    it.act(lines.AnnouncedLine, text="lunch", by="O")
    it.act(lines.ClockLine, round=1, action="start", left_s=60)
    for box in ("box-1", "box-2"):
        assert told(it, box, Say) == [Say(number=1, text="lunch")]
        assert told(it, box, Clock) == [Clock(round=1, left_ms=60_000, is_running=True)]
    it.told.clear()
    it.here(1)
    assert [type(message) for message in it.told["box-1"]] == [Welcome, Sit, Clock, Say]


def test_what_a_box_shows_is_for_the_live_tables_and_nothing_else() -> None:
    it = hall()
    it.pushes(1, it.record(1)[:3])
    match = it.desk.records.at[1, 1][0].match
    outcome = it.says(1, Shown(match=match, lines=3, rows=("Red first",)))
    assert outcome.changed == {(1, 1)}
    assert outcome.entries == []
    shown = it.desk.boxes["box-1"].shown
    assert shown is not None
    assert shown.rows == ("Red first",)


def test_what_a_page_gives_is_held_against_the_bounds_of_the_line() -> None:
    it = hall()
    head = it.desk.chain.head
    with pytest.raises(Malformed, match="text"):
        it.act(lines.AnnouncedLine, text="x" * 501, by="O")
    assert it.desk.chain.head == head
    assert it.event.announcements == []


def test_notes_are_bounded() -> None:
    it = hall()
    for number in range(9, 509):
        it.pushes(number, [b'{"match": "' + b"0" * 32 + b'"}'])
    assert len(it.desk.notes) == 200
