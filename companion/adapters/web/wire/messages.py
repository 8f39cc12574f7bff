"""What goes over the wire beyond the commands of the core: bodies and answers of the API, messages of the WebSocket.

All are read strictly: an unknown field is an error that names it. Knows no server.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from companion.core.match.effects import Tone
from companion.core.panel import Colour
from companion.core.play.commands import Name, Text
from companion.core.play.scanning import LONGEST_CODE
from companion.core.record.lines import SetupFile

LARGEST_BODY = 64 * 1024
"""Bytes of a request's body."""
LARGEST_MESSAGE = 4 * 1024
"""Bytes of a WebSocket message to the box."""

Micros = Annotated[int, Meta(ge=0, le=2**53)]
Number = Annotated[int, Meta(ge=1, le=2**53)]
ButtonName = Annotated[str, Meta(max_length=40)]
Pin = Annotated[str, Meta(pattern=r"^[0-9]{4,12}$")]
By = Literal["touch", "mouse", "key"]
Code = Annotated[str, Meta(min_length=1, max_length=LONGEST_CODE, pattern="^[ -~]+$")]
AgeMs = Annotated[int, Meta(ge=0, le=60_000)]


class Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The JSON body of a request."""


class Empty(Body, frozen=True):
    """`{}`; no body at all is the same."""


class Work(Body, frozen=True):
    """The number that solves a puzzle of `/api/session/puzzle`."""

    puzzle: Annotated[str, Meta(max_length=128)]
    number: Annotated[int, Meta(ge=0, le=2**53)]


class LogIn(Body, frozen=True):
    """The PIN as it was typed."""

    pin: Annotated[str, Meta(max_length=64)]
    work: Work | None = None


class LogInByCode(Body, frozen=True):
    """The code that the box's display shows, and the ticket of the page that asked for it."""

    ticket: Annotated[str, Meta(max_length=64)]
    code: Annotated[str, Meta(max_length=32)]


class NewPin(Body, frozen=True):
    """4 to 12 digits."""

    pin: Pin


class GrantSeat(Body, frozen=True):
    """The seat a phone plays for, null for none."""

    seat: Colour | None


class TriedGame(Body, frozen=True):
    """What is tried out: None for the game that is set. files: what it asks for, whole."""

    game: Name | None = None
    files: Annotated[dict[str, SetupFile], Meta(max_length=10)] = msgspec.field(default_factory=dict)


class TriedCard(Body, frozen=True):
    """The card that lies face up, as the record names it."""

    card: Name


class GrantAll(Body, frozen=True):
    """The codes of the phones that the referee sees asking: each gets the seat it asks for."""

    codes: Annotated[tuple[Annotated[str, Meta(max_length=8)], ...], Meta(min_length=1, max_length=64)]


class Door(Body, frozen=True):
    """Whether new panels are let in."""

    open: bool


class ScannedCode(Body, frozen=True):
    """A code that the camera of a referee's page has read. age_ms: for how long its picture is old."""

    code: Code
    age_ms: AgeMs


class NextStep(Body, frozen=True):
    """A choice of many fields (`kind`, `seat`: which offer), and the values chosen so far."""

    kind: Name
    seat: Colour | None
    chosen: Annotated[tuple[Name, ...], Meta(max_length=50)] = ()


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """code: one of the table in `README.md`; message: a sentence for people."""

    code: str
    message: str


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """Every refusal of the API."""

    error: Problem


class Who(msgspec.Struct, frozen=True, kw_only=True):
    """What the caller may do here."""

    referee: bool
    simulated: bool
    version: str


class Puzzle(msgspec.Struct, frozen=True, kw_only=True):
    """Work that the next try of a PIN must bring; bits 0: none."""

    puzzle: str
    bits: int


class CodeTicket(msgspec.Struct, frozen=True, kw_only=True):
    """A code is shown on the box's display for so long; only this ticket's owner may give it."""

    ticket: str
    seconds: int


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """How others reach this box. trust: where a phone learns to trust encrypted pages, None where they are not."""

    urls: tuple[str, ...]
    lan: bool
    trust: str | None = None


class DoneAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A command was carried out; `seq` is that of the newest event."""

    ok: bool
    seq: int
    says: str = ""
    preview: Any = None


# -- to the box --------------------------------------------------------------------------------------------------------


class ToBox(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """A WebSocket message to the box."""


class Ping(ToBox, frozen=True, tag="ping"):
    """Answered by a pong."""


class Watch(ToBox, frozen=True, tag="watch"):
    """Begin or stop to send the OLED's picture."""

    oled: bool


