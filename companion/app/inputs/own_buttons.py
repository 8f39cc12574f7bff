"""Buttons of people's own: which devices here they are on, whose a key is, and what is kept of a press for it. Pure.

A person's button is on the device with the number or at the port that their profile names; where that is not here, on
every device that calls itself so, but for those that are somebody else's by number or port. Where one key is still two
people's, it is neither's, and said: a press would count for the wrong one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.evdev.codes import Key, name_of
from companion.app.inputs.assigning import assign_key, assign_line, told_apart_by
from companion.core.assigning.rewiring import Wire
from companion.core.panel import BUTTON_BY_LABEL, POSITIONS, Colour, label_of
from companion.core.profiles.profile import LONGEST_TITLE, LONGEST_WHICH, OwnButton
from companion.core.words.texts import listed, text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from companion.adapters.evdev.identity import Identity
    from companion.config.input_file import Inputs
    from companion.core.panel import Button

    Brought = Mapping[Colour, tuple[OwnButton, ...]]
    """The buttons of their own that people have brought, by the seats that they have taken."""

PANEL = "panel"
"""What a person's own button is on that is one of the seat's."""
PANELS = ("gpiod", "gpiozero", "simulated panel")
"""The sources that read those."""


class OwnChange(NamedTuple):
    """What becomes of a person's own buttons: which are theirs no more, and which have come."""

    gone: tuple[OwnButton, ...] = ()
    new: tuple[OwnButton, ...] = ()

    def of(self, mapping: tuple[OwnButton, ...]) -> tuple[OwnButton, ...]:
        """Give a profile's buttons after it."""
        kept = tuple(one for one in mapping if one not in self.gone and one not in self.new)
        return (*kept, *self.new)


def titles_in(own: Brought) -> frozenset[str]:
    """Give what the devices call themselves that people have buttons on."""
    return frozenset(one.device for buttons in own.values() for one in buttons if one.device != PANEL)


def is_called(identity: Identity, titles: Collection[str]) -> bool:
    """Tell whether a device calls itself one of these."""
    return identity.title[:LONGEST_TITLE] in titles


def with_own(inputs: Inputs, own: Brought, devices: Collection[Identity]) -> Inputs:
    """Give what holds while people with buttons of their own sit at the table; the file knows nothing of it.

    devices: that are plugged in.
    """
    for colour, buttons in own.items():
        for button in buttons:
            if button.device == PANEL:
                line = _label(colour, min(button.code, len(POSITIONS)))
                for source in PANELS:
                    inputs = assign_line(inputs, Wire(source, line), _label(colour, button.place)).inputs
    for (identity, key), places in _claims(own, devices).items():
        if len(places) == 1:
            ((colour, place),) = places.items()
            inputs = assign_key(inputs, identity, devices, name_of(key), _label(colour, place)).inputs
    return inputs


def conflict_in(own: Brought, devices: Collection[Identity]) -> str | None:
    """Say of which device one key is several people's; None where each is one's."""
    for (identity, _), places in _claims(own, devices).items():
        if len(places) > 1:
            said = text("{device} is of {seats} by their profiles: press for each what is theirs (knob: buttons)")
            seats = [colour.short for colour in Colour if colour in places]
            return said.format(device=identity.title, seats=listed(seats))
    return None


def after_key(
    own: Brought, devices: Collection[Identity], identity: Identity, key: Key, label: str
) -> dict[Colour, OwnChange]:  # fmt: skip
    """Give what becomes of people's own buttons once this key was pressed to be a button, by their seats."""
    button = BUTTON_BY_LABEL.get(label)
    changes = {}
    for colour, mine in own.items():
        gone = tuple(
            one
            for one in mine
            if (one.code, one.sign) == key and identity in _devices_of(one, colour, own, devices)
        )  # fmt: skip
        is_mine = button is not None and button.colour is colour and bool(identity.title)
        new = (_own(identity, devices, key, _place(button)),) if button is not None and is_mine else ()
        changes[colour] = OwnChange(gone, new)
    return {colour: change for colour, change in changes.items() if any(change)}


def after_line(own: Brought, wire: Wire, label: str) -> dict[Colour, OwnChange]:
    """Give what becomes of them once this line was pressed to be a button: those of the seat alone go along."""
    pressed, button = BUTTON_BY_LABEL.get(label_of(wire.line)), BUTTON_BY_LABEL.get(label)
    if wire.source not in PANELS or pressed is None or pressed.colour not in own:
        return {}
    place = _place(pressed)
    gone = tuple(one for one in own[pressed.colour] if (one.device, one.code) == (PANEL, place))
    is_another = button is not None and button.colour is pressed.colour and button != pressed
    new = (OwnButton(device=PANEL, code=place, place=_place(button)),) if button is not None and is_another else ()
    return {pressed.colour: OwnChange(gone, new)} if gone or new else {}


def after_forgetting(own: Brought, label: str) -> dict[Colour, OwnChange]:
    """Give what becomes of them once a button is to have nothing more that was assigned to it."""
    button = BUTTON_BY_LABEL.get(label)
    if button is None:
        return {}
    gone = tuple(one for one in own.get(button.colour, ()) if one.place == _place(button))
    return {button.colour: OwnChange(gone)} if gone else {}


def _own(identity: Identity, devices: Collection[Identity], key: Key, place: int) -> OwnButton:
    which = told_apart_by(identity, devices)
    return OwnButton(
        device=identity.title[:LONGEST_TITLE], code=key.code, sign=key.sign, place=place,
        which=which if len(which) <= LONGEST_WHICH else "",
    )  # fmt: skip


def _claims(own: Brought, devices: Iterable[Identity]) -> dict[tuple[Identity, Key], dict[Colour, int]]:
    """Give whose each key is, and at which place; one that several have is several people's."""
    here = tuple(dict.fromkeys(devices))  # one device may have several event files
    found: dict[tuple[Identity, Key], dict[Colour, int]] = {}
    for colour, buttons in own.items():
        for button in buttons:
            for identity in _devices_of(button, colour, own, here):
                found.setdefault((identity, Key(button.code, button.sign)), {})[colour] = button.place
    return found


def _devices_of(
    button: OwnButton, colour: Colour, own: Brought, devices: Collection[Identity]
) -> tuple[Identity, ...]:  # fmt: skip
    """Give the devices here that a person's button is on. colour: of their seat."""
    called = tuple(one for one in devices if is_called(one, (button.device,)))
    if mine := tuple(one for one in called if button.which in one.keys):
        return mine
    others = {(one.device, one.which) for seat, theirs in own.items() if seat is not colour for one in theirs}
    return tuple(one for one in called if others.isdisjoint((button.device, key) for key in one.keys))


def _label(colour: Colour, place: int) -> str:
    return f"{colour.value} {POSITIONS[place - 1]}"


def _place(button: Button) -> int:
    return POSITIONS.index(button.position) + 1
