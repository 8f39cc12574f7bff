"""What the desk says reaches the people at the box: tables, announcements, answers, codes; matches from elsewhere."""

from __future__ import annotations

import base64
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from companion.adapters.keys.box_key import BoxKey
from companion.adapters.keys.ed25519 import check
from companion.core.errors import Illegal
from companion.core.panel import Colour
from companion.core.play.commands import (
    AnswerOffer,
    EndMatch,
    EnterCard,
    LeaveMatch,
    MakeProtest,
    NewMatch,
    Player,
    perform,
)
from companion.core.play.seating import Table
from companion.core.record.lines import Answer, Event, Moved, PressLine, dump_line, parse_line
from companion.core.record.seals import verify_seals
from companion.core.shown.scene import Lobby
from companion.core.timing.events import SECOND
from companion.games import registry
from companion.tournament.fingerprint import fingerprint
from companion.tournament.tables.judged import judge_table
from companion.tournament.wire import (
    Answered,
    Ask,
    Clock,
    Finally,
    Have,
    Say,
    SeatAt,
    Sit,
    TakeOver,
    Withdraw,
)
from tests.app.event.running import CARDS, RunningBox, event_of, match_of, sit
from tests.fakes.event_link import FakeDesk

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.core.play.session import Session


def notice(session: Session) -> str:
    return str(session.scene().notice)


def alarms(session: Session) -> str:
    return " | ".join(map(str, session.scene().alarms))


def test_people_see_which_table_it_is_and_who_sits_where(begin: Callable[..., RunningBox], desk: FakeDesk) -> None:
    box = begin()
    desk.say(sit())
    box.seated()
    scene, table = box.ask(lambda session: (session.scene(), session.table))
    assert isinstance(scene.body, Lobby)
    assert scene.body.menu.title == "Round 2, table 7"
    assert scene.notice == "Round 2, table 7: Ada, Ben Okonkwo-"
    assert (table.seats, table.first) == ((Colour.RED, Colour.YELLOW), Colour.RED)
    assert [item.label for item in scene.body.menu.items][:1] == ["start"]
    assert "game" not in [item.label for item in scene.body.menu.items]


def test_a_new_table_waits_until_the_match_is_over_and_was_seen(
    begin: Callable[..., RunningBox], desk: FakeDesk
) -> None:
    box = begin()
    desk.say(sit(round_=1))
    box.seated(1)
    box.start()
    desk.say(sit(round_=2, table=3))
    box.until(lambda session: "Round 2, table 3 comes next" in alarms(session))
    box.end()
    box.until(lambda session: session.stage.name == "ENDED")
    assert box.ask(lambda session: match_of(session).setup.event).round == 1
    box.do(LeaveMatch())
    box.seated(2)
    assert "comes next" not in box.ask(alarms)


def test_a_table_that_was_played_is_not_prepared_again_by_a_restart_or_a_desk_that_says_it_again(
    begin: Callable[..., RunningBox], desk: FakeDesk
) -> None:
    box = begin()
    desk.say(sit())
    box.seated()
    box.start()
    box.end()
    box.leave()
    box.stop()
    again = begin()
    desk.say(sit())
    desk.say(Say(number=1, text="lunch at noon"))
    again.until(lambda session: notice(session) == "lunch at noon")
    assert again.ask(lambda session: session.table.event) is None


def test_a_table_outlives_a_restart_without_any_network(begin: Callable[..., RunningBox], desk: FakeDesk) -> None:
    box = begin()
    desk.say(sit())
    box.seated()
    box.stop()
    desk.is_up = False
    again = begin()
    again.seated()
    assert again.ask(lambda session: session.table.names) == {Colour.RED: "Ada", Colour.YELLOW: "Ben Okonkwo-"}


def test_a_table_that_cannot_be_played_here_is_said_and_the_seating_stays(
    begin: Callable[..., RunningBox], desk: FakeDesk
) -> None:
    box = begin()
    desk.say(sit(game="whist"))
    box.until(lambda session: "Round 2, table 7 cannot be played here" in alarms(session))
    assert box.ask(lambda session: session.table.event) is None
    desk.say(sit(round_=3))
    box.seated(3)
    assert "cannot be played" not in box.ask(alarms)


def test_a_table_that_goes_elsewhere_is_put_away(begin: Callable[..., RunningBox], desk: FakeDesk) -> None:
    box = begin()
    desk.say(sit())
    box.seated()
    desk.say(Withdraw(round=2, table=7, reason="the table has gone to box-9"))
    box.until(lambda session: session.table.event is None)
    assert "Round 2, table 7 is played elsewhere" in box.ask(notice)


def test_who_begins_another_match_from_a_page_begins_none_of_the_event(
    begin: Callable[..., RunningBox], desk: FakeDesk
) -> None:
    box = begin()
    desk.say(sit())
    box.seated()
    box.do(NewMatch(seats=(Player(Colour.RED), Player(Colour.BLUE))))
    assert box.ask(lambda session: match_of(session).setup.event) is None
    box.do(NewMatch(seats=(Player(Colour.RED), Player(Colour.YELLOW)), abandon=True))
    assert box.ask(lambda session: match_of(session).setup.event) is None


