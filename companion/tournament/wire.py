"""What box and desk say to each other: topics of MQTT and their payloads. Pure: bytes in, messages out, and back.

Topics are `companion/1/EVENT/BOX/…`. What a box says lies under `up/`, what it is told under `down/`, and its standing,
which is retained for whoever comes later, at `state`. Nothing rests on retained messages or last wills: after each
connection the desk asks, and a box answers with `Here`. A record line travels alone, as it is stored, by QoS 1: its
match and number are in the topic, so that one that comes twice is known.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Union

import msgspec

from companion.core.errors import Malformed
from companion.core.record.lines import LONGEST_LINE, Count, Key, Number, Sha256, as_names
from companion.core.words.encoding import encode
from companion.tournament.log.lines import BoxId, EventId, Label, MatchId, Words

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = "companion/1"
QOS = 1
"""At least once: what comes twice is known by its number."""
LONGEST_MESSAGE = 4 * LONGEST_LINE
"""Bytes of a payload: a table with its players, or a part of a record that is moved."""


class Message(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="type"
):
    """A message; the type says which."""


# From box to desk -----------------------------------------------------------------------------------------------------


class Held(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match of this event that a box holds: how many lines, and how many of them the desk has acknowledged."""

    match: MatchId
    lines: Count
    acknowledged: Count


class Here(Message, frozen=True, tag="here"):
    """A box says how it stands: after each connection, and whenever it is asked.

    key: its public key. round, table: what it was last told to play, None: nothing yet. matches: of this event.
    """

    key: Key
    software: str
    round: Number | None = None
    table: Number | None = None
    matches: tuple[Held, ...] = ()


