"""What each line does to a match of Apache, and what is refused (`record.md`, Lines in and Illegal lines).

The life of a Pow-Wow, with the lines that lead on; every other line is illegal, and other presses are ignored:

    WAITING --reveal--> OPEN --press--> COLLECTING --close--> CLOSED --judge--> SETTLING --last settled--> WAITING
    OPEN --reveal--> OPEN           COLLECTING, CLOSED --reveal--> the same
    WAITING, OPEN --end--> OVER     SETTLING --claim--> SETTLING       CLOSED --press in time--> CLOSED
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.core.errors import Illegal, Malformed
from companion.core.record.lines import Close, End, JudgeLine, Line, PressLine, Reveal
from companion.core.ruling.race import RacePhase, is_in_time
from companion.core.ruling.rulings import Ignored
from companion.core.words.texts import Text, joined, listed, text
from companion.games.apache import settling
from companion.games.apache.cards import BY_NAME, DECK, NAMES, Card, Role, with_count
from companion.games.apache.choices import Choice, choices
from companion.games.apache.lines import CATALOGUE, Claim
from companion.games.apache.wording import TAKES

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.ruling.rulings import IgnoredReason
    from companion.games.apache.settling import Step
    from companion.games.apache.state import State


_OPEN, _COLLECTING, _CLOSED = RacePhase.OPEN, RacePhase.COLLECTING, RacePhase.CLOSED


def apply(state: State, line: Line) -> Step:
    """Give the state after `line` and what follows from it. Raises Malformed or Illegal; `state` is unchanged."""
    act = _ACTS.get(type(line))
    if act is None:
        raise Illegal(text("Apache has no `{line}`", CATALOGUE).format(line=line.__struct_config__.tag))
    return act(state, line)


def options(state: State) -> tuple[Choice, ...]:
    """Give what the claimant whose turn it is may choose from; empty where nobody must choose."""
    if state.phase is not RacePhase.SETTLING:
        return ()
    place = state.order[state.settled]
    return choices(state.match, state.table, place.colour, Role(place.role))


def why_no_reveal(state: State) -> str | None:
    """Tell why no card may be entered now; None where one may."""
    if state.phase is RacePhase.OVER:
        return _GAME_OVER
    if state.phase is RacePhase.SETTLING:
        return text("claims are being settled; a card may be revealed when the last one is", CATALOGUE)
    return None if any(state.hidden) else text("all 114 cards have been revealed", CATALOGUE)


def why_no_end(state: State) -> str | None:
    """Tell why the game may not be ended now; None where it may."""
    if state.phase is RacePhase.OVER:
        return _GAME_OVER
    if state.phase in {RacePhase.WAITING, _OPEN}:
        return None
    return text("a Pow-Wow is going on; the game may end when it is settled", CATALOGUE)


def _reveal(state: State, line: Reveal) -> Step:
    card = _card(line.card, "card")
    refusal = why_no_reveal(state)
    if refusal:
        raise Illegal(refusal)
    if not state.hidden[card]:
        raise Illegal(_all_out(line.card, DECK[card]))
    joins = state.phase is _COLLECTING or state.phase is _CLOSED
    return replace(
        state,
        phase=state.phase if joins else _OPEN,
        hidden=with_count(state.hidden, card, -1),
        table=with_count(state.table, card, 1),
        revealer=state.turn,
        turn=state.match.next_seat(state.turn),
        card=card,
        card_t_ns=line.t_ns,
        turned=bool(line.turned),
        joined=joins,
    ), ()


def _all_out(name: str, copies: int) -> str:
    says = text(
        "the {card} cannot be there any more: the game has {count}, and all of them have been revealed", CATALOGUE
    )
    return says.format(card=_says(name), count=copies)


def _says(name: str) -> Text:
    """Give the name of one card for people."""
    return Text(name, name, CATALOGUE, many=name, things=1)


def _press(state: State, line: PressLine) -> Step:
    reason = _why_ignored(state, line)
    if reason:
        return state, (Ignored(colour=line.colour, role=line.role, t_ns=line.t_ns, reason=reason),)
    phase = _CLOSED if state.phase is _CLOSED else _COLLECTING
    return replace(state, phase=phase, presses=(*state.presses, line)), ()


def _why_ignored(state: State, line: PressLine) -> IgnoredReason | None:
    if state.phase is RacePhase.OVER:
        return "game over"
    if line.colour not in state.match.colours:
        return "not playing"
    if state.phase is _OPEN:
        return None
    if is_in_time(state.phase, state.closed_ns, line):
        colour = line.colour
        return "already played" if any(press.colour is colour for press in state.presses) else None
    return "nothing revealed" if state.hidden == DECK else "closed"


def _close(state: State, line: Close) -> Step:
    if state.phase is not _COLLECTING:
        raise Illegal(_NO_CLOSE[state.phase])
    return replace(state, phase=_CLOSED, closed_ns=line.t_ns), ()


def _judge(state: State, _line: JudgeLine) -> Step:
    if state.phase is not _CLOSED:
        raise Illegal(_GAME_OVER if state.phase is RacePhase.OVER else _NOT_CLOSED)
    return settling.judge(state)


def _end(state: State, _line: End) -> Step:
    refusal = why_no_end(state)
    if refusal:
        raise Illegal(refusal)
    return replace(state, phase=RacePhase.OVER), ()


def _claim(state: State, line: Claim) -> Step:
    if line.take not in TAKES:
        raise Malformed(f"field `take`: {line.take!r} is nothing to take; allowed: {', '.join(TAKES)}")
    named = _named(line)
    if state.phase is not RacePhase.SETTLING:
        raise Illegal(_GAME_OVER if state.phase is RacePhase.OVER else _NO_CHOICE)
    claimant = state.order[state.settled].colour
    if line.colour is not claimant:
        says = text("it is {claimant}'s turn to choose, not {colour}'s", CATALOGUE)
        raise Illegal(says.format(claimant=claimant, colour=line.colour))
    return settling.claim(state, _chosen(options(state), line.take, named))


def _named(line: Claim) -> tuple[Card | None, Card | None]:
    """Give the cards that `prisoner` and `spouse` name. Raises Malformed where there is no such card."""
    prisoner = None if line.prisoner is None else _card(line.prisoner, "prisoner")
    spouse = None if line.spouse is None else _card(line.spouse, "spouse")
    return prisoner, spouse


def _chosen(offered: tuple[Choice, ...], take: str, named: tuple[Card | None, Card | None]) -> Choice:
    of_take = [choice for choice in offered if choice.take == take]
    if not of_take:
        says = text("{take} is not on offer; there is: {choices}", CATALOGUE)
        raise Illegal(says.format(take=take, choices=_list_of(offered)))
    detail, stray = named[::-1] if take == "wedding" else named
    if stray is not None or (detail is not None and not of_take[0].named):
        name = _says(NAMES[stray if stray is not None else detail or 0])
        says = text("the {card} has no part in this claim; there is: {choices}", CATALOGUE)
        raise Illegal(says.format(card=name, choices=_list_of(of_take)))
    if detail is None and len(of_take) == 1:
        return of_take[0]
    for choice in of_take:
        if detail in choice.named:
            return choice
    choices = _list_of(of_take)
    if detail is None:
        raise Illegal(text("nothing is named; there is: {choices}", CATALOGUE).format(choices=choices))
    says = text("the {card} is not on offer; there is: {choices}", CATALOGUE)
    raise Illegal(says.format(card=_says(NAMES[detail]), choices=choices))


def _list_of(offered: tuple[Choice, ...] | list[Choice]) -> str:
    with_card = text("{take} with {cards}", CATALOGUE)
    return joined(
        with_card.format(take=choice.take, cards=listed((_says(NAMES[card]) for card in choice.named), "or"))
        if choice.named
        else choice.take
        for choice in offered
    )


def _card(name: str, field: str) -> Card:
    card = BY_NAME.get(name)
    if card is None:
        raise Malformed(f"field `{field}`: {name!r} is no card; allowed: {', '.join(NAMES)}")
    return card


_GAME_OVER = text("the game is over: only `undo` and `press` may follow `end`", CATALOGUE)
_NOT_CLOSED = text("a Pow-Wow is judged after its `close`", CATALOGUE)
_NO_CHOICE = text("nobody has anything to choose now", CATALOGUE)
_NO_CLOSE = {
    RacePhase.WAITING: text("nobody has pressed; there is no Pow-Wow to close", CATALOGUE),
    RacePhase.OPEN: text("nobody has pressed; there is no Pow-Wow to close", CATALOGUE),
    RacePhase.CLOSED: text("this Pow-Wow is closed already", CATALOGUE),
    RacePhase.SETTLING: text("this Pow-Wow is closed already", CATALOGUE),
    RacePhase.OVER: _GAME_OVER,
}
_ACTS: dict[type[Line], Callable[[State, Any], Step]] = {
    Reveal: _reveal,
    PressLine: _press,
    Close: _close,
    JudgeLine: _judge,
    Claim: _claim,
    End: _end,
}
