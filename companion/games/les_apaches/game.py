"""Les Apaches de Paris as the contract of a game wants it: what is asked, start, apply, outcome. Knows no device."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from companion.core.panel import POSITIONS
from companion.core.ruling.game import Adjustable
from companion.core.ruling.looks import Card
from companion.core.ruling.parameters import Choice, FileFault, Parameter, Sample, Seats, setting
from companion.core.words.texts import joined
from companion.games.les_apaches.offers import Offering, card_name
from companion.games.les_apaches.rules import hand, play
from companion.games.les_apaches.rules.board import check_board
from companion.games.les_apaches.rules.districts import LISTED, LOOTS, QUARTERS, named
from companion.games.les_apaches.rules.lines import LINES, ApachesOutcome
from companion.games.les_apaches.rules.state import Phase, State, by_colour, fit
from companion.games.les_apaches.symbols import SYMBOLS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.record.lines import Line, Setup
    from companion.core.ruling.looks import Symbol
    from companion.core.ruling.rulings import Ruling

_BOARD = "companion.games.les_apaches:board.toml"


class LesApaches(Offering):
    """The game object that the entry point gives."""

    name = "les-apaches"
    title = "Les Apaches de Paris"
    seats = Seats(2, 4)
    lines: tuple[type[Line], ...] = LINES
    roles: tuple[str, ...] = POSITIONS
    rolls = True
    words = "companion.games.les_apaches"
    demo = "companion.games.les_apaches:demo.script"
    rules = "companion.games.les_apaches:rules.md"
    clauses: Mapping[str, str] = {}
    symbols: Mapping[str, Symbol] = SYMBOLS

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Give which districts are open, who draws the burghers, and the board file."""
        sets = tuple(Choice(named(one), " ".join(map(str, one))) for one in LISTED)
        districts = (Choice("printed", self.text("as printed")), *sets, Choice("other", self.text("other")))
        burghers = (Choice("pieces", self.text("pieces")), Choice("box", self.text("box")))
        label = self.text("District {n}")
        return (
            Parameter("districts", self.text("Districts"), "choice", "printed", districts),
            *(Parameter(f"district-{n}", label.format(n=n)) for n in QUARTERS),
            Parameter("burghers", self.text("Burghers"), "choice", "pieces", burghers),
            Parameter("board", self.text("Board"), "file", _board_text()),
        )

    @property
    def deck(self) -> tuple[Card, ...]:
        """Give a card for each thing that a district's hideout may say, for labels and scanner."""
        return _deck(self)

    def card(self, number: int, loot: str) -> Card:
        """Return the card for one kind of loot in a district's hideouts."""
        symbol = loot.partition(" ")[0]
        label = joined((str(number), self.loot_says(loot)), " ")
        return Card(
            card_name(number, loot), self.text("hideouts {what}").format(what=label), symbol=symbol, label=label
        )

    def samples(self, key: str) -> tuple[Sample, ...]:
        """Give the board file as far as the rule book prints it."""
        return (Sample("board.toml", self.text("As printed"), _BOARD),) if key == "board" else ()

    def check_file(self, key: str, text: str) -> tuple[FileFault, ...]:
        """Give all that is wrong with a board file."""
        return check_board(text) if key == "board" else ()

    def start(self, setup: Setup) -> State:
        """Give the state before the first hideout is taken. Raises Malformed or Illegal."""
        asked = {parameter.key: parameter for parameter in self.parameters}
        return play.started(
            setup,
            districts=str(setting(setup, asked["districts"])),
            others=tuple(n for n in QUARTERS if setting(setup, asked[f"district-{n}"])),
            by_box=setting(setup, asked["burghers"]) == "box",
        )

    def apply(self, state: State, line: Line) -> tuple[State, tuple[Ruling, ...]]:
        """Give the state after `line` and what follows from it. Raises Malformed or Illegal."""
        return play.apply(state, line)

    def adjustable(self, state: State) -> tuple[Adjustable, ...]:
        """Give money, and where figures are."""
        whats = self.whats()
        return tuple(
            Adjustable(
                one.key,
                joined(filter(None, (one.colour.short, whats[one.what], str(one.district or ""))), " "),
                0,
                one.high,
                one.value,
            )
            for one in hand.settings(state)
        )

    def is_over(self, state: State) -> bool:
        """Tell whether an `end` stands."""
        return state.phase is Phase.OVER

    def can_end(self, state: State) -> bool:
        """Tell whether none does: a match may be stopped at any time."""
        return state.phase is not Phase.OVER

    def is_exhausted(self, state: State) -> bool:
        """Tell whether all has been decided: the final accounts are made, or wait for the seed alone."""
        return state.phase in {Phase.SEALED, Phase.DONE}

    def outcome(self, state: State) -> ApachesOutcome:
        """Give the money; who has most, and of those most figures fit for action, is ahead."""
        colours = state.terms.colours
        money = [gang.money for gang in state.gangs]
        able = [fit(state, seat) for seat in range(len(colours))]
        standing = list(zip(money, able, strict=True))
        return ApachesOutcome(
            over=self.is_over(state),
            complete=state.complete,
            round=state.course.number,
            lap=state.course.lap,
            money=by_colour(state, money),
            fit=by_colour(state, able),
            burghers=by_colour(state, [len(gang.burghers) for gang in state.gangs]),
            policeman=None if state.policeman is None else colours[state.policeman],
            leaders=tuple(colour for colour, one in zip(colours, standing, strict=True) if one == max(standing)),
        )


@cache
def _deck(game: LesApaches) -> tuple[Card, ...]:
    """Return the cards. Every scene asks for them, so they are kept for each language."""
    return tuple(game.card(number, loot) for number in QUARTERS for loot in LOOTS)


@cache
def _board_text() -> str:
    package, _, name = _BOARD.partition(":")
    return files(package).joinpath(name).read_text(encoding="utf-8")
