"""Whether the buzzer is to be heard now: switched by the knob or the desk at any time. Pure; knows no buzzer."""

from __future__ import annotations

from companion.core.shown.scene import MenuItem
from companion.core.words.texts import text


class SoundSwitch:
    """One for the box, whatever is played. It changes no record."""

    def __init__(self) -> None:
        self.is_there = False
        """Whether there is a buzzer: what is not there has no place in a menu."""
        self.is_on = True
        """By hand; the hours of the night are the settings'."""

    @property
    def item(self) -> MenuItem:
        """The line of a menu that switches it."""
        return MenuItem(text("sound"), text("on") if self.is_on else text("off"))

    def turn(self) -> None:
        """Switch it over."""
        self.is_on = not self.is_on
