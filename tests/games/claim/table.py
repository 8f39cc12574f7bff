"""A table of Claim for tests: a file, seats, lines in as one writes them down, rulings out."""

from __future__ import annotations

from typing import Any

from companion.core.panel import Colour
from companion.core.record.lines import (
    ByHand,
    Close,
    End,
    JudgeLine,
    Line,
    PressLine,
    Reveal,
    Seat,
    Setup,
    SetupFile,
    Undo,
)
from companion.core.ruling.judge import Judge
from companion.core.ruling.rulings import Order, Resume, Ruling
from companion.games.claim import GAME
from companion.games.claim.lines import ClaimLine, ClaimOutcome, Lost, PressSettled
from companion.games.claim.state import State

MS = 1_000_000


def find(name: str) -> Any:
    assert name == "claim"
    return GAME


def setup(text: str, seats: str = "red yellow green", **more: Any) -> Setup:
    colours = seats.split()
    return Setup(
        record=2,
        match="0" * 32,
        game="claim",
        edition=1,
        seats=tuple(Seat(Colour(colour)) for colour in colours),
        first=Colour(more.pop("first", colours[0])),
        files={"game": SetupFile("game.toml", text)},
        **more,
    )


class Table:
    """Seats clockwise from `seats`; the first of them begins unless `first` says otherwise."""

    def __init__(self, text: str, seats: str = "red yellow green", **more: Any) -> None:
        self.judge = Judge(find)
        self.judge.feed(setup(text, seats, **more))
        self.now_ns = 1000 * MS

    @property
    def state(self) -> State:
        state = self.judge.state
        assert isinstance(state, State)
        return state

    def feed(self, line: Line) -> tuple[Ruling, ...]:
        return self.judge.feed(line)

    def reveal(self, *cards: str) -> Table:
        for card in cards:
            self.feed(Reveal(card=card))
        return self

    def turn(self, card: str, at_ms: int) -> Table:
        """A scanner saw a card being turned."""
        self.feed(Reveal(card=card, t_ns=at_ms * MS, turned=True))
        return self

    def press(self, button: str, at_ms: int | None = None) -> tuple[Ruling, ...]:
        colour, _, role = button.partition(" ")
        self.now_ns += 10 * MS
        t_ns = self.now_ns if at_ms is None else at_ms * MS
        return self.feed(PressLine(colour=Colour(colour), role=role, t_ns=t_ns))

    def race(self, *buttons: str) -> tuple[Ruling, ...]:
        """Press these, 10 ms apart, close and judge."""
        for button in buttons:
            assert self.press(button) == ()
        self.feed(Close())
        return self.feed(JudgeLine())

    def claim(self, colour: str, take: str, picked: str | None = None, rival: str | None = None) -> tuple[Ruling, ...]:
        seat = None if rival is None else Colour(rival)
        return self.feed(ClaimLine(colour=Colour(colour), take=take, picked=picked, rival=seat))

    def set(self, what: str, value: int) -> tuple[Ruling, ...]:
        return self.feed(ByHand(set=what, value=value, reason="a test"))

    def end(self) -> tuple[Ruling, ...]:
        return self.feed(End())

    def undo(self) -> tuple[Ruling, ...]:
        return self.feed(Undo())

    def offered(self) -> list[tuple[str, ...]]:
        """What is on offer to whose turn it is: (take, picked card, rival), what it has of them."""
        return [
            tuple(filter(None, (line.take, line.picked, line.rival)))
            for offer in GAME.offers(self.state)
            for option in offer.options
            if isinstance(line := option.line, ClaimLine)
        ]

    def pack(self, place: str, colour: str | None = None) -> list[str]:
        """The cards of a place, bottom first."""
        cards = self.state.cards
        if colour is None:
            found = {"table": cards.table, "pot": cards.pot, "out": cards.out}[place]
        else:
            found = {"won": cards.won, "pile": cards.piles}[place][self.seat(colour)]
        return [self.state.terms.game.known.names[card] for card in found]

    def stock(self, colour: str) -> int:
        return self.state.cards.stocks[self.seat(colour)]

    def points(self) -> dict[str, int]:
        return outcome_of(self.state).points

    def seat(self, colour: str) -> int:
        return self.state.terms.colours.index(Colour(colour))

    def turns(self) -> str | None:
        turn = GAME.view(self.state).turn
        return None if turn is None else turn.value


def outcome_of(state: State) -> ClaimOutcome:
    outcome = GAME.outcome(state)
    assert isinstance(outcome, ClaimOutcome)
    return outcome


def whys(rulings: tuple[Ruling, ...]) -> list[str | None]:
    """The reason for each place, None where the press was right."""
    (order,) = [ruling for ruling in rulings if isinstance(ruling, Order)]
    for place in order.order:
        assert (place.verdict == "punish") is (place.why is not None)
    return [place.why for place in order.order]


def results(rulings: tuple[Ruling, ...]) -> list[tuple[str, str]]:
    return [(ruling.colour.value, ruling.result) for ruling in rulings if isinstance(ruling, PressSettled)]


def moves(rulings: tuple[Ruling, ...], colour: str) -> list[tuple[str, str, tuple[str, ...], int]]:
    """What went where by that seat's press, or because it was the last."""
    return [
        (move.source, move.target, move.cards, move.count)
        for ruling in rulings
        if isinstance(ruling, PressSettled | Lost) and ruling.colour == colour
        for move in ruling.moves or ()
    ]


def lost(rulings: tuple[Ruling, ...]) -> list[tuple[str, str]]:
    return [(ruling.colour.value, ruling.why) for ruling in rulings if isinstance(ruling, Lost)]


def resumes(rulings: tuple[Ruling, ...]) -> str | None:
    (found,) = [ruling.reveals for ruling in rulings if isinstance(ruling, Resume)]
    return None if found is None else found.value


def cards_in_game(state: State) -> list[int]:
    """How many of each card there are, wherever they lie."""
    cards = state.cards
    counts = list(cards.unseen)
    for pack in (cards.table, cards.pot, cards.out, *cards.piles, *cards.won):
        for card in pack:
            counts[card] += 1
    return counts
