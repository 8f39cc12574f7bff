"""Shapes that the parts are put together from, as solids of Open CASCADE. Knows no part."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import trimesh
from build123d import Align, Axis, Box, Cylinder, Part, Polygon, Pos, Rot, extrude, fillet

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Point = tuple[float, float]

TOLERANCE_MM, TOLERANCE_RAD = 0.04, 0.5
"""How far a mesh may be from its solid: a tenth of what a printer can do; and the largest turn between two facets."""

LOW = (Align.CENTER, Align.CENTER, Align.MIN)


def prism(corners: Sequence[Point], bottom: float, top: float, rounding: float = 0.0) -> Part:
    """Give an upright prism over a polygon, its upright edges rounded."""
    flat = Polygon(*corners, align=None)
    if rounding:
        flat = fillet(flat.vertices(), rounding)
    return Pos(0, 0, bottom) * extrude(flat, top - bottom, dir=(0, 0, 1))


def block(x: Point, y: Point, z: Point) -> Part:
    """Give a block between two x, two y and two z."""
    middle = [(ends[0] + ends[1]) / 2 for ends in (x, y, z)]
    return Pos(*middle) * Box(x[1] - x[0], y[1] - y[0], z[1] - z[0])


def post(at: Point, diameter: float, bottom: float, top: float) -> Part:
    """Give an upright cylinder."""
    return Pos(*at, bottom) * Cylinder(diameter / 2, top - bottom, align=LOW)


def posts(places: Iterable[Point], diameter: float, bottom: float, top: float) -> list[Part]:
    """Give the same upright cylinder at several places."""
    return [post(at, diameter, bottom, top) for at in places]


def bore(at: tuple[float, float, float], diameter: float, length: float, along: str) -> Part:
    """Give a lying cylinder about a point, along "x" or "y"."""
    lying = Rot(0, 90, 0) if along == "x" else Rot(90, 0, 0)
    return Pos(*at) * lying * Cylinder(diameter / 2, length)


def spun(solid: Part, degrees: float) -> Part:
    """Give it turned about the upright axis, anticlockwise from above."""
    return solid.rotate(Axis.Z, degrees)


def tessellated(solid: Part) -> trimesh.Trimesh:
    """Give a solid's surface as triangles, the same each time. Raises ValueError: it is more than one piece."""
    if len(solid.solids()) != 1:
        raise ValueError(f"{len(solid.solids())} pieces, not one")
    corners, faces = solid.tessellate(TOLERANCE_MM, TOLERANCE_RAD)
    points = np.array([tuple(corner) for corner in corners])
    return trimesh.Trimesh(points, np.array(faces), process=True)
