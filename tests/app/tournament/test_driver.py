"""The running desk: nothing is told or shown before it is stored, and nothing that fails leaves it otherwise."""

from __future__ import annotations

import asyncio
import copy

import pytest

from companion.app.tournament import inbox
from companion.core.errors import Illegal, Unavailable
from companion.tournament import wire
from companion.tournament.event.rounds import TableStage
from companion.tournament.log import lines
from tests.app.tournament.desks import (
    EVENT,
    FailingStore,
    event_log,
    here,
    match_of,
    record_of,
    running,
    stored,
)


def say(text: str):
    return lambda desk, wall: desk.act(lines.AnnouncedLine, wall, text=text, by="O")


def picture(desk):
    """Give what of a desk must be the same, however it came to it."""
    event = desk.event
    held = {key: (one.count, one.place, one.came_to, one.hash.digest()) for key, one in desk.records.held.items()}
    tables = [
        (one.number, one.players, one.boxes, one.stage, (one.record.match, one.record.lines) if one.record else None)
        for each in event.rounds
        for one in each.tables.values()
    ]
    return copy.deepcopy((
        event.stage, event.players.all, event.boxes, event.announcements, tables, held, desk.results()
    ))  # fmt: skip


async def both_played(desk, log) -> None:
    for number in (1, 2):
        desk.push(f"box-{number}", match_of(number), record_of(log, number))
    await desk.until(lambda: all(table.is_final for table in desk.event.rounds[0].tables.values()))


def test_every_box_is_asked_when_there_is_a_connection() -> None:
    async def run() -> None:
        async with running(stored(event_log())) as desk:
            await desk.until(lambda: desk.link.told("box-1", wire.Ask) and desk.link.told("box-2", wire.Ask))

    asyncio.run(run())


def test_a_sealed_and_signed_record_is_acknowledged_and_final() -> None:
    log = event_log()

    async def run() -> None:
        async with running(stored(log)) as desk:
            await both_played(desk, log)
            await desk.until(lambda: desk.link.told("box-1", wire.Finally) and desk.link.told("box-1", wire.Have))
            have = desk.link.told("box-1", wire.Have)[-1]
            assert have.lines == len(record_of(log, 1))
            assert frozenset({(1, 1)}) <= frozenset().union(*desk.changes)
            assert len(desk.store.entries()) == len(log.raw) + 4

    asyncio.run(run())


def test_an_act_is_durable_when_it_returns() -> None:
    async def run() -> None:
        async with running(stored(event_log())) as desk:
            outcome = await desk.driver.act(say("hello"))
            assert desk.store.entries()[-1] == outcome.entries[-1][1]
            assert await desk.driver.look(lambda desk: desk.event.announcements) == ["hello"]
            await desk.until(lambda: desk.link.told("box-2", wire.Say))

    asyncio.run(run())


def test_an_act_that_is_refused_changes_nothing() -> None:
    def half(desk, wall):
        desk.act(lines.AnnouncedLine, wall, text="half", by="O")
        raise Illegal("not so")

    async def run() -> None:
        async with running(stored(event_log())) as desk:
            before = picture(desk.driver.desk)
            with pytest.raises(Illegal, match="not so"):
                await desk.driver.act(half)
            with pytest.raises(Illegal, match="round 9 is not drawn"):
                await desk.driver.act(
                    lambda desk, wall: desk.act(lines.FinalLine, wall, round=9, table=1, why="signed")
                )
            assert picture(desk.driver.desk) == before
            await desk.driver.act(say("after"))
            assert desk.event.announcements == ["after"]

    asyncio.run(run())


