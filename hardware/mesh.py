"""Is a mesh one that can be printed, and do parts keep out of each other? Knows no case.

A mesh comes from a file whose numbers have six digits, and rounding lays corners that are near each other upon each
other: triangles between them vanish, and edges beside them may come to lie in one place, where four faces then meet.
None of it opens a body. What rounding cannot change is what counts here: along each edge as many faces run one way as
the other. In a hole's rim, and around a face that is turned, they do not.
"""

from __future__ import annotations

import io
from itertools import product
from math import cos, dist, floor, pi, sin
from typing import TYPE_CHECKING

import numpy as np
import trimesh
from manifold3d import Error, Manifold, Mesh

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray

GRAIN_MM = 0.002
"""Corners within this of each other are one: the last of six digits is 0.001 mm from 100 mm on, along each axis."""


def read_stl(path: Path) -> trimesh.Trimesh:
    """Read an STL file; corners within GRAIN_MM become one. Raises ValueError: not one, or nothing in it."""
    try:
        mesh = trimesh.load_mesh(io.BytesIO(path.read_bytes()), file_type="stl")
    except Exception as error:  # a text that is none fails in whatever numpy made of it
        raise ValueError(f"{path} is no STL file: {error}") from error
    if len(mesh.faces) == 0:
        raise ValueError(f"{path} is no STL file: there is no triangle in it")
    return welded(mesh)


def welded(mesh: trimesh.Trimesh) -> trimesh.Trimesh:
    """Give a copy in which corners within GRAIN_MM of each other are one, without the triangles that then vanish."""
    faces = _stand_ins(mesh.vertices)[mesh.faces]
    whole = (faces != np.roll(faces, 1, axis=1)).all(axis=1)
    copy = trimesh.Trimesh(mesh.vertices, faces[whole], process=False)
    copy.remove_unreferenced_vertices()
    return copy


def fault(mesh: trimesh.Trimesh) -> str | None:
    """Say why a mesh bounds no body, None where it does: closed, every face the same way round and outwards."""
    along, sides = _edges(mesh)
    if (sides % 2).any():
        return "it is open"
    if along.any():
        return "some faces are turned"
    if mesh.volume <= 0:
        return f"it is inside out: {mesh.volume:.0f} mm³"
    status = _body(mesh).status()
    return None if status == Error.NoError else f"Manifold says {status.name}"


def overlap(one: trimesh.Trimesh, other: trimesh.Trimesh) -> float:
    """Give the volume in mm³ that two bodies both take. Raises ValueError: one is no body."""
    return common(body(one), body(other))


def body(mesh: trimesh.Trimesh) -> Manifold:
    """Give what a mesh bounds, for `common`. Raises ValueError: it bounds none."""
    found = _body(mesh)
    if found.status() != Error.NoError:
        raise ValueError(f"no body: {found.status().name}")
    return found


def common(one: Manifold, other: Manifold) -> float:
    """Give the volume in mm³ that two bodies both take."""
    return float((one ^ other).volume())


def turned(mesh: trimesh.Trimesh, degrees: float) -> trimesh.Trimesh:
    """Give a copy, turned about the upright axis through the origin, anticlockwise from above."""
    across, along = cos(degrees * pi / 180), sin(degrees * pi / 180)
    matrix = np.identity(4)
    matrix[:2, :2] = [[across, -along], [along, across]]
    copy = mesh.copy()
    copy.apply_transform(matrix)
    return copy


def moved(mesh: trimesh.Trimesh, by: Iterable[float]) -> trimesh.Trimesh:
    """Give a copy, moved by (x, y, z) mm."""
    copy = mesh.copy()
    copy.apply_translation(list(by))
    return copy


def bed(mesh: trimesh.Trimesh) -> float:
    """Give the smallest square bed, in mm, that it fits on lying as it is, turned as one likes."""
    flat = np.unique(mesh.vertices[:, :2], axis=0)
    best = float("inf")
    for step in range(90):
        turn = step * pi / 180
        spread = np.ptp(flat @ np.array([[cos(turn), sin(turn)], [-sin(turn), cos(turn)]]), axis=0)
        best = min(best, float(spread.max()))
    return best


def _stand_ins(corners: NDArray[np.float64]) -> NDArray[np.int64]:
    """Give for each corner the number of the one that stands for it: the first within GRAIN_MM, or its own."""
    stand_in: dict[tuple[int, int, int], list[int]] = {}
    found = np.arange(len(corners))
    for number, corner in enumerate(corners.tolist()):
        x, y, z = (floor(length / GRAIN_MM) for length in corner)
        cells = product((x - 1, x, x + 1), (y - 1, y, y + 1), (z - 1, z, z + 1))
        near = [one for cell in cells for one in stand_in.get(cell, ()) if dist(corners[one], corner) <= GRAIN_MM]
        found[number] = min(near, default=number)
        if not near:
            stand_in.setdefault((x, y, z), []).append(number)
    return found


def _edges(mesh: trimesh.Trimesh) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give for each edge how many more faces run along it one way than the other, and how many there are."""
    ways = np.where(mesh.edges[:, 0] < mesh.edges[:, 1], 1, -1)
    _, edge = np.unique(mesh.edges_sorted, axis=0, return_inverse=True)
    return np.bincount(edge, ways).astype(np.int64), np.bincount(edge)


def _body(mesh: trimesh.Trimesh) -> Manifold:
    return Manifold(Mesh(np.asarray(mesh.vertices, np.float32), np.asarray(mesh.faces, np.uint32)))
