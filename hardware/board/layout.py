"""Lays the header board out in KiCad: places the netlist's parts, routes them, fills the ground, runs the rules check.

Runs with the Python that KiCad came with (Debian's), as a program:  layout.py NETLIST.json FOLDER. It therefore
imports nothing of this project but the router beside it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pcbnew

sys.path.insert(0, str(Path(__file__).parent))
if TYPE_CHECKING:
    from hardware.board import route
else:
    import route  # found beside this file, by the line above

LIBRARIES = Path("/usr/share/kicad/footprints")
WIDTH, HEIGHT = 78.0, 72.0
HEADER_X, HEADER_Y = 21.0, 37.0
"""Pin 1: the inner row is the lower one, pin 2 above it, as seen from above on a Pi whose header is at the top."""
HOLES = [(HEADER_X + 24.13 - 29, HEADER_Y - 1.27), (HEADER_X + 24.13 + 29, HEADER_Y - 1.27)]
"""The Pi's mounting holes beside its header, 58 mm apart."""
TOP, BOTTOM = 1, -1
COLOUR_PLACES = {"J2": (21.5, TOP), "J3": (38.0, TOP), "J4": (54.5, TOP), "J5": (35.0, BOTTOM), "J6": (51.5, BOTTOM),
                 "J7": (68.5, BOTTOM)}  # fmt: skip
COLUMN = 3.4
ATTEMPTS = 8
"""Orders of routing that are tried until the design rules find nothing."""
WIDE_NETS = frozenset({"5V", "lamps 5 V"})
"""They carry the lamps: 0.7 mm of 35 µm copper warms by less than 10 °C at 1 A."""
NAMES = {"J2": "RED", "J3": "YELLOW", "J4": "GREEN", "J5": "BLUE", "J6": "PURPLE", "J7": "KNOB", "J8": "OLED",
         "J9": "BUZZER", "J10": "LAMPS 5 V"}  # fmt: skip


def mm(x: float, y: float) -> Any:
    """Give a point for KiCad."""
    return pcbnew.wxPoint(round(x * 1e6), round(y * 1e6))  # nm; wxPointMM cuts off instead of rounding


class Layout:
    """The board being laid out."""

    def __init__(self, parts: dict[str, dict[str, Any]]) -> None:
        self.parts = parts
        self.board = pcbnew.BOARD()
        self.nets: dict[str, Any] = {}
        for name in sorted({net for part in parts.values() for net in part["nets"].values()}):
            self.nets[name] = pcbnew.NETINFO_ITEM(self.board, name)
            self.board.Add(self.nets[name])
        self.placed: set[str] = set()

    def place(self, ref: str, x: float, y: float, turn: float = 0.0, *, below: bool = False) -> None:
        """Place a part with its footprint's middle (for plugs: pin 1) at a point."""
        part = self.parts[ref]
        library, name = part["footprint"].split(":")
        footprint = pcbnew.FootprintLoad(str(LIBRARIES / f"{library}.pretty"), name)
        footprint.SetReference(ref)
        footprint.SetValue(part["value"])
        footprint.Reference().SetVisible(False)
        footprint.Value().SetVisible(False)
        self.board.Add(footprint)
        if below:
            footprint.Flip(footprint.GetPosition(), False)
        footprint.SetOrientationDegrees(turn)
        footprint.SetPosition(mm(x, y))
        for pad in footprint.Pads():
            net = part["nets"].get(pad.GetNumber())
            if net:
                pad.SetNet(self.nets[net])
        self.placed.add(ref)

    def on(self, net: str, letter: str, value: str | None = None) -> list[str]:
        """Give the parts of a letter on a net."""
        return [ref for ref, part in self.parts.items() if ref[0] == letter and net in part["nets"].values()
                and value in (None, part["value"])]  # fmt: skip


