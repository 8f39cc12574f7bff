"""The end of a hunt: the thief, the sharing of the grounds, the next hunt (`big-manitou.md`, The thief, Sharing).

What needs no choice is done at once; a state that comes out waits for one, or is in the next hunt, or done.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.big_manitou import scoring
from companion.games.big_manitou.cards import (
    GROUNDS,
    HORSE,
    MOST_TILES,
    NUMBERED,
    TILE_NAMES,
    TOTEM,
    Tile,
    strength,
)
from companion.games.big_manitou.lines import Cylinder, Gained, Gone, Hunted, Stolen, Thief, Totals
from companion.games.big_manitou.state import (
    NO_GROUNDS,
    Due,
    Fate,
    Ground,
    Phase,
    Settling,
    State,
    played_in_hunt,
    thief_totals,
)

if TYPE_CHECKING:
    from typing import Any

    from companion.core.ruling.rulings import Ruling
    from companion.games.big_manitou.state import Holdings

    Rulings = tuple[Ruling, ...]
    Judged = tuple[State, Rulings]

FIRST_HUNT = 1


def begin(state: State, rulings: Rulings) -> Judged:
    """Begin what follows the last card of a hunt. rulings: what it has led to so far."""
    state = replace(state, holder=None)
    return go_on(*(_share(state, rulings) if state.hunt == FIRST_HUNT else _thief(state, rulings)))


def go_on(state: State, rulings: Rulings) -> Judged:
    """Do all that needs no choice."""
    while True:
        if state.phase is Phase.THIEF:
            step = _pay_unasked(state)
        elif state.phase is Phase.SHARING:
            step = _gain_unasked(state)
        else:
            return state, rulings
        if step is None:
            return state, rulings
        state, rulings = step[0], (*rulings, *step[1])


# -- the thief -------------------------------------------------------------------------------------------------------


def payable(state: State, seat: int) -> list[Tile]:
    """Give the tiles from which a seat pays the thief."""
    held = state.holdings.held[seat]
    return [tile for tile in held if tile in NUMBERED] or list(held)


def pay(state: State, seat: int, tile: Tile | None) -> Judged:
    """Have the first who pays the thief discard a tile, None for nothing."""
    settling = state.settling._replace(payers=state.settling.payers[1:])
    name = None if tile is None else TILE_NAMES[tile]
    ruling = Stolen(hunt=state.hunt, colour=state.colour(seat), tile=name)
    if tile is None:
        return replace(state, settling=settling), (ruling,)
    holdings = state.holdings
    held, index = holdings.held[seat], holdings.held[seat].index(tile)
    after = replace(
        holdings,
        held=_with(holdings.held, seat, (*held[:index], *held[index + 1 :])),
        gone=holdings.gone + 1,
        fates=(*holdings.fates, Fate(state.hunt, None, seat, "stolen", tile)),
    )
    return replace(state, settling=settling, holdings=after), (ruling,)


def _thief(state: State, rulings: Rulings) -> Judged:
    totals = thief_totals(state)
    most = max(totals)
    payers = tuple(seat for seat in state.seats_from_left if most and totals[seat] == most)
    ruling = Thief(
        hunt=state.hunt,
        totals=scoring.by_colour(state, totals),
        pays=tuple(map(state.colour, payers)),
    )
    return replace(state, phase=Phase.THIEF, settling=Settling(payers)), (*rulings, ruling)


def _pay_unasked(state: State) -> Judged | None:
    """Go on with the thief; None where somebody has a choice."""
    if not state.settling.payers:
        return _next_hunt(state, ()) if state.hunt == FIRST_HUNT else _share(state, ())
    seat = state.settling.payers[0]
    tiles = payable(state, seat)
    return pay(state, seat, tiles[0] if tiles else None) if len(set(tiles)) <= 1 else None


# -- sharing ---------------------------------------------------------------------------------------------------------


def shared(state: State) -> Ground:
    """Give the ground that is being shared."""
    return state.grounds[state.settling.ground]


def gain(state: State, tile: Tile) -> Judged:
    """Have the seat that takes now take a tile, the one of its name that was laid first."""
    settling, holdings = state.settling, state.holdings
    seat, by, number = settling.due[0]
    rest = settling.due[1:]
    due = rest if number == 1 else (Due(seat, by, number - 1), *rest)
    ground = shared(state)
    index = ground.tiles.index(tile)
    grounds = _with(state.grounds, settling.ground, ground._replace(tiles=_without(ground.tiles, index)))
    fate = Fate(state.hunt, settling.ground, seat, by, tile)
    holdings = replace(
        holdings,
        held=_with(holdings.held, seat, (*holdings.held[seat], tile)),
        fates=(*holdings.fates, fate),
    )
    gained = Gained(
        hunt=state.hunt,
        ground=GROUNDS[settling.ground],
        colour=state.colour(seat),
        by=by,  # type: ignore[arg-type]  # the three words of the ruling are the only ones that are due
        tile=TILE_NAMES[tile],
    )
    state = replace(state, grounds=grounds, holdings=holdings, settling=settling._replace(due=due))
    after, moved = _cylinder(state, seat, tile)
    return after, (gained, *moved)


def _cylinder(state: State, seat: int, tile: Tile) -> Judged:
    """Give the state in which a cylinder goes by the tile that a seat has just taken."""
    if tile not in {TOTEM, HORSE}:
        return state, ()
    of, sort = ("totem", "totems") if tile == TOTEM else ("horse", "horses")
    holdings = state.holdings
    before: int | None = getattr(holdings, of)
    if before == seat or (before is not None and _number(holdings, seat, sort) < _number(holdings, before, sort)):
        return state, ()
    ruling = Cylinder(
        hunt=state.hunt,
        of=of,  # type: ignore[arg-type]  # one of the two above
        colour=state.colour(seat),
        before=None if before is None else state.colour(before),
    )
    return replace(state, holdings=replace(holdings, **{of: seat})), (ruling,)


def _number(holdings: Holdings, seat: int, sort: str) -> int:
    return int(getattr(scoring.has(holdings, seat), sort))


def _share(state: State, rulings: Rulings) -> Judged:
    state = replace(state, phase=Phase.SHARING)
    return _begin_ground(state, 0), rulings


def _begin_ground(state: State, index: int) -> State:
    """Begin to share a ground: whose hero lies face up there takes one."""
    up = state.grounds[index].heroes_up()
    due = (Due(up[0].seat, "hero", 1),) if up else ()
    return replace(state, settling=Settling(ground=index, due=due))


def _gain_unasked(state: State) -> Judged | None:
    """Go on with the sharing; None where somebody has a choice."""
    settling, tiles = state.settling, shared(state).tiles
    if not settling.due or not tiles:
        return _leave(state) if settling.is_ranked else _rank(state)
    if settling.due[0].number >= len(tiles) or len(set(tiles)) == 1:
        return gain(state, tiles[0])
    return None


def _rank(state: State) -> Judged:
    """Work out the totals of the ground, and who takes two and the rest."""
    index = state.settling.ground
    totals = ground_totals(state, index)
    times = Counter(totals.values())
    tied = tuple(seat for seat in state.seats if seat in totals and times[totals[seat]] > 1)
    ranked = sorted((seat for seat in totals if seat not in tied), key=lambda seat: -totals[seat])
    most, second = [*ranked, None, None][:2]
    due = [Due(most, "most", 2)] if most is not None else []
    due += [Due(second, "second", MOST_TILES)] if second is not None else []
    ruling = Totals(
        hunt=state.hunt,
        ground=GROUNDS[index],
        totals={str(state.colour(seat)): total for seat, total in totals.items()},
        tied=tuple(map(state.colour, tied)),
        most=None if most is None else state.colour(most),
        second=None if second is None else state.colour(second),
    )
    return replace(state, settling=Settling(ground=index, due=tuple(due), is_ranked=True)), (ruling,)


def ground_totals(state: State, index: int) -> dict[int, int]:
    """Give the total of each seat that has a hunter on a ground, in the order of the seats."""
    totals: dict[int, int] = {}
    for seat in state.seats:
        hunters = state.grounds[index].hunters_of(seat)
        if hunters:
            more = scoring.tomahawks(state.holdings, seat)
            totals[seat] = sum(strength(card) + more for card in hunters)
    return totals


def _leave(state: State) -> Judged:
    """Take what is left on a ground out of the game, and go on to the next."""
    index, tiles = state.settling.ground, shared(state).tiles
    rulings: Rulings = ()
    if tiles:
        names = tuple(TILE_NAMES[tile] for tile in tiles)
        rulings = (Gone(hunt=state.hunt, ground=GROUNDS[index], tiles=names),)
        holdings = state.holdings
        fates = (*holdings.fates, *(Fate(state.hunt, index, None, "gone", tile) for tile in tiles))
        state = replace(
            state,
            grounds=_with(state.grounds, index, shared(state)._replace(tiles=())),
            holdings=replace(holdings, gone=holdings.gone + len(tiles), fates=fates),
        )
    if index + 1 < len(GROUNDS):
        return _begin_ground(state, index + 1), rulings
    return _thief(state, rulings) if state.hunt == FIRST_HUNT else _next_hunt(state, rulings)


def _next_hunt(state: State, rulings: Rulings) -> Judged:
    """End the hunt: all cards are discarded; after hunts 2 and 4 everybody has the whole tribe again."""
    ruling = Hunted(hunt=state.hunt, points=scoring.by_colour(state, scoring.points(state.holdings)))
    is_last = state.hunt == state.terms.hunts
    spent = played_in_hunt(state) if state.hunt % 2 else ((),) * len(state.seats)
    after = replace(
        state,
        phase=Phase.DONE if is_last else Phase.BOOTY,
        hunt=state.hunt if is_last else state.hunt + 1,
        grounds=NO_GROUNDS,
        spent=spent,
        turn=0,
        settling=Settling(),
    )
    return after, (*rulings, ruling)


def _with(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _without(values: tuple[Tile, ...], index: int) -> tuple[Tile, ...]:
    return (*values[:index], *values[index + 1 :])
