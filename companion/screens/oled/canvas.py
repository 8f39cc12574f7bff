"""A picture to write on that keeps account of what was put where, so that a test can tell what ran off or over.

Knows glyphs and nothing of scenes. Coordinates are pixels from the top left.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image

from companion.screens.oled import glyphs

if TYPE_CHECKING:
    from companion.screens.oled.typefaces.typeface import Typeface


class Placed(NamedTuple):
    """A text and the box it took, right and bottom exclusive."""

    text: str
    left: int
    top: int
    right: int
    bottom: int


class Canvas:
    """A black picture of mode "1". `placed` lists the texts in the order they were written.

    first: the rows of pixels, the end exclusive, that should be seen before the others. pages: how many pictures the
    scene has, of which this is one.
    """

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        self.width, self.height = size
        self.image = Image.new("1", size)
        self.placed: list[Placed] = []
        self.first = (0, 0)
        self.pages = 1

    def text(
        self,
        x: int,
        y: int,
        text: str,
        *,
        scale: tuple[int, int] = (1, 1),
        inverse: bool = False,
        face: Typeface = glyphs.TYPEFACE,
    ) -> int:
        """Write a text with its top left at (x, y), black where `inverse` (on a bar); give the x after it."""
        if not text.strip():
            return x
        wide, tall = scale
        right = x + face.width(text) * wide
        self.placed.append(Placed(text, x, y, right, y + face.height * tall))
        self.image.paste(_strip(text, scale, inverse, face), (x, y))
        return right

    def right_text(
        self,
        right: int,
        y: int,
        text: str,
        *,
        scale: tuple[int, int] = (1, 1),
        inverse: bool = False,
        face: Typeface = glyphs.TYPEFACE,
    ) -> int:
        """Write a text that ends before `right`; give the x it begins at."""
        left = right - face.width(text) * scale[0]
        self.text(left, y, text, scale=scale, inverse=inverse, face=face)
        return left

    def bar(self, left: int, top: int, right: int, bottom: int) -> None:
        """Light a box, right and bottom exclusive, to write on in black."""
        self.image.paste(1, (left, top, right, bottom))

    def dots(self, left: int, y: int, right: int) -> None:
        """Draw a dotted line."""
        for x in range(left, right, 3):
            self.image.putpixel((x, y), 1)

    def faults(self) -> list[str]:
        """Tell every text that left the picture or was written over another; none in a sound layout."""
        found = []
        for index, one in enumerate(self.placed):
            if one.left < 0 or one.top < 0 or one.right > self.width or one.bottom > self.height:
                found.append(f"{one} leaves {self.size}")
            for other in self.placed[:index]:
                apart = one.right <= other.left or other.right <= one.left
                if not apart and one.top < other.bottom and other.top < one.bottom:
                    found.append(f"{one} is written over {other}")
        return found


@lru_cache(maxsize=1024)
def _strip(text: str, scale: tuple[int, int], inverse: bool, face: Typeface) -> Image.Image:
    """Give a text's picture, with the gap after its last glyph; most texts of a picture were in the one before."""
    glyph_pictures = [_picture(character, scale, inverse, face) for character in text]
    strip = Image.new("1", (sum(picture.width for picture in glyph_pictures), face.height * scale[1]))
    x = 0
    for picture in glyph_pictures:
        strip.paste(picture, (x, 0))
        x += picture.width
    return strip


@cache
def _picture(character: str, scale: tuple[int, int], inverse: bool, face: Typeface) -> Image.Image:
    columns = face.columns(character)
    dark = (1 << face.height) - 1 if inverse else 0
    rows = b"".join((column ^ dark).to_bytes(face.height // 8, "little") for column in columns)  # lying on its side
    lying = Image.frombytes("1", (face.height, len(columns)), rows, "raw", "1;R")
    picture = lying.transpose(Image.Transpose.TRANSPOSE)
    return picture.resize((picture.width * scale[0], picture.height * scale[1]), Image.Resampling.NEAREST)
