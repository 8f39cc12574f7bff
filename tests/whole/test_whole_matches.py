"""Whole matches of every installed game, and of two that only tests play: at the box, on phones, and mixed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.games import registry
from tests.contract.everything import EVERYTHING
from tests.contract.nim import NIM
from tests.whole.at_the_box import AtTheBox
from tests.whole.mixed import Mixed
from tests.whole.phones import OnPhones, Served, quick
from tests.whole.tabled import Tabled

if TYPE_CHECKING:
    from companion.core.ruling.game import AnyGame

pytestmark = pytest.mark.slow  # walks through whole matches

GAMES = {**{name: registry.find(name) for name in registry.names()}, "nim": NIM, "everything": EVERYTHING}
SEEDS = (1,)


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> AnyGame:
    return GAMES[request.param]


@pytest.mark.parametrize("seed", SEEDS)
def test_by_buttons_and_knob_alone(game: AnyGame, seed: int) -> None:
    by_buttons(game, seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_by_phones_alone(game: AnyGame, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    quick(monkeypatch)
    by_phones(game, seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_by_buttons_phones_and_scanner(game: AnyGame, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    quick(monkeypatch)
    by_all(game, seed)


def by_buttons(game: AnyGame, seed: int) -> Tabled:
    table = Tabled(game, seed, "box")
    players = AtTheBox(table)
    players.sit_down()
    players.play()
    table.verify_end()
    return table


def by_phones(game: AnyGame, seed: int) -> Tabled:
    with Served(game, seed, "phones") as table:
        table.begin()
        table.sit_down()
        OnPhones(table).play()
        table.verify_end()
    return table


def by_all(game: AnyGame, seed: int) -> Tabled:
    with Served(game, seed, "mixed") as table:
        table.begin()
        table.sit_down(table.colours[::2])
        Mixed(table).play()
        table.verify_end()
    return table
