"""Lays the header board out in KiCad: places the netlist's parts, routes them, fills the ground, runs the rules check.

Runs with the Python of KiCad's own system, as a program:  layout.py NETLIST.json FOLDER. It therefore imports nothing
of this project but what lies beside it. The folder has the schematic already; the rules check compares with it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pcbnew

sys.path.insert(0, str(Path(__file__).parent))
if TYPE_CHECKING:
    from hardware.board import outline, places, route
else:
    import outline  # found beside this file, by the line above
    import places
    import route

LIBRARIES = Path("/usr/share/kicad/footprints")
WIDTH, HEIGHT = outline.WIDTH, outline.HEIGHT
ATTEMPTS = 4
"""Orders of routing that are tried until the design rules find nothing."""
WIDE_NETS = frozenset({"5V", "lamps 5 V"})
"""They carry the lamps: 0.7 mm of 35 µm copper warms by less than 10 °C at 1 A."""
SILK = {"size": 0.8, "pen": 0.15}
"""Letters that a maker's printer can do, in mm."""


def mm(x: float, y: float) -> Any:
    """Give a point for KiCad, which counts nm."""
    return pcbnew.VECTOR2I(round(x * 1e6), round(y * 1e6))


class Layout:
    """The board being laid out."""

    def __init__(self, parts: dict[str, dict[str, Any]]) -> None:
        self.parts = parts
        self.board = pcbnew.BOARD()
        # A plug's pin may have a single spoke to one side's ground: it has the other side's too.
        self.board.GetDesignSettings().m_MinResolvedSpokes = 1
        self.nets: dict[str, Any] = {}
        for name in sorted({net for part in parts.values() for net in part["nets"].values()}):
            self.nets[name] = pcbnew.NETINFO_ITEM(self.board, name)
            self.board.Add(self.nets[name])

    def place_all(self) -> None:
        """Place every part where the table has it. Stops the program where one has no place."""
        where = places.all_places(self.parts)
        if missing := set(self.parts) - set(where):
            raise SystemExit(f"no place for {', '.join(sorted(missing))}")
        for ref in self.parts:
            self.place(ref, where[ref])

    def place(self, ref: str, spot: places.Place) -> None:
        """Place a part with its footprint's middle (for plugs: pin 1) at a point."""
        part = self.parts[ref]
        library, name = part["footprint"].split(":")
        footprint = pcbnew.FootprintLoad(str(LIBRARIES / f"{library}.pretty"), name)
        footprint.SetFPIDAsString(part["footprint"])
        footprint.SetReference(ref)
        footprint.SetValue(part["value"])
        footprint.SetPath(pcbnew.KIID_PATH(f"/{part['symbol']}"))
        footprint.Value().SetVisible(False)
        self.board.Add(footprint)
        if spot.below:
            footprint.Flip(footprint.GetPosition(), pcbnew.FLIP_DIRECTION_TOP_BOTTOM)
        footprint.SetOrientationDegrees(spot.turn)
        footprint.SetPosition(mm(spot.x, spot.y))
        for pad in footprint.Pads():
            net = part["nets"].get(pad.GetNumber())
            if net:
                pad.SetNet(self.nets[net])
            if ref == "J1" and net == "GND":  # what is between its pins leaves no room for spokes
                pad.SetLocalZoneConnection(pcbnew.ZONE_CONNECTION_FULL)
        self.name(footprint, ref, spot)

    def name(self, footprint: Any, ref: str, spot: places.Place) -> None:
        """Write a part's reference beside it; below the board, on that side and mirrored."""
        text = footprint.Reference()
        text.SetLayer(pcbnew.B_SilkS if spot.below else pcbnew.F_SilkS)
        text.SetTextSize(pcbnew.VECTOR2I_MM(SILK["size"], SILK["size"]))
        text.SetTextThickness(pcbnew.FromMM(SILK["pen"]))
        dx, dy, angle = places.name_at(ref, self.parts[ref]["footprint"], spot)
        text.SetPosition(mm(spot.x + dx, spot.y + dy))
        text.SetTextAngleDegrees(angle)
        text.SetKeepUpright(False)


def draw_edge(layout: Layout) -> None:
    """Draw the outline and the mounting holes."""
    corners = [(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)]
    for begin, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        line = pcbnew.PCB_SHAPE(layout.board)
        line.SetShape(pcbnew.SHAPE_T_SEGMENT)
        line.SetLayer(pcbnew.Edge_Cuts)
        line.SetStart(mm(*begin))
        line.SetEnd(mm(*end))
        line.SetWidth(pcbnew.FromMM(0.1))
        layout.board.Add(line)
    for index, (x, y) in enumerate(outline.HOLES):
        hole = pcbnew.FootprintLoad(str(LIBRARIES / "MountingHole.pretty"), "MountingHole_2.7mm_M2.5")
        hole.SetReference(f"H{index + 1}")
        hole.Reference().SetVisible(False)
        hole.SetAttributes(pcbnew.FP_BOARD_ONLY | pcbnew.FP_EXCLUDE_FROM_BOM | pcbnew.FP_EXCLUDE_FROM_POS_FILES)
        hole.Value().SetVisible(False)
        hole.SetPosition(mm(x, y))
        layout.board.Add(hole)


