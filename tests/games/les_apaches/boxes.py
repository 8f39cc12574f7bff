"""A whole box at which a match of Les Apaches de Paris is played: by buttons and knob, by phones, or by all of them."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from companion.core.errors import CompanionError
from companion.core.play.commands import Choose
from companion.core.record.lines import SetupFile
from companion.core.ruling.offers import Step
from companion.core.shown.scene import Choosing
from companion.testing.driving import OneSeed
from companion.testing.virtual_box import VirtualBox
from tests.games.les_apaches.boards import WHOLE
from tests.games.les_apaches.matches import GAME, LIKED

if TYPE_CHECKING:
    from companion.core.ruling.offers import Offer


def find(name: str) -> Any:
    assert name == GAME.name
    return GAME


class Box(VirtualBox):
    """A box that draws from a known seed. board: a board file, None for the one that comes along."""

    def __init__(self, seats: str, board: str | None = WHOLE, **parameters: Any) -> None:
        files = None if board is None else {"board": SetupFile("board.toml", board)}
        super().__init__(
            seats.split(), GAME.name, find=find, games=(GAME.name,), seeds=OneSeed(), parameters=parameters, files=files
        )

    @property
    def match(self) -> Any:
        return self.session.match

    @property
    def offer(self) -> Offer:
        offer: Offer
        (offer,) = self.match.offers()
        return offer

    def by_button(self, label: str) -> None:
        """Pick an item of the menu by the button of the deciding seat that is beside it, else by the knob."""
        self.run(self.now_ms + 400)
        item = next(one for one in self.menu().items if one.label == label)
        seat = self.body.seat
        if item.role is None or seat is None:
            self.pick(label, self.now_ms + 100)
        else:
            self.press(f"{seat} {item.role}", self.now_ms + 100)
        self.run(self.now_ms + 400)

    def by_phone(self, **answer: Any) -> None:
        """Choose as a phone or a page does."""
        offer = self.offer
        answers = self.command(Choose(kind=offer.kind, seat=offer.seat, **answer))
        self.run(self.now_ms + 100)
        assert not any(isinstance(done, CompanionError) for done in answers), answers


class Players:
    """Everybody at a box, who decide at random: phones is how often one of them is used."""

    def __init__(self, box: Box, seed: int, phones: float) -> None:
        self.box, self.random, self.phones = box, Random(seed), phones

    def play(self) -> None:
        """Play the match to its end."""
        for _ in range(900):
            if self.box.match.is_over:
                return
            if self.random.random() < self.phones and not self.has_begun:
                self._by_phone()
            else:
                self._by_button()
        raise AssertionError("the match does not end")

    @property
    def has_begun(self) -> bool:
        """Whether a choice is under way on the display."""
        return isinstance(self.box.body, Choosing) and self.box.body.page > 0

    def _by_phone(self) -> None:
        box, offer = self.box, self.box.offer
        if offer.number is not None:
            box.by_phone(number=self.random.randint(offer.number.low, offer.number.high))
        elif offer.chance is not None:
            box.by_phone(roll=True)
        elif offer.is_stepped:
            box.by_phone(steps=self._steps(offer))
        else:
            box.by_phone(option=self.random.choice(offer.options).key)

    def _steps(self, offer: Offer) -> tuple[str, ...]:
        chosen: tuple[str, ...] = ()
        while isinstance(step := GAME.step(self.box.match.judge.state, offer, chosen), Step):
            keys = [value.key for value in step.values]
            weights = [LIKED.get(key, 1) for key in keys]
            chosen = (*chosen, *self.random.choices(keys, weights))
        return chosen

    def _by_button(self) -> None:
        self.box.run(self.box.now_ms + 400)
        labels = [item.label for item in self.box.menu().items]
        self.box.by_button(self.random.choice([label for label in labels if label != "back"]))
