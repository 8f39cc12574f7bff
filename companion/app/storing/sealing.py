"""The seals of the match that is being written: its lines are hashed as they are stored, and signed when one is due.

Part of `app`. Signing itself takes below a millisecond and happens in the event loop's thread. What signs is opened
when the first seal is due, in a thread of its own ("key"): its library takes some ten megabytes and, on a small board,
a tenth of a second. That thread crosses over by `call` alone. Where the box has no key that it can use, it says so for
as long as that lasts and plays on; the record then has no seals.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.errors import CompanionError
from companion.core.record.lines import Moved, Seal, dump_line
from companion.core.record.seals import Sealer, in_base64
from companion.threads.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from companion.core.play.session import Session
    from companion.core.record.lines import Line
    from companion.ports import Journal, Signer

LOG = logging.getLogger("companion")

UNSEALED = "seal"
"""What the alarm stands for."""
MOVED = b'"type":"moved"'
END_S = 5.0
"""How long a stop waits for what signs to be opened."""


def not_sealed(error: BaseException) -> str:
    """Say that records have no seals, and why."""
    return f"not sealed: {error if isinstance(error, CompanionError) else repr(error)}"


def sealed_copy(lines: list[bytes], open_signer: Callable[[], Signer]) -> list[bytes]:
    """Give the lines of a record that is handed out, with a seal at their end; those of the journal stay as they are.

    Raises CompanionError where nobody can sign.
    """
    sealer = Sealer(lines)
    if sealer.is_sealed:
        return lines
    signer = open_signer()
    return [*lines, dump_line(sealer.seal(signer.key, signer.sign))]


def seal_what_was_cut_off(
    journal: Journal, match_id: int, lines: Sequence[Line], open_signer: Callable[[], Signer], wall: str
) -> None:
    """Seal a match that is over, where the box stopped between a line after which it seals and that seal.

    What signs takes a moment to be opened at the first seal after a start, and nobody takes up a match that is over: so
    without this its end would never be sealed. What another box has sealed last is left to it. Where nobody can sign,
    that is logged: whatever there is in a journal, the box must start. lines: of the match, as they were read. wall:
    the time.
    """
    sealer = Sealer(journal.lines(match_id))
    if not sealer.is_due:
        return
    try:
        signer = open_signer()
        newest = next((line.key for line in reversed(lines) if isinstance(line, (Seal, Moved))), None)
        if newest in {None, in_base64(signer.key)}:
            seal = sealer.seal(signer.key, signer.sign)
            journal.append(match_id, dump_line(replace(seal, wall=wall)))
    except Exception as error:  # noqa: BLE001
        LOG.error("the end of match %d: %s", match_id, not_sealed(error))


class Sealing:
    """Seals one match after another. Use from the event loop's thread.

    is_opening: whether what signs is just being opened, so that a seal that is due comes in a moment.
    """

    def __init__(
        self, open_signer: Callable[[], Signer] | None, call: Callable[[Callable[[Session], None]], None]
    ) -> None:
        """open_signer: None where the box has no key. call: has something done to the session, from any thread."""
        self._open, self._call = open_signer, call
        self._signer: Signer | None = None
        self._sealer: Sealer | None = None
        self._thread: Watched | None = None
        self.is_opening = False
        self._is_moving = False  # the match is another box's, and does not say yet that it goes on here

    def begin(self) -> None:
        """The lines that follow are of a new match."""
        self._sealer, self._is_moving = Sealer(), False

    def take_up(self, stored: Callable[[], Iterable[bytes]]) -> None:
        """The lines that follow go on from those that are stored, where no match has begun since the box started."""
        if self._sealer is None:
            lines = list(stored())
            self._sealer = Sealer(lines)
            self._is_moving = self._is_moving and MOVED not in lines[-1]

    def leave(self) -> None:
        """The lines that follow go on from those of a match of another box: `take_up` says which.

        Nothing is sealed before the record says that it was moved: by then this box's key means nothing in it.
        """
        self._sealer, self._is_moving = None, True

    def add(self, raw: bytes) -> None:
        """A line is stored, without its end of line."""
        self._is_moving = self._is_moving and MOVED not in raw
        if self._sealer is not None:
            self._sealer.add(raw)

    def next(self) -> Seal | None:
        """Give the seal to be written now, over all lines so far; None where none is due, or nobody can sign yet."""
        if self._sealer is None or not self._sealer.is_due or self._open is None or self._is_moving:
            return None
        if self._signer is None:
            self._begin_opening(self._open)
            return None
        try:
            return self._sealer.seal(self._signer.key, self._signer.sign)
        except CompanionError as error:
            self._cannot(error)
            return None

    def _begin_opening(self, open_signer: Callable[[], Signer]) -> None:
        if self._thread is None:
            self.is_opening = True
            self._thread = Watched(partial(self._run, open_signer), name="key")
            self._thread.start()

    def _run(self, open_signer: Callable[[], Signer]) -> None:
        try:
            signer = open_signer()
        except CompanionError as error:
            self._cannot(error)
        except BaseException as error:
            text = not_sealed(error)
            self._call(lambda session: self._not_yet(session, text))
            raise  # it is tried again
        else:
            self._call(lambda session: self._opened(session, signer))

    def close(self) -> None:
        """Try no longer to open what signs, where that has failed."""
        if self._thread is not None:
            self._thread.join(END_S)

    def _opened(self, session: Session, signer: Signer) -> None:
        """Take what signs; the seal that is due is asked for in the turn that follows."""
        self.is_opening, self._signer = False, signer
        session.alarm(UNSEALED, None)

    def _not_yet(self, session: Session, text: str) -> None:
        self.is_opening = False
        session.alarm(UNSEALED, text)

    def _cannot(self, error: CompanionError) -> None:
        """Give up sealing until the box is started anew, and say so; from any thread."""
        text = not_sealed(error)
        LOG.error("%s", text)

        def give_up(session: Session) -> None:
            self.is_opening, self._open = False, None
            session.alarm(UNSEALED, text)

        self._call(give_up)
