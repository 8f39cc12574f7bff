"""How each input is, as a document for the referee's desk: plain values, and what there is to say of them. Pure.

Nothing of it is told while it would say who presses: where phones race, or somebody's allowance hides presses from the
others. Instants never leave here, only differences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.panel import label_of
from companion.core.timing.events import MS, SECOND
from companion.core.words.texts import joined, text
from companion.screens.text.health import edges_say, times

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from companion.core.panel import Colour
    from companion.core.play.snapshot import Running
    from companion.core.timing.line_health import LineHealth

PHONES_RACE = text("not shown while phones play: it would say who presses")
FACE_DOWN = text("not shown in an untimed match: it would say which card lies face down")
HIDDEN = text("not shown while an allowance hides presses: it would say who presses")


def health_document(lines: Iterable[LineHealth], now_ns: int, withheld: str | None) -> dict[str, Any]:
    """Give every input; withheld: why nothing may be told now, None where it may."""
    if withheld is not None:
        return {"withheld": withheld, "inputs": []}
    return {"withheld": None, "inputs": [input_document(line, now_ns) for line in lines]}


def why_withheld(running: Running | None, phones: Collection[Colour]) -> str | None:
    """Say why nothing may be told of inputs now, None where it may. phones: the seats that phones play."""
    if running is None or running.is_over:
        return None
    if any(seat.colour in phones for seat in running.setup.seats):
        return PHONES_RACE
    if running.setup.timing == "untimed":
        return FACE_DOWN
    return HIDDEN if any(seat.allowance_ms for seat in running.setup.seats) else None


def input_document(line: LineHealth, now_ns: int) -> dict[str, Any]:
    """Give one input. is_doubtful: somebody should look at it."""
    return {
        "line": line.line,
        "button": label_of(line.line),
        "is_down": line.is_down,
        "presses": line.presses,
        "pressed_ms_ago": None if line.pressed_ns is None else max(0, (now_ns - line.pressed_ns) // MS),
        "bounce_us": None if line.bounce_ns is None else line.bounce_ns // 1000,
        "bounces": line.bounces,
        "glitches": line.glitches,
        "fault": line.fault,
        "is_doubtful": line.is_doubtful,
        "says": _says(line, now_ns),
    }


def _says(line: LineHealth, now_ns: int) -> str:
    parts = (line.fault or "", _level(line), _pressed(line, now_ns), *edges_say(line))
    return joined(filter(None, parts), "; ")


def _level(line: LineHealth) -> str:
    if line.is_down is None:
        return text("not read yet")
    return text("pressed now") if line.is_down else ""


def _pressed(line: LineHealth, now_ns: int) -> str:
    if line.pressed_ns is None:
        return text("not pressed yet")
    ago_s = max(0, now_ns - line.pressed_ns) // SECOND
    when = text("{time} s ago").format(time=ago_s) if ago_s < 120 else text("{time} min ago").format(time=ago_s // 60)
    return text("pressed {times}, last {when}").format(times=times(line.presses), when=when)