def write(layout: Layout, word: places.Word) -> None:
    """Write words beside a point."""
    text = pcbnew.PCB_TEXT(layout.board)
    text.SetText(word.text)
    text.SetLayer(pcbnew.B_SilkS if word.below else pcbnew.F_SilkS)
    text.SetMirrored(word.below)
    text.SetTextSize(pcbnew.VECTOR2I_MM(word.size, word.size))
    text.SetTextThickness(pcbnew.FromMM(0.15 if word.size <= 1.0 else 0.2))
    sides = {"left": pcbnew.GR_TEXT_H_ALIGN_LEFT, "middle": pcbnew.GR_TEXT_H_ALIGN_CENTER,
             "right": pcbnew.GR_TEXT_H_ALIGN_RIGHT}  # fmt: skip
    text.SetHorizJustify(sides[word.align])
    text.SetTextAngleDegrees(word.angle)
    text.SetPosition(mm(word.x, word.y))
    layout.board.Add(text)


def pads_of(layout: Layout) -> list[route.Pad]:
    """Give all pads for the router; a hole without copper belongs to no net and keeps all away."""
    found = []
    for footprint in layout.board.GetFootprints():
        for pad in footprint.Pads():
            box, at = pad.GetBoundingBox(), pad.GetPosition()
            layers = tuple(i for i, layer in enumerate((pcbnew.F_Cu, pcbnew.B_Cu)) if pad.IsOnLayer(layer))
            half = pcbnew.ToMM(box.GetWidth()) / 2, pcbnew.ToMM(box.GetHeight()) / 2
            name = pad.GetNetname() or f"no net {footprint.GetReference()}.{pad.GetNumber()}"
            through = pad.GetAttribute() in (pcbnew.PAD_ATTRIB_PTH, pcbnew.PAD_ATTRIB_NPTH)
            if pad.GetAttribute() == pcbnew.PAD_ATTRIB_NPTH:
                half = half[0] + 0.3, half[1] + 0.3
            found.append(route.Pad(pcbnew.ToMM(at.x), pcbnew.ToMM(at.y), *half, name, (0, 1) if through else layers))
    return found


def words_of(layout: Layout) -> list[route.Box]:
    """Give where something is printed: the words, and the parts' names."""
    texts = [one for one in layout.board.GetDrawings() if isinstance(one, pcbnew.PCB_TEXT)]
    texts += [footprint.Reference() for footprint in layout.board.GetFootprints() if footprint.Reference().IsVisible()]
    boxes = [text.GetBoundingBox() for text in texts]
    edges = ((box.GetLeft(), box.GetTop(), box.GetRight(), box.GetBottom()) for box in boxes)
    return [(pcbnew.ToMM(a), pcbnew.ToMM(b), pcbnew.ToMM(c), pcbnew.ToMM(d)) for a, b, c, d in edges]


def draw_tracks(layout: Layout, grid: route.Grid) -> None:
    """Turn the router's ways into tracks and vias."""
    for net, ways in grid.tracks.items():
        for way in ways:
            start = way[0]
            for before, here, after in zip(way, way[1:], [*way[2:], None], strict=False):
                if before[2] != here[2]:
                    add_via(layout, net, here)
                    start = here
                    continue
                if after is None or after[2] != here[2] or step(before, here) != step(here, after):
                    add_track(layout, net, grid.width_of(net), start, here)
                    start = here


def step(begin: route.Cell, end: route.Cell) -> tuple[int, int]:
    """Give the direction of one step."""
    return end[0] - begin[0], end[1] - begin[1]


def add_track(layout: Layout, net: str, width: float, begin: route.Cell, end: route.Cell) -> None:
    """Add one straight piece."""
    track = pcbnew.PCB_TRACK(layout.board)
    track.SetStart(mm(begin[0] * route.STEP, begin[1] * route.STEP))
    track.SetEnd(mm(end[0] * route.STEP, end[1] * route.STEP))
    track.SetWidth(pcbnew.FromMM(width))
    track.SetLayer((pcbnew.F_Cu, pcbnew.B_Cu)[begin[2]])
    track.SetNet(layout.nets[net])
    layout.board.Add(track)


def add_via(layout: Layout, net: str, at: route.Cell) -> None:
    """Add a via."""
    via = pcbnew.PCB_VIA(layout.board)
    via.SetPosition(mm(at[0] * route.STEP, at[1] * route.STEP))
    via.SetFrontWidth(pcbnew.FromMM(route.VIA))
    via.SetDrill(pcbnew.FromMM(0.35))
    via.SetNet(layout.nets[net])
    layout.board.Add(via)


