"""What is printed: districts, hideouts and what they say, figures, sums (`les-apaches.md`, 1 and 2). Pure data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

HIDEOUTS = (3, 4, 4, 5, 6, 5, 4, 0, 0)
"""How many hideouts districts 1 to 9 have."""
BURGHERS, FENCE = 8, 9
"""The districts without hideouts, open in every match."""
PRINTED = {2: (1, 2, 3, 6), 3: (1, 4, 5, 6, 7), 4: (1, 2, 3, 4, 5, 6, 7)}
"""What is open, beside those two, by the number of players."""
LISTED: tuple[tuple[int, ...], ...] = (
    (5, 6, 7), (3, 5, 6), (2, 5, 6), (3, 4, 5), (4, 5, 7), (2, 4, 5), (1, 2, 3, 4), (1, 2, 4, 7), (1, 3, 4, 7),
    (1, 2, 3, 6), (1, 3, 6, 7),
    (2, 3, 5, 6, 7), (2, 3, 4, 5, 7), (1, 2, 4, 5, 6), (1, 3, 4, 5, 6),
)  # fmt: skip
"""The other sets that the rule book lists: for two players, then for three. It lists 1 2 4 7 twice."""

LEADERS, NOVICES, REINFORCEMENTS = 7, 3, 5
"""Of each gang, of each gang, and in common."""
START = 500
BAIL = 150
THEFT = {2: 300, 3: 200, 4: 150}
"""What a theft takes from each other gang, by the number of players."""
WON_REINFORCEMENTS = 2
PER_BURGLARY, PER_BURGHER, POLICEMAN_TAKES, PER_FIGURE = 250, 200, 200, 50
ROUNDS, LAPS = 3, 6

KINDS = ("leader", "novice", "reinforcement")
LOOTS: tuple[str, ...] = (
    *(f"money {francs}" for francs in range(200, 501, 50)),
    *(f"burglary {francs}" for francs in range(100, 401, 50)),
    "theft", "reinforcements", "wounded", "killed", "jailed",
)  # fmt: skip
"""All that a hideout may say."""
POLICEMAN = "policeman"
POOL = ("burgher 1", "burgher 2", "burgher 3", POLICEMAN)
"""The burghers, in the order in which a draw lists them."""

NUMBERS = tuple(range(1, len(HIDEOUTS) + 1))
QUARTERS = tuple(number for number in NUMBERS if HIDEOUTS[number - 1])
"""The districts with hideouts."""

if TYPE_CHECKING:
    Loot = str  # a type checker cannot read the tables; the decoder does
    Kind = str
    District = str
else:
    Loot = Literal[LOOTS]
    Kind = Literal[KINDS]
    District = Literal[tuple(map(str, NUMBERS))]


def named(districts: tuple[int, ...]) -> str:
    """Name a set of districts as a setup does: "5-6-7"."""
    return "-".join(map(str, districts))


def left_hideouts(districts: tuple[int, ...]) -> int:
    """Count the hideouts that a round has, without the one of each district that is taken away."""
    return sum(HIDEOUTS[district - 1] - 1 for district in districts)


def parted(loot: str) -> tuple[str, int]:
    """Give the kind of a loot and its francs, 0 where it has none."""
    kind, _, francs = loot.partition(" ")
    return kind, int(francs or 0)
