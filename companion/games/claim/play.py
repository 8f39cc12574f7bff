"""What each line does to a match of Claim, and what is refused (`docs/games/claim.md`, Lines in).

With cards:     WAITING --reveal--> OPEN --press--> COLLECTING --close--> CLOSED --judge--> SETTLING --> WAITING
                OPEN --reveal--> OPEN           COLLECTING, CLOSED --reveal--> the same
Without cards:  OPEN --press--> COLLECTING --close--> CLOSED --judge--> SETTLING --> OPEN, or WAITING where it is done
Both:           SETTLING --claim--> SETTLING    CLOSED --press in time--> CLOSED    WAITING, OPEN --end--> OVER
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.core.errors import Illegal, Malformed
from companion.core.panel import Colour
from companion.core.record.lines import ByHand, Close, End, JudgeLine, Line, PressLine, Reveal
from companion.core.ruling.game import Adjustable
from companion.core.ruling.race import RacePhase, is_in_time
from companion.core.ruling.rulings import Ignored
from companion.core.words.texts import joined, text
from companion.games.claim import settling
from companion.games.claim.lines import CATALOGUE, ClaimLine
from companion.games.claim.moving import face_down, with_number, with_seat

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.ruling.rulings import IgnoredReason
    from companion.games.claim.choices import Choice
    from companion.games.claim.language.sight import Card, Cards
    from companion.games.claim.settling import Step
    from companion.games.claim.state import State

_OPEN, _COLLECTING, _CLOSED, _WAITING = RacePhase.OPEN, RacePhase.COLLECTING, RacePhase.CLOSED, RacePhase.WAITING
_POINTS = 999


def apply(state: State, line: Line) -> Step:
    """Give the state after `line` and what follows from it. Raises Malformed or Illegal; `state` is unchanged."""
    act = _ACTS.get(type(line))
    if act is None:
        raise Illegal(text("Claim has no `{line}`", CATALOGUE).format(line=line.__struct_config__.tag))
    return act(state, line)


def why_no_reveal(state: State) -> str | None:
    """Tell why no card may be entered now; None where one may."""
    if state.phase is RacePhase.OVER:
        return _GAME_OVER
    if not state.terms.game.has_cards:
        return text("there are no cards in this game", CATALOGUE)
    if state.phase is RacePhase.SETTLING:
        return text("a race is being settled; a card may be revealed when the last one is", CATALOGUE)
    if state.done:
        return text("the game is done: nothing may follow but its end", CATALOGUE)
    if state.reveals >= state.terms.game.ends.reveals:
        return text("all {count} cards that are turned in this game have been", CATALOGUE).format(count=state.reveals)
    return None if settling.next_to_turn(state) is not None else _NOBODY_TURNS


def why_no_end(state: State) -> str | None:
    """Tell why the game may not be ended now; None where it may."""
    if state.phase is RacePhase.OVER:
        return _GAME_OVER
    return None if state.phase in {_WAITING, _OPEN} else _GOING_ON


def revealable(state: State) -> tuple[Card, ...]:
    """Give the cards that may be revealed now, each once."""
    if why_no_reveal(state):
        return ()
    turner = settling.next_to_turn(state)
    unseen = _turned_over(state, state.turn if turner is None else turner).unseen
    return tuple(card for card, count in enumerate(unseen) if count)


def adjustable(state: State, labels: tuple[str, str, str] = ("", "", "")) -> tuple[Adjustable, ...]:
    """Give what the referee may set by hand now. labels: of a seat's points, of its stock, and of whose turn it is."""
    if state.phase not in {_WAITING, _OPEN}:
        return ()
    game, colours, cards = state.terms.game, state.terms.colours, state.cards
    found: list[Adjustable] = []
    if game.has_points:
        for colour, points in zip(colours, state.points, strict=True):
            within = max(-_POINTS, min(_POINTS, points))
            found.append(Adjustable(f"points {colour}", labels[0].format(seat=colour.short), -_POINTS, _POINTS, within))
    if game.ends.deal:
        for colour, stock in zip(colours, cards.stocks, strict=True):
            found.append(
                Adjustable(f"stock {colour}", labels[1].format(seat=colour.short), 0, stock + cards.buried, stock)
            )
    if game.has_cards:
        found.append(Adjustable("turn", labels[2], 1, len(colours), state.turn + 1))
    return tuple(found)


