"""The invitation as a picture: a QR code of the box's address, the address in words; on the box's own display
the referee's PIN. Pure.

The code is dark on a lit ground, as readers expect it, with as much of its quiet zone as the height leaves: on 64
pixels an address of up to 32 characters has modules of two pixels and three and a half of them around it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.shown.scene import Invitation
from companion.core.words.texts import text
from companion.screens.oled import glyphs
from companion.screens.oled.saying import said

if TYPE_CHECKING:
    from companion.core.panel import Colour
    from companion.core.shown.scene import LookOn, Trust
    from companion.screens.oled.canvas import Canvas
    from companion.screens.oled.layout import Page

_PAIRS_A_LINE, _WIDEST_STEP = 8, 20
"""Of the fingerprint, and in pixels from one pair to the next."""


def invitation(page: Page, body: Invitation | LookOn) -> None:
    """Draw it; without room for the code (an address of great length) the words stand alone."""
    if isinstance(body, Invitation) and body.seat is not None:
        seat_page(page, body, body.seat)
        return
    if isinstance(body, Invitation) and body.trust is not None and body.page > 0:
        trust_page(page, body.trust, body.page)
        return
    canvas, left = page.canvas, code(page, body.url)
    words = plain(body.url)
    room = canvas.width - left
    y = page.y
    remark = ["", *glyphs.wrapped(body.remark, room, 2)] if body.remark else []
    pin = ["", said(text("PIN")), *pieces(body.pin, room)] if isinstance(body, Invitation) else []
    for line in (said(text("Look on at")), *pieces(words, room), *pin, *remark):
        if line and y + glyphs.HEIGHT <= page.bottom:
            canvas.text(left, y, glyphs.fit(line, room))
        y += glyphs.HEIGHT if line else glyphs.HEIGHT // 2


def seat_page(page: Page, body: Invitation, seat: Colour) -> None:
    """Draw where a phone asks for a seat, by the short address for it.

    In capitals alone a code takes five and a half bits a character instead of eight, and its modules are as large as
    those of the box's own address.
    """
    left = code(page, f"{body.url}p/{seat}".upper())
    room = page.canvas.width - left
    turn = ["", *said(text("Turn for\nothers")).split("\n")] if body.page + 1 < len(body.seats) else []
    for line, words in enumerate([said(text("Play")), said(seat.short), said(text("on a phone")), *turn]):
        if words and line < page.left_lines:
            page.canvas.text(left, page.y + line * glyphs.HEIGHT, glyphs.fit(words, room))


def trust_page(page: Page, trust: Trust, number: int) -> None:
    """Draw how a phone comes to trust the box: 1 where it learns that, 2 the fingerprint, eight pairs a line.

    The pairs stand as far apart as the width leaves room, since a phone shows them apart too.
    """
    canvas = page.canvas
    if number == 1:
        left = code(page, trust.url)
        room = canvas.width - left
        compare = said(text("Turn knob\nto compare")).split("\n")
        for line, words in enumerate([said(text("Trust by")), *pieces(plain(trust.url), room), "", *compare]):
            if line < page.left_lines:
                canvas.text(left, page.y + line * glyphs.HEIGHT, glyphs.fit(words, room))
        return
    page.line(said(text("SHA-256 fingerprint")), inverse=True)
    pairs = trust.fingerprint.split()
    step = (canvas.width - glyphs.width("00")) // (_PAIRS_A_LINE - 1)
    for index, pair in enumerate(pairs):
        line, column = divmod(index, _PAIRS_A_LINE)
        canvas.text(min(step, _WIDEST_STEP) * column, page.y + 3 + line * (glyphs.HEIGHT + 3), pair)


def code(page: Page, url: str) -> int:
    """Draw a QR code at the left, where there is room; give the x after it, 0 without one."""
    return code_at(page.canvas, url, (page.y, page.bottom))


def code_at(canvas: Canvas, url: str, rows: tuple[int, int]) -> int:
    """Draw a QR code at the left, as high as the rows of pixels; give the x after it, 0 where there is no room."""
    import segno  # noqa: PLC0415 - memory that a box to which nobody is invited need not have

    top, bottom = rows
    modules = segno.make(url, error="l", micro=False, boost_error=False).matrix
    height = bottom - top
    scale = height // (len(modules) + 4)
    if scale >= 1 and height < canvas.width:
        canvas.bar(0, top, height, bottom)
        around = (height - scale * len(modules)) // 2
        for row, line in enumerate(modules):
            for column, is_dark in enumerate(line):
                if is_dark:
                    x, y = around + column * scale, top + around + row * scale
                    canvas.image.paste(0, (x, y, x + scale, y + scale))
        return height + 2
    return 0


def plain(url: str) -> str:
    """Give an address as people read it."""
    return url.removeprefix("http://").rstrip("/")


def pieces(address: str, room: int) -> list[str]:
    """Cut an address into lines of `room` pixels, after its dots and colons where that can be."""
    found = [""]
    for character in address:
        if glyphs.width(found[-1] + character) > room:
            cut = max(found[-1].rfind("."), found[-1].rfind(":")) + 1 or len(found[-1])
            found[-1:] = [found[-1][:cut], found[-1][cut:]]
        found[-1] += character
    return found
