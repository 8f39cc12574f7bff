"""Legends as they stand out of a printed top: symbols, words and braille dots, joined to the top's mesh.

They are put on the mesh and not on the solid: the STEP file is for those who change the shape, and ten thousand faces
of letters would be in their way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import trimesh
from manifold3d import CrossSection, FillRule, Manifold, Mesh, OpType

from hardware.drawings import braille
from hardware.drawings.engraving import dots, shapes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.panel import Colour
    from hardware.drawings.geometry import Panel
    from hardware.drawings.outlines import Loops, Point

HEIGHT_MM = 0.5
ROOT_MM = 0.3
"""How deep a legend reaches into the plate, so that both are one body."""
FACETS = 8


def raised(plate: trimesh.Trimesh, panel: Panel, seat: Colour, upper: float) -> trimesh.Trimesh:
    """Give a plate with a seat's legends on its upper side, at the height `upper`; it lies where the panel has it."""
    pieces = [_standing(shape.loops, upper) for shape in shapes(panel) if shape.seat == seat]
    dot = _dot()
    for mark, places in dots(panel):
        if mark.button.colour == seat:
            pieces += [dot.translate((x, -y, upper)) for x, y in places]
    return joined(plate, pieces)


def written(plate: trimesh.Trimesh, loops: Iterable[Loops], upper: float) -> trimesh.Trimesh:
    """Give a plate with outlines raised on it; y downwards in them."""
    return joined(plate, [_standing(each, upper) for each in loops])


def joined(plate: trimesh.Trimesh, pieces: Iterable[Manifold]) -> trimesh.Trimesh:
    """Give one body of a plate and what stands on it."""
    whole = Manifold(Mesh(np.asarray(plate.vertices, np.float32), np.asarray(plate.faces, np.uint32)))
    mesh = Manifold.batch_boolean([whole, *pieces], OpType.Add).to_mesh()
    return trimesh.Trimesh(mesh.vert_properties[:, :3].astype(float), mesh.tri_verts, process=False)


def _standing(loops: Loops, upper: float) -> Manifold:
    flat: list[list[Point]] = [[(x, -y) for x, y in loop] for loop in loops]
    shape = CrossSection(flat, FillRule.EvenOdd)
    return Manifold.extrude(shape, HEIGHT_MM + ROOT_MM).translate((0, 0, upper - ROOT_MM))


def _dot() -> Manifold:
    """Give a braille dot about (0, 0, 0): a cap of a ball as wide and high as braille's standard wants."""
    half, high = braille.DOT_DIAMETER / 2, braille.DOT_HEIGHT
    ball = (half * half + high * high) / (2 * high)
    rise = np.linspace(0.0, high, 3)
    edge = [(float((ball**2 - (ball - high + z) ** 2) ** 0.5), float(z)) for z in rise[:-1]]
    profile = [(0.0, -ROOT_MM), (half, -ROOT_MM), *edge, (0.0, high)]
    return Manifold.revolve(CrossSection([profile], FillRule.Positive), FACETS)
