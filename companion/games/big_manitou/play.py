"""What each line does to a match of Big Manitou, and what is refused (`big-manitou.md`, What is refused).

COUNTS --grounds--> BOOTY --last tile--> CHOOSING --last hunting--> TURNS --last hunt--> EIGHTH, RIDE or settling
BOOTY --grounds--> BOOTY    EIGHTH --hunt, forgo--> RIDE or settling    RIDE --ride, forgo--> settling
settling: THIEF --forfeit-->, SHARING --loot--> … --> BOOTY of the next hunt, or DONE
any --end--> OVER
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.core.errors import Malformed
from companion.core.record.lines import ByHand, End, Line
from companion.core.words.texts import text
from companion.games.big_manitou import hunting, scoring, settling
from companion.games.big_manitou.cards import BY_NAME, GROUNDS, MOST_TILES, TILE_NAMES, TILES_BY_NAME, Card, Tile
from companion.games.big_manitou.lines import (
    BootyLine,
    ForfeitLine,
    ForgoLine,
    GroundsLine,
    HuntingLine,
    HuntLine,
    LootLine,
    Muster,
    RideLine,
)
from companion.games.big_manitou.refusing import CALLED, CATALOGUE, refusal
from companion.games.big_manitou.state import Ground, Phase, State, cards_to_take, deciding, ground_laid, laid

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.panel import Colour
    from companion.core.ruling.rulings import Ruling

Judged = tuple[State, tuple["Ruling", ...]]


def apply(state: State, line: Line) -> Judged:
    """Give the state after `line` and what follows from it. Raises Malformed or Illegal; `state` is unchanged."""
    act = _ACTS.get(type(line))
    if act is None:
        raise refusal(1, text("Big Manitou has no `{line}`", CATALOGUE).format(line=line.__struct_config__.tag))
    return act(state, line)


def counts_left(state: State) -> int:
    """Give how many tiles the three grounds may have together, from this hunt on."""
    return (MOST_TILES - laid(state)) // (state.terms.hunts - state.hunt + 1)


def takes_counts(state: State) -> bool:
    """Tell whether it may be said now how many tiles lie on each ground."""
    return state.phase is Phase.COUNTS or (state.phase is Phase.BOOTY and not any(one.tiles for one in state.grounds))


# -- before the first card -------------------------------------------------------------------------------------------


def _grounds(state: State, line: GroundsLine) -> Judged:
    if not takes_counts(state):
        says = text("it is said before the first tile of a hunt how many lie on each ground", CATALOGUE)
        raise refusal(1, says)
    if sum(line.booty) > counts_left(state):
        says = text("of {all} tiles the grounds of a hunt may have {left} together", CATALOGUE)
        raise refusal(3, says.format(all=MOST_TILES, left=counts_left(state)))
    if line.booty == state.counts:
        raise refusal(3, text("so many lie there already", CATALOGUE))
    return replace(state, counts=line.booty, phase=Phase.BOOTY), ()


def _booty(state: State, line: BootyLine) -> Judged:
    tile = read_tile(line.tile)
    _demand(state, Phase.BOOTY)
    index = GROUNDS.index(line.ground)
    now = ground_laid(state)
    if index != now:
        says = text("tiles are laid on the {ground} now", CATALOGUE)
        raise refusal(4, says.format(ground=CALLED.ground_title(now or 0)))
    ground = state.grounds[index]
    state = replace(state, grounds=with_ground(state.grounds, index, ground._replace(tiles=(*ground.tiles, tile))))
    if ground_laid(state) is not None:
        return state, ()
    return replace(state, phase=Phase.CHOOSING), (_muster(state),)


def _muster(state: State) -> Muster:
    return Muster(
        hunt=state.hunt,
        dealer=state.colour(state.dealer),
        begins=state.colour(state.begins),
        cards=scoring.by_colour(state, [cards_to_take(state, seat) for seat in state.seats]),
        tiles={
            name: tuple(TILE_NAMES[tile] for tile in ground.tiles)
            for name, ground in zip(GROUNDS, state.grounds, strict=True)
        },
    )


def _hunting(state: State, line: HuntingLine) -> Judged:
    _demand(state, Phase.CHOOSING)
    seat = _seat_of(state, line.colour)
    if seat in state.ready:
        raise refusal(5, text("{colour} is ready already", CATALOGUE).format(colour=line.colour))
    ready = (*state.ready, seat)
    if len(ready) < len(state.seats):
        return replace(state, ready=ready), ()
    return replace(state, ready=(), phase=Phase.TURNS), ()


# -- the hunt --------------------------------------------------------------------------------------------------------


def _hunt(state: State, line: HuntLine) -> Judged:
    colour, card = read_card(line.card)
    _demand(state, Phase.TURNS, Phase.EIGHTH)
    seat = _decider(state, line.colour)
    if colour is not line.colour:
        says = text("the {card} is not {colour}'s", CATALOGUE)
        raise refusal(6, says.format(card=CALLED.full(line.card), colour=line.colour))
    return hunting.play(state, seat, card, GROUNDS.index(line.ground))


def _forgo(state: State, line: ForgoLine) -> Judged:
    _demand(state, Phase.TURNS, Phase.EIGHTH, Phase.RIDE)
    return hunting.forgo(state, _decider(state, line.colour))


def _ride(state: State, line: RideLine) -> Judged:
    colour, card = read_card(line.card)
    _demand(state, Phase.RIDE)
    seat = _decider(state, line.colour)
    if colour is not line.colour:
        says = text("the {card} is no hunter of {colour}'s", CATALOGUE)
        raise refusal(10, says.format(card=CALLED.full(line.card), colour=line.colour))
    return hunting.ride(state, seat, card, GROUNDS.index(line.ground))


# -- after it --------------------------------------------------------------------------------------------------------


def _forfeit(state: State, line: ForfeitLine) -> Judged:
    tile = read_tile(line.tile)
    _demand(state, Phase.THIEF)
    seat = _decider(state, line.colour)
    if tile not in settling.payable(state, seat):
        says = text("the thief is not paid with a {tile} of {colour}'s now", CATALOGUE)
        raise refusal(11, says.format(colour=line.colour, tile=CALLED.tile(tile)))
    return settling.go_on(*settling.pay(state, seat, tile))


def _loot(state: State, line: LootLine) -> Judged:
    tile = read_tile(line.tile)
    _demand(state, Phase.SHARING)
    _decider(state, line.colour)
    if tile not in settling.shared(state).tiles:
        says = text("no {tile} lies on the ground that is being shared", CATALOGUE)
        raise refusal(12, says.format(tile=CALLED.tile(tile)))
    return settling.go_on(*settling.gain(state, tile))


def _end(state: State, _line: End) -> Judged:
    if state.phase is Phase.OVER:
        raise refusal(1, text("the game is over", CATALOGUE))
    is_done = state.phase is Phase.DONE
    return replace(state, phase=Phase.OVER, hunt=state.hunt + is_done), ()


def _by_hand(state: State, line: ByHand) -> Judged:
    return scoring.set_by_hand(state, line.set, line.value), ()


# -- reading ---------------------------------------------------------------------------------------------------------


def read_card(name: str) -> tuple[Colour, Card]:
    """Give the tribe's colour and the card of a name. Raises Malformed where there is no such card."""
    found = BY_NAME.get(name)
    if found is None:
        raise Malformed(f"field `card`: {name!r} is no card, such as 'red hunter 7' or 'red rain maker'")
    return found


