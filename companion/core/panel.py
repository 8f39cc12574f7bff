"""The panel as every game finds it: five colours with four buttons each, and a knob. Knows no pin and no game."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class Colour(StrEnum):
    """A player's colour. The order of definition is the order wherever one is needed."""

    RED = "red"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    PURPLE = "purple"

    @property
    def short(self) -> str:
        """Three capital letters for small displays: RED, YEL, GRN, BLU, PUR."""
        return _SHORT[self]


_SHORT = {
    Colour.RED: "RED",
    Colour.YELLOW: "YEL",
    Colour.GREEN: "GRN",
    Colour.BLUE: "BLU",
    Colour.PURPLE: "PUR",
}


class Position(StrEnum):
    """Which of a seat's four buttons, from the player's left; what it stands for is each game's to say."""

    FIRST = "first"
    SECOND = "second"
    THIRD = "third"
    FOURTH = "fourth"


POSITIONS: tuple[Position, ...] = tuple(Position)


class Button(NamedTuple):
    """One arcade button: the player's colour, and which of the four it is."""

    colour: Colour
    position: Position

    @property
    def label(self) -> str:
        """ "red fourth": how settings, sources and messages name it; a game's record has a word of its own for it."""
        return f"{self.colour} {self.position}"


BUTTONS: tuple[Button, ...] = tuple(Button(colour, position) for colour in Colour for position in Position)
"""All twenty, by colour, then by position."""

KNOB_PUSH = "knob push"
"""Name of the line of the rotary knob's push switch; it is timed like a button and never counts as a play."""

_MARK = " ("


def marked(label: str, by: str) -> str:
    """Name the line of a button that another device stands in for: "red fourth (phone)". Its contacts are its own."""
    return f"{label}{_MARK}{by})"


def label_of(line: str) -> str:
    """Give the button's label of a line that may be marked."""
    return line.partition(_MARK)[0]


BUTTON_BY_LABEL: dict[str, Button] = {button.label: button for button in BUTTONS}


def role_of(button: Button, roles: Sequence[str]) -> str | None:
    """Give what a game calls a button; `roles`: its names of the four positions, None where it has too few."""
    index = POSITIONS.index(button.position)
    return roles[index] if index < len(roles) else None


def button_of(colour: Colour, role: str, roles: Sequence[str]) -> Button | None:
    """Give the button of a seat that a game calls `role`; one that it has no word for goes by its place. Else None."""
    if role in roles:
        return Button(colour, POSITIONS[roles.index(role)])
    is_place = role in POSITIONS and POSITIONS.index(Position(role)) >= len(roles)
    return Button(colour, Position(role)) if is_place else None


def named_button(name: str, roles: Sequence[str]) -> Button | None:
    """Read a button by its game's name ("green ace"); None where a text is no such name."""
    colour, _, role = name.partition(" ")
    return button_of(Colour(colour), role, roles) if colour in set(Colour) else None
