"""The conditions under which this box takes times, as a record states them. Part of `app`.

They are asked for when a match begins: what the sources state may have changed since the start. Reads no file itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from companion.adapters.service.installed import program_version
from companion.app.certificate.weighing import box_id
from companion.core.errors import CompanionError
from companion.core.panel import BUTTON_BY_LABEL, label_of
from companion.core.record.lines import Conditions, SeatConditions, SourceConditions
from companion.core.timing.events import MS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from companion.config.settings import Settings
    from companion.core.match.match_maker import MakeConditions
    from companion.core.panel import Colour
    from companion.core.record.lines import Setup
    from companion.ports import ButtonSource

Input = Literal["panel", "pod", "phone", "evdev", "keys", "scan"]
US = 1_000
INPUTS: dict[str, Input] = {"pods": "pod", "browser panels": "phone", "evdev": "evdev"}
"""How a seat plays by the source of its presses; by any other source at the panel."""


def conditions_maker(
    settings: Settings, sources: Sequence[ButtonSource], lines: Iterable[str], key: Callable[[], bytes]
) -> MakeConditions:
    """Give what gives the conditions of a match. lines: of all sources. key: gives the box's public key, and raises a
    CompanionError where it has none: then the box has no id.

    Times are rounded up to their unit. A source that names its own lines stands for no others; they may change.
    """
    pressed = frozenset(lines) - {line for source in sources for line in getattr(source, "lines", ())}

    def conditions(setup: Setup, window_ns: int, confirmed: tuple[Colour, ...]) -> Conditions:
        return Conditions(
            software=f"table-companion {program_version()}",
            box=_id(key),
            window_ms=window_ns // MS,
            late_ms=settings.timing.late_ms,
            seats={seat.colour: _seat(settings, seat.colour, sources, pressed) for seat in setup.seats},
            settle_ms=_up(settings.timing.limits.settle_ns, MS),
            chatter_hz=settings.timing.chatter_hz,
            confirmed=confirmed,
            sources=tuple(_source(source) for source in sources),
        )

    return conditions


def readings(sources: Iterable[ButtonSource]) -> list[tuple[str, str]]:
    """Return what a record says of how each source reads, beside its conditions, and the source's name."""
    said = ((getattr(source, "reading", None), source.name) for source in sources)
    return [(text, name) for text, name in said if text]


def _id(key: Callable[[], bytes]) -> str:
    try:
        return box_id(key())
    except CompanionError:
        return ""


def _seat(settings: Settings, colour: Colour, sources: Iterable[ButtonSource], lines: frozenset[str]) -> SeatConditions:
    timing = settings.timing_of(colour)
    inputs: list[Input] = [
        INPUTS.get(source.name, "panel")
        for source in sources
        if any(_colour_of(line) is colour for line in getattr(source, "lines", lines))
    ]
    if settings.seats.of(colour).scanning is not None:
        inputs.append("scan")
    return SeatConditions(
        bounce_ms=_up(timing.bounce_ns, MS),
        accept_ms=_up(timing.accept_ns, MS),
        repeat_ms=_up(timing.repeat_ns, MS),
        extension_ms=_up(settings.seats.of(colour).extension_ns, MS),
        input=tuple(dict.fromkeys(inputs)),
    )


def _source(source: ButtonSource) -> SourceConditions:
    return SourceConditions(source.name, _up(source.delay_ns, MS), _up(source.error_ns, US), source.certificate)


def _colour_of(line: str) -> Colour | None:
    button = BUTTON_BY_LABEL.get(label_of(line))
    return None if button is None else button.colour


def _up(value_ns: int, unit_ns: int) -> int:
    return -(-value_ns // unit_ns)
