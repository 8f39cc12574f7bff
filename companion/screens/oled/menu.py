"""The pictures in which somebody picks or tries: menus, the lobby, questions, choices, a calibration. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.panel import POSITIONS
from companion.core.shown.scene import MORE, Menu
from companion.core.words.texts import number, text
from companion.screens.oled import glyphs
from companion.screens.oled.layout import BIG, TALL
from companion.screens.oled.saying import said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.shown.calibrating import Calibrating, SeatTrials
    from companion.core.shown.scene import Choosing, Lobby, MenuItem, Question
    from companion.screens.oled.layout import Page

NOT_RECORDED = text("NOT RECORDED")
_TRACK = 3
"""Width of the mark at the right edge that shows where in a long menu one is."""


def menu(page: Page, shown: Menu) -> None:
    """Draw a menu in what is left of the page: a list with a position mark, or one line to leaf through."""
    if not shown.items:
        page.line(shown.title)
    elif page.left_lines <= 2:
        _one_line(page, shown)
    else:
        _list(page, shown)


def _one_line(page: Page, shown: Menu) -> None:
    item = shown.items[shown.cursor]
    place = f"{shown.cursor + 1}/{len(shown.items)}"
    words = f"{glyphs.BACK} {_text(page, item)} {item.value}".rstrip() + f" {glyphs.CURSOR}"
    if page.left_lines == 2:
        page.line(shown.title, place)
        page.line(words, inverse=True)
    else:
        page.line((f"{shown.title} {words}", words), place, inverse=True)


def _list(page: Page, shown: Menu) -> None:
    """The items around the cursor, which stays in the middle where it can."""
    if shown.title:
        page.line(shown.title, f"{shown.cursor + 1}/{len(shown.items)}")
    lines, total = page.left_lines, len(shown.items)
    first = max(0, min(shown.cursor - lines // 2, total - lines))
    top, canvas = page.y, page.canvas
    narrow = _TRACK + 2 if total > lines else 0
    for index, item in enumerate(shown.items[first : first + lines], start=first):
        marked = index == shown.cursor
        if marked:
            canvas.bar(0, page.y, page.width - narrow, page.y + glyphs.HEIGHT)
        room = page.width - narrow - 10
        value = glyphs.fit(item.value, room // 2)
        words = glyphs.fit(_text(page, item), room - (glyphs.width(value) + 4 if value else 0))
        canvas.text(1, page.y, glyphs.CURSOR if marked else "", inverse=marked)
        canvas.text(8, page.y, words, inverse=marked)
        canvas.right_text(page.width - narrow - 1, page.y, value, inverse=marked)
        page.y += glyphs.HEIGHT
    if narrow:
        _position(page, top, first, lines, total)


def _position(page: Page, top: int, first: int, lines: int, total: int) -> None:
    """Draw the track and, on it, which part of the menu is shown."""
    height = lines * glyphs.HEIGHT
    for y in range(top, top + height, 2):
        page.canvas.image.putpixel((page.width - 2, y), 1)
    start = top + first * height // total
    end = max(start + 3, top + (first + lines) * height // total)
    page.canvas.bar(page.width - _TRACK, start, page.width, min(end, top + height))


def _text(page: Page, item: MenuItem) -> str:
    return page.signs.named(item.button or item.label)


def lobby(page: Page, scene: Lobby) -> None:
    """Draw who sits where, how to take a seat, and the settings."""
    seated = said(text("{count} of 5").format(count=len(scene.seats)))
    page.line(scene.menu.title or said(text("New match")), seated, inverse=True)
    if scene.seats:
        page.line(glyphs.CURSOR.join(said(colour.short) for colour in scene.seats))
    page.line((said(text("To sit: press any of your buttons")), said(text("Sit: press your colour"))))
    if scene.remark:
        page.line((said(text("This box: {remark}").format(remark=scene.remark)), scene.remark))
    menu(page, _untitled(scene.menu))


def _untitled(shown: Menu) -> Menu:
    return type(shown)("", shown.items, shown.cursor)


def question(page: Page, scene: Question) -> None:
    """Draw a question, what it is about, and the answers below."""
    page.line(scene.title, inverse=True)
    answers = min(len(scene.menu.items), 3)
    title = 1 if scene.menu.title else 0
    room = max(1, page.left_lines - answers - title)
    for index, line in enumerate(scene.lines):
        if room <= 0:
            break
        before = page.left_lines
        page.paragraph(page.signs.within(line), room if index == len(scene.lines) - 1 else 1)
        room -= before - page.left_lines
    menu(page, scene.menu)


def choosing(page: Page, scene: Choosing, recorded: bool) -> None:
    """Draw who must choose, in big letters, and which of their buttons takes what."""
    items = scene.menu.items if scene.seat is not None else tuple(replace(item, role=None) for item in scene.menu.items)
    are_named = any(item.button for item in items)
    is_list = not are_named and len(items) + scene.more > page.left_lines - BIG[1]
    name = said(scene.seat.short) if scene.seat is not None else said(text("KNOB"))
    how = _how(scene, items) if not is_list else _by_knob()
    title = scene.menu.title.removeprefix(name).strip() or said(text("chooses"))
    _banner(page, name, title, how if recorded else (said(NOT_RECORDED),), f"#{scene.number}" if scene.number else "")
    if scene.is_private:
        page.paragraph(
            said(text("in secret: the choices are on the player's own phone, one a button")),
            page.left_lines - scene.more,
        )
        if scene.more:
            page.line(f"{glyphs.CURSOR} {said(MORE.label)}", inverse=True)
        return
    more = replace(MORE, label=said(MORE.label))
    shown = Menu("", (*items, more), len(items)) if scene.more else Menu("", items, scene.menu.cursor)
    if are_named and len(items) > page.left_lines and not scene.more:
        page.cells([_cell(page, item) for item in items], page.left_lines, scene.menu.cursor)
    elif is_list or len(shown.items) > page.left_lines:
        menu(page, shown)
    else:
        _options(page, shown)


def _by_knob() -> tuple[str, ...]:
    return said(text("turn and push the knob")), said(text("turn the knob"))


def _how(scene: Choosing, items: Sequence[MenuItem]) -> tuple[str, ...]:
    """How to choose, in words of two lengths."""
    if any(item.button for item in items):
        return (scene.hint, scene.hint.partition("'")[0]) if scene.hint else (said(text("press its button")),)
    if any(item.role for item in items):
        return said(text("press your button")), said(text("your button:"))
    return _by_knob()


def _banner(page: Page, name: str, above: str, below: tuple[str, ...], number: str) -> None:
    """An inverted bar with a name twice as big, and two small lines beside it."""
    canvas, height = page.canvas, glyphs.HEIGHT * BIG[1]
    canvas.bar(0, page.y, page.width, page.y + height)
    x = canvas.text(1, page.y, name, scale=BIG, inverse=True) + 5
    right = page.width - 1
    if glyphs.width(above) + 4 + glyphs.width(number) <= right - x:
        canvas.right_text(right, page.y, number, inverse=True)
    canvas.text(x, page.y, glyphs.fit(above, right - x), inverse=True)
    canvas.text(x, page.y + glyphs.HEIGHT, glyphs.best(below, right - x), inverse=True)
    page.y += height


def _cell(page: Page, item: MenuItem) -> str:
    return page.signs.short(item.button).strip() if item.button else _text(page, item)


def _options(page: Page, shown: Menu) -> None:
    """One option below the other, over more lines where it needs them and they are free; the knob's cursor at left."""
    spare = page.left_lines - len(shown.items)
    for index, item in enumerate(shown.items):
        if index == shown.cursor:
            page.canvas.text(0, page.y, glyphs.CURSOR)
        lines = _option(page, item, spare)
        spare -= len(lines) - 1
        for place, line in enumerate(lines):
            page.line(line, indent=_OPTION_X if place == 0 else _MORE_X)


