"""Whole untimed matches at the box and on phones: all cards of a race are of one instant, and none is told before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.core.match.laying import may_play_none
from companion.core.record.lines import Close, PressLine
from companion.games import registry
from tests.whole.at_the_box import AtTheBox
from tests.whole.phones import OnPhones, Served, quick
from tests.whole.tabled import Tabled

if TYPE_CHECKING:
    from companion.core.match.match import Match

pytestmark = pytest.mark.slow  # walks through whole matches

RACING = [name for name in registry.names() if registry.find(name).race_name]


class Untimed(AtTheBox):
    """Players who chose at the knob to lay their cards face down."""

    def start(self) -> bool:
        """Choose it, and start."""
        if self._box.session.table.timing == "race":
            self.to("timing")
        return super().start()

    def race_on(self) -> None:
        """Lay a card, change one, say that somebody plays none, or show them."""
        match, chance = self.table.match, self.random.random()
        free = [colour for colour in self._colours if colour not in match.face_down.laid]
        if chance < 0.75 or not match.face_down:
            whose = self.random.choice(free if free and chance < 0.65 else self._colours)
            self.press(whose, self.random.randrange(max(len(match.game.roles), 1)))
        elif chance < 0.9 and (none := [item for item in self._items() if item.label == "plays none"]):
            self.to(self.random.choice(none))
        elif "show the cards" in self.open_menu():
            self.to("show the cards")
        else:
            self.table.wait(3500)

    def _items(self) -> list[Any]:
        self.open_menu()
        return list(self.menu().items)


class UntimedPhones(OnPhones):
    """The same on phones: by tap, and "I play no card"."""

    def race_on(self) -> None:
        """Tap a button of one's own, say that one plays none, or have the desk show them."""
        phones = [phone for phone in self.table.phones.values() if phone.picks()]
        match = self.table.match
        seats = may_play_none(match) if match.face_down and self.random.random() < 0.15 else ()
        if seats:
            self.table.referee.post("/api/none", json={"seat": self.random.choice(seats)})
            self.table.wait(100)
        elif phones and self.random.random() < 0.85:
            phone = self.random.choice(phones)
            phone.tap(self.random.choice(phone.picks()))
        elif match.stage.is_collecting:
            self.table.referee.post("/api/close", json={})
        else:
            self.table.wait(3500)


def verify(match: Match) -> None:
    """Every race's presses are of one instant, that of its close; and some race was played."""
    assert match.setup.timing == "untimed"
    made: list[int] = []
    for told in match.history:
        if isinstance(told.line, PressLine) and told.counts:
            made.append(told.line.t_ns)
        if isinstance(told.line, Close) and made:
            assert set(made) == {told.line.t_ns}
            made = []
    assert any(isinstance(told.line, Close) for told in match.history)


@pytest.mark.parametrize("name", RACING)
def test_at_the_box(name: str) -> None:
    table = Tabled(registry.find(name), 1, "untimed")
    players = Untimed(table)
    players.sit_down()
    players.play()
    table.verify_end()
    verify(table.match)


def test_apache_on_phones(monkeypatch: pytest.MonkeyPatch) -> None:
    quick(monkeypatch)
    with Served(registry.find("apache"), 1, "untimed phones", timing="untimed") as table:
        table.begin()
        table.sit_down()
        UntimedPhones(table).play()
        table.verify_end()
        verify(table.match)
