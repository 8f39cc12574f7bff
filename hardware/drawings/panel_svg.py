"""A panel at true scale as SVG: print it, stick it on the wood, drill. Knows the geometry, not how it comes about."""

from __future__ import annotations

from math import cos, pi, sin
from typing import TYPE_CHECKING

from hardware.drawings import braille
from hardware.drawings.engraving import dots, shapes
from hardware.drawings.geometry import Hole, Panel, rounded
from hardware.drawings.svg import GREY, Drawing, number

if TYPE_CHECKING:
    from hardware.drawings.outlines import Loops

MARGIN = 6.0
FOOT = 22.0
CUT_PEN = 0.25


def outline_path(panel: Panel) -> str:
    """Give the outline as an SVG path."""
    steps = []
    for index, (begin, end, _) in enumerate(rounded(panel.outline, panel.corner)):
        steps.append(f"{'L' if index else 'M'}{number(begin[0])} {number(begin[1])}")
        radius = number(panel.corner)
        steps.append(f"A{radius} {radius} 0 0 1 {number(end[0])} {number(end[1])}")
    return " ".join(steps) + " Z"


def extent(panel: Panel) -> tuple[float, float, float, float]:
    """Give the outline's left, top, right and bottom, the rounding of the corners taken off."""
    points = []
    for begin, end, middle in rounded(panel.outline, panel.corner):
        points += [begin, end]
        turn = 2 * pi / 72
        arc = [(middle[0] + panel.corner * cos(k * turn), middle[1] + panel.corner * sin(k * turn)) for k in range(72)]
        points += [point for point in arc if _between(point, begin, end, middle)]
    xs, ys = [point[0] for point in points], [point[1] for point in points]
    return min(xs), min(ys), max(xs), max(ys)


def _between(
    point: tuple[float, float], begin: tuple[float, float], end: tuple[float, float], middle: tuple[float, float]
) -> bool:
    def side(a: tuple[float, float], b: tuple[float, float]) -> float:
        return (a[0] - middle[0]) * (b[1] - middle[1]) - (a[1] - middle[1]) * (b[0] - middle[0])

    return side(begin, point) >= 0 and side(point, end) >= 0


def draw_panel(panel: Panel) -> str:
    """Draw a panel: cuts as full lines, flanges dashed, legends as they may be engraved."""
    left, top, right, bottom = extent(panel)
    has_corner = len(panel.outline) > 4  # a pentagon leaves its sheet's upper corners free
    wide, high = right - left + 2 * MARGIN, bottom - top + 2 * MARGIN + (0 if has_corner else FOOT)
    drawing = Drawing(wide, high, panel.title, left - MARGIN, top - MARGIN)
    drawing.path(outline_path(panel), CUT_PEN, id="outline")
    for hole in panel.holes:
        _draw_hole(drawing, panel, hole)
    for window in panel.windows:
        x, y = window.x - window.width / 2, window.y - window.height / 2
        drawing.rect(x, y, window.width, window.height, CUT_PEN, rx=1.0, class_="cut")
        drawing.text(window.x, window.y, f"{window.use}:", 3.0, text_anchor="middle", fill=GREY)
        drawing.text(window.x, window.y + 4.5, f"{window.width:g} × {window.height:g} mm", 3.0, text_anchor="middle",
                     fill=GREY)  # fmt: skip
    for shape in shapes(panel):
        drawing.path(loops_path(shape.loops), 0, fill="#000000", fill_rule="evenodd", stroke="none", class_="legend",
                     data_says=shape.says)  # fmt: skip
    for _, places in dots(panel):
        for x, y in places:
            drawing.circle(x, y, braille.DOT_DIAMETER / 2, 0.15, class_="braille")
    _draw_title(drawing, panel, left, top if has_corner else bottom + MARGIN, (right - left, bottom - top))
    return drawing.svg()


def _draw_hole(drawing: Drawing, panel: Panel, hole: Hole) -> None:
    drawing.circle(hole.x, hole.y, hole.diameter / 2, CUT_PEN, class_="cut", data_use=hole.use)
    arm = min(3.0, hole.diameter / 2 + 1.0)
    drawing.line(hole.x - arm, hole.y, hole.x + arm, hole.y, 0.15, stroke=GREY)
    drawing.line(hole.x, hole.y - arm, hole.x, hole.y + arm, 0.15, stroke=GREY)
    if hole in panel.buttons:
        drawing.circle(hole.x, hole.y, panel.size.flange / 2, 0.15, stroke=GREY, stroke_dasharray="1.2 1.2")
        drawing.text(hole.x, hole.y + 6.2, f"Ø {hole.diameter:g}", 2.6, text_anchor="middle", fill=GREY)
    elif hole.use == "knob":
        drawing.text(hole.x, hole.y + 8.5, f"knob Ø {hole.diameter:g}", 2.6, text_anchor="middle", fill=GREY)


def loops_path(loops: Loops) -> str:
    """Give closed outlines as an SVG path."""
    return " ".join("M" + " L".join(f"{number(x)} {number(y)}" for x, y in loop) + " Z" for loop in loops)


def _draw_title(drawing: Drawing, panel: Panel, left: float, y: float, extent_mm: tuple[float, float]) -> None:
    drawing.text(left, y + 4, panel.title, 4.0, font_weight="bold")
    notes = [
        f"{extent_mm[0]:.1f} × {extent_mm[1]:.1f} mm, seen from the players' side.",
        "Full lines: cut or drill.",
        f"Dashed: the buttons' flange, Ø {panel.size.flange:g}.",
        "Small circles: braille dots, Ø 1.6.",
        "Print without scaling (100 %),",
        "then measure the bar: 50 mm.",
    ]
    columns = [notes] if len(panel.outline) > 4 else [notes[:3], notes[3:]]
    for index, lines in enumerate(columns):
        drawing.block(left + index * 90, y + 10, lines, 2.8)
    bar = y + 10 + len(columns[0]) * 4 + 3 if len(columns) == 1 else y + 10
    start = left if len(columns) == 1 else left + 160
    drawing.line(start, bar, start + 50, bar, 0.35, id="bar")
    for mark in range(6):
        drawing.line(start + mark * 10, bar - (2 if mark % 5 == 0 else 1), start + mark * 10, bar, 0.35)
