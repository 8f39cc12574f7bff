"""Two people side by side, and matches put into evenings. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from companion.core.people.figures import players_of, seats_of
from companion.core.people.names import is_same

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from companion.core.panel import Colour
    from companion.core.people.judged import MatchFacts, RaceFacts

NIGHT_ENDS = 6
"""O'clock: a match that begins earlier is still of the evening before."""
UNDATED = "undated"
"""The evening of matches whose beginning is not known."""


class HeadToHead(NamedTuple):
    """One person against another, from the first one's side.

    ahead, behind, level: matches by their scores. sooner, later: races by the order as ruled; dead_heats: races in
    which the times cannot tell the two apart, which count for neither.
    """

    other: str
    ahead: int = 0
    behind: int = 0
    level: int = 0
    sooner: int = 0
    later: int = 0
    dead_heats: int = 0

    @property
    def matches(self) -> int:
        """How many matches both played."""
        return self.ahead + self.behind + self.level


def head_to_head(name: str, matches: Sequence[MatchFacts]) -> tuple[HeadToHead, ...]:
    """Compare a person with everybody they have played, the most frequent first."""
    others = [other for other in players_of(matches) if not is_same(other, name)]
    found = [_against(name, other, matches) for other in others]
    return tuple(sorted((one for one in found if one.matches), key=lambda one: (-one.matches, one.other.casefold())))


def _against(name: str, other: str, matches: Iterable[MatchFacts]) -> HeadToHead:
    score, races = [0, 0, 0], [0, 0, 0]
    for match in matches:
        mine, theirs = seats_of(match, name), seats_of(match, other)
        if not mine or not theirs:
            continue
        ours = max(seat.score for seat in mine) - max(seat.score for seat in theirs)
        score[0 if ours > 0 else 1 if ours < 0 else 2] += 1
        for which in _met(match.races, [seat.colour for seat in mine], [seat.colour for seat in theirs]):
            races[which] += 1
    return HeadToHead(other, *score, *races)


def _met(races: Iterable[RaceFacts], mine: Sequence[Colour], theirs: Sequence[Colour]) -> Iterator[int]:
    """Give of each race in which both pressed: 0 sooner, 1 later, 2 a dead heat. By the best press of each."""
    for race in races:
        one = next((colour for colour in race.order if colour in mine), None)
        other = next((colour for colour in race.order if colour in theirs), None)
        if one is None or other is None:
            continue
        if frozenset((one, other)) in race.tied:
            yield 2
        else:
            yield int(race.order.index(one) > race.order.index(other))


def evening_of(started: str) -> str:
    """Give the evening of a match, as the date on which it began ("2025-03-01"); `UNDATED` where that is not known."""
    try:
        begun = datetime.fromisoformat(started)
    except ValueError:
        return UNDATED
    return (begun - timedelta(hours=NIGHT_ENDS)).date().isoformat()


def evenings(matches: Iterable[MatchFacts]) -> dict[str, list[MatchFacts]]:
    """Put matches into evenings, the newest first; those of an evening in the order they were played."""
    found: dict[str, list[MatchFacts]] = {}
    for match in sorted(matches, key=lambda one: one.id):
        found.setdefault(evening_of(match.started), []).append(match)
    return dict(sorted(found.items(), key=lambda one: (one[0] != UNDATED, one[0]), reverse=True))
