"""Which key is which button, and the table of it for people. Pure."""

from __future__ import annotations

from companion.core.panel import Button, Colour, Position

ROWS = dict(zip(Position, ("12345", "qwert", "asdfg", "zxcvb"), strict=True))
"""The keys of each position, in the order of the colours."""

BUTTON_OF_KEY = {
    key: Button(colour, position).label
    for position, keys in ROWS.items()
    for colour, key in zip(Colour, keys, strict=True)
}

Fragment = tuple[str, str]
"""A style of prompt_toolkit's and the text it applies to."""

STYLE_OF_COLOUR = {
    Colour.RED: "bg:#b01818 #ffffff",
    Colour.YELLOW: "bg:#e8c810 #000000",
    Colour.GREEN: "bg:#108030 #ffffff",
    Colour.BLUE: "bg:#1848c0 #ffffff",
    Colour.PURPLE: "bg:#8028a0 #ffffff",
}

GRID_WIDTH = 8 + 5 * 6
_HELP = (
    ("knob", "← →", "turn"),
    ("", "Enter", "push (or Space)"),
    ("", "h", "hold down / let go"),
    ("", "u", "hold 1 s: take back"),
    ("quit", "Q", "or Ctrl-C"),
)
HELP_WIDTH = 33


def grid(down: frozenset[str]) -> list[list[Fragment]]:
    """Give the table of keys, a line a position below the colours; those of lines that are `down` are marked by *."""
    head: list[Fragment] = [("bold", "keys".ljust(8))]
    for colour in Colour:
        head += [(STYLE_OF_COLOUR[colour] + " bold", f" {colour.short} "), ("", " ")]
    lines = [head]
    for position, keys in ROWS.items():
        line: list[Fragment] = [("", str(position).ljust(8))]
        for colour, key in zip(Colour, keys, strict=True):
            pressed = Button(colour, position).label in down
            text = f" *{key}* " if pressed else f"  {key}  "
            line += [(STYLE_OF_COLOUR[colour] + (" reverse bold" if pressed else ""), text), ("", " ")]
        lines.append(line)
    return lines


def help_lines(knob_is_down: bool) -> list[list[Fragment]]:
    """Give what the other keys do; whether the knob is held down is said in words."""
    lines: list[list[Fragment]] = []
    for what, key, does in _HELP:
        line: list[Fragment] = [("bold", what.ljust(5)), ("bold reverse", f" {key} "), ("", f" {does}")]
        if key == "h" and knob_is_down:
            line = [("bold", what.ljust(5)), ("bold reverse", f" {key} "), ("bold", " the knob IS HELD")]
        lines.append(line)
    return lines
