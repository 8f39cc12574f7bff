"""The pictures without a race: scores and what lies on the table, and the end of a match. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.words.texts import text, texts
from companion.screens.oled import glyphs
from companion.screens.oled import menu as menu_pictures
from companion.screens.oled.clocks import clocks, heading, is_about_clocks
from companion.screens.oled.layout import BIG, TALL
from companion.screens.oled.menu import NOT_RECORDED
from companion.screens.oled.saying import said

if TYPE_CHECKING:
    from companion.core.ruling.view import Area, View
    from companion.core.shown.scene import Final, Idle
    from companion.screens.oled.layout import Page


def idle(page: Page, scene: Idle, recorded: bool) -> None:
    """Draw scores, whose turn it is, the table; or the menu while it is open."""
    view = scene.view
    if is_about_clocks(view):
        _of_clocks(page, scene, recorded)
        return
    left = "" if view.hidden is None else said(text("{count} left").format(count=view.hidden))
    page.line(scene.game_title, left if recorded else said(NOT_RECORDED), inverse=True)
    if scene.hint and scene.menu is None:
        page.paragraph(said(text("Knob held: {hint}").format(hint=scene.hint)), 2)
    if scene.menu is not None:
        menu_pictures.menu(page, scene.menu)
        return
    _overview(page, scene)


def _of_clocks(page: Page, scene: Idle, recorded: bool) -> None:
    """Draw clocks; with the menu below what they say while it is open."""
    heading(page, scene, recorded)
    if scene.menu is not None:
        menu_pictures.menu(page, scene.menu)
        return
    clocks(page, scene.view)


def _overview(page: Page, scene: Idle) -> None:
    """Scores (tall where room is left), whose turn it is, what happened last, what lies on the table."""
    view = scene.view
    scores, table = _scores(view), _titled(page, _table(page, view))
    if page.lines_of(scores) > page.lines_of(scores[:-1]):
        scores = scores[:-1]  # a line of its own is too much for what is counted
    lines = page.lines_of(scores)
    turn = said(text("{colour}'s turn").format(colour=view.turn.short)) if view.turn is not None else ""
    lines_said = [line for line in (turn, page.signs.within(scene.recent) if scene.recent else "") if line]
    if not view.table and view.hidden and not scene.recent and not scene.held:
        lines_said += view.hints
    spare = page.left_lines - lines - len(lines_said) - page.lines_of(table)
    page.cells(scores, 2, _position(view), tall=spare >= lines)
    if spare < 0 and len(lines_said) > 1:
        lines_said = lines_said[1:]  # the seat's score is inverted anyway
    for line in lines_said:
        if page.left_lines > min(1, len(table)):
            page.line(line)
    page.cells(table, page.left_lines)


def _scores(view: View) -> list[str]:
    """ "RED 12" for each seat; what is counted is said behind the last."""
    scores = [f"{said(colour.short)} {score}" for colour, score in view.scores]
    return [*scores, view.score_label] if scores else []


def _position(view: View) -> int | None:
    """The index of the score of the seat whose turn it is: that one is inverted."""
    seats = [colour for colour, _ in view.scores]
    return seats.index(view.turn) if view.turn in seats else None


def _table(page: Page, view: View) -> list[str]:
    """Cards with their counts, and those of a player's colour together: "♞3", "RED⛨⛨2"; areas and their notes."""
    cells: list[str] = []
    by_colour: dict[str, list[str]] = {}
    signs = page.signs
    for name, count in view.table:
        if signs.has_colour(name):
            sign = signs.short(name)
            by_colour.setdefault(sign[:3], []).append(sign[3:] + (str(count) if count > 1 else ""))
        else:
            cells.append(f"{signs.short(name)}{count}")
    areas = [_area(area) for area in view.areas]
    return [*cells, *(colour + "".join(found) for colour, found in by_colour.items()), *areas]


def _area(area: Area) -> str:
    cells = " ".join(f"{said(cell.owner.short)} {cell.text}" if cell.owner else cell.text for cell in area.cells)
    return " ".join(filter(None, (f"{area.name}:", cells, area.note)))


def _titled(page: Page, table: list[str]) -> list[str]:
    """Put "table:" before the cells where that costs no line."""
    titled = [said(text("table:")), *table]
    return titled if table and page.lines_of(titled) == page.lines_of(table) else table


def final(page: Page, scene: Final, recorded: bool) -> None:
    """Draw who has won, in big letters, everybody's score, and who has signed or protests; or the menu."""
    page.line(
        (said(text("{game}: the end").format(game=scene.game_title)), scene.game_title),
        "" if recorded else said(NOT_RECORDED),
        inverse=True,
    )
    names = " ".join(said(colour.short) for colour in scene.leaders)
    verb = said(text("wins") if len(scene.leaders) == 1 else text("share the victory"))
    if len(scene.leaders) == 1 and glyphs.width(f"{names} {verb}") * 2 <= page.width:
        page.line(f"{names} {verb}", scale=BIG)
    elif scene.leaders:
        scale = BIG if glyphs.width(names) * 2 <= page.width else TALL
        page.line(names, scale=scale)
        page.line(verb)
    if scene.menu is not None:
        menu_pictures.menu(page, scene.menu)
        return
    note, bottom = _signatures(scene), page.bottom
    page.bottom -= glyphs.HEIGHT if note else 0
    _final_scores(page, scene)
    page.y, page.bottom = page.bottom, bottom
    if note:
        page.line(note)


def _signatures(scene: Final) -> str | tuple[str, ...]:
    """Say who protests, else who has accepted the result; empty for neither."""
    disputed = " ".join(said(colour.short) for colour in scene.disputed)
    signed = " ".join(said(colour.short) for colour in scene.signed)
    if disputed:
        return (
            said(text("no answer yet: protest of {seats}").format(seats=disputed)),
            said(text("protest: {seats}").format(seats=disputed)),
            said(texts("{count} protest", "{count} protests", len(scene.disputed))),
        )
    if not signed:
        return ""
    return said(text("signed: {seats}").format(seats=signed)), said(text("sgd {seats}").format(seats=signed))


def _final_scores(page: Page, scene: Final) -> None:
    scores = scene.view.scores
    if len(scores) > page.left_lines:
        page.cells(_scores(scene.view), page.left_lines)
        return
    tall = len(scores) * 2 <= page.left_lines
    for colour, score in scores:
        page.line(f"{said(colour.short)}  {score} {scene.view.score_label}", scale=TALL if tall else (1, 1))
