"""What the keys of a keyboard type, for codes: digits, Latin letters and the signs that labels have. Pure.

A scanner that types pretends to be a keyboard of some country, and sends the keys that would type its code there. The
kernel tells keys by their place on a US keyboard; which sign that is, the country says. Only what codes are made of is
here: what a scanner can send beyond it is told as unreadable.
"""

from __future__ import annotations

from typing import Literal

Layout = Literal["us", "de", "fr", "it"]

_DIGITS = range(2, 12)
"""KEY_1 to KEY_0, as `linux/input-event-codes.h` numbers them; then the three rows of letters."""
_ROWS = (range(16, 26), range(30, 39), range(44, 51))
_ROWS_US = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_ROWS_DE = ("qwertzuiop", "asdfghjkl", "yxcvbnm")
_ROWS_FR = ("azertyuiop", "qsdfghjkl", "wxcvbn")
KEY_ENTER, KEY_KPENTER, KEY_TAB = 28, 96, 15
SHIFTS = frozenset({42, 54})
CAPS_LOCK = 58
_KEYPAD = dict(zip((79, 80, 81, 75, 76, 77, 71, 72, 73, 82), "1234567890", strict=True)) | {
    74: "-", 78: "+", 98: "/", 55: "*", 83: "."
}  # fmt: skip

Signs = dict[int, tuple[str, str]]
"""By the key: what it types, and what with shift; "" for nothing that a code can have."""


def _letters(rows: tuple[str, str, str]) -> Signs:
    pairs = [pair for row, letters in zip(_ROWS, rows, strict=True) for pair in zip(row, letters, strict=False)]
    return {key: (letter, letter.upper()) for key, letter in pairs}


def _digits(plain: str, shifted: str) -> Signs:
    return {key: (low, high.strip()) for key, low, high in zip(_DIGITS, plain, shifted, strict=True)}


LAYOUTS: dict[Layout, Signs] = {
    "us": _letters(_ROWS_US) | _digits("1234567890", "!@#$%^&*()") | {
        12: ("-", "_"), 13: ("=", "+"), 39: (";", ":"), 40: ("'", '"'), 43: ("\\", "|"), 51: (",", "<"), 52: (".", ">"),
        53: ("/", "?"), 57: (" ", " "),
    },
    "de": _letters(_ROWS_DE) | _digits("1234567890", '!"§$%&/()=') | {
        12: ("", "?"), 27: ("+", "*"), 43: ("#", "'"), 51: (",", ";"), 52: (".", ":"), 53: ("-", "_"), 57: (" ", " "),
        86: ("<", ">"),
    },
    "fr": _letters(_ROWS_FR) | _digits("&é\"'(-è_çà", "1234567890") | {
        39: ("m", "M"), 12: (")", ""), 13: ("=", "+"), 43: ("*", ""), 50: (",", "?"), 51: (";", "."), 52: (":", "/"),
        53: ("!", ""), 57: (" ", " "), 86: ("<", ">"),
    },
    "it": _letters(_ROWS_US) | _digits("1234567890", '!"£$%&/()=') | {
        12: ("'", "?"), 27: ("+", "*"), 51: (",", ";"), 52: (".", ":"), 53: ("-", "_"), 57: (" ", " "), 86: ("<", ">"),
    },
}  # fmt: skip
for _signs in LAYOUTS.values():
    _signs.update({key: (sign, sign) for key, sign in _KEYPAD.items()})


def retyped(code: str, layout: Layout) -> dict[Layout, str]:
    """Give what the keys that type `code` in a layout type in each other one, where that is all of printable ASCII.

    So it can be told that a scanner pretends to be another keyboard than the settings say.
    """
    keys: dict[str, tuple[int, int]] = {}
    for key, both in LAYOUTS[layout].items():
        for shifted, sign in enumerate(both):
            keys.setdefault(sign, (key, shifted))
    pressed = [keys.get(sign) for sign in code]
    typed = {
        other: "".join(signs.get(place[0], ("", ""))[place[1]] if place else "" for place in pressed)
        for other, signs in LAYOUTS.items()
        if other != layout
    }
    return {other: text for other, text in typed.items() if len(text) == len(code) and text.isascii() and text != code}


class Typing:
    """Keys as they are pressed become lines of text, as bytes with a CR at each Enter or Tab.

    A sign that no code can have becomes a byte that is none, so that the whole code is told as unreadable.
    """

    def __init__(self, layout: Layout) -> None:
        self._signs = LAYOUTS[layout]
        self._shifts: set[int] = set()
        self._is_caps = False

    def feed(self, key: int, active: bool) -> bytes:
        """Take a key that was pressed or let go of; give what it types."""
        if key in SHIFTS:
            (self._shifts.add if active else self._shifts.discard)(key)
            return b""
        if not active:
            return b""
        if key == CAPS_LOCK:
            self._is_caps = not self._is_caps
            return b""
        if key in {KEY_ENTER, KEY_KPENTER, KEY_TAB}:
            return b"\r"
        sign = self._sign(key)
        return sign.encode("ascii") if sign.isascii() and sign else b"\xff"

    def forget(self) -> None:
        """Begin anew: the keyboard was unplugged, or keys were lost."""
        self._shifts.clear()
        self._is_caps = False

    def _sign(self, key: int) -> str:
        plain, shifted = self._signs.get(key, ("", ""))
        is_shifted = bool(self._shifts) != (self._is_caps and plain.isalpha())
        return shifted if is_shifted else plain
