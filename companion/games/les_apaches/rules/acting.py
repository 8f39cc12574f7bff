"""Placing and moving: what the rules allow (`les-apaches.md`, 4). The one legality check, for lines and offers alike.

An action is judged by the position it leaves. Whether a gang's figures may stand in a district rests on its own three
numbers and on how many the other gangs have there, which does not change in its turn: so a whole turn's moves can be
searched with that alone (`Ground`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from companion.core.errors import Illegal
from companion.core.words.texts import text
from companion.games.les_apaches.rules.districts import KINDS, NUMBERS
from companion.games.les_apaches.rules.state import Figures, State, Streets, with_figures

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from companion.games.les_apaches.rules.lines import Muster, Prowl

CATALOGUE = "companion.games.les_apaches"
_KINDS = {
    "leader": text("leader", CATALOGUE),
    "novice": text("novice", CATALOGUE),
    "reinforcement": text("reinforcement", CATALOGUE),
}
Stride = tuple[str, int, int]
"""A kind of figure, the district it leaves, and the one it enters."""
Links = tuple[tuple[int, ...], ...]
"""Of districts 1 to 9: where a figure may go from there."""


def refuse(rule: str, says: str) -> NoReturn:
    """Raise Illegal, with the rule that is broken."""
    raise Illegal(text("{why} (rule {rule})", CATALOGUE).format(why=says, rule=rule))


class Ground(NamedTuple):
    """A district as the gang in turn finds it.

    others: how many figures each other gang there has. own: the gang's. is_broken: two of the others have equal
    numbers, which only a hand can have made.
    """

    others: frozenset[int]
    own: Figures
    is_broken: bool

    def is_tied(self, own: Figures) -> bool:
        """Tell whether two gangs there would have equal numbers."""
        return self.is_broken or sum(own) in self.others

    def takes(self, leaders: int, novices: int, reinforcements: int) -> bool:
        """Tell whether the gang's figures there may be these: no tie, and none without a leader."""
        total = leaders + novices + reinforcements
        return not self.is_broken and (total == 0 or (leaders > 0 and total not in self.others))


def ground(streets: Streets, district: int, seat: int) -> Ground:
    """Give a district as a gang finds it."""
    row = streets[district - 1]
    others = [sum(figures) for other, figures in enumerate(row) if other != seat and any(figures)]
    distinct = frozenset(others)
    return Ground(distinct, row[seat], len(distinct) < len(others))


def _verify_position(found: Iterable[tuple[int, Ground, Figures]]) -> None:
    """Raise Illegal for ties (4.5) and for those without a leader (4.6). found: each district with what is left."""
    changed = sorted(found)
    for district, place, own in changed:
        if place.is_tied(own):
            refuse("4.5", text("there would be a tie in district {district}", CATALOGUE).format(district=district))
    for district, _, own in changed:
        if any(own) and not own[0]:
            says = text("novices and reinforcements would be without a leader in district {district}", CATALOGUE)
            refuse("4.6", says.format(district=district))


# -- placing -----------------------------------------------------------------------------------------------------------


def mustered(state: State, seat: int, line: Muster) -> Streets:
    """Give the streets after figures were placed. Raises Illegal."""
    district = int(line.district)
    _verify_open(state, district)
    added: Figures = (line.leaders, line.novices, line.reinforcements)
    reserve = state.gangs[seat].reserve
    if not any(added) or any(not 0 <= n <= have for n, have in zip(added, reserve, strict=True)):
        refuse("4.3", text("place one or more figures, and no more than are in the reserve", CATALOGUE))
    place = ground(state.streets, district, seat)
    own = _sum(place.own, added)
    _verify_position([(district, place, own)])
    return with_figures(state.streets, district, seat, own)


def _sum(a: Figures, b: Figures) -> Figures:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def _verify_open(state: State, district: int) -> None:
    if district not in state.terms.opened:
        refuse("4.2", text("district {district} is not open", CATALOGUE).format(district=district))