_OPTION_X, _MORE_X = 5, 15


def _option(page: Page, item: MenuItem, spare: int) -> list[str]:
    """What to press, and what it takes ("⛨ ace: 3 stones"): in one line, over several, or with the symbol alone."""
    words, room, signs = f"{item.label} {item.value}".rstrip(), page.width - _OPTION_X, page.signs
    if item.role is None:
        return [signs.named(item.button) if item.button else signs.named(words)]
    role = signs.button_says(item.role)
    key = f"{signs.symbol(item.role)} {role}:".lstrip()
    if glyphs.width(f"{key} {words}") <= room:
        return [f"{key} {words}"]
    short = f"{signs.symbol(item.role) or role} {words}"
    if spare < 1:
        return [glyphs.fit(short, room)]
    return [key, *glyphs.wrapped(words, room - _MORE_X + _OPTION_X, spare)]


# -- a calibration -----------------------------------------------------------------------------------------------------

_NAME = 22
"""Pixels for three letters of a seat, beside its dots."""


def calibrating(page: Page, scene: Calibrating, roles: tuple[str, ...]) -> None:
    """Draw what a calibration shows now."""
    if scene.asks is not None:
        _asked(page, scene, roles[POSITIONS.index(scene.asks)])
        return
    page.line(scene.title, _right(scene), inverse=True)
    if scene.proposal is not None:
        _proposed(page, scene)
    elif any(seat.became for seat in scene.seats):
        for seat in scene.seats:
            page.line(f"{seat.colour.short} {seat.became}", str(len(seat.times_ms)))
    else:
        room = max(1, page.left_lines - min(len(scene.menu.items), 3))
        for line in filter(None, scene.lines):
            page.paragraph(line, room)
            room = max(1, page.left_lines - min(len(scene.menu.items), 3))
    if scene.menu.items and scene.proposal is None:
        menu(page, scene.menu)


