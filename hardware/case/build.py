"""Makes what is printed: every part as STL, 3MF and STEP, each checked as it is made. Called by `make hardware`.

The files are kept in hardware/fabrication/printed, so that a printer's owner needs nothing of this program; they are
the same bytes each time.
"""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.panel import Colour
from hardware.case import assembly, formats, pod, relief, table
from hardware.case.assembly import surface
from hardware.case.pictures import pictures
from hardware.case.solids import post
from hardware.case.table import TOP
from hardware.drawings import outlines
from hardware.drawings.geometry import SEATS, SIZES, pod_panel, table_panel
from hardware.mesh import bed, body, common, fault, turned

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from build123d import Part
    from trimesh import Trimesh

    from hardware.drawings.geometry import ButtonSize

PICTURES = Path(__file__).parent.parent / "pictures"
PRINTED = Path(__file__).parent.parent / "fabrication" / "printed"
BED_MM = 220.0
SUMS = "SHA256SUMS"


class Unfit(Exception):
    """Something was made that must not be built."""


def parts(size: ButtonSize) -> Iterator[tuple[str, Trimesh]]:
    """Give each printed part by its file's name, as it lies on the printer's bed."""
    for name, solid in solids(size).items():
        if name in ("base-pi", "base-zero"):
            yield name, lying(marked(surface(solid), size))
        elif name == "hub":
            yield name, lying(over(surface(solid)))
        elif name not in ("top", "pod-top"):
            yield name, lying(surface(solid))
    for number, colour in enumerate(Colour):
        turn = 360 / SEATS * number
        placed = turned(surface(table.top(size)), -turn)
        legend = relief.raised(placed, table_panel(size), colour, table.rim(size) + TOP)
        yield f"top-{colour}", lying(turned(legend, turn))
        lid = relief.raised(surface(pod.top(size)), pod_panel(size, colour), colour, pod.box(size).rim + TOP)
        yield f"pod-top-{colour}", lying(lid)


def solids(size: ButtonSize) -> dict[str, Part]:
    """Give the parts that differ in shape, as they lie in the box: a top is one, whatever stands on it."""
    return {
        "tray": table.tray(size), "tray-out": table.tray(size, out=True), "top": table.top(size),
        "hub": table.hub(size), "bar": table.bar(size),
        "base-pi": table.base(size, "pi"), "base-zero": table.base(size, "zero"),
        "pod-tray": pod.tray(size), "pod-top": pod.top(size),
    }  # fmt: skip


def marked(mesh: Trimesh, size: ButtonSize) -> Trimesh:
    """Give a base with the words that say which way round it lies and where the Pi's sides are."""
    words = [("RED", 0.0, -58.0, 0.0), *((words, *table.on_base(size, x, y), turn) for words, x, y, turn in BASE_WORDS)]
    loops = [tuple(_at(loop, x, y, turn) for loop in outlines.word(text, 5.0)) for text, x, y, turn in words]
    return relief.written(mesh, loops, table.BASE_TOP)


BASE_WORDS = (("USB", 96.0, 28.0, -126.0), ("PINS", 33.0, -8.0, -126.0))
"""Beside the Pi's edges, readable from the first seat's left: words, x and y on the Pi, and turn."""


def _at(loop: outlines.Loop, x: float, y: float, turn: float) -> outlines.Loop:
    """Turn a loop (y downwards) clockwise and put it at a place of the case (y upwards)."""
    from hardware.drawings.geometry import turned as about  # noqa: PLC0415

    placed = (about(a, b, turn * 3.141592653589793 / 180) for a, b in loop)
    return tuple((x + a, -y + b) for a, b in placed)


def over(mesh: Trimesh) -> Trimesh:
    """Give it upside down."""
    copy = mesh.copy()
    copy.vertices = copy.vertices * (1.0, -1.0, -1.0)
    return copy


