"""A whole small event in this process: a real broker and store, real journals and keys, a protest, a box that fails."""

from __future__ import annotations

import asyncio

import pytest

from companion.app.tournament.simulated.event import hold
from companion.app.tournament.simulated.people import correlation, plan_of, reaction_ms, strengths
from companion.tournament.verifying.findings import Verdict

pytestmark = pytest.mark.slow  # waits for threads, which it ends and starts


def test_two_boxes_hold_an_event_that_can_be_checked(tmp_path) -> None:
    said: list[str] = []
    held = asyncio.run(hold(plan_of(2, "seed", 1), tmp_path, said.append))
    assert held.verdict is Verdict.AUTHENTICATED
    assert sorted(one.place for one in held.standings) == list(range(1, 9))
    assert any("has failed: table 2 goes on on spare" in one for one in said)
    assert any("protest" in one for one in said)
    assert sum(one.points for one in held.standings) == 8 * 12


def test_what_an_event_comes_to_follows_from_its_seed(tmp_path) -> None:
    def points(folder: str) -> list[tuple[int, int]]:
        held = asyncio.run(hold(plan_of(1, "seed", 1), tmp_path / folder, lambda _: None))
        return [(one.player, one.points) for one in held.standings]

    assert points("one") == points("other")


def test_players_are_as_the_seed_has_them() -> None:
    plan = plan_of(4, "seed", 3)
    assert strengths(plan) == strengths(plan)
    assert len(set(strengths(plan).values())) == plan.players == 16
    assert strengths(plan) != strengths(plan._replace(seed="other"))
    assert reaction_ms(plan, 400.0, 3, 2, 1) == reaction_ms(plan, 400.0, 3, 2, 1)
    assert reaction_ms(plan, 400.0, 3, 2, 1) != reaction_ms(plan, 400.0, 3, 2, 2)


def test_the_rank_correlation_is_one_in_the_known_order_and_less_one_in_its_reverse() -> None:
    strength = {1: 300.0, 2: 400.0, 3: 500.0, 4: 600.0}
    assert correlation(strength, [1, 2, 3, 4]) == 1
    assert correlation(strength, [4, 3, 2, 1]) == -1
    assert -1 < correlation(strength, [2, 1, 4, 3]) < 1
