"""The running box seals: at the end, at each signature, after each hundredth line, and after it was taken up again."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from companion.adapters.keys.ed25519 import Ed25519Signer, check
from companion.adapters.simulated.memory_journal import MemoryJournal
from companion.app.assembly import unfinished
from companion.app.storing.sealing import Sealing
from companion.core.errors import Unavailable
from companion.core.match.match import PlaySettings
from companion.core.match.match_maker import Unfinished
from companion.core.play.session import Session
from companion.core.record.lines import Remark, Seal, parse_line
from companion.core.record.seals import verify_seals
from companion.core.timing.events import MS
from companion.games import registry
from tests.app.test_loop import Rig
from tests.tournament.tables import sealing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.core.match.match import Match
    from companion.ports import Signer

SIGNER = Ed25519Signer(b"\x07" * 32)


class SealingRig(Rig):
    """A box that can sign. opened: in which threads what signs was opened."""

    def __init__(self, signer: Callable[[], Signer] = lambda: SIGNER) -> None:
        super().__init__()
        self.opened: list[str] = []

        def open_signer() -> Signer:
            self.opened.append(threading.current_thread().name)
            return signer()

        self.box._effects.sealing = Sealing(open_signer, self.box.call)

    def match(self) -> Match:
        match = self.box.box.session.match
        assert match is not None
        return match

    def do(self, action: Callable[[Match], object]) -> Callable[[], None]:
        """Do something to the match in a turn of its own."""

        def act(_: Session) -> None:
            action(self.match())

        return lambda: self.box.act(act)

    def types(self) -> list[str]:
        return [line.split(b'"')[3].decode() for line in self.journal.lines(1)]

    def fault(self) -> object:
        found = verify_seals((line + b"\n" for line in self.journal.lines(1)), check, SIGNER.key)
        assert found.lines == len(self.journal.lines(1))
        return found.fault


@pytest.fixture
def rig() -> Iterator[SealingRig]:
    made = SealingRig()
    yield made
    made.loop.close()


def test_the_end_of_a_match_and_each_signature_is_sealed(rig: SealingRig) -> None:
    def press() -> None:
        rig.source.press("red first", rig.now_ns())
        rig.source.press("yellow first", rig.now_ns() + 3 * MS)

    def sign(colour: str) -> Callable[[], None]:
        return rig.do(
            lambda match: match.write(parse_line(b'{"type":"sign","colour":"%s"}' % colour.encode(), 1)) and None
        )

    end = rig.do(lambda match: match.end())
    rig.run((1.0, press), (4.0, end), (5.0, sign("red")), (6.0, sign("yellow")), until_s=8.0)
    assert rig.types() == ["setup", "press", "press", "close", "judge", "end", "seal", "sign", "seal", "sign", "seal"]
    assert rig.fault() is None
    assert rig.opened == ["key"]  # once, and not in the loop's thread


def test_each_hundredth_line_is_sealed_also_within_a_turn_of_many(rig: SealingRig) -> None:
    def write(match: Match) -> None:
        for number in range(70):
            match.write(Remark(text=str(number)))

    rig.run(*((at_s, rig.do(write)) for at_s in (1.0, 2.0, 3.0)), until_s=5.0)
    assert [number for number, kind in enumerate(rig.types(), start=1) if kind == "seal"] == [142, 213]
    assert rig.fault() is None


def test_the_judge_has_every_seal_that_the_journal_has(rig: SealingRig) -> None:
    rig.run((1.0, rig.do(lambda match: match.end())), until_s=3.0)
    assert [type(told.line).__name__ for told in rig.match().history] == ["Setup", "End", "Seal"]
    assert rig.match().is_over
    assert rig.journal.lines(1)[-1].startswith(b'{"type":"seal",')
    assert b"wall" in rig.journal.lines(1)[-1]


def test_a_seal_that_is_not_durable_yet_keeps_no_ruling_from_being_final(rig: SealingRig) -> None:
    rig.run((1.0, rig.do(lambda match: match.end())), until_s=3.0)
    match = rig.match()
    match.durable_lines = 2
    assert match.saved.name == "FINAL"


def test_an_end_just_before_the_box_stops_is_sealed_though_what_signs_takes_its_time() -> None:
    def slowly() -> Signer:
        time.sleep(0.03)  # real time, of which the loop's own passes several hundred milliseconds
        return SIGNER

    rig = SealingRig(slowly)
    rig.run((1.0, rig.do(lambda match: match.end())), until_s=1.0)
    rig.loop.close()
    assert rig.types() == ["setup", "end", "seal"]
    assert rig.fault() is None


def test_a_match_that_is_taken_up_is_sealed_over_the_lines_from_before(rig: SealingRig) -> None:
    first = Rig()
    first.run((1.0, lambda: first.box.act(lambda session: session.note("before", "test"))), until_s=2.0)
    stored = first.journal.lines(1)
    first.loop.close()
    match_id = rig.journal.begin("order", stored, "a boot")
    lines = tuple(parse_line(raw, number) for number, raw in enumerate(stored, start=1))
    unfinished = Unfinished(match_id, lines, same_clock=True)
    session = Session(registry.find, registry.names(), rig.box.box.session.table, PlaySettings(), unfinished)
    session.resume()
    rig.box.box.session, rig.box._effects.match_id = session, match_id
    rig.run((1.0, rig.do(lambda match: match.end())), until_s=3.0)
    assert rig.types() == ["setup", "remark", "end", "seal"]
    assert rig.fault() is None


def test_a_new_match_begins_a_new_hash(rig: SealingRig) -> None:
    table = rig.box.box.session.table

    def again() -> None:
        rig.box.act(lambda session: session.begin(table, abandon=True))

    end = rig.do(lambda match: match.end())
    rig.run((1.0, rig.do(lambda match: match.remark("old"))), (2.0, again), (3.0, end), until_s=5.0)
    found = verify_seals((line + b"\n" for line in rig.journal.lines(2)), check, SIGNER.key)
    assert (found.seals, found.sealed, found.fault) == (1, 3, None)


@pytest.mark.parametrize("error", [Unavailable("the key is gone"), RuntimeError("broken")])
def test_without_a_key_the_box_says_so_and_plays_on_unsealed(error: Exception) -> None:
    def fail() -> Signer:
        raise error

    rig = SealingRig(fail)
    rig.run((1.0, rig.do(lambda match: match.end())), (3.0, rig.do(lambda match: match.undo())), until_s=5.0)
    rig.loop.close()
    assert rig.types() == ["setup", "end", "undo"]
    assert any("not sealed: " in text and str(error) in text for text in rig.eye.scenes[-1].alarms)
    assert len(rig.opened) == 1 or isinstance(error, RuntimeError)  # what nobody expects is tried again


def test_what_nobody_expects_while_the_key_is_opened_is_tried_again_and_the_seal_comes() -> None:
    tries: list[Exception] = [RuntimeError("broken"), RuntimeError("broken")]
    opened = threading.Event()

    def open_at_last() -> Signer:
        if tries:
            raise tries.pop()
        opened.set()
        return SIGNER

    rig = SealingRig(open_at_last)
    rig.run((1.0, rig.do(lambda match: match.end())), (2.0, lambda: opened.wait(30)), until_s=5.0)
    rig.loop.close()
    assert rig.types() == ["setup", "end", "seal"]
    assert not any("not sealed" in text for text in rig.eye.scenes[-1].alarms)


def test_a_key_that_fails_while_it_signs_is_said_and_tried_no_more(rig: SealingRig) -> None:
    class Breaking:
        key = SIGNER.key

        def sign(self, data: bytes) -> bytes:
            raise Unavailable("the key broke")

    broken = SealingRig(Breaking)
    broken.run((1.0, broken.do(lambda match: match.end())), until_s=3.0)
    broken.loop.close()
    assert broken.types() == ["setup", "end"]
    assert any("the key broke" in text for text in broken.eye.scenes[-1].alarms)


def test_no_seal_is_written_where_no_match_is_left_to_write_it_into(rig: SealingRig) -> None:
    session = rig.box.box.session
    rig.run(until_s=1.0)
    session._menus = None
    session.seal(Seal(sha256="0" * 64, key="", signature=""))
    assert session.take() == []


def test_of_a_match_of_another_box_nothing_is_sealed_before_its_record_says_that_it_moved() -> None:
    sealing = Sealing(lambda: SIGNER, lambda action: action(Quiet()))  # type: ignore[arg-type]
    sealing.begin()
    sealing.add(b'{"type":"setup"}')
    sealing.leave()
    sealing.take_up(lambda: [b'{"type":"setup"}', b'{"type":"press"}'])
    sealing.add(b'{"type":"end"}')
    assert sealing.next() is None
    assert sealing._thread is None, "what signs is not even opened"
    sealing.add(b'{"type":"moved","box":"b"}')
    assert until(sealing) is not None
    sealing.leave()
    sealing.take_up(lambda: [b'{"type":"setup"}', b'{"type":"moved","box":"b"}'])
    sealing.add(b'{"type":"end"}')
    assert sealing.next() is not None
    sealing.leave()
    sealing.begin()
    sealing.add(b'{"type":"end"}')
    assert sealing.next() is not None, "a match of its own"
    sealing.close()


class Quiet:
    """As much of a session as is told of keys."""

    def alarm(self, key: str, text: str | None) -> None:
        """Nobody looks."""


def until(sealing: Sealing) -> Seal | None:
    """Wait for what signs, and give the seal."""
    deadline = time.monotonic() + 20
    while (seal := sealing.next()) is None and time.monotonic() < deadline:
        time.sleep(0.005)
    return seal


def cut_off(lines: list[bytes], signer: Ed25519Signer = SIGNER) -> MemoryJournal:
    """Give the journal of a box that was cut off after these lines, as its next start leaves it."""
    journal = MemoryJournal()
    journal.begin("order", lines, None)
    assert unfinished(journal, None, open_signer=lambda: signer) is None
    return journal


def test_an_end_that_was_cut_off_before_its_seal_is_sealed_at_the_next_start() -> None:
    whole = sealing.table({"red": 1, "yellow": 2}, seats=2)
    end = next(number for number, raw in enumerate(whole, 1) if b'"type": "end"' in raw)
    journal = cut_off(whole[:end], sealing.box_key(1))
    found = verify_seals((line + b"\n" for line in journal.lines(1)), check, sealing.box_key(1).key)
    assert (found.fault, found.sealed) == (None, end + 1)
    assert parse_line(journal.lines(1)[-1], end + 1).wall
    assert journal.unfinished() is None


def test_a_signature_that_was_cut_off_before_its_seal_is_sealed_too_and_what_is_sealed_is_left_alone() -> None:
    whole = sealing.table({"red": 1, "yellow": 2}, seats=2)
    assert len(cut_off(whole[:-1], sealing.box_key(1)).lines(1)) == len(whole)
    assert cut_off(whole, sealing.box_key(1)).lines(1) == whole


def test_an_end_that_another_box_has_sealed_before_is_not_sealed_by_this_one() -> None:
    whole = sealing.table({"red": 1, "yellow": 2}, seats=2)
    assert cut_off(whole[:-1], sealing.box_key(2)).lines(1) == whole[:-1]


@pytest.mark.parametrize("error", [Unavailable("no key"), RuntimeError("something else")])
def test_a_start_goes_on_where_what_was_cut_off_cannot_be_sealed(error: Exception) -> None:
    def fails() -> Signer:
        raise error

    whole = sealing.table({"red": 1, "yellow": 2}, seats=2)
    journal = MemoryJournal()
    journal.begin("order", whole[:-1], None)
    assert unfinished(journal, None, open_signer=fails) is None
    assert journal.lines(1) == whole[:-1]
