"""From the order of a race to what each press takes or costs (`docs/games/claim.md`, `judge`)."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.ruling.race import RacePhase, is_too_soon
from companion.core.ruling.ranking import rank
from companion.core.ruling.rulings import Order, Place, Resume, Ruling
from companion.games.claim.choices import choices, why_wrong
from companion.games.claim.lines import Lost, Moved, PressSettled
from companion.games.claim.moving import do, with_number, with_seat
from companion.games.claim.state import Heat, State

if TYPE_CHECKING:
    from companion.core.panel import Colour
    from companion.games.claim.choices import Choice
    from companion.games.claim.language.description import Cost
    from companion.games.claim.language.sight import Cards, Sight

Step = tuple[State, tuple[Ruling, ...]]
ANTICIPATED, MISSING, LAST = "anticipated", "missing", "last"
MOST_POINTS = 9_999


def judge(state: State) -> Step:
    """Make the order of a closed race final and settle until somebody must choose or all are settled."""
    terms, heat = state.terms, state.heat
    places = rank(heat.presses, terms.seats, terms.colours[state.revealer], terms.ties, heat.number)
    soon = _anticipated(state)
    order = tuple([_with_verdict(state, place, soon) for place in places])
    state = replace(state, phase=RacePhase.SETTLING, heat=replace(heat, order=order))
    return _settle(state, [Order(race=heat.number, order=order)])


def claim(state: State, choice: Choice) -> Step:
    """Give the presser whose turn it is what was chosen, and settle on."""
    state, ruling = _claimed(state, state.heat.order[state.heat.settled], choice)
    return _settle(state, [ruling])


def open_choices(state: State, most: int | None = None) -> tuple[Choice, ...]:
    """Give what the presser whose turn it is may choose from; () where nobody must choose. most: at most so many."""
    if state.phase is not RacePhase.SETTLING:
        return ()
    place = state.heat.order[state.heat.settled]
    hand = state.terms.game.hand(place.role)
    return tuple(islice(choices(_sight(state, place), hand), most))


def next_to_turn(state: State) -> int | None:
    """Give the seat that turns the next card, None where none can."""
    terms, cards = state.terms, state.cards
    ends = terms.game.ends
    if state.done or state.reveals >= ends.reveals:
        return None
    if not ends.deal:
        return state.turn if cards.deck else None
    seats = terms.clockwise(state.turn)
    return next((seat for seat in seats if cards.stocks[seat] or (ends.refill and cards.piles[seat])), None)


def is_done(state: State) -> bool:
    """Tell whether points or an empty place have ended it."""
    ends, cards = state.terms.game.ends, state.cards
    if ends.points and max(state.points) >= ends.points:
        return True
    if not ends.empty or state.heat.number == 1:
        return False
    without = sum(not held(cards, ends.empty, seat) for seat in range(len(state.points)))
    return without >= (len(state.points) - 1 if ends.who == "others" else 1)


def held(cards: Cards, place: str, seat: int) -> int:
    """Give how many cards a seat has: "stock", "pile", "won", or "cards" for all of them."""
    counts = {"stock": cards.stocks[seat], "pile": len(cards.piles[seat]), "won": len(cards.won[seat])}
    return sum(counts.values()) if place == "cards" else counts[place]


def _sight(state: State, place: Place) -> Sight:
    """Give the state as the presser of a place sees it while the race is settled."""
    heat, colours = state.heat, state.terms.colours
    seats = [(colours.index(one.colour), one.verdict) for one in heat.order]
    winner = tuple(seat for seat, verdict in seats if verdict == "claim")[:1]
    wrong = tuple(seat for seat, verdict in seats if verdict == "punish")
    sight = state.sight().of(colours.index(place.colour), place.role, place.place, heat.taken)
    return sight.after(winner, wrong)


def _anticipated(state: State) -> frozenset[Colour]:
    """Give who pressed too soon after the newest card with what would have been wrong before it was there."""
    rule, heat, cards = state.terms.anticipation, state.heat, state.cards
    if rule is None or heat.card is None or not heat.turned:
        return frozenset()
    if state.terms.game.known.tops:
        pile = cards.piles[state.revealer][:-1]
        cards = replace(cards, piles=with_seat(cards.piles, state.revealer, pile))
    else:
        cards = replace(cards, table=cards.table[:-1])
    before = replace(state, newest=None)
    return frozenset(
        press.colour
        for press in heat.presses
        if is_too_soon(press, heat.card_t_ns, rule) and _why_wrong(before, cards, press.colour, press.role, 1)
    )


def _why_wrong(state: State, cards: Cards, colour: Colour, role: str, place: int) -> str | None:
    sight = state.sight(cards).of(state.terms.colours.index(colour), role, place, 0)
    return why_wrong(sight, state.terms.game.hand(role))


def _with_verdict(state: State, place: Place, soon: frozenset[Colour]) -> Place:
    why = _why_wrong(state, state.cards, place.colour, place.role, place.place)
    rule = state.terms.anticipation
    if rule is None:
        return replace(place, verdict="punish" if why else "claim", why=why)
    is_soon = place.colour in soon
    if is_soon and rule.rule == "punish":
        why = ANTICIPATED
    return replace(place, verdict="punish" if why else "claim", why=why, anticipated=is_soon)


def _settle(state: State, rulings: list[Ruling]) -> Step:
    while state.heat.settled < len(state.heat.order):
        place = state.heat.order[state.heat.settled]
        if place.verdict == "punish":
            state, ruling = _punished(state, place)
        else:
            found = open_choices(state, 2)
            if len(found) > 1:
                return state, tuple(rulings)
            state, ruling = _claimed(state, place, found[0]) if found else _nothing(state, place)
        rulings.append(ruling)
    return _finished(state, rulings)


def _punished(state: State, place: Place) -> tuple[State, PressSettled]:
    cost = state.terms.game.wrong
    cards, moved = _paid(_sight(state, place), cost)
    state = replace(
        state,
        cards=cards,
        points=_scored(state, place.colour, cost.points),
        heat=replace(state.heat, settled=state.heat.settled + 1),
    )
    return state, PressSettled(
        race=state.heat.number, colour=place.colour, role=place.role, result="punished", moves=moved, points=cost.points
    )


def _nothing(state: State, place: Place) -> tuple[State, PressSettled]:
    ruling = PressSettled(race=state.heat.number, colour=place.colour, role=place.role, result="nothing")
    return replace(state, heat=replace(state.heat, settled=state.heat.settled + 1)), ruling


def _claimed(state: State, place: Place, choice: Choice) -> tuple[State, PressSettled]:
    heat, take, colours = state.heat, choice.take, state.terms.colours
    first = colours.index(place.colour) if heat.first_claim is None else heat.first_claim
    ruling = PressSettled(
        race=heat.number, colour=place.colour, role=place.role, result="claimed", take=take.name, moves=choice.moved,
        points=take.points,
    )  # fmt: skip
    if choice.picked is not None:
        ruling = replace(ruling, picked=state.terms.game.known.names[choice.picked])
    if choice.rival is not None:
        ruling = replace(ruling, rival=colours[choice.rival])
    heat = replace(heat, settled=heat.settled + 1, taken=heat.taken + 1, first_claim=first)
    points = _scored(state, place.colour, take.points)
    return replace(state, cards=choice.cards, points=points, heat=heat), ruling


def _paid(sight: Sight, cost: Cost) -> tuple[Cards, tuple[Moved, ...]]:
    moved: tuple[Moved, ...] = ()
    for move in cost.moves:
        done = do(sight, move, None)
        sight, moved = sight.at(done.cards), moved + done.moved
    return sight.cards, moved


def _scored(state: State, colour: Colour, points: int) -> tuple[int, ...]:
    if not points:
        return state.points
    seat = state.terms.colours.index(colour)
    total = max(-MOST_POINTS, min(MOST_POINTS, state.points[seat] + points))
    return with_number(state.points, seat, total - state.points[seat])


def _finished(state: State, rulings: list[Ruling]) -> Step:
    """Make the last pay, and go on to the next race."""
    heat = state.heat
    cost = state.terms.game.last
    if cost is not None:
        for seat, why in _last_ones(state, cost):
            state, ruling = _lost(state, seat, why)
            rulings.append(ruling)
    state = _resumed(state)
    turner = next_to_turn(state)
    turns = state.terms.colours[state.turn if turner is None else turner]
    rulings.append(Resume(race=heat.number, reveals=turns if state.terms.game.has_cards else None))
    return state, tuple(rulings)


def _last_ones(state: State, cost: Cost) -> list[tuple[int, str]]:
    """Give who is last, and why."""
    colours = state.terms.colours
    right = [place for place in state.heat.order if place.verdict == "claim"]
    if not right:
        return []
    pressed = {place.colour for place in state.heat.order}
    missing = [seat for seat in state.terms.clockwise(state.revealer) if colours[seat] not in pressed]
    if cost.who == "missing" or (cost.who == "slowest" and missing):
        return [(seat, MISSING) for seat in missing]
    return [(colours.index(right[-1].colour), LAST)] if len(right) > 1 else []


def _lost(state: State, seat: int, why: str) -> tuple[State, Lost]:
    cost, heat = state.terms.game.last, state.heat
    colour = state.terms.colours[seat]
    place = next((one for one in heat.order if one.colour is colour), None)
    asked = place or replace(heat.order[0], colour=colour, role="", place=len(heat.order) + 1)
    cards, moved = _paid(_sight(state, asked), cost) if cost else (state.cards, ())
    points = cost.points if cost else 0
    state = replace(state, cards=cards, points=_scored(state, colour, points))
    return state, Lost(race=heat.number, colour=colour, why=why, moves=moved, points=points)


def _resumed(state: State) -> State:
    game, heat, count = state.terms.game, state.heat, len(state.terms.colours)
    turn = (state.revealer + 1) % count
    if game.ends.after == "last":
        turn = state.terms.colours.index(heat.order[-1].colour)
    elif game.ends.after == "winner" and heat.first_claim is not None:
        turn = heat.first_claim
    return settled_on(replace(state, turn=turn, heat=Heat(number=heat.number + 1)))


def settled_on(state: State) -> State:
    """Look whether it is done, and give the phase that comes then."""
    done = is_done(state)
    waits = state.terms.game.has_cards or done
    return replace(state, done=done, phase=RacePhase.WAITING if waits else RacePhase.OPEN)
