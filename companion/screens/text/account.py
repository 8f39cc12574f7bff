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
    Seat,
    Setup,
    Sign,
    Undo,
)
from companion.core.record.words import by_says, line_words
from companion.core.ruling.judge import Judge, judged_lines
from companion.core.ruling.looks import button_named, card_says
from companion.core.ruling.race import RacePhase
from companion.core.ruling.rulings import Fault, Order, Outcome, Place, Ruling, Undone
from companion.core.shown.race_rows import basis_at, rows
from companion.core.timing.events import MS
from companion.core.words.language import ENGLISH
from companion.core.words.texts import capital, in_language, joined, named, text
from companion.screens.text.history import reasons, ruling_says
from companion.screens.text.ledgers import ledger_lines
from companion.screens.text.wording import allowance, exact_ms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from companion.core.panel import Colour
    from companion.core.ruling.game import Game
    from companion.core.ruling.race import Race
    from companion.core.words.language import Language

ANTICIPATED_NS = 100 * MS
"""Nobody sees a card and presses sooner than this; it is told and never punished."""


def replay_account(
    lines: Iterable[bytes], find_game: Callable[[str], Game[Any]], language: Language = ENGLISH
) -> Iterator[str]:
    """Give the readable account of a record in a language, sentence by sentence, without ends of line."""
    return Account(find_game, language).tell(lines)


