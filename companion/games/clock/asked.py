"""What the setup of a clock asks, and the terms that come of it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.ruling.parameters import Choice, Parameter, setting
from companion.core.timing.events import SECOND
from companion.games.clock.state import Mode, Terms, Turns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.core.record.lines import Setup

MINUTE = 60
MAINS = (10, 20, 30, 45, 60, 90, 120, 180, 300, 600, 900, 1200, 1500, 1800, 2700, 3600, 5400, 6000, 7200)
"""Seconds; 100 minutes are the time for the first 40 moves of many long games of chess."""
EXTRAS = (0, 1, 2, 3, 5, 10, 12, 15, 20, 25, 30, 45, 60)
AFTERS = (0, 20, 30, 36, 40, 50, 60)
MORES = (300, 600, 900, 1200, 1800, 3600)
WARNINGS = (0, 10, 20, 30, 60, 300)


def parameters(text: Callable[[str], str]) -> tuple[Parameter, ...]:
    """Give what is asked, in the words of a language."""
    mode = (
        Choice(Mode.INCREMENT, text("increment")),
        Choice(Mode.DELAY, text("delay")),
        Choice(Mode.MOVE, text("time per move")),
        Choice(Mode.HOURGLASS, text("hourglass")),
    )
    turns = (
        Choice(Turns.ONE, text("one by one")),
        Choice(Turns.ALL, text("all at once")),
        Choice(Turns.PASS, text("until all pass")),
    )
    fallen = (Choice("out", text("is out")), Choice("below", text("below zero")))
    return (
        _choice("mode", text("Clock"), mode, Mode.INCREMENT),
        _choice("main", text("Time each"), _spans(MAINS, text), "600"),
        _choice("extra", text("Added, delayed"), _spans(EXTRAS, text), "0"),
        _choice("turns", text("Turns"), turns, Turns.ONE),
        _choice("fallen", text("Time is over"), fallen, "out"),
        Parameter("stops", text("Stop each round"), default=True),
        _choice("after", text("More after moves"), (Choice(str(n), str(n or text("never"))) for n in AFTERS), "0"),
        _choice("more", text("So much more"), _spans(MORES, text), "1800"),
        _choice("warn", text("Low from"), _spans(WARNINGS, text), "10"),
    )


def _choice(key: str, label: str, choices: Iterable[Choice], default: str) -> Parameter:
    return Parameter(key, label, "choice", default, tuple(choices))


def _spans(seconds: Iterable[int], text: Callable[[str], str]) -> tuple[Choice, ...]:
    return tuple(Choice(str(one), span(one, text)) for one in seconds)


def span(seconds: int, text: Callable[[str], str]) -> str:
    """Say how long that is: "45 s", "10 min", "none"."""
    if not seconds:
        return text("none")
    if seconds % MINUTE:
        return text("{count} s").format(count=seconds)
    return text("{count} min").format(count=seconds // MINUTE)


ASKED = {one.key: one for one in parameters(lambda message: message)}


def terms_of(setup: Setup) -> Terms:
    """Give what a verified setup says."""

    def seconds(key: str) -> int:
        return int(setting(setup, ASKED[key])) * SECOND

    colours = tuple(seat.colour for seat in setup.seats)
    mode = Mode(str(setting(setup, ASKED["mode"])))
    return Terms(
        colours=colours,
        first=colours.index(setup.first),
        mode=mode,
        turns=Turns(str(setting(setup, ASKED["turns"]))),
        main_ns=seconds("main"),
        extra_ns=seconds("extra") if mode.has_extra else 0,
        after=int(setting(setup, ASKED["after"])) if mode.has_extra else 0,
        more_ns=seconds("more"),
        stops=bool(setting(setup, ASKED["stops"])),
        is_out=setting(setup, ASKED["fallen"]) == "out",
        low_ns=seconds("warn"),
    )