def test_an_announcement_is_shown_once_however_often_it_comes(begin: Callable[..., RunningBox], desk: FakeDesk) -> None:
    box = begin()
    desk.say(Say(number=3, text="round 2 begins at ten"))
    box.until(lambda session: notice(session) == "round 2 begins at ten")
    box.ask(lambda session: session.announce("something else"))
    desk.say(Say(number=3, text="round 2 begins at ten"))
    desk.say(Say(number=2, text="an older one"))
    desk.say(Ask())
    desk.until(lambda: len(desk.here) >= 2)
    assert box.ask(notice) == "something else"


def test_the_rounds_clock_is_said_when_it_is_set(begin: Callable[..., RunningBox], desk: FakeDesk) -> None:
    box = begin()
    desk.say(Clock(round=2, left_ms=25 * 60_000, is_running=True))
    box.until(lambda session: notice(session) == "Round 2: 25 minutes left")
    desk.say(Clock(round=2, left_ms=60_000, is_running=False))
    box.until(lambda session: notice(session) == "Round 2: the clock stands")
    desk.say(Clock(round=2, left_ms=0, is_running=True))
    box.until(lambda session: notice(session) == "Round 2: time is up")


def test_a_box_that_is_not_enrolled_shows_its_keys_code_and_referees(
    begin: Callable[..., RunningBox], desk: FakeDesk, tmp_path: Path
) -> None:
    desk.refuses = "type the code"
    box = begin()
    code = fingerprint(BoxKey(tmp_path / "state").public_key())
    box.until(lambda session: f"Event open: type {code} at the desk" in alarms(session))
    box.do(NewMatch(seats=(Player(Colour.RED), Player(Colour.BLUE))))
    box.reveal("buffalo")
    desk.refuses = ""
    desk.say(Ask())
    box.until(lambda session: "type" not in alarms(session))


def test_a_desk_with_another_record_is_said_and_nothing_is_sent_over_it(
    begin: Callable[..., RunningBox], desk: FakeDesk
) -> None:
    box = begin()
    desk.say(sit())
    box.seated()
    match = box.start()
    desk.until(lambda: box.is_pushed(match))
    desk.say(Have(match=match, lines=1, sha256="0" * 64))
    box.until(lambda session: "the desk has another record of 1 match" in alarms(session))
    sent = len(desk.sent)
    box.reveal(*CARDS)
    box.until(lambda session: event_of(session).matches[0].lines >= sent + len(CARDS))
    assert len(desk.sent) == sent


def test_the_referees_answer_is_written_into_the_record(begin: Callable[..., RunningBox], desk: FakeDesk) -> None:
    box = begin()
    desk.say(sit())
    box.seated()
    match = box.start()
    box.reveal("buffalo")
    box.end()
    box.until(lambda session: session.stage.name == "ENDED")
    box.do(MakeProtest(colour=Colour.YELLOW, text="the card was bent"))
    number = box.ask(lambda session: match_of(session).lines_written)
    answer = Answered(match=match, protest=number, text="it was not", by="Zoë", stands=True)
    desk.say(answer)
    desk.say(answer)
    desk.until(lambda: b"it was not" in b"".join(desk.model.record(match)))
    [raw] = [line for line in desk.record(match) if b'"type":"answer"' in line]
    written = parse_line(raw, 1)
    assert isinstance(written, Answer)
    assert (written.protest, written.text, written.by, written.stands) == (number, "it was not", "Zoë", True)


def test_a_final_result_is_said(begin: Callable[..., RunningBox], desk: FakeDesk) -> None:
    box = begin()
    desk.say(sit())
    box.seated()
    match = box.start()
    box.end()
    desk.say(Finally(match=match, round=2, table=7, why="signed"))
    box.until(lambda session: notice(session) == "Round 2, table 7: the result is final")


# A match that goes on here -------------------------------------------------------------------------------------------


def taken(desk: FakeDesk, match: str, *, each: int = 3) -> list[TakeOver]:
    record = [line.decode() for line in desk.record(match)]
    return [
        TakeOver(
            match=match, round=2, table=7, first=first + 1, total=len(record), lines=tuple(record[first : first + each])
        )
        for first in range(0, len(record), each)
    ]


