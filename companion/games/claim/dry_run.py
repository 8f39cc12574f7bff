"""What a game file would have ruled on a past record, of any game that races (`docs/games/claim.md`, Dry run). Pure.

The record is judged twice, line by line: by its own game, and as one of Claim with the file. Names are taken over where
they agree; a hand of another name goes by its place among the buttons.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from companion.core.errors import Illegal, Malformed
from companion.core.record.lines import ByHand, Close, JudgeLine, PressLine, Restart, Reveal, Setup, SetupFile
from companion.core.ruling.judge import Judge
from companion.core.ruling.parameters import Difference, DryRun
from companion.core.ruling.race import RacePhase
from companion.core.ruling.rulings import Ignored, Order, Settled
from companion.games.claim import settling
from companion.games.claim.lines import PressSettled
from companion.games.claim.play import claim_line
from companion.games.claim.state import FILE, NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from companion.core.panel import Colour
    from companion.core.record.lines import Line
    from companion.core.ruling.game import Game
    from companion.core.ruling.rulings import Place, Ruling
    from companion.games.claim.lines import ClaimLine

_TAKEN_OVER = (Reveal, PressLine, Close, JudgeLine, ByHand, Restart)
RIGHT = "claim"


class _Outcome(NamedTuple):
    """What came of a press: its result, and the cards that went."""

    result: str
    cards: tuple[str, ...]


class _Race:
    """A race as one judge has it. why_not: why it was not judged, empty where it was."""

    def __init__(self, order: tuple[Place, ...] = (), why_not: str = "") -> None:
        self.order, self.why_not = order, why_not
        self.outcomes: dict[Colour, _Outcome] = {}

    def take(self, rulings: Iterable[Ruling]) -> None:
        """Note what became of presses."""
        for ruling in rulings:
            if isinstance(ruling, Settled):
                cards = ruling.named() if isinstance(ruling, PressSettled) else ruling.moved()
                self.outcomes[ruling.colour] = _Outcome(ruling.result, cards)

    def agrees(self, other: _Race) -> bool:
        """Tell whether both have the same presses in the same order, right and wrong, with the same outcome."""
        if self.why_not or other.why_not or len(self.order) != len(other.order):
            return False
        pairs = zip(self.order, other.order, strict=True)
        return all(self._same_place(other, one, two) for one, two in pairs)

    def _same_place(self, other: _Race, one: Place, two: Place) -> bool:
        """Compare a place; a game that has no verdicts takes every press for right."""
        if one.colour is not two.colour or (one.verdict or RIGHT) != two.verdict:
            return False
        mine = self.outcomes.get(one.colour)
        return mine is None or mine == other.outcomes.get(two.colour)

    def says(self) -> str:
        """Tell it in a sentence."""
        return self.why_not or "; ".join(map(self._says_place, self.order)) + "."

    def _says_place(self, place: Place) -> str:
        outcome = self.outcomes.get(place.colour)
        what = "right" if (place.verdict or RIGHT) == RIGHT else f"wrong ({place.why})"
        told = "" if outcome is None or outcome.result == "punished" else f", {outcome.result}"
        cards = f": {', '.join(outcome.cards)}" if outcome is not None and outcome.cards else ""
        return f"{place.place}. {place.colour} {place.role}: {what}{told}{cards}"


class _Twice:
    """A record that is judged by its own game and by a file. races: by number, as each judge has them."""

    def __init__(self, own: Judge, dry: Judge) -> None:
        self.own, self.dry = own, dry
        self.races: list[tuple[int, _Race, _Race]] = []
        self.chosen: dict[int, list[Line]] = {}
        self.cards, self.known_cards = 0, 0
        self.skipped = ""
        self.stranger = ""

    def feed(self, line: Line) -> None:
        """Judge a line with both."""
        rulings = self.own.feed(line)
        order = next((ruling for ruling in rulings if isinstance(ruling, Order)), None)
        if order is not None:
            self.races.append((order.race, _Race(order.order), self._judged()))
        elif isinstance(line, _TAKEN_OVER) and not isinstance(line, JudgeLine):
            self._take_over(line, rulings)
        if self.races:
            self.races[-1][1].take(rulings)

    def _take_over(self, line: Line, rulings: tuple[Ruling, ...]) -> None:
        if isinstance(line, PressLine):
            if any(isinstance(ruling, Ignored) for ruling in rulings):
                return
            line = replace(line, role=self._hand(line.role))
        self.cards += isinstance(line, Reveal)
        try:
            self.dry.feed(line)
        except (Malformed, Illegal) as error:
            self.skipped = self.skipped or str(error)
            self.stranger = self.stranger or (line.card if isinstance(line, Reveal) else "")
        else:
            self.known_cards += isinstance(line, Reveal)

    def _hand(self, role: str) -> str:
        """Give the file's hand for a button: of the same name, else at the same place, else the last."""
        hands, roles = (judge.game.roles if judge.game else () for judge in (self.dry, self.own))
        at = tuple(roles).index(role) if role in roles else 0
        return role if role in hands else hands[min(at, len(hands) - 1)]

    def _judged(self) -> _Race:
        """Judge a race by the file, and settle it whole, with the record's own choices where they mean anything."""
        try:
            rulings = self.dry.feed(JudgeLine())
        except (Malformed, Illegal) as error:
            return _Race(why_not=f"not judged: {self.skipped or error}")
        order = next(ruling for ruling in rulings if isinstance(ruling, Order))
        race = _Race(order.order)
        race.take(rulings)
        chosen = self.chosen.get(len(self.races), [])
        while self.dry.state.phase is RacePhase.SETTLING:
            race.take(self.dry.feed(_choice(self.dry, chosen)))
        self.skipped = ""
        return race


