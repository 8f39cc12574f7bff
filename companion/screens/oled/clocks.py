"""The pictures of a game's clocks: what runs as large as there is room for, all of them always. Pure.

Every clock is told by its seat's letters; one that runs by a pointer and a light frame, one whose time has run out by
a flag with its place, one with little left by its letters being lit. So nothing is told by size or place alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.timing.events import SECOND
from companion.core.words.texts import text
from companion.screens.oled import glyphs
from companion.screens.oled.glyphs import CURSOR, FLAG, HALTED
from companion.screens.oled.menu import NOT_RECORDED
from companion.screens.oled.saying import said
from companion.screens.text.wording import left

if TYPE_CHECKING:
    from companion.core.panel import Colour
    from companion.core.ruling.view import Clock, View
    from companion.core.shown.scene import Idle
    from companion.screens.oled.layout import Page

_SCALES = ((4, 4), (3, 4), (3, 3), (2, 3), (2, 2), (1, 2), (1, 1))
"""Of digits, the largest first."""
_GAP = 4
_LEAST = 3
"""Pixels that stay free between whose a clock is and what is left of it."""


def is_about_clocks(view: View) -> bool:
    """Tell whether clocks are what a view is about."""
    return bool(view.clocks) and not view.table and view.hidden is None


def heading(page: Page, scene: Idle, recorded: bool) -> None:
    """Draw the line on top: whether the clocks run; while a menu is below it, what they say."""
    view = scene.view
    runs = any(clock.is_running for clock in view.clocks)
    if scene.menu is not None:
        shown = [clock for clock in view.clocks if clock.is_running] or list(view.clocks)
        page.line("  ".join(f"{_mark(clock)}{_who(clock.seat)} {_said(clock)}" for clock in shown), inverse=True)
        return
    what = f"{'' if runs else HALTED + ' '}{view.phase}"
    round_says = "" if view.round is None else said(text("round {number}").format(number=view.round))
    page.line((f"{scene.game_title}: {what}", what), round_says if recorded else said(NOT_RECORDED), inverse=True)


def clocks(page: Page, view: View) -> None:
    """Draw all clocks: one that runs alone large, with the others below; else one below the other."""
    running = [clock for clock in view.clocks if clock.is_running]
    if len(running) == 1:
        _one(page, running[0], [clock for clock in view.clocks if clock is not running[0]])
    else:
        _list(page, view)


def _one(page: Page, main: Clock, others: list[Clock]) -> None:
    label = f"{CURSOR} {_who(main.seat)}{_flag(main)}"
    page.line(label, _note(main), inverse=True)
    below = 1 if len(others) <= 2 else 2
    tall = 2 if below == 1 and page.left_lines >= 6 else 1
    room = page.bottom - page.y - glyphs.HEIGHT * below * tall
    _digits(page, left(main.left_ns), room, is_low=_is_low(main))
    page.y = page.bottom - glyphs.HEIGHT * below * tall
    columns = 2 if others[1:] else 1
    for start in range(0, len(others), 2):
        _row(page, others[start : start + 2], columns, (1, tall))


def _digits(page: Page, text: str, room: int, *, is_low: bool) -> None:
    """Draw digits in the middle, as large as there is room for."""
    wide, tall = _fitting(text, page.width - 2, room)
    top = page.y + max(0, (room - glyphs.HEIGHT * tall) // 2)
    x = (page.width - glyphs.width(text) * wide) // 2
    if is_low:
        page.canvas.bar(0, top, page.width, top + glyphs.HEIGHT * tall)
    page.canvas.text(x, top, text, scale=(wide, tall), inverse=is_low)


def _fitting(text: str, width: int, height: int) -> tuple[int, int]:
    return next(
        (scale for scale in _SCALES if glyphs.width(text) * scale[0] <= width and glyphs.HEIGHT * scale[1] <= height),
        _SCALES[-1],
    )


def _row(page: Page, shown: list[Clock], columns: int, scale: tuple[int, int]) -> None:
    """Draw up to two clocks side by side, on one line."""
    width = page.width // columns
    for place, clock in enumerate(shown):
        x = place * width
        end = x + width - (_GAP if place + 1 < columns else 0)
        name, time = _pair(_names(clock), _times(clock), end - x)
        page.canvas.text(x, page.y, name, scale=scale)
        page.canvas.right_text(end, page.y, time, scale=scale)
    page.y += glyphs.HEIGHT * scale[1]


def _pair(names: tuple[str, ...], times: tuple[str, ...], width: int) -> tuple[str, str]:
    """Give whose a clock is and what is left of it, both as fully as a width has room for; the time is kept longer."""
    for apart in (_LEAST, 0):  # each letter has an empty column of its own
        for time in times:
            room = width - apart - glyphs.width(time)
            fitting = next((name for name in names if glyphs.width(name) <= room), None)
            if fitting is not None:
                return fitting, time
    return glyphs.best(names, width - glyphs.width(times[-1])), times[-1]


def _list(page: Page, view: View) -> None:
    """Draw all alike: up to three one below the other, more in two columns."""
    columns = 1 if len(view.clocks) <= 3 else 2
    rows = -(-len(view.clocks) // columns)
    height, width = (page.bottom - page.y) // rows, page.width // columns
    for place, clock in enumerate(view.clocks):
        x = place % columns * width
        y = page.y + place // columns * height
        right = x + width - (columns > 1)
        _cell(page, clock, (x, y, right, y + height - 1), is_next=clock.is_running or clock.seat is view.turn)


def _cell(page: Page, clock: Clock, box: tuple[int, int, int, int], *, is_next: bool) -> None:
    """Draw a clock in a box: whose it is at the left, what is left as large as there is room for at the right."""
    x, y, right, bottom = box
    canvas, inverse = page.canvas, clock.is_running
    tall = 2 if bottom - y >= 2 * glyphs.HEIGHT else 1
    if inverse:
        canvas.bar(x, y, right, bottom)
    pointer = CURSOR if is_next else ""
    marked = tuple(f"{pointer}{name}" for name in _names(clock))
    note = (f"{marked[0]} {_note(clock)}",) if is_next and _note(clock) else ()
    unmarked = _names(clock) if inverse else ()  # the light frame says it too
    name, said = _pair((*note, *marked, *unmarked), _times(clock), right - x - 2)
    room = max(right - x - 2 - _LEAST - glyphs.width(name), glyphs.width(said))
    scale = _fitting(said, room, bottom - y)
    middle = (y + bottom) // 2
    canvas.text(x + 1, middle - glyphs.HEIGHT * tall // 2, name, scale=(1, tall), inverse=inverse)
    canvas.right_text(right - 1, middle - glyphs.HEIGHT * scale[1] // 2, said, scale=scale, inverse=inverse)


def _who(seat: Colour | None) -> str:
    return said(seat.short) if seat is not None else ""


def _mark(clock: Clock) -> str:
    return CURSOR if clock.is_running else ""


def _said(clock: Clock) -> str:
    return f"{said(left(clock.left_ns))}{'!' if _is_low(clock) and not clock.flag else ''}"


def _names(clock: Clock) -> tuple[str, ...]:
    """Say whose it is and that its time has run out, the most wanted first; neither is ever left out."""
    spread = f"{_who(clock.seat)}{_flag(clock)}"
    return (spread, spread.replace(" ", "")) if clock.flag is not None else (spread,)


def _times(clock: Clock) -> tuple[str, ...]:
    """Say what is left; once that has run out, less exactly where there is little room ("−1h02", "−50m")."""
    exact = _said(clock)
    if clock.flag is None:
        return (exact,)
    sign, (minutes, seconds) = "−" if clock.left_ns < 0 else "", divmod(abs(clock.left_ns) // SECOND, 60)
    if minutes < 60:
        return exact, f"{sign}{minutes}:{seconds:02}", f"{sign}{minutes}m"
    return exact, f"{sign}{minutes // 60}h{minutes % 60:02}", f"{sign}{minutes // 60}h"


def _is_low(clock: Clock) -> bool:
    return 0 < clock.left_ns <= clock.low_ns


def _flag(clock: Clock) -> str:
    return f" {FLAG}{clock.flag}" if clock.flag is not None else ""


def _note(clock: Clock) -> str:
    """Say how long it stands still yet."""
    held = -(-clock.held_ns // SECOND)
    return f"+{held} s" if held else ""