def lying(mesh: Trimesh) -> Trimesh:
    """Give it on the bed, its middle in the bed's."""
    low, high = mesh.bounds
    copy = mesh.copy()
    copy.apply_translation((-(low[0] + high[0]) / 2, -(low[1] + high[1]) / 2, -low[2]))
    return copy


def checked(name: str, mesh: Trimesh) -> Trimesh:
    """Give the part. Raises Unfit: it is no closed body, more than one, or too large for the bed."""
    if why := fault(mesh):
        raise Unfit(f"{name} is no closed body: {why}")
    if mesh.body_count != 1:
        raise Unfit(f"{name} is {mesh.body_count} pieces: a word or a post stands beside the plate")
    if (wide := bed(mesh)) > BED_MM:
        raise Unfit(f"{name} needs a bed of {wide:.0f} mm, and {BED_MM:.0f} is what most have")
    return mesh


def made() -> dict[str, bytes]:
    """Make every file, by its path below hardware/fabrication/printed. Raises Unfit."""
    files: dict[str, bytes] = {}
    for number, size in SIZES.items():
        for name, mesh in parts(size):
            checked(f"{name}, {number} mm", mesh)
            files[f"{number}/{name}.stl"] = formats.stl(mesh)
            files[f"{number}/{name}.3mf"] = formats.three_mf(mesh, f"{name}-{number}")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "parts.step"
            formats.step(solids(size).values(), path)
            files[f"{number}/parts-{number}.step"] = path.read_bytes()
    sums = [f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in sorted(files.items())]
    return {**files, SUMS: "".join(sums).encode()}


def make(say: Callable[[str], None]) -> None:
    """Make and check every part, write the files that differ from what is kept, and say so. Raises Unfit.

    Whether all has room in each other is for the tests, which `make hardware` runs first.
    """
    for number, size in SIZES.items():
        say(f"{number} mm buttons: {check_openings(size)} openings in tops and hub, where the drawing has them")
    files = made()
    say(f"{len(files)} files of printed parts, {sum(map(len, files.values())) / 1e6:.1f} MB")
    for path in write(files):
        say(f"  new: hardware/fabrication/printed/{path}")
    for name, drawing in pictures(SIZES[24]).items():
        (PICTURES / f"{name}.svg").write_text(drawing(), encoding="utf-8")


def check_openings(size: ButtonSize) -> int:
    """Compare the openings in tops and hub with those of the panel's drawing, and count them. Raises Unfit."""
    lids = [part for part in assembly.printed(size, "pi") if part.name.startswith(("top", "hub"))]
    lid = [body(part.mesh()) for part in lids]
    panel, low = table_panel(size), table.rim(size)
    holes = [hole for hole in panel.holes if hole.use != "display-screw"]
    for hole in holes:
        free, ring = (
            body(surface(post((hole.x, -hole.y), hole.diameter + more, low - 0.5, low + 2 * TOP + 0.5)))
            for more in (-0.3, 0.6)
        )
        if any(common(free, each) > FILLED_MM3 for each in lid):
            raise Unfit(f"{panel.name}: {hole.use} at ({hole.x:.2f}, {-hole.y:.2f}) is not open in the printed top")
        if sum(common(ring, each) for each in lid) < hole.diameter:
            raise Unfit(f"{panel.name}: {hole.use} at ({hole.x:.2f}, {-hole.y:.2f}) has no edge in the printed top")
    return len(holes)


FILLED_MM3 = 0.01


def write(files: dict[str, bytes], folder: Path = PRINTED) -> list[str]:
    """Write what differs from what is kept, and take away what is no longer made; give the paths of both."""
    changed = [path for path, data in files.items() if not _same(folder / path, data)]
    for path in changed:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(files[path])
    kept = [path for path in folder.rglob("*") if path.is_file()]
    old = [each for each in kept if each.relative_to(folder).as_posix() not in files]
    for each in old:
        each.unlink()
    return [*changed, *(each.relative_to(folder).as_posix() for each in old)]


def _same(path: Path, data: bytes) -> bool:
    return path.is_file() and path.read_bytes() == data
