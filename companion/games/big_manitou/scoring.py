"""What seats have and what it is worth (`big-manitou.md`, Points, By hand, Outcome). Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.ruling.game import Adjustable
from companion.core.words.texts import joined
from companion.games.big_manitou.cards import (
    BUFFALOES,
    HIGHEST_NUMBER,
    HORSE,
    MOST_TILES,
    NUMBERED,
    TIPIS,
    TOMAHAWK,
    TOTEM,
    number,
)
from companion.games.big_manitou.lines import Having, ManitouOutcome
from companion.games.big_manitou.state import Correction, Phase, laid

if TYPE_CHECKING:
    from companion.core.panel import Colour
    from companion.games.big_manitou.cards import Tile
    from companion.games.big_manitou.state import Holdings, State

SORTS = Correction._fields
"""What a seat can have, in the order in which the referee's corrections are listed."""
CYLINDERS = ("totem", "horse")
HIGHEST = {
    "tipis": MOST_TILES * HIGHEST_NUMBER,
    "buffaloes": MOST_TILES * HIGHEST_NUMBER,
    "horses": MOST_TILES,
    "totems": MOST_TILES,
    "tomahawks": MOST_TILES,
}


def in_tiles(held: tuple[Tile, ...]) -> Correction:
    """Give what tiles say: the sums of their numbers, and how many of each other kind."""
    return Correction(
        sum(number(tile) for tile in held if tile in TIPIS),
        sum(number(tile) for tile in held if tile in BUFFALOES),
        held.count(HORSE),
        held.count(TOTEM),
        held.count(TOMAHAWK),
    )


def has(holdings: Holdings, seat: int) -> Correction:
    """Give what a seat has: what its tiles say and what was added by hand, never below 0."""
    says, correction = in_tiles(holdings.held[seat]), holdings.corrections[seat]
    return Correction(*(max(0, own + more) for own, more in zip(says, correction, strict=True)))


def tomahawks(holdings: Holdings, seat: int) -> int:
    """Give how many tomahawks a seat has."""
    return max(0, holdings.held[seat].count(TOMAHAWK) + holdings.corrections[seat].tomahawks)


def most_tomahawks(having: list[Correction]) -> int | None:
    """Give the seat that alone has most tomahawks, None where several have; where nobody has one, all tie."""
    most = max(one.tomahawks for one in having)
    those = [seat for seat, one in enumerate(having) if one.tomahawks == most]
    return those[0] if len(those) == 1 else None


def points(holdings: Holdings, having: list[Correction] | None = None) -> list[int]:
    """Give each seat's points as things stand."""
    having = having or [has(holdings, seat) for seat in range(len(holdings.held))]
    best = most_tomahawks(having)
    return [
        (one.tipis + one.buffaloes) // 2
        + (holdings.totem == seat)
        + (holdings.horse == seat)
        + (best == seat)
        for seat, one in enumerate(having)
    ]  # fmt: skip


def tiles_of(holdings: Holdings, seat: int, one: Correction) -> int:
    """Give how many tiles of all kinds a seat has."""
    numbered = sum(tile in NUMBERED for tile in holdings.held[seat])
    return numbered + one.horses + one.totems + one.tomahawks


def outcome(state: State) -> ManitouOutcome:
    """Give the `outcome` object."""
    holdings, colours = state.holdings, state.terms.colours
    having = [has(holdings, seat) for seat in state.seats]
    scores = points(holdings, having)
    tiles = [tiles_of(holdings, seat, having[seat]) for seat in state.seats]
    ranks = [(scores[seat], having[seat].tipis, tiles[seat]) for seat in state.seats]
    return ManitouOutcome(
        over=state.phase is Phase.OVER,
        hunts=state.hunt - (state.phase is not Phase.DONE),  # the `end` of a match that is done counts its last too
        points=by_colour(state, scores),
        has={str(colours[seat]): Having(*having[seat], tiles[seat]) for seat in state.seats},
        totem=_named(state, holdings.totem),
        horse=_named(state, holdings.horse),
        tomahawk=_named(state, most_tomahawks(having)),
        grounds=sum(len(ground.tiles) for ground in state.grounds),
        gone=holdings.gone,
        bag=MOST_TILES - laid(state),
        leaders=tuple(colours[seat] for seat in state.seats if ranks[seat] == max(ranks)),
    )


def by_colour(state: State, values: list[int]) -> dict[str, int]:
    """Give a value for each seat by its colour, in the order of the seats."""
    return {str(colour): value for colour, value in zip(state.terms.colours, values, strict=True)}


def _named(state: State, seat: int | None) -> Colour | None:
    return None if seat is None else state.colour(seat)


# -- by hand ---------------------------------------------------------------------------------------------------------


def adjustable(state: State, labels: dict[str, str]) -> tuple[Adjustable, ...]:
    """Give what the referee may set. labels: of each sort and cylinder, for people."""
    if state.phase is Phase.OVER:
        return ()
    found: list[Adjustable] = []
    for seat, colour in enumerate(state.terms.colours):
        having = has(state.holdings, seat)
        found += [
            Adjustable(f"{colour} {sort}", joined((colour.short, labels[sort]), " "), 0, HIGHEST[sort], value)
            for sort, value in zip(SORTS, having, strict=True)
        ]
    holders = (state.holdings.totem, state.holdings.horse)
    most = len(state.seats)
    return (
        *found,
        *(
            Adjustable(name, labels[name], 0, most, 0 if seat is None else seat + 1)
            for name, seat in zip(CYLINDERS, holders, strict=True)
        ),
    )


def set_by_hand(state: State, key: str, value: int) -> State:
    """Give the state in which something adjustable has a value; the judge has checked both."""
    holdings = state.holdings
    if key in CYLINDERS:
        return replace(state, holdings=replace(holdings, **{key: value - 1 if value else None}))
    colour, sort = key.split(" ")
    seat = [str(one) for one in state.terms.colours].index(colour)
    says = getattr(in_tiles(holdings.held[seat]), sort)
    corrected = holdings.corrections[seat]._replace(**{sort: value - says})
    corrections = (*holdings.corrections[:seat], corrected, *holdings.corrections[seat + 1 :])
    return replace(state, holdings=replace(holdings, corrections=corrections))
