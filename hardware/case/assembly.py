"""The box put together: where each printed part lies, and whether all that is in it keeps out of each other."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from build123d import Part, Pos

from hardware.case import bodies, pod, table
from hardware.case.solids import spun, tessellated
from hardware.drawings.geometry import SEATS
from hardware.mesh import body, common, moved, turned

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from trimesh import Trimesh

    from hardware.drawings.geometry import ButtonSize

NOTHING_MM3 = 0.001
"""What two faces that touch may share by the rounding of their corners."""


class Placed(NamedTuple):
    """A part in its place: turned about the upright axis, anticlockwise from above, then moved."""

    name: str
    solid: Part
    degrees: float = 0.0
    by: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def mesh(self) -> Trimesh:
        """Give its surface where it lies."""
        return moved(turned(surface(self.solid), self.degrees), self.by)

    def placed(self) -> Part:
        """Give it as a solid where it lies."""
        return Pos(*self.by) * spun(self.solid, self.degrees)


@lru_cache(maxsize=256)
def surface(solid: Part) -> Trimesh:
    """Give a solid's surface; the same solid is worked out once."""
    return tessellated(solid)


def printed(size: ButtonSize, kind: str, *, topped: bool = True) -> Iterator[Placed]:
    """Give the printed parts for a "pi" or a "zero"; without tops and hub where a panel is cut."""
    for seat in range(SEATS):
        turn = -360 / SEATS * seat
        yield Placed(f"tray {seat + 1}", table.tray(size, out=seat == table.OUT_SEAT), turn)
        if topped:
            yield Placed(f"top {seat + 1}", table.top(size), turn)
    yield Placed("base", table.base(size, kind))
    if topped:
        yield Placed("hub", table.hub(size))
    low = 0.0 if topped else -table.TOP
    for name, apart in (("lower bar", 0.0), ("upper bar", table.BARS_APART)):
        yield Placed(name, table.bar(size), 0.0, (0.0, apart, low))


def bought(size: ButtonSize, name: str, *, topped: bool = True) -> Iterator[Placed]:
    """Give what is bought and lies in or on a box with that Pi: also plugs on their way through the openings."""
    for group in (bodies.pi(size, name), bodies.header_board(size)):
        yield from (Placed(what, solid) for what, solid in group.items())
    low = 0.0 if topped else -table.TOP
    for what, solid in bodies.middle(size).items():
        yield Placed(what, solid, 0.0, (0.0, 0.0, low))
    for use, (x, y) in bodies.button_places(size).items():
        yield Placed(use, bodies.button(size), 0.0, (x, y, 0.0))
    for seat in range(SEATS):
        yield Placed(f"foot {seat + 1}", bodies.foot(size), -360 / SEATS * seat)
    for what, solid in bodies.cables(size).items():
        yield Placed(what, solid, -360 / SEATS * table.OUT_SEAT)


def clashes(meshes: Mapping[str, Trimesh]) -> list[tuple[str, str, float]]:
    """Give each pair that takes the same place, with the volume in mm³ that both take."""
    found = []
    bounds = {name: mesh.bounds for name, mesh in meshes.items()}
    whole = {name: body(mesh) for name, mesh in meshes.items()}
    for one, other in combinations(meshes, 2):
        a, b = bounds[one], bounds[other]
        if (a[0] < b[1]).all() and (b[0] < a[1]).all() and (both := common(whole[one], whole[other])) > NOTHING_MM3:
            found.append((one, other, both))
    return found


def box(size: ButtonSize, name: str, *, topped: bool = True) -> dict[str, Trimesh]:
    """Give the surfaces of all that a box is made of, printed and bought, by name."""
    parts = [*printed(size, bodies.KINDS[name], topped=topped), *bought(size, name, topped=topped)]
    return {part.name: part.mesh() for part in parts}


def pod_box(size: ButtonSize) -> dict[str, Trimesh]:
    """Give the surfaces of all that a pod is made of, printed and bought, by name."""
    parts = [Placed("tray", pod.tray(size)), Placed("top", pod.top(size))]
    parts += [Placed(what, solid) for what, solid in pod.bought(size).items()]
    for number in range(4):
        parts.append(Placed(f"button {number + 1}", bodies.button(size), 0.0, ((number - 1.5) * size.pitch, 0.0, 0.0)))
    return {part.name: part.mesh() for part in parts}
