"""Placing and moving: what the rules allow (`les-apaches.md`, 4). The one legality check, for lines and offers alike.

An action is judged by the position it leaves. Whether a gang's figures may stand in a district rests on its own three
numbers and on how many the other gangs have there, which does not change in its turn: so a whole turn's moves can be
searched with that alone (`Ground`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from companion.core.errors import Illegal
from companion.games.les_apaches.rules.districts import HIDEOUTS, KINDS
from companion.games.les_apaches.rules.state import Figures, State, Streets, with_figures

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from companion.games.les_apaches.lines import Muster, Prowl

Stride = tuple[str, int, int]
"""A kind of figure, the district it leaves, and the one it enters."""
Links = tuple[tuple[int, ...], ...]
"""Of districts 1 to 9: where a figure may go from there."""


def refuse(rule: str, says: str) -> NoReturn:
    """Raise Illegal, with the rule that is broken."""
    raise Illegal(f"{says} (rule {rule})")


class Ground(NamedTuple):
    """A district as the gang in turn finds it. others: how many figures each other gang there has; own: its own."""

    others: tuple[int, ...]
    own: Figures

    def is_tied(self, own: Figures) -> bool:
        """Tell whether two gangs there would have equal numbers."""
        counts = (*self.others, sum(own)) if any(own) else self.others
        return len(set(counts)) < len(counts)

    def takes(self, own: Figures) -> bool:
        """Tell whether the gang's figures there may be these: no tie, and none without a leader."""
        return (own[0] > 0 or not any(own)) and not self.is_tied(own)


def ground(streets: Streets, district: int, seat: int) -> Ground:
    """Give a district as a gang finds it."""
    row = streets[district - 1]
    others = tuple(sum(figures) for other, figures in enumerate(row) if other != seat and any(figures))
    return Ground(others, row[seat])


def _verify_position(found: Iterable[tuple[int, Ground, Figures]]) -> None:
    """Raise Illegal for ties (4.5) and for those without a leader (4.6). found: each district with what is left."""
    changed = sorted(found)
    for district, place, own in changed:
        if place.is_tied(own):
            refuse("4.5", f"there would be a tie in district {district}")
    for district, _, own in changed:
        if any(own) and not own[0]:
            refuse("4.6", f"novices and reinforcements would be without a leader in district {district}")


# -- placing -----------------------------------------------------------------------------------------------------------


def mustered(state: State, seat: int, line: Muster) -> Streets:
    """Give the streets after figures were placed. Raises Illegal."""
    district = int(line.district)
    _verify_open(state, district)
    added: Figures = (line.leaders, line.novices, line.reinforcements)
    reserve = state.gangs[seat].reserve
    if not any(added) or any(not 0 <= n <= have for n, have in zip(added, reserve, strict=True)):
        refuse("4.3", "place one or more figures, and no more than are in the reserve")
    place = ground(state.streets, district, seat)
    own = _sum(place.own, added)
    _verify_position([(district, place, own)])
    return with_figures(state.streets, district, seat, own)


def _sum(a: Figures, b: Figures) -> Figures:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def _verify_open(state: State, district: int) -> None:
    if district not in state.terms.opened:
        refuse("4.2", f"district {district} is not open")


def legal_musters(state: State, seat: int) -> tuple[tuple[int, Figures], ...]:
    """Give every district with all that may be placed there."""
    return _legal_musters(state.streets, state.gangs[seat].reserve, seat, state.terms.opened)


@lru_cache(maxsize=8)
def _legal_musters(
    streets: Streets, reserve: Figures, seat: int, opened: tuple[int, ...]
) -> tuple[tuple[int, Figures], ...]:
    return tuple(
        (district, added)
        for district in opened
        for place in (ground(streets, district, seat),)
        for added in _parts(reserve)
        if any(added) and place.takes(_sum(place.own, added))
    )


def _parts(reserve: Figures) -> Iterator[Figures]:
    leaders, novices, reinforcements = (range(have + 1) for have in reserve)
    return ((a, b, c) for a in leaders for b in novices for c in reinforcements)


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
        refuse("4.3", "one or two figures move")
    taken = [(kind, origin) for kind, origin, _ in steps]
    for kind, origin, target in steps:
        if origin == target:
            refuse("4.3", "a figure goes to another district")
        if state.streets[origin - 1][seat][KINDS.index(kind)] < taken.count((kind, origin)):
            refuse("4.3", f"there are not so many of them in district {origin}: {kind}")


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
                refuse("4.4", f"districts {origin} and {target} neither touch nor share a bridge")
    if is_unsure(state, steps) and not adjacent:
        refuse("4.4", "field `adjacent`: it is true where the table says that these districts touch")
    if not is_unsure(state, steps) and adjacent is not None:
        refuse("4.4", "field `adjacent`: whether these districts touch is known; leave it out")
    if adjacent is False:
        refuse("4.4", "field `adjacent`: it is true, or left out")


def legal_prowls(state: State, seat: int) -> tuple[tuple[Stride, ...], ...]:
    """Give every legal move of one or two figures, the latter in one order only."""
    opened = state.terms.opened
    linked = state.terms.board.linked
    links = tuple(
        tuple(t for t in opened if t != origin and origin in opened and (linked is None or t in linked[origin - 1]))
        for origin in range(1, len(HIDEOUTS) + 1)
    )
    return _legal_prowls(state.streets, seat, links)


@lru_cache(maxsize=8)
def _legal_prowls(streets: Streets, seat: int, links: Links) -> tuple[tuple[Stride, ...], ...]:
    grounds = [ground(streets, district, seat) for district in range(1, len(links) + 1)]
    steps = [
        (kind, origin, target)
        for origin, place in enumerate(grounds, start=1)
        for kind, have in zip(KINDS, place.own, strict=True)
        if have
        for target in links[origin - 1]
    ]
    pairs = [
        (one, other)
        for number, one in enumerate(steps)
        for other in steps[number:]
        if one[:2] != other[:2] or grounds[one[1] - 1].own[KINDS.index(one[0])] > 1
    ]
    return tuple(found for found in (*((one,) for one in steps), *pairs) if _is_legal(grounds, found))


def _is_legal(grounds: list[Ground], steps: tuple[Stride, ...]) -> bool:
    own: dict[int, list[int]] = {}
    for kind, origin, target in steps:
        index = KINDS.index(kind)
        for district, n in ((origin, -1), (target, 1)):
            here = own.get(district)
            if here is None:
                here = own[district] = [*grounds[district - 1].own]
            here[index] += n
    return all(grounds[district - 1].takes((a, b, c)) for district, (a, b, c) in own.items())
