"""A table of Big Manitou for tests: lines in as one says them, rulings out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.panel import Colour
from companion.core.record.lines import ByHand, End, Undo
from companion.core.ruling.judge import Judge
from companion.core.ruling.offers import Step
from companion.games import big_manitou
from companion.games.big_manitou.cards import CHIEFTAIN, GROUNDS, NAMES, ROLES, TILE_NAMES
from companion.games.big_manitou.lines import (
    BootyLine,
    CardPlayed,
    ForfeitLine,
    ForgoLine,
    GroundsLine,
    HuntingLine,
    HuntLine,
    LootLine,
    RideLine,
)
from companion.games.big_manitou.state import cards_left, deciding, ground_laid, grounds_for
from companion.testing.walks import only
from tests.games.big_manitou.matches import setup

if TYPE_CHECKING:
    from companion.core.record.lines import Line

GAME: Any = big_manitou.GAME
"""Without its types: tests look at what they know is there."""
SPOTS = {"l": "left", "m": "middle", "r": "right"}


def card_of(colour: str, short: str) -> str:
    """Give the name of "7" (a hunter) or "scout", of a colour's tribe."""
    return f"{colour} hunter {short}" if short.isdigit() else f"{colour} {short.replace('_', ' ')}"


class Table:
    """Seats clockwise ("red yellow"); the first one deals first unless `first` says otherwise."""

    def __init__(self, seats: str, first: str | None = None, *, quick: bool | None = None) -> None:
        self.judge: Any = Judge(only(GAME))
        self.colours = seats.split()
        self.judge.feed(setup(*self.colours, first=first, quick=quick))
        self.rulings: list[Any] = []

    @property
    def state(self) -> Any:
        return self.judge.state

    @property
    def phase(self) -> Any:
        return self.state.phase.value

    @property
    def decides(self) -> Any:
        seat = deciding(self.state)
        return None if seat is None else str(self.state.colour(seat))

    def feed(self, *lines: Line) -> list[Any]:
        """Judge lines; give what followed from them."""
        found = [ruling for line in lines for ruling in self.judge.feed(line)]
        self.rulings += found
        return found

    # -- lines

    def grounds(self, left: int, middle: int, right: int) -> Table:
        self.feed(GroundsLine(booty=(left, middle, right)))
        return self

    def lay(self, *tiles: str) -> list[Any]:
        """Lay tiles, each on the ground whose turn it is."""
        return [
            ruling
            for tile in tiles
            for ruling in self.feed(BootyLine(ground=GROUNDS[ground_laid(self.state) or 0], tile=tile))  # type: ignore[arg-type]
        ]

    def ready(self) -> Table:
        self.feed(*(HuntingLine(colour=Colour(colour)) for colour in self.colours))
        return self

    def play(self, colour: str, what: str) -> list[Any]:
        """Play a card: "7 l", "rain_maker r"."""
        short, spot = what.split()
        line = HuntLine(colour=Colour(colour), card=card_of(colour, short), ground=SPOTS[spot])  # type: ignore[arg-type]
        return [ruling for ruling in self.feed(line) if not isinstance(ruling, CardPlayed)]

    def forgo(self, colour: str) -> list[Any]:
        return self.feed(ForgoLine(colour=Colour(colour)))

    def ride(self, colour: str, what: str) -> list[Any]:
        short, spot = what.split()
        line = RideLine(colour=Colour(colour), card=card_of(colour, short), ground=SPOTS[spot])  # type: ignore[arg-type]
        return self.feed(line)

    def loot(self, colour: str, *tiles: str) -> list[Any]:
        return self.feed(*(LootLine(colour=Colour(colour), tile=tile) for tile in tiles))

    def forfeit(self, colour: str, tile: str) -> list[Any]:
        return self.feed(ForfeitLine(colour=Colour(colour), tile=tile))

    def by_hand(self, key: str, value: int) -> list[Any]:
        return self.feed(ByHand(set=key, value=value, reason="a test"))

    def end(self) -> list[Any]:
        return self.feed(End())

    def undo(self) -> list[Any]:
        return self.feed(Undo())

    # -- whole parts

    def laid(self, *grounds: str) -> Table:
        """Lay a first hunt: for each ground its tiles ("horse, tipi 1"); all are ready."""
        tiles = [ground.split(", ") for ground in grounds]
        counts = tuple(map(len, tiles))
        if counts != self.state.counts:
            self.grounds(*counts)
        self.lay(*(tile for ground in tiles for tile in ground))
        return self.ready()

    def hunt(self, **plays: str) -> list[Any]:
        """Play the seven turns of all: of each colour its cards in turn, "7 l, scout r"; the rest without effect.

        What is not said are a seat's lowest hunters that are still there, then heroes, onto the right ground.
        """
        found: list[Any] = []
        said = {colour: [what for what in plays.get(colour, "").split(", ") if what] for colour in self.colours}
        while self.phase == "turns":
            colour = str(self.decides)
            found += self.play(colour, said[colour].pop(0)) if said[colour] else self.hunt_one(colour)
        return found

    def hunt_one(self, colour: str) -> list[Any]:
        """Play a seat's lowest hunter that is still there, else a hero, onto the right ground where it may."""
        return self.play(colour, self._idle(colour))

    def _idle(self, colour: str) -> str:
        seat = self.colours.index(colour)
        card = cards_left(self.state, seat)[0]
        short = str(card + 1) if card < CHIEFTAIN else ROLES[card].replace(" ", "_")
        return f"{short} {GROUNDS[grounds_for(self.state, seat, card)[-1]][0]}"

    # -- what is there

    def held(self, colour: str) -> list[str]:
        return [TILE_NAMES[tile] for tile in self.state.holdings.held[self.colours.index(colour)]]

    def lying(self, ground: str) -> list[str]:
        return [TILE_NAMES[tile] for tile in self.state.grounds[GROUNDS.index(ground)].tiles]

    def face_up(self, ground: str) -> list[str]:
        up = self.state.grounds[GROUNDS.index(ground)].heroes_up()
        return [NAMES[self.state.colour(one.seat)][one.card] for one in up]

    def turned_down(self, ground: str) -> list[str]:
        cards = self.state.grounds[GROUNDS.index(ground)].cards
        return [NAMES[self.state.colour(one.seat)][one.card] for one in cards if not one.is_up]

    def points(self, colour: str) -> int:
        return int(self.judge.outcome().points[colour])

    def offered(self) -> list[str]:
        """Give the tiles that are offered now, in whatever way."""
        (offer,) = GAME.offers(self.state)
        if offer.options:
            return sorted(option.line.tile for option in offer.options)
        found: list[str] = []
        waiting: list[tuple[str, ...]] = [()]
        while waiting:
            chosen = waiting.pop()
            step = GAME.step(self.state, offer, chosen)
            if isinstance(step, Step):
                waiting += [(*chosen, value.key) for value in step.values]
            else:
                found.append(step.tile)
        return sorted(set(found))
