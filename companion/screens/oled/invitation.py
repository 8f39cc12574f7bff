"""The invitation as a picture: a QR code of the box's address, the address in words; on the box's own display
the referee's PIN. Pure.

The code is dark on a lit ground, as readers expect it, with as much of its quiet zone as the height leaves: on 64
pixels an address of up to 32 characters has modules of two pixels and three and a half of them around it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import segno

from companion.core.shown.scene import Invitation
from companion.screens.oled import glyphs

if TYPE_CHECKING:
    from companion.core.shown.scene import LookOn
    from companion.screens.oled.layout import Page


def invitation(page: Page, body: Invitation | LookOn) -> None:
    """Draw it; without room for the code (an address of great length) the words stand alone."""
    canvas, left = page.canvas, 0
    modules = segno.make(body.url, error="l", micro=False, boost_error=False).matrix
    height = page.bottom - page.y
    scale = height // (len(modules) + 4)
    if scale >= 1 and height < canvas.width:
        canvas.bar(0, page.y, height, page.bottom)
        around = (height - scale * len(modules)) // 2
        for row, line in enumerate(modules):
            for column, is_dark in enumerate(line):
                if is_dark:
                    x, y = around + column * scale, page.y + around + row * scale
                    canvas.image.paste(0, (x, y, x + scale, y + scale))
        left = height + 2
    words = body.url.removeprefix("http://").rstrip("/")
    room = canvas.width - left
    y = page.y
    remark = ["", *glyphs.wrapped(body.remark, room, 2)] if body.remark else []
    pin = ["", "PIN", *pieces(body.pin, room)] if isinstance(body, Invitation) else []
    for text in ("Look on at", *pieces(words, room), *pin, *remark):
        if text and y + glyphs.HEIGHT <= page.bottom:
            canvas.text(left, y, glyphs.fit(text, room))
        y += glyphs.HEIGHT if text else glyphs.HEIGHT // 2


def pieces(text: str, room: int) -> list[str]:
    """Cut an address into lines of `room` pixels, after its dots and colons where that can be."""
    found = [""]
    for character in text:
        if glyphs.width(found[-1] + character) > room:
            cut = max(found[-1].rfind("."), found[-1].rfind(":")) + 1 or len(found[-1])
            found[-1:] = [found[-1][:cut], found[-1][cut:]]
        found[-1] += character
    return found
