"""What a line does: the draft, turns, bail, and what follows when a round ends (`les-apaches.md`, 3 to 9). Pure.

DRAFT --draft--> TURN --hideout--> (BAIL --bail-->) TURN … --> settling --> DRAFT … --> UNMASK or SEALED --> DONE
settling: UNLAID --unlaid-->, SHUFFLE --chance-->, as far as the box has to ask
any --end--> OVER
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.core.errors import Illegal, Malformed
from companion.core.record.lines import ByHand, ChanceLine, End, Line, Open
from companion.core.words.texts import joined, text
from companion.games.les_apaches.rules import lines
from companion.games.les_apaches.rules.acting import CATALOGUE, is_unsure, mustered, pair, prowled, refuse, strides
from companion.games.les_apaches.rules.board import UNKNOWN, check_board, read_board
from companion.games.les_apaches.rules.districts import (
    BAIL,
    BURGHERS,
    FENCE,
    LAPS,
    LISTED,
    LOOTS,
    PRINTED,
    left_hideouts,
    named,
)
from companion.games.les_apaches.rules.ending import BURGHERS_DRAW, concluded, opened, shuffled, unmasked
from companion.games.les_apaches.rules.hand import set_by_hand
from companion.games.les_apaches.rules.settling import settled
from companion.games.les_apaches.rules.state import (
    Column,
    Phase,
    State,
    at_start,
    paid,
    strength,
    terms_of,
    with_gang,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.panel import Colour
    from companion.core.record.lines import Setup
    from companion.core.ruling.rulings import Ruling

Judged = tuple[State, tuple["Ruling", ...]]


# -- the setup ---------------------------------------------------------------------------------------------------------


def started(setup: Setup, *, districts: str, others: tuple[int, ...], by_box: bool) -> State:
    """Give the state before the first hideout is taken. others: what is open with "other". Raises what 1 says."""
    file = (setup.files or {}).get("board")
    content = file.text if file is not None else ""
    if faults := check_board(content):
        where = f"line {faults[0].line}: " if faults[0].line else ""
        raise Malformed(f"field `files`: board: {where}{faults[0].says} (rule 1.6)")
    board = read_board(content) if content.strip() else UNKNOWN
    opens = _opened(districts, others, len(setup.seats))
    return at_start(terms_of(setup, opens, board, by_box=by_box))


def _opened(districts: str, others: tuple[int, ...], players: int) -> tuple[int, ...]:
    if districts == "printed":
        found = PRINTED[players]
    elif districts == "other":
        found = others
    else:
        found = next(one for one in LISTED if named(one) == districts)
    left, wanted = left_hideouts(found), LAPS * players
    if left != wanted:
        which = joined(map(str, found)) if found else text("none", CATALOGUE)
        says = text("districts {which} leave {left} hideouts; {players} players lay {wanted}", CATALOGUE)
        refuse("1.4", says.format(which=which, left=left, players=players, wanted=wanted))
    return (*found, BURGHERS, FENCE)


# -- lines -------------------------------------------------------------------------------------------------------------


def apply(state: State, line: Line) -> Judged:
    """Give the state after `line` and what follows from it. Raises Malformed or Illegal."""
    if state.phase is Phase.OVER:
        raise Illegal(text("the game is over", CATALOGUE))
    do = _DO.get(type(line))
    if do is None:
        says = text("there is no `{line}` in this game", CATALOGUE)
        raise Illegal(says.format(line=line.__struct_config__.tag))
    return do(state, line)


def left_in_stack(state: State, district: int) -> int:
    """Give how many hideouts of a district can still be taken."""
    place = district - 1
    return state.terms.stacks[place] - sum([hand[place] for hand in state.course.hands])


def _demand(state: State, phase: Phase, colour: Colour) -> int:
    """Give the seat whose turn it is. Raises Illegal in another phase, and for another gang."""
    if state.phase is not phase:
        refuse("3.6", text("that is not decided now", CATALOGUE))
    seat = state.seat
    if state.terms.colours[seat] is not colour:
        refuse("3.6", text("it is {colour}'s turn", CATALOGUE).format(colour=state.terms.colours[seat]))
    return seat


def _draft(state: State, line: lines.Draft) -> Judged:
    seat = _demand(state, Phase.DRAFT, line.colour)
    place = int(line.district) - 1
    if not left_in_stack(state, place + 1):
        says = text("no hideout is left to take in district {district}", CATALOGUE)
        refuse("3.1", says.format(district=line.district))
    course = state.course
    hand = course.hands[seat]
    hand = (*hand[:place], hand[place] + 1, *hand[place + 1 :])
    hands = (*course.hands[:seat], hand, *course.hands[seat + 1 :])
    if sum(map(sum, hands)) < sum(state.terms.stacks):
        return replace(state, course=replace(course, hands=hands, at=(course.at + 1) % len(hands))), ()
    state = replace(state, phase=Phase.TURN, course=replace(course, hands=hands, at=0, lap=1))
    by = {
        str(colour): tuple(str(number) for number, n in enumerate(hand, start=1) for _ in range(n))
        for colour, hand in zip(state.terms.colours, hands, strict=True)
    }
    return state, (lines.Drafted(round=course.number, hands=by),)


def _demand_action(state: State, colour: Colour) -> int:
    seat = _demand(state, Phase.TURN, colour)
    if state.course.acted:
        refuse("4.1", text("one placing or one moving a turn; now a hideout is laid", CATALOGUE))
    return seat


def _muster(state: State, line: lines.Muster) -> Judged:
    seat = _demand_action(state, line.colour)
    streets = mustered(state, seat, line)
    gang = state.gangs[seat]
    gang = replace(
        gang,
        leaders=gang.leaders - line.leaders,
        novices=gang.novices - line.novices,
        reinforcements=gang.reinforcements - line.reinforcements,
    )
    state = replace(with_gang(state, seat, gang), streets=streets, course=replace(state.course, acted=True))
    ruling = lines.Mustered(
        colour=line.colour,
        district=line.district,
        leaders=line.leaders,
        novices=line.novices,
        reinforcements=line.reinforcements,
        strength=strength(state, int(line.district)),
    )
    return state, (ruling,)


def _prowl(state: State, line: lines.Prowl) -> Judged:
    seat = _demand_action(state, line.colour)
    streets = prowled(state, seat, line)
    known, steps = state.known, strides(line)
    if is_unsure(state, steps):
        known |= {pair(origin, target) for _, origin, target in steps}
    state = replace(state, streets=streets, known=known, course=replace(state.course, acted=True))
    touched = sorted({district for _, *both in steps for district in both})
    strengths = {str(district): strength(state, district) for district in touched}
    return state, (lines.Prowled(colour=line.colour, figures=line.figures, strengths=strengths),)


def layable(state: State, district: int) -> tuple[str, ...]:
    """Give what a hideout of a district can say that is laid now, each once (5.2)."""
    places = state.terms.board.places[district - 1]
    if places is None:
        return LOOTS
    left = list(places)
    for loot in state.course.laid[district - 1]:
        left.remove(loot)
    return tuple(loot for loot in LOOTS if loot in left)


def _hideout(state: State, line: lines.Hideout) -> Judged:
    seat = _demand(state, Phase.TURN, line.colour)
    course, place = state.course, int(line.district) - 1
    hand = course.hands[seat]
    if not hand[place]:
        says = text("{colour} has no hideout of district {district} left", CATALOGUE)
        refuse("5.1", says.format(colour=line.colour, district=line.district))
    if line.loot not in LOOTS:
        raise Malformed(f"field `loot`: {line.loot!r} is no hideout; there are: {', '.join(LOOTS)}")
    if line.loot not in layable(state, place + 1):
        says = text("no {loot} is left to lay in district {district}", CATALOGUE)
        refuse("5.2", says.format(loot=line.loot, district=line.district))
    hand = (*hand[:place], hand[place] - 1, *hand[place + 1 :])
    laid = (*course.laid[:place], (*course.laid[place], line.loot), *course.laid[place + 1 :])
    course = replace(course, hands=(*course.hands[:seat], hand, *course.hands[seat + 1 :]), laid=laid)
    ruling = lines.Laid(colour=line.colour, district=line.district, loot=line.loot, left=sum(hand))
    state = replace(state, course=course)
    gang = state.gangs[seat]
    if gang.jail[0] and gang.money >= BAIL:
        return replace(state, phase=Phase.BAIL), (ruling,)
    state, rulings = _next_turn(state)
    return state, (ruling, *rulings)


def most_bailed(state: State) -> int:
    """Give for how many prisoners the gang in turn can pay."""
    gang = state.gangs[state.seat]
    return min(gang.jail[0], gang.money // BAIL)


def _bail(state: State, line: lines.Bail) -> Judged:
    seat = _demand(state, Phase.BAIL, line.colour)
    count = line.prisoners
    if not 0 <= count <= most_bailed(state):
        says = text("bail is paid for 0 to {most} prisoners, {francs} F each", CATALOGUE)
        refuse("6.2", says.format(most=most_bailed(state), francs=BAIL))
    state = paid(state, seat, Column.BAIL, -BAIL * count)
    gang = state.gangs[seat]
    free = replace(gang, jail=(gang.jail[0] - count, gang.jail[1]), leaders=gang.leaders + count)
    state, rulings = _next_turn(with_gang(state, seat, free))
    return state, (lines.Bailed(colour=line.colour, prisoners=count, francs=BAIL * count), *rulings)


def _next_turn(state: State) -> Judged:
    course, terms = state.course, state.terms
    seats = len(terms.colours)
    if course.at + 1 < seats:
        return replace(state, phase=Phase.TURN, course=replace(course, at=course.at + 1, acted=False)), ()
    if course.lap == LAPS:
        return _concluded(*settled(replace(state, asking=terms.opened[0])))
    course = replace(course, lap=course.lap + 1, at=0, acted=False)
    if course.lap < LAPS:
        return replace(state, phase=Phase.TURN, course=course), ()
    order = tuple(sorted(course.order, key=lambda seat: -sum(state.gangs[seat].reserve)))
    ruling = lines.LastLap(round=course.number, order=tuple(terms.colours[seat] for seat in order))
    return replace(state, phase=Phase.TURN, course=replace(course, order=order)), (ruling,)


# -- questions at the end ----------------------------------------------------------------------------------------------


def _concluded(state: State, rulings: tuple[Ruling, ...]) -> Judged:
    """Go on to the final accounts where the third round has been settled."""
    if state.asking or state.phase is Phase.DRAFT:
        return state, rulings
    state, more = concluded(state)
    return state, (*rulings, *more)


def _unlaid(state: State, line: lines.Unlaid) -> Judged:
    if state.phase is not Phase.UNLAID or line.district != str(state.asking):
        refuse("3.6", text("what was taken away from that district is not asked now", CATALOGUE))
    if line.loot not in LOOTS:
        raise Malformed(f"field `loot`: {line.loot!r} is no hideout; there are: {', '.join(LOOTS)}")
    return _concluded(*settled(state, line.loot))


def _chance(state: State, line: ChanceLine) -> Judged:
    if state.phase is not Phase.SHUFFLE or line.name != BURGHERS_DRAW:
        refuse("3.6", text("nothing is drawn now", CATALOGUE))
    return _concluded(*settled(shuffled(state, line)))


def _unmask(state: State, line: lines.Unmask) -> Judged:
    if state.phase is not Phase.UNMASK:
        refuse("3.6", text("nobody is asked for the policeman now", CATALOGUE))
    return unmasked(state, line)


def _by_hand(state: State, line: ByHand) -> Judged:
    return set_by_hand(state, line), ()


def _end(state: State, _line: End) -> Judged:
    return replace(state, phase=Phase.OVER), ()


_DO: dict[type[Line], Callable[[State, Any], Judged]] = {
    lines.Draft: _draft,
    lines.Muster: _muster,
    lines.Prowl: _prowl,
    lines.Hideout: _hideout,
    lines.Bail: _bail,
    lines.Unlaid: _unlaid,
    lines.Unmask: _unmask,
    ChanceLine: _chance,
    Open: opened,
    ByHand: _by_hand,
    End: _end,
}
