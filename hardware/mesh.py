"""Is a mesh one that can be printed? Reads STL as OpenSCAD writes it. Knows no case and no geometry."""

from __future__ import annotations

from collections import Counter
from math import cos, pi, sin
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

Point = tuple[float, float, float]
Triangle = tuple[Point, Point, Point]


def read_stl(text: str) -> list[Triangle]:
    """Read the triangles of an STL file in its text form. Raises ValueError: not one."""
    if not text.startswith("solid"):
        raise ValueError("not an STL file in text form: it does not begin with «solid»")
    points: list[Point] = []
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["vertex"]:
            x, y, z = (float(word) for word in words[1:])
            points.append((x, y, z))
    if len(points) % 3:
        raise ValueError(f"{len(points)} corners are not a whole number of triangles")
    return [(points[i], points[i + 1], points[i + 2]) for i in range(0, len(points), 3)]


def open_edges(triangles: Iterable[Triangle]) -> int:
    """Count edges that are not shared by exactly as many triangles one way round as the other: 0 means closed."""
    edges: Counter[tuple[Point, Point]] = Counter()
    for triangle in triangles:
        for index, begin in enumerate(triangle):
            edges[begin, triangle[(index + 1) % 3]] += 1
    return sum(1 for (begin, end), count in edges.items() if edges[end, begin] != count)


def volume(triangles: Iterable[Triangle]) -> float:
    """Give the volume in mm³; negative where the surface is inside out."""
    total = 0.0
    for (ax, ay, az), (bx, by, bz), (cx, cy, cz) in triangles:
        total += ax * (by * cz - bz * cy) - ay * (bx * cz - bz * cx) + az * (bx * cy - by * cx)
    return total / 6


def bed(triangles: Iterable[Triangle]) -> float:
    """Give the smallest square bed, in mm, that it fits on lying as it is, turned as one likes."""
    flat = list({(x, y) for triangle in triangles for x, y, _ in triangle})
    best = float("inf")
    for step in range(90):
        turn = step * pi / 180
        across = [x * cos(turn) - y * sin(turn) for x, y in flat]
        along = [x * sin(turn) + y * cos(turn) for x, y in flat]
        best = min(best, max(max(across) - min(across), max(along) - min(along)))
    return best
