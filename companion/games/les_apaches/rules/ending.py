"""Burghers and the final accounts (`les-apaches.md`, 8 and 9). Pure.

Who has the policeman is known to the state only once it may be: told by the gangs, entered by hand with the order, or
worked out from the seed that `open` shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.ruling.chance import dealt
from companion.core.words.texts import text
from companion.games.les_apaches.rules import lines
from companion.games.les_apaches.rules.acting import CATALOGUE, refuse
from companion.games.les_apaches.rules.districts import (
    PER_BURGHER,
    PER_FIGURE,
    POLICEMAN,
    POLICEMAN_TAKES,
    POOL,
)
from companion.games.les_apaches.rules.state import Column, Deal, Phase, State, fit, paid, with_gang

if TYPE_CHECKING:
    from companion.core.record.lines import ChanceLine, Open
    from companion.core.ruling.rulings import Ruling

BURGHERS_DRAW = "burghers"
"""The name of the draw."""


def shuffled(state: State, line: ChanceLine) -> State:
    """Give the state with the burghers in their order, known or not."""
    by_hand = line.by == "hand"
    deal = replace(state.deal, is_shuffled=True, n=line.n, by_hand=by_hand, order=line.result or ())
    return replace(state, deal=_seen(deal))


def opened(state: State, line: Open) -> tuple[State, tuple[Ruling, ...]]:
    """Give the state in which the seed is known; the accounts follow where they waited for it."""
    state = replace(state, deal=_seen(replace(state.deal, seed=line.seed)))
    return accounts(state) if state.phase is Phase.SEALED else (state, ())


def _seen(deal: Deal) -> Deal:
    """Work out the order from the seed, where both are there."""
    if not (deal.is_shuffled and deal.seed) or deal.order:
        return deal
    return replace(deal, order=dealt(deal.seed, BURGHERS_DRAW, deal.n, POOL))


def concluded(state: State) -> tuple[State, tuple[Ruling, ...]]:
    """Go on after the third round: make the final accounts, or ask for what they need."""
    takers = [seat for seat, gang in enumerate(state.gangs) if gang.burghers]
    if not takers or state.deal.order:
        return accounts(state)
    if state.terms.by_box:
        return replace(state, phase=Phase.SEALED), ()
    return replace(state, phase=Phase.UNMASK, asking=takers[0]), ()


def unmasked(state: State, line: lines.Unmask) -> tuple[State, tuple[Ruling, ...]]:
    """Take a gang's word about the policeman. Raises Illegal."""
    seat = state.asking
    if line.colour is not state.terms.colours[seat]:
        refuse("3.6", text("it is {colour} who is asked", CATALOGUE).format(colour=state.terms.colours[seat]))
    later = [other for other, gang in enumerate(state.gangs) if gang.burghers and other > seat]
    if line.policeman or not later:
        return accounts(replace(state, policeman=seat if line.policeman else None))
    return replace(state, asking=later[0]), ()


def accounts(state: State) -> tuple[State, tuple[Ruling, ...]]:
    """Make the final accounts, gang by gang (9.3)."""
    if state.deal.order:
        place = state.deal.order.index(POLICEMAN)
        holder = next((seat for seat, gang in enumerate(state.gangs) if place in gang.burghers), None)
        state = replace(state, policeman=holder)
    rulings: list[Ruling] = []
    for seat in range(len(state.gangs)):
        state, ruling = _account(state, seat)
        rulings.append(ruling)
    return replace(state, phase=Phase.DONE, complete=True, asking=0), tuple(rulings)


def _account(state: State, seat: int) -> tuple[State, Ruling]:
    has_policeman = state.policeman == seat
    burghers = len(state.gangs[seat].burghers) - has_policeman
    state = paid(state, seat, Column.BURGHERS, PER_BURGHER * burghers)
    lost = min(POLICEMAN_TAKES, state.gangs[seat].money) if has_policeman else 0
    state = paid(state, seat, Column.POLICEMAN, -lost)
    gang = state.gangs[seat]
    jailed = int(has_policeman and gang.leaders > 0)
    gang = replace(gang, leaders=gang.leaders - jailed, jail=(gang.jail[0], gang.jail[1] + jailed))
    state = with_gang(state, seat, gang)
    count = fit(state, seat)
    state = paid(state, seat, Column.FIGURES, PER_FIGURE * count)
    ruling = lines.FinalAccount(
        colour=state.terms.colours[seat],
        burghers=burghers,
        burgher_francs=PER_BURGHER * burghers,
        policeman=has_policeman,
        policeman_francs=lost,
        jailed=jailed,
        fit=count,
        fit_francs=PER_FIGURE * count,
        money=state.gangs[seat].money,
    )
    return state, ruling
