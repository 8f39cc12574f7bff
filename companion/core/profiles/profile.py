"""A person's own settings as a frozen value that a box keeps, and that follows its person to another. Pure.

None, or "" of a text, always means: as the box, or the seat's settings, have it. What is left out of a file has that
meaning too, so that a profile says no more than it must. A newer version of the program writes a higher `version`: such
a profile is never read here, so that nothing of it can be lost.
"""

from __future__ import annotations

import unicodedata
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.core.people.names import tidy
from companion.core.profiles.evidence import Evidence
from companion.core.record.lines import AllowanceMs

VERSION = 1
"""Of what a profile says. It grows whenever something is added or means something else."""

PLACES = (1, 2, 3, 4)
"""A seat's four buttons, from the left."""
Place = Annotated[int, Meta(ge=1, le=4)]
CARD = r"^([A-Z2-7]{16})?\Z"
"""What names a person's card: 80 random bits, so that nobody makes one for somebody else."""

MOST_OWN_BUTTONS = 16
LONGEST_TITLE, LONGEST_WHICH = 80, 120
"""Characters of what a device calls itself, and of what tells it from others."""
Language = Annotated[str, Meta(pattern=r"^([a-z]{2,3}(_[A-Z]{2})?)?\Z")]
Signal = Literal["tones", "lamp", "motor", "phone"]
"""How a seat can be told something: its own tone, its lamp, its motor, its phone's vibration."""


class _Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a profile: read strictly, and written without what is as usual."""


class Voice(_Part, frozen=True, kw_only=True):
    """How the person is spoken to. rate: 1 is the voice's own, 0.5 half as fast. volume: percent of the box's.

    wordiness: "few" is what must be known, "full" explains.
    """

    rate: Annotated[float, Meta(ge=0.3, le=4)] | None = None
    volume: Annotated[int, Meta(ge=0, le=100)] | None = None
    wordiness: Literal["few", "usual", "full"] | None = None


class Filters(_Part, frozen=True, kw_only=True):
    """When a contact is a press, in ms: see `companion.core.timing.contacts`."""

    bounce_ms: Annotated[float, Meta(ge=0, le=50)] | None = None
    accept_ms: Annotated[float, Meta(ge=0, le=500)] | None = None
    repeat_ms: Annotated[float, Meta(ge=0, le=5000)] | None = None


class Scanning(_Part, frozen=True, kw_only=True):
    """How cards are offered to one switch, or two. dwell_s: how long each is offered. loops: how often all are.

    order: a seat's buttons in the order they are offered, by their places from the left. start: the place within that
    order where each scan begins, from 1. again: whether a card can be taken back before it is fixed.
    move: with two switches, the button that moves on.
    """

    way: Literal["automatic", "step", "inverse"] = "automatic"
    dwell_s: Annotated[float, Meta(ge=0.3, le=5)] = 1.0
    loops: Annotated[int, Meta(ge=1, le=20)] = 3
    order: tuple[Place, Place, Place, Place] = PLACES
    start: Place = 1
    again: bool = False
    move: Place = 1

    def __post_init__(self) -> None:
        """Raises ValueError where a button is offered twice, and so another never."""
        if sorted(self.order) != list(PLACES):
            raise ValueError("the order of scanning has each of the four buttons once")


class Allowance(_Part, frozen=True, kw_only=True):
    """What is taken off each of the person's times before they are compared, and what that rests on."""

    ms: AllowanceMs = 0
    evidence: Evidence | None = None


class OwnButton(_Part, frozen=True, kw_only=True):
    """An input of the person's own that is one of the seat's buttons. place: which, from the left.

    device: "panel" for a button of the seat, whose `code` is then its place; else what the device calls itself, as the
    kernel gives it, and `code` is the kernel's code of its key or button. sign: -1 and 1 for the two directions of an
    axis (a trigger, a stick, a cross), whose code it is then. which: of several devices that call themselves so, by its
    own number, or by the port where it was last; "" where nothing is known of that.
    """

    device: Annotated[str, Meta(min_length=1, max_length=LONGEST_TITLE)]
    code: Annotated[int, Meta(ge=0, le=0x2FF)]
    sign: Annotated[int, Meta(ge=-1, le=1)] = 0
    which: Annotated[str, Meta(max_length=LONGEST_WHICH)] = ""
    place: Place


class Screens(_Part, frozen=True, kw_only=True):
    """How things are shown. simple: one step at a time. large: one fact on each picture of the display.

    signals: how the person wants to be told; None: by all there is.
    """

    simple: bool = False
    large: bool = False
    signals: Annotated[tuple[Signal, ...], Meta(max_length=4)] | None = None

    def wants(self, signal: Signal) -> bool:
        """Tell whether the person wants to be told so."""
        return self.signals is None or signal in self.signals


class Profile(_Part, frozen=True, kw_only=True):
    """What belongs to one person. name: as the list of players has it; nobody has two profiles.

    language: "" for the box's. extension_s: a race stays open so much longer; None: as the seat has it. card: what the
    person's card says, "" where none was made. mapping: own buttons, of which one may stand for each place twice.
    """

    version: Annotated[int, Meta(ge=1)] = msgspec.field(default_factory=lambda: VERSION)  # so that it is written
    name: str
    language: Language = ""
    voice: Voice = Voice()
    filters: Filters = Filters()
    extension_s: Annotated[float, Meta(ge=0, le=120)] | None = None
    input: Literal["buttons", "scan"] = "buttons"
    scanning: Scanning = Scanning()
    allowance: Allowance = Allowance()
    mapping: Annotated[tuple[OwnButton, ...], Meta(max_length=MOST_OWN_BUTTONS)] = ()
    screens: Screens = Screens()
    card: Annotated[str, Meta(pattern=CARD)] = ""

    def __post_init__(self) -> None:
        """Raises Malformed where the name is none, ValueError where this version does not read the profile."""
        if tidy(self.name) != unicodedata.normalize("NFC", self.name):
            raise ValueError("field `name`: it has blanks around it, or doubled ones")
        if self.version != VERSION:
            raise ValueError(f"field `version`: {self.version}, and this program reads {VERSION}")
