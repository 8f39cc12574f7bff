"""The `Intake` port on a file of the state directory: appended to by one thread, synced by another.

Threads
-------
The loop's thread only queues. "intake" writes what is queued: from then on a kill of the process loses nothing. "intake
sync" then has it brought to the disk: a card may take half a second for that, and the next press must not wait to be
written until it is done. `_queue`, `_taken`, `_synced` and `_is_closing` are shared by the three under `_changed`. That
a press waits no more need not be brought to the disk: its record says so too, and the journal's own sync of that record
would have to wait.

The file is begun anew when nothing in it waits any more, so it stays as small as the presses of one race. Up to where
the edges of devices have been taken, which keep them until they are told, stays in it: one that was not told yet sends
them again to the next run of the program, and they must not be taken twice (`passed_by_devices`).
"""

from __future__ import annotations

import logging
import os
import threading
import time
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.intake_file.appended_file import AppendedFile, NoFile
from companion.adapters.intake_file.entries import (
    is_cut,
    pass_,
    passed_in,
    passed_lines,
    settled_line,
    taken_line,
    waiting,
)
from companion.core.errors import Unavailable
from companion.core.timing.events import MS
from companion.files.aside import set_aside
from companion.threads.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.core.timing.events import Origin, Press
    from companion.ports import KeptPress

LOG = logging.getLogger(__name__)
FILE_NAME = "intake.jsonl"
WITHIN_NS = 50 * MS
"""A press that is not written so soon after it was taken is told of."""
LONGEST_WAIT_S = 1.0
"""Whoever waits for what is queued waits no longer: a disk that hangs must not hold up all of them."""
EMPTIED_ABOVE = 64 * 1024
"""Bytes; a file that is longer is emptied as soon as nothing in it waits."""


class _Queued(NamedTuple):
    """A line on its way into the file. since_ns: when it was queued. press: that it takes; None for another line."""

    since_ns: int
    line: bytes
    press: Press | None = None


class _Telling:
    """Says once that something is wrong, and once that it is well again; and what has been written.

    is_failing: what is queued cannot be written now.
    """

    def __init__(self) -> None:
        self._fault = ""
        self.is_failing = False
        self.on_fault: Callable[[str | None], None] = lambda _text: None
        self.on_kept: Callable[[tuple[Press, ...]], None] = lambda _presses: None
        self.on_set_aside: Callable[[str], None] = lambda _text: None

    def say(self, fault: str) -> None:
        """Take how things are; empty: well."""
        was, self._fault = self._fault, fault
        if fault and not was:
            self.on_fault(fault)
        elif was and not fault:
            self.on_fault(None)


def passed_by_devices(directory: Path) -> tuple[Origin, ...]:
    """Give up to where the edges of devices' lines have been taken for good by what a former run has kept.

    To be asked before the devices are. What cannot be read is nothing here: whoever opens the file says what is wrong.
    """
    try:
        raw = (directory / FILE_NAME).read_bytes()
    except OSError:
        return ()
    return tuple(passed_in(raw.split(b"\n")).values())


