"""Finds ways for tracks on a board of two layers: a grid, and the cheapest way from a pad to what its net has already.

Pure: points in mm, no KiCad. A cell is blocked for a net where a track's middle would come too near to another net's
pad. Where it would come too near to another net's track it costs more: if that is the cheapest way all the same, the
other net is taken up and laid anew, and the place grows dearer each time, so that one of the two gives way in the end.
"""

from __future__ import annotations

from functools import lru_cache
from heapq import heapify, heappop, heappush
from math import ceil, floor, hypot
from random import Random
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

STEP = 0.2
TRACK = 0.25
CLEARANCE = 0.2
VIA, HOLE = 0.7, 0.35
WALL = 0.25
"""What stays between two holes, of one net too."""
EDGE = 0.65
VIA_COST = 12.0
BACK_COST = 1.6
"""The back is for the ground plane: a track there costs more."""
STITCH = 1.2
"""Distance of the vias that sew the ground of both sides together."""
TOLL, DEARER = 8.0, 6.0
"""What it costs to cross another net's track, a cell, and how much more each time it was fought for."""
SHORT = 9.0
"""Nets of chips that lie side by side go before the vias to the plane, which would stand in their way."""

FREE, NOBODY = 0, -1
Cell = tuple[int, int, int]
"""Column, row, layer: 0 is the front, 1 the back."""
Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""


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


