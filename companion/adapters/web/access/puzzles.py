"""Work that a stranger does before a try is looked at: a number that gives a hash with many zero bits.

The hash is SHA-256 of "<puzzle>:<number>". A puzzle says itself what it asks, for whom and until when, and is sealed,
so that none is kept here but those that were spent. A page solves it in JavaScript (`static/js/work.js`).

Time and the seal's key come in. Not for several threads.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import OrderedDict
from typing import TYPE_CHECKING

from companion.core.timing.events import SECOND

if TYPE_CHECKING:
    from collections.abc import Callable

LIFE_NS = 600 * SECOND
"""A puzzle that is not solved by then is worth nothing: a slow phone needs minutes for the hardest."""
MOST_SPENT = 4096


class Puzzles:
    """Makes puzzles, and sees whether one is solved. clock: monotonic nanoseconds."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._key = secrets.token_bytes(32)
        self._spent: OrderedDict[str, None] = OrderedDict()

    def make(self, caller: str, bits: int) -> str:
        """Give a puzzle for this caller whose answer's hash begins with so many zero bits."""
        says = f"{bits}.{self._clock() + LIFE_NS}.{secrets.token_hex(8)}"
        return f"{says}.{self._seal(says, caller)}"

    def take(self, caller: str, puzzle: str, number: int) -> bool:
        """Tell whether this solves a puzzle of this caller that has not been spent; it is now."""
        says, _, seal = puzzle.rpartition(".")
        if not puzzle.isascii() or not hmac.compare_digest(seal, self._seal(says, caller)):
            return False
        bits, until_ns, _ = says.split(".")
        if int(until_ns) < self._clock() or puzzle in self._spent or zero_bits(puzzle, number) < int(bits):
            return False
        self._spent[puzzle] = None
        while len(self._spent) > MOST_SPENT:
            self._spent.popitem(last=False)
        return True

    def _seal(self, says: str, caller: str) -> str:
        return hmac.new(self._key, f"{says} {caller}".encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()[:32]


def zero_bits(puzzle: str, number: int) -> int:
    """Count the zero bits that the hash of a puzzle and a number begins with."""
    digest = hashlib.sha256(f"{puzzle}:{number}".encode()).digest()
    return 8 * len(digest) - int.from_bytes(digest).bit_length()
