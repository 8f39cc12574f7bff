"""A game that is what a setup's file makes of it: the judge, the guard, and games without that part."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from companion.core.errors import Malformed
from companion.core.panel import Colour
from companion.core.record.lines import PressLine
from companion.core.ruling.judge import Judge
from companion.games.guarded import GameFault, guarded
from companion.testing.walks import setup_of
from tests.contract.everything import EVERYTHING, Everything

if TYPE_CHECKING:
    from companion.core.record.lines import Setup


class Renamed(Everything):
    """Its first button is called as its file says."""

    said = "left"

    def playing(self, setup: Setup) -> Renamed:
        text = (setup.files or {})["board"].text
        if text == "three columns":
            raise KeyError("a slip")
        if text == "four columns":
            raise Malformed("this board is none")
        other = Renamed()
        other.said = text
        return other

    @property
    def roles(self) -> tuple[str, ...]:  # type: ignore[override]
        return (self.said, "right", "grab")


def begun(game: Any, text: str) -> Judge:
    setup = setup_of(EVERYTHING, Random(1))
    files = {"board": replace((setup.files or {})["board"], text=text)}
    judge = Judge(lambda _: game)
    judge.feed(replace(setup, files=files))
    return judge


def test_the_judge_goes_on_with_the_game_that_the_setup_makes() -> None:
    judge = begun(Renamed(), "ten columns")
    assert judge.game is not None
    assert judge.game.roles[0] == "ten columns"
    with pytest.raises(Malformed, match="'left' is not a role; allowed: ten columns"):
        judge.feed(PressLine(colour=Colour.RED, role="left", t_ns=1))


def test_a_game_that_says_nothing_of_it_is_what_it_always_is() -> None:
    assert begun(EVERYTHING, "ten columns").game is EVERYTHING


def test_one_that_fails_or_refuses_begins_no_match_and_the_other_is_guarded_too() -> None:
    told: list[str] = []
    game = guarded(Renamed(), lambda text, _: told.append(text))
    with pytest.raises(GameFault):
        begun(game, "three columns")
    assert told == ["the game everything failed (playing: KeyError: 'a slip')"]
    with pytest.raises(Malformed, match="this board is none"):
        begun(game, "four columns")
    judge = begun(game, "ten columns")
    assert type(judge.game) is type(game)
    assert judge.game is not None
    assert judge.game.roles[0] == "ten columns"
