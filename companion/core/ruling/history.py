"""The one history of a record: each line with what was ruled on it, what stands, what was taken back. Pure values.

Theory of operation. Lines are only ever added, what was taken back too. Each entry says which line was the newest that
stood once it had been judged; so what stands is a chain through the entries, and an `undo` moves its end one link back.
A `History` is the part of that list up to one line and never changes: the judge goes on to a longer one that shares
all entries with it. To keep one for another thread therefore costs nothing, however long the match. Knows no game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from msgspec.structs import replace

from companion.core.record.lines import (
    Answer,
    ByHand,
    ChanceLine,
    Close,
    End,
    JudgeLine,
    Names,
    PressLine,
    Protest,
    Restart,
    Reveal,
    Sign,
)
from companion.core.ruling.rulings import Ignored

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.panel import Colour
    from companion.core.record.lines import Line
    from companion.core.ruling.game import Game
    from companion.core.ruling.rulings import Ruling


NOBODY: Mapping[Colour, str] = MappingProxyType({})
"""No names."""
NO_ROLLS: Mapping[str, int] = MappingProxyType({})
"""No rolls."""


def named(before: Mapping[Colour, str], line: Names) -> Mapping[Colour, str]:
    """Give how people are called after a `names` line; an empty name takes one away."""
    return MappingProxyType({colour: name for colour, name in {**before, **line.names}.items() if name})


class Told(NamedTuple):
    """Line `number` of a record (1 is the setup) and what followed from it when it was judged.

    before: the game's state before the line. newest: number of the newest line that stands after it and could be taken
    back, 0 for none. rolls: how many rolls and draws of each name stand after it.
    """

    number: int
    line: Line
    rulings: tuple[Ruling, ...]
    before: Any = None
    newest: int = 0
    rolls: Mapping[str, int] = NO_ROLLS

    @property
    def counts(self) -> bool:
        """Tell whether this is a press that counted in its race when it was made."""
        return isinstance(self.line, PressLine) and not any(isinstance(ruling, Ignored) for ruling in self.rulings)

    def says(self, game: Game[Any]) -> str:
        """Say what the line is, for everybody, in the game's language.

        What was set by hand is called as the game called it when it was set, and not as the record does.
        """
        line = self.line
        if isinstance(line, ByHand):
            labels = {one.key: one.label for one in game.adjustable(self.before)}
            line = replace(line, set=labels.get(line.set, line.set))
        return game.describe(line)


class History(Sequence[Told]):
    """The lines of a record up to one of them, as a sequence: entry 0 is line 1, the setup."""

    __slots__ = ("_disputes", "_length", "_taken_back", "_told", "names")

    def __init__(
        self,
        told: list[Told] | None = None,
        taken_back: dict[int, int] | None = None,
        length: int = 0,
        names: Mapping[Colour, str] = NOBODY,
        disputes: list[Told] | None = None,
    ) -> None:
        self.names = names  # how people are called by now; never changed, only replaced
        self._told = [] if told is None else told  # shared with every longer history, which only adds to it
        self._taken_back = {} if taken_back is None else taken_back  # line: the `undo` that took it back; shared too
        self._disputes = [] if disputes is None else disputes  # the protests and their answers; shared too
        self._length = length

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Told: ...
    @overload
    def __getitem__(self, index: slice) -> list[Told]: ...

    def __getitem__(self, index: int | slice) -> Told | list[Told]:
        if isinstance(index, slice):
            return [self._told[i] for i in range(*index.indices(self._length))]
        return self._told[range(self._length)[index]]

    def __iter__(self) -> Iterator[Told]:  # by what a Sequence has, each line would cost a call
        return islice(self._told, self._length)

    # -- what was judged ---------------------------------------------------------------------------------------------

    def up_to(self, lines: int) -> History:
        """Give the history of the first `lines` lines, at most as many as there are."""
        return History(self._told, self._taken_back, min(lines, self._length), self.names, self._disputes)

    def newest(self) -> Told | None:
        """Give the newest line that stands and could be taken back, None where none does."""
        return self._newest_after(self._length)

    def newest_doing(self) -> Told | None:
        """Give the newest line that stands, could be taken back, and is somebody's doing: no `restart`."""
        return next((told for told in self.standing_backwards() if not isinstance(told.line, Restart)), None)

    def standing(self) -> list[Told]:
        """Give what stands and could be taken back, oldest first."""
        return list(self.standing_backwards())[::-1]

    def standing_backwards(self, before: int | None = None) -> Iterator[Told]:
        """Give what stands and could be taken back, newest first; `before`: what stood just before that line."""
        told = self._newest_after(self._length if before is None else before - 1)
        while told is not None:
            yield told
            told = self._newest_after(told.number - 1)

    def taken_back_by(self, number: int) -> int | None:
        """Give the number of the `undo` that took line `number` back, None where none has."""
        undo = self._taken_back.get(number)
        return undo if undo is not None and undo <= self._length else None

    def rolls(self, name: str) -> int:
        """Give how many rolls or draws of this name stand."""
        return self._told[self._length - 1].rolls.get(name, 0) if self._length else 0

    def presses_of(self, judging: int) -> tuple[PressLine, ...]:
        """Give the presses that count in the race that line `judging` judged, in the order of the record.

        They are those that stood then, back to the judging before, without the ignored ones.
        """
        found: list[PressLine] = []
        for told in self.standing_backwards(judging):
            if isinstance(told.line, JudgeLine):
                break
            if told.counts and isinstance(told.line, PressLine):
                found.append(told.line)
        return tuple(reversed(found))

    def newest_judging(self) -> int | None:
        """Give the number of the line that judged the newest race, None once another has begun (card or press)."""
        for told in self.standing_backwards():
            if isinstance(told.line, JudgeLine):
                return told.number
            if isinstance(told.line, Reveal) or told.counts:
                return None
        return None

    def late_presses(self) -> tuple[PressLine, ...]:
        """Give the presses that were too late for the newest closed race, oldest first.

        () once a card has been entered since, or the next race has begun.
        """
        found: list[PressLine] = []
        counts = False  # any press since
        for told in self.standing_backwards():
            if isinstance(told.line, Close):
                return tuple(reversed(found))
            if isinstance(told.line, Reveal) or (isinstance(told.line, JudgeLine) and counts):
                return ()
            counts = counts or told.counts
            if isinstance(told.line, PressLine) and not told.counts:
                found.append(told.line)
        return ()

    def disputes(self) -> list[Told]:
        """Give the protests and their answers, oldest first."""
        return [one for one in self._disputes if one.number <= self._length]

    def unanswered(self) -> list[Told]:
        """Give the protests that have no answer yet, oldest first."""
        told = self.disputes()
        answered = {one.line.protest for one in told if isinstance(one.line, Answer)}
        return [one for one in told if isinstance(one.line, Protest) and one.number not in answered]

    def signed(self) -> tuple[Colour, ...]:
        """Give who has accepted the result since the newest `end`, in turn; () where none stands."""
        end = next((told.number for told in self.standing_backwards() if isinstance(told.line, End)), len(self))
        return tuple(told.line.colour for told in self[end:] if isinstance(told.line, Sign))

    # -- for the judge -----------------------------------------------------------------------------------------------

    def judged(self, line: Line, rulings: tuple[Ruling, ...], before: Any) -> History:
        """Give the history with a line more, which stands. before: the state that an `undo` of it leads back to."""
        return self._longer(line, rulings, before, self._length + 1)

    def noted(self, line: Line, before: Any) -> History:
        """Give the history with a line more that decides nothing and is never taken back."""
        return self._longer(line, (), before, self._newest_number(self._length))

    def undone(self, line: Line, rulings: tuple[Ruling, ...], before: Any) -> History:
        """Give the history with an `undo` more. There must be something to take back."""
        gone = self._newest_number(self._length)
        longer = self._longer(line, rulings, before, self._newest_number(gone - 1))
        longer._taken_back[gone] = len(longer)
        return longer

    # -- inside ------------------------------------------------------------------------------------------------------

    def _newest_number(self, length: int) -> int:
        return self._told[length - 1].newest if length else 0

    def _newest_after(self, length: int) -> Told | None:
        number = self._newest_number(length)
        return self._told[number - 1] if number else None

    def _longer(self, line: Line, rulings: tuple[Ruling, ...], before: Any, newest: int) -> History:
        told, taken_back, disputes = self._told, self._taken_back, self._disputes
        if len(told) > self._length:  # the record went on otherwise: that other history keeps its entries
            told = told[: self._length]
            taken_back = {number: undo for number, undo in taken_back.items() if undo <= self._length}
            disputes = self.disputes()
        number = self._length + 1
        # what stands hangs on its newest line alone, so the rolls that stand with it do too
        rolls = told[(self._length if newest == number else newest) - 1].rolls if newest and self._length else NO_ROLLS
        if newest == number and isinstance(line, ChanceLine):
            rolls = MappingProxyType({**rolls, line.name: rolls.get(line.name, 0) + 1})
        told.append(Told(number, line, rulings, before, newest, rolls))
        if isinstance(line, (Protest, Answer)):
            disputes.append(told[-1])
        names = named(self.names, line) if isinstance(line, Names) else self.names
        return History(told, taken_back, len(told), names, disputes)
