"""The desk as far as it is stored: it is never ahead of its store for anybody to see, and goes back where it was.

Theory of operation. The pure desk changes when it is told something, and only then is it known which lines the log
gets. So a step is: the desk changes, the lines are stored, and `is_ahead` says whether the one has happened without
the other. Where storing fails, the event is built again from the lines that are stored, which are in memory, too.
What was judged of records since then is judged again from the store's lines, which are the truth: `stale` names the
records of which that is still to be done. A start is the same with all records stale.

A record that the desk cannot take without an error of the program's own is set aside, so that it stops nobody else.

In the event loop of the desk; every method that waits is called by one task only.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from companion.core.errors import CompanionError, Illegal, Unavailable
from companion.tournament.desk.desk import Desk
from companion.tournament.desk.outcome import Outcome
from companion.tournament.wire import RecordPart

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from companion.app.tournament.store_thread import StoreThread
    from companion.core.record.seals import Check
    from companion.core.ruling.game import Game

LOG = logging.getLogger("companion")

Key = tuple[str, str]
"""Box and match of a record."""
Parts = list[tuple[str, RecordPart]]


class Ledger:
    """Desk and store, kept in step. find_game, check: as the judge of records wants them. wall: a line's time."""

    def __init__(
        self, store: StoreThread, find_game: Callable[[str], Game[Any]], check: Check, wall: Callable[[], str]
    ) -> None:
        self._store, self._find_game, self._check, self._wall = store, find_game, check, wall
        self._log: list[bytes] = []
        self._desk: Desk | None = None
        self.stale: dict[Key, None] = {}
        self._aside: set[Key] = set()
        self._contradicted: set[Key] = set()
        self._even = asyncio.Event()

    @property
    def desk(self) -> Desk:
        """The desk. Raises Illegal before `open`."""
        if self._desk is None:
            raise Illegal("the event is not open yet")
        return self._desk

    @property
    def is_ahead(self) -> bool:
        """Tell whether the desk knows what is not stored."""
        return not self._even.is_set()

    async def even(self) -> Desk:
        """Wait until all that the desk knows is stored, and give it; it may be looked at until the next `await`."""
        while self.is_ahead:
            await self._even.wait()
        return self.desk

    async def open(self, begin: Callable[[], bytes] | None) -> None:
        """Take up the event that is stored. begin: gives the first line where none is.

        Raises Unavailable; Illegal, Malformed where the log is none, or there is none and none is begun.
        """
        await self._store.open()
        log = await self._store.entries()
        if not log:
            if begin is None:
                raise Illegal("there is no event in this store yet")
            log = [begin()]
            Desk(log, self._find_game, self._check)
            await self._store.append(1, log)
        await self._take_log(log)

    async def close(self) -> None:
        """Let go of the store. Raises Unavailable."""
        await self._store.close()

    async def recover(self) -> None:
        """After the store has failed: see what it has, and have the desk know that and nothing else."""
        log = await self._store.entries()
        if log != self._log:
            await self._take_log(log)

    async def _take_log(self, log: list[bytes]) -> None:
        held = await self._store.held()
        self._contradicted |= await self._store.contradicted()
        before = self._desk
        self._desk = Desk(log, self._find_game, self._check)
        self._log = list(log)
        if before is not None:
            self._desk.boxes, self._desk.notes = before.boxes, before.notes
        self.stale = {key: None for key, lines in held.items() if lines}
        self._even.set()

    # Steps -----------------------------------------------------------------------------------------------------------

    async def step(self, change: Callable[[Desk], Outcome], touched: Iterable[Key] = ()) -> Outcome:
        """Change the desk, and store the lines of it; returns when they are durable. touched: records that grow.

        Raises what `change` raises, and Unavailable; the desk is then as it was before, but for what is `stale`.
        """
        keys = list(touched)
        before = self.desk.chain.n
        try:
            outcome = change(self.desk)
        except BaseException as error:
            if self.desk.chain.n != before or keys or not isinstance(error, CompanionError):
                self._go_back(keys)
            raise
        await self._append(outcome, keys)
        return outcome

    async def keep(self, parts: Parts) -> Outcome:
        """Store lines of records and have the desk judge them. Raises Unavailable: nothing of them may be stored."""
        contradictions = await self._store.keep(parts)
        self._contradicted |= {(box, part.match) for box, part in contradictions}
        by_record: dict[Key, Parts] = {}
        for box, part in parts:
            by_record.setdefault((box, part.match), []).append((box, part))
        taken = {key: some for key, some in by_record.items() if key not in self._aside and key not in self.stale}
        try:
            return await self.step(lambda desk: self._judge(desk, taken, contradictions), taken)
        except Unavailable:
            raise
        except Exception:  # the program's own fault, in one of these records: it is found by taking each by itself
            LOG.exception("a record could not be taken")
            return await self.refresh()

    async def refresh(self) -> Outcome:
        """Judge what is stale from the store's lines. Raises Unavailable; what was done until then stays done."""
        outcome = Outcome()
        for key in list(self.stale):
            if key not in self._aside:
                outcome.add(await self._feed(key))
            self.stale.pop(key, None)
        return outcome

    def log(self) -> list[bytes]:
        """Give the stored lines of the log."""
        return list(self._log)

    async def record(self, box: str, match: str) -> list[bytes]:
        """Give the lines of a record. Raises Unavailable."""
        return await self._store.record(box, match)

    async def _feed(self, key: Key) -> Outcome:
        box, match = key
        lines = await self._store.record(box, match)
        parts = [(box, RecordPart(match, number, raw)) for number, raw in enumerate(lines, 1)]
        self._forget(key)
        self.desk.records.of(box, match).is_contradicted = key in self._contradicted
        try:
            return await self.step(lambda desk: desk.kept(parts, (), self._wall()), [key])
        except Unavailable:
            raise
        except Exception as error:
            LOG.exception("match %s of %s is set aside", match, box)
            self._aside.add(key)
            self.desk.note(f"match {match} of {box} cannot be judged by this program, which is a bug: {error!r}")
            return Outcome()

    def _judge(self, desk: Desk, taken: dict[Key, Parts], contradictions: Parts) -> Outcome:
        outcome = Outcome()
        for parts in taken.values():
            outcome.add(desk.kept(parts, [one for one in contradictions if one in parts], self._wall()))
        return outcome

    async def _append(self, outcome: Outcome, touched: Sequence[Key]) -> None:
        """Store the lines of a step. Raises Unavailable; the desk has gone back then."""
        if not outcome.entries:
            return
        lines = [raw for _, raw in outcome.entries]
        self._even.clear()
        try:
            await self._store.append(len(self._log) + 1, lines)
        except BaseException:
            self._go_back(touched)
            raise
        finally:
            self._even.set()
        self._log += lines

    def _go_back(self, touched: Iterable[Key]) -> None:
        """Have the desk be as its stored lines say; what these records came to is to be judged again."""
        before = self.desk
        self._desk = Desk(self._log, self._find_game, self._check)
        self._desk.boxes, self._desk.notes, self._desk.records = before.boxes, before.notes, before.records
        for key in touched:
            self._forget(key)
            self.stale[key] = None
        self._even.set()

    def _forget(self, key: Key) -> None:
        records = self.desk.records
        held = records.held.pop(key, None)
        if held is not None and held.place is not None:
            records.at[held.place].remove(held)
