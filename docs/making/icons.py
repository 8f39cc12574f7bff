"""Draws the icons that a phone shows for the player's page:   python -m docs.making.icons

The same button as `favicon.svg`, as squares of pixels: a home screen takes no SVG everywhere. It fills the square to
the edge and keeps within the middle four fifths, so that a launcher may cut it to any shape.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image, ImageDraw

ICONS = Path(__file__).parents[2] / "companion" / "adapters" / "web" / "static" / "icons"
SIZES = (192, 512)
FINE = 4
"""Drawn so many times larger, and made smaller: edges are soft then."""
UNITS = 32
WALNUT, BRASS, RED, IVORY = "#2b1a10", "#d9b368", "#d8433c", "#f6eedb"
RINGS = (("brass", 11.5, 2.0, BRASS, None), ("button", 7.0, 1.5, IVORY, RED))
"""Name, radius and width of the line in 32nds of the side, colour of the line, of the area (None: nothing)."""


def icon(size: int) -> Image.Image:
    """Draw the icon, `size` pixels square, in few colours."""
    side = size * FINE
    picture = Image.new("RGB", (side, side), WALNUT)
    draw = ImageDraw.Draw(picture)
    unit = side / UNITS
    for _name, radius, width, line, area in RINGS:
        reach = (radius + width / 2) * unit
        middle = side / 2
        box = (middle - reach, middle - reach, middle + reach, middle + reach)
        draw.ellipse(box, fill=area, outline=line, width=round(width * unit))
    return picture.resize((size, size), Image.Resampling.LANCZOS).quantize(32, dither=Image.Dither.NONE)


def content(size: int) -> bytes:
    """Give it as a PNG."""
    out = io.BytesIO()
    icon(size).save(out, "PNG", optimize=True)
    return out.getvalue()


def main() -> int:
    """Write the icons."""
    ICONS.mkdir(exist_ok=True)
    for size in SIZES:
        (ICONS / f"icon-{size}.png").write_bytes(content(size))
    return 0


if __name__ == "__main__":
    sys.exit(main())
