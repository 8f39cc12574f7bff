"""A film of cards before a camera, for Chromium's fake one: labels as they are printed, lying askew on a table.

Written as YUV4MPEG2 (y4m), the one kind of uncompressed video that Chromium's fake camera reads. It plays it again from
the beginning when it has come to its end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import zxingcpp
from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SIZE = (640, 480)
FRAMES_A_SECOND = 5
GREY = b"\x80"
TABLE, PAPER = 96, 245
KINDS = {
    "qr_code": zxingcpp.BarcodeFormat.QRCode,
    "data_matrix": zxingcpp.BarcodeFormat.DataMatrix,
    "code_128": zxingcpp.BarcodeFormat.Code128,
}


class Lying(NamedTuple):
    """What the camera sees for a while. code: "" for the bare table; kind: of `KINDS`."""

    code: str = ""
    kind: str = "qr_code"
    seconds: float = 1.0


def label(code: str, kind: str) -> Image.Image:
    """Draw a label: the code, with its quiet zone, on paper."""
    drawn = zxingcpp.create_barcode(code, KINDS[kind]).to_image(scale=3 if kind == "code_128" else 8)
    found = Image.fromarray(drawn).convert("L")
    if kind == "code_128":
        found = found.resize((found.width, 120), Image.Resampling.NEAREST)
    paper = Image.new("L", (found.width + 60, found.height + 60), PAPER)
    paper.paste(found.point(lambda tone: min(tone + 25, PAPER)), (30, 30))
    return paper


def picture(lying: Lying, turn_degrees: float) -> Image.Image:
    """Draw the table with what lies there."""
    table = Image.new("L", SIZE, TABLE)
    if lying.code:
        paper = label(lying.code, lying.kind).rotate(turn_degrees, expand=True, fillcolor=TABLE)
        table.paste(paper, ((SIZE[0] - paper.width) // 2, (SIZE[1] - paper.height) // 2))
    return table


def write_film(path: Path, shown: Sequence[Lying]) -> Path:
    """Write a film of what lies before the camera, one after another."""
    colours = GREY * (SIZE[0] * SIZE[1] // 2)
    with path.open("wb") as film:
        film.write(f"YUV4MPEG2 W{SIZE[0]} H{SIZE[1]} F{FRAMES_A_SECOND}:1 Ip A1:1 C420jpeg\n".encode())
        for lying in shown:
            for number in range(round(lying.seconds * FRAMES_A_SECOND)):
                film.write(b"FRAME\n" + picture(lying, 4 + number % 3).tobytes() + colours)
    return path
