"""Apache's own words: what a line says, the sentences of the readable account, reasons. Pure; knows no state."""

from __future__ import annotations

from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING

from companion.core.record.lines import PressLine, Reveal
from companion.core.record.words import line_words
from companion.core.ruling.game import FieldValue, LineField
from companion.games.apache.cards import BY_NAME, DECK, DECK_CARDS, NAMES, ROLES
from companion.games.apache.lines import ApacheOutcome, Claim, HandSettled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.record.lines import Line
    from companion.core.ruling.rulings import Ruling

_TAKES = {"booty": "the usual booty", "teepees": "the teepees", "wedding": "a wedding"}
TAKES = tuple(_TAKES)
_CARDS = {card.name: card for card in DECK_CARDS}
NO_INDIAN, NO_BOOTY, ANTICIPATED = "no matching Indian", "nothing to claim", "anticipated"
"""Why a press is punished, as rulings name it."""
CLAUSES: Mapping[str, str] = MappingProxyType(
    {
        "claim": "What a hand card may claim",
        NO_INDIAN: "Punishment",
        NO_BOOTY: "Punishment",
        ANTICIPATED: "Too soon",
    }
)
"""Which heading of `rules.md` a verdict goes by."""


def describe(line: Line) -> str:
    """Say what a line is: a claim by what it takes, others as in every game."""
    if isinstance(line, Claim):
        details = (("prisoner", line.prisoner), ("spouse", line.spouse))
        return f"{line.colour} chooses {line.take}" + "".join(f", {name} {card}" for name, card in details if card)
    return line_words(line)


def fields(line: Line) -> tuple[LineField, ...]:
    """Give what in a line may have been meant otherwise: the card of a reveal, the hand card of a press."""
    if isinstance(line, Reveal):
        return (LineField("card", "card", tuple(FieldValue(name, name) for name in NAMES if DECK[BY_NAME[name]])),)
    if isinstance(line, PressLine):
        return (LineField("role", "hand card", tuple(FieldValue(role, role) for role in ROLES)),)
    return ()


def reason(press: PressLine, why: str) -> tuple[str, str]:
    """Say why a hand card was punished: in a sentence's end, and where room is short."""
    if why == NO_INDIAN:
        return f"no {press.colour} {press.role} is face up", "no Indian"
    if why == ANTICIPATED:
        return "it was made before the card could be seen", "too soon"
    return (f"nothing lies there that a {press.role} could claim", "no booty") if why == NO_BOOTY else (why, why)


def sentences(ruling: Ruling) -> tuple[str, ...] | None:
    """Give what the general account cannot say: what was claimed, and the cards at the end."""
    match ruling:
        case HandSettled(result="claimed"):
            return _claimed(ruling)
        case ApacheOutcome():
            return _outcome(ruling)
    return None


def _claimed(ruling: HandSettled) -> tuple[str, ...]:
    """Say what a claimant takes from the table, card by card, and which buffalo the others give."""
    cards = ruling.moved()
    spelt = [_CARDS[name].counted(len(list(same))) for name, same in groupby(cards)]
    what = _TAKES.get(str(ruling.take), ruling.take)
    sentences = [f"{ruling.colour} ({ruling.role}) claims {what}: {', '.join(spelt)} ({len(cards)} cards)."]
    if ruling.tribute:
        given = ", ".join(f"{colour} gives {count}" for colour, count in ruling.tribute.items())
        sentences.append(f"{ruling.colour} is on the warpath for buffalo: {given}.")
    return tuple(sentences)


def _outcome(ruling: ApacheOutcome) -> tuple[str, ...]:
    """Say what every pile counts and where the other cards are."""
    piles = ", ".join(
        f"{colour} {count} {'card' if count == 1 else 'cards'} ({ruling.buffalo[colour]} buffalo)"
        for colour, count in ruling.piles.items()
    )
    rest = f"{ruling.table} on the table, {ruling.unrevealed} not revealed, {ruling.removed} out of the game"
    return (f"Score: {piles}.", f"Other cards: {rest}.")
