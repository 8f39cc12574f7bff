"""Which input is which button, asked at the box: pick a button with the knob, then press what it shall be. Pure.

Nobody needs a file for it. The knob is never taken for an input, so that whoever is here can leave again. Whatever is
pressed while nothing is awaited is named: that is the trial of what was assigned.
"""

from __future__ import annotations

from enum import Enum

from companion.core.panel import BUTTON_BY_LABEL, KNOB_PUSH, Button, Colour, Position
from companion.core.shown.scene import Menu, MenuItem, Question
from companion.core.words.texts import text

DONE, BACK, FORGET = text("done"), text("back"), text("take it away")
TITLE = text("Buttons")


class _Step(Enum):
    """What is asked now."""

    SEAT = "whose button"
    PLACE = "which of the four"
    PRESS = "what it shall be"


PLACES = {
    Position.FIRST: text("first"),
    Position.SECOND: text("second"),
    Position.THIRD: text("third"),
    Position.FOURTH: text("fourth"),
}
KNOB = text("knob push")


def called(label: str) -> str:
    """Give a button as small displays say it: "RED second"."""
    button = BUTTON_BY_LABEL.get(label)
    if button is None:
        return KNOB
    return text("{seat} {place}").format(seat=button.colour.short, place=PLACES[button.position])


class Assigning:
    """The dialogue. label: what is to be pressed at once, for whoever asked elsewhere; None begins with the seat.

    wanted: the button whose input is awaited, None while none is. forgotten: one that is to lose what was assigned to
    it, for whoever keeps that to take. is_left: it is over.
    """

    def __init__(self, label: str | None = None) -> None:
        self.wanted = label
        self.forgotten: str | None = None
        self.is_left = False
        self._is_once = label is not None
        self._seat: Colour | None = None
        self._cursor = self._place = 0
        self._says = ""

    @property
    def _step(self) -> _Step:
        if self.wanted is not None:
            return _Step.PRESS
        return _Step.SEAT if self._seat is None else _Step.PLACE

    def turn(self, steps: int) -> None:
        """The knob was turned."""
        self._cursor = (self._cursor + steps) % len(self._items())

    def push(self) -> None:
        """The knob was pushed: pick what it is on."""
        self._pick(self._items()[self._cursor % len(self._items())])

    def touched(self, label: str) -> None:
        """A button was pressed, by whatever is assigned to it: say which it is."""
        self._says = text("that is {button}").format(button=called(label))

    def assigned(self, says: str) -> None:
        """What was awaited was pressed; says: what it is now. The next of the seat's buttons is proposed."""
        self.wanted = self.forgotten = None
        self._says, self.is_left = says, self._is_once
        self._cursor = (self._place + 1) % len(self._items())

    def scene(self) -> Question:
        """Give what there is to show."""
        if self.wanted is not None:
            lines = (text("Now press what shall be"), called(self.wanted))
            return Question(TITLE, lines, self._menu())
        asked = text("Whose button?")
        if self._seat is not None:
            asked = text("{seat}: which, from the left?").format(seat=self._seat.short)
        return Question(TITLE, (self._says or asked,), self._menu())

    def _menu(self) -> Menu:
        items = self._items()
        return Menu("", tuple(MenuItem(item) for item in items), self._cursor % len(items))

    def _items(self) -> tuple[str, ...]:
        if self._step is _Step.PRESS:
            return (BACK, FORGET)
        if self._step is _Step.SEAT:
            return (*(colour.short for colour in Colour), KNOB, DONE)
        return (*PLACES.values(), BACK)

    def _pick(self, item: str) -> None:
        self._says = ""
        if item == DONE:
            self.is_left = True
        elif item == BACK:
            self.leave()
        elif item == FORGET:
            self.forgotten = self.wanted
        elif item == KNOB:
            self.wanted, self._place, self._cursor = KNOB_PUSH, self._cursor, 0
        elif self._seat is None:
            self._seat, self._cursor = tuple(Colour)[self._cursor], 0
        else:
            self.wanted = Button(self._seat, tuple(PLACES)[self._cursor]).label
            self._place, self._cursor = self._cursor, 0

    def leave(self) -> None:
        """Go one step back; from the first, and where it was asked from elsewhere, out of it."""
        self._says = ""
        if self._is_once or self._step is _Step.SEAT:
            self.is_left, self.wanted = True, None
        elif self.wanted is not None:
            self.wanted, self._cursor = None, self._place
        else:
            self._seat, self._cursor = None, 0
