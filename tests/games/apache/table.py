"""A table of Apache for tests: lines in as one writes them down, rulings out."""

from __future__ import annotations

from typing import Any

from companion.core.panel import Colour
from companion.core.record.lines import Close, End, JudgeLine, PressLine, Reveal, Seat, Setup, Undo
from companion.core.ruling.judge import Judge
from companion.core.ruling.offers import Option
from companion.core.ruling.rulings import Order, Resume, Ruling
from companion.games.apache.cards import DECK, NAMES, Role
from companion.games.apache.game import Apache
from companion.games.apache.lines import Claim, HandSettled
from companion.games.apache.state import State
from companion.games.registry import find

MS = 1_000_000


class Table:
    """Seats clockwise from `seats` ("red yellow"); the first one reveals first unless `first` says otherwise."""

    def __init__(
        self,
        seats: str,
        *variants: str,
        first: str | None = None,
        dead_heat: str = "timestamp",
        allowances: dict[str, int] | None = None,
        **more: Any,
    ) -> None:
        self.judge = Judge(find)
        colours = seats.split()
        allowed = allowances or {}
        self.judge.feed(
            Setup(
                record=2,
                match="0" * 32,
                game="apache",
                edition=1,
                seats=tuple(Seat(Colour(colour), allowance_ms=allowed.get(colour, 0)) for colour in colours),
                first=Colour(first or colours[0]),
                variants=variants or None,
                dead_heat=dead_heat,
                **more,
            )
        )
        self.now_ns = 1000 * MS

    @property
    def state(self) -> State:
        state = self.judge.state
        assert isinstance(state, State)
        return state

    @property
    def game(self) -> Apache:
        game = self.judge.game
        assert isinstance(game, Apache)
        return game

    def reveal(self, *cards: str) -> Table:
        for card in cards:
            self.judge.feed(Reveal(card=card))
        return self

    def turn(self, card: str, at_ms: int) -> Table:
        """A scanner saw a card being turned."""
        self.judge.feed(Reveal(card=card, t_ns=at_ms * MS, turned=True))
        return self

    def press(self, button: str, at_ms: int | None = None, error_ns: int = 0) -> tuple[Ruling, ...]:
        colour, role = button.split()
        self.now_ns += 10 * MS
        t_ns = self.now_ns if at_ms is None else at_ms * MS
        return self.judge.feed(PressLine(colour=Colour(colour), role=Role(role), t_ns=t_ns, error_ns=error_ns))

    def close(self) -> tuple[Ruling, ...]:
        return self.judge.feed(Close())

    def settle(self) -> tuple[Ruling, ...]:
        """Judge a closed Pow-Wow."""
        return self.judge.feed(JudgeLine())

    def race(self, *buttons: str) -> tuple[Ruling, ...]:
        """Play these hand cards, 10 ms apart, close and judge."""
        for button in buttons:
            assert self.press(button) == ()
        self.close()
        return self.settle()

    def claim(
        self, colour: str, take: str, prisoner: str | None = None, spouse: str | None = None
    ) -> tuple[Ruling, ...]:
        return self.judge.feed(Claim(colour=Colour(colour), take=take, prisoner=prisoner, spouse=spouse))

    def end(self) -> tuple[Ruling, ...]:
        return self.judge.feed(End())

    def undo(self) -> tuple[Ruling, ...]:
        return self.judge.feed(Undo())

    def pile(self, colour: str) -> list[str]:
        """The victory pile of a seat, bottom first."""
        seat = self.state.match.colours.index(Colour(colour))
        return [NAMES[card] for card in self.state.piles[seat]]

    def face_up(self) -> dict[str, int]:
        return {NAMES[card]: count for card, count in enumerate(self.state.table) if count}

    def offered(self) -> list[tuple[str, ...]]:
        """What is on offer: (take,) or (take, name of prisoner or spouse)."""
        return [
            tuple(filter(None, (line.take, line.prisoner or line.spouse)))
            for decision in self.game.offers(self.state)
            if decision.kind == "claim"
            for line in map(claim_of, decision.options)
        ]

    def reveals(self) -> str:
        return self.state.match.colours[self.state.turn].value


def claim_of(option: Option) -> Claim:
    assert isinstance(option.line, Claim)
    return option.line


def order_of(rulings: tuple[Ruling, ...]) -> list[str]:
    (order,) = [ruling for ruling in rulings if isinstance(ruling, Order)]
    return [place.colour.value for place in order.order]


def verdicts(rulings: tuple[Ruling, ...]) -> list[str | None]:
    """The reason for each place, None where the play was good."""
    (order,) = [ruling for ruling in rulings if isinstance(ruling, Order)]
    for place in order.order:
        assert (place.verdict == "punish") is (place.why is not None)
    return [place.why for place in order.order]


def settled(rulings: tuple[Ruling, ...]) -> list[HandSettled]:
    return [ruling for ruling in rulings if isinstance(ruling, HandSettled)]


def resumes(rulings: tuple[Ruling, ...]) -> str | None:
    found = [ruling.reveals for ruling in rulings if isinstance(ruling, Resume)]
    if not found:
        return None
    assert found[0] is not None
    return found[0].value


def cards_in_game(state: State) -> list[int]:
    """How many of each card there are, wherever they lie."""
    counts = [hidden + table for hidden, table in zip(state.hidden, state.table, strict=True)]
    for pile in (*state.piles, state.removed):
        for card in pile:
            counts[card] += 1
    return counts


WHOLE_DECK = list(DECK)
