"""The lines of the intake file: a press that was taken, that one of them is in its record, edges passed. Pure.

JSON Lines, so that a builder can read with any tool what was waiting when the power went. A line that was cut off by a
power cut is none, and everything around it still counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec

from companion.core.timing.events import Disbelieved, Origin, Press
from companion.core.words.encoding import encode
from companion.ports import KeptPress

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


LONGEST = 8192
"""No line of ours is longer."""
Nanoseconds = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]


_STARTS = (b'{"type":"taken",', b'{"type":"settled",', b'{"type":"passed",')


class Taken(msgspec.Struct, frozen=True, tag_field="type", tag="taken", omit_defaults=True, forbid_unknown_fields=True):
    """A press was accepted while match `match` ran, in the boot `boot` (None: unknown).

    origin: its edges up to that one have been taken for good; None where no device keeps them.
    """

    match: Annotated[int, msgspec.Meta(ge=1, le=2**53)]
    boot: str | None
    line: str
    t_ns: Nanoseconds
    error_ns: Nanoseconds
    remark: str = ""
    disbelieved: Disbelieved | None = None
    origin: Origin | None = None


class Passed(msgspec.Struct, frozen=True, tag_field="type", tag="passed", forbid_unknown_fields=True):
    """The edges of a device's line up to this one have been taken for good, by a press that is not here any more."""

    origin: Origin


class Settled(msgspec.Struct, frozen=True, tag_field="type", tag="settled", forbid_unknown_fields=True):
    """The press of that line at that time is in its record, or was none of a race."""

    line: str
    t_ns: Nanoseconds


_decode = msgspec.json.Decoder(Taken | Settled | Passed).decode


def taken_line(kept: KeptPress) -> bytes:
    """Write that a press was taken."""
    press = kept.press
    line, t_ns, error_ns, remark, disbelieved, origin = press
    return _line(Taken(kept.match_id, kept.boot_id, line, t_ns, error_ns, remark, disbelieved, origin))


def settled_line(press: Press) -> bytes:
    """Write that a press waits no more."""
    return _line(Settled(press.line, press.t_ns))


def passed_lines(passed: Mapping[tuple[str, int], Origin]) -> bytes:
    """Write up to where the edges of devices have been taken for good."""
    return b"".join(_line(Passed(origin)) for origin in passed.values())


def pass_(passed: dict[tuple[str, int], Origin], origin: Origin | None) -> None:
    """Take in that the edges of a line up to this one have been taken; what was of an earlier start means nothing."""
    if origin is None:
        return
    device, start, line, number, _ = origin
    for key in [key for key, other in passed.items() if other.device == device and other.start != start]:
        del passed[key]
    before = passed.get((device, line))
    if before is None or before.number < number:
        passed[device, line] = origin


def passed_in(raw: Iterable[bytes]) -> dict[tuple[str, int], Origin]:
    """Read from a file's lines up to where edges have been taken for good, by device and line; of its newest start."""
    passed: dict[tuple[str, int], Origin] = {}
    for line in raw:
        try:
            entry = _decode(line)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            continue
        if not isinstance(entry, Settled):
            pass_(passed, entry.origin)
    return passed


def is_cut(line: bytes) -> bool:
    """Tell whether a line that cannot be read may be one of ours that was cut off."""
    line = line.rstrip(b"\0")  # a file system may have kept the room for it, and nothing in it
    if len(line) > LONGEST or line.endswith(b"}"):
        return False
    return any(line.startswith(start[: len(line)]) for start in _STARTS)


def waiting(raw: Iterable[bytes]) -> tuple[tuple[KeptPress, ...], tuple[bytes, ...]]:
    """Read a file's lines: the presses that still wait, in the order of their times, and the lines that are none."""
    kept: dict[tuple[str, int], KeptPress] = {}
    unreadable: list[bytes] = []
    for line in raw:
        try:
            entry = _decode(line)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            unreadable.append(line)
            continue
        if isinstance(entry, Settled):
            kept.pop((entry.line, entry.t_ns), None)
        elif isinstance(entry, Taken):
            press = Press(entry.line, entry.t_ns, entry.error_ns, entry.remark, entry.disbelieved, entry.origin)
            kept[entry.line, entry.t_ns] = KeptPress(entry.match, entry.boot, press)
    return tuple(sorted(kept.values(), key=lambda one: (one.press.t_ns, one.press.line))), tuple(unreadable)


def _line(entry: Taken | Settled | Passed) -> bytes:
    return encode(entry) + b"\n"