class Grid:
    """The board's grid. For each cell: whose pads and whose tracks are too near for a track's middle, and for a via's.

    An owner of tracks is a net, or one via of the plane. wide_nets: their tracks are as wide as a via. words: where
    something is printed (mm); no via is put there, whose hole would take a stroke from a letter.
    """

    def __init__(self, width: float, height: float, pads: list[Pad], wide_nets: frozenset[str] = frozenset(),
                 words: Sequence[Box] = ()) -> None:  # fmt: skip
        self.wide_nets = wide_nets
        self.columns, self.rows = int(width / STEP), int(height / STEP)
        self.line = self.columns + 1
        self.layer = self.line * (self.rows + 1)
        self.numbers = {net: index + 1 for index, net in enumerate(dict.fromkeys(pad.net for pad in pads))}
        self.blocked = [[FREE] * (2 * self.layer) for _ in (0, 1)]
        """For a track and for a via: FREE, the number of the one net that may be here, or NOBODY."""
        self.near: list[list[set[str] | None]] = [[None] * (2 * self.layer) for _ in (0, 1, 2)]
        """Owners of tracks; the third list has those of vias whose hole is too near for another hole."""
        self.dearer = [0.0] * (2 * self.layer)
        """What a cell costs more since nets have fought for it."""
        self.marks: dict[str, list[tuple[int, int]]] = {}
        self.tracks: dict[str, list[list[Cell]]] = {}
        for pad in pads:
            self._keep_clear(pad)
        for layer in (0, 1):
            for row in range(self.rows + 1):
                for column in range(self.line):
                    at = self.index((column, row, layer))
                    if not self.inside((column, row, layer)):
                        self.blocked[0][at] = self.blocked[1][at] = NOBODY
                    elif not self.inside((column, row, layer), EDGE + (VIA - TRACK) / 2):
                        self.blocked[1][at] = NOBODY
        for word in words:
            self._keep_vias_off(word)

    def _keep_vias_off(self, word: Box) -> None:
        left, top, right, bottom = word
        for row in range(max(0, floor((top - VIA / 2) / STEP)), min(self.rows, ceil((bottom + VIA / 2) / STEP)) + 1):
            for column in range(max(0, floor((left - VIA / 2) / STEP)),
                                min(self.columns, ceil((right + VIA / 2) / STEP)) + 1):  # fmt: skip
                for layer in (0, 1):
                    self.blocked[1][self.index((column, row, layer))] = NOBODY

    def index(self, cell: Cell) -> int:
        """Give a cell's place in the lists."""
        return cell[2] * self.layer + cell[1] * self.line + cell[0]

    def cell(self, index: int) -> Cell:
        """Give the cell at a place in the lists."""
        layer, rest = divmod(index, self.layer)
        row, column = divmod(rest, self.line)
        return column, row, layer

    def _keep_clear(self, pad: Pad) -> None:
        number = self.numbers[pad.net]
        for blocked, reach in zip(self.blocked, (TRACK / 2 + CLEARANCE, VIA / 2 + CLEARANCE), strict=True):
            wide, high = pad.half_wide + reach, pad.half_high + reach
            for column in range(max(0, ceil((pad.x - wide) / STEP)), min(self.columns, int((pad.x + wide) / STEP)) + 1):
                for row in range(max(0, ceil((pad.y - high) / STEP)), min(self.rows, int((pad.y + high) / STEP)) + 1):
                    dx = max(0.0, abs(column * STEP - pad.x) - pad.half_wide)
                    dy = max(0.0, abs(row * STEP - pad.y) - pad.half_high)
                    if hypot(dx, dy) < reach - 1e-6:
                        for layer in pad.layers:
                            at = self.index((column, row, layer))
                            blocked[at] = number if blocked[at] in (FREE, number) else NOBODY

    def inside(self, cell: Cell, away: float = EDGE) -> bool:
        """Is a cell so many mm away from the board's edge?"""
        margin = away / STEP
        return margin <= cell[0] <= self.columns - margin and margin <= cell[1] <= self.rows - margin

    def free_for_via(self, cell: Cell, net: str) -> bool:
        """May this net change layers here, for all that pads say?"""
        at, may = self.index((*cell[:2], 0)), (FREE, self.numbers[net])
        return self.blocked[1][at] in may and self.blocked[1][at + self.layer] in may

    def others(self, at: int, net: str, kind: int) -> set[str]:
        """Give the owners of other nets whose tracks are too near for this net's track (0) or via (1)."""
        return {owner for owner in self.near[kind][at] or () if net_of(owner) != net}

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

    def lay(self, owner: str, way: list[Cell]) -> None:
        """Put a track on the board."""
        self.tracks.setdefault(owner, []).append(way)
        for before, cell in zip([way[0], *way], way, strict=False):
            self._mark(owner, cell, via=before[2] != cell[2])

    def take_up(self, owner: str) -> None:
        """Take all tracks of an owner off the board again."""
        for kind, at in self.marks.pop(owner, []):
            if owners := self.near[kind][at]:
                owners.discard(owner)
        self.tracks.pop(owner, None)

    def width_of(self, net: str) -> float:
        """Give the width of a net's tracks."""
        return VIA if net in self.wide_nets else TRACK

    def sew(self, net: str) -> None:
        """Put vias of a plane's net wherever there is room, so that no part of it is cut off."""
        step = round(STITCH / STEP)
        for column in range(step // 2, self.columns, step):
            for row in range(step // 2, self.rows, step):
                both = [(column, row, layer) for layer in (0, 1)]
                places = [self.index(cell) for cell in both]
                if not any(self.blocked[1][at] != FREE or self.near[1][at] or self.near[2][at] for at in places):
                    self.lay(net, both)

    def _mark(self, owner: str, cell: Cell, *, via: bool) -> None:
        half = VIA / 2 if via else self.width_of(net_of(owner)) / 2
        marks = self.marks.setdefault(owner, [])
        reaches = [half + CLEARANCE + TRACK / 2, half + CLEARANCE + VIA / 2, *([HOLE + WALL] if via else [])]
        for kind, reach in enumerate(reaches):
            for dx, dy in disc(reach):
                column, row = cell[0] + dx, cell[1] + dy
                if not (0 <= column <= self.columns and 0 <= row <= self.rows):
                    continue
                for layer in (0, 1) if via else (cell[2],):
                    at = self.index((column, row, layer))
                    owners = self.near[kind][at]
                    if owners is None:
                        owners = self.near[kind][at] = set()
                    if owner not in owners:
                        owners.add(owner)
                        marks.append((kind, at))


@lru_cache
def disc(reach: float) -> list[tuple[int, int]]:
    """Give all steps of columns and rows that are less than `reach` mm long."""
    cells = range(-int(reach / STEP) - 1, int(reach / STEP) + 2)
    return [(dx, dy) for dx in cells for dy in cells if hypot(dx, dy) * STEP < reach - 1e-6]


def net_of(owner: str) -> str:
    """Give the net that an owner belongs to: a via of the plane is the plane's."""
    return owner.partition("#")[0]


_STEPS = [(dx, dy, 1.0 if 0 in (dx, dy) else 1.415) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


def find_way(grid: Grid, net: str, begin: list[Cell], goal: set[Cell]) -> list[Cell]:  # noqa: C901 - the inner loop
    """Give the cheapest way from any of `begin` to any of `goal`. Raises Unroutable."""
    left, right = min(c[0] for c in goal), max(c[0] for c in goal)
    top, bottom = min(c[1] for c in goal), max(c[1] for c in goal)
    line, whole, number, wide = grid.line, grid.layer, grid.numbers[net], net in grid.wide_nets
    track, via = grid.blocked[wide], grid.blocked[1]
    near, near_via, holes, dearer = grid.near[wide], grid.near[1], grid.near[2], grid.dearer
    steps = [(dy * line + dx, price) for dx, dy, price in _STEPS]
    goals = {grid.index(cell) for cell in goal}

    def at_least(at: int) -> float:
        row, column = divmod(at % whole, line)
        dx, dy = max(left - column, column - right, 0), max(top - row, row - bottom, 0)
        return max(dx, dy) + 0.414 * min(dx, dy)

    cost = {grid.index(cell): 0.0 for cell in begin}
    came: dict[int, int] = {}
    queue = [(at_least(at), at) for at in cost]
    heapify(queue)
    done: set[int] = set()
    while queue:
        here = heappop(queue)[1]
        if here in goals:
            way = [here]
            while way[-1] in came:
                way.append(came[way[-1]])
            return [grid.cell(at) for at in reversed(way)]
        if here in done:
            continue
        done.add(here)
        so_far, times = cost[here], BACK_COST if here >= whole else 1.0
        for step, price in steps:
            there = here + step
            if (track[there] != FREE and track[there] != number) or there in done:
                continue
            total = so_far + price * times + dearer[there]
            if (owners := near[there]) and (met := _met(owners, net)):
                total += TOLL * met
            if total < cost.get(there, 1e18):
                cost[there], came[there] = total, here
                heappush(queue, (total + at_least(there), there))
        there = here - whole if here >= whole else here + whole
        if any(net_of(owner) == net for owner in holes[here] or ()):
            continue
        if track[there] in (FREE, number) and via[here] in (FREE, number) and via[there] in (FREE, number):
            total = so_far + VIA_COST + dearer[here]
            total += TOLL * sum(_met(owners, net) for owners in (near_via[here], near_via[there]) if owners)
            if total < cost.get(there, 1e18):
                cost[there], came[there] = total, here
                heappush(queue, (total + at_least(there), there))
    raise Unroutable(net)


def _met(owners: set[str], net: str) -> int:
    """Count the owners that are not of this net."""
    return sum(net_of(owner) != net for owner in owners)


def route_net(grid: Grid, net: str, pads: list[Pad]) -> set[str]:
    """Join all pads of a net, each to what is nearest of those before it; gives the owners that had to go.

    Raises Unroutable.
    """
    tree, gone = set(grid.cells_of(pads[0])), set()
    left = pads[1:]
    while left:
        pad = min(left, key=lambda one: min(abs(c[0] * STEP - one.x) + abs(c[1] * STEP - one.y) for c in tree))
        left.remove(pad)
        way = find_way(grid, net, grid.cells_of(pad), tree)
        gone |= make_room(grid, net, way)
        grid.lay(net, way)
        tree.update(way)
        tree.update(grid.cells_of(pad))
    return gone


def make_room(grid: Grid, net: str, way: list[Cell]) -> set[str]:
    """Take up what is in a way; gives whose it was, and has the places where it was grow dearer."""
    gone = set()
    for before, cell in zip([way[0], *way], way, strict=False):
        at = grid.index(cell)
        met = grid.others(at, net, int(net in grid.wide_nets))
        if before[2] != cell[2]:
            met |= grid.others(at, net, 1) | grid.others(grid.index(before), net, 1)
        if met:
            grid.dearer[at] += DEARER
            gone |= met
    for owner in gone:
        grid.take_up(owner)
    return gone


def route_to_plane(grid: Grid, owner: str, pad: Pad) -> set[str]:
    """Lead a pad on one side to a via near it, for the plane on the other side; gives the owners that had to go.

    Raises Unroutable.
    """
    net, begin, side = net_of(owner), grid.cells_of(pad), pad.layers[0]
    reach, beside = 30, VIA / 2 + 0.1  # a via in the pad would drink the solder
    goal = {
        (c, r, side)
        for c in range(int(pad.x / STEP) - reach, int(pad.x / STEP) + reach)
        for r in range(int(pad.y / STEP) - reach, int(pad.y / STEP) + reach)
        if grid.free_for_via((c, r, 0), net)
        and not any(net_of(other) == net for other in grid.near[2][grid.index((c, r, side))] or ())
        and (abs(c * STEP - pad.x) > pad.half_wide + beside or abs(r * STEP - pad.y) > pad.half_high + beside)
    }
    if not goal:
        raise Unroutable(net)
    way = find_way(grid, net, begin, goal)
    way.append((*way[-1][:2], 1 - side))
    gone = make_room(grid, net, way)
    grid.lay(owner, way)
    return gone


def route_all(grid: Grid, nets: dict[str, list[Pad]], plane: str, seed: int = 0, limit: int = 1500) -> Grid:
    """Route every net, short ones first; what has to give way is routed again. Raises Unroutable after so many ways.

    Another seed shakes the order, for another board.
    """
    chance = Random(seed)  # noqa: S311  # no secret hangs on it

    def length(pads: list[Pad]) -> float:
        xs, ys = [pad.x for pad in pads], [pad.y for pad in pads]
        return (max(xs) - min(xs) + max(ys) - min(ys)) * (1 + (chance.random() if seed else 0.0))

    wanted = {net: pads for net, pads in nets.items() if net != plane and len(pads) > 1}
    lone = {f"{plane}#{index}": [pad] for index, pad in enumerate(nets.get(plane, [])) if len(pad.layers) == 1}
    how_long = {net: length(pads) for net, pads in wanted.items()} | dict.fromkeys(lone, SHORT)
    wanted |= lone
    queue = [(far, owner) for owner, far in how_long.items()]
    queue.sort()
    for _ in range(limit):
        if not queue:
            break
        _, owner = queue.pop(0)
        route_one = route_to_plane if owner in lone else route_net
        gone = route_one(grid, owner, wanted[owner][0] if owner in lone else wanted[owner])  # type: ignore[arg-type]
        queue += [(how_long[other], other) for other in sorted(gone)]
    if queue:
        raise Unroutable(queue[0][1])
    for owner in lone:
        grid.tracks.setdefault(plane, []).extend(grid.tracks.pop(owner))
    grid.sew(plane)
    return grid
