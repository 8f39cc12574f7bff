"""What waits to be said by one voice, and what may cut off what it says. Pure.

The theory. Pieces come in batches, one for each look at the box. What is more pressing goes first; of the same, what
came first. A ruling makes what waits from before it old: it is dropped, and what is being said is cut off, an older
ruling's tail too. An alarm cuts off all that is less pressing, and what was worth it is said again from its beginning.
What opens a race (`Urgency.START`) is never cut off. The voice's thread asks `take` after every change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.speech.utterance import Phase, Urgency

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.speech.utterance import Heard

MOST_WAITING = 24
"""Of more pieces that wait, the least pressing are dropped, the oldest of them first."""


class Piece(NamedTuple):
    """Something to be said. token: whoever wants to know when it was said knows it by this; None: nobody does.

    group: of the same only the newest is worth saying, and cuts off the one before; empty: of none.
    """

    text: str
    urgency: Urgency
    token: int | None = None
    group: str = ""


class _Waiting(NamedTuple):
    piece: Piece
    batch: int


class SpeechQueue:
    """The pieces of one voice. `take` numbers what is to be spoken; `heard` takes what the voice tells of a number."""

    def __init__(self) -> None:
        self._waiting: list[_Waiting] = []  # the most pressing first, of the same the oldest
        self._now: _Waiting | None = None
        self._number = self._batch = 0
        self._kept: list[Piece] = []  # the newest batch that was begun to be said
        self._kept_batch = 0

    @property
    def is_silent(self) -> bool:
        """Tell whether nothing is spoken and nothing waits."""
        return self._now is None and not self._waiting

    @property
    def is_due(self) -> bool:
        """Tell whether `take` gives something."""
        return bool(self._waiting) and self._may_follow(self._waiting[0])

    def forget(self) -> None:
        """Say nothing of what waits."""
        self._waiting = []

    def put(self, pieces: Iterable[Piece]) -> list[Piece]:
        """Have a batch said; what is being said or waits in the same words is left out.

        Gives what waited, with a token, and will not be said.
        """
        said = {one.piece.text: one.piece.urgency for one in (*self._waiting, *filter(None, [self._now]))}
        fresh = [one for one in dict.fromkeys(pieces) if one.text and one.urgency > said.get(one.text, -1)]
        if not fresh:
            return []
        self._batch += 1
        dropped = []
        groups = {one.group for one in fresh if one.group}
        self._waiting = [one for one in self._waiting if one.piece.group not in groups]
        if any(one.urgency in (Urgency.RULING, Urgency.START) for one in fresh):
            dropped = [one for one in self._waiting if one.piece.urgency != Urgency.ALARM]
            self._waiting = [one for one in self._waiting if one not in dropped]
        for piece in fresh:
            self._insert(_Waiting(piece, self._batch))
        dropped += self._waiting[MOST_WAITING:]
        del self._waiting[MOST_WAITING:]
        return [one.piece for one in dropped if one.piece.token is not None]

    def take(self) -> tuple[int, Piece] | None:
        """Give what is to be spoken at once, with its number, though something is spoken now; None: nothing is."""
        if not self.is_due:
            return None
        cut, self._now = self._now, self._waiting.pop(0)
        if cut is not None and _outlives(cut.piece.urgency, self._now.piece.urgency):
            self._insert(cut, is_first=True)
        self._keep(self._now)
        self._number += 1
        return self._number, self._now.piece

    def heard(self, heard: Heard) -> Piece | None:
        """Take what the voice tells; give the piece that is over by it, None where none is."""
        if self._now is None or heard.number != self._number or heard.phase is Phase.BEGAN:
            return None
        over, self._now = self._now.piece, None
        return over

    def lost(self) -> list[Piece]:
        """The voice has gone: nothing is spoken any more. Gives what was, and waits, with a token; it is dropped.

        What was being said otherwise waits to be said by the voice that comes.
        """
        cut, self._now = self._now, None
        if cut is not None:
            self._insert(cut, is_first=True)
        awaited = [one for one in self._waiting if one.piece.token is not None]
        self._waiting = [one for one in self._waiting if one not in awaited]
        return [one.piece for one in awaited]

    def again(self) -> list[Piece]:
        """Say the newest batch again, instead of what is said and waits but for alarms; as `put`."""
        kept = [one._replace(token=None) for one in self._kept]
        if not kept or (self._now is not None and self._now.piece.urgency is Urgency.START):
            return []
        dropped = [one for one in self._waiting if one.piece.urgency < Urgency.ALARM]
        self._waiting = [one for one in self._waiting if one not in dropped]
        self._now = None  # it is cut off by what is taken next
        self._batch += 1
        for piece in kept:
            self._insert(_Waiting(piece, self._batch))
        return [one.piece for one in dropped if one.piece.token is not None]

    def _may_follow(self, next_one: _Waiting) -> bool:
        """Tell whether this may be said now: nothing is, or it cuts that off."""
        if self._now is None:
            return True
        now, then = self._now.piece.urgency, next_one.piece.urgency
        if next_one.piece.group and next_one.piece.group == self._now.piece.group:
            return True
        if now is Urgency.START or then < Urgency.RULING:
            return False
        return then > now or (then is Urgency.RULING and now is Urgency.RULING and next_one.batch != self._now.batch)

    def _insert(self, one: _Waiting, *, is_first: bool = False) -> None:
        urgency = one.piece.urgency
        at = next(
            (i for i, other in enumerate(self._waiting)
             if other.piece.urgency < urgency or (is_first and other.piece.urgency == urgency)),
            len(self._waiting),
        )  # fmt: skip
        self._waiting.insert(at, one)

    def _keep(self, one: _Waiting) -> None:
        """Remember what is begun, to be said again; what need not be heard is not worth it."""
        if one.piece.urgency is Urgency.CHATTER:
            return
        if one.batch != self._kept_batch:
            self._kept, self._kept_batch = [], one.batch
        if one.piece not in self._kept:
            self._kept.append(one.piece)


def _outlives(cut: Urgency, by: Urgency) -> bool:
    """Tell whether what is cut off is said again once what cut it off was said."""
    return cut is Urgency.ALARM or (by is Urgency.ALARM and cut >= Urgency.CHOICE)
