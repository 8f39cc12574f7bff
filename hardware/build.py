"""`make hardware`: drawings, what is printed, pictures, bill and header board; each is checked as it is made.

Writes what is kept into hardware, the rest into build/hardware. KiCad is fetched (hardware/board/kicad.py). Fails
where a kept file of the header board was not what was made. ARGS=--twice makes that board from scratch once more, and
fails where a byte differs.
"""

from __future__ import annotations

import sys

from hardware import bill
from hardware.board.build import UnfitBoard, make_board
from hardware.case import build as case
from hardware.case.build import Unfit
from hardware.drawings import paper
from hardware.drawings.__main__ import main as draw


def say(words: str) -> None:
    """Report a line."""
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


def main(arguments: list[str]) -> int:
    """Make and check everything; 1 where something is unfit: the last line says what, in one log with what was made."""
    try:
        draw([])
        case.make(say)
        for name in paper.write():
            say(f"  new: hardware/fabrication/drawings/{name}")
        if bill.write():
            say("  new: hardware/fabrication/bill.csv")
        make_board(say, twice="--twice" in arguments)
    except (Unfit, UnfitBoard) as unfit:
        say(f"hardware: {unfit}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