def musterable(state: State, seat: int) -> Iterator[int]:
    """Give every district into which figures may be placed."""
    return (district for district in state.terms.opened if any(muster_counts(state, seat, district, ())))


def muster_counts(state: State, seat: int, district: int, counts: tuple[int, ...]) -> Iterator[int]:
    """Give how many of the next kind of figures may be placed, after `counts` of the kinds before, ascending.

    Each can be completed: where leaders stand, the kinds that are still to be named may come to any sum up to theirs.
    """
    place, reserve, kind = ground(state.streets, district, seat), state.gangs[seat].reserve, len(counts)
    before, rest = sum(place.own) + sum(counts), sum(reserve[kind + 1 :])
    for count in range(reserve[kind] + 1):
        has_leader = place.own[0] > 0 or (counts[0] if counts else count) > 0
        added = sum(counts) + count
        sums = range(before + count + (added == 0), before + count + rest + 1)
        if has_leader and not place.is_broken and any(total not in place.others for total in sums):
            yield count


# -- moving ------------------------------------------------------------------------------------------------------------


def strides(line: Prowl) -> tuple[Stride, ...]:
    """Give the steps of a line with districts as numbers."""
    return tuple((kind, int(origin), int(target)) for kind, origin, target in line.figures)


def prowled(state: State, seat: int, line: Prowl) -> Streets:
    """Give the streets after figures were moved. Raises Illegal."""
    steps = strides(line)
    for _, origin, target in steps:
        _verify_open(state, origin)
        _verify_open(state, target)
    _verify_steps(state, seat, steps)
    _verify_reach(state, steps, line.adjacent)
    own: dict[int, list[int]] = {}
    for kind, origin, target in steps:
        for district, n in ((origin, -1), (target, 1)):
            here = own.setdefault(district, list(state.streets[district - 1][seat]))
            here[KINDS.index(kind)] += n
    after: dict[int, Figures] = {district: (a, b, c) for district, (a, b, c) in own.items()}
    _verify_position((d, ground(state.streets, d, seat), figures) for d, figures in after.items())
    streets = state.streets
    for district, figures in after.items():
        streets = with_figures(streets, district, seat, figures)
    return streets


def _verify_steps(state: State, seat: int, steps: tuple[Stride, ...]) -> None:
    if not 1 <= len(steps) <= 2:
        refuse("4.3", text("one or two figures move", CATALOGUE))
    taken = [(kind, origin) for kind, origin, _ in steps]
    for kind, origin, target in steps:
        if origin == target:
            refuse("4.3", text("a figure goes to another district", CATALOGUE))
        if state.streets[origin - 1][seat][KINDS.index(kind)] < taken.count((kind, origin)):
            says = text("there are not so many of them in district {origin}: {kind}", CATALOGUE)
            refuse("4.3", says.format(origin=origin, kind=_KINDS[kind]))


def pair(origin: int, target: int) -> tuple[int, int]:
    """Give two districts in ascending order."""
    return (origin, target) if origin < target else (target, origin)


def is_unsure(state: State, steps: Iterable[Stride]) -> bool:
    """Tell whether the table has to say that districts touch: neither the file nor an earlier move does (4.4)."""
    if state.terms.board.linked is not None:
        return False
    return any(pair(origin, target) not in state.known for _, origin, target in steps)


def _verify_reach(state: State, steps: tuple[Stride, ...], adjacent: bool | None) -> None:
    linked = state.terms.board.linked
    if linked is not None:
        for _, origin, target in steps:
            if target not in linked[origin - 1]:
                says = text("districts {origin} and {target} neither touch nor share a bridge", CATALOGUE)
                refuse("4.4", says.format(origin=origin, target=target))
    if is_unsure(state, steps) and not adjacent:
        refuse("4.4", text("field `adjacent`: it is true where the table says that these districts touch", CATALOGUE))
    if not is_unsure(state, steps) and adjacent is not None:
        refuse("4.4", text("field `adjacent`: whether these districts touch is known; leave it out", CATALOGUE))


