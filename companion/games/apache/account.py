"""Apache's own sentences in the readable account, and its outcome. Pure; knows no state."""

from __future__ import annotations

from itertools import groupby

import msgspec

from companion.core.panel import Colour  # noqa: TC001 - a field is made of it
from companion.core.ruling.rulings import Outcome, Settled
from companion.games.apache.cards import BY_NAME, plural


class ApacheOutcome(Outcome, frozen=True, tag="outcome"):
    """The `outcome` object. `removed`, `table` and `unrevealed` are numbers of cards."""

    piles: dict[str, int]
    buffalo: dict[str, int]
    removed: int
    table: int
    unrevealed: int
    leaders: tuple[Colour, ...]


_TAKES = {"booty": "the usual booty", "teepees": "the teepees", "wedding": "a wedding"}


def claimed(ruling: Settled) -> tuple[str, ...]:
    """Say what a claimant takes from the table, card by card, and which buffalo the others give."""
    cards = () if ruling.cards is msgspec.UNSET else ruling.cards
    counted = [(name, len(list(same))) for name, same in groupby(cards)]
    spelt = [name if count == 1 else plural(BY_NAME[name], count) for name, count in counted]
    what = _TAKES.get(str(ruling.take), ruling.take)
    sentences = [f"{ruling.colour} ({ruling.role}) claims {what}: {', '.join(spelt)} ({len(cards)} cards)."]
    if ruling.tribute:
        given = ", ".join(f"{colour} gives {count}" for colour, count in ruling.tribute.items())
        sentences.append(f"{ruling.colour} is on the warpath for buffalo: {given}.")
    return tuple(sentences)


def outcome(ruling: ApacheOutcome) -> tuple[str, ...]:
    """Say what every pile counts and where the other cards are."""
    piles = ", ".join(
        f"{colour} {count} {'card' if count == 1 else 'cards'} ({ruling.buffalo[colour]} buffalo)"
        for colour, count in ruling.piles.items()
    )
    rest = f"{ruling.table} on the table, {ruling.unrevealed} not revealed, {ruling.removed} out of the game"
    return (f"Score: {piles}.", f"Other cards: {rest}.")