def _reveal(state: State, line: Reveal) -> Step:
    game = state.terms.game
    card = _card(state, line.card, "card")
    refusal = why_no_reveal(state)
    turner = settling.next_to_turn(state)
    if refusal or turner is None:
        raise Illegal(refusal or _NOBODY_TURNS)
    cards = _turned_over(state, turner)
    if not cards.unseen[card]:
        raise Illegal(_all_seen(line.card, game.copies[card]))
    joins = state.phase is _COLLECTING or state.phase is _CLOSED
    heat = replace(state.heat, card=card, card_t_ns=line.t_ns, turned=bool(line.turned), joined=joins)
    return replace(
        state,
        phase=state.phase if joins else _OPEN,
        cards=_with_turned(cards, card, turner, tops=game.known.tops, dealt=bool(game.ends.deal)),
        revealer=turner,
        turn=(turner + 1) % len(state.terms.colours),
        reveals=state.reveals + 1,
        newest=card,
        heat=heat,
    ), ()


def _all_seen(name: str, copies: int) -> str:
    if copies == 1:
        says = text("the {card} cannot be there any more: it lies face up, or is out of the game", CATALOGUE)
    else:
        says = text("the {card} cannot be there any more: none of the {count} is face down", CATALOGUE)
    return says.format(card=name, count=copies)


def _turned_over(state: State, turner: int) -> Cards:
    """Give the cards once a revealer who has no stock left has turned over the own pile."""
    cards, ends = state.cards, state.terms.game.ends
    if not ends.refill or cards.stocks[turner]:
        return cards
    return face_down(replace(cards, piles=with_seat(cards.piles, turner, ())), turner, cards.piles[turner])


def _with_turned(cards: Cards, card: Card, turner: int, *, tops: bool, dealt: bool) -> Cards:
    unseen = with_number(cards.unseen, card, -1)
    stocks = with_number(cards.stocks, turner, -1) if dealt else cards.stocks
    deck = cards.deck - (not dealt)
    if tops:
        piles = with_seat(cards.piles, turner, (*cards.piles[turner], card))
        return replace(cards, piles=piles, unseen=unseen, stocks=stocks, deck=deck)
    return replace(cards, table=(*cards.table, card), unseen=unseen, stocks=stocks, deck=deck)


def _press(state: State, line: PressLine) -> Step:
    reason = _why_ignored(state, line)
    if reason:
        return state, (Ignored(colour=line.colour, role=line.role, t_ns=line.t_ns, reason=reason),)
    phase = _CLOSED if state.phase is _CLOSED else _COLLECTING
    return replace(state, phase=phase, heat=replace(state.heat, presses=(*state.heat.presses, line))), ()


def _why_ignored(state: State, line: PressLine) -> IgnoredReason | None:
    if state.phase is RacePhase.OVER:
        return "game over"
    if line.colour not in state.terms.colours:
        return "not playing"
    if state.phase is _OPEN:
        return None
    if is_in_time(state.phase, state.heat.closed_ns, line):
        colour = line.colour
        return "already played" if any(press.colour is colour for press in state.heat.presses) else None
    return "nothing revealed" if state.terms.game.has_cards and not state.reveals else "closed"


def _close(state: State, line: Close) -> Step:
    if state.phase is not _COLLECTING:
        raise Illegal(_NO_CLOSE[state.phase])
    return replace(state, phase=_CLOSED, heat=replace(state.heat, closed_ns=line.t_ns)), ()


def _judge(state: State, _line: JudgeLine) -> Step:
    if state.phase is not _CLOSED:
        raise Illegal(_GAME_OVER if state.phase is RacePhase.OVER else _NOT_CLOSED)
    return settling.judge(state)


def _end(state: State, _line: End) -> Step:
    refusal = why_no_end(state)
    if refusal:
        raise Illegal(refusal)
    return replace(state, phase=RacePhase.OVER), ()


