"""What switch scanning offers a seat now, as a value for whoever shows it. Knows no display."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from companion.core.panel import Button, Colour


class Cued(NamedTuple):
    """What a seat is offered now. Its own card of a race is for that seat alone (`is_private`).

    title: what it is about. number: the place in the person's own order, from 1, of `of`; 0: nothing is offered until
    the switch is pressed. says: what it is. is_picked: it is picked, and one more press takes it back.
    """

    colour: Colour
    title: str
    number: int
    of: int
    says: str
    is_private: bool
    is_picked: bool = False


class SwitchNow(NamedTuple):
    """How a seat plays that scans, and what it is offered, for that seat alone.

    picks: the button that its phone's one switch stands for. moves: of a second switch, which moves on; None where
    there is one alone. cued: None where nothing is offered.
    """

    colour: Colour
    picks: Button
    moves: Button | None
    cued: Cued | None
