"""The `Journal` port on SQLite: lines are queued in memory and stored by one thread. Knows no game.

Threads
-------
The app's threads call the methods; none of them but `open` and `close` waits for the disk, unless asked for a match
that is neither running nor the newest. One thread, "journal", stores: an fsync on an SD card takes from a few
milliseconds to half a second, and neither the arbiter nor the provisional order may wait for that. It takes everything
queued at that moment as one transaction, so that there is one fsync for a burst of presses and not one for each. It
alone calls `on_durable` and `on_fault` after `open` has returned.

`_memory` is shared by all threads under `_changed`; `_store` is used by one thread at a time under `_disk`. Where both
are held, `_disk` was taken first.

What is queued
--------------
Every running match is in memory as a whole, and what of it is stored is a count. So a failure changes nothing but that
count's staying where it is, and a database that has to be begun anew gets the running match again from its first line.
A database in which anything is found damaged, at the start or while writing, is set aside at once; that is told by
`on_set_aside`, as it is no fault that lasts.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import zlib
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.sqlite_journal import store
from companion.adapters.sqlite_journal.faults import Damaged, InUse, NewerVersion, TakenAway, is_damage, reason
from companion.adapters.sqlite_journal.numbers import keep_number, last_number
from companion.adapters.sqlite_journal.store import MatchRow, Store
from companion.core.errors import CompanionError, Unavailable, UnknownMatch
from companion.threads.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_log = logging.getLogger(__name__)


def _wall_time() -> str:
    return datetime.now().astimezone().isoformat(timespec="seconds")


@dataclass(slots=True)
class _Match:
    """A match in memory: everything of it, and how much of that is on disk."""

    row: MatchRow
    lines: list[bytes] = field(default_factory=list)
    stored: int = 0
    stored_boot: str | None = None
    crc: int = 0
    is_row_stored: bool = False
    is_finish_stored: bool = False
    finished: bool = False

    @property
    def is_pending(self) -> bool:
        """Tell whether something is not on disk yet."""
        is_finish_due = self.finished and not self.is_finish_stored
        return not self.is_row_stored or self.stored < len(self.lines) or is_finish_due

    def adopt_stored(self, lines: Sequence[bytes], boot_id: str | None) -> None:
        """Take note that the database has these lines of it, the newest on this boot's clock."""
        self.is_row_stored, self.stored, self.stored_boot, self.crc = True, len(lines), boot_id, 0
        for line in lines:
            self.crc = zlib.crc32(line, self.crc)

    def forget_stored(self) -> None:
        """Take note that the database has nothing of it."""
        self.is_row_stored, self.is_finish_stored, self.stored, self.crc = False, False, 0, 0


class _Work(NamedTuple):
    """What of a match is to be on disk after a transaction: its first `lines` lines, on whose clock, whether ended."""

    match: _Match
    lines: int
    boot_id: str | None
    finished: bool