class JoinPanel(ToBox, frozen=True, tag="panel"):
    """Be a panel. client: the secret of an earlier connection. asks: the seat a phone would like to play."""

    client: Annotated[str, Meta(max_length=64)] | None = None
    asks: Colour | None = None


class SyncAnswer(ToBox, frozen=True, tag="sync"):
    """The client's clock, read when `sync` number `id` arrived."""

    id: Number
    t_us: Micros


class TriedMessage(ToBox, frozen=True, tag="tried"):
    """What a page has found out of its device. step_us: of its clock. touch_us: how often its screen is looked at."""

    step_us: Annotated[int, Meta(ge=1, le=10_000_000)]
    touch_us: Annotated[int, Meta(ge=1, le=10_000_000)] | None = None


class PressMessage(ToBox, frozen=True, tag="press"):
    """A button went down at `t_us` of the client's clock; `n` counts the client's inputs from 1."""

    n: Number
    button: ButtonName
    t_us: Micros
    by: By = "touch"


class ReleaseMessage(ToBox, frozen=True, tag="release"):
    """A button went up. seen: a hand let it go; False where the browser took the finger or the key away."""

    n: Number
    button: ButtonName
    t_us: Micros
    by: By = "touch"
    seen: bool = True


class TurnMessage(ToBox, frozen=True, tag="turn"):
    """The knob was turned by `steps` detents, clockwise positive."""

    n: Number
    steps: Annotated[int, Meta(ge=-50, le=50)]
    t_us: Micros
    by: By = "touch"


class ProtestMessage(ToBox, frozen=True, tag="protest"):
    """The seat that this panel plays disputes a race: the newest that is judged, where none is named."""

    race: Number | None = None
    text: Text | None = None


class CardMessage(ToBox, frozen=True, tag="card"):
    """The seat that this panel plays has turned this card up: it must be its turn."""

    card: Name


class Tap(ToBox, frozen=True, kw_only=True):
    """A choice made at `t_us` of the client's clock; without it, it counts from its arrival."""

    t_us: Micros | None = None
    by: By = "touch"


class ChooseMessage(Tap, frozen=True, kw_only=True, tag="choose"):
    """The seat that this panel plays chooses: the option with that key, of an offer of that kind."""

    kind: Name
    option: Text


class PickMessage(Tap, frozen=True, kw_only=True, tag="pick"):
    """The seat that this panel plays picks item `item` of the `options` of `me`; `label`: what it says there."""

    item: Annotated[int, Meta(ge=0, le=1000)]
    label: Text


class ScanMessage(ToBox, frozen=True, tag="scan"):
    """The camera of this panel, which plays a seat, has read a code. age_ms: for how long its picture is old."""

    code: Code
    age_ms: AgeMs


class SitMessage(ToBox, frozen=True, tag="sit"):
    """Whoever holds this card plays the seat that this panel plays, by the profile that it names."""

    card: Annotated[str, Meta(max_length=40)]


class LeaveMessage(ToBox, frozen=True, tag="leave"):
    """The seat that this panel plays, or asks for, is free again."""


class SignMessage(ToBox, frozen=True, tag="sign"):
    """The seat that this panel plays accepts the result."""


class NoneMessage(ToBox, frozen=True, tag="none"):
    """The seat that this panel plays plays no card this time, in an untimed match."""


AnyToBox = Ping | Watch | JoinPanel | SyncAnswer | PressMessage | ReleaseMessage | TurnMessage
AnyToBox |= ProtestMessage | SignMessage | TriedMessage | ChooseMessage | PickMessage | CardMessage | LeaveMessage
AnyToBox |= SitMessage | NoneMessage | ScanMessage


# -- from the box ------------------------------------------------------------------------------------------------------