def reach(state: State) -> Links:
    """Give where figures may go from each district: along what the board file tells, else anywhere that is open."""
    return _reach(state.terms.opened, state.terms.board.linked)


@lru_cache(maxsize=8)
def _reach(opened: tuple[int, ...], linked: Links | None) -> Links:
    return tuple(
        tuple(t for t in opened if t != origin and origin in opened and (linked is None or t in linked[origin - 1]))
        for origin in NUMBERS
    )


class Moves:
    """The legal moves of one gang in one position, worked out as far as they are asked for.

    A step that is legal by itself may go with any other such step that shares no district with it; only where two steps
    share one, they have to be looked at together. So no list of all pairs is ever made.
    """

    def __init__(self, streets: Streets, seat: int, links: Links) -> None:
        self._grounds = [ground(streets, district, seat) for district in NUMBERS]
        self._links = links
        self._alone: dict[Stride, bool] = {}
        self.sources: tuple[tuple[str, int], ...] = tuple(
            (kind, origin)
            for origin, place in zip(NUMBERS, self._grounds, strict=True)
            for kind, have in zip(KINDS, place.own, strict=True)
            if have
        )
        """Each kind of figure where there is one."""
        self._steps = [step for source in self.sources for step in self.steps(source)]

    def steps(self, source: tuple[str, int]) -> Iterator[Stride]:
        """Give the steps of a figure, legal or not."""
        kind, origin = source
        return ((kind, origin, target) for target in self._links[origin - 1])

    def is_legal(self, *steps: Stride) -> bool:
        """Tell whether a move of one step or two may be made."""
        if len(steps) == 1:
            return self._is_legal_alone(steps[0])
        one, other = steps
        if one[:2] == other[:2] and self._grounds[one[1] - 1].own[KINDS.index(one[0])] < 2:
            return False
        if one[1] in other or one[2] in other:
            return self._fits(steps)
        return self._is_legal_alone(one) and self._is_legal_alone(other)

    def can_begin(self, step: Stride) -> bool:
        """Tell whether a step may be made, by itself or with another one.

        One that may not be made by itself needs another that shares a district with it.
        """
        if self._is_legal_alone(step):
            return True
        near = (other for other in self._steps if step[1] in other or step[2] in other)
        return any(self.is_legal(step, other) for other in near)

    def has_any(self) -> bool:
        """Tell whether there is a legal move."""
        return any(map(self._is_legal_alone, self._steps)) or any(map(self.can_begin, self._steps))

    def _is_legal_alone(self, step: Stride) -> bool:
        found = self._alone.get(step)
        if found is None:
            found = self._alone[step] = self._fits_alone(*step)
        return found

    def _fits_alone(self, kind: str, origin: int, target: int) -> bool:
        index = KINDS.index(kind)
        left, entered = self._grounds[origin - 1], self._grounds[target - 1]
        stay, come = [*left.own], [*entered.own]
        stay[index] -= 1
        come[index] += 1
        return left.takes(*stay) and entered.takes(*come)

    def _fits(self, steps: tuple[Stride, ...]) -> bool:
        own: dict[int, list[int]] = {}
        for kind, origin, target in steps:
            index = KINDS.index(kind)
            for district, n in ((origin, -1), (target, 1)):
                here = own.get(district)
                if here is None:
                    here = own[district] = [*self._grounds[district - 1].own]
                here[index] += n
        return all(self._grounds[district - 1].takes(*figures) for district, figures in own.items())


def moves(state: State, seat: int) -> Moves:
    """Give the legal moves of a gang."""
    return _moves(state.streets, seat, reach(state))


_moves = lru_cache(maxsize=8)(Moves)
