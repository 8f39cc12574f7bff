"""A panel as DXF for laser cutters and mills: mm, one layer for each tool. Knows the geometry only."""

from __future__ import annotations

import io
from math import atan2, pi, tan
from typing import TYPE_CHECKING

from ezdxf import new, options, units

from hardware.drawings import braille
from hardware.drawings.engraving import dots, shapes
from hardware.drawings.geometry import Panel, rounded

if TYPE_CHECKING:
    from ezdxf.layouts.layout import Modelspace

CUT, ENGRAVE, BALLS_LASER, BALLS_DRILL = "CUT", "ENGRAVE", "BRAILLE-LASER-1.4", "BRAILLE-DRILL-1.6-DEEP-1.1"
COLOURS = {CUT: 1, ENGRAVE: 5, BALLS_LASER: 3, BALLS_DRILL: 6}
"""Red cuts, blue engraves, as most laser programs expect. Use one of the two for braille, or neither."""
BALL_HOLES = {BALLS_LASER: 1.4, BALLS_DRILL: braille.DOT_DIAMETER}
"""A laser's beam widens a hole by 0.1 to 0.2 mm: cut at 1.4 mm it holds a ball of 1.6 mm by pressing. A drilled hole is
as wide as the ball and blind, 1.1 mm deep: the ball stands out by braille.DOT_HEIGHT and is glued."""


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
    for shape in shapes(panel):
        for loop in shape.loops:
            points = [(x, -y) for x, y in loop]
            space.add_lwpolyline(points, close=True, dxfattribs={"layer": ENGRAVE})
    for _, places in dots(panel):
        for x, y in places:
            for layer, diameter in BALL_HOLES.items():
                space.add_circle((x, -y), diameter / 2, dxfattribs={"layer": layer})