def test_an_act_that_cannot_be_stored_is_not_in_the_desk() -> None:
    async def run() -> None:
        store = stored(event_log())
        async with running(store) as desk:
            await desk.driver.act(say("before"))
            store.fails = {len(store.calls) + 1}
            with pytest.raises(Unavailable, match="append failed"):
                await desk.driver.act(say("lost"))
            assert desk.event.announcements == ["before"]
            assert desk.driver.faults == {"store": "append failed"}
            with pytest.raises(Unavailable, match="append failed"):
                await desk.driver.act(say("refused"))
            await desk.recovered()
            await desk.driver.act(say("after"))
            assert desk.event.announcements == ["before", "after"]
            assert not any(message.text == "lost" for message in desk.link.told("box-1", wire.Say))

    asyncio.run(run())


def test_nobody_looks_at_what_is_not_stored() -> None:
    async def run() -> None:
        store = stored(event_log())
        goes_on = asyncio.Event()
        async with running(store) as desk:
            append, loop = store.append, asyncio.get_running_loop()

            def slow(first, raws):
                asyncio.run_coroutine_threadsafe(goes_on.wait(), loop).result()
                append(first, raws)

            store.append = slow
            act = asyncio.create_task(desk.driver.act(say("soon")))
            await desk.until(lambda: desk.event.announcements == ["soon"], ahead=True)
            looking = asyncio.create_task(desk.driver.look(lambda desk: list(desk.event.announcements)))
            for _ in range(20):
                await asyncio.sleep(0)
            has_looked, has_told = looking.done(), desk.link.told("box-1", wire.Say)
            goes_on.set()
            assert not has_looked
            assert not has_told
            await act
            assert await looking == ["soon"]

    asyncio.run(run())


def test_a_store_that_fails_at_any_call_leads_to_the_same_desk() -> None:
    log = event_log()

    async def undisturbed():
        async with running(stored(log)) as desk:
            await both_played(desk, log)
            return picture(desk.driver.desk), desk.store.entries()

    wanted, entries = asyncio.run(undisturbed())

    async def failing(at: set[int]) -> None:
        store = stored(log)
        async with running(store) as desk:
            store.fails = {len(store.calls) + number for number in at}
            for number in (1, 2):
                desk.push(f"box-{number}", match_of(number), record_of(log, number))
            await desk.until(lambda: "store" in desk.driver.faults)
            await desk.recovered(lambda: all(table.is_final for table in desk.event.rounds[0].tables.values()))
            assert picture(desk.driver.desk) == wanted
            kinds = [lines.parse_entry(raw, number).__class__ for number, raw in enumerate(store.entries(), 1)]
            assert sorted(map(str, kinds)) == sorted(
                str(lines.parse_entry(raw, number).__class__) for number, raw in enumerate(entries, 1)
            )

    for at in ({1}, {2}, {1, 2}, {2, 3}, {2, 3, 4}, {2, 4}, {2, 5}, {1, 3, 5}):
        asyncio.run(failing(at))


def test_no_line_is_acknowledged_while_the_store_fails() -> None:
    log = event_log()

    async def run() -> None:
        store = stored(log)
        async with running(store) as desk:
            store.fault = "the disk is full"
            desk.push("box-1", match_of(1), record_of(log, 1))
            await desk.until(lambda: "store" in desk.driver.faults)
            assert desk.driver.faults["store"] == "the disk is full"
            assert not desk.link.told("box-1", wire.Have)
            store.fault = None
            await desk.recovered()
            await desk.until(lambda: desk.link.told("box-1", wire.Finally) and desk.link.told("box-1", wire.Have))
            assert desk.link.told("box-1", wire.Have)[-1].lines == len(record_of(log, 1))

    asyncio.run(run())


def test_a_desk_that_is_started_again_at_any_line_goes_on() -> None:
    log, store = event_log(), stored(event_log())
    record = record_of(log, 1)

    async def push(count: int, is_done) -> None:
        async with running(store) as desk:
            known = desk.driver.desk.records.held.get(("box-1", match_of(1)))
            assert (0 if known is None else known.count) == max(count - 5, 0)
            desk.push("box-1", match_of(1), record[:count])
            await desk.until(lambda: desk.driver.desk.records.of("box-1", match_of(1)).count == len(record[:count]))
            await desk.until(lambda: not desk.driver.desk.event.table(1, 1).is_final or is_done)
            last.append(picture(desk.driver.desk))

    last: list[object] = []
    counts = list(range(5, len(record) + 5, 5))
    for count in counts:
        asyncio.run(push(count, count >= len(record)))

    async def whole():
        async with running(stored(log)) as desk:
            desk.push("box-1", match_of(1), record)
            await desk.until(lambda: desk.event.table(1, 1).is_final)
            return picture(desk.driver.desk)

    assert last[-1] == asyncio.run(whole())


