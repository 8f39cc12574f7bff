"""The lines of the match record, version 2 (`record.md`): reading them with errors that name the fault, writing them.

Only what came from outside is in a record. Knows no game: whether a card exists, what a choice takes and what the
lines lead to are the game's.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

import msgspec

from companion.core.errors import Malformed
from companion.core.panel import Colour
from companion.core.record.dead_heats import POLICIES, Ties
from companion.core.record.faults import explain, is_rfc3339, load_strictly
from companion.core.words.encoding import encode

if TYPE_CHECKING:
    from collections.abc import Callable

RECORD_VERSION = 2
UNDRAWN = "0" * 32
"""What stands for a match's random bits, and for the seed of its lots, until the box draws them."""

Nanoseconds = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
Milliseconds = Annotated[int, msgspec.Meta(ge=0, le=3_600_000)]
MOST_ALLOWANCE_MS = 60_000
AllowanceMs = Annotated[int, msgspec.Meta(ge=0, le=MOST_ALLOWANCE_MS)]
Count = Annotated[int, msgspec.Meta(ge=0)]
Number = Annotated[int, msgspec.Meta(ge=1)]
"""Counted from 1: races, lines, rounds."""
Sha256 = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]
Seed = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{1,64}\Z")]
Key = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=\Z")]
"""32 bytes, an Ed25519 public key, in base64."""
Signature = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9+/]{85}[AQgw]==\Z")]
"""64 bytes in base64."""
if TYPE_CHECKING:
    DeadHeat = str  # a type checker cannot read the table; the decoder does
else:
    DeadHeat = Literal[tuple(POLICIES)]
"""A key of `POLICIES`."""
TimingMode = Literal["race", "untimed"]
"""Whether presses are raced, or cards are laid face down and shown together."""


class Line(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="type"):
    """One line of a record. `wall` is a remark (RFC 3339) and decides nothing."""

    wall: str | None = None


