"""The panels' numbers for OpenSCAD, so that case and drawings cannot differ. Knows the geometry, not the case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.drawings.geometry import (
    KNOB_HOLE,
    SCREW_HOLE,
    SEATS,
    TABLE_WINDOW,
    ButtonSize,
    Hole,
    Panel,
    inner_apothem,
    outer_apothem,
    section_width,
    strip_height,
    strip_panel,
    table_panel,
)
from hardware.drawings.svg import number

if TYPE_CHECKING:
    from collections.abc import Iterable


def include_file(size: ButtonSize) -> str:
    """Give the definitions for one size of button; y grows upwards in OpenSCAD, so it is turned over here."""
    table, strip = table_panel(size), strip_panel(size)
    values = {
        "button_hole": number(size.hole),
        "button_flange": number(size.flange),
        "inside_height": number(size.depth),
        "seats": str(SEATS),
        "outer_apothem": number(outer_apothem(size)),
        "inner_apothem": number(inner_apothem(size)),
        "corner": number(table.corner),
        "table_holes": _vectors(table.holes),
        "window": _window(table),
        "knob_hole": number(KNOB_HOLE),
        "screw_hole": number(SCREW_HOLE),
        "strip_holes": _vectors(strip.holes),
        "strip_window": _window(strip),
        "section_width": number(section_width(size)),
        "strip_height": number(strip_height(size)),
        "strip_left": number(strip.outline[0][0]),
    }
    lines = ["// Made by `make hardware` from hardware/drawings/geometry.py: change it there.", ""]
    lines += [f"{name} = {value};" for name, value in values.items()]
    lines += ["", "include <case.scad>"]
    return "\n".join(lines) + "\n"


def _vectors(holes: Iterable[Hole]) -> str:
    rows = [f"  [{number(hole.x)}, {number(-hole.y)}, {number(hole.diameter)}]" for hole in holes]
    return "[\n" + ",\n".join(rows) + "\n]"


def _window(panel: Panel) -> str:
    window = panel.windows[0] if panel.windows else TABLE_WINDOW
    return "[" + ", ".join(number(value) for value in (window.x, -window.y, window.width, window.height)) + "]"
