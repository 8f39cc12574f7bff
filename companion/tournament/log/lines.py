"""The lines of an event's log, version 1: reading them with errors that name the fault, writing them. Pure.

Only what was decided or came from outside is in the log: who is there, what was drawn, which record became official,
what the referee said. What follows from it (points, standings, which table waits) is worked out again by whoever
reads it. `wall` is a remark on any line (RFC 3339), but for the deadlines of protests, which say theirs themselves.
"""

from __future__ import annotations

from typing import Annotated, Literal, Union

import msgspec

from companion.core.errors import Malformed
from companion.core.record.lines import Key, Number, Seed, Sha256
from companion.core.words.encoding import encode

LOG_VERSION = 1
GENESIS = "0" * 64
"""What the first line has in the place of the hash of the line before it."""
LONGEST_ENTRY = 1_000_000
"""Bytes of a line: a drawing of 4,000 players takes 30,000."""

EventId = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?\Z")]
BoxId = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?\Z")]
"""Of an event or a box: lower case letters, digits and hyphens, so that both can stand in a topic of MQTT."""
MatchId = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{32}\Z")]
Label = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
Words = Annotated[str, msgspec.Meta(max_length=500)]
Points = Annotated[int, msgspec.Meta(ge=0, le=1_000)]

TieBreak = Literal["points", "wins", "cards", "opponents", "punishments", "lots"]
"""By what players are put in order, as `tournament.md` has it; each a mean per round played."""
TIE_BREAKS: tuple[TieBreak, ...] = ("points", "wins", "cards", "opponents", "punishments", "lots")
FinalBy = Literal["signed", "deadline", "by hand"]
ClockAction = Literal["start", "pause", "resume", "stop"]


class Entry(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="type"
):
    """A line of the log. n: its number, from 1. prev: the SHA-256 of the line before it, its end of line included."""

    n: Number
    prev: Sha256
    wall: str | None = None


class EventLine(Entry, frozen=True, tag="event"):
    """The first line: what is played. seed_sha256: of the seed's text, which is published before check-in opens.

    rounds: how many are planned, None: as many as are drawn. tie_breaks: in their order, frozen from here on; "points"
    first and "lots" last. round_minutes: what the round's clock begins with, None: no clock. deadline_minutes: so long
    after its end an unsigned result may be protested, before it is final. variants, parameters: of the game's setup.
    """

    log: int
    event: EventId
    name: Label
    game: str
    seed_sha256: Sha256
    rounds: Annotated[int, msgspec.Meta(ge=1, le=99)] | None = None
    tie_breaks: tuple[TieBreak, ...] = TIE_BREAKS
    round_minutes: Annotated[int, msgspec.Meta(ge=1, le=1_000)] | None = None
    deadline_minutes: Annotated[int, msgspec.Meta(ge=0, le=1_000)] = 10
    variants: tuple[str, ...] = ()
    parameters: dict[str, bool | int | str] = {}
    dead_heat: str = "timestamp"


class PlayerLine(Entry, frozen=True, tag="player"):
    """A player is entered, at any time; who plays is who has checked in. player: numbers from 1, in order.

    fixed: the table that the player always sits at, None: any.
    """

    player: Number
    name: Label
    club: Annotated[str, msgspec.Meta(max_length=80)] = ""
    fixed: Number | None = None


class EditedLine(Entry, frozen=True, tag="edited"):
    """A player's entry is put right: all of it, as it is from now on."""

    player: Number
    name: Label
    club: Annotated[str, msgspec.Meta(max_length=80)] = ""
    fixed: Number | None = None


class ApartLine(Entry, frozen=True, tag="apart"):
    """Two players must not meet at a table; with `apart` false they may again."""

    players: tuple[Number, Number]
    apart: bool = True


class CheckInOpenedLine(Entry, frozen=True, tag="check_in_opened"):
    """From here on players check in. The seed's hash has been published by now."""


class CheckedInLine(Entry, frozen=True, tag="checked_in"):
    """A player is there, for the first time or again after a drop-out, and plays from the next drawing on."""

    player: Number


class CheckInClosedLine(Entry, frozen=True, tag="check_in_closed"):
    """Check-in is over, and the seed is known to all. Later entries go on as before."""

    seed: Seed


class DroppedLine(Entry, frozen=True, tag="dropped"):
    """A player leaves, and is in no drawing from here on."""

    player: Number


class BoxLine(Entry, frozen=True, tag="box"):
    """A box takes part, by the key whose hash its display showed. Again with the same name: by another key."""

    box: BoxId
    key: Key


class BoxOutLine(Entry, frozen=True, tag="box_out"):
    """A box takes part no more; what it sealed up to here stays."""

    box: BoxId
    reason: Words = ""