def place_group(layout: Layout, plug: str) -> None:
    """A plug at the edge, its suppressors, and for each wire a column of pull-up, series resistor and capacitor."""
    x, up = COLOUR_PLACES[plug]
    nets = layout.parts[plug]["nets"]
    edge = 5.0 if up == TOP else HEIGHT - 5.0
    # Pin 1 is left on both edges: the plug is turned on the lower one, so its pins count from the right there.
    layout.place(plug, x - 5 if up == TOP else x + 5, edge, 0 if up == TOP else 180)
    wires = [nets[pin] for pin in sorted(nets) if nets[pin] not in ("GND", "3V3")]
    array = layout.on(wires[0], "D")[0]
    layout.place(array, x, edge + up * 6.5, 90 if up == TOP else 270)
    for index, wire in enumerate(wires):
        at = x + up * (index - 1.5) * COLUMN
        pull_up = layout.on(wire, "R", "10k")[0]
        series = layout.on(wire, "R", "1k")[0]
        gpio = next(net for net in layout.parts[series]["nets"].values() if net != wire)
        turn = 270 if up == TOP else 90
        layout.place(pull_up, at, edge + up * 11.6, turn)
        layout.place(series, at, edge + up * 16.0, turn)
        layout.place(layout.on(gpio, "C")[0], at, edge + up * 20.6, turn)


def place_all(layout: Layout) -> None:
    """Place every part."""
    layout.place("J1", HEADER_X, HEADER_Y, 270, below=True)
    for plug in COLOUR_PLACES:
        place_group(layout, plug)
    layout.place("J8", 22.5, HEIGHT - 5.0, 180)
    layout.place(layout.on("i2c_sda", "D")[0], 18.0, HEIGHT - 12.5, 270)
    layout.place(layout.on("3V3", "C", "100n")[0], 23.5, HEIGHT - 12.5, 90)
    layout.place(layout.on("3V3", "C", "10u")[0], 13.0, 43.0, 90)
    layout.place("J9", 67.5, 5.0)
    layout.place("D8", 68.0, 11.5)
    layout.place(layout.on("buzzer -", "R")[0], 68.0, 15.0)
    layout.place("Q1", 73.0, 20.0)
    base = layout.parts["Q1"]["nets"]["1"]
    layout.place(layout.on(base, "R", "1k")[0], 67.0, 19.5)
    layout.place(layout.on(base, "R", "10k")[0], 67.0, 23.0)
    layout.place("J10", 5.0, 5.0)
    layout.place("F1", 7.0, 13.0)
    missing = set(layout.parts) - layout.placed
    if missing:
        raise SystemExit(f"no place for {', '.join(sorted(missing))}")


def draw_edge(layout: Layout) -> None:
    """Draw the outline and the two mounting holes."""
    corners = [(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)]
    for begin, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        line = pcbnew.PCB_SHAPE(layout.board)
        line.SetShape(pcbnew.SHAPE_T_SEGMENT)
        line.SetLayer(pcbnew.Edge_Cuts)
        line.SetStart(mm(*begin))
        line.SetEnd(mm(*end))
        line.SetWidth(pcbnew.FromMM(0.1))
        layout.board.Add(line)
    for index, (x, y) in enumerate(HOLES):
        hole = pcbnew.FootprintLoad(str(LIBRARIES / "MountingHole.pretty"), "MountingHole_2.7mm_M2.5")
        hole.SetReference(f"H{index + 1}")
        hole.Reference().SetVisible(False)
        hole.Value().SetVisible(False)
        hole.SetPosition(mm(x, y))
        layout.board.Add(hole)


def write(layout: Layout, words: str, x: float, y: float, size: float = 1.0) -> None:
    """Write words on the front, to the right of a point."""
    text = pcbnew.PCB_TEXT(layout.board)
    text.SetText(words)
    text.SetLayer(pcbnew.F_SilkS)
    text.SetTextSize(pcbnew.wxSizeMM(size, size))
    text.SetTextThickness(pcbnew.FromMM(0.15))
    text.SetHorizJustify(pcbnew.GR_TEXT_HJUSTIFY_LEFT)
    text.SetPosition(mm(x, y))
    layout.board.Add(text)


