"""From the order of a Pow-Wow to what each player takes or loses (`apache.md`, Turn, Punishment, Victory pile)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.ruling.race import RacePhase, is_too_soon
from companion.core.ruling.ranking import rank
from companion.core.ruling.rulings import Order, Place, Resume, Ruling
from companion.games.apache.cards import BUFFALO, NAMES, Card, Counts, Role, with_count
from companion.games.apache.choices import Choice, choices, why_punished
from companion.games.apache.lines import HandSettled
from companion.games.apache.wording import ANTICIPATED

if TYPE_CHECKING:
    from companion.core.panel import Colour
    from companion.games.apache.state import State, Terms

PENALTY = 2
"""Cards given up for a punishable play."""

Step = tuple["State", tuple[Ruling, ...]]


def judge(state: State) -> Step:
    """Make the order of a closed Pow-Wow final and settle until somebody must choose or all are settled."""
    match = state.match
    places = rank(state.presses, match.seats, match.colours[state.revealer], match.ties, state.race)
    soon = _anticipated(state)
    order = tuple(_with_verdict(match, state.table, place, soon) for place in places)
    state = replace(state, phase=RacePhase.SETTLING, order=order)
    return _settle(state, [Order(race=state.race, order=order)])


def claim(state: State, choice: Choice) -> Step:
    """Give the claimant whose turn it is what was chosen, and settle on."""
    state, ruling = _claimed(state, state.order[state.settled], choice)
    return _settle(state, [ruling])


def _anticipated(state: State) -> frozenset[Colour]:
    """Give who pressed too soon after the newest card with what could have claimed nothing before it was there."""
    rule = state.match.anticipation
    if rule is None or state.card is None or not state.turned:
        return frozenset()
    before = with_count(state.table, state.card, -1)
    return frozenset(
        press.colour
        for press in state.presses
        if is_too_soon(press, state.card_t_ns, rule)
        and not choices(state.match, before, press.colour, Role(press.role))
    )


def _with_verdict(match: Terms, table: Counts, place: Place, soon: frozenset[Colour]) -> Place:
    why = why_punished(match, table, place.colour, Role(place.role))
    if match.anticipation is None:
        return replace(place, verdict="punish" if why else "claim", why=why)
    is_soon = place.colour in soon
    if is_soon and match.anticipation.rule == "punish":
        why = ANTICIPATED
    return replace(place, verdict="punish" if why else "claim", why=why, anticipated=is_soon)


def _settle(state: State, rulings: list[Ruling]) -> Step:
    while state.settled < len(state.order):
        place = state.order[state.settled]
        if place.verdict == "punish":
            state, ruling = _punished(state, place)
        else:
            found = choices(state.match, state.table, place.colour, Role(place.role))
            if len(found) > 1:
                return state, tuple(rulings)
            state, ruling = _claimed(state, place, found[0]) if found else _nothing(state, place)
        rulings.append(ruling)
    last = state.order[-1].colour
    rulings.append(Resume(race=state.race, reveals=last))
    return _resumed(state, last), tuple(rulings)


def _resumed(state: State, last: Colour) -> State:
    return replace(
        state,
        phase=RacePhase.WAITING,
        turn=state.match.colours.index(last),
        race=state.race + 1,
        card=None,
        card_t_ns=None,
        turned=False,
        joined=False,
        closed_ns=None,
        presses=(),
        order=(),
        settled=0,
    )


def _punished(state: State, place: Place) -> tuple[State, HandSettled]:
    seat = state.match.colours.index(place.colour)
    pile = state.piles[seat]
    lost = pile[: -PENALTY - 1 : -1]
    state = replace(
        state,
        piles=_with_pile(state.piles, seat, pile[:-PENALTY]),
        removed=state.removed + lost,
        settled=state.settled + 1,
    )
    return state, HandSettled(
        race=state.race, colour=place.colour, role=place.role, result="punished", cards=_names(lost)
    )


def _nothing(state: State, place: Place) -> tuple[State, HandSettled]:
    ruling = HandSettled(race=state.race, colour=place.colour, role=place.role, result="nothing")
    return replace(state, settled=state.settled + 1), ruling


def _claimed(state: State, place: Place, choice: Choice) -> tuple[State, HandSettled]:
    match = state.match
    seat = match.colours.index(place.colour)
    table = list(state.table)
    for card in choice.cards:
        table[card] -= 1
    piles = list(state.piles)
    under: tuple[Card, ...] = ()
    over = choice.cards
    if match.warpath and over[-1] == BUFFALO:
        over = tuple(card for card in choice.cards if card != BUFFALO)
        under = choice.cards[len(over) :]
    is_raid = match.warpath and place.role == Role.WARRIOR and choice.take == "booty"
    tribute = _pay(piles, seat) if is_raid else {}
    under += (BUFFALO,) * sum(tribute.values())
    piles[seat] = under + piles[seat] + over
    state = replace(state, table=tuple(table), piles=tuple(piles), settled=state.settled + 1)
    return state, HandSettled(
        race=state.race,
        colour=place.colour,
        role=place.role,
        result="claimed",
        take=choice.take,
        cards=_names(choice.cards),
        tribute={str(match.colours[giver]): count for giver, count in tribute.items()},
    )


def _pay(piles: list[tuple[Card, ...]], claimant: int) -> dict[int, int]:
    """Take the warpath's buffalo out of the other piles, clockwise from the claimant; give who gave how many."""
    due = 2 if len(piles) == 2 else 1
    given: dict[int, int] = {}
    for step in range(1, len(piles)):
        giver = (claimant + step) % len(piles)
        count = min(due, piles[giver].count(BUFFALO))
        if count:
            piles[giver] = _without_lowest(piles[giver], count)
            given[giver] = count
    return given


def _without_lowest(pile: tuple[Card, ...], count: int) -> tuple[Card, ...]:
    left = list(pile)
    for _ in range(count):
        left.remove(BUFFALO)
    return tuple(left)


def _with_pile(piles: tuple[tuple[Card, ...], ...], seat: int, pile: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    return (*piles[:seat], pile, *piles[seat + 1 :])


def _names(cards: tuple[Card, ...]) -> tuple[str, ...]:
    return tuple(NAMES[card] for card in cards)