class TableDrawn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a drawing. players: by number, clockwise, the first begins."""

    table: Number
    players: tuple[Number, ...]


class DrawnLine(Entry, frozen=True, tag="drawn"):
    """A round is drawn from the log so far. sheet: the SHA-256 of the pairings as printed (`log.sheet`)."""

    round: Number
    tables: tuple[TableDrawn, ...]
    sheet: Sha256
    byes: tuple[Number, ...] = ()


class RedrawnLine(Entry, frozen=True, tag="redrawn"):
    """A drawing is changed by hand before its round begins. meetings, spread, seats: by how much each aim is worse."""

    round: Number
    tables: tuple[TableDrawn, ...]
    sheet: Sha256
    reason: Words
    by: Label
    meetings: int
    spread: int
    seats: int
    byes: tuple[Number, ...] = ()


class AssignedLine(Entry, frozen=True, tag="assigned"):
    """A table of a round is played on a box from here on, be it the first or a replacement."""

    round: Number
    table: Number
    box: BoxId


class RecordLine(Entry, frozen=True, tag="record"):
    """A table's record as sealed so far is official. lines: those up to the last seal, and it; sha256: of them, each
    with its end of line, `names` lines left out. Another of the same table takes its place: a longer one, or on another
    box.
    """

    round: Number
    table: Number
    box: BoxId
    match: MatchId
    lines: Number
    sha256: Sha256


class ProtestLine(Entry, frozen=True, tag="protest"):
    """A protest is in a table's record, in line `line`: its result waits."""

    round: Number
    table: Number
    match: MatchId
    line: Number


class AnswerLine(Entry, frozen=True, tag="answer"):
    """The referee's answer to a protest. stands: whether the disputed ruling does. until: wall time, no further protest
    about it is heard after that."""

    round: Number
    table: Number
    match: MatchId
    line: Number
    text: Words
    by: Label
    stands: bool
    until: str | None = None


class FinalLine(Entry, frozen=True, tag="final"):
    """A table's result is final, and changes no more but by hand."""

    round: Number
    table: Number
    why: FinalBy


class PlaceByHand(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where a player came at a table. rank: 1 for the best, equal for those who tied. cards: None where not counted."""

    player: Number
    rank: Annotated[int, msgspec.Meta(ge=1, le=5)]
    cards: Annotated[int, msgspec.Meta(ge=0, le=1_000)] | None = None


class ByHandLine(Entry, frozen=True, tag="by_hand"):
    """A table's result is entered by hand, and marked so; it takes the place of any other, and is final."""

    round: Number
    table: Number
    places: tuple[PlaceByHand, ...]
    reason: Words
    by: Label


class PointsLine(Entry, frozen=True, tag="points"):
    """The organiser gives a player's points of a round, in the place of those that the result gives."""

    round: Number
    player: Number
    points: Points
    reason: Words
    by: Label


class ClockLine(Entry, frozen=True, tag="clock"):
    """The round's clock is started, paused, … left_s: how much of it is left at that moment."""

    round: Number
    action: ClockAction
    left_s: Annotated[int, msgspec.Meta(ge=0, le=100_000)]


class AnnouncedLine(Entry, frozen=True, tag="announced"):
    """Something is said to all displays."""

    text: Words
    by: Label


class EndedLine(Entry, frozen=True, tag="ended"):
    """The event is over: nothing follows."""


AnyEntry = Union[  # noqa: UP007 - msgspec reads it at run time
    EventLine, PlayerLine, EditedLine, ApartLine, CheckInOpenedLine, CheckedInLine, CheckInClosedLine, DroppedLine,
    BoxLine, BoxOutLine, DrawnLine, RedrawnLine, AssignedLine, RecordLine, ProtestLine, AnswerLine, FinalLine,
    ByHandLine, PointsLine, ClockLine, AnnouncedLine, EndedLine,
]  # fmt: skip
_decode = msgspec.json.Decoder(AnyEntry).decode


class MalformedEntry(Malformed):
    """A line of a log cannot be read. number: counted from 1; reason: without it."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"line {number} of the log: {reason}")
        self.number, self.reason = number, reason


def parse_entry(raw: bytes, number: int) -> AnyEntry:
    """Read a line, without its end of line. number: where it stands, for the error. Raises MalformedEntry."""
    if len(raw) > LONGEST_ENTRY:
        raise MalformedEntry(number, f"longer than {LONGEST_ENTRY} bytes")
    try:
        entry: AnyEntry = _decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MalformedEntry(number, str(error)) from error
    return entry


def write_entry(entry: AnyEntry) -> bytes:
    """Give a line as it is stored, without its end of line."""
    return encode(entry)
