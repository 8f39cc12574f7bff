"""The pictures in which somebody picks: menus, the lobby, questions, a claimant's choice. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.shown.scene import MORE, Menu
from companion.screens.oled import glyphs
from companion.screens.oled.layout import BIG

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.shown.scene import Choosing, Lobby, MenuItem, Question
    from companion.screens.oled.layout import Page

NOT_RECORDED = "NOT RECORDED"
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
    text = f"{glyphs.BACK} {_text(page, item)} {item.value}".rstrip() + f" {glyphs.CURSOR}"
    if page.left_lines == 2:
        page.line(shown.title, place)
        page.line(text, inverse=True)
    else:
        page.line((f"{shown.title} {text}", text), place, inverse=True)


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
        text = glyphs.fit(_text(page, item), room - (glyphs.width(value) + 4 if value else 0))
        canvas.text(1, page.y, glyphs.CURSOR if marked else "", inverse=marked)
        canvas.text(8, page.y, text, inverse=marked)
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
    page.line(scene.menu.title or "New match", f"{len(scene.seats)} of 5", inverse=True)
    if scene.seats:
        page.line(glyphs.CURSOR.join(colour.short for colour in scene.seats))
    page.line(("To sit: press any of your buttons", "Sit: press your colour"))
    if scene.remark:
        page.line((f"This box: {scene.remark}", scene.remark))
    menu(page, _untitled(scene.menu))


def _untitled(shown: Menu) -> Menu:
    return type(shown)("", shown.items, shown.cursor)


def question(page: Page, scene: Question) -> None:
    """Draw a question, what it is about, and the answers below."""
    page.line(scene.title, inverse=True)
    answers = min(len(scene.menu.items), 3)
    title = 1 if scene.menu.title else 0
    room = max(1, page.left_lines - answers - title)
    for index, text in enumerate(scene.lines):
        if room <= 0:
            break
        before = page.left_lines
        page.paragraph(page.signs.within(text), room if index == len(scene.lines) - 1 else 1)
        room -= before - page.left_lines
    menu(page, scene.menu)


def choosing(page: Page, scene: Choosing, recorded: bool) -> None:
    """Draw who must choose, in big letters, and which of their buttons takes what."""
    items = scene.menu.items if scene.seat is not None else tuple(replace(item, role=None) for item in scene.menu.items)
    are_named = any(item.button for item in items)
    is_list = not are_named and len(items) + scene.more > page.left_lines - BIG[1]
    name = scene.seat.short if scene.seat is not None else "KNOB"
    how = _how(scene, items) if not is_list else _BY_KNOB
    title = scene.menu.title.removeprefix(name).strip() or "chooses"
    _banner(page, name, title, how if recorded else (NOT_RECORDED,), f"#{scene.number}" if scene.number else "")
    if scene.is_private:
        page.paragraph(
            "in secret: the choices are on the player's own phone, one a button", page.left_lines - scene.more
        )
        if scene.more:
            page.line(f"{glyphs.CURSOR} {MORE.label}", inverse=True)
        return
    shown = Menu("", (*items, MORE), len(items)) if scene.more else Menu("", items, scene.menu.cursor)
    if are_named and len(items) > page.left_lines and not scene.more:
        page.cells([_cell(page, item) for item in items], page.left_lines, scene.menu.cursor)
    elif is_list or len(shown.items) > page.left_lines:
        menu(page, shown)
    else:
        _options(page, shown)


_BY_KNOB = ("turn and push the knob", "turn the knob")


def _how(scene: Choosing, items: Sequence[MenuItem]) -> tuple[str, ...]:
    """How to choose, in words of two lengths."""
    if any(item.button for item in items):
        return (scene.hint, scene.hint.partition("'")[0]) if scene.hint else ("press its button",)
    if any(item.role for item in items):
        return ("press your button", "your button:")
    return _BY_KNOB


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
        for number, line in enumerate(lines):
            page.line(line, indent=_OPTION_X if number == 0 else _MORE_X)


_OPTION_X, _MORE_X = 5, 15


def _option(page: Page, item: MenuItem, spare: int) -> list[str]:
    """What to press, and what it takes ("⛨ ace: 3 stones"): in one line, over several, or with the symbol alone."""
    text, room, signs = f"{item.label} {item.value}".rstrip(), page.width - _OPTION_X, page.signs
    if item.role is None:
        return [signs.named(item.button) if item.button else signs.named(text)]
    key = f"{signs.symbol(item.role)} {item.role}:".lstrip()
    if glyphs.width(f"{key} {text}") <= room:
        return [f"{key} {text}"]
    short = f"{signs.symbol(item.role) or item.role} {text}"
    if spare < 1:
        return [glyphs.fit(short, room)]
    return [key, *glyphs.wrapped(text, room - _MORE_X + _OPTION_X, spare)]
