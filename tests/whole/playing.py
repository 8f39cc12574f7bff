"""What is done next at a table, whoever does it and however: drawn at random, and soon towards the end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import partial
from typing import TYPE_CHECKING

from companion.core.ruling.race import RacePhase
from tests.whole.tabled import Stuck

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.ruling.offers import Offer
    from tests.whole.tabled import Tabled


class Players(ABC):
    """Whoever plays at a table. How each thing is done is said by those who do it."""

    def __init__(self, table: Tabled) -> None:
        self.table, self.random = table, table.random

    def play(self) -> None:
        """Play to the end, and accept the result."""
        while not self.table.match.is_over:
            self.step()
            self.table.went_on()
        self.table.wait(21_000)  # what somebody opened on the display closes by then
        self.accept()

    def step(self) -> None:
        """Do one thing."""
        table, match = self.table, self.table.match
        table.wait(self.random.choice((50, 350, 1700)))
        self.look_up()
        if match.is_over:
            return
        if match.stage.asks_card:
            self.name_card()
        elif match.stage.is_of_race:
            self.race_on()
        elif self.random.random() < 0.03 and match.history.newest_doing() is not None:
            self.take_back()
        elif required := table.required():
            if match.game.adjustable(match.judge.state) and self.random.random() < 0.02:
                self.set_by_hand()
                return
            others = [offer for offer in table.optional() if offer.seat is not None]
            is_whim = others and not table.wants_end and self.random.random() < 0.2
            self.answer(self.random.choice(others if is_whim else required))
        else:
            self.go_on()

    def go_on(self) -> None:
        """Do what need not be done: end, decide, reveal, press, or wait."""
        table, match = self.table, self.table.match
        race = match.race
        can_end = match.game.can_end(match.judge.state)
        if can_end and table.wants_end:
            self.end()
            return
        ways: list[Callable[[], object]] = [partial(self.answer, offer) for offer in table.optional()]
        ways += [partial(self.reveal, offer) for offer in table.cards()] * 3
        if race is not None and race.phase in (RacePhase.OPEN, RacePhase.WAITING):
            ways += [self.race_on] * 3
        if match.game.adjustable(match.judge.state) and self.random.random() < 0.05:
            ways = [self.set_by_hand]
        if match.deadline() is not None and (not ways or self.random.random() < 0.1):
            ways = [partial(table.wait, 20_000)]
        if not ways and can_end:
            ways = [self.end]
        if not ways:
            raise Stuck(f"nobody can do anything{table.says()}")
        self.random.choice(ways)()

    @abstractmethod
    def look_up(self) -> None:
        """See what has changed."""

    @abstractmethod
    def answer(self, offer: Offer) -> None:
        """Make a choice."""

    @abstractmethod
    def reveal(self, offer: Offer) -> None:
        """Enter a card that was turned."""

    @abstractmethod
    def name_card(self) -> None:
        """Answer which card was turned."""

    @abstractmethod
    def race_on(self) -> None:
        """Press for a seat that has not pressed, close the race, or let its time pass."""

    @abstractmethod
    def set_by_hand(self) -> None:
        """Set something that the box cannot know."""

    @abstractmethod
    def take_back(self) -> None:
        """Take back the newest doing."""

    @abstractmethod
    def end(self) -> None:
        """End the game."""

    @abstractmethod
    def accept(self) -> None:
        """Have everybody accept the result."""
