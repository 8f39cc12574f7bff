"""What a key of a device is called: the kernel's names, by python-evdev. A direction of an axis is a key too: "ABS_X+".

A key that has several names goes by the shortest ("BTN_A", not "BTN_GAMEPAD"); any of them is understood. What has no
name is called by its number: "KEY_0x2f7".
"""

from __future__ import annotations

from typing import NamedTuple

from companion.core.errors import Malformed

EV_KEY, EV_ABS = 0x01, 0x03
ANY = "ANY"
"""In an assignment: whichever key of the device is pressed."""
MOST_AXES = 0x18
"""From ABS_PRESSURE on axes are no sticks, triggers or hats, but pens, fingers and the profile of a controller."""


class Key(NamedTuple):
    """A key, or a direction of an axis. sign: 0 for a key, -1 and 1 for an axis."""

    code: int
    sign: int = 0


def name_of(key: Key) -> str:
    """Give a key's name."""
    from evdev import ecodes  # noqa: PLC0415  # only where there are devices

    names = ecodes.bytype[EV_ABS if key.sign else EV_KEY].get(key.code, ())
    every = [names] if isinstance(names, str) else list(names)
    kind = "ABS" if key.sign else "KEY"
    name = min(every, key=lambda one: (len(one), one), default=f"{kind}_0x{key.code:x}")
    return name + {0: "", 1: "+", -1: "-"}[key.sign]


def key_of(name: str) -> Key | None:
    """Give the key of a name, None for ANY. Raises Malformed."""
    from evdev import ecodes  # noqa: PLC0415

    if name == ANY:
        return None
    sign = {"+": 1, "-": -1}.get(name[-1:], 0)
    plain = name[:-1] if sign else name
    code = ecodes.ecodes.get(plain)
    if code is None and plain[4:].startswith("0x"):
        try:
            code = int(plain[4:], 16)
        except ValueError:
            code = None
    if code is None or not 0 <= code <= 0x2FF or not plain.startswith("ABS_" if sign else ("KEY_", "BTN_")):
        raise Malformed(f"{name!r} is no key of an input device, such as KEY_SPACE, BTN_A, ABS_Z+ or {ANY}")
    return Key(code, sign)