def test_a_match_goes_on_on_another_box_is_sealed_by_it_and_pushed_whole(
    begin: Callable[..., RunningBox], desk: FakeDesk, tmp_path: Path
) -> None:
    first = begin("first")
    desk.say(sit())
    first.seated()
    match = first.start()
    first.reveal(*CARDS)
    desk.until(lambda: first.is_pushed(match) and len(desk.model.record(match)) > len(CARDS))
    first.stop()
    parts, before = taken(desk, match), desk.record(match)
    desk.model.stored.clear()
    second = begin("second")
    desk.say(sit())
    for part in reversed(parts):
        desk.say(part)
    second.until(lambda session: session.is_offering)
    second.do(AnswerOffer(resume=True))
    second.reveal("totem pole")
    second.end()
    desk.until(lambda: second.is_pushed(match) and b'"seal"' in desk.model.record(match)[-1])
    record = desk.record(match)
    assert record[: len(before)] == before
    moved = parse_line(record[len(before)], 1)
    assert isinstance(moved, Moved)
    keys = [BoxKey(tmp_path / name).public_key() for name in ("first", "second")]
    assert moved.key == base64.b64encode(keys[1]).decode()
    found = verify_seals((line + b"\n" for line in record), check)
    assert found.fault is None
    assert found.keys[-1].key == keys[1]
    assert found.keys[-1].is_announced or len(found.keys) == 1
    judged = judge_table(record, (1, 2), registry.find, check)
    assert (judged.fault, judged.is_over, judged.event.table if judged.event else 0) == (None, True, 7)
    second.leave()
    second.until(lambda session: session.can_be_prepared)
    assert second.ask(lambda session: session.table.event) is None, "the table has been played, and is not begun again"


def test_a_match_that_comes_while_another_is_played_waits_for_its_end(
    begin: Callable[..., RunningBox], desk: FakeDesk
) -> None:
    first = begin("first")
    desk.say(sit())
    first.seated()
    match = first.start()
    desk.until(lambda: first.is_pushed(match))
    first.stop()
    parts = taken(desk, match)
    second = begin("second")
    second.do(NewMatch(seats=(Player(Colour.RED), Player(Colour.BLUE))))
    for part in (*parts, *parts):
        desk.say(part)
    desk.say(Say(number=1, text="that was all"))
    second.until(lambda session: notice(session) == "that was all")
    assert not second.ask(lambda session: session.is_offering)
    second.end()
    second.leave()
    second.until(lambda session: session.is_offering)
    second.do(AnswerOffer(resume=True))
    second.reveal("buffalo")
    second.until(lambda _session: second.numbers() == [1, 2])


def resume_and_end(session: Session) -> None:
    """Both in one turn: as a race does that is settled as soon as it is taken up, and was the game's last."""
    perform(session, AnswerOffer(resume=True), 0)
    perform(session, EndMatch(), 0)


@pytest.mark.parametrize("is_at_once", [False, True], ids=["between turns", "within a turn"])
def test_a_match_that_was_cut_off_within_a_race_says_that_it_moved_once_that_is_settled_and_before_any_seal(
    begin: Callable[..., RunningBox], desk: FakeDesk, *, is_at_once: bool
) -> None:
    game = registry.find("order")
    table = Table(game="order", seats=(Colour.RED, Colour.YELLOW), event=Event("open", 2, 7, "0" * 64))
    lines = [
        replace(table.setup(game), match="c3" * 16),
        *(PressLine(colour=colour, role=game.roles[0], t_ns=SECOND) for colour in (Colour.RED, Colour.YELLOW)),
    ]
    record = tuple(dump_line(line).decode() for line in lines)
    box = begin()
    desk.say(TakeOver(match="c3" * 16, round=2, table=7, first=1, total=3, lines=record))
    box.until(lambda session: session.is_offering)
    if is_at_once:
        box.ask(resume_and_end)
    else:
        box.do(AnswerOffer(resume=True))
        box.end()
    desk.until(lambda: box.is_pushed("c3" * 16) and b'"seal"' in desk.model.record("c3" * 16)[-1])
    pushed = desk.record("c3" * 16)
    kinds = [line.split(b'"')[3].decode() for line in pushed]
    assert kinds[:3] == ["setup", "press", "press"]
    assert kinds.index("close") < kinds.index("judge") < kinds.index("moved") < kinds.index("seal")
    moved = parse_line(pushed[kinds.index("moved")], 1)
    assert isinstance(moved, Moved)
    before = b"".join(line + b"\n" for line in pushed[: kinds.index("moved")])
    assert moved.previous == sha256(before).hexdigest()
    assert judge_table(pushed, (1, 2), registry.find, check).fault is None


def test_a_record_that_is_none_is_not_taken_up(begin: Callable[..., RunningBox], desk: FakeDesk) -> None:
    box = begin()
    desk.say(sit())
    box.seated()
    match = box.start()
    box.end()
    desk.until(lambda: b'"end"' in b"".join(desk.model.record(match)))
    box.stop()
    other = begin("other")
    for part in taken(desk, match):
        desk.say(part)
    other.until(lambda session: "the match cannot be taken over: it is over" in alarms(session))
    assert not other.ask(lambda session: session.is_offering)
    with pytest.raises(Illegal):
        other.do(EnterCard(card="buffalo"))


def test_five_sit_clockwise_by_the_colours_of_the_panel(begin: Callable[..., RunningBox], desk: FakeDesk) -> None:
    box = begin()
    seats = tuple(SeatAt(player=number, name=f"P{number}") for number in range(1, 6))
    desk.say(Sit(round=2, table=1, sheet="0" * 64, game="apache", seats=seats))
    box.seated()
    assert box.ask(lambda session: session.table.names) == {colour: f"P{n}" for n, colour in enumerate(Colour, 1)}
