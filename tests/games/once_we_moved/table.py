"""A table of the game for tests: red plays the Apache, blue the Army; lines in as one writes them down, rulings out."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import CompanionError, Illegal, Malformed
from companion.core.panel import Colour
from companion.core.record.lines import ByHand, ChanceLine, Line, Seat, Setup, SetupFile, Undo, dump_line, parse_line
from companion.core.ruling.chance import commitment, next_number
from companion.core.ruling.judge import Judge
from companion.core.ruling.rulings import Ruling
from companion.games.once_we_moved import GAME
from companion.games.once_we_moved.judging.lines import Reckoning, Segment, Trek, Undisclosed
from companion.games.once_we_moved.judging.state import State
from tests.games.once_we_moved.matches import SEED

RED, BLUE = Colour.RED, Colour.BLUE
MODERATE = 3
"""A die that means moderate provocation in the first turn."""


def find(_name: str) -> Any:
    return GAME


def setup(board: str = "", stickers: str = "", **parameters: bool | int | str) -> Setup:
    texts = {"terrain": board, "stickers": stickers}
    return Setup(
        record=2, match="0" * 32, game="once-we-moved", edition=1, seats=(Seat(RED), Seat(BLUE)), first=RED,
        parameters=parameters or None,
        files={key: SetupFile(f"{key}.txt", text) for key, text in texts.items() if text} or None,
        seed_sha256=commitment(SEED),
    )  # fmt: skip


class Table:
    """A match. record: its lines as a record has them."""

    def __init__(self, board: str = "", stickers: str = "", **parameters: bool | int | str) -> None:
        self.judge = Judge(find)
        self.record: list[bytes] = []
        self.write(setup(board, stickers, **parameters))

    @property
    def state(self) -> State:
        state = self.judge.state
        assert isinstance(state, State)
        return state

    @property
    def outcome(self) -> Any:
        return self.judge.outcome()

    @property
    def offers(self) -> dict[str, Any]:
        """What is on offer, by kind; of two seats' the first one's."""
        found: dict[str, Any] = {}
        for offer in GAME.offers(self.state):
            found.setdefault(offer.kind, offer)
        return found

    def write(self, line: Line) -> tuple[Ruling, ...]:
        """Judge a line, written and read again as a record has it."""
        rulings = self.judge.feed(parse_line(dump_line(line), 1, GAME.lines))
        self.record.append(dump_line(line))
        return rulings

    def roll(self, die: int) -> tuple[Ruling, ...]:
        n = next_number("provocation", self.judge.history)
        return self.write(ChanceLine(name="provocation", n=n, by="hand", result=(str(die),)))

    def draw(self) -> tuple[Ruling, ...]:
        """Let the box draw what is to be drawn."""
        chance = self.offers["draw"].chance
        return self.write(
            ChanceLine(name=chance.name, n=next_number(chance.name, self.judge.history), by="box", result=None)
        )

    def pick_all(self) -> list[Ruling]:
        """Pick all forces: draws at the table, as few leaders as there can be."""
        rulings: list[Ruling] = []
        while self.state.stage == "pick":
            offer = self.offers.get("chieftains")
            rulings += self.write(offer.number.line(offer.number.low) if offer else Undisclosed())
        return rulings

    def done(self, *, crossed: bool = False) -> tuple[Ruling, ...]:
        """Have the side whose stage it is say that it is done."""
        return self.write(Segment(colour=self.offers["segment"].seat, crossed=crossed))

    def until(self, stage: str, die: int = MODERATE) -> list[Ruling]:
        """Go on to a stage with as little as can be."""
        rulings: list[Ruling] = []
        while self.state.stage != stage:
            if self.state.stage == "provocation":
                rulings += self.roll(die)
            elif self.state.stage == "pick":
                rulings += self.pick_all()
            elif "segment" in self.offers:
                rulings += self.done()
            else:
                (offer,) = self.offers.values()
                rulings += self.write(offer.number.line(offer.number.low))
        return rulings

    def reckon(self, **tolls: int) -> list[Ruling]:
        """Enter the turn's account; what is not told is 0."""
        rulings: list[Ruling] = []
        while self.state.stage == "count":
            toll = self.offers["reckoning"].number.line(0).toll
            rulings += self.write(Reckoning(toll=toll, tally=tolls.get(toll.replace("-", "_"), 0)))
        return rulings

    def set(self, key: str, value: int) -> tuple[Ruling, ...]:
        return self.write(ByHand(set=key, value=value, reason="a test"))

    def stand(self, **areas: tuple[int, int]) -> None:
        """Put so many Apache and Army blocks into areas, by hand."""
        for area, (apache, army) in areas.items():
            self.set(f"apache-{area}", apache)
            self.set(f"army-{area}", army)

    def move(self, colour: Colour, whence: str, whither: str, tally: int = 1) -> Any:
        """Move blocks, and give what each pays."""
        ruling: Any = self.write(Trek(colour=colour, whence=whence, whither=whither, tally=tally))[0]
        return ruling.points

    def undo(self) -> None:
        self.write(Undo())

    def refuses(self, line: Line, rule: str) -> None:
        """See a line refused by a rule, of its kind, and nothing changed."""
        before, read = self.judge.state, self.judge.lines_read
        kind: type[CompanionError] = Malformed if rule in {"W0", "W4"} else Illegal
        with pytest.raises(kind, match=rf"^rule {rule}: "):
            self.judge.feed(line)
        assert self.judge.state is before
        assert self.judge.lines_read == read
