"""`make hardware`: drawings, what is printed, the guide's pictures, the header board; each is checked as it is made.

Writes what is kept into hardware, the rest into build/hardware. Needs KiCad 6.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import asdict

from companion.config.pins import built_in
from hardware.board.circuit import netlist
from hardware.board.picture import draw_board
from hardware.case import build as case
from hardware.case.build import Unfit
from hardware.drawings import paper
from hardware.drawings.__main__ import HARDWARE
from hardware.drawings.__main__ import main as draw

OUT = HARDWARE.parent / "build" / "hardware"
PICTURES = HARDWARE / "pictures"
KICADS_PYTHON = "/usr/bin/python3"
"""Debian's KiCad has its module there, not in a virtual environment."""


def say(words: str) -> None:
    """Report a line."""
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


def need_kicad() -> None:
    """Raise Unfit where KiCad's own Python module or its footprints are missing."""
    look = "import pcbnew; from pathlib import Path; assert Path('/usr/share/kicad/footprints').is_dir()"
    if subprocess.run([KICADS_PYTHON, "-c", look], capture_output=True, check=False).returncode:  # noqa: S603
        raise Unfit("please install KiCad first:  sudo apt install --no-install-recommends kicad kicad-footprints")


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
        need_kicad()
        draw([])
        case.make(say)
        for name in paper.write():
            say(f"  new: hardware/fabrication/drawings/{name}")
        OUT.mkdir(parents=True, exist_ok=True)
        make_board()
    except Unfit as unfit:
        say(f"hardware: {unfit}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
