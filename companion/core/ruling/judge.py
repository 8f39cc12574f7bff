"""The judge: lines of one record in, rulings out. A pure function of the record (`record.md`). Knows no game by name.

Theory of operation. The judge knows the line types that are no part of a game: `setup` chooses the game, notes decide
nothing, `undo` goes back to the state before the newest line that still stands; everything else is the game's.
States are frozen, and the history keeps the state before each line, so an undo gives it back. A line that is refused
raises and leaves everything as it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.errors import Illegal, Malformed, UnknownGame
from companion.core.record.lines import (
    AFTER_END,
    NOTES,
    RECORD_VERSION,
    Answer,
    ByHand,
    ChanceLine,
    Close,
    End,
    Line,
    MalformedLine,
    Moved,
    Open,
    PressLine,
    Protest,
    Restart,
    Reveal,
    Setup,
    Sign,
    Undo,
    parse_line,
)
from companion.core.ruling.chance import verify_chance, verify_seed
from companion.core.ruling.history import History
from companion.core.ruling.parameters import verify_setup
from companion.core.ruling.race import verify_times
from companion.core.ruling.rulings import Fault, Outcome, Ruling, Undone
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from companion.core.panel import Colour
    from companion.core.ruling.game import Game
    from companion.core.ruling.race import Race


_AT_ANY_TIME: tuple[type[Line], ...] = (*AFTER_END, Setup)  # which is illegal for another reason
_GAME_OVER = "the game is over: only notes (`remark`, `protest`, `sign`, …), `undo` and `press` may follow `end`"


class Judge:
    """Judges one record, line by line. An `end` gives the `outcome` too.

    game, state, setup: None before the setup. history: every line judged so far, as a value that never changes.
    """

    def __init__(self, find_game: Callable[[str], Game[Any]]) -> None:
        self._find_game = find_game
        self._apply: Callable[[Any, Line], tuple[Any, tuple[Ruling, ...]]] | None = None
        self.game: Game[Any] | None = None
        self.state: Any = None
        self.setup: Setup | None = None
        self.history = History()

    @property
    def lines_read(self) -> int:
        """How many lines the record has, undone ones and `undo` lines included; the number of the newest."""
        return len(self.history)

    @property
    def extra_lines(self) -> tuple[type[Line], ...]:
        """The line types the game has beyond the standard ones; none before the setup."""
        return self.game.lines if self.game else ()

    def fresh(self) -> Judge:
        """Give a judge that has judged nothing yet and knows the same games."""
        return Judge(self._find_game)

    def feed(self, line: Line) -> tuple[Ruling, ...]:
        """Judge the next line. Raises Malformed or Illegal; then nothing has changed and the line is not counted."""
        if self._apply is None:
            return self._begin(line)
        if not isinstance(line, _AT_ANY_TIME) and self.is_over():
            raise Illegal(_GAME_OVER)
        if isinstance(line, NOTES):
            return self._note(line)
        match line:
            case Undo():
                return self._undo(line)
            case Setup():
                raise Illegal("a record has one `setup`, its first line")
            case Restart():
                return self._restart(line)
            case PressLine():
                self._verify_role(line)
            case Close() | Reveal():
                self._verify_times(line)
            case ChanceLine() | Open() | ByHand():
                self._verify_result(line)
        return self._judge(line, self._apply)

    def newest(self) -> tuple[int, Line] | None:
        """Give number and line that an `undo` would take back, None where nothing is left."""
        told = self.history.newest()
        return None if told is None else (told.number, told.line)

    def standing(self) -> tuple[tuple[int, Line], ...]:
        """Give number and line of all that still stands and could be taken back, oldest first."""
        return tuple((told.number, told.line) for told in self.history.standing())

    def is_over(self) -> bool:
        """Tell whether the game has ended; False before the setup."""
        return self.game is not None and self.game.is_over(self.state)

    def outcome(self) -> Outcome:
        """Give the `outcome` object as things stand. Raises Illegal before the setup."""
        if self.game is None:
            raise Illegal("there is no outcome before the `setup`")
        return self.game.outcome(self.state)

    def _judge(self, line: Line, apply: Callable[[Any, Line], tuple[Any, tuple[Ruling, ...]]]) -> tuple[Ruling, ...]:
        """Have the game judge a line; nothing has changed where any of it fails."""
        before = self.state
        after, rulings = apply(before, line)
        if isinstance(line, End) and self.game is not None:
            rulings = (*rulings, self.game.outcome(after))
        self.history = self.history.judged(line, rulings, before)
        self.state = after
        return rulings

    def _begin(self, line: Line) -> tuple[Ruling, ...]:
        if not isinstance(line, Setup):
            raise Illegal(f"the first line of a record is its `setup`, not `{line.__struct_config__.tag}`")
        if line.record != RECORD_VERSION:
            raise Malformed(f"field `record`: version {line.record} is unknown; this reads {RECORD_VERSION}")
        try:
            game = self._find_game(line.game)
        except UnknownGame as error:
            raise Malformed(f"field `game`: {error}") from error
        verify_setup(game, line)
        game = _as_set_up(game, line)
        self.state = game.start(line)
        self.game, self.setup, self._apply = game, line, game.apply
        self.history = self.history.noted(line, None)
        return ()

    def _verify_role(self, press: PressLine) -> None:
        roles = self.game.roles if self.game else ()
        if press.role not in roles:
            raise Malformed(f"field `role`: {press.role!r} is not a role; allowed: {', '.join(roles)}")

    def _verify_times(self, line: Close | Reveal) -> None:
        race = self.game.race(self.state) if self.game else None
        if race is not None:
            verify_times(line, race)

    def _verify_result(self, line: ChanceLine | Open | ByHand) -> None:
        """Check what holds in every game for results that the box draws or the referee enters."""
        game = self.game
        if game is None:
            return
        match line:
            case ChanceLine():
                verify_chance(line, self.history, self.setup, game.offers(self.state))
            case Open():
                verify_seed(line, self.history, self.setup, game.offers)
            case ByHand():
                self._verify_by_hand(line, game)

    def _verify_by_hand(self, line: ByHand, game: Game[Any]) -> None:
        settable = {one.key: one for one in game.adjustable(self.state)}
        if line.set not in settable:
            names = ", ".join(settable) or "nothing"
            raise Illegal(f"field `set`: {line.set!r} cannot be set by hand now; there is: {names}")
        found = settable[line.set]
        if not found.low <= line.value <= found.high:
            raise Illegal(f"field `value`: {line.value} is not from {found.low} to {found.high}")

    def _undo(self, line: Line) -> tuple[Ruling, ...]:
        gone = self.history.newest()
        if gone is None:
            raise Illegal(text("nothing is left to be taken back"))
        rulings = (Undone(line=gone.number),)
        is_moved = any(isinstance(told.line, Moved) for told in self.history[gone.number :])
        self.history = self.history.undone(line, rulings, self.state)
        self.state = self._with_new_clock(gone.before) if is_moved else gone.before
        return rulings

    def _note(self, line: Line) -> tuple[Ruling, ...]:
        if self.game is not None and self.setup is not None:
            _verify_note(line, self.history, self.setup, self.game.race(self.state), is_over=self.is_over())
        self.history = self.history.noted(line, self.state)
        if isinstance(line, Moved):
            self.state = self._with_new_clock(self.state)
        return ()

    def _restart(self, line: Line) -> tuple[Ruling, ...]:
        after = self._with_new_clock(self.state)
        self.history = self.history.judged(line, (), self.state)
        self.state = after
        return ()

    def _with_new_clock(self, state: Any) -> Any:
        return state if self.game is None else self.game.restarted(state)


def _as_set_up(game: Game[Any], setup: Setup) -> Game[Any]:
    """Give the game as a setup has it; one that has no such part is what it always is."""
    playing = getattr(game, "playing", None)
    return game if playing is None else playing(setup)


def _verify_note(line: Line, history: History, setup: Setup, race: Race | None, *, is_over: bool) -> None:
    """Raise Illegal for a note that may not stand here. race: of the game, None where there is none."""
    match line:
        case Protest():
            _verify_seat(line.colour, setup)
            if any(getattr(told.line, "colour", None) is line.colour for told in history.unanswered()):
                raise Illegal(f"field `colour`: a protest of {line.colour} has no answer yet")
        case Answer():
            _verify_answer(line, history)
        case Sign():
            _verify_seat(line.colour, setup)
            _verify_sign(line, history, is_over=is_over)
        case Moved():
            if race is not None and not race.is_between:
                raise Illegal(text("a match is moved between races: this one is still to be settled"))


def _verify_seat(colour: Colour, setup: Setup) -> None:
    if all(seat.colour is not colour for seat in setup.seats):
        raise Illegal(f"field `colour`: {colour} has no seat")


def _verify_answer(line: Answer, history: History) -> None:
    asked = history[line.protest - 1] if line.protest <= len(history) else None
    if asked is None or not isinstance(asked.line, Protest):
        raise Illegal(f"field `protest`: line {line.protest} is no protest")
    if all(told.number != line.protest for told in history.unanswered()):
        raise Illegal(f"field `protest`: the protest of line {line.protest} has its answer")


def _verify_sign(line: Sign, history: History, *, is_over: bool) -> None:
    if not is_over:
        raise Illegal("a result is signed after the `end`")
    if line.colour in history.signed():
        raise Illegal(f"field `colour`: {line.colour} has signed this result already")
    if waiting := history.unanswered():
        raise Illegal(f"the protest of line {waiting[0].number} has no answer yet")


def judge_record(lines: Iterable[bytes], find_game: Callable[[str], Game[Any]]) -> Iterator[Ruling]:
    """Judge a whole record, giving each ruling as soon as its line has been read.

    The `outcome` comes at an `end`, and after the last line if the game is not over then. A faulty line gives a
    `Fault`, and nothing after it is read.
    """
    for _, rulings in judged_lines(lines, Judge(find_game)):
        yield from rulings


def judged_lines(lines: Iterable[bytes], judge: Judge) -> Iterator[tuple[Line | None, tuple[Ruling, ...]]]:
    """Feed `judge` a whole record: each line with its rulings, at last None with the final outcome or the `Fault`."""
    number = 0
    for number, raw in enumerate(lines, start=1):
        try:
            line = parse_line(raw, number, judge.extra_lines)
            rulings = judge.feed(line)
        except (Malformed, Illegal) as error:
            yield None, (fault(number, error),)
            return
        yield line, rulings
    if number == 0:
        yield None, (fault(1, Malformed("the record is empty; its first line is the `setup`")),)
    elif not judge.is_over():
        yield None, (judge.outcome(),)


def fault(number: int, error: Malformed | Illegal) -> Fault:
    """Give the `error` object for line `number`, where `error` was raised."""
    message = error.reason if isinstance(error, MalformedLine) else str(error)
    return Fault(line=number, kind="malformed" if isinstance(error, Malformed) else "illegal", message=message)
