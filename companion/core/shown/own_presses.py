"""What became of each seat's newest press: for whoever made it, and for nobody else. Pure; knows no display.

Theory of operation. A press is noted as it goes through the match, with what it was if it became no line of the record.
What it is *now* is read from the record each time: a press that waited for its card may count meanwhile, one that
counted may have been taken back. It is new as long as nothing has happened since that begins something else.
"""

from __future__ import annotations

from enum import Enum
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from companion.core.record.lines import NOTES, Close, JudgeLine, PressLine, Restart, Undo
from companion.core.ruling.rulings import Ignored

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from companion.core.panel import Button, Colour
    from companion.core.ruling.history import History, Told

LOOKED_AT = 200
"""Lines after a press among which it is found."""


class PressFate(Enum):
    """What became of a press."""

    COUNTS = "counts"
    WAITS = "waits for its card"
    ANSWERS = "answers what the box asks"
    LATE = "too late"
    PLAYED = "already played"
    NOT_YOURS = "not yours"
    NO_CARD = "no card"
    NOTHING = "nothing to do"
    TAKEN_BACK = "taken back"
    FACE_DOWN = "lies face down"
    EARLY = "too early"


FATE_OF = {
    "closed": PressFate.LATE,
    "already played": PressFate.PLAYED,
    "nothing revealed": PressFate.NO_CARD,
    "not playing": PressFate.NOTHING,
    "game over": PressFate.NOTHING,
}
"""What a press is that the record has and the game ignores, by the game's reason."""

_OF_RACE = (PressFate.COUNTS, PressFate.WAITS, PressFate.PLAYED, PressFate.TAKEN_BACK, PressFate.FACE_DOWN)
"""What a press is that was made while its race took presses."""


class OwnPress(NamedTuple):
    """A seat's newest press. number: 1, 2, … of that seat in this match. is_new: nothing else has begun since."""

    button: Button
    number: int
    fate: PressFate
    is_new: bool

    @property
    def colour(self) -> Colour:
        """Whose it is."""
        return self.button.colour


class _Made(NamedTuple):
    """A press as it went through. since: how many lines there were before it."""

    button: Button
    number: int
    t_ns: int
    fate: PressFate
    since: int


def ahead(shown: Iterable[OwnPress], now: Iterable[OwnPress]) -> tuple[OwnPress, ...]:
    """Give the presses that have come since `shown`: all that may be told of `now` while the rest of it is withheld.

    Of a press that was shown already nothing is told anew: that it is not the newest any more says that somebody else
    has pressed.
    """
    known = {press.colour: press.number for press in shown}
    return tuple(press._replace(is_new=True) for press in now if press.number != known.get(press.colour))


class Phone(NamedTuple):
    """Who looks at a player's page.

    seat: that it plays, None for none yet. code: that the page shows to the referee. asks: the seat it would like.
    note: why it plays no seat any more, in a sentence; empty where there is nothing to say. others: seats that other
    phones play. press: the seat's newest press, None for none. is_ahead: that press is newer than the state; what came
    of the others since is withheld.
    """

    seat: Colour | None = None
    code: str = ""
    asks: Colour | None = None
    note: str = ""
    others: tuple[Colour, ...] = ()
    press: OwnPress | None = None
    is_ahead: bool = False


class Waiting(NamedTuple):
    """The presses that wait for their card; in_race: those of them that will count."""

    presses: Collection[PressLine] = ()
    in_race: Collection[PressLine] = ()


NOBODY_WAITS = Waiting()


class OwnPresses:
    """The newest press of each seat, in one match."""

    def __init__(self) -> None:
        self._newest: dict[Colour, _Made] = {}

    def note(self, button: Button, t_ns: int, fate: PressFate, since: int) -> None:
        """A press went through. fate: what it is where the record has no line of it. since: lines before it."""
        before = self._newest.get(button.colour)
        number = 1 if before is None else before.number + 1
        self._newest[button.colour] = _Made(button, number, t_ns, fate, since)

    def told(self, history: History, waiting: Waiting = NOBODY_WAITS) -> tuple[OwnPress, ...]:
        """Say what became of them, as the record has it now."""
        fates = {made: _fate(colour, made, history, waiting) for colour, made in self._newest.items()}
        return tuple(
            OwnPress(made.button, made.number, fate, _is_new(made, fate, history)) for made, fate in fates.items()
        )


def _fate(colour: Colour, made: _Made, history: History, waiting: Waiting) -> PressFate:
    if made.fate is PressFate.ANSWERS:
        return made.fate
    lines = [told for told in _since(made, history) if _is_of(told.line, colour, made.t_ns)]
    if lines:
        return _fate_of_line(lines[-1], made.fate, history)
    if any(_is_of(press, colour, made.t_ns) for press in waiting.presses):
        if any(_is_of(press, colour, made.t_ns) for press in waiting.in_race):
            return PressFate.WAITS
        return PressFate.PLAYED if any(press.colour is colour for press in waiting.in_race) else PressFate.LATE
    return made.fate


def _fate_of_line(told: Told, noted: PressFate, history: History) -> PressFate:
    ignored = next((ruling for ruling in told.rulings if isinstance(ruling, Ignored)), None)
    if ignored is not None:
        return noted if noted is PressFate.NOT_YOURS else FATE_OF[ignored.reason]
    return PressFate.COUNTS if history.taken_back_by(told.number) is None else PressFate.TAKEN_BACK


def _is_of(line: object, colour: Colour, t_ns: int) -> bool:
    return isinstance(line, PressLine) and (line.colour, line.t_ns) == (colour, t_ns)


def _since(made: _Made, history: History) -> Iterator[Told]:
    return (history[index] for index in islice(range(made.since, len(history)), LOOKED_AT))


def _is_new(made: _Made, fate: PressFate, history: History) -> bool:
    """Tell whether all that has come since belongs to the same race: no card, no choice, no press of the next race.

    A press of the same race changes nothing: which of the two came first is not always to be seen.
    """
    if len(history) > made.since + LOOKED_AT:
        return False
    is_next = fate not in _OF_RACE
    for told in _since(made, history):
        is_next = is_next or isinstance(told.line, JudgeLine)
        if not isinstance(told.line, (PressLine, Close, JudgeLine, Restart, Undo, *NOTES)):
            return False
        if is_next and told.counts and not _is_of(told.line, made.button.colour, made.t_ns):
            return False
    return True