class SqliteJournal:
    """Match records in `matches.sqlite` of the state directory; see the port for what each method promises."""

    def __init__(
        self,
        directory: Path,
        *,
        keep: int = 0,
        wall_time: Callable[[], str] = _wall_time,
        on_set_aside: Callable[[str], None] | None = None,
    ) -> None:
        """keep: when a match begins, older ones than so many newest are deleted; 0 keeps all. wall_time: gives the wall
        time (RFC 3339) that a match's beginning is marked with. on_set_aside: told, from any thread, that a damaged
        database was set aside, and under which name; None: in the log alone."""
        self._store = Store(Path(directory))
        self._keep = keep
        self._wall_time = wall_time
        self._disk = threading.Lock()
        self._changed = threading.Condition()
        self._memory: dict[int, _Match] = {}
        self._newest: int = 0
        # Ids given while the database could not be read go on from what was known then (`_base`); `_shift` is what is
        # added to them for the id in the database, None until it could be read.
        self._base = 0
        self._shift: int | None = None
        self._wanted = False
        self._closing = False
        self._fault: str | None = None
        self._thread: Watched | None = None
        self._on_durable: Callable[[int, int], None] = _ignore
        self._on_fault: Callable[[str], None] = _ignore
        self._on_set_aside = on_set_aside or _ignore
        self.before_commit: Callable[[], None] = _ignore
        """Called in the journal's thread before lines are stored: returns once what must be kept elsewhere first is."""
        self.is_spared: Callable[[bytes, int], bool] = _spares_none
        """Tells, in the journal's thread, by a match's first line and the number of its lines, that it stays whatever
        `keep` says: somebody else has not got all of it yet."""

    def open(self, on_durable: Callable[[int, int], None], on_fault: Callable[[str], None]) -> None:
        """Check the database and start the journal's thread.

        Raises Unavailable where another process has the state directory or a newer version wrote the database.
        """
        self._on_durable, self._on_fault = on_durable, on_fault
        self._closing = False
        try:
            self._open_store()
        except (InUse, NewerVersion):
            self._store.close()
            raise
        except Exception as error:  # noqa: BLE001  # whatever lies there, the box must start
            self._tell_set_aside()
            self._report(self._sentence(error))
            self._read_without_lock()
        self._thread = Watched(self._run, name="journal")
        self._thread.start()

    def begin(self, game: str, lines: Sequence[bytes], boot_id: str | None) -> int:
        """Start a new match and give its id, which is the one in the database wherever that could be read."""
        with self._changed:
            self._newest += 1
            row = MatchRow(self._newest, game, self._wall_time(), boot_id, finished=False)
            self._memory[row.id] = _Match(row, list(lines))
            self._wake()
            return row.id

    def append(self, match_id: int, line: bytes, *, boot_id: str | None = None) -> None:
        """Queue the next line of a match. Raises UnknownMatch."""
        match = self._find(match_id)
        with self._changed:
            match.lines.append(line)
            if boot_id is not None:
                match.row = match.row._replace(boot_id=boot_id)
            self._memory[match_id] = match
            self._wake()

    def unfinished(self) -> int | None:
        """Give the newest match's id if it has not been ended, else None."""
        with self._changed:
            newest = self._memory.get(self._newest)
            return newest.row.id if newest is not None and not newest.finished else None

    def lines(self, match_id: int) -> list[bytes]:
        """Give all lines of a match in order, the queued ones too. Raises UnknownMatch."""
        match = self._find(match_id)
        with self._changed:
            return list(match.lines)

    def boot_id(self, match_id: int) -> str | None:
        """Give the boot whose clock the newest lines are on. Raises UnknownMatch."""
        return self._find(match_id).row.boot_id

    def finish(self, match_id: int) -> None:
        """Queue that the match is not to be offered for resuming. Raises UnknownMatch."""
        match = self._find(match_id)
        with self._changed:
            match.finished = True
            self._memory[match_id] = match
            self._wake()

    def retry(self) -> None:
        """Try again to store what is queued."""
        with self._changed:
            self._wake()

    def change_lines(self, having: bytes, change: Callable[[bytes], bytes]) -> int:
        """Store others in the place of lines that contain `having`; give of how many matches. Raises Unavailable."""
        with self._disk:
            try:
                work = self._commit_somewhere()
                changed = self._store.change_lines(having, change)
            except (OSError, sqlite3.Error, Damaged) as error:
                raise Unavailable(f"the records cannot be changed: {reason(error)}") from error
            with self._changed:
                for match in self._memory.values():
                    lines = [change(line) if having in line else line for line in match.lines]
                    match.lines = lines
                    if match.is_row_stored:
                        match.adopt_stored(lines[: match.stored], match.stored_boot)
        for one in work:
            _tell(self._on_durable, one.match.row.id, one.lines)
        return changed

    def close(self) -> None:
        """Store what is queued, or report that it cannot be; stop the thread, and let go of the state directory."""
        with self._changed:
            self._closing = True
            self._wake()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        with self._disk:
            self._store.close()

    def _wake(self) -> None:
        self._wanted = True
        self._changed.notify_all()

    def _row_id(self, match_id: int) -> int:
        return match_id + (self._shift or 0)

    def _find(self, match_id: int) -> _Match:
        """Give a match from memory, else from the disk. Raises UnknownMatch."""
        with self._changed:
            if match_id in self._memory:
                return self._memory[match_id]
        with self._disk:
            try:
                if not self._store.is_open:
                    raise UnknownMatch(f"match {match_id} cannot be read: {self._fault or 'the journal is not open'}")
                return self._read_match(self._store.match(self._row_id(match_id)), match_id)
            except UnknownMatch:
                raise
            except Exception as error:
                raise UnknownMatch(f"match {match_id} cannot be read: {reason(error)}") from error

    def _read_match(self, row: MatchRow, match_id: int) -> _Match:
        lines = self._store.lines(row.id)
        match = _Match(row._replace(id=match_id), lines, finished=row.finished, is_finish_stored=row.finished)
        match.adopt_stored(lines, row.boot_id)
        return match

    # The journal's thread, and `open` before it runs ----------------------------------------------------------------

    def _open_store(self) -> None:
        """Open the database, and see how much it has of what is in memory."""
        self._store.open()
        newest, last = self._store.newest(), self._store.last_number()
        with self._changed:
            if self._shift is None:
                self._shift = max(0, last - self._base) if self._memory else 0
            if not self._memory:
                self._newest = max(self._newest, last)
                if newest is not None and not newest.finished:
                    self._memory[newest.id] = self._read_match(newest, newest.id)
            matches = list(self._memory.values())
        for match in matches:
            self._compare(match)
        self._tell_set_aside()

    def _tell_set_aside(self) -> None:
        told, self._store.set_aside[:] = list(self._store.set_aside), []
        for text in told:
            _log.error("%s", text)
            _tell(self._on_set_aside, text)

    def _compare(self, match: _Match) -> None:
        """See how much the database has of a match. Raises Damaged where what it has is another."""
        try:
            row = self._store.match(self._row_id(match.row.id))
        except UnknownMatch:
            match.forget_stored()
            return
        lines = self._store.lines(row.id)
        if lines != match.lines[: len(lines)]:
            raise Damaged(f"match {row.id} is not the one that is played")
        match.adopt_stored(lines, row.boot_id)
        match.is_finish_stored = row.finished

    def _read_without_lock(self) -> None:
        """Learn the newest match from a disk that can be read and not written, so that it can go on unrecorded."""
        self._base = self._newest = last_number(self._store.directory)
        try:
            with store.reading(self._store.directory) as database:
                rows = store.read_matches(database)
                if rows:
                    self._adopt(rows[-1], store.read_lines(database, rows[-1].id, self._store.path))
        except CompanionError as error:
            _log.info("%s", error)  # the fault itself has been told already

    def _adopt(self, row: MatchRow, lines: list[bytes]) -> None:
        self._newest = max(self._newest, row.id)
        self._shift = 0 if self._newest == row.id else None
        if not row.finished and self._newest == row.id:
            self._memory[row.id] = _Match(row, lines)
            self._memory[row.id].adopt_stored(lines, row.boot_id)

    def _run(self) -> None:
        with self._changed:  # begun again, it stores first what it had been woken for
            self._wanted = True
        while True:
            is_last = self._sleep()
            try:
                self._store_pending()
            except (OSError, sqlite3.Error, CompanionError) as error:
                self._report(self._sentence(error))
            except Exception as error:  # noqa: BLE001  # the thread must outlive anything, or lines are lost in silence
                _log.exception("the journal failed unexpectedly")
                self._report(f"the match is not recorded: {error!r}")
            finally:
                self._tell_set_aside()
            if is_last:
                return

    def _sleep(self) -> bool:
        """Wait until something is to be stored; tell whether it is the last time."""
        with self._changed:
            self._changed.wait_for(lambda: self._wanted)
            self._wanted = False
            return self._closing

    def _store_pending(self) -> None:
        """Bring everything queued to the disk, then tell of it."""
        with self._disk:
            work = self._commit_somewhere()
        self._fault = None
        for one in work:
            _tell(self._on_durable, one.match.row.id, one.lines)

    def _commit_somewhere(self) -> list[_Work]:
        """Store what is queued; where the database turns out to be damaged, in a new one."""
        try:
            return self._commit()
        except Exception as error:
            if not is_damage(error):
                raise
            self._store.disconnect()
        try:
            return self._commit()  # opening it looks for what is damaged, and begins a new one
        except Exception as error:
            if not is_damage(error):
                raise
            if not isinstance(error, TakenAway):  # what no check has found
                self._store.put_aside(error)
        return self._commit()

    def _commit(self) -> list[_Work]:
        """Store what is queued in one transaction, and give it."""
        if not self._store.is_open:
            self._open_store()
        with self._changed:
            pending = [match for match in self._memory.values() if match.is_pending]
            work = [_Work(match, len(match.lines), match.row.boot_id, match.finished) for match in pending]
        self.before_commit()
        if not work:
            return work
        is_new = any(not one.match.is_row_stored for one in work)
        if is_new:
            keep_number(self._store.directory, max(self._row_id(one.match.row.id) for one in work))
        try:
            with self._store.transaction():
                sums = [self._put(one) for one in work]
                if is_new and self._keep:
                    self._store.keep_newest(self._keep, self._spares)
        except Exception as error:
            if getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_FULL:
                self._store.disconnect()  # what SQLite holds in memory is not to be trusted: check before going on
            raise
        with self._changed:
            for (match, count, boot_id, finished), crc in zip(work, sums, strict=True):
                match.is_row_stored, match.stored, match.crc, match.is_finish_stored = True, count, crc, finished
                match.stored_boot = boot_id
            for match in list(self._memory.values()):
                if match.finished and not match.is_pending and match.row.id != self._newest:
                    del self._memory[match.row.id]
        return work

    def _put(self, work: _Work) -> int:
        match = work.match
        row_id = self._row_id(match.row.id)
        if not match.is_row_stored:
            self._store.put_match(match.row._replace(id=row_id, boot_id=work.boot_id))
        elif work.boot_id is not None and work.boot_id != match.stored_boot:
            self._store.put_boot(row_id, work.boot_id)
        crc = self._store.put_lines(row_id, match.stored, match.lines[match.stored : work.lines], match.crc)
        if work.finished:
            self._store.put_finished(row_id)
        return crc

    def _spares(self, first: bytes, lines: int) -> bool:
        """Ask whether a match stays; where that fails, it does."""
        try:
            return self.is_spared(first, lines)
        except Exception:  # noqa: BLE001  # whatever the app does wrong, nothing is deleted that should stay
            _log.exception("nobody could say whether a match may be deleted")
            return True

    def _sentence(self, error: Exception) -> str:
        return f"the match is not recorded: {reason(error)} ({self._store.path})"

    def _report(self, text: str) -> None:
        """Tell of a fault once, until lines could be stored again."""
        if text != self._fault:
            self._fault = text
            _tell(self._on_fault, text)


def _tell(callback: Callable[..., None], *arguments: object) -> None:
    """Call back; what goes wrong there must neither stop the storing nor pass for a fault of the disk."""
    try:
        callback(*arguments)
    except Exception:  # noqa: BLE001  # whatever the app does wrong, the journal goes on
        _log.exception("a listener of the journal failed")


def _spares_none(_first: bytes, _lines: int) -> bool:
    return False


def _ignore(*_: object) -> None:
    """Take the place of a callback before `open`."""
