"""A record as a person reads it: who was first, by how much, who was punished and why, who takes what, the score.

Pure: lines in, sentences out, each as soon as its line has been read. Knows no game; a game may give its own sentences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.play.scanning import SCANNER
from companion.core.record.dead_heats import POLICIES
from companion.core.record.lines import (
    Answer,
    ByHand,
    End,
    Evidence,
    HandLine,
    Line,
    Moved,
    Names,
    Protest,
    Remark,
    Restart,
    Reveal,
    Seal,
    Setup,
    Sign,
    Undo,
)
from companion.core.record.words import line_words
from companion.core.ruling.judge import Judge, judged_lines
from companion.core.ruling.looks import card_says
from companion.core.ruling.race import RacePhase
from companion.core.ruling.rulings import Fault, Order, Outcome, Place, Ruling, Undone
from companion.core.shown.race_rows import basis_at, rows
from companion.core.timing.events import MS
from companion.screens.text.history import reasons, ruling_says
from companion.screens.text.ledgers import ledger_lines
from companion.screens.text.wording import allowance, exact_ms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from companion.core.panel import Colour
    from companion.core.ruling.game import Game
    from companion.core.ruling.race import Race

ANTICIPATED_NS = 100 * MS
"""Nobody sees a card and presses sooner than this; it is told and never punished."""


def replay_account(lines: Iterable[bytes], find_game: Callable[[str], Game[Any]]) -> Iterator[str]:
    """Give the readable account of a record, sentence by sentence, without ends of line."""
    return Account(find_game).tell(lines)


class Account:
    """Tells one record. fault: the error that ended it, None while there is none."""

    def __init__(self, find_game: Callable[[str], Game[Any]]) -> None:
        self.fault: Fault | None = None
        self._judge = Judge(find_game)
        self._undo_note = ""
        self._whys: dict[Colour, str] = {}  # why each player of the newest race was punished
        self._revealed_ns: int | None = None  # when the newest card was entered
        self._is_scanned = False  # by a reader, which knows the time

    def tell(self, lines: Iterable[bytes]) -> Iterator[str]:
        """Give the sentences for all lines; call once."""
        for line, rulings in judged_lines(lines, self._judge):
            race = self._current_race()
            if line is not None:
                yield from self._happening(line, race)
            for ruling in rulings:
                yield from self._ruling(ruling)
        yield from self._ledgers()

    def _ledgers(self) -> Iterator[str]:
        """Give the accounts that the game keeps, as tables, at the end."""
        game = self._judge.game
        for ledger in game.ledgers(self._judge.state) if game is not None else ():
            yield from map(_printable, ledger_lines(ledger))

    def _current_race(self) -> Race | None:
        judge = self._judge
        return None if judge.game is None else judge.game.race(judge.state)

    def _happening(self, line: Line, race: Race | None) -> Iterator[str]:
        """Tell what came from outside; presses are told when their race is judged."""
        match line:
            case Setup():
                yield from _setup(line, self._judge)
            case Reveal() if race is not None:
                self._revealed_ns, self._is_scanned = line.t_ns, False
                late = " (entered after the first press)" if race.card_joined else ""
                yield f"{race.revealer} reveals: {self._card(line)}{late}."
            case Names():
                yield f"Names: {_printable(_names(line)) or 'none'}."
            case Remark():
                self._is_scanned = self._is_scanned or line.source == SCANNER
                source = f" ({_printable(line.source)})" if line.source else ""
                yield f"Remark{source}: {_printable(line.text)}"
            case Restart() | Evidence() | Protest() | Answer() | Sign() | Moved() | Seal():
                words = _printable(line_words(line))
                yield f"{words[0].upper()}{words[1:]}."
            case ByHand() if self._judge.game is not None:
                words = _printable(self._judge.history[-1].says(self._judge.game))
                told = words if "by hand" in words else f"by hand: {words}"
                yield f"{told[0].upper()}{told[1:]}."
            case End():
                yield "The game is ended."
            case Undo(reason=reason, by=by):
                self._revealed_ns = None
                note = ", ".join(filter(None, (by and f"by {_printable(by)}", reason and _printable(reason))))
                self._undo_note = f" ({note})" if note else ""
            case HandLine() if self._judge.game is not None:
                words = _printable(self._judge.game.describe(line))
                yield f"By hand: {words}."

    def _card(self, line: Reveal) -> str:
        game = self._judge.game
        return line.card if game is None else card_says(game.deck, line.card)

    def _ruling(self, ruling: Ruling) -> Iterator[str]:
        game = self._judge.game
        match ruling:
            case Fault():
                self.fault = ruling
                yield f"Line {ruling.line} is {ruling.kind}: {_printable(ruling.message)}"
            case Order():
                yield from self._order(ruling)
            case Undone():
                words = _printable(self._judge.history[ruling.line - 1].says(game)) if game else ""
                yield f'Line {ruling.line}, "{words}", is taken back{self._undo_note}.'
            case Outcome():
                yield from self._outcome(ruling)
            case _ if game is not None:
                for sentence in ruling_says(ruling, game, whys=self._whys):
                    yield f"{sentence}."

    def _order(self, ruling: Order) -> Iterator[str]:
        history = self._judge.history
        error_ns = {press.colour: press.error_ns for press in history.presses_of(len(history))}
        name = self._judge.game.race_name if self._judge.game else ""
        yield f"{name} {ruling.race}: {_first(ruling, error_ns)}"
        game = self._judge.game
        if game is None:
            return
        self._whys = reasons(history, len(history), game)
        found = rows(ruling.order, history.presses_of(len(history)), game, basis_at(history, history[-1], game))
        for place, row in zip(ruling.order, found, strict=True):
            moved = f", {allowance(row.allowance)}" if row.allowance is not None else ""
            told = _place(place, ruling.order[0], error_ns, self._whys.get(place.colour, ""), moved)
            yield f"  {told}{self._reaction(place)}"

    def _reaction(self, place: Place) -> str:
        """Tell how long after a scanned card the press came; one sooner than a person can see it was anticipated."""
        if not self._is_scanned or self._revealed_ns is None or place.t_ns < self._revealed_ns:
            return ""
        reaction_ns = place.t_ns - self._revealed_ns
        mark = " (anticipated)" if reaction_ns < ANTICIPATED_NS and place.anticipated is not True else ""
        return f", {exact_ms(reaction_ns)} ms after the card{mark}"

    def _outcome(self, ruling: Outcome) -> Iterator[str]:
        game, race = self._judge.game, self._current_race()
        if race is not None and race.phase in {RacePhase.COLLECTING, RacePhase.CLOSED}:
            pressed = ", ".join(f"{press.colour} {press.role}" for press in race.presses)
            yield f"Not judged: {pressed}."
        for offer in game.offers(self._judge.state) if game else ():
            if offer.required and offer.seat:
                yield f"{offer.seat} has yet to choose."
        own = game.sentences(ruling) if game is not None else None
        if own is not None:
            yield from own
        elif game is not None:
            view = game.view(self._judge.state)
            yield f"Score ({view.score_label}): {', '.join(f'{colour} {score}' for colour, score in view.scores)}."
        yield _victory(ruling.over, ruling.ahead())
        for told in self._judge.history.unanswered():
            yield f"No answer yet: {_printable(line_words(told.line))}."


def _setup(line: Setup, judge: Judge) -> Iterator[str]:
    title = judge.game.title if judge.game else line.game
    seats = ", ".join(
        f"{seat.colour}" + (f" [allowance {seat.allowance_ms} ms]" if seat.allowance_ms else "") for seat in line.seats
    )
    yield f"{title}. Seats, clockwise: {seats}.{_first_seat(line, judge)}"
    if line.variants:
        yield f"Variants: {', '.join(line.variants)}."
    if told := POLICIES[line.dead_heat].told:
        yield told
    if line.timing == "untimed":
        yield "Nothing is timed: all cards are shown at once."
    if rule := line.anticipation:
        what = "punished" if rule.rule == "punish" else "told"
        yield f"A press less than {rule.ms} ms after its card was turned is {what}."


def _first_seat(line: Setup, judge: Judge) -> str:
    """Say who begins, or what else the first one is; nothing where nobody has a turn."""
    game = judge.game
    if game is None or game.view(judge.state).turn is None:
        return ""
    first = game.seats.first
    return f" {first[0].upper()}{first[1:]}: {line.first}." if first else f" {line.first} begins."


def _names(line: Names) -> str:
    return ", ".join(f"{colour} is {name}" if name else f"{colour} has none" for colour, name in line.names.items())


def _victory(is_over: bool, leaders: tuple[Colour, ...]) -> str:
    """Say who has won or leads; a game in which nobody can has no leaders."""
    names = " and ".join(leaders)
    if not is_over:
        return "The game is not over" + (f"; {names} {'leads' if len(leaders) == 1 else 'lead'}." if names else ".")
    if not names:
        return "The game is over."
    return f"{names} wins." if len(leaders) == 1 else f"{names} share the victory."


def _first(ruling: Order, error_ns: dict[Colour, int]) -> str:
    first, *others = ruling.order
    if not others:
        return f"only {first.colour} pressed."
    second = others[0]
    margin = _gap(second, first, error_ns)
    if second.colour in first.tied_with:
        return f"{first.colour} is placed before {second.colour}, too close to call ({margin})."
    if second.gap_ns < 0:
        return f"{first.colour} is placed first by an allowance, {second.colour} {margin}."
    return f"{first.colour} was first, {second.colour} {margin}."


def _place(place: Place, first: Place, error_ns: dict[Colour, int], why: str, moved: str = "") -> str:
    parts = [f"{place.place}. {place.colour} {place.role}"]
    if place is not first:
        parts.append(_gap(place, first, error_ns))
    parts[-1] += moved
    if place.dead_heat:
        parts.append("dead heat")
    if place.anticipated is True:
        parts.append("anticipated")
    if place.verdict == "punish":
        parts.append(f"punishable: {why or 'the play was not allowed'}")
    return ", ".join(parts)


def _gap(place: Place, first: Place, error_ns: dict[Colour, int]) -> str:
    sum_ns = error_ns.get(place.colour, 0) + error_ns.get(first.colour, 0)
    side = "later" if place.gap_ns >= 0 else "earlier by the raw times"
    return f"{exact_ms(abs(place.gap_ns))} ± {exact_ms(sum_ns)} ms {side}"


def _printable(text: str) -> str:
    """Give text in which control characters are spelt out: a record must not steer the reader's terminal."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode() for character in text
    )