class Seat(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A player: `allowance_ms` is taken off each of the seat's times before they are compared."""

    colour: Colour
    allowance_ms: AllowanceMs = 0


class SetupFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file that a setup asked for, whole: `name` as it was called, `text` what was in it."""

    name: str
    text: str


class Anticipation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What becomes of a press made too soon after its card was turned. ms: how soon is too soon."""

    rule: Literal["flag", "punish"]
    ms: Annotated[int, msgspec.Meta(ge=1, le=1_000)]


class Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where in a larger event the match is played. sheet: the hash of the pairings as they were drawn."""

    id: str
    round: Number
    table: Number
    sheet: Sha256


class SeatConditions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a seat's buttons are read. extension_ms: how much longer the window stays open for it."""

    bounce_ms: Milliseconds
    accept_ms: Milliseconds
    repeat_ms: Milliseconds
    extension_ms: Milliseconds
    input: tuple[Literal["panel", "pod", "phone", "evdev", "keys", "scan"], ...]


class SourceConditions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where presses come from: how long they may be under way, how wrong their times may be, the certificate's hash."""

    name: str
    delay_ms: Milliseconds
    error_us: Count
    certificate: Sha256 | None = None


class Conditions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Under which conditions times were taken, so that a stranger can weigh them; decides nothing.

    software: name and version. box: its id. confirmed: who agreed to allowances and filters.
    """

    software: str
    box: str
    window_ms: Milliseconds
    late_ms: Milliseconds
    seats: dict[Colour, SeatConditions]
    settle_ms: Milliseconds
    chatter_hz: Count
    confirmed: tuple[Colour, ...]
    sources: tuple[SourceConditions, ...]


class Setup(Line, frozen=True, tag="setup"):
    """The first line: who plays, clockwise, what, by which rules and options. None where the line has no such field.

    match: 128 random bits. edition: the number of the game's rules. seed: what lots for dead heats are drawn with.
    parameters, files: all else that the game asked, by key. seed_sha256: of the seed from which the box draws what
    chance decides.
    """

    record: int
    match: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{32}\Z")]
    game: str
    edition: Number
    seats: tuple[Seat, ...]
    first: Colour
    variants: tuple[str, ...] | None = None
    dead_heat: DeadHeat = "timestamp"
    seed: Seed | None = None
    anticipation: Anticipation | None = None
    timing: TimingMode = "race"
    event: Event | None = None
    parameters: dict[str, bool | int | str] | None = None
    files: dict[str, SetupFile] | None = None
    seed_sha256: Sha256 | None = None
    conditions: Conditions | None = None

    @property
    def ties(self) -> Ties:
        """What decides dead heats."""
        return Ties(self.dead_heat, self.seed or "")


NAMES_MARK = b'"names"'
"""Stands in every `names` line, however it is written by the box; what has it may be another line."""


class Names(Line, frozen=True, tag="names"):
    """How people are called. It may be changed or taken out of a record later, and nothing rests on it."""

    names: dict[Colour, str]


class Reveal(Line, frozen=True, tag="reveal"):
    """A card now lies face up. turned: `t_ns` is when it was turned (a scanner saw it), not when it was entered."""

    card: str
    t_ns: Nanoseconds | None = None
    turned: bool | None = None


class TimedLine(Line, frozen=True, kw_only=True):
    """A choice whose instant matters to its game: subclass it with a tag, and offer it with `t_ns` None.

    The box fills in when it was made, ± `error_ns`: the instant of the press, or of the pick by knob or page. A line
    without `t_ns` (a page of another clock, a record that was written by hand) is timed by nobody.
    """

    t_ns: Nanoseconds | None = None
    error_ns: Nanoseconds = 0


class HandLine(Line, frozen=True, kw_only=True):
    """What the referee enters of a game's own: subclass it with a tag, and the account tells it in the game's words."""


class PressLine(Line, frozen=True, tag="press"):
    """A button was pressed at `t_ns` ± `error_ns`. `role` is what the game calls it; the judge knows its words."""

    colour: Colour
    role: str
    t_ns: Nanoseconds
    error_ns: Nanoseconds = 0


class Close(Line, frozen=True, tag="close"):
    """The race takes no more presses."""

    t_ns: Nanoseconds | None = None


class JudgeLine(Line, frozen=True, tag="judge"):
    """The table is as this race finds it: the order is final and the settling begins."""


class End(Line, frozen=True, tag="end"):
    """Nobody claims any more: the game is over."""


class ChanceLine(Line, frozen=True, tag="chance"):
    """A die or a draw. n: counts the standing ones of that name from 1. result: what came out; None where secret."""

    name: str
    n: Number
    by: Literal["box", "hand"]
    result: tuple[str, ...] | None = None


class Open(Line, frozen=True, tag="open"):
    """The box shows the seed that the setup committed it to."""

    seed: Seed


class ByHand(Line, frozen=True, tag="by_hand"):
    """A result entered by the referee, of what the game lists as adjustable."""

    set: str
    value: int
    reason: str
    by: str | None = None


class Remark(Line, frozen=True, tag="remark"):
    """Worth knowing later; decides nothing."""

    text: str
    source: str | None = None


class Evidence(Line, frozen=True, tag="evidence"):
    """The raw edges around race `race` are in the file of that hash; decides nothing."""

    race: Number
    sha256: Sha256
    edges: Count


class Protest(Line, frozen=True, tag="protest"):
    """A seat disputes a ruling; decides nothing by itself."""

    colour: Colour
    race: Number | None = None
    text: str | None = None


class Answer(Line, frozen=True, tag="answer"):
    """The referee's answer to the protest of line `protest`. stands: the disputed ruling does."""

    protest: Number
    text: str
    stands: bool
    by: str | None = None


class Sign(Line, frozen=True, tag="sign"):
    """A seat accepts the result."""

    colour: Colour


class Moved(Line, frozen=True, tag="moved"):
    """The match goes on on another box, with another clock. previous: the SHA-256 of all bytes before."""

    box: str
    key: Key
    previous: Sha256


class Seal(Line, frozen=True, tag="seal"):
    """The box vouches for every line before this one; decides nothing."""

    sha256: Sha256
    key: Key
    signature: Signature


class Restart(Line, frozen=True, tag="restart"):
    """A new clock begins; nothing is timed across it."""


class Undo(Line, frozen=True, tag="undo"):
    """Takes back the newest line that still stands."""

    reason: str | None = None
    by: str | None = None


NOTES: tuple[type[Line], ...] = (Names, Remark, Evidence, Protest, Answer, Sign, Moved, Seal)
"""What no `undo` takes back, beside `setup` and `undo` themselves."""
AFTER_END: tuple[type[Line], ...] = (*(note for note in NOTES if note is not Moved), PressLine, Undo)
"""What may follow an `end`."""

STANDARD_LINES: tuple[type[Line], ...] = (
    Setup, Names, Reveal, PressLine, Close, JudgeLine, End, ChanceLine, Open, ByHand, Restart, Remark, Evidence,
    Protest, Answer, Sign, Moved, Seal, Undo,
)  # fmt: skip


class MalformedLine(Malformed):
    """Line `number` (1 is the setup) of a record cannot be read; `reason` names the field and what would be right."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"line {number}: {reason}")
        self.number = number
        self.reason = reason

    def __reduce__(self) -> tuple[type[MalformedLine], tuple[int, str]]:
        return type(self), (self.number, self.reason)


LONGEST_LINE = 1 << 20
"""Bytes; a longer line is refused, so that no input can fill the memory."""

_decode_anything = msgspec.json.Decoder().decode


@cache
def _decoder(extra_lines: tuple[type[Line], ...]) -> Callable[[bytes], Line]:
    lines: Any = Union[STANDARD_LINES + extra_lines]  # noqa: UP007 - a union of types known at run time only
    return msgspec.json.Decoder(lines).decode


def parse_line(raw: bytes | str, number: int, extra_lines: tuple[type[Line], ...] = ()) -> Line:
    """Read line `number` (1 is the setup) of a record; its end-of-line characters may still be there.

    extra_lines: types that a game has beyond the standard ones.

    Raises MalformedLine for anything `record.md` does not allow: unknown and doubled fields, `null`, numbers that are
    not integers in range, text that is not UTF-8, a `wall` that is not RFC 3339. Nothing else comes out.
    """
    try:
        octets = raw.encode() if isinstance(raw, str) else raw
        if len(octets) > LONGEST_LINE:
            raise MalformedLine(number, f"longer than {LONGEST_LINE} bytes; a line is one small JSON object")
        line = _decoder(extra_lines)(octets)
        if not _is_plain(octets, line):
            _check_spelling(octets)
        if line.wall is not None:
            _check_wall(line.wall)
        if isinstance(line, Reveal) and line.turned is not None:
            _check_turned(line)
    except MalformedLine:
        raise
    except (ValueError, RecursionError) as error:
        raise MalformedLine(number, explain(raw, STANDARD_LINES + extra_lines, error)) from error
    return line


def as_names(raw: bytes) -> Names | None:
    """Read a line that says how people are called, which no hash of a record covers; None for any other."""
    if NAMES_MARK not in raw:
        return None
    try:
        line = parse_line(raw, 1)
    except MalformedLine:
        return None
    return line if isinstance(line, Names) else None


def dump_line(line: Line) -> bytes:
    """Write a line as `parse_line` reads it, without an end of line. Raises Malformed for text that is not Unicode."""
    try:
        return encode(line)
    except UnicodeEncodeError as error:
        raise Malformed(f"a text in the line cannot be written as UTF-8: {error}") from error


def _is_plain(octets: bytes, line: Line) -> bool:
    """Tell cheaply that a line the decoder accepted has no doubled field, no null and nothing nested.

    The decoder takes the last of doubled fields; as many colons as distinct fields means that there were none. False
    says nothing: `_check_spelling` then looks closely.
    """
    fields = _decode_anything(octets)
    colons = octets.count(b":") - (line.wall.count(":") if line.wall else 0)
    return len(fields) == colons and None not in fields.values() and b"\\" not in octets and b"\n" not in octets[:-1]


def _check_spelling(octets: bytes) -> None:
    """Raise ValueError for what the decoder accepts and a record does not."""
    if b"\n" in octets[:-1]:
        raise ValueError("an end of line in the middle; a record has one JSON object a line")
    load_strictly(octets.decode())


def _check_wall(wall: str) -> None:
    if not is_rfc3339(wall):
        raise ValueError(f"field `wall`: {wall!r} is no time of RFC 3339, such as 2025-03-01T19:30:00.250+01:00")


def _check_turned(line: Reveal) -> None:
    if not line.turned:
        raise ValueError("field `turned`: it is true, or left out")
    if line.t_ns is None:
        raise ValueError("field `turned`: it stands only with `t_ns`, when that was")
