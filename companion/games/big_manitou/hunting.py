"""Cards that are played and moved, and trials of strength (`big-manitou.md`, Trials of strength). Changes no state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.words.texts import text
from companion.games.big_manitou import settling
from companion.games.big_manitou.cards import BEATS, GROUNDS, NAMES, Card, is_hero
from companion.games.big_manitou.lines import CardPlayed, Guard, Passed, Rode, Trial
from companion.games.big_manitou.refusing import CALLED, CATALOGUE, refusal
from companion.games.big_manitou.state import (
    MOST_FACE_UP,
    TURNS,
    Ground,
    Phase,
    Played,
    State,
    is_full_everywhere,
    is_there,
    rides,
    takes_hero,
)

if TYPE_CHECKING:
    from typing import Literal

    from companion.core.ruling.rulings import Ruling

    Result = Literal["wins", "both", "loses"]
    What = Literal["turn", "eighth", "ride"]
    Judged = tuple[State, tuple[Ruling, ...]]


def play(state: State, seat: int, card: Card, index: int) -> Judged:
    """Play a card at a ground. Raises Illegal where it is not there any more, or a third hero face up."""
    ground, name = state.grounds[index], NAMES[state.colour(seat)][card]
    if not is_there(state, seat, card):
        raise refusal(7, text("the {card} has been played already", CATALOGUE).format(card=CALLED.full(name)))
    said = CardPlayed(hunt=state.hunt, ground=GROUNDS[index], colour=state.colour(seat), card=name)
    if not is_hero(card):
        return _played(state, index, ground._replace(cards=(*ground.cards, Played(seat, card))), (said,))
    if not takes_hero(ground, seat):
        says = text("two heroes of {colour} lie face up on the {ground}", CATALOGUE)
        raise refusal(8, says.format(colour=state.colour(seat), ground=CALLED.ground_title(index)))
    after, rulings = _laid(state, index, Played(seat, card))
    return _played(state, index, after, (said, *rulings))


def forgo(state: State, seat: int) -> Judged:
    """Play no card, or move no hunter. Raises Illegal in a turn in which something could be played for certain."""
    if state.phase is Phase.TURNS and not is_full_everywhere(state, seat):
        raise refusal(9, text("a turn is passed only with two own heroes face up on each ground", CATALOGUE))
    said = Passed(hunt=state.hunt, colour=state.colour(seat), what=_PASSES[state.phase])
    return settling.begin(state, (said,)) if state.phase is Phase.RIDE else _turned(state, (said,))


def ride(state: State, seat: int, card: Card, index: int) -> Judged:
    """Move a hunter to another ground. Raises Illegal where the seat has no such hunter on one."""
    start = next((ground for ground, hunters in rides(state, seat).items() if card in hunters), None)
    if start is None:
        says = text("{colour} has no {card} to move on a ground", CATALOGUE)
        raise refusal(10, says.format(colour=state.colour(seat), card=CALLED.full(NAMES[state.colour(seat)][card])))
    if start == index:
        says = text("it is on the {ground} already", CATALOGUE)
        raise refusal(10, says.format(ground=CALLED.ground_title(index)))
    hunter = Played(seat, card)
    grounds = list(state.grounds)
    grounds[start] = grounds[start]._replace(cards=tuple(one for one in grounds[start].cards if one != hunter))
    grounds[index] = grounds[index]._replace(cards=(*grounds[index].cards, hunter))
    colour = state.colour(seat)
    said = Rode(
        hunt=state.hunt, ground=GROUNDS[index], colour=colour, card=NAMES[colour][card], before=GROUNDS[start]
    )  # fmt: skip
    return settling.begin(replace(state, grounds=tuple(grounds)), (said,))


# -- trials ----------------------------------------------------------------------------------------------------------


def result_of(card: Card, met: Card, *, is_sacrifice: bool) -> Result:
    """Tell who is turned down: the hero that is met ("wins"), both, or the one that was played ("loses")."""
    if card == met:
        return "both"
    if met not in BEATS[card]:
        return "loses"
    return "both" if is_sacrifice else "wins"


def _laid(state: State, index: int, hero: Played) -> tuple[Ground, tuple[Ruling, ...]]:
    """Lay a hero on a ground, and tell whom it guards or what it meets."""
    ground = state.grounds[index]
    up = ground.heroes_up()
    if not up:
        return ground._replace(cards=(*ground.cards, hero)), ()
    met = up[-1]
    if met.seat == hero.seat:
        return ground._replace(cards=(*ground.cards, hero)), (_guard(state, index, hero, met),)
    result = result_of(hero.card, met.card, is_sacrifice=len(up) == MOST_FACE_UP)
    cards = ground.cards if result == "loses" else _turned_down(ground.cards, met)
    after = ground._replace(cards=(*cards, hero._replace(is_up=result == "wins")))
    return after, (_trial(state, index, hero, up, result, after),)


def _turned_down(cards: tuple[Played, ...], met: Played) -> tuple[Played, ...]:
    """Turn the newest such card down."""
    index = len(cards) - 1 - cards[::-1].index(met)
    return (*cards[:index], met._replace(is_up=False), *cards[index + 1 :])


def _guard(state: State, index: int, hero: Played, under: Played) -> Guard:
    names = NAMES[state.colour(hero.seat)]
    return Guard(
        hunt=state.hunt,
        ground=GROUNDS[index],
        colour=state.colour(hero.seat),
        card=names[hero.card],
        under=names[under.card],
    )


def _trial(state: State, index: int, hero: Played, up: list[Played], result: Result, after: Ground) -> Trial:
    colour, against = state.colour(hero.seat), state.colour(up[-1].seat)
    now = after.heroes_up()
    return Trial(
        hunt=state.hunt,
        ground=GROUNDS[index],
        colour=colour,
        card=NAMES[colour][hero.card],
        against=against,
        met=NAMES[against][up[-1].card],
        result=result,
        sacrifice=len(up) == MOST_FACE_UP,
        up=state.colour(now[-1].seat) if now else None,
    )


# -- what comes next -------------------------------------------------------------------------------------------------


def _played(state: State, index: int, ground: Ground, rulings: tuple[Ruling, ...]) -> Judged:
    grounds = (*state.grounds[:index], ground, *state.grounds[index + 1 :])
    return _turned(replace(state, grounds=grounds), rulings)


def _turned(state: State, rulings: tuple[Ruling, ...]) -> Judged:
    """Go on after a turn, or after the eighth card."""
    if state.phase is Phase.EIGHTH:
        return _after_cards(state, rulings)
    turn = state.turn + 1
    if turn < TURNS * len(state.seats):
        return replace(state, turn=turn), rulings
    state = replace(state, turn=turn)
    holder = state.holdings.totem
    if holder is not None and holder != state.dealer:
        return replace(state, phase=Phase.EIGHTH, holder=holder), rulings
    return _after_cards(state, rulings)


def _after_cards(state: State, rulings: tuple[Ruling, ...]) -> Judged:
    holder = state.holdings.horse
    if holder is not None and rides(state, holder):
        return replace(state, phase=Phase.RIDE, holder=holder), rulings
    return settling.begin(state, rulings)


_PASSES: dict[Phase, What] = {Phase.TURNS: "turn", Phase.EIGHTH: "eighth", Phase.RIDE: "ride"}
