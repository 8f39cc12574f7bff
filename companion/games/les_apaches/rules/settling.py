"""The end of a round, district by district, and the coming home of the figures (`les-apaches.md`, 7). Pure.

`settled` goes on from the district that the state asks about for as long as the box knows what it needs; each sum is in
a ruling and in the accounts.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from companion.games.les_apaches.rules import lines
from companion.games.les_apaches.rules.districts import (
    BURGHERS,
    FENCE,
    PER_BURGLARY,
    ROUNDS,
    THEFT,
    WON_REINFORCEMENTS,
    parted,
)
from companion.games.les_apaches.rules.state import (
    NONE,
    Column,
    Phase,
    Settled,
    State,
    by_colour,
    fresh_round,
    paid,
    strength,
    with_figures,
    with_gang,
)

if TYPE_CHECKING:
    from companion.core.ruling.rulings import Ruling

LOSSES = ("wounded", "killed", "jailed")


class Gain(NamedTuple):
    """What the majority got in a district. given: what each other gang paid."""

    francs: int = 0
    reinforcements: int = 0
    lost: int = 0
    burghers: int = 0
    given: dict[str, int] | None = None


def majority(state: State, district: int) -> int | None:
    """Give the seat with most figures in a district, None where nobody is there or several have most (7.1)."""
    counts = [sum(figures) for figures in state.streets[district - 1]]
    most = max(counts)
    return counts.index(most) if most and counts.count(most) == 1 else None


def known_loot(state: State, district: int) -> str | None:
    """Give what the hideout says that was taken away, where the board file tells (7.2)."""
    places = state.terms.board.places[district - 1]
    if places is None or district not in state.terms.quarters:
        return None
    left = Counter(places) - Counter(state.course.laid[district - 1])
    return next(iter(left), None)


def settled(state: State, told: str | None = None) -> tuple[State, tuple[Ruling, ...]]:
    """Settle districts from the one that is asked about. told: what was entered of it.

    The state after is one that asks for what the box does not know, or the round is over.
    """
    rulings: list[Ruling] = []
    while state.asking:
        district = state.asking
        question = _question(state, district, told)
        if question is not None:
            return replace(state, phase=question), tuple(rulings)
        state, ruling = _settle(state, district, known_loot(state, district) or told)
        rulings.append(ruling)
        told = None
        later = [other for other in state.terms.opened if other > district]
        state = replace(state, asking=later[0] if later else 0)
    state, ruling = _come_home(state)
    return state, (*rulings, ruling)


def _question(state: State, district: int, told: str | None) -> Phase | None:
    """Give the phase in which the box asks for what it does not know of a district; None where it knows all."""
    if majority(state, district) is None:
        return None
    if district == BURGHERS and state.terms.by_box and not state.deal.is_shuffled:
        return Phase.SHUFFLE
    if district in state.terms.quarters and told is None and known_loot(state, district) is None:
        return Phase.UNLAID
    return None


def _settle(state: State, district: int, loot: str | None) -> tuple[State, Ruling]:
    seat, there = majority(state, district), strength(state, district)
    gain = Gain()
    if seat is not None:
        state, gain = _gained(state, seat, district, loot)
    number = state.course.number
    row = Settled(number, district, loot, seat, gain.francs, gain.reinforcements, gain.lost, gain.burghers)
    ruling = lines.DistrictSettled(
        round=number,
        district=str(district),
        loot=loot,
        strength=there,
        colour=None if seat is None else state.terms.colours[seat],
        francs=gain.francs,
        reinforcements=gain.reinforcements,
        lost=gain.lost,
        burghers=gain.burghers,
        given=gain.given or {},
    )
    return replace(state, log=(*state.log, row)), ruling


def _gained(state: State, seat: int, district: int, loot: str | None) -> tuple[State, Gain]:
    if district in _WITHOUT_HIDEOUTS:
        return _WITHOUT_HIDEOUTS[district](state, seat)
    kind, francs = parted(loot or "")
    if kind in LOSSES:
        return _loss(state, seat, district, kind)
    match kind:
        case "money":
            return paid(state, seat, Column.MONEY, francs), Gain(francs)
        case "burglary":
            return _burglary(state, seat, francs)
        case "theft":
            return _theft(state, seat)
    return _reinforced(state, seat, WON_REINFORCEMENTS)


def _burglary(state: State, seat: int, francs: int) -> tuple[State, Gain]:
    state = paid(state, seat, Column.BURGLARY, francs)
    gang = state.gangs[seat]
    return with_gang(state, seat, replace(gang, burglaries=gang.burglaries + 1)), Gain(francs)


def _theft(state: State, seat: int) -> tuple[State, Gain]:
    most = THEFT[len(state.gangs)]
    given: dict[str, int] = {}
    for other, colour in enumerate(state.terms.colours):
        if other != seat:
            given[str(colour)] = min(most, state.gangs[other].money)
            state = paid(state, other, Column.ROBBED, -given[str(colour)])
    francs = sum(given.values())
    return paid(state, seat, Column.THEFT, francs), Gain(francs, given=given)


def _reinforced(state: State, seat: int, wanted: int, francs: int = 0) -> tuple[State, Gain]:
    count = min(wanted, state.stock)
    gang = state.gangs[seat]
    return with_gang(state, seat, replace(gang, won=gang.won + count)), Gain(francs, count)


def _loss(state: State, seat: int, district: int, kind: str) -> tuple[State, Gain]:
    leaders, novices, reinforcements = state.streets[district - 1][seat]
    if not leaders:
        return state, Gain()
    gang = state.gangs[seat]
    if kind == "wounded":
        gang = replace(gang, hospital=(gang.hospital[0], gang.hospital[1] + 1))
    elif kind == "jailed":
        gang = replace(gang, jail=(gang.jail[0], gang.jail[1] + 1))
    else:
        gang = replace(gang, killed=gang.killed + 1)
    streets = with_figures(state.streets, district, seat, (leaders - 1, novices, reinforcements))
    return replace(with_gang(state, seat, gang), streets=streets), Gain(lost=1)


def _burgher(state: State, seat: int) -> tuple[State, Gain]:
    gang, number = state.gangs[seat], sum(len(one.burghers) for one in state.gangs)
    return with_gang(state, seat, replace(gang, burghers=(*gang.burghers, number))), Gain(burghers=1)


def _fence(state: State, seat: int) -> tuple[State, Gain]:
    francs = PER_BURGLARY * state.gangs[seat].burglaries
    return _reinforced(paid(state, seat, Column.FENCE, francs), seat, 1, francs)


_WITHOUT_HIDEOUTS = {BURGHERS: _burgher, FENCE: _fence}


def _come_home(state: State) -> tuple[State, Ruling]:
    """Bring figures home (7.9), and begin the next round where one comes."""
    course, seats = state.course, range(len(state.gangs))
    is_last = course.number == ROUNDS
    back = [state.gangs[seat].hospital[0] + state.gangs[seat].jail[0] for seat in seats]
    gangs = []
    for seat, gang in enumerate(state.gangs):
        there = [row[seat] for row in state.streets]
        novices = sum(figures[1] for figures in there)
        home = replace(
            gang,
            leaders=gang.leaders + sum(figures[0] for figures in there) + back[seat],
            reinforcements=0 if is_last else gang.won,
            won=gang.won if is_last else 0,
            hospital=(gang.hospital[1], 0),
            jail=(gang.jail[1], 0),
            spent=gang.spent + novices,
            burglaries=0,
        )
        gangs.append(home)
    first = (course.first + 1) % len(gangs)
    ruling = lines.RoundOver(
        round=course.number,
        back=by_colour(state, back),
        money=by_colour(state, [gang.money for gang in gangs]),
        first=None if is_last else state.terms.colours[first],
    )
    streets = ((NONE,) * len(gangs),) * len(state.streets)
    after = replace(state, gangs=tuple(gangs), streets=streets)
    if is_last:
        return after, ruling
    return replace(after, phase=Phase.DRAFT, course=fresh_round(state.terms, course.number + 1, first)), ruling
