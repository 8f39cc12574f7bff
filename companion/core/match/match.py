"""A match as it is played: what came from outside becomes lines of its record, each judged as it is written.

The live box and `replay` share the judge, so they cannot disagree. This module decides *when* a race closes and is
judged (`race_phases`), and keeps presses that came before their card was entered (`early_presses`). Knows no knob, no
menu and no device; times come in.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.core.errors import CompanionError, Illegal
from companion.core.match.anticipated import anticipated
from companion.core.match.effects import Log, Sound, Tone
from companion.core.match.held_cards import HeldCard, release
from companion.core.match.match_record import NOTHING_TO_UNDO, MatchRecord, undoing
from companion.core.match.race_phases import Happening, Stage, changed_to, follow
from companion.core.match.waiting.belated import belated_says, is_belated
from companion.core.match.waiting.early_presses import EarlyPresses, Waited
from companion.core.panel import BUTTON_BY_LABEL, Colour, role_of
from companion.core.record.lines import (
    Close,
    End,
    JudgeLine,
    Line,
    Names,
    Open,
    PressLine,
    Reveal,
    Setup,
    TimedLine,
    Undo,
)
from companion.core.ruling.race import RacePhase
from companion.core.ruling.replacing import preview
from companion.core.ruling.rulings import Ignored, Ruling, Settled
from companion.core.shown.scene import Status
from companion.core.timing.events import SECOND, Press

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from companion.core.ruling.game import Deadline, Game
    from companion.core.ruling.history import History
    from companion.core.ruling.offers import Offer, Option
    from companion.core.ruling.race import Race
    from companion.core.ruling.replacing import Edit, Preview


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """How a race is collected.

    window_ns: how long presses are collected after the first, 0.5 to 120 s.
    extensions_ns: what a seat that has not pressed yet adds to the window, 0 to 120 s.
    late_ns: a press so soon after a race's close (or its last choice) was meant for that race: too late, and not the
        beginning of the next. A game whose next race is open at once is judged only after this pause.
    accepts_ns: how long a seat's contact must last to be a press; a long time is agreed to before the match.
    """

    window_ns: int = 3 * SECOND
    extensions_ns: Mapping[Colour, int] = field(default_factory=dict)
    late_ns: int = SECOND
    accepts_ns: Mapping[Colour, int] = field(default_factory=dict)


class Match(MatchRecord):
    """One running match: what is done in it, and when its races close.

    late_until_ns: a press up to then is too late for the race that was closed last, and begins none. holds_from_ns:
    something may have been picked then that is not known yet, so that no later deadline is written; None: nothing.
    """

    def __init__(self, find_game: Callable[[str], Game[Any]], settings: PlaySettings) -> None:
        super().__init__(find_game)
        self.settings = settings
        self.stage = Stage.BETWEEN
        self.held: list[HeldCard] = []
        self.early = EarlyPresses()
        self.late_until_ns = 0
        self.holds_from_ns: int | None = None
        self._chord: PressLine | None = None

    # -- beginning ---------------------------------------------------------------------------------------------------

    def begin(self, setup: Setup, names: Mapping[Colour, str] | None = None) -> None:
        """Start the match; `names`: of people. Raises Malformed or Illegal for a setup the game refuses."""
        self.write(setup)
        if names:
            self.write(Names(names=dict(names)))

    def take_up_race(self, lines: Iterable[Line]) -> None:
        """Take up a match from its record (`resuming.resume`). Raises Malformed or Illegal."""
        self.take_up(lines)
        if self.phase is RacePhase.COLLECTING:
            self.stage = follow(self.stage, Happening.COUNTS)
        else:
            self.stage = follow(self.stage, changed_to(self.phase))
        closes = (told.line.t_ns for told in self.history.standing_backwards() if isinstance(told.line, Close))
        closed_ns = next(closes, None)
        self.late_until_ns = 0 if closed_ns is None else closed_ns + self.settings.late_ns

    # -- what is the case --------------------------------------------------------------------------------------------

    @property
    def status(self) -> Status:
        """How far what there is to show of the race can be relied on."""
        if self.stage.is_collecting:
            return Status.PROVISIONAL
        if self.stage is not Stage.BETWEEN:
            return Status.CLOSED
        return self.saved

    def presses(self) -> tuple[PressLine, ...]:
        """Give the presses that count in the running race, early ones included; the first of each seat."""
        if self.stage.is_early:
            return self.early.in_race(_colours(self.setup))
        race = self.race
        return race.presses if race else ()

    @property
    def closes_at_ns(self) -> int | None:
        """When the running race closes by itself: at once when every seat has pressed, else by its window."""
        presses = self.presses() if self.stage.has_window else ()
        if not presses:
            return None
        missing = _colours(self.setup) - {press.colour for press in presses}
        if not missing:
            return max(press.t_ns for press in presses)
        extension_ns = max(self.settings.extensions_ns.get(colour, 0) for colour in missing)
        closes_ns = min(press.t_ns for press in presses) + self.settings.window_ns + extension_ns
        return max(closes_ns, *(press.t_ns for press in presses))  # a seat's longer window may have ended meanwhile

    def can_be_play(self) -> bool:
        """Tell whether the newest card entered by knob and button can still be called a play."""
        return self._chord is not None and _chord_reveal(self.history) is not None

    # -- what is done ------------------------------------------------------------------------------------------------

    def play(self, press: Press) -> None:
        """A button was pressed as a play; presses come in the order of time."""
        self.advance(press.t_ns - 1)
        line = line_of(press, self.game.roles)
        if line is not None and self.race is not None and _is_belated(self, press):
            self.remark(belated_says(press), press.line)
            self.effects.append(Sound(Tone.IGNORED))
            return
        if line is not None and self.race is not None:
            if not counting(self, (press,)) and self.repeated.leaves_out(press.line, press.t_ns):
                self.effects.append(Sound(Tone.IGNORED))
            else:
                self._put(line)
            return
        why = "has no such button" if line is None else "does not want it now"
        self.effects += [Sound(Tone.IGNORED), Log(f"ignored: {press.line}: {self.game.title} {why}")]

    def reveal(self, option: Option, t_ns: int, chord: Press | None = None) -> None:
        """A card was entered at `t_ns`, or seen being turned then (`turned` in its line).

        chord: the press that named it, kept in case it was a play. Raises Illegal where that card cannot be there;
        nothing has changed then.
        """
        if not isinstance(option.line, Reveal):
            raise Illegal("that is not a card to be revealed")
        self.write(replace(option.line, t_ns=t_ns))
        self._chord = None if chord is None else line_of(chord, self.game.roles)
        self.effects.append(Sound(Tone.ACCEPTED))
        self.stage = follow(self.stage, Happening.CARD)
        self._let_follow(self.early.take())
        if self.stage.asks_card:
            self.judge_now()

    def no_card(self) -> None:
        """No card was turned that has not been entered: judge, or record early presses as the ignored ones they are."""
        if not self.stage.is_early:
            self.judge_now()
            return
        self.stage = follow(self.stage, Happening.NO_CARD)
        waited = tuple(self.early)
        self.early.take()
        for line in waited:
            self.write(line)
        self.effects.append(Sound(Tone.IGNORED))

    def close(self, t_ns: int | None) -> None:
        """The race takes no more presses from `t_ns` on; None: none at all. Raises Illegal where none is running."""
        if not self.stage.is_collecting:
            raise Illegal("no race is running that could be closed")
        newest_ns = max(press.t_ns for press in self.presses())
        t_ns = None if t_ns is None else max(t_ns, newest_ns)
        closed_ns = newest_ns if t_ns is None else t_ns
        if self.stage.is_early:
            self.early.close(t_ns)
        else:
            self.write(Close(t_ns=t_ns))
        self.late_until_ns = closed_ns + self.settings.late_ns
        race = self.race
        if not self.stage.is_early and not _has_cards(race) and t_ns is not None and self.settings.late_ns:
            self.stage = follow(self.stage, Happening.PAUSED)
            return
        self.stage = follow(self.stage, Happening.CLOSED)
        if not self.stage.is_early:
            self.judge_now()

    def judge_now(self) -> None:
        """The table is as this race finds it. Raises Illegal where no closed race waits."""
        rulings = self.write(JudgeLine())
        self.stage = follow(self.stage, Happening.JUDGED)
        self._chord = None
        self.say(rulings)

    def choose(self, line: Line, t_ns: int, error_ns: int | None = 0) -> None:
        """Somebody chose, at `t_ns` ± `error_ns` (None: nobody timed it). Raises Illegal where that is not on offer."""
        rulings = self.write(_timed(line, t_ns, error_ns))
        self.late_until_ns = t_ns + self.settings.late_ns
        self.say(rulings)

    def roll(self, offer: Offer, result: tuple[str, ...] | None, t_ns: int) -> None:
        """Roll or draw what is on offer: by the box, or by hand, with what came out. Raises Illegal."""
        self.choose(self.rolled(offer, result), t_ns)

    def end(self) -> None:
        """The match is over. Raises Illegal in the middle of a race."""
        if self.early:
            raise Illegal("there are presses whose card has not been entered")
        if self.seed and self.game.can_end(self.judge.state):
            self.write(Open(seed=self.seed))
            self.seed = ""
        self.write(End())

    def undo(self, reason: str | None = None, by: str | None = None) -> Line:
        """Take back the newest line that stands, and give it, as the game has such lines taken back.

        A new clock that began after it is none of anybody's doing, and stays begun. Raises Illegal where there is
        nothing to take back, or the game says that something is to be done first; nothing has changed then.
        """
        newest = self.history.newest_doing()
        if newest is None:
            raise Illegal(NOTHING_TO_UNDO)
        for line in undoing(self.judge, newest, Undo(reason=reason, by=by)):
            self.write(line)
        self.stage = follow(self.stage, changed_to(self.phase))
        return newest.line

    def was_play(self) -> None:
        """The button that named the newest card was a play: the card is taken back and the press counts at its time."""
        reveal = _chord_reveal(self.history)
        if reveal is None or self._chord is None:
            raise Illegal("no card was entered by a button that could have been a play")
        plays = [self._chord]
        self._chord = None
        for told in self.history.standing_backwards():
            self.write(Undo(reason="the button was a play"))
            if told.number == reveal:
                break
            if isinstance(told.line, PressLine):
                plays.insert(0, told.line)
        for line in sorted(plays, key=lambda press: press.t_ns):
            self._put(line)
        self.stage = follow(self.stage, changed_to(self.phase))

    def replace(
        self, edits: Sequence[Edit], reason: str, by: str, verify: Callable[[Preview], None] | None = None
    ) -> Preview:
        """Change earlier lines: later ones that still fit stand again after them.

        verify: raises where what would come of it is not wanted. Raises what `preview` and `verify` raise; nothing has
        changed then.
        """
        if self.early:
            raise Illegal("there are presses whose card has not been entered: enter it, or say that there was none")
        outcome = preview(self.judge.fresh(), self.judge.outcome(), self.history, edits)
        if verify is not None:
            verify(outcome)
        for _ in range(outcome.undone):
            self.write(Undo(reason=reason, by=by))
        for line in outcome.again:
            self.write(line)
        self._chord = None
        self.stage = follow(self.stage, changed_to(self.phase))
        if self.game.is_exhausted(self.judge.state) and not self.is_over:
            self.end()
        return outcome

    def advance(self, settled_ns: int) -> None:
        """Close the race if its window is over, judge it; every press up to `settled_ns` has been given.

        Raises CompanionError where the game refuses what follows; it is tried again when the record has changed.
        """
        for said in self.repeated.advance(settled_ns):
            self.remark(*said)
        if self.has_failed:
            return
        try:
            self._follow_time(settled_ns)
        except CompanionError:
            self.failed_at = self.lines_written
            raise

    def _follow_time(self, settled_ns: int) -> None:
        closes_at_ns = self.closes_at_ns
        if closes_at_ns is not None and closes_at_ns <= settled_ns:
            self.close(closes_at_ns)
        if self.stage.is_pausing and self.late_until_ns <= settled_ns:
            self.judge_now()
        release(self)
        deadline = _deadline_of(self)
        if deadline is not None and deadline.t_ns <= settled_ns:
            self.choose(deadline.line, deadline.t_ns)

    def next_deadline(self) -> int | None:
        """Give the settled instant at which `advance` next has something to do, None where it never has."""
        if self.has_failed:
            return None
        own = self.late_until_ns if self.stage.is_pausing else self.closes_at_ns
        deadline = _deadline_of(self)
        instants = (own, deadline.t_ns if deadline else None, self.repeated.next_deadline())
        return min((t for t in instants if t is not None), default=None)

    # -- inside ------------------------------------------------------------------------------------------------------

    def _put(self, line: PressLine) -> None:
        is_early = self.phase is RacePhase.WAITING and line.t_ns > self.late_until_ns
        if self.stage.is_early or (is_early and line.colour in _colours(self.setup)):
            counts = self.early.add(line)
            self.stage = follow(self.stage, Happening.WAITS)
        else:
            counts = not any(isinstance(ruling, Ignored) for ruling in self._write_press(line))
        is_too_soon = counts and line.colour in anticipated(self)
        self.effects.append(Sound(Tone.REFUSED if is_too_soon else Tone.ACCEPTED if counts else Tone.IGNORED))

    def _write_press(self, line: PressLine) -> tuple[Ruling, ...]:
        rulings = self.write(line)
        if self.phase is RacePhase.COLLECTING:
            self.stage = follow(self.stage, Happening.COUNTS)
        return rulings

    def _let_follow(self, waited: Waited) -> None:
        """Let presses that waited follow their card into the record, those after the close behind it."""
        for press in waited.in_time:
            self._write_press(press)
        if waited.is_closed:
            self.write(Close(t_ns=waited.closed_ns))
            self.stage = follow(self.stage, Happening.CLOSED)
        for press in waited.late:
            self.write(press)

    def say(self, rulings: tuple[Ruling, ...]) -> None:
        """Sound what has just been ruled, and end the match where nothing more can come."""
        if any(ruling.is_alarm() for ruling in rulings):
            self.effects.append(Sound(Tone.TIME_UP))
        elif any(isinstance(ruling, Settled) and ruling.result == "punished" for ruling in rulings):
            self.effects.append(Sound(Tone.PUNISHED))
        elif self.must_decide() is not None:
            self.effects.append(Sound(Tone.CHOOSE))
        else:
            self.effects.append(Sound(Tone.ACCEPTED))
        if self.game.is_exhausted(self.judge.state):
            self.end()


def _deadline_of(match: Match) -> Deadline | None:
    """Give the deadline that is waited for; None while it is held back, and within a race, whose window counts."""
    deadline = match.deadline() if match.stage is Stage.BETWEEN else None
    held_ns = match.holds_from_ns
    return None if deadline is None or (held_ns is not None and held_ns <= deadline.t_ns) else deadline


def _timed(line: Line, t_ns: int, error_ns: int | None) -> Line:
    """Give a choice with the instant at which it was made, where its line has one. What has a time keeps it."""
    if isinstance(line, Reveal):
        return replace(line, t_ns=t_ns)
    if isinstance(line, TimedLine) and line.t_ns is None and error_ns is not None:
        return replace(line, t_ns=t_ns, error_ns=error_ns)
    return line


def line_of(press: Press, roles: tuple[str, ...]) -> PressLine | None:
    """Give a press as the record has it, None where the game has no such button. roles: what it calls its buttons."""
    button = BUTTON_BY_LABEL[press.line]
    role = role_of(button, roles)
    if role is None:
        return None
    return PressLine(colour=button.colour, role=role, t_ns=press.t_ns, error_ns=press.error_ns)


def counting(match: Match, presses: Iterable[Press]) -> tuple[PressLine, ...]:
    """Give those of `presses`, in the order of time, that would count now: the first of each seat that has none."""
    free = _colours(match.setup) - {press.colour for press in match.presses()}
    first: dict[Colour, PressLine] = {}
    for press in presses:
        line = line_of(press, match.game.roles)
        if line is not None and line.colour in free and _is_wanted(match, line) and not _is_belated(match, press):
            first.setdefault(line.colour, line)
    return tuple(first.values())


def _is_belated(match: Match, press: Press) -> bool:
    """Tell whether a press is of a race that has been judged since."""
    return not match.stage.awaits_judging and is_belated(match.history, press)


def _is_wanted(match: Match, line: PressLine) -> bool:
    """Tell whether a race takes a press of this time, or begins with it."""
    if match.stage.is_collecting:
        return match.closes_at_ns is None or line.t_ns <= match.closes_at_ns
    if match.stage is not Stage.BETWEEN:
        return False
    is_early = match.phase is RacePhase.WAITING and line.t_ns > match.late_until_ns
    return is_early or match.phase is RacePhase.OPEN


def _has_cards(race: Race | None) -> bool:
    """Tell whether cards are entered in this game."""
    return race is not None and (race.takes_card or race.card is not None or race.phase is RacePhase.WAITING)


def _chord_reveal(history: History) -> int | None:
    """Give the number of the line by which a button named the newest card, None where it is too late."""
    for told in history.standing_backwards():
        if isinstance(told.line, Reveal):
            return told.number
        if not isinstance(told.line, PressLine):
            return None
    return None


def _colours(setup: Setup) -> frozenset[Colour]:
    return frozenset(seat.colour for seat in setup.seats)
