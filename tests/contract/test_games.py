"""The shipped suite on every game there is: those of the program, and two that only tests play."""

from __future__ import annotations

import pytest

from companion.core.errors import UnknownGame
from companion.core.record.lines import End, TimedLine
from companion.core.ruling.offers import Step
from companion.core.ruling.plain_game import LATER_PARTS
from companion.games import registry
from companion.screens.text.account import replay_account
from companion.testing.games import SEEDS, GameContract
from companion.testing.walks import Walk, only
from tests.contract.everything import EVERYTHING, Bids, Late
from tests.contract.nim import NIM, NimOutcome
from tests.contract.turns import TURNS
from tests.games.broken_plugins import SHIPPED

pytestmark = pytest.mark.no_cover  # counting branches makes walks through whole matches three times as slow


class TestApache(GameContract):
    game = registry.find("apache")


class TestOrder(GameContract):
    game = registry.find("order")


class TestNim(GameContract):
    game = NIM


class TestEverything(GameContract):
    game = EVERYTHING


class TestTurns(GameContract):
    game = TURNS


class Older:
    """Nim, as somebody wrote it before games could bring rules, files and accounts."""

    def __getattr__(self, name):
        if name in LATER_PARTS:
            raise AttributeError(name)
        return getattr(NIM, name)


@pytest.mark.slow  # the same game once more, without the later parts of the contract
class TestOlder(GameContract):
    game = Older()


def test_a_game_with_no_race_is_played_to_its_end_by_choices_and_numbers():
    walk = Walk(NIM, seed=1)
    for state in walk.states():
        assert NIM.race(state) is None
    assert NIM.is_exhausted(walk.state)
    (outcome,) = walk.feed(End())
    assert isinstance(outcome, NimOutcome)
    assert sum(outcome.taken.values()) == 12
    assert any(b'"type":"take"' in line for line in walk.record)
    sentences = list(replay_account(walk.record, only(NIM)))
    assert any("takes" in sentence for sentence in sentences)


def test_walks_of_apache_come_to_choices_and_punishments():
    """The suite would prove little if its matches were dull."""
    results, choices = set(), 0
    for seed in SEEDS:
        walk = Walk(registry.find("apache"), seed)
        for state in walk.states(150):
            choices += any(offer.kind == "claim" for offer in walk.game.offers(state))
        results |= {ruling.result for ruling in walk.rulings if hasattr(ruling, "result")}
    assert results == {"claimed", "nothing", "punished"}
    assert choices >= 5


def test_walks_of_everything_come_to_every_part_of_the_contract():
    seen = set()
    for seed in SEEDS:
        walk = Walk(EVERYTHING, seed)
        for state in walk.states():
            seen |= set(parts_in(walk, state))
        seen |= {type(ruling).__name__ for ruling in walk.rulings}
    assert {
        "several seats", "private", "optional", "number", "die", "secret draw", "stepped", "deadline", "adjustable",
        "area", "clock", "race", "no race", "at once", "timed", "held", "account",
        "taken back together", Bids.__name__, "Order", "Ignored",
    } <= seen  # fmt: skip


def parts_in(walk, state):
    game, offers = walk.game, walk.game.offers(state)
    yield "race" if game.race(state) else "no race"
    for offer in offers:
        yield from (
            name
            for name, there in {
                "private": offer.is_private,
                "optional": not offer.required,
                "number": offer.number,
                "die": offer.chance and not offer.chance.items,
                "secret draw": offer.chance and offer.chance.is_secret,
                "at once": offer.at_once,
                "timed": any(isinstance(option.line, TimedLine) for option in offer.options),
                "stepped": offer.is_stepped and isinstance(game.step(state, offer, ()), Step),
            }.items()
            if there
        )
    others = {
        "several seats": len({offer.seat for offer in offers}) > 1,
        "deadline": game.deadline(state) is not None and isinstance(game.deadline(state).line, Late),
        "adjustable": game.adjustable(state),
        "area": game.view(state).areas,
        "clock": game.view(state).clocks,
        "held": game.held(state),
        "account": game.ledgers(state),
        "taken back together": together(walk, state),
    }
    yield from (name for name, there in others.items() if there)


def together(walk, state):
    newest = walk.judge.history.newest_doing()
    return newest is not None and walk.game.taking_back(state, newest.line).lines > 1


def test_an_unknown_game_is_named_with_those_there_are():
    with pytest.raises(UnknownGame, match=f"no game called 'go' is installed; there are: {', '.join(SHIPPED)}"):
        registry.find("go")
    assert registry.names() == SHIPPED