def write_names(layout: Layout) -> None:
    """Write beside each plug what it is for and beside each row its value, and which pin of the header is the first."""
    for ref, name in NAMES.items():
        pads = {pad.GetNumber(): pad for pad in layout.board.FindFootprintByReference(ref).Pads()}
        left = min(pcbnew.ToMM(pad.GetPosition().x) for pad in pads.values()) - 2.3
        up = pcbnew.ToMM(pads["1"].GetPosition().y) < HEIGHT / 2
        write(layout, name, left, 9.9 if up else HEIGHT - 9.9)
    for x, up in COLOUR_PLACES.values():
        edge = 5.0 if up == TOP else HEIGHT - 5.0
        for value, down in (("10k", 11.6), ("1k", 16.0), ("C", 20.6)):
            write(layout, value, x - 1.5 * COLUMN - 3.6, edge + up * down, 0.9)
    write(layout, "1", HEADER_X - 2.6, HEADER_Y, 1.2)


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
    via.SetWidth(pcbnew.FromMM(route.VIA))
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


def write_fabrication(board: Any, folder: Path) -> None:
    """Write Gerber and drill files, as makers of boards want them."""
    folder.mkdir(exist_ok=True)
    plot = pcbnew.PLOT_CONTROLLER(board)
    plot.GetPlotOptions().SetOutputDirectory(str(folder))
    layers = {
        "front": pcbnew.F_Cu,
        "back": pcbnew.B_Cu,
        "front-mask": pcbnew.F_Mask,
        "back-mask": pcbnew.B_Mask,
        "front-print": pcbnew.F_SilkS,
        "edge": pcbnew.Edge_Cuts,
    }
    for name, layer in layers.items():
        plot.SetLayer(layer)
        plot.OpenPlotfile(name, pcbnew.PLOT_FORMAT_GERBER, name)
        plot.PlotLayer()
    plot.ClosePlot()
    drill = pcbnew.EXCELLON_WRITER(board)
    drill.SetFormat(True)
    drill.CreateDrillandMapFilesSet(str(folder), True, False)


def write_shapes(layout: Layout, grid: route.Grid, pads: list[route.Pad], target: Path) -> None:
    """Write what was laid out as JSON, for the picture: pads, tracks as points, and the words on the board."""
    words = [
        [text.GetText(), pcbnew.ToMM(text.GetPosition().x), pcbnew.ToMM(text.GetPosition().y)]
        for text in layout.board.GetDrawings()
        if isinstance(text, pcbnew.PCB_TEXT)
    ]
    at = route.STEP
    tracks = [
        {"net": net, "width": grid.width_of(net), "points": [[c * at, r * at, layer] for c, r, layer in way]}
        for net, ways in grid.tracks.items()
        for way in ways
    ]
    size = {"width": WIDTH, "height": HEIGHT, "holes": HOLES}
    target.write_text(json.dumps({**size, "pads": pads, "tracks": tracks, "words": words}), encoding="utf-8")


def attempt(parts: dict[str, dict[str, Any]], folder: Path, seed: int) -> bool:
    """Lay the board out once and write it, with KiCad's report of the rules check; True where that is clean."""
    layout = Layout(parts)
    place_all(layout)
    draw_edge(layout)
    write_names(layout)
    pads = pads_of(layout)
    nets: dict[str, list[route.Pad]] = {}
    for pad in pads:
        nets.setdefault(pad.net, []).append(pad)
    grid = route.route_all(route.Grid(WIDTH, HEIGHT, pads, WIDE_NETS), nets, "GND", seed)
    draw_tracks(layout, grid)
    target = str(folder / "header-board.kicad_pcb")
    pcbnew.SaveBoard(target, layout.board)
    board = pcbnew.LoadBoard(target)  # KiCad 6 fills only boards that it has read from a file
    fill_ground(board)
    pcbnew.SaveBoard(target, board)
    board = pcbnew.LoadBoard(target)
    check_nets(layout, board)
    report = folder / "header-board.drc"
    pcbnew.WriteDRCReport(board, str(report), pcbnew.EDA_UNITS_MILLIMETRES, True)
    write_fabrication(board, folder / "gerber")
    write_shapes(layout, grid, pads, folder / "header-board.json")
    found = report.read_text(encoding="utf-8")
    return "Found 0 DRC violations" in found and "Found 0 unconnected pads" in found


def main(source: str, folder: str) -> None:
    """Lay the board out until the rules check is clean; the last report stays, whatever it says."""
    parts = json.loads(Path(source).read_text(encoding="utf-8"))
    for seed in range(ATTEMPTS):
        if attempt(parts, Path(folder), seed):
            return


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
