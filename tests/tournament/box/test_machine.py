"""What the desk says is done once, and only where it means something; what has to outlive a restart is kept."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core.errors import Malformed
from companion.core.panel import Colour
from companion.core.play.seating import Table
from companion.core.record.lines import dump_line
from companion.games import registry
from companion.tournament.box.effects import (
    Announce,
    ClockSet,
    Effect,
    GiveAnswer,
    IsFinal,
    Keep,
    Prepare,
    Publish,
    TakeUp,
    Tell,
)
from companion.tournament.box.kept import Kept, read_kept, write_kept
from companion.tournament.box.machine import HERE_AGAIN_NS, BoxInEvent
from companion.tournament.box.taking_over import MOST_LINES, Arriving
from companion.tournament.wire import (
    Answered,
    Ask,
    Clock,
    Finally,
    Have,
    Here,
    Say,
    SeatAt,
    Shown,
    Sit,
    State,
    TakeOver,
    Welcome,
    Withdraw,
    read_up,
)
from tests.tournament.box.modelled import MATCH, WHO

SIT = Sit(round=2, table=7, sheet="0" * 64, game="order", seats=(SeatAt(player=1, name="Ada"),))
SETUP = replace(Table(game="order", seats=(Colour.RED, Colour.BLUE)).setup(registry.find("order")), match=MATCH)
RECORD = (dump_line(SETUP).decode(), '{"type":"end"}', '{"type":"restart"}')


@pytest.fixture
def box() -> BoxInEvent:
    made = BoxInEvent(WHO, Kept(event="open"))
    made.connected(0)
    made.hear(Welcome(name="The Open"), 0)
    made.take()
    return made


def told(box: BoxInEvent, *messages: object) -> list[Effect]:
    for message in messages:
        box.hear(message, 0)  # type: ignore[arg-type]
    return [effect for effect in box.take() if not isinstance(effect, (Publish, Keep))]


def said(box: BoxInEvent) -> list[object]:
    sent = [effect for effect in box.take() if isinstance(effect, Publish)]
    return [read_up(one.topic, one.payload).message for one in sent]


def test_a_table_is_prepared_once_and_again_only_where_it_changes(box: BoxInEvent) -> None:
    other = replace(SIT, seats=(SeatAt(player=2, name="Ben"),))
    assert told(box, SIT, SIT) == [Prepare(SIT)]
    assert told(box, other) == [Prepare(other)]
    assert told(box, replace(SIT, round=1, table=3)) == [], "rounds only go up"
    assert (box.kept.sit, box.kept.round, box.kept.table) == (other, 2, 7)


def test_a_table_that_was_played_is_not_prepared_again(box: BoxInEvent) -> None:
    told(box, SIT)
    box.ended()
    assert told(box, SIT) == [Prepare(None)]
    assert told(box, SIT) == []
    assert box.kept.round == 2


def test_a_table_is_put_away_where_it_is_this_boxs(box: BoxInEvent) -> None:
    told(box, SIT)
    assert told(box, Withdraw(round=2, table=8)) == []
    assert told(box, Withdraw(round=2, table=7, reason="why")) == [Prepare(None, "why")]
    assert told(box, SIT) == [Prepare(SIT)], "it came back"


def test_what_comes_twice_is_said_once(box: BoxInEvent) -> None:
    final = Finally(match=MATCH, round=2, table=7, why="signed")
    assert told(box, Say(number=2, text="two"), Say(number=2, text="two"), Say(number=1, text="one")) == [
        Announce("two")
    ]
    assert told(box, final, final) == [IsFinal(final)]
    clock = Clock(round=2, left_ms=1000, is_running=True)
    assert told(box, clock, replace(clock, left_ms=900)) == [ClockSet(2, 1000, is_running=True)]
    assert told(box, replace(clock, is_running=False)) == [ClockSet(2, 1000, is_running=False)]


def test_an_answer_is_handed_on_each_time_as_the_record_knows_whether_it_has_it(box: BoxInEvent) -> None:
    answer = Answered(match=MATCH, protest=9, text="no", by="Zoë", stands=True)
    assert told(box, answer, answer) == [GiveAnswer(answer), GiveAnswer(answer)]


def part(first: int, *lines: str, total: int = 3) -> TakeOver:
    return TakeOver(match=MATCH, round=3, table=1, first=first, total=total, lines=lines)


def test_a_record_is_taken_up_once_it_is_whole_in_whatever_order_it_comes(box: BoxInEvent) -> None:
    told(box, SIT)
    assert told(box, part(3, RECORD[2]), part(3, RECORD[2]), part(1, RECORD[0])) == []
    assert told(box, part(2, RECORD[1])) == [Prepare(None), TakeUp(MATCH, tuple(line.encode() for line in RECORD))]
    assert told(box, part(1, *RECORD)) == []
    assert (box.kept.sit, box.kept.round, box.kept.table) == (None, 3, 1)


def test_a_match_that_is_here_already_is_not_taken_up(box: BoxInEvent) -> None:
    box.grew(MATCH, [b"line"], 0)
    assert told(box, part(1, *RECORD)) == []


@pytest.mark.parametrize(
    "wrong",
    [
        part(1, RECORD[1]),
        part(1, RECORD[0].replace("a1a1", "b2b2")),
        part(1, "{"),
        part(3, RECORD[2], "{}"),
        part(2, "{}\n{}"),
    ],
    ids=["no setup", "another match", "no line", "too many", "two in one"],
)
def test_parts_of_no_such_record_are_left_out_and_said(box: BoxInEvent, wrong: TakeOver) -> None:
    [only] = told(box, wrong)
    assert isinstance(only, Tell)
    assert isinstance(told(box, part(1, *RECORD))[-1], TakeUp)


def test_a_record_of_no_size_at_all_is_refused() -> None:
    with pytest.raises(Malformed):
        Arriving(MATCH, MOST_LINES + 1).take(part(1, *RECORD, total=MOST_LINES + 1))


def test_it_says_how_it_stands_when_asked_and_now_and_then_while_it_hears_nothing(box: BoxInEvent) -> None:
    box.grew(MATCH, [b"one", b"two"], 0)
    box.take()
    box.hear(Ask(), 0)
    state, here = said(box)
    assert isinstance(state, State)
    assert isinstance(here, Here)
    assert [(one.match, one.lines, one.acknowledged) for one in here.matches] == [(MATCH, 2, 0)]
    lonely = BoxInEvent(WHO, Kept(event="open"))
    lonely.connected(0)
    lonely.take()
    assert lonely.next_deadline() == HERE_AGAIN_NS
    lonely.advance(HERE_AGAIN_NS)
    assert isinstance(said(lonely)[0], Here)


def test_without_a_connection_it_says_nothing_and_waits_for_nothing() -> None:
    box = BoxInEvent(WHO, Kept(event="open"))
    box.grew(MATCH, [b"one"], 0)
    box.plays(MATCH)
    box.shows(Shown(match=MATCH, lines=1, rows=()))
    box.advance(10**18)
    assert (box.take(), box.next_deadline()) == ([], None)
    assert box.status("the port is closed").why == "the port is closed"


def test_the_state_says_what_is_at_the_table(box: BoxInEvent) -> None:
    box.plays(MATCH)
    box.plays(MATCH)
    assert said(box) == [State(is_there=True, match=MATCH)]
    box.plays(None)
    assert said(box) == [State(is_there=True)]


def test_what_is_shown_is_said_again_to_a_desk_that_comes_back_while_it_is_at_the_table(box: BoxInEvent) -> None:
    shown = Shown(match=MATCH, lines=1, rows=("Round 1",))
    box.plays(MATCH)
    box.shows(shown)
    assert shown in said(box)
    box.lost()
    box.connected(0)
    box.hear(Welcome(name="The Open"), 0)
    box.hear(Welcome(name="The Open"), 0)
    assert said(box).count(shown) == 1
    box.lost()
    box.plays(None)
    box.connected(0)
    box.hear(Welcome(name="The Open"), 0)
    assert shown not in said(box)


def test_a_have_of_an_unknown_match_means_nothing(box: BoxInEvent) -> None:
    assert told(box, Have(match=MATCH, lines=3, sha256="0" * 64)) == []


def test_what_is_kept_reads_back_and_what_is_none_is_refused(box: BoxInEvent) -> None:
    told(box, SIT, Say(number=4, text="x"), Finally(match=MATCH, round=2, table=7, why="signed"))
    assert read_kept(write_kept(box.kept)) == box.kept
    for raw in (b"", b"[]", b'{"event":"The Open"}', b'{"event":"open","acknowledged":{"x":1}}', b"\xff"):
        with pytest.raises(Malformed):
            read_kept(raw)
