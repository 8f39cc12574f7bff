"""A game whose cards people read by other words than the record has: a race for what lies on the quay, in German."""

from __future__ import annotations

from dataclasses import replace as other
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.errors import Illegal
from companion.core.panel import Button, Colour, Position
from companion.core.record.lines import JudgeLine, Reveal
from companion.core.ruling.looks import Card, Stroke, Symbol
from companion.core.ruling.offers import REVEAL, Offer, Option
from companion.core.ruling.race import RacePhase
from companion.core.ruling.rulings import Order, Settled
from companion.games.order.game import OrderGame
from companion.games.order.game import State as OrderState

if TYPE_CHECKING:
    from companion.core.record.lines import Line, Setup
    from companion.core.ruling.race import Race
    from companion.core.ruling.rulings import Ruling
    from companion.core.ruling.view import View

LAMP = Symbol((".##.",) * 7, (Stroke("M4 4H20V20H4Z"),))
LANTERN, OAR, ROPE = "lantern", "red oar", "rope"


class State(OrderState, frozen=True, kw_only=True):
    quay: tuple[str, ...] = ()


class Fetched(Settled, frozen=True, tag="settled"):
    cards: tuple[str, ...]

    def moved(self) -> tuple[str, ...]:
        return self.cards


class Harbour(OrderGame):
    name = "harbour"
    title = "Hafen"
    fetched = Fetched
    symbols = MappingProxyType({LANTERN: LAMP})
    deck = (
        Card(LANTERN, "Laternen", 3, symbol=LANTERN, label="Laterne"),
        Card(OAR, "rote Ruder", 2, Colour.RED, LANTERN, label="rotes Ruder"),
        Card(ROPE, "Taue", 2, label="Tau", is_counted=True),
    )

    def start(self, setup: Setup) -> State:
        return State(seats=setup.seats, first=setup.first, ties=setup.ties, wins=(0,) * len(setup.seats))

    def apply(self, state: OrderState, line: Line) -> tuple[OrderState, tuple[Ruling, ...]]:
        assert isinstance(state, State)
        if isinstance(line, Reveal):
            if line.card not in [card.name for card in self.deck]:
                raise Illegal(f"there is no {line.card}")
            return replace(state, quay=(*state.quay, line.card)), ()
        after, rulings = super().apply(state, line)
        if not isinstance(line, JudgeLine):
            return after, rulings
        order, *rest = rulings
        assert isinstance(order, Order)
        first = order.order[0]
        fetched = self.fetched(
            race=order.race, colour=first.colour, role=first.role, result="claimed", cards=state.quay
        )
        return replace(after, quay=()), (order, fetched, *rest)

    def offers(self, state: OrderState) -> tuple[Offer, ...]:
        if state.phase is RacePhase.OVER:
            return ()
        buttons = {OAR: Button(Colour.RED, Position.FIRST)}
        cards = tuple(Option(card.label, Reveal(card=card.name), button=buttons.get(card.name)) for card in self.deck)
        return (Offer(REVEAL, None, "Am Kai liegt", cards, required=False),)

    def race(self, state: OrderState) -> Race:
        assert isinstance(state, State)
        return other(super().race(state), card=state.quay[-1] if state.quay else None, takes_card=True)

    def view(self, state: OrderState, viewer: Colour | None = None) -> View:
        assert isinstance(state, State)
        table = tuple((name, state.quay.count(name)) for name in dict.fromkeys(state.quay))
        return other(super().view(state, viewer), table=table)


HARBOUR = Harbour()
