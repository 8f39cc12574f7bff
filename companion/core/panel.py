"""The panel as the players know it: colours, hand cards, one button for each pair. Knows no pin and no game."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Colour(StrEnum):
    """A player's colour. The order of definition is the order wherever one is needed (`apache.md`, Cards)."""

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


class Role(StrEnum):
    """A hand card, and the arcade button that stands for it."""

    CHIEF = "chief"
    WARRIOR = "warrior"
    MAIDEN = "maiden"
    HUNTER = "hunter"


class Button(NamedTuple):
    """One arcade button: the player's colour and the hand card."""

    colour: Colour
    role: Role

    @property
    def label(self) -> str:
        """ "red hunter": how records, configuration and messages name it."""
        return f"{self.colour} {self.role}"


BUTTONS: tuple[Button, ...] = tuple(Button(colour, role) for colour in Colour for role in Role)
"""All twenty, by colour, then by role."""

KNOB_PUSH = "knob push"
"""Name of the line of the rotary knob's push switch; it is timed like a button and never counts as a play."""

_MARK = " ("


def marked(label: str, by: str) -> str:
    """Name the line of a button that another device stands in for: "red hunter (phone)". It is debounced by itself."""
    return f"{label}{_MARK}{by})"


def label_of(line: str) -> str:
    """Give the button's label of a line that may be marked."""
    return line.partition(_MARK)[0]


BUTTON_BY_LABEL: dict[str, Button] = {button.label: button for button in BUTTONS}
