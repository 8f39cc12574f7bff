"""Everything that a box says for people is said in a language of its own, and fits: in one that nobody speaks.

What is English yet stands in `unsaid.txt`, a place a line. The list only gets shorter: a place that is not in it is an
error, and so is one in it where all is said by now.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from companion.games import registry
from tests.words.heard import Ear, Heard

pytestmark = pytest.mark.slow  # walks through whole matches

LIST = Path(__file__).with_name("unsaid.txt")
SEEDS = (0, 1)
NAMES = registry.names()


@cache
def heard(name: str) -> tuple[Heard, Heard]:
    """Give what was heard in English in two matches of a game, and what did not fit."""
    found: Heard = {}
    cut: Heard = {}
    for seed in SEEDS:
        ear = Ear(registry.find(name), seed)
        ear.play()
        ear.told()
        for where, said in ear.heard.items():
            found.setdefault(where, set()).update(said)
        for where, said in ear.cut.items():
            cut.setdefault(where, set()).update(said)
    return found, cut


def listed() -> set[str]:
    lines = LIST.read_text(encoding="utf-8").splitlines() if LIST.exists() else []
    return {line for line in lines if line and not line.startswith("#")}


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_english_that_is_not_listed(name: str) -> None:
    found, _ = heard(name)
    assert {where: sorted(said)[:3] for where, said in found.items() if where not in listed()} == {}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_listed_is_english_yet(name: str) -> None:
    assert {where for where in listed() if where.startswith(f"{name}: ")} <= set(heard(name)[0])


@pytest.mark.parametrize("name", NAMES)
def test_every_text_fits_the_display(name: str) -> None:
    assert heard(name)[1] == {}
