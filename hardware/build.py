"""`make hardware`: the drawings, the case's STL files and picture, the netlist; each is checked as it is made.

Writes into build/hardware, and the pictures that the guide shows into hardware/pictures. Needs OpenSCAD, Xvfb
and KiCad 6.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from dataclasses import asdict
from itertools import combinations
from typing import TYPE_CHECKING

from ezdxf import readfile
from PIL import Image, ImageChops

from companion.config.pins import built_in
from hardware.board.circuit import netlist
from hardware.board.picture import draw_board
from hardware.drawings.__main__ import HARDWARE
from hardware.drawings.__main__ import main as draw
from hardware.drawings.geometry import SIZES, Panel, table_panel
from hardware.mesh import bed, fault, moved, overlap, read_stl, turned

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from trimesh import Trimesh

OUT = HARDWARE.parent / "build" / "hardware"
PICTURES = HARDWARE / "pictures"
PARTS = ("sector", "sector_out", "frame", "hub", "floor", "floor_pi", "strip", "strip_end")
BED_MM = 220.0
SIDES = 5
OVERLAP_MM3 = 1.0
"""Two parts that touch may share this much: OpenSCAD writes six digits, which makes less than a tenth of it."""
NEAR_MM = 0.05
"""OpenSCAD's circles have 64 corners and its numbers six digits: holes agree to this."""
VIEWS = {"case": ("picture", "0,0,0,48,0,18,900"), "case-inside": ("sector", "0,0,0,230,0,30,420")}
LARGEST_PICTURE = 300_000
KICADS_PYTHON = "/usr/bin/python3"
"""Debian's KiCad has its module there, not in a virtual environment."""


class Unfit(Exception):
    """Something was made that must not be built."""


def say(words: str) -> None:
    """Report a line."""
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


def need(*tools: str) -> None:
    """Raise Unfit where a tool is missing."""
    if missing := [tool for tool in tools if not shutil.which(tool)]:
        raise Unfit(f"please install {' and '.join(missing)} first:  sudo apt install openscad xvfb xauth")


def need_kicad() -> None:
    """Raise Unfit where KiCad's own Python module or its footprints are missing."""
    look = "import pcbnew; from pathlib import Path; assert Path('/usr/share/kicad/footprints').is_dir()"
    if subprocess.run([KICADS_PYTHON, "-c", look], capture_output=True, check=False).returncode:  # noqa: S603
        raise Unfit("please install KiCad first:  sudo apt install --no-install-recommends kicad kicad-footprints")


def openscad(size: int, part: str, target: Path, *options: str) -> None:
    """Run OpenSCAD on one part. Raises Unfit with what it said."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    command = ["openscad", "-q", "-o", str(target), "-D", f'part="{part}"', "-D", f'stl="{OUT / str(size)}"']
    if target.suffix == ".png":
        command = ["xvfb-run", "-a", *command, *options]
    source = HARDWARE / "case" / f"case_{size}.scad"
    done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode or "WARNING" in done.stderr or not target.is_file():
        said = done.stderr.strip() or "it said nothing"
        raise Unfit(f"OpenSCAD on {part}, {size} mm, ended with {done.returncode}: {said}")


def part_body(size: int, part: str) -> Trimesh:
    """Make a part's STL and give its mesh. Raises Unfit: OpenSCAD failed, or this is no closed body."""
    target = OUT / str(size) / f"{part}.stl"
    openscad(size, part, target)
    try:
        mesh = read_stl(target)
    except ValueError as error:
        raise Unfit(f"{part}, {size} mm: {error}") from error
    if why := fault(mesh):
        raise Unfit(f"{part}, {size} mm, is no closed body: {why}")
    return mesh


def make_part(size: int, part: str) -> Trimesh:
    """Make a part's STL, check that it can be printed, and give it. Raises Unfit: it cannot, nor at the second time.

    OpenSCAD goes through a part by the addresses of its pieces, which the system gives anew at each run. A fault of
    the drawing comes back; one of a single run does not, but is said.
    """
    try:
        mesh = part_body(size, part)
    except Unfit as unfit:
        say(f"  once more: {unfit}")
        mesh = part_body(size, part)
    wide = bed(mesh)
    say(f"  {part:10} {len(mesh.faces):6} triangles, {mesh.volume / 1000:6.1f} cm³, bed {wide:5.1f} mm")
    if wide > BED_MM:
        raise Unfit(f"{part}, {size} mm, needs a bed of {wide:.0f} mm; {BED_MM:.0f} is what most printers have")
    return mesh


def assembled(parts: Mapping[str, Trimesh], *, framed: bool) -> dict[str, Trimesh]:
    """Put the case together from its parts: five sides (or frames, below a panel of one's own), floors and hub."""
    below = parts["sector"].bounds[0][2] - parts["floor"].bounds[1][2]
    placed = {} if framed else {"hub": parts["hub"]}
    for side in range(SIDES):
        sector = "frame" if framed else "sector" if side else "sector_out"
        floor = "floor" if side else "floor_pi"
        placed[f"{sector} {side + 1}"] = turned(parts[sector], side * 360 / SIDES)
        placed[f"{floor} {side + 1}"] = moved(turned(parts[floor], side * 360 / SIDES), (0, 0, below))
    return placed