def test_what_was_stored_and_not_judged_becomes_official_at_the_start() -> None:
    log, store = event_log(), stored(event_log())
    store.open()
    store.keep([
        ("box-1", wire.RecordPart(match_of(1), number, raw)) for number, raw in enumerate(record_of(log, 1), 1)
    ])  # fmt: skip
    store.close()

    async def run() -> None:
        async with running(store) as desk:
            assert desk.event.table(1, 1).stage is TableStage.FINAL
            assert len(desk.store.entries()) == len(log.raw) + 2

    asyncio.run(run())


def test_garbage_from_the_broker_is_a_note() -> None:
    async def run() -> None:
        async with running(stored(event_log())) as desk:
            desk.driver.message("nonsense", b"\xff")
            desk.driver.message(wire.up_topic(EVENT, "box-1"), b"{}")
            desk.driver.message(wire.line_topic(EVENT, "box-1", match_of(1), 1), b"\xff\x00")
            desk.driver.message(wire.line_topic(EVENT, "nobody", match_of(1), 1), b"{}")
            desk.say("box-1", here(1))
            await desk.until(lambda: desk.link.told("box-1", wire.Welcome))
            notes = "\n".join(desk.driver.desk.notes)
            assert "no topic of a box" in notes
            assert "nobody was left out" in notes

    asyncio.run(run())


def test_too_many_messages_are_dropped_and_boxes_asked(monkeypatch) -> None:
    monkeypatch.setattr(inbox, "MOST_WAITING", 10)
    log = event_log()

    async def run() -> None:
        async with running(stored(log)) as desk:
            await desk.until(lambda: desk.link.told("box-1", wire.Ask))
            desk.push("box-1", match_of(1), record_of(log, 1))
            await desk.until(lambda: len(desk.link.told("box-1", wire.Ask)) == 2)
            assert any("boxes send again" in note for note in desk.driver.desk.notes)
            desk.push("box-1", match_of(1), record_of(log, 1), 11)
            await desk.until(lambda: any(have.lines >= 20 for have in desk.link.told("box-1", wire.Have)))

    asyncio.run(run())


def test_without_a_connection_nothing_is_lost() -> None:
    log = event_log()

    async def run() -> None:
        async with running(stored(log)) as desk:
            desk.link.is_up = False
            desk.driver.lost("the broker is gone")
            assert desk.driver.faults == {"broker": "the broker is gone"}
            desk.push("box-1", match_of(1), record_of(log, 1))
            await desk.until(lambda: desk.event.table(1, 1).is_final)
            desk.link.is_up = True
            desk.link.sent.clear()
            desk.driver.connected()
            await desk.until(lambda: desk.link.told("box-1", wire.Ask))
            assert desk.driver.faults == {}
            desk.say("box-1", here(1, wire.Held(match_of(1), len(record_of(log, 1)), 0)))
            await desk.until(lambda: desk.link.told("box-1", wire.Finally) and desk.link.told("box-1", wire.Have))
            assert desk.link.told("box-1", wire.Have)[-1].lines == len(record_of(log, 1))

    asyncio.run(run())


def test_an_unsigned_result_is_final_after_the_deadline() -> None:
    log = event_log(deadline_minutes=10)

    async def run() -> None:
        async with running(stored(log)) as desk:
            desk.push("box-1", match_of(1), record_of(log, 1, signed=1))
            await desk.until(lambda: desk.event.table(1, 1).record)
            desk.time.pass_by(599)
            await asyncio.sleep(0.05)
            assert not desk.event.table(1, 1).is_final
            desk.time.pass_by(1)
            await desk.until(lambda: desk.event.table(1, 1).is_final)
            assert desk.event.table(1, 1).final.why == "deadline"

    asyncio.run(run())


