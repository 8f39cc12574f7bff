"""Whole random matches of Big Manitou as records, made through what the game offers; and tables for single tests."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from companion.core.panel import Colour
from companion.core.record.lines import RECORD_VERSION, ByHand, End, Seat, Setup, Undo, dump_line
from companion.core.ruling.offers import Step
from companion.games.big_manitou import GAME
from companion.games.big_manitou.cards import CHIEFTAIN, GROUNDS, NAMES
from companion.games.big_manitou.lines import HuntLine
from companion.games.big_manitou.state import Phase, cards_left, deciding, grounds_for, is_full_everywhere

if TYPE_CHECKING:
    from companion.core.record.lines import Line
    from companion.core.ruling.offers import Offer
    from companion.core.ruling.rulings import Ruling
    from companion.games.big_manitou.state import State

KINDS = (*(["tipi 1", "tipi 2", "tipi 3", "buffalo 1", "buffalo 2", "buffalo 3"] * 3), "tipi 5", "buffalo 4",
         *(["horse", "totem", "tomahawk"] * 4))  # fmt: skip
"""Roughly how often tiles come."""


def setup(*colours: str, first: str | None = None, quick: bool | None = None) -> Setup:
    """Give a setup; the first colour deals first where nothing is said."""
    return Setup(
        record=RECORD_VERSION,
        match="0" * 32,
        game="big-manitou",
        edition=1,
        seats=tuple(Seat(Colour(colour)) for colour in colours),
        first=Colour(first or colours[0]),
        parameters=None if quick is None else {"quick": quick},
    )


def random_setup(random: Random) -> Setup:
    """Give a setup of any number of seats, in any order."""
    colours = random.sample([str(colour) for colour in Colour], random.randint(2, 5))
    return setup(*colours, first=random.choice(colours), quick=random.choice((None, False, True)))


def completed(state: State, offer: Offer, random: Random) -> Line:
    """Choose at random within an offer."""
    if offer.options:
        return random.choice(offer.options).line
    chosen: list[str] = []
    while True:
        step = GAME.step(state, offer, chosen)
        if not isinstance(step, Step):
            return step
        chosen.append(random.choice(step.values).key)


def by_hand(state: State, random: Random) -> Line:
    """Set something by hand."""
    one = random.choice(GAME.adjustable(state))
    value = random.choice((one.low, one.value, min(one.value + 1, one.high), random.randint(one.low, min(one.high, 9))))
    return ByHand(set=one.key, value=value, reason="the table says so")


class Match:
    """A match that is judged without the judge, as fast as its rules are. states: before each line that stands."""

    def __init__(self, seed: int | str) -> None:
        self.random = Random(f"big-manitou {seed}")
        self.record: list[Line] = [random_setup(self.random)]
        self.state: State = GAME.start(self.record[0])  # type: ignore[arg-type]
        self.states: list[State] = []
        self.rulings: list[tuple[Ruling, ...]] = []
        kinds = self.random.random()
        self.troubles = 0.02 if kinds < 0.3 else 0.0  # how often something is set by hand or taken back
        self.lean = self.random.choice((0.0, 0.3, 0.7))  # how often a hero is preferred, so that there are trials
        self.stops = self.random.random() < 0.05
        self.proud = 0 if self.random.random() < 0.06 else None  # who lays heroes everywhere, while others have none

    def feed(self, line: Line) -> None:
        """Judge a line."""
        if isinstance(line, Undo):
            self.state = self.states.pop()
            self.rulings.pop()
        else:
            after, rulings = GAME.apply(self.state, line)
            self.states.append(self.state)
            self.rulings.append(rulings)
            self.state = after
        self.record.append(line)

    def next_line(self) -> Line:
        """Choose what is done next."""
        random, state = self.random, self.state
        if self.stops and random.random() < 0.01:
            return End()
        if self.troubles and random.random() < self.troubles:
            return Undo() if self.states and random.random() < 0.5 else by_hand(state, random)
        offers = GAME.offers(state)
        if not offers:
            return End()
        offer = offers[0] if random.random() < 0.95 else random.choice(offers)
        if offer.kind == "hunting":
            offer = random.choice(offers)
        if offer.kind == "booty" and random.random() < 0.9:
            line: Line = GAME.step(state, offer, (random.choice(KINDS),))  # type: ignore[assignment]  # complete
            return line
        if self.proud is not None and state.phase is Phase.TURNS and is_full_everywhere(state, deciding(state) or 0):
            return GAME.step(state, offer, ("none",)) if random.random() < 0.7 else completed(state, offer, random)  # type: ignore[return-value]
        if offer.kind == "hunt" and offer.seat is not None and (self.proud is not None or random.random() < 0.8):
            return self.card(offer)
        return completed(state, offer, random)

    def card(self, offer: Offer) -> Line:
        """Choose a card by its own name, as a scanner does, more often a hero where the match leans to them."""
        random, seat = self.random, self.state.terms.colours.index(offer.seat or Colour.RED)
        cards = cards_left(self.state, seat)
        heroes = [card for card in cards if card >= CHIEFTAIN and grounds_for(self.state, seat, card)]
        leans = random.random() < self.lean if self.proud is None else self.proud == seat
        card = random.choice(heroes if heroes and leans else cards if self.proud is None else cards[:1])
        if not grounds_for(self.state, seat, card):
            return completed(self.state, offer, random)
        ground = random.choice(grounds_for(self.state, seat, card))
        line = GAME.step(self.state, offer, (NAMES[self.state.colour(seat)][card], GROUNDS[ground]))
        assert isinstance(line, HuntLine)
        return line

    def play(self) -> list[Line]:
        """Play to the end."""
        while not GAME.is_over(self.state):
            self.feed(self.next_line())
        return self.record


def random_match(seed: int | str) -> list[bytes]:
    """Give the lines of a whole match, up to its `end`."""
    return [dump_line(line) for line in Match(seed).play()]