class Account:
    """Tells one record, in a language. fault: the error that ended it, None while there is none."""

    def __init__(self, find_game: Callable[[str], Game[Any]], language: Language = ENGLISH) -> None:
        self._language = language
        self.fault: Fault | None = None
        self._judge = Judge(find_game)
        self._undo_note: tuple[str, ...] = ()
        self._whys: dict[Colour, str] = {}  # why each player of the newest race was punished
        self._revealed_ns: int | None = None  # when the newest card was entered
        self._is_scanned = False  # by a reader, which knows the time

    def tell(self, lines: Iterable[bytes]) -> Iterator[str]:
        """Give the sentences for all lines; call once."""
        for sentence in self._sentences(lines):
            yield _printable(in_language(sentence, self._language))

    def _sentences(self, lines: Iterable[bytes]) -> Iterator[str]:
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
            yield from ledger_lines(ledger, self._language)

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
                after = text("{colour} reveals: {card} (entered after the first press).")
                says = after if race.card_joined else text("{colour} reveals: {card}.")
                yield says.format(colour=race.revealer, card=self._card(line))
            case Names():
                yield text("Names: {names}.").format(names=_names(line)) if line.names else text("Names: none.")
            case Remark():
                self._is_scanned = self._is_scanned or line.source == SCANNER
                says = text("Remark ({source}): {text}") if line.source else text("Remark: {text}")
                yield says.format(source=line.source, text=line.text)
            case Restart() | Evidence() | Protest() | Answer() | Sign() | Moved() | Seal():
                yield _sentence(line_words(line))
            case ByHand() if self._judge.game is not None:
                words = self._judge.history[-1].says(self._judge.game)
                told = words if "by hand" in words else text("by hand: {what}").format(what=words)
                yield _sentence(told)
            case End():
                yield text("The game is ended.")
            case Undo(reason=reason, by=by):
                self._revealed_ns = None
                told_by = text("by {name}").format(name=by_says(by)) if by else ""
                self._undo_note = tuple(filter(None, (told_by, reason or "")))
            case HandLine() if self._judge.game is not None:
                yield text("By hand: {what}.").format(what=self._judge.game.describe(line))

    def _card(self, line: Reveal) -> str:
        game = self._judge.game
        return line.card if game is None else card_says(game.deck, line.card)

    def _ruling(self, ruling: Ruling) -> Iterator[str]:
        game = self._judge.game
        match ruling:
            case Fault():
                self.fault = ruling
                says = text("Line {line} is {kind}: {message}")
                yield says.format(line=ruling.line, kind=ruling.kind, message=ruling.message)
            case Order():
                yield from self._order(ruling)
            case Undone():
                yield self._taken_back(ruling)
            case Outcome():
                yield from self._outcome(ruling)
            case _ if game is not None:
                for sentence in ruling_says(ruling, game, whys=self._whys):
                    yield joined((sentence, "."), "")

    def _taken_back(self, ruling: Undone) -> str:
        game = self._judge.game
        words = self._judge.history[ruling.line - 1].says(game) if game else ""
        if self._undo_note:
            says = text('Line {line}, "{what}", is taken back ({note}).')
            return says.format(line=ruling.line, what=words, note=joined(self._undo_note))
        return text('Line {line}, "{what}", is taken back.').format(line=ruling.line, what=words)

    def _order(self, ruling: Order) -> Iterator[str]:
        history = self._judge.history
        error_ns = {press.colour: press.error_ns for press in history.presses_of(len(history))}
        name = self._judge.game.race_name if self._judge.game else ""
        says = text("{race_name} {race}: {first}")
        yield says.format(race_name=name, race=ruling.race, first=_first(ruling, error_ns))
        game = self._judge.game
        if game is None:
            return
        self._whys = reasons(history, len(history), game)
        found = rows(ruling.order, history.presses_of(len(history)), game, basis_at(history, history[-1], game))
        for place, row in zip(ruling.order, found, strict=True):
            moved = (allowance(row.allowance),) if row.allowance is not None else ()
            button = text("{place}. {colour} {button}").format(place=place.place, colour=place.colour, button=row.role)
            told = _place(place, ruling.order[0], error_ns, self._whys.get(place.colour, ""), (button, *moved))
            yield joined(("  ", joined(filter(None, (*told, self._reaction(place))))), "")

    def _reaction(self, place: Place) -> str:
        """Tell how long after a scanned card the press came; one sooner than a person can see it was anticipated."""
        if not self._is_scanned or self._revealed_ns is None or place.t_ns < self._revealed_ns:
            return ""
        reaction_ns = place.t_ns - self._revealed_ns
        is_marked = reaction_ns < ANTICIPATED_NS and place.anticipated is not True
        says = text("{time} ms after the card (anticipated)") if is_marked else text("{time} ms after the card")
        return says.format(time=exact_ms(reaction_ns))

    def _outcome(self, ruling: Outcome) -> Iterator[str]:
        game, race = self._judge.game, self._current_race()
        if race is not None and race.phase in {RacePhase.COLLECTING, RacePhase.CLOSED}:
            pressed = joined(
                joined((press.colour.says, button_named(game, press.role) if game else press.role), " ")
                for press in race.presses
            )
            yield text("Not judged: {presses}.").format(presses=pressed)
        for offer in game.offers(self._judge.state) if game else ():
            if offer.required and offer.seat:
                yield text("{colour} has yet to choose.").format(colour=offer.seat)
        own = game.sentences(ruling) if game is not None else None
        if own is not None:
            yield from own
        elif game is not None:
            view = game.view(self._judge.state)
            scores = joined(joined((colour.says, str(score)), " ") for colour, score in view.scores)
            yield text("Score ({label}): {scores}.").format(label=view.score_label, scores=scores)
        yield _victory(ruling.over, ruling.ahead())
        for told in self._judge.history.unanswered():
            yield text("No answer yet: {what}.").format(what=line_words(told.line))


def _setup(line: Setup, judge: Judge) -> Iterator[str]:
    title = judge.game.title if judge.game else line.game
    seats = joined(_seat(seat) for seat in line.seats)
    told = text("{game}. Seats, clockwise: {seats}.").format(game=title, seats=seats)
    yield joined(filter(None, (told, _first_seat(line, judge))), " ")
    if line.variants:
        yield text("Variants: {variants}.").format(variants=joined(_variants(line.variants, judge)))
    if goes := POLICIES[line.dead_heat].told:
        yield goes
    if line.timing == "untimed":
        yield text("Nothing is timed: all cards are shown at once.")
    if rule := line.anticipation:
        says = (
            text("A press less than {time} ms after its card was turned is punished.")
            if rule.rule == "punish"
            else text("A press less than {time} ms after its card was turned is told.")
        )
        yield says.format(time=rule.ms)


