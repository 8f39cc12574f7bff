"""What there is to show: the session's state as plain values, for any display. Knows no pixel and no device.

A `Scene` is complete: a display that missed the ones before loses nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from companion.core.panel import POSITIONS
from companion.core.ruling.looks import PLAIN, Look
from companion.core.shown.calibrating import Calibrating
from companion.core.words.texts import joined, text

if TYPE_CHECKING:
    from companion.core.panel import Colour
    from companion.core.ruling.view import View


@dataclass(frozen=True, slots=True)
class MenuItem:
    """A line of a menu: what it is, its present value ("on", "3.0 s", empty: none), the arcade button that picks it.

    role: what the game calls that button, where it is one of the deciding player's own four.
    button: what the game calls it ("green ace"), where it may be anybody's.
    """

    label: str
    value: str = ""
    role: str | None = None
    button: str | None = None

    @property
    def says(self) -> str:
        """Give what it is with its value: all that it says."""
        return joined(filter(None, (self.label, self.value)), " ")


MORE = MenuItem(text("more …"))
"""The knob's last item while something must be chosen: it leads to all else that can be done. No button picks it."""


@dataclass(frozen=True, slots=True)
class Menu:
    """A list the knob moves through (turn) and picks from (push). `cursor` is an index into `items`.

    seat: to which the item under the cursor is offered by switch scanning, so that a press of it picks that; None: it
    is the knob's alone.
    """

    title: str
    items: tuple[MenuItem, ...]
    cursor: int = 0
    seat: Colour | None = None


class Status(Enum):
    """How far a race's order can be relied on."""

    PROVISIONAL = "provisional"  # presses are still being collected
    CLOSED = "closed"  # no more presses; the card is not known yet
    SAVING = "saving"  # judged, and not yet durably recorded
    FINAL = "final"
    NOT_RECORDED = "not recorded"  # judged; the journal cannot store it


