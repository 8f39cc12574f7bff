"""Every drawing that is kept as SVG, as PDF for A4 and for Letter: kept too, the same bytes each time."""

from __future__ import annotations

import re
from pathlib import Path

from hardware.drawings.sheets import PAPERS, sheets

DRAWN = Path(__file__).parent.parent / "drawn"
KEPT = Path(__file__).parent.parent / "fabrication" / "drawings"


def made() -> dict[str, bytes]:
    """Give each file by its name."""
    drawings = {path.stem: path.read_text(encoding="utf-8") for path in sorted(DRAWN.glob("*.svg"))}
    return {
        f"{name}-{paper.name}.pdf": sheets(svg, title_of(svg) or name, paper)
        for name, svg in drawings.items()
        for paper in PAPERS
    }


def title_of(svg: str) -> str | None:
    """Give a drawing's title."""
    found = re.search(r"<title>([^<]+)</title>", svg)
    return found[1].replace("&amp;", "&") if found else None


def write() -> list[str]:
    """Write what differs from what is kept, take away what is no longer made; give the names of both."""
    files = made()
    KEPT.mkdir(parents=True, exist_ok=True)
    old = [path for path in KEPT.glob("*.pdf") if path.name not in files]
    for path in old:
        path.unlink()
    new = [name for name, data in files.items() if not (KEPT / name).is_file() or (KEPT / name).read_bytes() != data]
    for name in new:
        (KEPT / name).write_bytes(files[name])
    return [*new, *(path.name for path in old)]