def test_a_box_that_comes_is_told_what_is_left_of_the_clock_now() -> None:
    async def run() -> None:
        async with running(stored(event_log(round_minutes=30))) as desk:
            await desk.driver.act(
                lambda desk, wall: desk.act(lines.ClockLine, wall, round=1, action="start", left_s=1_800)
            )
            desk.time.pass_by(65)
            desk.say("box-2", here(2))
            await desk.until(lambda: len(desk.link.told("box-2", wire.Clock)) == 2)
            assert [clock.left_ms for clock in desk.link.told("box-2", wire.Clock)] == [1_800_000, 1_735_000]

    asyncio.run(run())


def test_a_box_that_took_a_table_over_is_given_its_record_until_it_has_it() -> None:
    log = event_log()
    log.add(lines.AssignedLine, round=1, table=1, box="box-2")
    log.add(lines.AssignedLine, round=1, table=2, box="box-1")
    record = record_of(log, 1)[:12]

    async def run() -> None:
        async with running(stored(log)) as desk:
            desk.push("box-1", match_of(1), record)
            await desk.until(lambda: desk.driver.desk.records.of("box-1", match_of(1)).count == 12)
            desk.say("box-2", here(2))
            await desk.until(lambda: desk.link.told("box-2", wire.TakeOver))
            (part,) = desk.link.told("box-2", wire.TakeOver)
            assert [line.encode() for line in part.lines] == record
            desk.link.sent.clear()
            desk.say("box-2", here(2, wire.Held(match_of(1), 12, 0)))
            await desk.until(lambda: desk.link.told("box-2", wire.Have))
            assert not desk.link.told("box-2", wire.TakeOver)

    asyncio.run(run())


def test_a_record_that_this_program_fails_at_stops_no_other(monkeypatch) -> None:
    log = event_log()

    async def run() -> None:
        async with running(stored(log)) as desk:
            kept = type(desk.driver.desk).kept

            def failing(self, parts, contradictions, wall):
                if any(box == "box-1" for box, _ in parts):
                    raise ZeroDivisionError("a fault")
                return kept(self, parts, contradictions, wall)

            monkeypatch.setattr(type(desk.driver.desk), "kept", failing)
            for number in (1, 2):
                desk.push(f"box-{number}", match_of(number), record_of(log, number))
            await desk.until(lambda: desk.event.table(1, 2).is_final)
            assert any("is a bug" in note for note in desk.driver.desk.notes)
            assert desk.store.record("box-1", match_of(1)) == record_of(log, 1)

    asyncio.run(run())


def test_a_line_that_contradicts_is_remembered_over_a_fault_of_the_store() -> None:
    log = event_log()

    async def run() -> None:
        store = stored(log)
        async with running(store) as desk:
            record = record_of(log, 1)
            desk.push("box-1", match_of(1), record[:10])
            await desk.until(lambda: desk.driver.desk.records.of("box-1", match_of(1)).count == 10)
            desk.driver.message(wire.line_topic(EVENT, "box-1", match_of(1), 3), b'{"type":"end"}')
            await desk.until(lambda: desk.driver.desk.records.of("box-1", match_of(1)).is_contradicted)
            store.fails = {len(store.calls) + 2}
            desk.push("box-1", match_of(1), record, 11)
            desk.push("box-2", match_of(2), record_of(log, 2))
            await desk.until(lambda: "store" in desk.driver.faults)
            await desk.recovered(lambda: desk.event.table(1, 2).is_final)
            assert desk.driver.desk.records.of("box-1", match_of(1)).count == len(record)
            assert desk.driver.desk.records.of("box-1", match_of(1)).is_contradicted
            assert desk.event.table(1, 1).record is None

    asyncio.run(run())


