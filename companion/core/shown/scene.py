"""What there is to show: the session's state as plain values, for any display. Knows no pixel and no device.

A `Scene` is complete: a display that missed the ones before loses nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from companion.core.panel import POSITIONS

if TYPE_CHECKING:
    from companion.core.panel import Colour
    from companion.core.ruling.game import View


@dataclass(frozen=True, slots=True)
class MenuItem:
    """A line of a menu: what it is, its present value ("on", "3.0 s", empty: none), the arcade button that picks it.

    role: what the game calls that button, where it is one of the deciding player's own four.
    button: what the game calls it ("green warrior"), where it may be anybody's.
    """

    label: str
    value: str = ""
    role: str | None = None
    button: str | None = None


@dataclass(frozen=True, slots=True)
class Menu:
    """A list the knob moves through (turn) and picks from (push). `cursor` is an index into `items`."""

    title: str
    items: tuple[MenuItem, ...]
    cursor: int = 0


class Status(Enum):
    """How far a race's order can be relied on."""

    PROVISIONAL = "provisional"  # presses are still being collected
    CLOSED = "closed"  # no more presses; the card is not known yet
    SAVING = "saving"  # judged, and not yet durably recorded
    FINAL = "final"
    NOT_RECORDED = "not recorded"  # judged; the journal cannot store it


@dataclass(frozen=True, slots=True)
class Row:
    """A place in a race. `gap_ns` is behind place 1; `error_ns` the half-width of the gap's uncertainty to the
    neighbour it is in a dead heat with (to place 1 where it is in none). `verdict` None while provisional.
    `role`: what the game calls the button."""

    place: int
    colour: Colour
    role: str
    gap_ns: int
    error_ns: int
    dead_heat: bool = False
    verdict: str | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """What became of one player in the settling. `cards` in the order they go onto the pile (or come off it)."""

    colour: Colour
    role: str
    result: str
    why: str | None = None
    take: str | None = None
    cards: tuple[str, ...] = ()
    tribute: tuple[tuple[Colour, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Lobby:
    """Before a match: players take seats (clockwise, in the order they pressed), the knob picks settings and starts."""

    seats: tuple[Colour, ...]
    menu: Menu


@dataclass(frozen=True, slots=True)
class Idle:
    """Between races. `menu` is open while the knob is being turned; `held` while it is held down.

    `recent`: the newest thing that happened, for people ("revealed: red hunter"), empty where nothing did.
    """

    game_title: str
    view: View
    recent: str = ""
    menu: Menu | None = None
    held: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """A race, by the game's name for it: its rows in order; `menu` asks for the card or offers to close.

    `late`: presses after the close. `closes_at_ns`: when the collecting window ends, None where it does not by itself.
    """

    number: int
    rows: tuple[Row, ...]
    status: Status
    late: tuple[tuple[Colour, str], ...] = ()
    closes_at_ns: int | None = None
    menu: Menu | None = None
    race_name: str = "Race"


@dataclass(frozen=True, slots=True)
class Choosing:
    """`seat` must choose (None: the referee). `page` counts the levels: 0 the kind of claim, 1 its detail."""

    number: int
    seat: Colour | None
    menu: Menu
    page: int = 0
    race_name: str = "Race"


@dataclass(frozen=True, slots=True)
class Results:
    """A settled race. `focus`: -1 shows the whole order, 0… the turn of that index, spelled out card by card."""

    number: int
    rows: tuple[Row, ...]
    turns: tuple[Turn, ...]
    status: Status
    view: View
    focus: int = -1
    race_name: str = "Race"


@dataclass(frozen=True, slots=True)
class Question:
    """The box asks something (resume? take this back?): `lines` say what about, the menu holds the answers."""

    title: str
    lines: tuple[str, ...]
    menu: Menu


@dataclass(frozen=True, slots=True)
class Final:
    """The match has ended. `leaders` share the victory where there are several."""

    game_title: str
    view: View
    leaders: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class Invitation:
    """Before a match: where others can look on, and the referee's PIN; until a button or the knob is touched."""

    url: str
    pin: str


Body = Lobby | Idle | Standing | Choosing | Results | Question | Final | Invitation


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything there is to show.

    alarms: faults that still hold, newest first, each at most one sentence ("gpiod lost 3 edges").
    notice: a short message about the last input ("refused: no third red chief"), empty where there is none.
    recorded: False while the journal cannot store; displays say "not recorded".
    roles: what the game calls the four buttons of a seat, from the first.
    """

    body: Body
    alarms: tuple[str, ...] = ()
    notice: str = ""
    recorded: bool = True
    roles: tuple[str, ...] = POSITIONS