def _seat(seat: Seat) -> str:
    if not seat.allowance_ms:
        return seat.colour.says
    return text("{colour} [allowance {time} ms]").format(colour=seat.colour, time=seat.allowance_ms)


def _variants(keys: Sequence[str], judge: Judge) -> list[str]:
    """Give the variants by their names in records, which other languages say by the game's labels."""
    labels = {one.key: one.label for one in judge.game.parameters} if judge.game else {}
    return [named(key, labels.get(key, key)) for key in keys]


def _first_seat(line: Setup, judge: Judge) -> str:
    """Say who begins, or what else the first one is; nothing where nobody has a turn."""
    game = judge.game
    if game is None or game.view(judge.state).turn is None:
        return ""
    if first := game.seats.first:
        return text("{first}: {colour}.").format(first=capital(first), colour=line.first)
    return text("{colour} begins.").format(colour=line.first)


def _names(line: Names) -> str:
    return joined(
        (text("{colour} is {name}") if name else text("{colour} has none")).format(colour=colour, name=name)
        for colour, name in line.names.items()
    )


def _victory(is_over: bool, leaders: tuple[Colour, ...]) -> str:
    """Say who has won or leads; a game in which nobody can has no leaders."""
    names = _all(colour.says for colour in leaders)
    if not is_over:
        if not leaders:
            return text("The game is not over.")
        leads = text("The game is not over; {names} leads.")
        return (leads if len(leaders) == 1 else text("The game is not over; {names} lead.")).format(names=names)
    if not leaders:
        return text("The game is over.")
    return (text("{names} wins.") if len(leaders) == 1 else text("{names} share the victory.")).format(names=names)


def _all(names: Iterable[str]) -> str:
    """Give "red and blue and green"."""
    said: str
    said, *others = (*names, "")
    for name in others[:-1]:
        said = text("{parts} and {last}").format(parts=said, last=name)
    return said


def _first(ruling: Order, error_ns: dict[Colour, int]) -> str:
    first, *others = ruling.order
    if not others:
        return text("only {colour} pressed.").format(colour=first.colour)
    second = others[0]
    if second.colour in first.tied_with:
        says = text("{first} is placed before {second}, too close to call ({margin}).")
    elif second.gap_ns < 0:
        says = text("{first} is placed first by an allowance, {second} {margin}.")
    else:
        says = text("{first} was first, {second} {margin}.")
    return says.format(first=first.colour, second=second.colour, margin=_gap(second, first, error_ns))


def _place(place: Place, first: Place, error_ns: dict[Colour, int], why: str, begun: tuple[str, ...]) -> list[str]:
    """Give what is said of a place, in parts. begun: who it is, and what has moved it."""
    who, *moved = begun
    parts = [who, *([] if place is first else [_gap(place, first, error_ns)]), *moved]
    if place.dead_heat:
        parts.append(text("dead heat"))
    if place.anticipated is True:
        parts.append(text("anticipated"))
    if place.verdict == "punish":
        parts.append(text("punishable: {why}").format(why=why or text("the play was not allowed")))
    return parts


def _gap(place: Place, first: Place, error_ns: dict[Colour, int]) -> str:
    sum_ns = error_ns.get(place.colour, 0) + error_ns.get(first.colour, 0)
    later = text("{time} ± {error} ms later")
    says = later if place.gap_ns >= 0 else text("{time} ± {error} ms earlier by the raw times")
    return says.format(time=exact_ms(abs(place.gap_ns)), error=exact_ms(sum_ns))


def _sentence(words: str) -> str:
    return joined((capital(words), "."), "")


def _printable(said: str) -> str:
    """Give text in which control characters are spelt out: a record must not steer the reader's terminal."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode() for character in said
    )