def read_tile(name: str) -> Tile:
    """Give the tile of a name. Raises Malformed where there is no such tile."""
    found = TILES_BY_NAME.get(name)
    if found is None:
        raise Malformed(f"field `tile`: {name!r} is no tile; allowed: {', '.join(TILE_NAMES)}")
    return found


def with_ground(grounds: tuple[Ground, ...], index: int, ground: Ground) -> tuple[Ground, ...]:
    """Give the grounds with another one in the place of `index`."""
    return (*grounds[:index], ground, *grounds[index + 1 :])


def _demand(state: State, *phases: Phase) -> None:
    if state.phase not in phases:
        raise refusal(1, text("not now: {what}", CATALOGUE).format(what=_WAITS[state.phase]))


def _seat_of(state: State, colour: Colour) -> int:
    if colour not in state.terms.colours:
        raise refusal(2, text("{colour} has no seat", CATALOGUE).format(colour=colour))
    return state.terms.colours.index(colour)


def _decider(state: State, colour: Colour) -> int:
    """Give the seat that decides. Raises Illegal where `colour` is another one's."""
    seat, now = _seat_of(state, colour), deciding(state)
    if seat != now:
        says = text("it is for {decider} to decide, not for {colour}", CATALOGUE)
        raise refusal(2, says.format(decider=state.colour(now or 0), colour=colour))
    return seat


_WAITS = {
    Phase.COUNTS: text("it is to be said how many tiles lie on each ground", CATALOGUE),
    Phase.BOOTY: text("tiles are being laid", CATALOGUE),
    Phase.CHOOSING: text("players choose their cards", CATALOGUE),
    Phase.TURNS: text("a card is to be played", CATALOGUE),
    Phase.EIGHTH: text("the holder of the totem may play another card", CATALOGUE),
    Phase.RIDE: text("the holder of the horse may move a hunter", CATALOGUE),
    Phase.THIEF: text("the thief is to be paid", CATALOGUE),
    Phase.SHARING: text("the tiles of a ground are being shared", CATALOGUE),
    Phase.DONE: text("the last hunt is over", CATALOGUE),
    Phase.OVER: text("the game is over", CATALOGUE),
}
_ACTS: dict[type[Line], Callable[[State, Any], Judged]] = {
    GroundsLine: _grounds,
    BootyLine: _booty,
    HuntingLine: _hunting,
    HuntLine: _hunt,
    ForgoLine: _forgo,
    RideLine: _ride,
    ForfeitLine: _forfeit,
    LootLine: _loot,
    ByHand: _by_hand,
    End: _end,
}
