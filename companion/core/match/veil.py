"""What is not to be seen of a running race while somebody may look first: who has an allowance, and has not pressed.

Such a seat could wait, see the others' cards and choose by them; and so could one that plays by a switch, until it has
picked its card. So until all of them have pressed and picked, or the race takes no more presses, there is only to be
seen that a press was made: not with which button, nor in which order. Pure; knows no display.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.match.race_phases import Stage
from companion.core.panel import BUTTON_BY_LABEL, BUTTONS
from companion.core.record.lines import JudgeLine, PressLine, Remark
from companion.core.ruling.race import RacePhase
from companion.core.words.texts import text

if TYPE_CHECKING:
    from companion.core.match.match import Match
    from companion.core.panel import Colour
    from companion.core.record.lines import Line, Setup
    from companion.core.ruling.history import History, Told
    from companion.core.ruling.race import Race


def may_look_first(setup: Setup) -> tuple[Colour, ...]:
    """Give the seats that lose nothing by waiting: those with an allowance, all of them in an untimed match.

    And those that the conditions say to play by a switch, who pick their card when the race's clock has stopped.
    """
    scans = {} if setup.conditions is None else setup.conditions.seats
    return tuple(
        seat.colour
        for seat in setup.seats
        if seat.allowance_ms
        or setup.timing == "untimed"
        or (seat.colour in scans and "scan" in scans[seat.colour].input)
    )


def _may_look_first(match: Match) -> tuple[Colour, ...]:
    """Give those of a running match: also who has changed to a switch since it began."""
    known = may_look_first(match.setup)
    return tuple(s.colour for s in match.setup.seats if s.colour in known or s.colour in match.settings.switches)


def waited_for(match: Match) -> tuple[Colour, ...]:
    """Give the seats whose presses the others' are hidden for in the race that runs or begins next; () where none."""
    if not match.stage.is_collecting and match.stage is not Stage.BETWEEN:
        return tuple(seat.colour for seat in match.setup.seats if seat.colour in match.unpicked)
    done = {press.colour for press in match.presses()} | match.face_down.laid | match.face_down.without
    return tuple(colour for colour in _may_look_first(match) if colour not in done)


def veil_of(match: Match) -> int | None:
    """Give the number of the line after which presses are not to be seen yet; None where all may be."""
    may_press = match.stage.is_collecting or bool(match.unpicked)
    return newest_judging(match.history) if may_press and waited_for(match) else None


def veil_of_race(race: Race | None, setup: Setup, history: History) -> int | None:
    """Give the veil of a match that is known by its record alone, as `veil_of` does. race: as its game has it."""
    if race is None or race.phase in (RacePhase.CLOSED, RacePhase.OVER):
        return None
    pressed = {press.colour for press in race.presses}
    return newest_judging(history) if set(may_look_first(setup)) - pressed else None


def newest_judging(history: History) -> int:
    """Give the number of the newest line that judged a race, whether it stands or not; 0 before the first."""
    return next((told.number for told in reversed(history) if isinstance(told.line, JudgeLine)), 0)


def is_veiled(told: Told, veil: int | None) -> bool:
    """Tell whether a line is not to be seen yet, but for what `veiled_says` says of it."""
    return veil is not None and told.number > veil and is_of_button(told.line)


def open_lines(history: History, veil: int | None) -> int:
    """Give how many lines there are before the first that is not to be seen yet."""
    return next((told.number - 1 for told in history if is_veiled(told, veil)), len(history))


def veiled_says(line: Line) -> str:
    """Say what may be known of a line that is not to be seen yet: not whose it is, for lines have an order."""
    return text("a press was made") if isinstance(line, PressLine) else text("a remark about a press")


def veiled_content(line: Line) -> dict[str, object]:
    """Give what may be known of such a line, as a document."""
    return {"type": line.__struct_config__.tag, "hidden": True}


def says(match: Match, told: Told) -> str:
    """Say what the newest line of the running match is, as far as it may be known now."""
    is_hidden = veil_of(match) is not None and is_of_button(told.line)
    return veiled_says(told.line) if is_hidden else told.says(match.game)


def without_buttons(text: str) -> str:
    """Give a text in which every button is called by its seat alone."""
    for button in BUTTONS:
        text = text.replace(button.label, button.colour)
    return text


def is_of_button(line: Line) -> bool:
    """Tell whether a line tells of somebody's button."""
    return isinstance(line, PressLine) or (isinstance(line, Remark) and line.source in BUTTON_BY_LABEL)