def check_room(placed: Mapping[str, Trimesh]) -> int:
    """Check that no two parts take the same place; gives the number of pairs. Raises Unfit."""
    pairs = list(combinations(placed, 2))
    for one, other in pairs:
        if (shared := overlap(placed[one], placed[other])) > OVERLAP_MM3:
            raise Unfit(f"{one} and {other} take the same place: {shared:.1f} mm³")
    return len(pairs)


def loops(path: Path) -> list[tuple[float, float, float, float]]:
    """Give middle, width and height of each closed line of a DXF file made of straight lines."""
    ways: dict[tuple[float, float], list[tuple[float, float]]] = {}
    for line in readfile(path).modelspace().query("LINE"):
        begin, end = ((round(point.x, 4), round(point.y, 4)) for point in (line.dxf.start, line.dxf.end))
        ways.setdefault(begin, []).append(end)
        ways.setdefault(end, []).append(begin)
    found = []
    while ways:
        todo, seen = [next(iter(ways))], []
        while todo:
            here = todo.pop()
            if here in ways:
                seen.append(here)
                todo += ways.pop(here)
        xs, ys = [x for x, _ in seen], [y for _, y in seen]
        found.append(((max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2, max(xs) - min(xs), max(ys) - min(ys)))
    return found


def check_holes(panel: Panel, cut: list[tuple[float, float, float, float]]) -> int:
    """Check that each hole of the panel but the screws is in the case's top, and its window. Raises Unfit."""
    wanted = [(hole.x, -hole.y, hole.diameter, hole.diameter) for hole in panel.holes if hole.use != "screw"]
    wanted += [(window.x, -window.y, window.width, window.height) for window in panel.windows]
    for want in wanted:
        if not any(all(abs(a - b) <= NEAR_MM for a, b in zip(want, have, strict=True)) for have in cut):
            raise Unfit(f"{panel.name}: the case has no opening of {want[2]:g} mm at ({want[0]:.2f}, {want[1]:.2f})")
    return len(wanted)


def trim(picture: Path, margin: int = 24) -> None:
    """Cut the empty border off a picture."""
    image = Image.open(picture).convert("RGB")
    paper = Image.new("RGB", image.size, image.getpixel((0, 0)))
    left, top, right, bottom = ImageChops.difference(image, paper).getbbox() or (0, 0, *image.size)
    image.crop((left - margin, top - margin, right + margin, bottom + margin)).save(picture, optimize=True)


def make_pictures() -> None:
    """Make the guide's pictures of the case. Raises Unfit: one is too large for the repository."""
    for name, (part, camera) in VIEWS.items():
        target = PICTURES / f"{name}.png"
        options = ["--imgsize=1700,1200", "--colorscheme=Tomorrow", "--projection=o", f"--camera={camera}"]
        options += ["--viewall", "--autocenter", *([] if part == "picture" else ["--render=1"])]
        openscad(24, part, target, *options)
        trim(target)
        if target.stat().st_size > LARGEST_PICTURE:
            raise Unfit(f"{target.name} is larger than {LARGEST_PICTURE} bytes")
        say(f"  {target.relative_to(HARDWARE.parent)}: {target.stat().st_size // 1024} kB")


def make_board() -> None:
    """Write the header board's netlist, lay it out, and check both. Raises Unfit: a rules check is not clean."""
    built = netlist(built_in())
    if built.errors or built.warnings:
        raise Unfit(f"header board: {built.errors} errors, {built.warnings} warnings of the electrical rules check")
    (OUT / "header-board.net").write_text(built.kicad, encoding="utf-8")
    parts = OUT / "header-board-parts.json"
    parts.write_text(json.dumps({ref: asdict(part) for ref, part in built.components.items()}), encoding="utf-8")
    command = [KICADS_PYTHON, str(HARDWARE / "board" / "layout.py"), str(parts), str(OUT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise Unfit(f"header board: {done.stderr.strip() or f'KiCad ended with {done.returncode}'}")
    check_report((OUT / "header-board.drc").read_text(encoding="utf-8"))
    shapes = json.loads((OUT / "header-board.json").read_text(encoding="utf-8"))
    (PICTURES / "header-board.svg").write_text(draw_board(shapes), encoding="utf-8")
    say(f"header board: {len(built.components)} parts, electrical and design rules clean; build/hardware/gerber/")


def check_report(report: str) -> None:
    """Read KiCad's report of the design-rules check. Raises Unfit: it found something, or it is no report."""
    counts = [int(count) for count in re.findall(r"Found (\d+) (?:DRC violations|unconnected pads)", report)]
    if len(counts) != 2 or any(counts):
        raise Unfit(f"header board, design rules:\n{report.strip() or 'an empty report'}")


def main() -> int:
    """Make and check everything; 1 where something is unfit: the last line says what, in one log with what was made."""
    try:
        need("openscad", "xvfb-run")
        need_kicad()
        draw([])
        for size, button in SIZES.items():
            say(f"case for {size} mm buttons, build/hardware/{size}/:")
            parts = {part: make_part(size, part) for part in PARTS}
            pairs = sum(check_room(assembled(parts, framed=framed)) for framed in (False, True))
            say(f"  put together, {pairs} pairs of parts keep out of each other")
            cut = OUT / str(size) / "top.dxf"
            openscad(size, "holes", cut)
            say(f"  {check_holes(table_panel(button), loops(cut))} openings where the panel drawing has them")
        make_board()
        make_pictures()
    except Unfit as unfit:
        say(f"hardware: {unfit}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
