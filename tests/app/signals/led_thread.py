"""The thread of lamps and motors in the test's own time: it waits at its condition until the test says what is new."""

from __future__ import annotations

import threading

from companion.app.signals.thread import SignalThread
from companion.core.timing.events import SECOND


class LedThread:
    """now_ns: what its clock shows. due_ns: when it wants to do something by itself. told: how each of signals is."""

    def __init__(self, signals):
        self.now_ns = 0
        self.told: list[tuple[str, str | None]] = []
        self.due_ns = None
        self._asleep = threading.Event()
        self.thread = SignalThread(
            signals, lambda name, text: self.told.append((name, text)), clock=lambda: self.now_ns, wait=self._wait
        )

    def start(self):
        self.thread.start()
        self.rest()

    def _wait(self, condition, seconds):
        self.due_ns = None if seconds is None else self.now_ns + round(seconds * SECOND)
        self._asleep.set()
        condition.wait()

    def rest(self):
        """Wait until the thread has nothing to do."""
        assert self._asleep.wait(20)

    def do(self, action, *arguments):
        self._asleep.clear()
        action(*arguments)
        self.rest()