def dry_run(text: str, record: Sequence[Line], find: Callable[[str], Game[Any]]) -> DryRun:
    """Judge the lines of a record that stand by a file that is in order. find: gives installed games by name."""
    setup = record[0] if record else None
    if not isinstance(setup, Setup):
        return DryRun(0, 0, why_not="a record begins with its `setup`")
    claim = find(NAME)
    twice = _Twice(Judge(find), Judge(find))
    try:
        twice.own.feed(setup)
        twice.dry.feed(_as_claim(setup, claim, text))
        twice.chosen = _choices_of(record)
        for line in record[1:]:
            twice.feed(line)
    except (Malformed, Illegal) as error:
        return DryRun(0, 0, why_not=f"it cannot be judged: {error}")
    if not twice.known_cards and twice.dry.game is not None and twice.dry.game.deck:
        why = f"none of its cards is one of this file's: {twice.stranger}" if twice.cards else "it has no cards"
        return DryRun(0, 0, why_not=why)
    return _told(twice)


def _told(twice: _Twice) -> DryRun:
    if not twice.races:
        return DryRun(0, 0, why_not="no race was judged in it")
    differing = tuple(
        Difference(number, own.says(), dry.says()) for number, own, dry in twice.races if not own.agrees(dry)
    )
    return DryRun(len(twice.races), len(twice.races) - len(differing), differing)


def _as_claim(setup: Setup, claim: Game[Any], text: str) -> Setup:
    return replace(
        setup,
        game=claim.name,
        edition=claim.edition,
        variants=None,
        parameters=None,
        files={FILE: SetupFile(FILE, text)},
        seed_sha256=None,
    )


def _choices_of(record: Sequence[Line]) -> dict[int, list[Line]]:
    """Give the lines of a game's own after each `judge`, by its place among them: what was chosen in that race."""
    found: dict[int, list[Line]] = {}
    judged = -1
    for line in record[1:]:
        if isinstance(line, JudgeLine):
            judged += 1
        elif not isinstance(line, _TAKEN_OVER):
            found.setdefault(judged, []).append(line)
    return found


def _choice(dry: Judge, chosen: list[Line]) -> ClaimLine:
    """Give the choice that must be made: the one most like what the record has of that seat, else the first."""
    state = dry.state
    lines = [claim_line(state, choice) for choice in settling.open_choices(state)]
    own = [line for line in chosen if getattr(line, "colour", None) is lines[0].colour]
    said = {value for line in own for value in _said(line)}
    return max(lines, key=lambda line: len(said.intersection(_said(line))))


def _said(line: Line) -> set[str]:
    return {value for name in line.__struct_fields__ if isinstance(value := getattr(line, name), str)}