class FromBox(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """A WebSocket message from the box."""


class Hello(FromBox, frozen=True, tag="hello"):
    """The first message. resumed: the events since the client's `since` follow."""

    box: str
    seq: int
    resumed: bool
    referee: bool
    simulated: bool


class RightsMessage(FromBox, frozen=True, tag="rights"):
    """What hello said of the referee is so no longer: the session has ended."""

    referee: bool


class StateMessage(FromBox, frozen=True, tag="state"):
    """The whole state document (`companion.screens.web.state`)."""

    state: msgspec.Raw


class EventMessage(FromBox, frozen=True, tag="event"):
    """A new line of the record, with what the box rules on it."""

    seq: int
    match: int | None
    line: int
    content: Any
    rulings: tuple[Any, ...]
    says: tuple[str, ...]


class OledMessage(FromBox, frozen=True, tag="oled"):
    """The OLED's picture: rows of whole bytes, the highest bit leftmost, in base64."""

    width: int
    height: int
    bits: str


class SoundMessage(FromBox, frozen=True, tag="sound"):
    """A tone, to panels. seats: whom it is about, [] for nobody. follows: it waits for the one that sounds."""

    tone: Tone
    seats: tuple[Colour, ...]
    follows: bool


class Sync(FromBox, frozen=True, tag="sync"):
    """To be answered at once with the same id."""

    id: int


class PanelMessage(FromBox, frozen=True, tag="panel"):
    """What a panel is and may do. error_ms: None while its clock is not mapped. next: the smallest number to use.

    step_ms: how finely its clock is told, as the box has seen. touch_ms: how often its screen is looked at, None where
    it has not been tried.
    """

    client: str
    code: str
    buttons: tuple[str, ...]
    seat: Colour | None
    asks: Colour | None
    error_ms: float | None
    delay_ms: int
    ready: bool
    next: int
    step_ms: float
    touch_ms: float | None


class SecretMessage(FromBox, frozen=True, tag="secret"):
    """To the one panel that plays `seat`: its private choices, each with what its buttons pick. None: no more."""

    seat: Colour | None
    choices: tuple[Any, ...]


class SwitchMessage(FromBox, frozen=True, tag="switch"):
    """To the one panel that plays `seat`, which scans by a switch: what it is offered. seat None: it plays by buttons.

    picks: the button that its switch stands for. moves: of a second one, which moves on; None: there is one alone.
    number: the place of what is offered among `of`, from 1; 0: nothing is. picked: a press takes it back.
    """

    seat: Colour | None = None
    picks: str = ""
    moves: str | None = None
    title: str = ""
    number: int = 0
    of: int = 0
    says: str = ""
    picked: bool = False


class WishesMessage(FromBox, frozen=True, tag="wishes"):
    """To the one panel that plays `seat`: how whoever sits there by a profile of their own wants it. None: nobody does.

    language: a code that the box speaks, "" for the page's. trembles, sounds: whether they want to be told so. rate: of
    a voice, 1 its own; volume: 0 to 1; None for as the browser has them.
    """

    seat: Colour | None = None
    language: str = ""
    simple: bool = False
    large: bool = False
    trembles: bool = True
    sounds: bool = True
    rate: float | None = None
    volume: float | None = None


class MeMessage(FromBox, frozen=True, tag="me"):
    """To one panel alone: all that a player's page says to whoever sits there (`companion.screens.web.player`)."""

    seat: Colour | None
    mood: str
    sign: str | None
    headline: str
    detail: str
    pile: str | None
    buttons: tuple[Any, ...]
    options: tuple[Any, ...]
    enters: bool
    in_hand: tuple[Any, ...]
    press: Any
    colours: tuple[Any, ...]


class Pressed(FromBox, frozen=True, tag="pressed"):
    """Answers an input. error_ms: the half-width of its time's uncertainty, None where it was not taken.

    arrival: why it counts from its arrival, None where its own stamp is taken.
    """

    n: int
    taken: bool
    error_ms: float | None = None
    why: str | None = None
    arrival: str | None = None


class NotedMessage(FromBox, frozen=True, tag="noted"):
    """Answers a protest, a signature or a choice: what was done. One that cannot be is answered by an error."""

    says: str


class Pong(FromBox, frozen=True, tag="pong"):
    """Answers a ping."""


class ErrorMessage(FromBox, frozen=True, tag="error"):
    """The message before was no good; it changed nothing."""

    code: str
    message: str


AnyFromBox = Hello | StateMessage | EventMessage | OledMessage | SoundMessage | Sync | PanelMessage | Pressed | Pong
AnyFromBox |= SecretMessage | SwitchMessage | NotedMessage | ErrorMessage | RightsMessage | MeMessage
AnyFromBox |= WishesMessage
