"""The record of a running match: each line judged as it is written, then given to be stored; what it says of the game.

Knows no clock, and not when a race closes.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

from companion.core.errors import Illegal
from companion.core.match.effects import Effect, Log, Wrote
from companion.core.match.waiting.repeated import Repeated
from companion.core.record.lines import NOTES, ChanceLine, Close, Line, Open, PressLine, Remark, Restart, Reveal, Setup
from companion.core.ruling.chance import drawn, next_number
from companion.core.ruling.judge import Judge
from companion.core.ruling.offers import REVEAL
from companion.core.ruling.rulings import Ignored, Ruling
from companion.core.shown.scene import Status
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.core.record.lines import Moved, Undo
    from companion.core.ruling.game import Deadline, Game
    from companion.core.ruling.history import History, Told
    from companion.core.ruling.offers import Offer, Option
    from companion.core.ruling.race import Race, RacePhase
    from companion.core.ruling.view import View


NOTHING_TO_UNDO = text("there is nothing to take back")


class Remembered:
    """What a game has said in the state that it is in: asked again, it says the same, so nothing rests on this."""

    def __init__(self) -> None:
        self._game: object = None
        self._state: object = None
        self._said: dict[object, Any] = {}

    def of(self, game: object, state: object) -> dict[object, Any]:
        """Give what has been said in this state; nothing yet in a new one, or by a game of another language."""
        if self._state is not state or self._game is not game:
            self._game, self._state, self._said = game, state, {}
        return self._said


class MatchRecord:
    """One record. `effects` collects what is to be done in the world; the caller empties it.

    fault: why the journal cannot store, empty while it can. failed_at: how many lines it had when the game refused what
    follows by itself, None where it never has. seed: that the setup commits to; empty where the box has none, or has
    shown it. repeated: the presses that are told together. moves: the `moved` line, if the match was begun on another
    box and the line is still to be written, otherwise None. Its `previous` is filled in when it is stored.
    """

    def __init__(self, find_game: Callable[[str], Game[Any]]) -> None:
        self.judge = Judge(find_game)
        self.effects: list[Effect] = []
        self.durable_lines = 0
        self.fault = ""
        self.seed = ""
        self.failed_at: int | None = None
        self.repeated = Repeated()
        self.moves: Moved | None = None
        self._rests_on = 0  # number of lines that the newest ruling rests on
        self._said = Remembered()

    # -- writing -----------------------------------------------------------------------------------------------------

    def write(self, line: Line) -> tuple[Ruling, ...]:
        """Judge a line, then have it stored. Raises what the judge raises; nothing has changed then."""
        rulings = self.judge.feed(line)
        self.effects.append(Wrote(line))
        if not isinstance(line, (PressLine, Reveal, Close, Restart, *NOTES)):
            self._rests_on = self.lines_written
        for ruling in rulings:
            if isinstance(ruling, Ignored):
                self.effects.append(Log(f"ignored: {ruling.colour} {ruling.role}: {ruling.reason}"))
        if not isinstance(line, (PressLine, *NOTES)):  # what a press means may have changed
            for said in self.repeated.begin_anew():
                self.remark(*said)
        return rulings

    def remark(self, text: str, source: str | None = None) -> None:
        """Note something; it decides nothing."""
        self.write(Remark(text=text, source=source))

    @property
    def can_move(self) -> bool:
        """Tell whether it is still to be written that the match goes on here, and may be: not within a race."""
        if self.moves is None or self.is_over:
            return False
        return self.race is None or self.race.is_between

    def move(self) -> None:
        """Write that the match goes on here, where that may be written now."""
        if self.moves is not None and self.can_move:
            moved, self.moves = self.moves, None
            self.write(moved)

    def take_up(self, lines: Iterable[Line]) -> None:
        """Judge what is stored already. Raises Malformed or Illegal."""
        for line in lines:
            self.judge.feed(line)
        self.durable_lines = self._rests_on = self.lines_written

    @property
    def saved(self) -> Status:
        """How far the newest ruling is stored: saving, final, or not recorded."""
        if self.durable_lines >= self._rests_on:
            return Status.FINAL
        return Status.NOT_RECORDED if self.fault else Status.SAVING

    @property
    def has_failed(self) -> bool:
        """Tell whether what follows by itself was refused, and nothing has changed since."""
        return self.failed_at == self.lines_written

    # -- chance ------------------------------------------------------------------------------------------------------

    @property
    def can_roll(self) -> bool:
        """Tell whether the box has a seed to roll from."""
        return bool(self.seed)

    def has_shown_seed(self) -> bool:
        """Tell whether the seed has been shown, so that nothing more may be drawn from it."""
        return any(isinstance(told.line, Open) for told in self.history.standing())

    def rolled(self, offer: Offer, result: tuple[str, ...] | None) -> ChanceLine:
        """Give the line of a roll or a draw that is on offer. result: what came out by hand, None has the box roll.

        Raises Illegal where nothing is to be rolled, or the box cannot.
        """
        chance = offer.chance
        if chance is None:
            raise Illegal(text("nothing is to be rolled or drawn"))
        if result is None and not self.seed:
            raise Illegal(text("the box has no seed to roll from: roll by hand, and enter what came out"))
        n, by_box = next_number(chance.name, self.history), result is None
        if result is None:
            result = None if chance.is_secret else drawn(self.seed, chance, n)
        return ChanceLine(name=chance.name, n=n, by="box" if by_box else "hand", result=result)

    # -- what it says of the game ------------------------------------------------------------------------------------

    @property
    def history(self) -> History:
        """Every line of the record with its rulings, as a value that another thread may keep."""
        return self.judge.history

    @property
    def lines_written(self) -> int:
        """How many lines the record has."""
        return len(self.history)

    @property
    def game(self) -> Game[Any]:
        """The game that is played."""
        if self.judge.game is None:
            raise Illegal(text("the match has not begun"))
        return self.judge.game

    @property
    def setup(self) -> Setup:
        """The setup line."""
        if self.judge.setup is None:
            raise Illegal(text("the match has not begun"))
        return self.judge.setup

    @property
    def race(self) -> Race | None:
        """Where the game says its race stands."""
        return self.game.race(self.judge.state)

    @property
    def phase(self) -> RacePhase | None:
        """What a press means now; None in a game with no race."""
        race = self.race
        return race.phase if race else None

    @property
    def is_over(self) -> bool:
        """Tell whether the match has ended."""
        return self.game.is_over(self.judge.state)

    def deadline(self) -> Deadline | None:
        """Give when the game goes on by itself, None where it never does."""
        return None if self.is_over else self.game.deadline(self.judge.state)

    def offers(self) -> tuple[Offer, ...]:
        """Give every decision that may or must be made now, the most urgent first; the game is asked once a state."""
        state = self.judge.state
        said = self._said.of(self.game, state)
        if "offers" not in said:
            said["offers"] = self.game.offers(state)
        offers: tuple[Offer, ...] = said["offers"]
        return offers

    def offers_of(self, kind: str) -> tuple[Offer, ...]:
        """Give the offers of one kind."""
        return tuple(offer for offer in self.offers() if offer.kind == kind)

    def must_decide(self) -> Offer | None:
        """Give the first decision without which play cannot go on, None where there is none."""
        return next((offer for offer in self.offers() if offer.required), None)

    def cards(self) -> tuple[Option, ...]:
        """Give the cards that can be entered now, as options."""
        return tuple(option for offer in self.offers_of(REVEAL) for option in offer.options)

    def view(self) -> View:
        """Give what everybody may see."""
        return self.game.view(self.judge.state)


def undoing(judge: Judge, newest: Told, undo: Undo) -> list[Line]:
    """Give the lines that take `newest`, the newest doing, back: with others where the game says that they go together.

    A new clock that has begun since stays begun. Raises Illegal, with the reason, where it cannot be now.
    """
    if judge.game is None:
        raise Illegal(NOTHING_TO_UNDO)
    how = judge.game.taking_back(judge.state, newest.line)
    trial = copy(judge)
    written: list[Line] = []

    def write(line: Line) -> None:
        trial.feed(line)
        written.append(line)

    is_another_clock = False
    for _ in range(max(1, how.lines)):
        doing = trial.history.newest_doing()
        if doing is None:
            raise Illegal(
                text("{count} lines would go back together, and there are not so many").format(count=how.lines)
            )
        while trial.history.taken_back_by(doing.number) is None:
            is_another_clock = is_another_clock or _is_restart(trial)
            write(undo)
    if is_another_clock:
        write(Restart())
    if how.then is not None:
        write(how.then)
    return written


def _is_restart(judge: Judge) -> bool:
    newest = judge.history.newest()
    return newest is not None and isinstance(newest.line, Restart)
