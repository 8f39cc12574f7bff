"""A scene as large pictures, one of which is shown at a time. Pure; knows no chip and no time.

Nothing in them is written smaller than 16 pixels high, and what the knob would pick is on each of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import Malformed
from companion.core.words.language import ENGLISH
from companion.core.words.telling import in_words
from companion.screens.oled import invitation
from companion.screens.oled.canvas import Canvas
from companion.screens.oled.large.facts import Laid, Written, pages
from companion.screens.oled.large.subjects import subjects
from companion.screens.oled.picture import SMALLEST
from companion.screens.oled.typefaces.large import TYPEFACE

if TYPE_CHECKING:
    from companion.core.shown.scene import Scene
    from companion.core.words.language import Language


def draw(scene: Scene, size: tuple[int, int], page: int = 0, language: Language = ENGLISH) -> Canvas:
    """Give the canvas of one of a scene's pictures. page: which, counted on and on: after the last comes the first.

    Raises Malformed for a size below 128×64.
    """
    verify_size(size)
    laid = layouts(scene, size, language)
    canvas = Canvas(size)
    canvas.pages = len(laid)
    write(canvas, laid[page % len(laid)])
    return canvas


def verify_size(size: tuple[int, int]) -> None:
    """Raise Malformed for a size below 128×64."""
    if size[0] < SMALLEST[0] or size[1] < SMALLEST[1]:
        raise Malformed(f"a display of {size[0]}×{size[1]} pixels is too small; the smallest is 128×64")


def layouts(scene: Scene, size: tuple[int, int], language: Language = ENGLISH) -> list[Laid]:
    """Give what stands on each of a scene's pictures, in a language; at least one."""
    width, height = size
    lines = height // TYPEFACE.height
    found = (in_words(subject, language) for subject in subjects(in_words(scene, language)))
    return [
        page
        for subject in found
        for page in pages(subject, TYPEFACE, (width - _code_room(size) if subject.code else width, lines))
    ]


def _code_size(size: tuple[int, int]) -> int:
    """Give the width and height of a QR code: it leaves half of the width for words."""
    return min(size[1], size[0] // 2)


def _code_room(size: tuple[int, int]) -> int:
    return _code_size(size) + 4


def write(canvas: Canvas, laid: Laid) -> None:
    """Write what stands on a picture."""
    left = invitation.code_at(canvas, laid.code, (0, _code_size(canvas.size))) + 2 if laid.code else 0
    for number, line in enumerate(laid.lines):
        _write_line(canvas, line, number * TYPEFACE.height, left)
    bottom = canvas.height // TYPEFACE.height - len(laid.foot)
    for number, line in enumerate(laid.foot, start=bottom):
        _write_line(canvas, line, number * TYPEFACE.height, left)
    canvas.first = (0, canvas.height)


def _write_line(canvas: Canvas, line: Written, y: int, left: int) -> None:
    inset = 1 if line.inverse else 0
    if line.inverse:
        canvas.bar(left, y, canvas.width, y + TYPEFACE.height)
    canvas.text(left + inset, y, line.left, inverse=line.inverse, face=TYPEFACE)
    if line.right:
        canvas.right_text(canvas.width - inset, y, line.right, inverse=line.inverse, face=TYPEFACE)
