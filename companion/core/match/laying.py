"""What is done in an untimed match: cards are laid face down, changed, taken up, and shown together. Pure.

Theory of operation. A press of a seat's own button lays that card face down. Another of its buttons changes it, the
same one again changes nothing, so that a hand that presses twice undoes nothing. Whoever plays no card says so, and may
lay one after all. Once every seat has laid a card or plays none, all cards are shown: each is a press of that one
instant, so they are all tied, and the match's policy for dead heats gives the order. The referee may show them before.
No clock runs, and which card lies there is told by nothing until then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import Illegal
from companion.core.match.effects import Sound, Tone
from companion.core.match.race_phases import Happening, Stage, changed_to, follow
from companion.core.match.waiting.unrecorded import Instant
from companion.core.record.lines import PressLine, Remark
from companion.core.record.told_presses import read_press, told_time
from companion.core.ruling.race import RacePhase
from companion.core.words.texts import Text, text, texts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from companion.core.match.match import Match
    from companion.core.panel import Colour
    from companion.core.record.lines import Line, Setup
    from companion.core.timing.events import Press

LIE_FACE_DOWN = text("cards lie face down: show them first, or have them taken up")
SHOWN = text("the cards are shown already")
PLAYS_NONE = "plays no card this time"
"""How the remark begins, after the colour, that somebody plays none; its time follows."""
TAKEN_UP = "the cards that lay face down are taken up again"
"""The remark that they are, and that nobody has said to play none."""
_STAGES = {Stage.BETWEEN, Stage.FACE_DOWN, Stage.REOPENED}
_PHASES = {RacePhase.WAITING, RacePhase.OPEN, RacePhase.COLLECTING}


def is_untimed(setup: Setup) -> bool:
    """Tell whether all cards of a race are shown together, in everybody's own time."""
    return setup.timing == "untimed"


def seats_of(match: Match) -> tuple[Colour, ...]:
    """Give all seats, clockwise."""
    return tuple(seat.colour for seat in match.setup.seats)


def missing(match: Match) -> tuple[Colour, ...]:
    """Give the seats that have neither a card there nor play none, clockwise."""
    there = match.face_down.laid | match.face_down.without | {press.colour for press in match.presses()}
    there -= set(match.unpicked)
    return tuple(colour for colour in seats_of(match) if colour not in there)


def without(match: Match, made: Collection[Colour] = ()) -> tuple[Colour, ...] | None:
    """Give who plays no card this time, clockwise; None where presses are raced. made: who has just laid one."""
    if not is_untimed(match.setup):
        return None
    return tuple(colour for colour in seats_of(match) if colour in match.face_down.without and colour not in made)


def may_play_none(match: Match) -> tuple[Colour, ...]:
    """Give the seats that may say that they play no card; () where no card may be laid."""
    if not is_untimed(match.setup) or _why_closed(match):
        return ()
    played = {press.colour for press in match.presses()} | match.face_down.without
    return tuple(colour for colour in seats_of(match) if colour not in played)


def why_not(match: Match, colour: Colour, t_ns: int) -> str:
    """Say why a press of this seat at this instant lays no card; empty where it does."""
    if colour not in seats_of(match):
        return text("not playing")
    if why := _why_closed(match):
        return why
    if any(press.colour is colour for press in match.presses()):
        return text("already played")
    return SHOWN if t_ns <= match.late_until_ns else ""


def lay(match: Match, press: Press, line: PressLine) -> None:
    """Lay a card face down, or tell why not."""
    if why := why_not(match, line.colour, press.t_ns):
        if not match.repeated.leaves_out(press.line, press.t_ns):
            match.remark(
                f"{press.line}: a press lays no card: {why} {told_time(press.t_ns, press.error_ns)}", press.line
            )
        match.effects.append(Sound(Tone.IGNORED, (line.colour,)))
        return
    match.face_down.lay(line)
    match.effects.append(Sound(Tone.ACCEPTED, (line.colour,)))
    _go_on(match, press.t_ns)


def play_none(match: Match, colour: Colour, t_ns: int) -> Text:
    """Have a seat play no card this time, and say so. Raises Illegal where it cannot say that now."""
    if colour not in may_play_none(match):
        already = text("{colour} plays no card this time already").format(colour=colour)
        raise Illegal(why_not(match, colour, match.late_until_ns + 1) or already)
    match.remark(f"{colour} {PLAYS_NONE} {told_time(t_ns, 0)}", "box")
    match.face_down.play_none(colour, t_ns)
    match.effects.append(Sound(Tone.ACCEPTED, (colour,)))
    _go_on(match, t_ns)
    return text("{colour} plays no card this time").format(colour=colour.short)


def show(match: Match, t_ns: int) -> None:
    """Show all cards that lie face down, as pressed at one instant, and close the race. With no card there is none."""
    race = match.race
    at_ns = max(t_ns, *(instant.t_ns for instant in match.face_down.instants()), 0)
    if race is not None and race.presses:  # it was opened again
        at_ns = race.presses[0].t_ns
    shown = match.face_down.show(at_ns, seats_of(match))
    if not shown.lines and not match.presses():
        match.stage = follow(match.stage, changed_to(match.phase))
        match.effects.append(Sound(Tone.IGNORED))
        return
    for colour, times in shown.changed:
        match.remark(f"{colour} changed its card {times} time{'s' * (times > 1)} before all were shown", "box")
    for line in shown.lines:
        match.put(line)
    match.close(at_ns)


def take_up(match: Match) -> int:
    """Have everybody take up the own card again, and play none no more; give how many cards lay there."""
    count = len(match.face_down.laid)
    match.remark(TAKEN_UP, "box")
    match.face_down.take_up()
    match.stage = follow(match.stage, changed_to(match.phase))
    match.effects.append(Sound(Tone.ACCEPTED))
    return count


def waiting(match: Match) -> list[Instant]:
    """Say which presses wait: face down, or for their card; as they were made."""
    early = (match.face_down.original(instant) for instant in match.early.instants())
    return [*match.face_down.instants(), *match.unpicked.instants(), *early]


def written(match: Match, lines: Iterable[Line]) -> list[Instant]:
    """Say which presses are among these lines, those that a remark tells of too; as they were made."""
    told = (read_press(line, match.game.roles) if isinstance(line, Remark) else line for line in lines)
    presses = (line for line in told if isinstance(line, PressLine))
    return [match.face_down.original(Instant(line.t_ns, line.colour)) for line in presses]


def says(count: int) -> Text:
    """Say how many cards lie face down."""
    return texts("{count} card lies face down", "{count} cards lie face down", count)


def _why_closed(match: Match) -> str:
    """Say why nobody can lay a card now; empty where it can be done."""
    if match.is_over:
        return text("game over")
    is_open = match.stage in _STAGES and match.phase in _PHASES
    return "" if is_open else SHOWN


def _go_on(match: Match, t_ns: int) -> None:
    match.stage = follow(match.stage, Happening.LAID)
    if not missing(match):
        show(match, t_ns)
