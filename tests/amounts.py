"""How much each test tries: few examples and one seed in `make check`, all of them in `make test-all`.

`--thorough` is the one setting. Hypothesis takes its examples through `many`; of seeds that a test is parametrized by,
`tests/conftest.py` leaves the first where nobody asked for more.
"""

FEWEST = 5
"""So many examples are tried at least, where a test has as many."""
SHARE = 10
"""One in so many is tried without `--thorough`."""

WALK = 20
"""So many lines a walk through a game has without `--thorough`, instead of 60: a third comes to most of its offers."""

_is_thorough = False


def try_all(is_thorough: bool) -> None:
    """Set what `many` returns from now on; call it before any test module is imported."""
    global _is_thorough  # noqa: PLW0603  # modules ask while they are imported, where no fixture reaches them
    _is_thorough = is_thorough


def many(count: int) -> int:
    """Return how many of `count` examples to try: all with `--thorough`, otherwise a tenth, and at least five."""
    return count if _is_thorough else max(min(count, FEWEST), count // SHARE)
