"""The language of timed presses for `companion run --simulate --script FILE`. Pure: text in, events out.

Knows no clock, no source and no file. One action a line, `<seconds> <action>`, in any order of time:

    # a comment; empty lines are fine
    0.500 press red fourth              (down, and up 80 ms later)
    +0.083 press blue first for 120 ms  (counted from the line before)
    0.4123 down red fourth              (one edge: bounce, a held button)
    0.4180 up red fourth
    1.0 knob right 3                    (clockwise; also left; 1 where no number stands)
    1.5 knob push                       (also: knob push for 1100 ms, knob down, knob up)
    +1.0 say Blue is too late.          (what to tell whoever looks on, of how things stand now; plays nothing)
    9.0 end                             (nothing happens; the script lasts until then)

Seconds have at most nine decimals and are read as integers, so that a script's times are exact.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from companion.core.errors import Malformed
from companion.core.panel import BUTTON_BY_LABEL, KNOB_PUSH, Colour, Position
from companion.core.timing.events import MS, SECOND, Edge, Turned

LONGEST_LINE = 200
HOLD_NS = 80 * MS
DEFAULT_ERROR_NS = 20_000

_SECONDS = re.compile(r"(\+?)(\d{1,6})(?:\.(\d{1,9}))?")
_FOR = re.compile(r"(.+) for ([1-9]\d{0,5}) ms")
_TURN = re.compile(r"(left|right)(?: ([1-9]\d{0,2}))?")
_ACTIONS = (
    'press/down/up with a button ("press red fourth", "press red fourth for 120 ms"), '
    '"knob left 2", "knob right 2", "knob push", "knob push for 1100 ms", "knob down", "knob up", "say TEXT", "end"'
)


class Caption(NamedTuple):
    """What is told to whoever looks on, of how things stand at `t_ns`."""

    t_ns: int
    text: str


class Script(NamedTuple):
    """A script that was read. `events` and `captions` sorted by time, from 0; `length_ns`: the time of the last thing
    in it."""

    events: tuple[Edge | Turned, ...]
    length_ns: int
    captions: tuple[Caption, ...] = ()


class _Line(NamedTuple):
    number: int
    t_ns: int
    event: Edge | Turned


def parse(text: str, name: str = "script", error_ns: int = DEFAULT_ERROR_NS) -> Script:
    """Read a script; `name` is what errors call it. Raises Malformed, naming the line and what is allowed."""
    lines: list[_Line] = []
    captions: list[Caption] = []
    now_ns = length_ns = 0
    for number, raw in enumerate(text.splitlines(), start=1):
        said = raw.split("#", 1)[0]
        if len(said) > LONGEST_LINE:
            raise Malformed(f"{name}, line {number}: longer than {LONGEST_LINE} characters; no action is")
        words = said.split()
        if not words:
            continue
        try:
            now_ns = _time(words[0], now_ns)
            if words[1:2] == ["say"]:
                captions.append(_caption(words[2:], now_ns))
                length_ns = max(length_ns, now_ns)
                continue
            events = _action(" ".join(words[1:]), now_ns, error_ns)
        except Malformed as error:
            raise Malformed(f"{name}, line {number}: {error}") from None
        lines += [_Line(number, event.t_ns, event) for event in events]
        length_ns = max([length_ns, now_ns, *(event.t_ns for event in events)])
    lines.sort(key=lambda line: line.t_ns)
    _check_levels(lines, name)
    captions.sort(key=lambda caption: caption.t_ns)
    return Script(tuple(line.event for line in lines), length_ns, tuple(captions))


def _caption(words: list[str], t_ns: int) -> Caption:
    if not words:
        raise Malformed("'say' says nothing; write what is to be told behind it")
    return Caption(t_ns, " ".join(words))


def _time(word: str, before_ns: int) -> int:
    match = _SECONDS.fullmatch(word)
    if match is None:
        raise Malformed(f"{word!r} is no time; write seconds like 0.500, or +0.083 to count from the line before")
    plus, whole, fraction = match.groups()
    t_ns = int(whole) * SECOND + int((fraction or "0").ljust(9, "0"))
    return before_ns + t_ns if plus else t_ns


def _action(action: str, t_ns: int, error_ns: int) -> tuple[Edge | Turned, ...]:
    verb, _, rest = action.partition(" ")
    if verb == "end" and not rest:
        return ()
    if verb == "knob":
        return _knob(rest, t_ns, error_ns)
    name, hold_ns = _hold(rest)
    if verb == "press":
        return _press(_button(name), t_ns, hold_ns or HOLD_NS, error_ns)
    if verb in {"down", "up"}:
        if hold_ns is not None:
            raise Malformed(f"'{verb}' has no length; only a press has 'for … ms'")
        return (Edge(_button(name), verb == "down", t_ns, error_ns),)
    raise Malformed(f"{action or 'nothing'!r} is no action; allowed: {_ACTIONS}")


def _knob(rest: str, t_ns: int, error_ns: int) -> tuple[Edge | Turned, ...]:
    if turn := _TURN.fullmatch(rest):
        steps = int(turn.group(2) or 1)
        return (Turned(steps if turn.group(1) == "right" else -steps, t_ns),)
    name, hold_ns = _hold(rest)
    if name == "push":
        return _press(KNOB_PUSH, t_ns, hold_ns or HOLD_NS, error_ns)
    if rest in {"down", "up"}:
        return (Edge(KNOB_PUSH, rest == "down", t_ns, error_ns),)
    raise Malformed(f"'knob {rest}' is no action; allowed: {_ACTIONS}")


def _hold(rest: str) -> tuple[str, int | None]:
    """Split "red fourth for 120 ms" into the name and the nanoseconds, None where no length stands."""
    match = _FOR.fullmatch(rest)
    return (match.group(1), int(match.group(2)) * MS) if match else (rest, None)


def _press(line: str, t_ns: int, hold_ns: int, error_ns: int) -> tuple[Edge, ...]:
    return (Edge(line, True, t_ns, error_ns), Edge(line, False, t_ns + hold_ns, error_ns))


def _button(name: str) -> str:
    if name not in BUTTON_BY_LABEL:
        raise Malformed(
            f"there is no button {name!r}; allowed: a colour ({', '.join(Colour)})"
            f" and which of its four ({', '.join(Position)})"
        )
    return name


def _check_levels(lines: list[_Line], name: str) -> None:
    """A line that goes down is up, and the other way round: anything else is a slip of the pen."""
    since: dict[str, int] = {}
    for number, _, event in lines:
        if not isinstance(event, Edge):
            continue
        if event.active and event.line in since:
            raise Malformed(
                f"{name}, line {number}: {event.line} is down since line {since[event.line]}; let it go up first"
            )
        if not event.active and event.line not in since:
            raise Malformed(f"{name}, line {number}: {event.line} is not down, it cannot go up")
        if event.active:
            since[event.line] = number
        else:
            del since[event.line]