class ShownPlace(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A place in a race. seat: 0 for the first. gap_ns: behind place 1; error_ns: how far that may be off, ±."""

    seat: Annotated[int, msgspec.Meta(ge=0, le=4)]
    place: Number
    gap_ns: int
    error_ns: Count
    is_tied: bool = False
    is_punished: bool = False


class ShownRace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A race as everybody at the table may see it. places: in their order; none while they are hidden."""

    number: Count
    is_final: bool
    places: tuple[ShownPlace, ...]


class Shown(Message, frozen=True, tag="shown"):
    """What a box shows of its match, for the live tables; decides nothing. rows: as a person reads them at the box.

    race: the one that it shows, None where it shows something else. scores: by seat, () where it shows none.
    """

    match: MatchId
    lines: Count
    rows: tuple[str, ...]
    is_over: bool = False
    race: ShownRace | None = None
    scores: tuple[int, ...] = ()


class State(Message, frozen=True, tag="state"):
    """Retained: whether a box is there, and what it plays. The last will says `is_there` false."""

    is_there: bool
    match: MatchId | None = None
    round: Number | None = None
    table: Number | None = None


class RecordPart(NamedTuple):
    """A line of a record as it arrived. number: from 1. raw: without its end of line."""

    match: str
    number: int
    raw: bytes


# From desk to box -----------------------------------------------------------------------------------------------------


class Ask(Message, frozen=True, tag="ask"):
    """How do you stand? Answered by `Here`."""


class Welcome(Message, frozen=True, tag="welcome"):
    """The box is enrolled, by the key that it said. event: its name for people."""

    name: Label


class NotEnrolled(Message, frozen=True, tag="not_enrolled"):
    """The desk does not know this box's key: it has to be enrolled. why: as a person is told."""

    why: Words


class Have(Message, frozen=True, tag="have"):
    """The desk has the first `lines` lines of a match, safely; what follows is wanted.

    sha256: of those lines, each with its end of line, `names` lines left out: a box that has others there says so, and
    sends nothing over it.
    """

    match: MatchId
    lines: Count
    sha256: Sha256


class SeatAt(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who sits at a table, in the order of the seats. player: the number at the event."""

    player: Number
    name: Label


class Sit(Message, frozen=True, tag="sit"):
    """A table to play: what the box's setup begins with. sheet: of the drawing. seats: clockwise, the first begins."""

    round: Number
    table: Number
    sheet: Sha256
    game: str
    seats: tuple[SeatAt, ...]
    variants: tuple[str, ...] = ()
    parameters: dict[str, bool | int | str] = {}
    dead_heat: str = "timestamp"


class TakeOver(Message, frozen=True, tag="take_over"):
    """A match that goes on on this box: its record from line `first` on, of `total` lines in all, in parts.

    lines: as text, without ends of line. It is whole when all lines are there; then the box offers to resume it.
    """

    match: MatchId
    round: Number
    table: Number
    first: Number
    total: Number
    lines: tuple[str, ...]


class Withdraw(Message, frozen=True, tag="withdraw"):
    """The table of the round is not this box's any more: another goes on with it."""

    round: Number
    table: Number
    reason: Words = ""


class Say(Message, frozen=True, tag="say"):
    """Announced to all: `number` counts announcements of the event, so that one that comes twice is said once."""

    number: Number
    text: Words


class Clock(Message, frozen=True, tag="clock"):
    """The round's clock: so much is left at this moment. is_running: it goes down from here on."""

    round: Number
    left_ms: Annotated[int, msgspec.Meta(ge=0)]
    is_running: bool


class Answered(Message, frozen=True, tag="answered"):
    """The referee's answer to the protest in line `protest` of a match; the box writes it into its record."""

    match: MatchId
    protest: Number
    text: Words
    by: Label
    stands: bool


class Finally(Message, frozen=True, tag="finally"):
    """The table's result is final. why: as in the log."""

    match: MatchId
    round: Number
    table: Number
    why: Literal["signed", "deadline", "by hand"]


FromBox = Union[Here, Shown, State]  # noqa: UP007 - msgspec reads it at run time
ToBox = Union[Ask, Welcome, NotEnrolled, Have, Sit, TakeOver, Withdraw, Say, Clock, Answered, Finally]  # noqa: UP007
_from_box = msgspec.json.Decoder(FromBox).decode
_to_box = msgspec.json.Decoder(ToBox).decode

# Topics ---------------------------------------------------------------------------------------------------------------


def line_topic(event: str, box: str, match: str, number: int) -> str:
    """Give where line `number` of a match is sent."""
    return f"{ROOT}/{event}/{box}/up/line/{match}/{number}"


def up_topic(event: str, box: str) -> str:
    """Give where a box says `Here` and `Shown`."""
    return f"{ROOT}/{event}/{box}/up/say"


def state_topic(event: str, box: str) -> str:
    """Give where a box's retained state, and its last will, are."""
    return f"{ROOT}/{event}/{box}/up/state"


def down_topic(event: str, box: str) -> str:
    """Give where a box is told something."""
    return f"{ROOT}/{event}/{box}/down"


def all_up(event: str) -> str:
    """Give what the desk subscribes to: everything that any box says."""
    return f"{ROOT}/{event}/+/up/#"


_UP = re.compile(rf"{ROOT}/(?P<event>[^/]+)/(?P<box>[^/]+)/up/(?P<rest>.+)\Z")
_LINE = re.compile(r"line/(?P<match>[0-9a-f]{32})/(?P<number>[1-9][0-9]{0,6})\Z")


class Up(NamedTuple):
    """Something that came from the topic of a box."""

    event: str
    box: str
    message: Here | Shown | State | RecordPart


class MalformedMessage(Malformed):
    """A message cannot be read: at which topic, and why."""

    def __init__(self, topic: str, reason: str) -> None:
        super().__init__(f"{topic}: {reason}")
        self.topic, self.reason = topic, reason


def read_up(topic: str, payload: bytes) -> Up:
    """Read what came from a box. Raises MalformedMessage."""
    found = _UP.match(topic)
    if found is None:
        raise MalformedMessage(topic, "no topic of a box")
    event, box, rest = found["event"], found["box"], found["rest"]
    line = _LINE.match(rest)
    if line is not None:
        if len(payload) > LONGEST_LINE or b"\n" in payload:
            raise MalformedMessage(topic, "this is no single line of a record")
        return Up(event, box, RecordPart(line["match"], int(line["number"]), payload))
    if rest not in {"say", "state"}:
        raise MalformedMessage(topic, "nothing of a box is sent there")
    return Up(event, box, _decoded(topic, payload, _from_box))


def read_down(topic: str, payload: bytes) -> ToBox:
    """Read what a box was told. Raises MalformedMessage."""
    message: ToBox = _decoded(topic, payload, _to_box)
    return message


def _decoded(topic: str, payload: bytes, decode: Callable[[bytes], Any]) -> Any:
    if len(payload) > LONGEST_MESSAGE:
        raise MalformedMessage(topic, f"longer than {LONGEST_MESSAGE} bytes")
    try:
        return decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MalformedMessage(topic, str(error)) from error


def write_message(message: FromBox | ToBox) -> bytes:
    """Give a message's payload."""
    return encode(message)


def is_same(stored: bytes, again: bytes) -> bool:
    """Tell whether a record's line that comes again is the one that is stored; people may be called otherwise now."""
    return stored == again or (as_names(stored) is not None and as_names(again) is not None)


def names_of(event: str, box: str) -> None:
    """See that both can stand in a topic. Raises Malformed."""
    for value, kind, what in ((event, EventId, "an event"), (box, BoxId, "a box")):
        try:
            msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            raise Malformed(f"{value!r} cannot name {what}: 1 to 32 lower case letters, digits and hyphens") from error