def test_a_line_that_contradicts_is_remembered_by_the_next_desk() -> None:
    """A desk that is started anew may not believe what the one before it had caught."""
    log = event_log()

    async def run() -> None:
        store, record = stored(log), record_of(log, 1)
        async with running(store) as desk:
            desk.push("box-1", match_of(1), record[:10])
            await desk.until(lambda: desk.driver.desk.records.of("box-1", match_of(1)).count == 10)
            desk.driver.message(wire.line_topic(EVENT, "box-1", match_of(1), 3), b'{"type":"end"}')
            await desk.until(lambda: desk.driver.desk.records.of("box-1", match_of(1)).is_contradicted)
        async with running(store) as desk:
            desk.push("box-1", match_of(1), record, 11)
            await desk.until(lambda: desk.driver.desk.records.of("box-1", match_of(1)).count == len(record))
            assert desk.event.table(1, 1).record is None
            assert any("two different lines" in note for note in desk.driver.desk.notes)

    asyncio.run(run())


def test_a_page_that_fails_hinders_nobody() -> None:
    async def run() -> None:
        async with running(stored(event_log())) as desk:
            desk.driver.on_change(lambda _: 1 // 0)
            end = desk.driver.on_change(lambda _: 1 // 0)
            end()
            await desk.driver.act(say("hello"))
            await desk.driver.act(say("again"))
            assert len(desk.changes) >= 2

    asyncio.run(run())


def test_a_store_without_an_event_is_refused_or_begun() -> None:
    log = event_log()

    async def run() -> None:
        store = FailingStore()
        with pytest.raises(Illegal, match="no event in this store"):
            async with running(store):
                pass
        async with running(store, begin=lambda: log.raw[0]) as desk:
            assert desk.event.line.name == "Cup"
        assert store._log == log.raw[:1]

    asyncio.run(run())


def test_whoever_waits_for_an_act_is_told_when_the_desk_stops() -> None:
    async def run() -> None:
        store = stored(event_log())
        async with running(store) as desk:
            store.fault = "gone"
            waiting = asyncio.create_task(desk.driver.act(say("hello")))
            with pytest.raises(Unavailable):
                await waiting
            desk.driver.faults.clear()
            late = asyncio.create_task(desk.driver.act(say("late")))
            await asyncio.sleep(0)
        with pytest.raises(Unavailable):
            await late

    asyncio.run(run())


def test_a_match_that_another_has_followed_is_not_official_again_after_a_start() -> None:
    log, store = event_log(), stored(event_log())
    older, newer = record_of(log, 1, signed=0), record_of(log, 1, signed=0, match=77)

    async def play() -> None:
        async with running(store) as desk:
            desk.push("box-1", match_of(1), older)
            await desk.until(lambda: desk.event.table(1, 1).record)
            desk.push("box-1", match_of(77), newer)
            await desk.until(lambda: desk.event.table(1, 1).record.match == match_of(77))

    async def again() -> None:
        store.open()
        before = store.entries()
        async with running(store) as desk:
            assert desk.event.table(1, 1).record.match == match_of(77)
        assert store._log == before

    asyncio.run(play())
    asyncio.run(again())


def test_a_box_that_came_before_the_desk_is_asked_who_it_is() -> None:
    async def run() -> None:
        async with running(stored(event_log())) as desk:
            state = wire.write_message(wire.State(is_there=True))
            desk.driver.message(wire.state_topic(EVENT, "box-9"), state)
            await desk.until(lambda: desk.link.told("box-9", wire.Ask))
            desk.say("box-9", here(9))
            await desk.until(lambda: desk.link.told("box-9", wire.NotEnrolled))
            desk.link.sent.clear()
            desk.driver.message(wire.state_topic(EVENT, "box-9"), state)
            await desk.driver.act(say("hello"))
            assert not desk.link.told("box-9", wire.Ask)

    asyncio.run(run())
