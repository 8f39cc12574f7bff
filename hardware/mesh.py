"""Is a mesh one that can be printed, and do parts keep out of each other? Knows no case."""

from __future__ import annotations

import io
from math import cos, pi, sin
from typing import TYPE_CHECKING

import numpy as np
import trimesh
from manifold3d import Error, Manifold, Mesh

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def read_stl(path: Path) -> trimesh.Trimesh:
    """Read an STL file; corners at the same place become one. Raises ValueError: not one, or nothing in it."""
    try:
        mesh = trimesh.load_mesh(io.BytesIO(path.read_bytes()), file_type="stl")
    except Exception as error:  # a text that is none fails in whatever numpy made of it
        raise ValueError(f"{path} is no STL file: {error}") from error
    if len(mesh.faces) == 0:
        raise ValueError(f"{path} is no STL file: there is no triangle in it")
    return mesh


def fault(mesh: trimesh.Trimesh) -> str | None:
    """Say why a mesh bounds no body, None where it does: closed, every face the same way round and outwards."""
    if not mesh.is_watertight:
        return "it is open"
    if not mesh.is_winding_consistent:
        return "some faces are turned"
    if mesh.volume <= 0:
        return f"it is inside out: {mesh.volume:.0f} mm³"
    status = _body(mesh).status()
    return None if status == Error.NoError else f"Manifold says {status.name}"


def overlap(one: trimesh.Trimesh, other: trimesh.Trimesh) -> float:
    """Give the volume in mm³ that two bodies both take. Raises ValueError: one is no body."""
    bodies = [_body(mesh) for mesh in (one, other)]
    for body in bodies:
        if body.status() != Error.NoError:
            raise ValueError(f"no body: {body.status().name}")
    return float((bodies[0] ^ bodies[1]).volume())


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


def _body(mesh: trimesh.Trimesh) -> Manifold:
    return Manifold(Mesh(np.asarray(mesh.vertices, np.float32), np.asarray(mesh.faces, np.uint32)))