def _right(scene: Calibrating) -> str:
    """Say who has not agreed yet."""
    return " ".join(colour.short for colour in scene.missing) if len(scene.missing) <= 2 else ""


def _asked(page: Page, scene: Calibrating, role: str) -> None:
    """Fill the picture with what is to be pressed: its sign as large as there is room, and its name, tall."""
    name = glyphs.best((role, role[:6]), (page.width - 2) // BIG[0])
    sign = page.signs.symbol(role)
    lines = page.left_lines
    page.canvas.bar(0, page.y, page.width, page.bottom)
    if sign:
        scale = max(2, min(lines - 3, 5))
        left = (page.width - glyphs.width(sign) * scale) // 2
        page.canvas.text(left, page.y + 2, sign, scale=(scale, scale), inverse=True)
    left = (page.width - glyphs.width(name) * BIG[0]) // 2
    page.canvas.text(left, page.bottom - BIG[1] * glyphs.HEIGHT - 2, name, scale=BIG, inverse=True)
    if scene.is_any:
        page.canvas.text(1, page.y, said(text("1 switch: now")), inverse=True)


def _proposed(page: Page, scene: Calibrating) -> None:
    """Draw what is proposed and its interval, then every trial as a dot."""
    proposal = scene.proposal
    if proposal is None:
        return
    ms, low, high = (number(f"{one:,}") for one in (proposal.ms, proposal.low_ms, proposal.high_ms))
    page.line((said(text("−{ms} ms allowance").format(ms=ms)), said(text("−{ms} ms").format(ms=ms))), scale=TALL)
    ends = said(text("95 %: {low} to {high} ms").format(low=low, high=high))
    page.line((ends, f"{proposal.low_ms}–{proposal.high_ms} ms"))
    times = [time for seat in scene.seats for time in seat.times_ms]
    first, last = min(times), max(times)
    for seat in scene.seats[: max(0, page.left_lines - 1)]:
        _dots(page, seat, first, max(last, first + 1))
    how = (said(text("a button agrees, the 4th does not")), said(text("button: yes, 4th: no")))
    page.line(how, "◂" if scene.menu.items else "")


def _dots(page: Page, seat: SeatTrials, low: int, high: int) -> None:
    """Draw a seat's trials along one line of time, with a stroke at their median."""
    canvas, room = page.canvas, page.width - _NAME - 4
    canvas.text(1, page.y, seat.colour.short)

    def x_of(time: int) -> int:
        return _NAME + (time - low) * room // (high - low)

    for count, time in enumerate(seat.times_ms):
        canvas.image.putpixel((x_of(time), page.y + 1 + count % 6), 1)
    if seat.median_ms is not None:
        x = x_of(seat.median_ms)
        canvas.bar(x, page.y, x + 2, page.y + glyphs.HEIGHT - 1)
    page.y += glyphs.HEIGHT
