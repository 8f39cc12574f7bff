"""One trial: what is asked of each seat, and what became of its press. Pure.

A trial begins with a random wait; at its end every seat is asked at the same instant, as it plays: for one of its four
cards (choice), for any press (one switch), or aloud (spoken: the end of the word is the instant). Of a seat's presses
the first one in a trial is its answer:

    before what is asked can have been perceived     ANTICIPATED: it was a guess
    another button than was asked for                WRONG
    none within the patience                         LAPSED
    else                                             COUNTS, with its time

Only what counts goes into the medians. The others are counted apart, for everybody to see; none of them is made up for
by a time. No limit cuts off slow presses but the patience, which is the same for all, is a setting, and lies far beyond
what anybody in a race would wait for.
"""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import TYPE_CHECKING, NamedTuple

from companion.core.timing.events import MS
from companion.core.words.texts import text

if TYPE_CHECKING:
    from companion.core.panel import Position
    from companion.core.timing.events import Press

PERCEIVED_NS = 100 * MS
"""Nobody answers sooner than this after what they answer to: a press before is none to it."""
SHORTEST_WAIT_MS, LONGEST_WAIT_MS = 1_500, 4_000
"""Of the random wait."""


class Way(StrEnum):
    """As a seat plays, it is measured."""

    CHOICE = "choice"
    SWITCH = "switch"
    SPOKEN = "spoken"


class Became(Enum):
    """What became of a seat's trial."""

    COUNTS = "counts"
    ANTICIPATED = "too early"
    WRONG = "another card"
    LAPSED = "no press"


WAYS = {Way.CHOICE: text("4 cards"), Way.SWITCH: text("1 switch"), Way.SPOKEN: text("by ear")}
"""How a seat plays, in few words."""
BECAME = {
    Became.COUNTS: text("counts"),
    Became.ANTICIPATED: text("too early"),
    Became.WRONG: text("another card"),
    Became.LAPSED: text("no press"),
}
"""What became of a trial, in few words."""


class Answer(NamedTuple):
    """What became of a seat's trial; time_ns ± error_ns: how long after what was asked, 0 where it does not count."""

    became: Became
    time_ns: int = 0
    error_ns: int = 0


class Series(NamedTuple):
    """A seat's trials. times_ms: those that count, in the order they were made. error_ns: the largest ± of them."""

    times_ms: tuple[int, ...] = ()
    error_ns: int = 0
    anticipated: int = 0
    wrong: int = 0
    lapsed: int = 0

    def with_answer(self, answer: Answer) -> Series:
        """Give the series with one trial more."""
        if answer.became is Became.COUNTS:
            time_ms = (answer.time_ns + MS // 2) // MS
            return self._replace(times_ms=(*self.times_ms, time_ms), error_ns=max(self.error_ns, answer.error_ns))
        if answer.became is Became.ANTICIPATED:
            return self._replace(anticipated=self.anticipated + 1)
        if answer.became is Became.WRONG:
            return self._replace(wrong=self.wrong + 1)
        return self._replace(lapsed=self.lapsed + 1)


def answer_of(press: Press, position: Position, way: Way, asked: Position, asked_ns: int) -> Answer:
    """Say what a seat's first press in a trial is. position: of its button; asked, asked_ns: what was, and when."""
    if press.t_ns < asked_ns + PERCEIVED_NS:
        return Answer(Became.ANTICIPATED)
    if way is not Way.SWITCH and position is not asked:
        return Answer(Became.WRONG)
    return Answer(Became.COUNTS, press.t_ns - asked_ns, press.error_ns)