@dataclass(frozen=True, slots=True)
class Allowance:
    """What has put a seat ahead of one that pressed earlier.

    off_ns: taken off its time. raw_ns: behind the race's earliest press, by the times themselves. since_card_ns: from
    the card to the press, None where that is not known.
    """

    off_ns: int
    raw_ns: int
    since_card_ns: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A place in a race.

    gap_ns: behind place 1. error_ns: the half-width of the gap's uncertainty to the neighbour it is in a dead heat with
    (to place 1 where it is in none). tied_with: see the record. verdict, why: None while provisional; `why_says` and
    `why_brief` are the reason in words, empty where there is none. role: what the game calls the button. allowance: the
    one that has moved this place, None where none has. anticipated: it was made before anybody can have seen its card.
    """

    place: int
    colour: Colour
    role: str
    gap_ns: int
    error_ns: int
    dead_heat: bool = False
    verdict: str | None = None
    why: str | None = None
    tied_with: tuple[Colour, ...] = ()
    why_says: str = ""
    why_brief: str = ""
    allowance: Allowance | None = None
    anticipated: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """What became of one player in the settling.

    cards: in the order they go onto the pile, or come off it. note: what else came of it, in a few words.
    """

    colour: Colour
    role: str
    result: str
    why_says: str = ""
    cards: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Lobby:
    """Before a match: players take seats (clockwise, in the order they pressed), the knob picks settings and starts.

    remark: what everybody should know of the box before they play ("not certified"), empty where there is nothing.
    """

    seats: tuple[Colour, ...]
    menu: Menu
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Idle:
    """Between races. `menu` is open while the knob is being turned; `held` while it is held down.

    `recent`: the newest thing that happened, for people ("revealed: red ace"), empty where nothing did. `hint`:
    how a button names a card, while the knob is held.
    """

    game_title: str
    view: View
    recent: str = ""
    menu: Menu | None = None
    held: bool = False
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """A race, by the game's name for it: its rows in order; `menu` asks for the card or offers to close.

    `late`: presses after the close. `closes_at_ns`: when the collecting window ends, None where it does not by itself.
    unsettled: seats that touch a button, and whose contact may become a press yet. made, hidden_for: where the order is
    not to be seen yet, there are no rows; who has made a press, in seat order, and for whose press it waits. without,
    is_untimed: cards lie face down (`made`) until all are shown, and who plays none. disputed: by whose protests.
    """

    number: int
    rows: tuple[Row, ...]
    status: Status
    late: tuple[tuple[Colour, str], ...] = ()
    closes_at_ns: int | None = None
    menu: Menu | None = None
    race_name: str = "Race"
    unsettled: tuple[Colour, ...] = ()
    made: tuple[Colour, ...] = ()
    hidden_for: tuple[Colour, ...] = ()
    without: tuple[Colour, ...] | None = None
    disputed: tuple[Colour, ...] = ()


@dataclass(frozen=True, slots=True)
class Choosing:
    """`seat` chooses (None: the referee).

    number: of the race that led to it, None where none did. page: 0 where the choice begins, 1 within it. race_name:
    what a race is called, or the game. hint: how a button names an option. is_private: the items say only which button
    they are on. others: further seats that must choose now. more: the knob is on `MORE`, past what can be chosen.
    """

    number: int | None
    seat: Colour | None
    menu: Menu
    page: int = 0
    race_name: str = "Race"
    hint: str = ""
    is_private: bool = False
    others: tuple[Colour, ...] = ()
    more: bool = False


@dataclass(frozen=True, slots=True)
class Results:
    """A settled race. `focus`: -1 shows the whole order, 0… the turn of that index, spelled out card by card, then
    the explanation of each place, where there is one.

    disputed: the seats whose protests against it have no answer yet. heat_goes: in a practice match, where a dead heat
    goes, so that the ruling can be explained; None in any other.
    """

    number: int
    rows: tuple[Row, ...]
    turns: tuple[Turn, ...]
    status: Status
    view: View
    focus: int = -1
    race_name: str = "Race"
    disputed: tuple[Colour, ...] = ()
    heat_goes: str | None = None

    @property
    def pages(self) -> int:
        """How many pages there are beside the order: each turn, then each explanation."""
        return len(self.turns) + (0 if self.heat_goes is None else len(self.rows))


@dataclass(frozen=True, slots=True)
class Question:
    """The box asks something (resume? take this back?): `lines` say what about, the menu holds the answers.

    missing: seats that must each agree with a button of their own.
    """

    title: str
    lines: tuple[str, ...]
    menu: Menu
    missing: tuple[Colour, ...] = ()


@dataclass(frozen=True, slots=True)
class Final:
    """The match has ended. `leaders` share the victory where there are several.

    signed: who has accepted the result. disputed: whose protests have no answer yet; until then nobody signs. menu:
    open while the knob is being turned.
    """

    game_title: str
    view: View
    leaders: tuple[Colour, ...]
    signed: tuple[Colour, ...] = ()
    disputed: tuple[Colour, ...] = ()
    menu: Menu | None = None


@dataclass(frozen=True, slots=True)
class Trust:
    """How a phone comes to trust the box's encrypted pages.

    url: where it learns that. fingerprint: SHA-256 of the box's authority, pairs of hex digits that people compare.
    """

    url: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Invitation:
    """Before a match: where others can look on, and the referee's PIN; until a button or the knob is touched.

    For the box's own display alone: whoever sees the PIN is a referee. remark: as in `Lobby`. trust: None where pages
    are not encrypted. page: 0 where to look on, 1 and 2 the url and the fingerprint of `trust`; with `seats`, the free
    ones that phones may ask for, which of them is shown.
    """

    url: str
    pin: str
    remark: str = ""
    trust: Trust | None = None
    page: int = 0
    seats: tuple[Colour, ...] = ()

    @property
    def seat(self) -> Colour | None:
        """Give the seat whose code is shown, None where it is how to look on."""
        return self.seats[self.page] if self.seats else None

    def turned(self) -> Invitation | None:
        """Give its next page, None after the last."""
        if self.seats:
            return replace(self, page=self.page + 1) if self.page + 1 < len(self.seats) else None
        return None if self.trust is None or self.page == 2 else replace(self, page=self.page + 1)


@dataclass(frozen=True, slots=True)
class LookOn:
    """The invitation as anybody may see it, on whatever page: without the PIN. remark: as in `Lobby`."""

    url: str
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Apart:
    """What is asked on the box's own displays alone, as it names people who have not sat down; pages have `seating`."""

    question: Question
    seating: Lobby


PublicBody = Lobby | Idle | Standing | Choosing | Results | Question | Final | LookOn | Calibrating
"""What anybody in the network may see; nothing in it has a field for what they may not."""

Body = PublicBody | Invitation | Apart
"""What the box's own display may show to those who stand before it."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything there is to show.

    alarms: faults that still hold, newest first, each at most one sentence ("gpiod lost 3 edges").
    notice: a short message about the last input ("refused: no third red ace"), empty where there is none.
    recorded: False while the journal cannot store; displays say "not recorded".
    look: how the game's cards and buttons look. roles: what it calls the four buttons of a seat, from the first.
    """

    body: Body
    alarms: tuple[str, ...] = ()
    notice: str = ""
    recorded: bool = True
    roles: tuple[str, ...] = POSITIONS
    look: Look = PLAIN
