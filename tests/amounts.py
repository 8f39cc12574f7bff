"""How much each test tries: few examples and one seed in `make check`, all of them in `make test-all`.

`--thorough` is the one setting; with `--half`, as `.ci/run` says, it is half of the examples, and two seeds. Hypothesis
takes its examples through `many`; of seeds that a test is parametrized by, `tests/conftest.py` leaves the first ones
where nobody asked for more.
"""

from typing import NamedTuple


class Amount(NamedTuple):
    """How much is tried: one example in `share`, so many of each test's `seeds` (None: all), so many lines in a `walk`
    through a game (None: as the suite has it).
    """

    share: int
    seeds: int | None
    walk: int | None


QUICK, HALF, ALL = Amount(10, 1, 20), Amount(2, 2, 40), Amount(1, None, None)
"""A walk of 20 lines, instead of 60, comes to most offers of a game."""


FEWEST = 5
"""So many examples are tried at least, where a test has as many."""

_amount = QUICK


def try_amount(amount: Amount) -> None:
    """Set what `many` returns from now on; call it before any test module is imported."""
    global _amount  # noqa: PLW0603  # modules ask while they are imported, where no fixture reaches them
    _amount = amount


def many(count: int) -> int:
    """Return how many of `count` examples to try: all, a half or a tenth, and at least five."""
    return max(min(count, FEWEST), count // _amount.share)
