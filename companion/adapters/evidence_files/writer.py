"""Writes evidence durably in a thread of its own, tells when it is there, and tidies up. Never holds up the loop.

Shared between the thread and the loop, under the condition: what waits, and the flags. A file has its name only once
all its bytes are on the disk, so that a power cut leaves no half of one.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.evidence_files.reader import SUFFIX, path_of, stored_evidence
from companion.core.errors import CompanionError
from companion.files.durable import make_folder, sync_folder
from companion.threads.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from companion.core.evidence.capture import Captured
    from companion.core.evidence.keeping import StoredFile

    Tidy = Callable[[Iterable[StoredFile]], Iterable[str]]

LOG = logging.getLogger(__name__)

MOST_WAITING = 50
"""So many races' evidence waits for a disk that does not take it; then the oldest is lost, and that is told."""
TIDY_S = 86_400.0
"""How often it is looked for files that are too old; the first time at the start."""
_HALF = ".part"


class _Waiting(NamedTuple):
    match_id: int
    captured: Captured


class EvidenceFiles:
    """The evidence files in `folder`, which is made when the first is needed; see the port for what is promised."""

    def __init__(self, folder: Path, tidy: Tidy = lambda _: ()) -> None:
        """tidy: gives the hashes of the files that may be deleted; called in the thread, and may raise CompanionError
        or OSError where that cannot be known: then none is."""
        self._folder, self._tidy = folder, tidy
        self._changed = threading.Condition()
        self._waiting: deque[_Waiting] = deque()
        self._wanted = True
        self._closing = False
        self._fault: str | None = None
        self._tidied_s: float | None = None
        self._thread: Watched | None = None
        self._on_kept: Callable[[int, Captured], None] | None = None
        self._on_state: Callable[[str | None], None] | None = None

    def open(self, on_kept: Callable[[int, Captured], None], on_state: Callable[[str | None], None]) -> None:
        """Start the thread."""
        self._on_kept, self._on_state = on_kept, on_state
        self._thread = Watched(self._run, name="evidence")
        self._thread.start()

    @property
    def is_busy(self) -> bool:
        """Tell whether something waits that no fault holds up."""
        with self._changed:
            return bool(self._waiting) and self._fault is None

    def keep(self, match_id: int, captured: Captured) -> None:
        """Have it stored."""
        with self._changed:
            if len(self._waiting) >= MOST_WAITING:
                lost = self._waiting.popleft()
                LOG.error("match %d: the evidence of race %d is lost", lost.match_id, lost.captured.race)
            self._waiting.append(_Waiting(match_id, captured))
        self.retry()

    def retry(self) -> None:
        """Try again to store what waits."""
        with self._changed:
            self._wanted = True
            self._changed.notify()

    def close(self) -> None:
        """Try once more to store what waits, and stop."""
        with self._changed:
            self._closing = True
        self.retry()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    # The thread -----------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        with self._changed:  # begun again, it stores first what it had been woken for
            self._wanted = True
        while True:
            is_last = self._sleep()
            try:
                self._store_waiting()
                self._delete_old()
            except OSError as error:
                self._report(f"races leave no evidence: {error.strerror or error} ({self._folder})")
            except Exception as error:
                LOG.exception("evidence failed unexpectedly")
                self._report(f"races leave no evidence: {error!r}")
            if is_last:
                return

    def _sleep(self) -> bool:
        """Wait until something is to be stored; tell whether it is the last time."""
        with self._changed:
            self._changed.wait_for(lambda: self._wanted)
            self._wanted = False
            return self._closing

    def _store_waiting(self) -> None:
        while True:
            with self._changed:
                first = self._waiting[0] if self._waiting else None
            if first is None:
                break
            self._write(first.captured)
            if self._on_kept is not None:
                self._on_kept(first.match_id, first.captured)
            with self._changed:  # only now, as a stop waits until that is told
                if self._waiting and self._waiting[0] is first:
                    self._waiting.popleft()
        self._report(None)

    def _write(self, captured: Captured) -> None:
        path = path_of(self._folder, captured.sha256)
        half = path.with_suffix(_HALF)
        make_folder(self._folder, 0o700)
        try:
            _write_durably(half, captured.content)
            half.replace(path)
        except OSError:
            with suppress(OSError):
                half.unlink()
            raise
        sync_folder(self._folder)

    def _delete_old(self) -> None:
        now_s = time.monotonic()
        if self._tidied_s is not None and now_s - self._tidied_s < TIDY_S:
            return
        self._tidied_s = now_s
        try:
            for sha256 in self._tidy(stored_evidence(self._folder)):
                path_of(self._folder, sha256).unlink(missing_ok=True)
                LOG.info("deleted for its age: %s", sha256 + SUFFIX)
        except (OSError, CompanionError) as error:
            LOG.warning("no old evidence is deleted: %s", error)

    def _report(self, fault: str | None) -> None:
        """Tell of a fault once, and once that it is over."""
        with self._changed:
            is_news, self._fault = fault != self._fault, fault
        if is_news and self._on_state is not None:
            self._on_state(fault)


def _write_durably(path: Path, content: bytes) -> None:
    """Write a file that only its owner may read, and wait until its bytes are on the disk."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
