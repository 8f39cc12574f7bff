"""A session by a code on the box's own display: for a referee whose PIN does not help (waiting, forgotten, changed).

A page asks; the display, and nothing else, shows a short code for a minute; only the page that asked may give it, three
times, so that others can neither guess it nor spoil it. One code at a time, a minute's rest after each, and whoever
asks without using the code waits longer each time: strangers do not flood the display.

Time comes in (`clock`, monotonic nanoseconds). Knows no server and no display. Not for several threads.
"""

from __future__ import annotations

import hmac
import secrets
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.web.access.tries import Tries
from companion.core.errors import Illegal
from companion.core.timing.events import SECOND

if TYPE_CHECKING:
    from collections.abc import Callable

LIFE_NS = 60 * SECOND
REST_NS = 60 * SECOND
MOST_WRONG = 3
LENGTH = 6
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


class ShownCode(NamedTuple):
    """A code as it is to be shown: to whom it was promised, and until when (of the clock)."""

    code: str
    ticket: str
    caller: str
    until_ns: int


class ScreenCodes:
    """The one code that is shown, if any."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._asks = Tries(clock, free=1, first_wait_ns=LIFE_NS + REST_NS)
        self._shown: ShownCode | None = None
        self._wrong = 0
        self._rests_until_ns: int | None = None

    def ask(self, caller: str) -> ShownCode:
        """Give a code to be shown, and the ticket of whoever asked. Raises Illegal, with how long to wait."""
        now_ns = self._clock()
        rests_ns = 0 if self._rests_until_ns is None else self._rests_until_ns - now_ns
        wait_ns = max(rests_ns, self._asks.wait_ns(caller))
        if wait_ns > 0:
            raise Illegal(f"a code was asked for a moment ago: wait for {-(-wait_ns // SECOND)} seconds")
        self._asks.wrong(caller)
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        self._shown = ShownCode(code, secrets.token_urlsafe(16), caller, now_ns + LIFE_NS)
        self._wrong, self._rests_until_ns = 0, now_ns + LIFE_NS + REST_NS
        return self._shown

    def take(self, ticket: str, code: str) -> bool:
        """Tell whether this is the code that is shown, from whoever asked for it; then it is spent."""
        shown = self._shown
        if shown is None or self._clock() >= shown.until_ns or not _same(ticket, shown.ticket):
            return False
        if not _same(code.upper().replace(" ", ""), shown.code):
            self._wrong += 1
            if self._wrong >= MOST_WRONG:
                self._shown = None
            return False
        self._shown = self._rests_until_ns = None
        self._asks.right(shown.caller)
        return True

    @property
    def is_shown(self) -> bool:
        """Tell whether a code is to be seen now."""
        return self._shown is not None and self._clock() < self._shown.until_ns


def _same(given: str, known: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), known.encode())
