"""What a pod and the host say to each other: payloads of frames as tuples, and back. Byte tables: firmware/README.md.

All numbers are unsigned, least byte first. A payload that is not exactly one message is Malformed; a later version may
add messages, so one with an unknown first byte is UnknownMessage and is passed over. Knows no wire and no state.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from companion.core.errors import Malformed

OLDEST, NEWEST = 1, 1
"""Versions of the protocol that this host speaks."""
MOST_LINES = 24
"""A pod's inputs; levels and lamps are bits of one number."""
EDGE_BYTES = 7
TICK_BITS = 46
"""A stamp's range: 30 bits of `ticks_us`, above them 16 bits that count how often it has wrapped."""
_TICKS_US_BITS = 30


class UnknownMessage(Malformed):
    """A well-formed payload of a kind that this version does not know."""


class Hello(NamedTuple):
    """Host: which versions of the protocol it speaks. The pod answers Identity, Baseline, and what it has kept."""

    oldest: int = OLDEST
    newest: int = NEWEST


class Ping(NamedTuple):
    """Host: read your clock. number: 16 bits, comes back in the Pong."""

    number: int


class Ack(NamedTuple):
    """Host: every edge before number `next_seq` of boot `boot` is safe; the pod may forget it."""

    boot: int
    next_seq: int


class Heard(NamedTuple):
    """Host: every edge before number `next_seq` has come; it need not be sent again before the next Hello.

    The pod keeps it until it is acknowledged. One of firmware 1.0 passes this over, and sends again what it keeps.
    """

    boot: int
    next_seq: int


class Lamps(NamedTuple):
    """Host: which lamps are lit and which blink, as bits by line."""

    lit: int
    blinking: int


class AskReport(NamedTuple):
    """Host: tell how you are."""


class ToRepl(NamedTuple):
    """Host: restart without the pod's program, so that files can be installed."""


class Identity(NamedTuple):
    """Pod: who it is.

    version: the one spoken from now on; 0 where pod and host have none in common. unique_id: of its chip. firmware:
    three numbers. lines: how many inputs. lamps: bits of the lines that have one. boot: drawn anew at each start.
    """

    oldest: int
    newest: int
    version: int
    unique_id: bytes
    firmware: tuple[int, int, int]
    lines: int
    lamps: int
    boot: int


class Pong(NamedTuple):
    """Pod: its clock, read between the Ping's arrival and the answer."""

    number: int
    ticks: int


class PodEdge(NamedTuple):
    """One change of a line, stamped in its interrupt."""

    line: int
    active: bool
    ticks: int


class Edges(NamedTuple):
    """Pod: edges in the order of their numbers, from `first_seq` on. overruns: edges dropped so far, ring full."""

    boot: int
    first_seq: int
    overruns: int
    edges: tuple[PodEdge, ...]


class Baseline(NamedTuple):
    """Pod: the lines' levels before edge `next_seq`; `waiting` edges from there on follow at once."""

    boot: int
    next_seq: int
    waiting: int
    active: int


class Report(NamedTuple):
    """Pod: how it is. cause: 1 power, 2 watchdog, 3 asked for, 0 unknown. resets: since power came."""

    uptime_s: int
    cause: int
    resets: int
    overruns: int
    bad_frames: int
    waiting: int


HostMessage = Hello | Ping | Ack | Heard | Lamps | AskReport | ToRepl
PodMessage = Identity | Pong | Edges | Baseline | Report

_REPL_KEY = b"REPL"
_IDENTITY = struct.Struct("<BBB8s3BBII")
_PONG = struct.Struct("<HHI")
_EDGES = struct.Struct("<IIIB")
_EDGE = struct.Struct("<BHI")
_BASELINE = struct.Struct("<IIHI")
_REPORT = struct.Struct("<IBHIHH")


def encode_message(message: HostMessage) -> bytes:
    """Give a host's message as a payload. Raises Malformed for a number that has no room."""
    try:
        match message:
            case Hello():
                return struct.pack("<BBB", 0x01, *message)
            case Ping():
                return struct.pack("<BH", 0x02, *message)
            case Ack() | Heard():
                return struct.pack("<BII", 0x03 if isinstance(message, Ack) else 0x07, *message)
            case Lamps():
                return struct.pack("<BII", 0x04, *message)
            case AskReport():
                return b"\x05"
            case ToRepl():
                return b"\x06" + _REPL_KEY
    except struct.error as error:
        raise Malformed(f"{message} does not fit into its bytes: {error}") from error


def decode_message(payload: bytes) -> PodMessage:
    """Read a pod's payload. Raises UnknownMessage for a kind that is not known, Malformed for a wrong one."""
    kind, body = payload[:1], payload[1:]
    try:
        match kind:
            case b"\x81":
                return _identity(body)
            case b"\x82":
                number, wraps, ticks = _PONG.unpack(body)
                return Pong(number, _stamp(wraps, ticks))
            case b"\x83":
                return _edges(body)
            case b"\x84":
                return Baseline(*_BASELINE.unpack(body))
            case b"\x85":
                return Report(*_REPORT.unpack(body))
    except struct.error as error:
        raise Malformed(f"message {payload.hex()} has the wrong length: {error}") from error
    raise UnknownMessage(f"message {payload.hex()} is of no kind that this version knows")


def _identity(body: bytes) -> Identity:
    oldest, newest, version, unique_id, one, two, three, lines, lamps, boot = _IDENTITY.unpack(body)
    if not 1 <= lines <= MOST_LINES:
        raise Malformed(f"a pod has 1 to {MOST_LINES} lines, not {lines}")
    return Identity(oldest, newest, version, unique_id, (one, two, three), lines, lamps, boot)


def _edges(body: bytes) -> Edges:
    boot, first_seq, overruns, count = _EDGES.unpack_from(body)
    if len(body) != _EDGES.size + count * _EDGE.size:
        raise Malformed(f"{count} edges do not take {len(body)} bytes")
    return Edges(boot, first_seq, overruns, tuple(_edge(*found) for found in _EDGE.iter_unpack(body[_EDGES.size :])))


def _edge(flags: int, wraps: int, ticks: int) -> PodEdge:
    line = flags & 0x7F
    if line >= MOST_LINES:
        raise Malformed(f"a pod has no line {line}")
    return PodEdge(line, bool(flags & 0x80), _stamp(wraps, ticks))


def _stamp(wraps: int, ticks: int) -> int:
    if ticks >> _TICKS_US_BITS:
        raise Malformed(f"ticks_us has {_TICKS_US_BITS} bits, {ticks} has more")
    return wraps << _TICKS_US_BITS | ticks
