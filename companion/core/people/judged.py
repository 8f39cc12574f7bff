"""What one judged record says of its seats: scores, places, reactions, punishments. Pure; knows no game by name.

Only a match that is over is looked at, and of it only what stands: what was taken back or replaced counts no more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.record.lines import JudgeLine
from companion.core.record.practice import is_practice
from companion.core.ruling.judge import Judge, judged_lines
from companion.core.ruling.rulings import Order
from companion.core.shown.race_rows import basis_at
from companion.core.timing.events import MS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from companion.core.panel import Colour
    from companion.core.record.lines import PressLine
    from companion.core.ruling.game import Game
    from companion.core.ruling.history import History, Told
    from companion.core.ruling.rulings import Place


class Reaction(NamedTuple):
    """How long after its card a press was made, ± error_ns; in which match and race."""

    ns: int
    error_ns: int
    match: int
    race: int


class SeatFacts(NamedTuple):
    """What a match says of a seat. name: of who sat there at the end, None where none was given.

    presses: that count. contested: races of two presses and more in which it pressed; firsts: of those, place 1.
    punished: presses that were. leads: it has won, alone or with others. gaps_ms: of each timed race in which others
    pressed too, how far its press was behind the median of theirs, raw; negative where it was before.
    """

    colour: Colour
    name: str | None
    score: int
    leads: bool
    presses: int = 0
    contested: int = 0
    firsts: int = 0
    punished: int = 0
    reactions: tuple[Reaction, ...] = ()
    gaps_ms: tuple[int, ...] = ()


class RaceFacts(NamedTuple):
    """The order of a race as it was ruled: colours from place 1 on, and the pairs that the times cannot tell apart."""

    number: int
    order: tuple[Colour, ...]
    tied: frozenset[frozenset[Colour]]


class MatchFacts(NamedTuple):
    """What counts of a match that is over. started: wall time (RFC 3339). title: of the game.

    is_practice: it was played to learn, and is in nobody's standings or figures. record: the match's own id.
    """

    id: int
    game: str
    title: str
    started: str
    score_label: str
    seats: tuple[SeatFacts, ...]
    races: tuple[RaceFacts, ...]
    is_practice: bool = False
    record: str = ""


class _RaceNow(NamedTuple):
    """A judged race that stands."""

    facts: RaceFacts
    places: tuple[Place, ...]
    reactions: dict[Colour, Reaction]
    gaps_ms: dict[Colour, int]


def facts_of(
    lines: Iterable[bytes], match_id: int, started: str, find_game: Callable[[str], Game[Any]]
) -> MatchFacts | None:
    """Judge a record again and give what counts of it; None where it is not over, or cannot be judged to its end."""
    judge = Judge(find_game)
    if any(line is None for line, _ in judged_lines(lines, judge)):
        return None
    game, setup = judge.game, judge.setup
    if game is None or setup is None or not judge.is_over():
        return None
    races = list(_races(judge.history, game, match_id, is_timed=setup.timing != "untimed"))
    view = game.view(judge.state)
    scores, ahead = dict(view.scores), judge.outcome().ahead()
    seats = tuple(
        _seat(seat.colour, judge.history.names.get(seat.colour), scores.get(seat.colour, 0), races)._replace(
            leads=seat.colour in ahead
        )
        for seat in setup.seats
    )
    return MatchFacts(
        match_id,
        game.name,
        game.title,
        started,
        view.score_label,
        seats,
        tuple(race.facts for race in races),
        is_practice(told.line for told in judge.history),
        setup.match,
    )


def _seat(colour: Colour, name: str | None, score: int, races: Sequence[_RaceNow]) -> SeatFacts:
    mine = [race for race in races if colour in race.facts.order]
    contested = [race for race in mine if len(race.facts.order) > 1]
    places = [place for race in mine for place in race.places if place.colour == colour]
    return SeatFacts(
        colour,
        name,
        score,
        leads=False,
        presses=len(mine),
        contested=len(contested),
        firsts=sum(race.facts.order[0] == colour for race in contested),
        punished=sum(place.verdict == "punish" for place in places),
        reactions=tuple(race.reactions[colour] for race in mine if colour in race.reactions),
        gaps_ms=tuple(race.gaps_ms[colour] for race in mine if colour in race.gaps_ms),
    )


def _races(history: History, game: Game[Any], match_id: int, *, is_timed: bool) -> Iterator[_RaceNow]:
    for told in history.standing():
        if not isinstance(told.line, JudgeLine):
            continue
        found = next(ruling for ruling in told.rulings if isinstance(ruling, Order))
        order = tuple(place.colour for place in found.order)
        tied = frozenset(frozenset((one.colour, other)) for one in found.order for other in one.tied_with)
        reactions = _reactions(history, told, game, match_id, found.race) if is_timed else {}
        gaps_ms = gaps_of({one.colour: one.t_ns for one in history.presses_of(told.number)}) if is_timed else {}
        yield _RaceNow(RaceFacts(found.race, order, tied), found.order, reactions, gaps_ms)


def race_gaps(history: History, *, is_timed: bool) -> dict[Colour, tuple[int, ...]]:
    """Give the gaps of a match by seat, oldest race first, as `SeatFacts.gaps_ms` has them."""
    found: dict[Colour, tuple[int, ...]] = {}
    races = [told.number for told in history.standing() if isinstance(told.line, JudgeLine)] if is_timed else []
    for number in races:
        for colour, gap_ms in gaps_of({one.colour: one.t_ns for one in history.presses_of(number)}).items():
            found[colour] = (*found.get(colour, ()), gap_ms)
    return found


def gaps_of(times_ns: Mapping[Colour, int]) -> dict[Colour, int]:
    """Give how many ms each press of a race was behind the median of the others', raw; none where there are no others.

    A half is rounded down.
    """
    gaps = {}
    for colour, t_ns in times_ns.items():
        others = sorted(one for other, one in times_ns.items() if other is not colour)
        if others:
            twice = others[(len(others) - 1) // 2] + others[len(others) // 2]
            gaps[colour] = (2 * t_ns - twice) // (2 * MS)
    return gaps


def _reactions(
    history: History, told: Told, game: Game[Any], match_id: int, race: int
) -> dict[Colour, Reaction]:  # fmt: skip
    """Give each seat's time from the card; none where the card's is not known, or comes after a press."""
    card_ns = basis_at(history, told, game).card_ns
    presses: Sequence[PressLine] = history.presses_of(told.number)
    if card_ns is None or any(press.t_ns < card_ns for press in presses):
        return {}
    return {press.colour: Reaction(press.t_ns - card_ns, press.error_ns, match_id, race) for press in presses}
