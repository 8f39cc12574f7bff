"""Every ruling of whole random matches against second judges, each written from its game's page under `docs/` alone."""

from __future__ import annotations

import pytest

from companion.games import registry
from tests.games.two_judges import ROOMS, compare

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]  # walks through whole matches

MATCHES, AT_ONCE = 100, 25


@pytest.mark.parametrize("first", range(0, MATCHES, AT_ONCE))
@pytest.mark.parametrize("name", ROOMS)
def test_two_judges_rule_alike_on_every_line(name: str, first: int) -> None:
    met = compare(name, first, AT_ONCE)
    assert not met.fault
    assert met.matches == AT_ONCE


def test_every_game_has_a_second_judge() -> None:
    """Apache has its own (`apache/plain_referee.py`); `order` is judged in `tests/differential`."""
    assert {*ROOMS, "apache", "order"} == set(registry.names())