class IntakeFile:
    """Accepted presses in `intake.jsonl` of `directory`. clock: CLOCK_MONOTONIC in ns; write, sync: as in `os`."""

    def __init__(
        self,
        directory: Path,
        *,
        clock: Callable[[], int] = time.monotonic_ns,
        write: Callable[[int, bytes], int] = os.write,
        sync: Callable[[int], None] = os.fdatasync,
        on_set_aside: Callable[[str], None] = lambda _text: None,
    ) -> None:
        """on_set_aside: told that what lay there was set aside, and under which name."""
        self._file = AppendedFile(directory / FILE_NAME, write, sync)
        self._clock = clock
        self._telling = _Telling()
        self._telling.on_set_aside = on_set_aside
        self._changed = threading.Condition()
        self._queue: list[_Queued] = []
        self._waiting: set[tuple[str, int]] = set()
        self._passed: dict[tuple[str, int], Origin] = {}  # as it is in the file; once open, of the thread "intake"
        self._taken = self._synced = 0  # presses written, and of them brought to the disk, since the file was opened
        self._is_closing = self._has_written_all = False
        self._threads: tuple[Watched, ...] = ()

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self._file.path

    def open(
        self,
        on_fault: Callable[[str | None], None],
        on_kept: Callable[[tuple[Press, ...]], None] = lambda _presses: None,
    ) -> tuple[KeptPress, ...]:
        """Give the presses that an earlier run left waiting, and be ready to take more. Raises Unavailable.

        on_kept: told, from the thread "intake", which presses are written now.
        """
        self._telling.on_fault, self._telling.on_kept = on_fault, on_kept
        kept = self._read()
        self._waiting = {(one.press.line, one.press.t_ns) for one in kept}
        self._threads = (
            Watched(self._write, name="intake"),
            Watched(self._sync, name="intake sync"),
        )
        for thread in self._threads:
            thread.start()
        return kept

    def _read(self) -> tuple[KeptPress, ...]:
        """Open the file, and give what waits in it; one that holds what this program never wrote is set aside."""
        try:
            raw = self._file.open()
        except NoFile as error:
            self._begin_anew(str(error))
            return ()
        lines = [line for line in raw.split(b"\n") if line]
        kept, unreadable = waiting(lines)
        self._passed = passed_in(lines)
        if not all(map(is_cut, unreadable)):
            self._file.close()
            self._begin_anew(f"{self.path} was damaged")
            self._queue.append(_Queued(self._clock(), passed_lines(self._passed)))
            self._queue += [_Queued(self._clock(), taken_line(one), one.press) for one in kept]
            return kept
        if unreadable:
            LOG.warning("%s: a line was cut off; what it said was not relied on", self.path)
        if raw and not raw.endswith(b"\n"):
            self._queue.append(_Queued(self._clock(), b"\n"))
        return kept

    def _begin_anew(self, why: str) -> None:
        """Set the file aside, say so, and open a new one. Raises Unavailable."""
        try:
            aside = set_aside(self.path)
        except OSError as error:
            raise Unavailable(f"{why} and cannot be set aside: {error.strerror or error}") from error
        text = f"{why}; it is kept as {aside.name}, and a new one has been begun"
        LOG.error("%s", text)
        self._telling.on_set_aside(text)
        self._file.open()

    def take(self, kept: KeptPress) -> None:
        """Keep an accepted press; returns at once."""
        self._waiting.add((kept.press.line, kept.press.t_ns))
        self._put(taken_line(kept), kept.press)

    def settle(self, press: Press) -> None:
        """Keep a press no longer: it is in its record, or was none of a race. One that is not kept changes nothing."""
        if (press.line, press.t_ns) in self._waiting:
            self._waiting.discard((press.line, press.t_ns))
            self._put(settled_line(press))

    def wait_until_written(self) -> None:
        """Wait until all that was taken so far is written, where it can be; from any thread but the loop's.

        A record that has a press which is not here would not be believed to have it: its pod would send it again.
        """
        with self._changed:
            if not self._queue:
                return
            last = self._queue[-1]
            self._changed.wait_for(
                lambda: self._telling.is_failing or all(queued is not last for queued in self._queue), LONGEST_WAIT_S
            )

    def retry(self) -> None:
        """Try again to write what is queued."""
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        """Write and sync what is queued, as far as the disk lets it; may be called again."""
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()
            with self._changed:  # also where the writer could not: the other must not wait for it for ever
                self._has_written_all = True
                self._changed.notify_all()
        self._threads = ()
        self._file.close()

    def _put(self, line: bytes, press: Press | None = None) -> None:
        with self._changed:
            self._queue.append(_Queued(self._clock(), line, press))
            self._changed.notify_all()

    # -- in the thread "intake" --------------------------------------------------------------------------------------

    def _write(self) -> None:
        while True:
            with self._changed:
                while not self._queue and not self._is_closing:
                    self._changed.wait()
                batch = list(self._queue)
                is_last = self._is_closing
            is_well = not batch or self._append(batch)
            with self._changed:
                if is_last:
                    self._has_written_all = True
                    self._changed.notify_all()
                    return
                if not is_well:  # until something more is taken, or `retry`
                    self._changed.wait()

    def _append(self, batch: list[_Queued]) -> bool:
        data = b"".join(queued.line for queued in batch)
        presses = tuple(queued.press for queued in batch if queued.press is not None)
        try:
            if self._file.size > EMPTIED_ABOVE and not self._waiting:
                self._file.begin_anew(passed_lines(self._passed))
            self._file.append(data)
        except OSError as error:
            self._telling.is_failing = True
            with self._changed:
                self._changed.notify_all()
            self._telling.say(f"presses are not kept until they are recorded: {error.strerror or error}")
            return False
        self._telling.is_failing = False
        for press in presses:
            pass_(self._passed, press.origin)
        with self._changed:
            del self._queue[: len(batch)]
            self._taken += len(presses)
            self._changed.notify_all()
        if presses:
            self._telling.on_kept(presses)
        took_ns = self._clock() - batch[0].since_ns
        is_slow = took_ns > WITHIN_NS
        self._telling.say(f"the disk is slow: a press was kept after {took_ns // MS} ms" if is_slow else "")
        return True

    # -- in the thread "intake sync" ---------------------------------------------------------------------------------

    def _sync(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._taken > self._synced or self._has_written_all)
                taken = self._taken
                if taken == self._synced:
                    return
            try:
                self._file.sync()
            except OSError as error:
                LOG.error("%s cannot be brought to the disk: %s", self.path, error.strerror or error)
            with self._changed:
                self._synced = taken
