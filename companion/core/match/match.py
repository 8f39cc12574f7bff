"""A match as it is played: what came from outside becomes lines of its record, each judged as it is written.

The live box and `replay` share the judge, so they cannot disagree. This module decides *when* a race closes and is
judged (`race_phases`), keeps presses that came before their card was entered (`early_presses`), and those that lie face
down in an untimed match (`untimed`). Knows no knob, no menu and no device; times come in.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from dataclasses import replace as dataclass_replace
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.core.errors import CompanionError, Illegal
from companion.core.match import announcing
from companion.core.match.anticipated import anticipated
from companion.core.match.effects import Log, Sound, Tone, sounds_of
from companion.core.match.held_cards import HeldCard, release
from companion.core.match.laying import LIE_FACE_DOWN, is_untimed, lay, show, why_not
from companion.core.match.match_record import NOTHING_TO_UNDO, MatchRecord, undoing
from companion.core.match.race_phases import Happening, Stage, changed_to, follow
from companion.core.match.waiting.belated import belated_says, is_belated
from companion.core.match.waiting.early_presses import EarlyPresses, Waited
from companion.core.match.waiting.face_down import FaceDown
from companion.core.match.waiting.unpicked import Unpicked
from companion.core.panel import BUTTON_BY_LABEL, Button, Colour, Position, role_of
from companion.core.profiles.holding import switches_of
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
from companion.core.record.told_presses import told_time
from companion.core.ruling.race import RacePhase
from companion.core.ruling.replacing import preview
from companion.core.ruling.rulings import Ignored, Ruling
from companion.core.shown.scene import Status
from companion.core.shown.times import USUAL
from companion.core.timing.events import SECOND, Press
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from companion.core.match.announcing import Announced
    from companion.core.profiles.holding import Sitter
    from companion.core.ruling.game import Deadline, Game
    from companion.core.ruling.history import History
    from companion.core.ruling.offers import Offer, Option
    from companion.core.ruling.race import Race
    from companion.core.ruling.replacing import Edit, Preview
    from companion.core.switches.ways import SwitchScanning


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """How a race is collected.

    window_ns: how long presses are collected after the first, 0.5 to 120 s.
    extensions_ns: what a seat that has not pressed yet adds to the window, 0 to 120 s.
    late_ns: a press so soon after a race's close (or its last choice) was meant for that race: too late, and not the
        beginning of the next. A game whose next race is open at once is judged only after this pause.
    speaks: the box has a voice, and the knob's menu what can be wished of it. again: the button of a seat
        that nobody plays, "purple fourth", whose press has it say the newest again; "" for none.
    accepts_ns: how long a seat's contact must last to be a press; a long time is agreed to before the match.
    is_spoken: a card is said aloud before it is shown (`announcing`). announcement_ns: how long that is waited for.
    switches: how the seats scan that play by a switch; a press of theirs has no card until one is picked.
    sitters: who plays by a profile of their own, which is in the times above already.
    """

    window_ns: int = 3 * SECOND
    extensions_ns: Mapping[Colour, int] = field(default_factory=dict)
    late_ns: int = SECOND
    accepts_ns: Mapping[Colour, int] = field(default_factory=dict)
    speaks: bool = False
    again: str = ""
    is_spoken: bool = False
    announcement_ns: int = USUAL.announcement_ns
    switches: Mapping[Colour, SwitchScanning] = field(default_factory=dict)
    sitters: Mapping[Colour, Sitter] = field(default_factory=dict)

    def with_sitters(self, sitters: Mapping[Colour, Sitter]) -> PlaySettings:
        """Give the settings of a match that these people play by profiles of their own."""
        extensions = {colour: one.extension_ns for colour, one in sitters.items() if one.extension_ns is not None}
        accepts = {c: one.filters.accept_ns for c, one in sitters.items() if one.filters.accept_ns is not None}
        return dataclass_replace(
            self,
            extensions_ns={**self.extensions_ns, **extensions},
            accepts_ns={**self.accepts_ns, **accepts},
            switches=switches_of(self.switches, sitters),
            sitters=dict(sitters),
        )


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
        self.face_down = FaceDown()
        self.announced: Announced | None = None  # the card that is being said
        self.announcements = 0
        self.opened_ns = 0  # when the newest word had ended
        self.unpicked = Unpicked()
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
        race = self.race
        if not self.stage.is_early:
            return race.presses if race else ()
        begun = race.presses if race and race.phase is RacePhase.COLLECTING else ()  # before a switch had others wait
        free = _colours(self.setup) - {press.colour for press in begun} - set(self.unpicked)
        return (*begun, *self.early.in_race(free))

    @property
    def closes_at_ns(self) -> int | None:
        """When the running race closes by itself: at once when every seat has pressed, else by its window."""
        times = made_at(self) if self.stage.has_window else {}
        if not times:
            return None
        missing = _colours(self.setup) - set(times)
        if not missing:
            return max(times.values())
        extension_ns = max(self.settings.extensions_ns.get(colour, 0) for colour in missing)
        closes_ns = min(times.values()) + self.settings.window_ns + extension_ns
        return max(closes_ns, *times.values())  # a seat's longer window may have ended meanwhile

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
            self.effects.append(Sound(Tone.IGNORED, (line.colour,)))
            return
        if line is not None and self.race is not None and announcing.is_too_early(self, press.t_ns):
            announcing.refuse_early(self, press)
            return
        if self.race is not None and _by_switch(self, press):
            return
        if line is not None and self.race is not None and is_untimed(self.setup):
            lay(self, press, line)
            return
        if line is not None and self.race is not None:
            if not counting(self, (press,)) and self.repeated.leaves_out(press.line, press.t_ns):
                self.effects.append(Sound(Tone.IGNORED, (line.colour,)))
            else:
                self.put(line)
            return
        why = "has no such button" if line is None else "does not want it now"
        seat = BUTTON_BY_LABEL[press.line].colour
        self.effects += [Sound(Tone.IGNORED, (seat,)), Log(f"ignored: {press.line}: {self.game.title} {why}")]

    def reveal(self, option: Option, t_ns: int, chord: Press | None = None, *, is_said: bool = False) -> None:
        """A card was entered at `t_ns`, or seen being turned then (`turned` in its line).

        chord: the press that named it, kept in case it was a play. is_said: it has been announced, where that is done.
        Raises Illegal where that card cannot be there; nothing has changed then.
        """
        if not isinstance(option.line, Reveal):
            raise Illegal(text("that is not a card to be revealed"))
        if not is_said and announcing.is_due(self):
            announcing.begin(self, option.line, t_ns)
            return
        self.write(replace(option.line, t_ns=t_ns))
        self.face_down.next_card()
        is_press = chord is not None and not is_untimed(self.setup)
        self._chord = line_of(chord, self.game.roles) if chord is not None and is_press else None
        self.effects.append(Sound(Tone.ACCEPTED))
        if self.unpicked:  # the presses wait for a seat's own card still
            return
        self.stage = follow(self.stage, Happening.CARD)
        _let_follow(self, self.early.take())
        if self.stage.asks_card:
            self.judge_now()

    def no_card(self) -> None:
        """No card was turned that has not been entered: judge, or record early presses as the ignored ones they are.

        Raises Illegal while a seat's own card is being picked.
        """
        self.unpicked.verify_none()
        if not self.stage.is_early:
            self.judge_now()
            return
        self.stage = follow(self.stage, Happening.NO_CARD)
        waited = tuple(self.early)
        self.early.take()
        for line in waited:
            self.write(line)
        self.effects.append(Sound(Tone.IGNORED, tuple(dict.fromkeys(line.colour for line in waited))))

    def close(self, t_ns: int | None) -> None:
        """The race takes no more presses from `t_ns` on; None: none at all. Raises Illegal where none is running."""
        if not self.stage.is_collecting:
            raise Illegal(text("no race is running that could be closed"))
        if is_untimed(self.setup):
            self.unpicked.verify_none()
        if self.face_down:
            show(self, self.late_until_ns + 1 if t_ns is None else t_ns)
            return
        newest_ns = max(made_at(self).values())
        t_ns = None if t_ns is None else max(t_ns, newest_ns)
        closed_ns = newest_ns if t_ns is None else t_ns
        if self.stage.is_early:
            self.early.close(t_ns)
        else:
            self.write(Close(t_ns=t_ns))
        self.late_until_ns = closed_ns + self.settings.late_ns
        if self.stage.is_early:
            self.stage = follow(self.stage, Happening.PICKS if self.unpicked else Happening.CLOSED)
            return
        self.stage = follow(self.stage, _closing(self, t_ns))
        if not self.stage.is_pausing:
            self.judge_now()

    def fix(self, colour: Colour, place: int, remark: str = "") -> None:
        """The card of a press by a switch is picked: the press counts with it, at its own time.

        place: of the seat's buttons, from 0. remark: how it came about, for the record. Raises Illegal where no press
        of that seat waits for its card.
        """
        press = self.unpicked.take(colour)
        label = Button(colour, tuple(Position)[place]).label
        press = press._replace(line=label)
        line = line_of(press, self.game.roles)
        if is_untimed(self.setup) and line is not None:
            if remark:
                self.remark(remark, "box")  # a button would tell which card lies there
            lay(self, press, line)
            return
        if line is not None:
            self.early.add_by_time(line)
        self.effects.append(Sound(Tone.ACCEPTED))
        if not self.unpicked:
            _go_on_with_all_cards(self)
        if remark:
            self.remark(remark, label)

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
        self.unpicked.verify_none()
        if self.early:
            raise Illegal(text("there are presses whose card has not been entered"))
        _verify_none_face_down(self)
        self.move()  # after an `end` it could not be said, and nothing would be sealed
        if self.seed and self.game.can_end(self.judge.state):
            self.write(Open(seed=self.seed))
            self.seed = ""
        self.write(End())

    def undo(self, reason: str | None = None, by: str | None = None) -> Line:
        """Take back the newest line that stands, and give it, as the game has such lines taken back.

        A new clock that began after it is none of anybody's doing, and stays begun. Raises Illegal where there is
        nothing to take back, or the game says that something is to be done first; nothing has changed then.
        """
        _verify_none_face_down(self)
        self.unpicked.verify_none()
        newest = self.history.newest_doing()
        if newest is None:
            raise Illegal(NOTHING_TO_UNDO)
        for line in undoing(self.judge, newest, Undo(reason=reason, by=by)):
            self.write(line)
        self.stage = follow(self.stage, changed_to(self.phase))
        return newest.line

    def was_play(self) -> None:
        """The button that named the newest card was a play: the card is taken back and the press counts at its time."""
        self.unpicked.verify_none()
        reveal = _chord_reveal(self.history)
        if reveal is None or self._chord is None:
            raise Illegal(text("no card was entered by a button that could have been a play"))
        plays = [self._chord]
        self._chord = None
        for told in self.history.standing_backwards():
            self.write(Undo(reason="the button was a play"))
            if told.number == reveal:
                break
            if isinstance(told.line, PressLine):
                plays.insert(0, told.line)
        for line in sorted(plays, key=lambda press: press.t_ns):
            self.put(line)
        self.stage = follow(self.stage, changed_to(self.phase))

    def replace(
        self, edits: Sequence[Edit], reason: str, by: str, verify: Callable[[Preview], None] | None = None
    ) -> Preview:
        """Change earlier lines: later ones that still fit stand again after them.

        verify: raises where what would come of it is not wanted. Raises what `preview` and `verify` raise; nothing has
        changed then.
        """
        self.unpicked.verify_none()
        if self.early:
            raise Illegal(
                text("there are presses whose card has not been entered: enter it, or say that there was none")
            )
        _verify_none_face_down(self)
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
        if self.announced is not None and self.announced.until_ns <= settled_ns:
            announcing.end(self, self.announced.token, self.announced.until_ns, announcing.NO_END)
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
        said_ns = self.announced.until_ns if self.announced is not None else None
        instants = (own, deadline.t_ns if deadline else None, said_ns, self.repeated.next_deadline())
        return min((t for t in instants if t is not None), default=None)

    def put(self, line: PressLine) -> None:
        """Put a press into the race, or have it wait for its card."""
        is_early = self.phase is RacePhase.WAITING and line.t_ns > self.late_until_ns
        if self.stage.is_early or (is_early and line.colour in _colours(self.setup)):
            begun = () if self.race is None else self.race.presses if self.phase is RacePhase.COLLECTING else ()
            counts = self.early.add(line) and all(press.colour is not line.colour for press in begun)
            self.stage = follow(self.stage, Happening.WAITS)
        else:
            counts = not any(isinstance(ruling, Ignored) for ruling in self._write_press(line))
        is_too_soon = counts and line.colour in anticipated(self)
        tone = Tone.REFUSED if is_too_soon else Tone.ACCEPTED if counts else Tone.IGNORED
        self.effects.append(Sound(tone, (line.colour,)))

    # -- inside ------------------------------------------------------------------------------------------------------

    def _write_press(self, line: PressLine) -> tuple[Ruling, ...]:
        rulings = self.write(line)
        if self.phase is RacePhase.COLLECTING:
            self.stage = follow(self.stage, Happening.COUNTS)
        return rulings

    def say(self, rulings: tuple[Ruling, ...]) -> None:
        """Sound what has just been ruled, and end the match where nothing more can come."""
        self.effects += sounds_of(rulings, self.must_decide())
        if self.game.is_exhausted(self.judge.state):
            self.end()


def _verify_none_face_down(match: Match) -> None:
    if match.face_down:
        raise Illegal(LIE_FACE_DOWN)


def made_at(match: Match) -> dict[Colour, int]:
    """Say when each seat made its press that counts in the race that runs, also where its card is to be picked yet."""
    return {**{press.colour: press.t_ns for press in match.presses()}, **match.unpicked.times()}


def _let_follow(match: Match, waited: Waited) -> None:
    """Let presses that waited follow their card into the record, those after the close behind it."""
    for press in waited.in_time:
        match._write_press(press)
    if waited.is_closed:
        match.write(Close(t_ns=waited.closed_ns))
        match.stage = follow(match.stage, _closing(match, waited.closed_ns))
    for press in waited.late:
        match.write(press)


def _closing(match: Match, t_ns: int | None) -> Happening:
    """Say what the close of a race at `t_ns` is: late presses are waited out where the next race is open at once."""
    is_paused = (
        not _has_cards(match.race) and t_ns is not None and match.settings.late_ns and not is_untimed(match.setup)
    )
    return Happening.PAUSED if is_paused else Happening.CLOSED


def _by_switch(match: Match, press: Press) -> bool:
    """Take a press of a seat that plays by a switch, which names no card. False where it comes to nothing else."""
    colour = BUTTON_BY_LABEL[press.line].colour
    if colour not in match.settings.switches:
        return False
    if colour in match.unpicked:
        when = told_time(press.t_ns, press.error_ns)
        match.remark(f"{press.line}: a press was made while nothing was offered to pick a card from {when}", press.line)
        match.effects.append(Sound(Tone.IGNORED, (colour,)))
        return True
    if is_untimed(match.setup):
        if why_not(match, colour, press.t_ns):
            return False
    elif not counting(match, (press._replace(line=Button(colour, Position.FIRST).label),)):
        return False
    match.unpicked.commit(colour, press)
    match.stage = follow(match.stage, Happening.LAID if is_untimed(match.setup) else Happening.WAITS)
    match.effects.append(Sound(Tone.ACCEPTED, (colour,)))
    return True


def _go_on_with_all_cards(match: Match) -> None:
    """Every seat's own card is picked: what waited for that goes on, unless the card that was turned is missing yet."""
    if match.phase is RacePhase.WAITING:
        match.stage = follow(match.stage, Happening.PICKED)
        return
    match.stage = follow(match.stage, Happening.CARD)
    _let_follow(match, match.early.take())
    if match.stage.asks_card:
        match.judge_now()


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
    free = _colours(match.setup) - set(made_at(match))
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
    if announcing.is_too_early(match, line.t_ns):
        return False
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
