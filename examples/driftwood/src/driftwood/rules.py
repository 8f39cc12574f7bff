"""What each line of a record does to a state of Driftwood. Pure: a refused line leaves everything as it was."""

from msgspec.structs import replace

from companion.core.errors import Illegal, Malformed
from companion.core.panel import Colour
from companion.core.record.lines import Close, End, JudgeLine, Line, PressLine, Reveal
from companion.core.ruling.race import RacePhase, is_in_time
from companion.core.ruling.ranking import rank
from companion.core.ruling.rulings import Ignored, IgnoredReason, Order, Place, Resume, Ruling
from driftwood.state import COPIES, COVES, POINTS, Bury, Cove, Phase, Player, State, Storm, Took

Judged = tuple[State, tuple[Ruling, ...]]


def apply(state: State, line: Line) -> Judged:  # noqa: PLR0911 - one case a line
    """Give the state after a line and what follows from it. Raises Malformed or Illegal."""
    match line:
        case PressLine():
            return press(state, line)
        case Cove():
            return settle_in(state, line), ()
        case Reveal():
            return wash_up(state, line), ()
        case Close():
            demand(state, RacePhase.COLLECTING)
            return replace(state, race=RacePhase.CLOSED, closed_ns=line.t_ns), ()
        case JudgeLine():
            demand(state, RacePhase.CLOSED)
            return scramble(state)
        case Bury():
            return bury(state, line)
        case Storm():
            return storm(state, line), ()
        case End() if may_end(state):
            return replace(state, phase=Phase.OVER, race=RacePhase.OVER), ()
    raise Illegal(f"there is no `{line.__struct_config__.tag}` now")


def demand(state: State, race: RacePhase) -> None:
    """Refuse a line that belongs to another moment of a scramble."""
    if state.phase is not Phase.BEACH or state.race is not race:
        raise Illegal("no scramble is at that point")


def is_quiet(state: State) -> bool:
    """Tell whether everybody has a cove, and no scramble is on."""
    return state.phase is Phase.BEACH and state.race in {RacePhase.WAITING, RacePhase.OPEN}


def may_end(state: State) -> bool:
    """Tell whether the match may be ended."""
    return is_quiet(state) or state.phase is Phase.COVES


def with_player(state: State, new: Player) -> State:
    """Put a player's new state in the place of the old one."""
    players = tuple(new if old.seat.colour is new.seat.colour else old for old in state.players)
    return replace(state, players=players)


def settle_in(state: State, line: Cove) -> State:
    """Rule 1: everybody picks a cove."""
    player = state.player(line.colour)
    if state.phase is not Phase.COVES or player is None or player.cove or line.cove not in COVES:
        raise Illegal("that cove cannot be picked now")
    state = with_player(state, replace(player, cove=line.cove))
    return replace(state, phase=Phase.BEACH) if all(player.cove for player in state.players) else state


def wash_up(state: State, line: Reveal) -> State:
    """Rule 2: a card lies on the beach."""
    if line.card not in COPIES:
        raise Malformed(f"field `card`: {line.card!r} is no card; allowed: {', '.join(COPIES)}")
    if not is_quiet(state) or not state.left(line.card):
        raise Illegal(f"no {line.card} can be turned up now")
    return replace(state, beach=(*state.beach, line.card), shown=(*state.shown, line.card), race=RacePhase.OPEN)


def press(state: State, line: PressLine) -> Judged:
    """Rule 3: one press of each counts, while cards lie there; one made in time also when the scramble is closed."""
    if state.phase is Phase.COVES:
        raise Illegal("nobody scrambles before everybody has a cove")
    reason = why_ignored(state, line)
    if reason is not None:
        return state, (Ignored(colour=line.colour, role=line.role, t_ns=line.t_ns, reason=reason),)
    race = RacePhase.CLOSED if state.race is RacePhase.CLOSED else RacePhase.COLLECTING
    return replace(state, presses=(*state.presses, line), race=race), ()


def why_ignored(state: State, line: PressLine) -> IgnoredReason | None:
    """Say why a press does not count, None where it does."""
    if state.phase is Phase.OVER:
        return "game over"
    if state.player(line.colour) is None:
        return "not playing"
    if state.race is RacePhase.WAITING:
        return "nothing revealed"
    if not is_in_time(state.race, state.closed_ns, line):
        return "closed"
    return "already played" if any(press.colour is line.colour for press in state.presses) else None


def scramble(state: State) -> Judged:
    """Rule 3: the first who grabbed takes the beach."""
    order = rank(state.presses, [player.seat for player in state.players], state.first, state.ties, state.number)
    taker = next((place.colour for place in order if place.role == "grab"), None)
    settled = tuple(took(state, place, is_taker=place.colour is taker) for place in order)
    rulings = (Order(race=state.number, order=order), *settled)
    after = replace(state, number=state.number + 1, presses=(), closed_ns=None, race=RacePhase.OPEN)
    if taker is None:
        return after, (*rulings, Resume(race=state.number, reveals=None))
    taken = tuple(sorted(state.beach, key=lambda card: -POINTS[card]))
    return replace(after, phase=Phase.BURY, beach=(), race=RacePhase.SETTLING, taker=taker, taken=taken), rulings


def took(state: State, place: Place, *, is_taker: bool) -> Took:
    """Say what somebody got in a scramble."""
    result, cards = ("claimed", state.beach) if is_taker else ("nothing", ())
    return Took(race=state.number, colour=place.colour, role=place.role, result=result, cards=cards)


def bury(state: State, line: Bury) -> Judged:
    """Rule 4: some of the cards that were taken are safe from now on."""
    player = state.player(line.colour)
    if player is None or state.phase is not Phase.BURY or line.colour is not state.taker:
        raise Illegal("nothing is to be buried by that seat")
    if not 0 <= line.cards <= len(state.taken):
        raise Illegal(f"0 to {len(state.taken)} cards can be buried")
    safe, rest = state.taken[: line.cards], state.taken[line.cards :]
    state = with_player(state, replace(player, buried=(*player.buried, *safe), loose=(*player.loose, *rest)))
    after = replace(state, phase=Phase.BEACH, race=RacePhase.WAITING, taker=None, taken=())
    return after, (Resume(race=state.number - 1, reveals=None),)


def storm(state: State, line: Storm) -> State:
    """Rule 5: what is loose in a cove goes back onto the beach."""
    caller = state.player(line.colour)
    if caller is None or not is_quiet(state) or not caller.has_storm or line.cove not in COVES:
        raise Illegal("that storm cannot be called now")
    state = with_player(state, replace(caller, has_storm=False))
    washed = tuple(card for player in state.players if player.cove == line.cove for card in player.loose)
    players = tuple(replace(p, loose=()) if p.cove == line.cove else p for p in state.players)
    beach = (*state.beach, *washed)
    return replace(state, players=players, beach=beach, race=RacePhase.OPEN if beach else RacePhase.WAITING)


def seats_with_storm(state: State) -> tuple[Colour, ...]:
    """Give who may call a storm now."""
    return tuple(p.seat.colour for p in state.players if p.has_storm) if is_quiet(state) else ()
