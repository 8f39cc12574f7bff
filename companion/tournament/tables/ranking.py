"""Who came where at a table, by the game's own words alone: its outcome and its scores. Pure; knows no game by name.

Theory of operation. Whoever is ahead by the game's outcome has won, alone or with others: the game's own tie-breaks are
in that. The others follow by the scores that displays show; equal scores tie. Whether more or fewer is better no game
says in so many words, but each shows it: where those who lead have the lowest score of all, fewer is better, unless the
same match has had them lead by the highest (a clock may put out whoever has more). Nobody ahead: all share the first
place, since the game tells them apart by nothing.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.record.lines import JudgeLine
from companion.core.ruling.rulings import Order
from companion.tournament.results import Place

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core.panel import Colour
    from companion.core.ruling.game import Game
    from companion.core.ruling.history import History
    from companion.core.ruling.judge import Judge

PILES = ("piles", "won")
"""Where an outcome has the cards that each seat has taken: a number by colour, under one of these names."""


class Better(Enum):
    """Which scores are better; as a match shows it."""

    MORE = "more"
    FEWER = "fewer"


class Ranked(NamedTuple):
    """The places of a table, by seat. better: None where no place rests on a score."""

    places: tuple[Place, ...]
    is_anybody_ahead: bool
    better: Better | None


def ranked(judge: Judge, players: Sequence[int]) -> Ranked:
    """Rank the seats of a match that is over. players: by seat, as many as there are. `judge` has judged a setup."""
    game, setup = judge.game, judge.setup
    if game is None or setup is None:
        return Ranked((), is_anybody_ahead=False, better=None)
    colours = tuple(seat.colour for seat in setup.seats)
    outcome = judge.outcome()
    ahead = outcome.ahead()
    scores = dict(game.view(judge.state).scores)
    others = tuple(colour for colour in colours if colour not in ahead) if ahead else ()
    better = _better(judge, game, scores, ahead) if others else None
    ranks = _ranks(colours, others, scores, better)
    cards = _cards(game, outcome, colours) if better is not Better.FEWER else {}
    punished = _punished(judge.history, colours)
    places = tuple(
        Place(player, ranks[colour], cards.get(colour), punished[colour])
        for player, colour in zip(players, colours, strict=True)
    )
    return Ranked(places, bool(ahead), better)


def _ranks(
    colours: Sequence[Colour], others: Sequence[Colour], scores: Mapping[Colour, int], better: Better | None
) -> dict[Colour, int]:
    """Give each seat's rank; all others tie where a score of theirs is not known."""
    ranks = dict.fromkeys(colours, 1)
    is_known = all(colour in scores for colour in others)
    sign = -1 if better is Better.FEWER else 1
    standing = {colour: sign * scores[colour] if is_known else 0 for colour in others}
    leading = len(colours) - len(others)
    for colour, value in standing.items():
        ranks[colour] = 1 + leading + sum(one > value for one in standing.values())
    return ranks


def _better(judge: Judge, game: Game[Any], scores: Mapping[Colour, int], ahead: Sequence[Colour]) -> Better:
    """Tell which scores are better; earlier states are asked only where the last one says "fewer"."""
    if _shown(scores, ahead) is not Better.FEWER:
        return Better.MORE
    for told in judge.history.standing_backwards():
        before = told.before
        if _shown(dict(game.view(before).scores), game.outcome(before).ahead()) is Better.MORE:
            return Better.MORE
    return Better.FEWER


def _shown(scores: Mapping[Colour, int], ahead: Sequence[Colour]) -> Better | None:
    """Tell by which scores those who are ahead are, None where that does not show."""
    leading = [scores[colour] for colour in ahead if colour in scores]
    if not leading or min(scores.values()) == max(scores.values()):
        return None
    if min(leading) == max(scores.values()):
        return Better.MORE
    return Better.FEWER if max(leading) == min(scores.values()) else None


def _cards(game: Game[Any], outcome: object, colours: Sequence[Colour]) -> dict[Colour, int]:
    """Give the cards that each seat has taken; nothing in a game without cards, or where nobody has any."""
    if not game.deck:
        return {}
    for name in PILES:
        piles = getattr(outcome, name, None)
        if isinstance(piles, dict) and all(type(piles.get(str(colour))) is int for colour in colours):
            return {colour: piles[str(colour)] for colour in colours} if any(piles.values()) else {}
    return {}


def _punished(history: History, colours: Sequence[Colour]) -> dict[Colour, int]:
    """Count each seat's presses that were punished, in the races that stand."""
    counts = dict.fromkeys(colours, 0)
    for told in history.standing_backwards():
        if isinstance(told.line, JudgeLine):
            for place in (place for one in told.rulings if isinstance(one, Order) for place in one.order):
                if place.verdict == "punish" and place.colour in counts:
                    counts[place.colour] += 1
    return counts
