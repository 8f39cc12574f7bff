"""A panel as DXF for laser cutters and mills: mm, one layer for each tool. Knows the geometry only."""

from __future__ import annotations

import io
from math import atan2, pi, tan
from typing import TYPE_CHECKING

from ezdxf import new, options, units

from hardware.drawings import braille
from hardware.drawings.faces import face_of
from hardware.drawings.geometry import TEXT_WIDE, Panel, rounded, turned
from hardware.drawings.panel_svg import short_braille

if TYPE_CHECKING:
    from ezdxf.layouts.layout import Modelspace

CUT, ENGRAVE, BRAILLE = "CUT", "ENGRAVE", "BRAILLE"
COLOURS = {CUT: 1, ENGRAVE: 5, BRAILLE: 3}
"""Red cuts, blue engraves, as most laser programs expect; green is drilled 1.6 mm for braille balls, or left out."""


def panel_dxf(panel: Panel) -> str:
    """Write a panel as DXF (release 2000). DXF's y grows upwards, so the drawing is the same seen from above."""
    options.write_fixed_meta_data_for_testing = True  # the same panel gives the same file
    document = new("R2000", units=units.MM)
    for name, colour in COLOURS.items():
        document.layers.add(name, color=colour)
    space = document.modelspace()
    space.add_lwpolyline(_outline(panel), format="xyb", close=True, dxfattribs={"layer": CUT})
    for hole in panel.holes:
        space.add_circle((hole.x, -hole.y), hole.diameter / 2, dxfattribs={"layer": CUT})
    for window in panel.windows:
        x, y = window.width / 2, window.height / 2
        corners = [(window.x + a * x, -window.y + b * y) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        space.add_lwpolyline(corners, close=True, dxfattribs={"layer": CUT})
    _add_marks(space, panel)
    text = io.StringIO()
    document.write(text)
    return text.getvalue()


def _outline(panel: Panel) -> list[tuple[float, float, float]]:
    """Corners as (x, y, bulge): a bulge is the tangent of a quarter of the arc's angle, negative clockwise."""
    points = []
    for begin, end, middle in rounded(panel.outline, panel.corner):
        sweep = atan2(end[1] - middle[1], end[0] - middle[0]) - atan2(begin[1] - middle[1], begin[0] - middle[0])
        sweep = (sweep + pi) % (2 * pi) - pi
        points += [(begin[0], -begin[1], tan(-sweep / 4)), (end[0], -end[1], 0.0)]
    return points


def _add_marks(space: Modelspace, panel: Panel) -> None:
    for mark in panel.marks:
        angle = mark.turn * pi / 180
        for words, down in ((mark.button.colour.upper(), -0.6), (face_of(mark.button), 3.2)):
            x, y = turned(-TEXT_WIDE / 2, down, angle)
            text = space.add_text(words, height=2.2, rotation=-mark.turn, dxfattribs={"layer": ENGRAVE})
            text.set_placement((mark.text[0] + x, -(mark.text[1] + y)))
        for dot in braille.centred(short_braille(mark.button), 0.0, 0.0):
            x, y = turned(*dot, angle)
            centre = (mark.braille[0] + x, -(mark.braille[1] + y))
            space.add_circle(centre, braille.DOT_DIAMETER / 2, dxfattribs={"layer": BRAILLE})
