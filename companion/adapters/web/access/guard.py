"""Who may change something: the desk's PIN, and the sessions it opens.

Time and randomness come in (`clock`, `secrets`); the one file is the PIN's. Knows no server.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Malformed, Unavailable
from companion.core.timing.events import SECOND

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PIN_FILE = "referee.pin"
PIN_DIGITS = 6
_PIN = re.compile(r"[0-9]{4,12}", re.ASCII)

FREE_TRIES = 5
"""So many wrong PINs from one address cost nothing."""
FIRST_WAIT_NS = 30 * SECOND
LONGEST_WAIT_NS = 600 * SECOND
FREE_TRIES_OF_ALL = 50
"""So many from all addresses together: whoever has many addresses does not get many more tries."""
FORGET_NS = 3600 * SECOND
MOST_ADDRESSES = 1024

SESSION_NS = 12 * 3600 * SECOND
MOST_SESSIONS = 32
COOKIE = "companion"


class PinFile:
    """The desk's PIN in the state directory, readable by the box's user alone."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / PIN_FILE

    def load(self) -> str:
        """Give the PIN; the first time, draw one and keep it. Raises Unavailable (with the path), Malformed."""
        try:
            pin = self._path.read_text(encoding="ascii").strip()
        except FileNotFoundError:
            pin = "".join(secrets.choice("0123456789") for _ in range(PIN_DIGITS))
            self.store(pin)
            return pin
        except (OSError, UnicodeDecodeError) as error:
            raise Unavailable(f"cannot read the referee's PIN from {self._path}: {error}") from error
        if not _PIN.fullmatch(pin):
            raise Malformed(f"{self._path}: a PIN has 4 to 12 digits; delete the file and a new one is drawn")
        return pin

    def store(self, pin: str) -> None:
        """Keep another PIN, durably. Raises Malformed, Unavailable."""
        check_pin(pin)
        beside = self._path.with_suffix(".new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "w", encoding="ascii") as file:
                os.fchmod(file.fileno(), 0o600)
                file.write(f"{pin}\n")
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self._path)
        except OSError as error:
            raise Unavailable(f"cannot keep the referee's PIN in {self._path}: {error}") from error


def check_pin(pin: str) -> None:
    """Raise Malformed for what is no PIN."""
    if not _PIN.fullmatch(pin):
        raise Malformed("a PIN has 4 to 12 digits")


class Throttled(NamedTuple):
    """No try now: wait for `wait_ns`."""

    wait_ns: int


class _Tries(NamedTuple):
    wrong: int
    newest_ns: int


class Guard:
    """The PIN's keeper. Not for several threads.

    clock: monotonic nanoseconds.
    """

    def __init__(self, pin: str, clock: Callable[[], int]) -> None:
        check_pin(pin)
        self._pin = pin.encode()
        self._clock = clock
        self._by_address: OrderedDict[str, _Tries] = OrderedDict()
        self._of_all = _Tries(0, 0)
        self._sessions: OrderedDict[str, int] = OrderedDict()

    def log_in(self, address: str, pin: str) -> str | Throttled | None:
        """Give a new session's token; None for a wrong PIN, `Throttled` where none is looked at now."""
        now_ns = self._clock()
        mine = _fresh(self._by_address.get(address, _Tries(0, now_ns)), now_ns)
        everybody = _fresh(self._of_all, now_ns)
        wait_ns = max(
            _wait_ns(mine, FREE_TRIES, now_ns), min(_wait_ns(everybody, FREE_TRIES_OF_ALL, now_ns), FIRST_WAIT_NS)
        )  # fmt: skip
        if wait_ns > 0:
            return Throttled(wait_ns)
        if not hmac.compare_digest(pin.encode("utf-8", "surrogatepass"), self._pin):
            self._by_address[address] = _Tries(mine.wrong + 1, now_ns)
            self._by_address.move_to_end(address)
            while len(self._by_address) > MOST_ADDRESSES:
                self._by_address.popitem(last=False)
            self._of_all = _Tries(everybody.wrong + 1, now_ns)
            return None
        self._by_address.pop(address, None)
        token = secrets.token_urlsafe(32)
        self._sessions[token] = now_ns + SESSION_NS
        while len(self._sessions) > MOST_SESSIONS:
            self._sessions.popitem(last=False)
        return token

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


def _fresh(tries: _Tries, now_ns: int) -> _Tries:
    return tries if now_ns - tries.newest_ns < FORGET_NS else _Tries(0, now_ns)


def _wait_ns(tries: _Tries, free: int, now_ns: int) -> int:
    """How long until the next try is looked at: nothing for the first few, then twice as long each time."""
    if tries.wrong < free:
        return 0
    pause_ns = min(FIRST_WAIT_NS << min(tries.wrong - free, 10), LONGEST_WAIT_NS)
    return max(0, tries.newest_ns + pause_ns - now_ns)
