"""Taking up a match that was cut off: the presses that were on their way into its record, and the question. Pure.

In an untimed match the cards that lay face down lie there again. The record knows which cards were shown, the intake
which presses were on their way. A press that is not later than the newest show has been dealt with: its card was shown,
or another was laid in its place. Where the box stopped in the middle of writing what was shown, the rest is shown at
the same instant.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.match.laying import PLAYS_NONE, TAKEN_UP, is_untimed, missing, show
from companion.core.match.match import line_of
from companion.core.match.race_phases import Happening, Stage, changed_to, follow
from companion.core.match.waiting.unrecorded import Instant, unknown_to
from companion.core.panel import Colour
from companion.core.record.lines import NOTES, Close, JudgeLine, PressLine, Remark, Restart, Reveal, Undo
from companion.core.record.told_presses import read_press
from companion.core.ruling.race import RacePhase
from companion.core.shown.scene import Menu, MenuItem, Question
from companion.core.words.texts import joined, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from companion.core.match.match import Match
    from companion.core.match.match_maker import Unfinished
    from companion.core.record.lines import Line
    from companion.core.ruling.game import Game
    from companion.core.timing.events import Press

RESUME, NEW_MATCH = 0, 1
"""The two answers, as indices of the menu."""
_NONE = re.compile(rf"(?P<colour>[a-z]+) {PLAYS_NONE} \((?P<t_ns>[0-9]{{1,19}}) ns")


class _PlaysNone(NamedTuple):
    colour: Colour
    t_ns: int


def resume(match: Match, unfinished: Unfinished) -> None:
    """Let a new match be the one that was cut off, where it was. Raises Malformed or Illegal.

    Where the clock has started anew since (a reboot), an open race takes no more presses: theirs could not be compared
    with those before. A race that was closed and not judged is judged, unless somebody had just taken something back.
    """
    match.take_up_race(unfinished.lines)
    match.moves = unfinished.moves
    if is_untimed(match.setup):
        _restore_untimed(match, unfinished)
    else:
        _restore_timed(match, unfinished)
    if match.stage.asks_card and not match.stage.is_early and not isinstance(_newest_but_restarts(match), Undo):
        match.judge_now()


def _restore_timed(match: Match, unfinished: Unfinished) -> None:
    _restore(match, unfinished.kept if unfinished.same_clock else unfinished.kept_before)
    if not unfinished.same_clock:
        _leave_the_clock(match)
        _restore(match, unfinished.kept)


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
    """Give which presses the record has a line of, whether it stands or not, or tells of in a remark."""
    for told in match.history:
        line = read_press(told.line, match.game.roles) if isinstance(told.line, Remark) else told.line
        if isinstance(line, PressLine):
            yield Instant(line.t_ns, line.colour)


def _restore_untimed(match: Match, unfinished: Unfinished) -> None:
    """Lay again what lay face down, of a match whose record has been taken up. Raises Malformed or Illegal."""
    kept = unfinished.kept if unfinished.same_clock else unfinished.kept_before
    none = _who_plays_none(match)
    if match.phase is RacePhase.COLLECTING:
        if isinstance(_newest_doing_or_undo(match), Undo):
            match.stage = follow(Stage.BETWEEN, changed_to(match.phase))
        else:
            _finish(match, kept)
    _lay_again(match, kept, none)
    if not unfinished.same_clock:
        match.write(Restart())
        match.late_until_ns = 0
        _lay_again(match, unfinished.kept, ())


def _finish(match: Match, kept: Sequence[Press]) -> None:
    """Show the rest of what was being shown when the box stopped."""
    shown = match.presses()
    at_ns, known = shown[0].t_ns, {press.colour for press in shown}
    for press in sorted(kept, key=lambda press: press.t_ns):
        line = line_of(press, match.game.roles)
        if press.t_ns <= at_ns and line is not None and line.colour not in known:
            match.face_down.lay(line)
    match.stage = follow(match.stage, Happening.LAID)
    show(match, at_ns)


def _lay_again(match: Match, kept: Sequence[Press], none: Sequence[_PlaysNone]) -> None:
    """Do again, in the order of time, what the record does not have: cards that were laid, and who played none."""
    shown_ns = _shown_until(match)
    both: list[Press | _PlaysNone] = [*kept, *none]
    doings = [one for one in both if shown_ns is None or one.t_ns > shown_ns]
    for one in sorted(doings, key=lambda one: one.t_ns):
        if isinstance(one, _PlaysNone):
            match.face_down.play_none(one.colour, one.t_ns)
            match.stage = follow(match.stage, Happening.LAID)
            if not missing(match):
                show(match, one.t_ns)
        else:
            match.play(one)


def _shown_until(match: Match) -> int | None:
    """Give when cards were last shown, None where that cannot be compared."""
    for told in match.history.standing_backwards():
        if isinstance(told.line, Close):
            return told.line.t_ns
        if isinstance(told.line, Restart):
            return None
    return None


def _newest_doing_or_undo(match: Match) -> object:
    notes: tuple[type[Line], ...] = (Restart, *NOTES)
    return next((told.line for told in reversed(match.history) if not isinstance(told.line, notes)), None)


def _who_plays_none(match: Match) -> list[_PlaysNone]:
    """Give who plays no card this time, as the record's remarks have it since the newest card or judging."""
    found, is_before = [], False  # the newest clock began
    for told in reversed(match.history):
        line = told.line
        if isinstance(line, (Reveal, JudgeLine, Undo)) or (isinstance(line, Remark) and line.text == TAKEN_UP):
            break
        is_before = is_before or isinstance(line, Restart)
        if isinstance(line, Remark) and line.source == "box" and (said := _NONE.match(line.text)):
            found.append(_PlaysNone(Colour(said["colour"]), -1 if is_before else int(said["t_ns"])))
    return found


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
        seats = joined((seat.colour.short for seat in setup.seats), " ")
        title = text("{game}, match {number}").format(game=find_game(setup.game).title, number=self.unfinished.match_id)
        menu = Menu("", (MenuItem(text("resume")), MenuItem(text("new match"))), self.answer)
        return Question(text("Resume the match?"), (title, seats), menu)
