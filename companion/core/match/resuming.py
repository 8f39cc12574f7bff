"""Taking up a match that was cut off: the presses that were on their way into its record, and the question. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.match.waiting.unrecorded import Instant, unknown_to
from companion.core.record.lines import PressLine, Restart, Undo
from companion.core.shown.scene import Menu, MenuItem, Question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from companion.core.match.match import Match
    from companion.core.match.match_maker import Unfinished
    from companion.core.record.lines import Line
    from companion.core.ruling.game import Game
    from companion.core.timing.events import Press

RESUME, NEW_MATCH = 0, 1
"""The two answers, as indices of the menu."""


def resume(match: Match, unfinished: Unfinished) -> None:
    """Let a new match be the one that was cut off, where it was. Raises Malformed or Illegal.

    Where the clock has started anew since (a reboot), an open race takes no more presses: theirs could not be compared
    with those before. A race that was closed and not judged is judged, unless somebody had just taken something back.
    """
    match.take_up_race(unfinished.lines)
    _restore(match, unfinished.kept if unfinished.same_clock else unfinished.kept_before)
    if not unfinished.same_clock:
        _leave_the_clock(match)
        _restore(match, unfinished.kept)
    if match.stage.asks_card and not match.stage.is_early and not isinstance(_newest_but_restarts(match), Undo):
        match.judge_now()


def _restore(match: Match, kept: Sequence[Press]) -> None:
    """Put presses into the race, or let them wait again, that were accepted and not recorded when the box stopped."""
    for press in unknown_to(_recorded(match), kept):
        match.play(press)


def _leave_the_clock(match: Match) -> None:
    """No press from now on can be compared with those before: a race that runs or waits for its card takes no more."""
    if match.stage.is_collecting:
        match.remark("the box was restarted within a race: it takes no more presses", "clock")
        match.close(None)
    match.write(Restart())
    match.late_until_ns = 0


def _newest_but_restarts(match: Match) -> Line:
    return next(told.line for told in reversed(match.history) if not isinstance(told.line, Restart))


def _recorded(match: Match) -> Iterator[Instant]:
    """Give which presses the record has a line of, whether it stands or not."""
    return (Instant(told.line.t_ns, told.line.colour) for told in match.history if isinstance(told.line, PressLine))


class ResumeQuestion:
    """Asks about one match. answer: what a push of the knob would answer now."""

    def __init__(self, unfinished: Unfinished) -> None:
        self.unfinished = unfinished
        self.answer = RESUME

    def turn(self, steps: int) -> None:
        """Move to another answer."""
        self.answer = (self.answer + steps) % 2

    def scene(self, find_game: Callable[[str], Game[Any]]) -> Question:
        """Give what there is to show. Raises UnknownGame."""
        setup = self.unfinished.setup
        seats = " ".join(seat.colour.short for seat in setup.seats)
        title = f"{find_game(setup.game).title}, match {self.unfinished.match_id}"
        menu = Menu("", (MenuItem("resume"), MenuItem("new match")), self.answer)
        return Question("Resume the match?", (title, seats), menu)
