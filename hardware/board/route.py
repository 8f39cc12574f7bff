"""Finds ways for tracks on a board of two layers: a grid, and the cheapest way from a pad to what its net has already.

Pure: points in mm, no KiCad. A cell is blocked for a net where a track's middle would come too near to another net.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import ceil, hypot
from random import Random
from typing import NamedTuple

STEP = 0.2
TRACK = 0.25
CLEARANCE = 0.2
VIA = 0.7
EDGE = 0.6
VIA_COST = 12.0
BACK_COST = 1.6
STITCH = 2.0
"""Distance of the vias that sew the ground of both sides together."""
"""The back is for the ground plane: a track there costs more."""

Cell = tuple[int, int, int]
"""Column, row, layer: 0 is the front, 1 the back."""


class Pad(NamedTuple):
    """A pad's middle, half its width and height, its net, and the layers it is on."""

    x: float
    y: float
    half_wide: float
    half_high: float
    net: str
    layers: tuple[int, ...]


class Unroutable(Exception):
    """A net found no way; its name is the argument."""


@dataclass
class Grid:
    """The board's grid. `owner` gives for each blocked cell the nets that are near it."""

    width: float
    height: float
    pads: list[Pad]
    wide_nets: frozenset[str] = frozenset()
    """Nets whose tracks are as wide as a via, for more current."""
    track_near: dict[Cell, set[str]] = field(default_factory=dict)
    via_near: dict[Cell, set[str]] = field(default_factory=dict)
    tracks: dict[str, list[list[Cell]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.columns, self.rows = int(self.width / STEP), int(self.height / STEP)
        for pad in self.pads:
            self._keep_clear(pad)

    def _keep_clear(self, pad: Pad) -> None:
        for near, reach in ((self.track_near, TRACK / 2 + CLEARANCE), (self.via_near, VIA / 2 + CLEARANCE)):
            wide, high = pad.half_wide + reach, pad.half_high + reach
            for column in range(ceil((pad.x - wide) / STEP), int((pad.x + wide) / STEP) + 1):
                for row in range(ceil((pad.y - high) / STEP), int((pad.y + high) / STEP) + 1):
                    dx = max(0.0, abs(column * STEP - pad.x) - pad.half_wide)
                    dy = max(0.0, abs(row * STEP - pad.y) - pad.half_high)
                    if hypot(dx, dy) < reach - 1e-6:
                        for layer in pad.layers:
                            near.setdefault((column, row, layer), set()).add(pad.net)

    def inside(self, cell: Cell) -> bool:
        """Is a cell far enough from the board's edge?"""
        margin = EDGE / STEP
        return margin <= cell[0] <= self.columns - margin and margin <= cell[1] <= self.rows - margin

    def free(self, cell: Cell, net: str) -> bool:
        """May a track of this net go through a cell?"""
        near = self.via_near if net in self.wide_nets else self.track_near
        return self.inside(cell) and not near.get(cell, _NOTHING) - {net}

    def free_for_via(self, cell: Cell, net: str) -> bool:
        """May this net change layers here?"""
        both = ((cell[0], cell[1], layer) for layer in (0, 1))
        return self.inside(cell) and all(not self.via_near.get(one, _NOTHING) - {net} for one in both)

    def cells_of(self, pad: Pad) -> list[Cell]:
        """Give the cells well inside a pad."""
        found = []
        for column in range(ceil((pad.x - pad.half_wide) / STEP), int((pad.x + pad.half_wide) / STEP) + 1):
            for row in range(ceil((pad.y - pad.half_high) / STEP), int((pad.y + pad.half_high) / STEP) + 1):
                if abs(column * STEP - pad.x) <= max(pad.half_wide - 0.2, 0.11) and (
                    abs(row * STEP - pad.y) <= max(pad.half_high - 0.2, 0.11)
                ):
                    found += [(column, row, layer) for layer in pad.layers]
        return found

    def lay(self, net: str, way: list[Cell]) -> None:
        """Put a track on the board."""
        self.tracks.setdefault(net, []).append(way)
        for before, cell in zip([way[0], *way], way, strict=False):
            self._mark(net, cell, via=before[2] != cell[2])

    def width_of(self, net: str) -> float:
        """Give the width of a net's tracks."""
        return VIA if net in self.wide_nets else TRACK

    def sew(self, net: str) -> None:
        """Put vias of a plane's net wherever there is room, so that no part of it is cut off."""
        step = round(STITCH / STEP)
        for column in range(step // 2, self.columns, step):
            for row in range(step // 2, self.rows, step):
                both = [(column, row, layer) for layer in (0, 1)]
                if self.inside(both[0]) and not any(self.via_near.get(cell) for cell in both):
                    self.lay(net, both)

    def _mark(self, net: str, cell: Cell, *, via: bool) -> None:
        half = VIA / 2 if via else self.width_of(net) / 2
        for near, other in ((self.track_near, TRACK / 2), (self.via_near, VIA / 2)):
            reach = half + CLEARANCE + other
            cells = int(reach / STEP) + 1
            for dx in range(-cells, cells + 1):
                for dy in range(-cells, cells + 1):
                    if hypot(dx, dy) * STEP < reach - 1e-6:
                        for layer in (0, 1) if via else (cell[2],):
                            near.setdefault((cell[0] + dx, cell[1] + dy, layer), set()).add(net)


_NOTHING: frozenset[str] = frozenset()
_STEPS = [(dx, dy, 1.0 if 0 in (dx, dy) else 1.415) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


def find_way(grid: Grid, net: str, begin: list[Cell], goal: set[Cell]) -> list[Cell]:
    """Give the cheapest way from any of `begin` to any of `goal`. Raises Unroutable."""
    middle = (sum(c[0] for c in goal) / len(goal), sum(c[1] for c in goal) / len(goal))
    spread = max(hypot(c[0] - middle[0], c[1] - middle[1]) for c in goal)

    def at_least(cell: Cell) -> float:
        return max(0.0, hypot(cell[0] - middle[0], cell[1] - middle[1]) - spread)

    cost = dict.fromkeys(begin, 0.0)
    came: dict[Cell, Cell] = {}
    queue = [(at_least(cell), cell) for cell in begin]
    done: set[Cell] = set()
    while queue:
        _, here = heappop(queue)
        if here in goal:
            way = [here]
            while way[-1] in came:
                way.append(came[way[-1]])
            return way[::-1]
        if here in done:
            continue
        done.add(here)
        for there, price in _next(grid, net, here):
            total = cost[here] + price
            if total < cost.get(there, 1e18):
                cost[there], came[there] = total, here
                heappush(queue, (total + at_least(there), there))
    raise Unroutable(net)


def _next(grid: Grid, net: str, here: Cell) -> list[tuple[Cell, float]]:
    column, row, layer = here
    found = []
    for dx, dy, price in _STEPS:
        there = (column + dx, row + dy, layer)
        if grid.free(there, net):
            found.append((there, price * (BACK_COST if layer else 1.0)))
    other = (column, row, 1 - layer)
    if grid.free_for_via(here, net) and grid.free(other, net):
        found.append((other, VIA_COST))
    return found


def route_net(grid: Grid, net: str, pads: list[Pad]) -> None:
    """Join all pads of a net, each to what is nearest of those before it. Raises Unroutable."""
    tree = set(grid.cells_of(pads[0]))
    left = pads[1:]
    while left:
        pad = min(left, key=lambda one: min(abs(c[0] * STEP - one.x) + abs(c[1] * STEP - one.y) for c in tree))
        left.remove(pad)
        way = find_way(grid, net, grid.cells_of(pad), tree)
        grid.lay(net, way)
        tree.update(way)
        tree.update(grid.cells_of(pad))


def route_to_plane(grid: Grid, net: str, pad: Pad) -> None:
    """Lead a pad on the front to a via near it, for the plane on the back. Raises Unroutable."""
    begin = grid.cells_of(pad)
    reach, beside = 30, VIA / 2 + 0.1  # a via in the pad would drink the solder
    goal = {
        (c, r, 1)
        for c in range(int(pad.x / STEP) - reach, int(pad.x / STEP) + reach)
        for r in range(int(pad.y / STEP) - reach, int(pad.y / STEP) + reach)
        if grid.free_for_via((c, r, 0), net)
        and (abs(c * STEP - pad.x) > pad.half_wide + beside or abs(r * STEP - pad.y) > pad.half_high + beside)
    }
    if not goal:
        raise Unroutable(net)
    way = find_way(grid, net, begin, goal)
    grid.lay(net, way)


def route_all(make_grid: Grid, nets: dict[str, list[Pad]], plane: str, seed: int = 0, tries: int = 12) -> Grid:
    """Route every net; one that finds no way goes first in the next try. Raises Unroutable after the last.

    Short nets go first; another seed shakes that order, for another board.
    """
    chance = Random(seed)  # noqa: S311  # no secret hangs on it

    def length(net: str) -> float:
        xs, ys = [pad.x for pad in nets[net]], [pad.y for pad in nets[net]]
        return (max(xs) - min(xs) + max(ys) - min(ys)) * (1 + (chance.random() if seed else 0.0))

    order = sorted((net for net in nets if net != plane and len(nets[net]) > 1), key=length)
    failed = ""
    for _ in range(tries):
        grid = Grid(make_grid.width, make_grid.height, make_grid.pads, make_grid.wide_nets)
        try:
            for pad in nets.get(plane, []):
                if pad.layers == (0,):
                    route_to_plane(grid, plane, pad)
            for net in order:
                failed = net
                route_net(grid, net, nets[net])
        except Unroutable as lost:
            failed = str(lost)
            order = [failed, *(net for net in order if net != failed)]
            continue
        grid.sew(plane)
        return grid
    raise Unroutable(failed)
