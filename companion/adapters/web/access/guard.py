"""Who may change something: the desk's PIN, and the sessions it opens.

How often a PIN may be tried is `tries`. Time comes in (`clock`). Knows no server and no file.
"""

from __future__ import annotations

import hmac
import secrets
from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.web.access.pin_file import check_pin
from companion.adapters.web.access.puzzles import Puzzles
from companion.adapters.web.access.tries import Tries
from companion.core.timing.events import SECOND

if TYPE_CHECKING:
    from collections.abc import Callable

SESSION_NS = 12 * 3600 * SECOND
MOST_SESSIONS = 32
COOKIE = "companion"


class Throttled(NamedTuple):
    """No try now: wait for `wait_ns`."""

    wait_ns: int


class WorkNeeded(NamedTuple):
    """No try now: there were many wrong ones, and this one must bring `bits` of work (`Guard.puzzle`)."""

    bits: int


class Guard:
    """The PIN's keeper. Not for several threads.

    clock: monotonic nanoseconds. beside: the keeper of another PIN of the same pages, None for the first: a wrong try
    of one counts for both.
    """

    def __init__(self, pin: str, clock: Callable[[], int], beside: Guard | None = None) -> None:
        check_pin(pin)
        self._pin = pin.encode()
        self._clock = clock
        self._puzzles: Puzzles = Puzzles(clock) if beside is None else beside._puzzles
        self.tries: Tries = Tries(clock) if beside is None else beside.tries
        self._sessions: OrderedDict[str, int] = OrderedDict()

    def log_in(
        self, caller: str, pin: str, token: str | None = None, work: tuple[str, int] | None = None
    ) -> str | Throttled | WorkNeeded | None:
        """Give a new session's token; None for a wrong PIN, `Throttled` or `WorkNeeded` where none is looked at now.

        caller: see `caller_of`. token: of the session the caller has already, which is never kept waiting.
        work: a puzzle of this caller's and the number that solves it.
        """
        refused = None if self.is_referee(token) else self._not_now(caller, work)
        if refused is not None:
            return refused
        if not hmac.compare_digest(pin.encode("utf-8", "surrogatepass"), self._pin):
            self.tries.wrong(caller)
            return None
        self.tries.right(caller)
        return self.begin()

    def puzzle(self, caller: str) -> tuple[str, int]:
        """Give a puzzle for this caller's next try, and its bits; ("", 0) where none is needed now."""
        bits = self.tries.bits(caller)
        return (self._puzzles.make(caller, bits) if bits else "", bits)

    def begin(self) -> str:
        """Give a new session's token to whoever has shown that they are the referee."""
        token = secrets.token_urlsafe(32)
        self._sessions[token] = self._clock() + SESSION_NS
        while len(self._sessions) > MOST_SESSIONS:
            self._sessions.popitem(last=False)
        return token

    def _not_now(self, caller: str, work: tuple[str, int] | None) -> Throttled | WorkNeeded | None:
        wait_ns = self.tries.wait_ns(caller)
        if wait_ns > 0:
            return Throttled(wait_ns)
        bits = self.tries.bits(caller)
        if bits and not (work is not None and self._puzzles.take(caller, *work)):
            return WorkNeeded(bits)
        return None

    def is_referee(self, token: str | None) -> bool:
        """Tell whether a token is that of an open session."""
        if not token:
            return False
        given, found = token.encode("utf-8", "surrogatepass"), False
        for known, until_ns in self._sessions.items():  # all of them: how long it takes tells nothing
            found |= hmac.compare_digest(given, known.encode()) and until_ns > self._clock()
        return found

    def log_out(self, token: str | None) -> None:
        """End a session, if it is one."""
        self._sessions.pop(token or "", None)

    def change_pin(self, pin: str, keep: str | None) -> None:
        """Take another PIN; every session but `keep` ends. Raises Malformed."""
        check_pin(pin)
        self._pin = pin.encode()
        self._sessions = OrderedDict((token, until) for token, until in self._sessions.items() if token == keep)
