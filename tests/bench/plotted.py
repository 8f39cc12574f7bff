"""Plots as SVG, by hand: curves over sizes, both axes logarithmic, so that what grows in step is a straight line."""

from __future__ import annotations

import math
from typing import NamedTuple

WIDTH, HEIGHT, LEFT, TOP, BETWEEN = 300, 240, 70, 40, 120
NAMES_APART = 15.0
"""Pixels from one curve's name to the next above it, at least."""
COLOURS = ("#1f5fa8", "#b04a00", "#4a7a2a")


class Curve(NamedTuple):
    """Points (x, y) with a name; both above 0."""

    name: str
    points: list[tuple[float, float]]


class Plot(NamedTuple):
    """Curves in one frame. bound: a line across that they should stay below."""

    title: str
    curves: list[Curve]
    bound: float | None


class _Scale(NamedTuple):
    """A decade scale from `low` to `high` onto so many pixels."""

    low: float
    high: float
    pixels: float

    def at(self, value: float) -> float:
        share = (math.log10(value) - math.log10(self.low)) / (math.log10(self.high) - math.log10(self.low))
        return share * self.pixels

    def decades(self) -> list[float]:
        first, last = round(math.log10(self.low)), round(math.log10(self.high))
        return [10.0**power for power in range(first, last + 1)]


def svg(plots: tuple[Plot, ...], x_title: str) -> str:
    """Give the plots side by side."""
    width = LEFT + len(plots) * (WIDTH + BETWEEN)
    height = TOP + HEIGHT + 50
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif"'
        ' font-size="12">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for place, plot in enumerate(plots):
        parts += _plot(plot, x_title, LEFT + place * (WIDTH + BETWEEN))
    return "\n".join([*parts, "</svg>", ""])


def _plot(plot: Plot, x_title: str, left: float) -> list[str]:
    points = [point for curve in plot.curves for point in curve.points]
    if not points:
        return []
    values = [max(y, 1e-3) for _, y in points] + ([plot.bound] if plot.bound is not None else [])
    across, up = _around([x for x, _ in points], WIDTH), _around(values, HEIGHT)
    bottom = TOP + HEIGHT
    parts = [f'<text x="{left}" y="{TOP - 16}" font-size="14">{plot.title}</text>']
    for value in across.decades():
        x = left + across.at(value)
        parts.append(f'<path d="M{x:.1f} {TOP}V{bottom}" stroke="#ddd"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{value:,.0f}</text>')
    for value in up.decades():
        y = bottom - up.at(value)
        parts.append(f'<path d="M{left} {y:.1f}h{WIDTH}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{value:,g}</text>')
    parts.append(f'<text x="{left + WIDTH / 2}" y="{bottom + 38}" text-anchor="middle">{x_title}</text>')
    if plot.bound is not None:
        y = bottom - up.at(plot.bound)
        parts.append(f'<path d="M{left} {y:.1f}h{WIDTH}" stroke="#a00" stroke-dasharray="5 4"/>')
        parts.append(f'<text x="{left + 6}" y="{y - 6:.1f}" fill="#a00">at most {plot.bound:,g}</text>')
    names: list[tuple[float, float, str, str]] = []
    for curve, colour in zip(plot.curves, COLOURS, strict=False):
        places = [(left + across.at(x), bottom - up.at(max(y, 1e-3))) for x, y in curve.points]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in places]
        x, y = places[-1]
        names.append((y + 4, x + 8, colour, curve.name))
    lowest = float("inf")
    for y, x, colour, name in sorted(names, reverse=True):
        lowest = min(y, lowest - NAMES_APART)
        parts.append(f'<text x="{x:.1f}" y="{lowest:.1f}" fill="{colour}">{name}</text>')
    return parts


def _around(values: list[float], pixels: float) -> _Scale:
    low = 10.0 ** math.floor(math.log10(min(values)))
    high = 10.0 ** math.ceil(math.log10(max(values)))
    return _Scale(low, high if high > low else low * 10, pixels)
