"""Phones on real WebSockets: one that plays by the book, and the ways in which a modified one would not.

A phone's thread answers the box's questions for its clock as they come, so that nothing here waits for a time to pass:
what a test waits for is a message.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

from tests.adapters.web.talk import Talk

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE_S = 60.0
US = 1000
"""Nanoseconds in the unit of a phone's clock."""


class Phone:
    """One page that is a panel. clock_ns: what its own clock reads; delays: called before each answer about it."""

    def __init__(
        self,
        port: int,
        asks: str,
        *,
        clock_ns: Callable[[], int] = time.monotonic_ns,
        before_answer: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.clock_ns, self._before_answer = clock_ns, before_answer
        self._talk = Talk(port)
        self._heard: list[dict[str, Any]] = []
        self._changed = threading.Condition()
        self._number = 0
        self._is_over = False
        self._say = threading.Lock()
        self._send({"type": "panel", "asks": asks})
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def until(self, kind: str, where: Callable[[dict[str, Any]], bool] = lambda _: True) -> dict[str, Any]:
        """Wait for a message that has come or is to come."""
        until_s = time.monotonic() + PATIENCE_S
        with self._changed:
            while True:
                found = next((one for one in self._heard if one["type"] == kind and where(one)), None)
                if found is not None:
                    return found
                assert not self._is_over, f"the box has closed the connection; no {kind} came"
                assert self._changed.wait(until_s - time.monotonic()), f"no {kind} came"

    def heard(self, kind: str) -> list[dict[str, Any]]:
        """Give all messages of a kind that have come."""
        with self._changed:
            return [one for one in self._heard if one["type"] == kind]

    def ready(self) -> Phone:
        """Wait until the box has its clock."""
        self.until("panel", lambda one: one["ready"])
        return self

    def press(self, label: str, *, back_ns: int = 0) -> dict[str, Any]:
        """Press, let go, and give the answer to the press. back_ns: how much earlier than now it says that it was."""
        t_us = (self.clock_ns() - back_ns) // US
        number = self._numbered("press", label, t_us)
        self._numbered("release", label, t_us + 50_000)
        return self.until("pressed", lambda one: one["n"] == number)

    def close(self) -> None:
        """Leave."""
        self._talk.hang_up()
        self._thread.join(PATIENCE_S)
        self._talk.close()

    def _numbered(self, kind: str, label: str, t_us: int) -> int:
        self._number += 1
        self._send({"type": kind, "n": self._number, "button": label, "t_us": t_us, "by": "touch"})
        return self._number

    def _send(self, message: dict[str, Any]) -> None:
        with self._say:
            self._talk.say(message)

    def _listen(self) -> None:
        try:
            while True:
                self._take(self._talk.next())
        except (OSError, EOFError, AssertionError):
            with self._changed:
                self._is_over = True
                self._changed.notify_all()

    def _take(self, message: dict[str, Any]) -> None:
        if message["type"] == "sync":
            self._before_answer(message["id"])
            self._send({"type": "sync", "id": message["id"], "t_us": self.clock_ns() // US})
        with self._changed:
            self._heard.append(message)
            self._changed.notify_all()