def _by_hand(state: State, line: ByHand) -> Step:
    """Set what the core has found to be adjustable, within its range."""
    if not any(one.key == line.set and one.low <= line.value <= one.high for one in adjustable(state)):
        says = text("{what} cannot be set to {value} by hand now", CATALOGUE)
        raise Illegal(says.format(what=repr(line.set), value=line.value))
    what, _, colour = line.set.partition(" ")
    if what == "turn":
        return _looked_at(replace(state, turn=line.value - 1)), ()
    seat = state.terms.colours.index(Colour(colour))
    if what == "points":
        return _looked_at(replace(state, points=with_number(state.points, seat, line.value - state.points[seat]))), ()
    change = line.value - state.cards.stocks[seat]
    stocks = with_number(state.cards.stocks, seat, change)
    return _looked_at(replace(state, cards=replace(state.cards, stocks=stocks, buried=state.cards.buried - change))), ()


def _looked_at(state: State) -> State:
    """Look whether it is done now; a race that is open with its card stays so."""
    found = settling.settled_on(state)
    return replace(found, phase=state.phase) if state.terms.game.has_cards else found


def _claim(state: State, line: ClaimLine) -> Step:
    game = state.terms.game
    if game.take(line.take) is None:
        names = ", ".join(take.name for take in game.takes)
        raise Malformed(f"field `take`: {line.take!r} is nothing to take; allowed: {names}")
    if line.picked is not None:
        _card(state, line.picked, "picked")
    if state.phase is not RacePhase.SETTLING:
        raise Illegal(_GAME_OVER if state.phase is RacePhase.OVER else _NO_CHOICE)
    presser = state.heat.order[state.heat.settled].colour
    if line.colour is not presser:
        says = text("it is {presser}'s turn to choose, not {colour}'s", CATALOGUE)
        raise Illegal(says.format(presser=presser, colour=line.colour))
    return settling.claim(state, _chosen(state, line))


def _chosen(state: State, line: ClaimLine) -> Choice:
    offered = settling.open_choices(state)
    of_take = [choice for choice in offered if choice.take.name == line.take]
    fitting = [choice for choice in of_take if _fits(state, choice, line)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise Illegal(
            text("that is not one choice; there is: {choices}", CATALOGUE).format(choices=_list_of(state, fitting))
        )
    found = _list_of(state, of_take or list(offered))
    raise Illegal(text("that is not on offer; there is: {choices}", CATALOGUE).format(choices=found))


def _fits(state: State, choice: Choice, line: ClaimLine) -> bool:
    """Tell whether a line may mean a choice: what it names is what the choice has."""
    named = claim_line(state, choice)
    return line.picked in {None, named.picked} and line.rival in {None, named.rival}


def claim_line(state: State, choice: Choice) -> ClaimLine:
    """Give the line that names a choice of the presser whose turn it is, with all that it has."""
    terms = state.terms
    return ClaimLine(
        colour=state.heat.order[state.heat.settled].colour,
        take=choice.take.name,
        picked=None if choice.picked is None else terms.game.known.names[choice.picked],
        rival=None if choice.rival is None else terms.colours[choice.rival],
    )


def _list_of(state: State, offered: list[Choice]) -> str:
    lines = [claim_line(state, choice) for choice in offered]
    return joined(joined(filter(None, (line.take, line.picked, line.rival)), " ") for line in lines)


def _card(state: State, name: str, field: str) -> Card:
    card = state.terms.game.card(name)
    if card is None:
        names = ", ".join(state.terms.game.known.names) or "none"
        raise Malformed(f"field `{field}`: {name!r} is no card; allowed: {names}")
    return card


_GAME_OVER = text("the game is over: only `undo` and `press` may follow `end`", CATALOGUE)
_GOING_ON = text("a race is going on; the game may end when it is settled", CATALOGUE)
_NOBODY_TURNS = text("nobody has a card left to turn", CATALOGUE)
_NOT_CLOSED = text("a race is judged after its `close`", CATALOGUE)
_NO_CHOICE = text("nobody has anything to choose now", CATALOGUE)
_NO_CLOSE = {
    _WAITING: text("nobody has pressed; there is no race to close", CATALOGUE),
    _OPEN: text("nobody has pressed; there is no race to close", CATALOGUE),
    _CLOSED: text("this race is closed already", CATALOGUE),
    RacePhase.SETTLING: text("this race is closed already", CATALOGUE),
    RacePhase.OVER: _GAME_OVER,
}
_ACTS: dict[type[Line], Callable[[State, Any], Step]] = {
    Reveal: _reveal,
    PressLine: _press,
    Close: _close,
    JudgeLine: _judge,
    ClaimLine: _claim,
    ByHand: _by_hand,
    End: _end,
}
