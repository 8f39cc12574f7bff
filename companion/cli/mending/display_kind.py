"""Finds out which chip a display has by asking who looks at it: what `companion doctor --display` does.

Sellers name the wrong chip, and no chip tells its own. A byte of its status can be read, but its lower bits are
reserved in the data sheets, and modules of one chip give different ones (bitbank2/ss_oled, issue 61;
bitbank2/OneBitDisplay, issue 23). So each is driven in turn, and a frame along all four edges is only whole where the
chip is the right one: an SSD1306 that is driven as an SH1106 lacks the right edge, an SH1106 as an SSD1306 shows noise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from companion.core.errors import Malformed, Unavailable
from companion.core.shown.displays import CHIPS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tomlkit import TOMLDocument

    from companion.ports import Display

QUESTION = "Is there one whole frame along all four edges, with a cross within it and nothing else"
NONE_IS_RIGHT = "none of them: look at the wires, and at the address (companion doctor)"


def candidates(chosen: str, interface: str) -> Iterator[str]:
    """Give the chips that it may be, the one of the settings first: of its size, on its bus."""
    yield chosen
    size = CHIPS[chosen].size
    yield from (
        name for name, chip in CHIPS.items() if name != chosen and chip.size == size and interface in chip.interfaces
    )


def frame(size: tuple[int, int]) -> Image.Image:
    """Draw what is asked for: a frame of one pixel at the edges, and a cross from corner to corner."""
    image = Image.new("1", size)
    drawing = ImageDraw.Draw(image)
    right, bottom = size[0] - 1, size[1] - 1
    drawing.rectangle((0, 0, right, bottom), outline=1)
    drawing.line((0, 0, right, bottom), fill=1)
    drawing.line((0, bottom, right, 0), fill=1)
    return image


def ask_kind(
    kinds: Iterator[str], make: Callable[[str], Display], ask: Callable[[str], bool], say: Callable[[str], None]
) -> str | None:
    """Show the frame as each chip wants it until somebody says that it is right; None where none is.

    Raises Unavailable where nothing answers: no other kind would.
    """
    for kind in kinds:
        display = make(kind)
        display.open()
        try:
            display.show(frame(display.size))
            say(f"now it is driven as {kind}")
            if ask(QUESTION):
                return kind
        finally:
            display.close()
    say(NONE_IS_RIGHT)
    return None


def keep_kind(path: Path, kind: str) -> None:
    """Write the kind into the settings; whatever else stands there stays. Raises Unavailable: it says what to write."""
    from companion.config.toml_edit import edit, table_of
    from companion.files.durable import make_folder

    def change(document: TOMLDocument) -> None:
        table_of(document, "display")["kind"] = kind

    try:
        make_folder(path.parent)
        edit(path, "Settings of the box; companion config prints all that there are.", change)
    except (OSError, Malformed) as error:
        why = (error.strerror or error) if isinstance(error, OSError) else error
        by_hand = f'write it there yourself, under [display]: kind = "{kind}"'
        raise Unavailable(f"{path} cannot be written: {why}; {by_hand}") from error
