"""`python -m hardware.drawings [--check]`: write all drawings and tables that are kept in the repository.

What is kept is small text that a builder needs from the repository alone; pictures of the case, STL and the KiCad
netlist are made by `make hardware`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from companion.config.pins import built_in
from hardware.drawings.connections import connections, table
from hardware.drawings.electrical import fill_in
from hardware.drawings.geometry import SIZES, panels
from hardware.drawings.legends import draw_discs, draw_fitting_labels, draw_labels
from hardware.drawings.panel_dxf import panel_dxf
from hardware.drawings.panel_svg import draw_panel
from hardware.drawings.pod_wiring import draw_pod_wiring, pod_pins
from hardware.drawings.wiring import draw_wiring

HARDWARE = Path(__file__).parent.parent
DRAWN = Path("drawn")
POD = HARDWARE.parent / "firmware" / "pod" / "pod.json"


def made() -> dict[Path, str]:
    """Make all files that are kept, as text by their path below hardware/."""
    wires = connections(built_in())
    files = {
        DRAWN / "connections.csv": table(wires),
        DRAWN / "wiring.svg": draw_wiring(wires),
        DRAWN / "pod-wiring.svg": draw_pod_wiring(pod_pins(json.loads(POD.read_text(encoding="utf-8")))),
        DRAWN / "labels.svg": draw_labels(),
        Path("electrical.md"): fill_in((HARDWARE / "electrical.md").read_text(encoding="utf-8")),
    }
    for name, size in SIZES.items():
        files[DRAWN / f"discs-{name}.svg"] = draw_discs(size)
        files[DRAWN / f"labels-{name}.svg"] = draw_fitting_labels(size)
    for panel in panels():
        files[DRAWN / f"panel-{panel.name}.svg"] = draw_panel(panel)
        files[DRAWN / f"panel-{panel.name}.dxf"] = panel_dxf(panel)
    return files


def stale(files: dict[Path, str]) -> list[Path]:
    """Give the kept files that differ from what is made now, or are missing."""
    return [path for path, text in files.items() if not _same(HARDWARE / path, text)]


def _same(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


def main(arguments: list[str]) -> int:
    """Write the files, or with --check only say which are not what they should be."""
    files = made()
    old = stale(files)
    if arguments == ["--check"]:
        for path in old:
            sys.stdout.write(f"hardware/{path} is not what the pin map and the geometry give; run make hardware\n")
        return 1 if old else 0
    for path in old:
        (HARDWARE / path).parent.mkdir(exist_ok=True)
        (HARDWARE / path).write_text(files[path], encoding="utf-8")
        sys.stdout.write(f"wrote hardware/{path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