def fill_ground(board: Any) -> None:
    """Fill what is free on both sides with ground."""
    for layer in (pcbnew.F_Cu, pcbnew.B_Cu):
        zone = pcbnew.ZONE(board)
        zone.SetLayer(layer)
        zone.SetNet(board.FindNet("GND"))
        outline = zone.Outline()
        outline.NewOutline()
        for x, y in ((0.6, 0.6), (WIDTH - 0.6, 0.6), (WIDTH - 0.6, HEIGHT - 0.6), (0.6, HEIGHT - 0.6)):
            outline.Append(pcbnew.FromMM(x), pcbnew.FromMM(y))
        zone.SetLocalClearance(pcbnew.FromMM(0.25))
        zone.SetMinThickness(pcbnew.FromMM(0.25))
        zone.SetIslandRemovalMode(pcbnew.ISLAND_REMOVAL_MODE_ALWAYS)
        board.Add(zone)
    board.BuildConnectivity()
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())


def check_nets(layout: Layout, board: Any) -> None:
    """Compare every pad of the written board with the netlist. Stops the program where they differ."""
    for ref, part in layout.parts.items():
        on_board = {pad.GetNumber(): pad.GetNetname() for pad in board.FindFootprintByReference(ref).Pads()}
        if {pin: net for pin, net in on_board.items() if net} != part["nets"]:
            raise SystemExit(f"{ref} on the board is not connected as in the netlist")


def write_shapes(layout: Layout, grid: route.Grid, pads: list[route.Pad], target: Path) -> None:
    """Write what was laid out as JSON, for the checks: sizes, pads and tracks."""
    at = route.STEP
    tracks = [
        {"net": net, "width": grid.width_of(net), "points": [[c * at, r * at, layer] for c, r, layer in way]}
        for net, ways in grid.tracks.items()
        for way in ways
    ]
    boxes = {
        footprint.GetReference(): [pcbnew.ToMM(edge) for edge in _courtyard(footprint)]
        for footprint in layout.board.GetFootprints()
    }
    size = {"width": WIDTH, "height": HEIGHT, "courtyards": boxes}
    target.write_text(json.dumps({**size, "pads": pads, "tracks": tracks}), encoding="utf-8")


def _courtyard(footprint: Any) -> tuple[int, int, int, int]:
    layer = pcbnew.B_CrtYd if footprint.IsFlipped() else pcbnew.F_CrtYd
    box = footprint.GetCourtyard(layer).BBox()
    return box.GetLeft(), box.GetTop(), box.GetRight(), box.GetBottom()


def attempt(parts: dict[str, dict[str, Any]], folder: Path, seed: int) -> bool:
    """Lay the board out once and write it, with KiCad's report of the rules check; True where that is clean."""
    pcbnew.KIID.SeedGenerator(seed)  # the same identities each time, and so the same order in the file
    layout = Layout(parts)
    layout.place_all()
    draw_edge(layout)
    for word in places.all_words():
        write(layout, word)
    pads = pads_of(layout)
    nets: dict[str, list[route.Pad]] = {}
    for pad in pads:
        nets.setdefault(pad.net, []).append(pad)
    grid = route.route_all(route.Grid(WIDTH, HEIGHT, pads, WIDE_NETS, words_of(layout)), nets, "GND", seed)
    draw_tracks(layout, grid)
    target = str(folder / "header-board.kicad_pcb")
    pcbnew.SaveBoard(target, layout.board)
    board = pcbnew.LoadBoard(target)
    fill_ground(board)
    pcbnew.SaveBoard(target, board)
    check_nets(layout, pcbnew.LoadBoard(target))
    write_shapes(layout, grid, pads, folder / "header-board.json")
    found = rules_check(folder)
    dangling = [one for one in found["violations"] if one["type"] == "track_dangling"]
    if dangling:
        take_off(target, {item["uuid"] for one in dangling for item in one["items"]})
        found = rules_check(folder)
    return not any(found[kind] for kind in ("violations", "unconnected_items", "schematic_parity"))


def rules_check(folder: Path) -> dict[str, Any]:
    """Run KiCad's design-rules check, with all that it can say, and give its report."""
    report = folder / "drc.json"
    command = ["kicad-cli", "pcb", "drc", "--schematic-parity", "--severity-all", "--format", "json", "-o", str(report)]
    subprocess.run([*command, str(folder / "header-board.kicad_pcb")], check=True, capture_output=True)  # noqa: S603
    found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return found


def take_off(target: str, loose: set[str]) -> None:
    """Take tracks that end nowhere off the board: a way that joined its net beside an end leaves such a piece."""
    board = pcbnew.LoadBoard(target)
    for track in list(board.GetTracks()):
        if track.m_Uuid.AsString() in loose:
            board.Delete(track)
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    pcbnew.SaveBoard(target, board)


def main(source: str, folder: str) -> None:
    """Lay the board out until the rules check is clean; the last report stays, whatever it says."""
    parts = json.loads(Path(source).read_text(encoding="utf-8"))
    for seed in range(ATTEMPTS):
        if attempt(parts, Path(folder), seed):
            return


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
