"""The pictures of a race: the order as it stands, and what became of everybody in it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.shown.scene import Standing, Status
from companion.core.words.texts import joined, text, texts
from companion.screens.oled import glyphs
from companion.screens.oled import menu as menu_pictures
from companion.screens.oled.layout import TALL
from companion.screens.oled.menu import NOT_RECORDED
from companion.screens.oled.saying import is_translated, said
from companion.screens.text.explaining import explained
from companion.screens.text.wording import STATUS, TOO_SOON, allowances_brief, amount, gap, grouped, outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.shown.scene import Results, Row, Turn
    from companion.screens.oled.layout import Page

_ROOMY = 200
"""Pixels from which a row of results has room for its gap too."""
_COLOUR_X, _SYMBOL_X, _WORD_X = 8, 27, 37
"""Columns of a row: the place before them, the role's word, reason and gap after them."""


def standing(page: Page, scene: Standing, recorded: bool) -> None:
    """Draw the order with the gaps, who came too late, and the menu if one is open."""
    _header(page, scene, recorded, _protest(scene))
    menu_lines = 1 if scene.menu is not None else 0
    late_lines = 1 if scene.late and page.left_lines - len(scene.rows) - menu_lines > 0 else 0
    touch_lines = 1 if scene.unsettled and page.left_lines - len(scene.rows) - menu_lines - late_lines > 0 else 0
    room = page.left_lines - late_lines - menu_lines - touch_lines
    if scene.menu is not None:
        room = max(min(len(scene.rows), room), min(room, 3))  # the menu takes what the rows can spare
    _rows(page, [(row, _standing_texts(row)) for row in scene.rows], room)
    if scene.hidden_for:
        _hidden(page, scene, room)
    if touch_lines:
        page.line(" ".join(f"{said(colour.short)} {glyphs.MORE}" for colour in scene.unsettled), indent=_COLOUR_X)
    if late_lines:
        late = " ".join(f"{said(colour.short)}{page.signs.symbol(role)}" for colour, role in scene.late)
        page.line(said(text("too late: {who}").format(who=late)))
    if scene.menu is not None:
        menu_pictures.menu(page, scene.menu)


def _hidden(page: Page, scene: Standing, room: int) -> None:
    """Who has made a press while nobody is to see which, and for whom that waits."""
    top = page.y
    mark = glyphs.DOT if scene.without is None else glyphs.DONE
    marked = [f"{said(colour.short)} {mark}" for colour in scene.made]
    marked += [f"{said(colour.short)} {glyphs.NONE}" for colour in scene.without or ()]
    made = "   ".join(one.replace(" ", glyphs.TIED) for one in marked)
    tall = len(glyphs.wrap(made, page.width)) * 2 + 1 <= room
    for line in glyphs.wrapped(made, page.width, max(1, room - 1)):
        page.line(line, scale=TALL if tall else (1, 1))
    waits = " ".join(said(colour.short) for colour in scene.hidden_for)
    if page.left_lines and room > 1:
        hidden = (text("hidden until {seats} played"), text("hidden for {seats}"), text("for {seats}"))
        lie = (text("face down. To lay: {seats}"), text("to lay: {seats}"), text("{seats}"))
        shown = hidden if scene.without is None else lie
        page.line(tuple(said(one.format(seats=waits)) for one in shown))
    page.canvas.first = (top, page.y)


def _header(page: Page, scene: Standing | Results, recorded: bool, right: str = "") -> None:
    """Black on white once it is settled; till then white on black with dots below. Never settled without a record."""
    number, status = scene.number, scene.status
    named = f"{scene.race_name} {number}"
    if not recorded or status is Status.NOT_RECORDED:
        page.line((named, f"#{number}"), f"{glyphs.CROSS} {said(NOT_RECORDED)} {glyphs.CROSS}", inverse=True)
        return
    lies = isinstance(scene, Standing) and scene.without is not None and bool(scene.hidden_for)
    words = said(text("face down") if lies else STATUS[status])
    if status is Status.FINAL:
        page.line((f"{named} {words}", f"#{number} {words}", f"#{number}"), right, inverse=True)
        return
    brief = words.split(",")[0]
    page.line(
        tuple(f"{line}{glyphs.MORE}" for line in (f"{named} {words}", f"{named} {brief}", f"#{number} {brief}")),
        right,
    )
    page.canvas.dots(0, page.y - 1, page.width)


def _protest(scene: Standing | Results) -> str:
    """Say that a race is disputed, and by whom or how many; empty where it is not."""
    if len(scene.disputed) > 1:
        return said(texts("{count} protest", "{count} protests", len(scene.disputed)))
    if not scene.disputed:
        return ""
    return said(text("{colour} protests").format(colour=scene.disputed[0].short))


def _reasons(row: Row) -> tuple[str, ...]:
    """Why it was punished, the longer words first, or that it came too soon; () where neither is so."""
    if row.verdict == "punish":
        return tuple(dict.fromkeys(filter(None, (_why(row), row.why_brief))))
    return (said(TOO_SOON),) if row.anticipated else ()


def _why(row: Row) -> str:
    """Why it was punished, as the record has it; where that is no English, as the game says it."""
    return (row.why_says or row.why or "") if is_translated() else (row.why or "")


def _reason_alone(row: Row, room: int) -> str:
    """Why it was punished, for a line of its own; in few words where another language takes more than the line."""
    brief = (row.why_brief,) if is_translated() and row.why_brief else ()
    return glyphs.best((_why(row), *brief), room)


def _standing_texts(row: Row) -> tuple[tuple[str, str, str], ...]:
    """Candidates for a row's word, reason and gap, the most wanted first."""
    wide, close = said(gap(row)), said(gap(row, ""))
    reasons = _reasons(row) or ("",)
    short = reasons[-1]
    word = str(row.role)
    if row.allowance is not None:
        allowed = _allowed(row)
        return tuple((role, reason, line) for line in allowed for role in (word, "") for reason in reasons)
    found = [(word, reasons[0], wide), (word, short, wide), (word, short, close)]
    found += [("", reasons[0], wide), ("", short, wide), ("", short, close)]
    if row.dead_heat:
        found.append(("", short, "±" + "".join(said(part) for part in amount(row.error_ns))))
    return tuple(found)


def _allowed(row: Row) -> tuple[str, ...]:
    """What an allowance did for the place, with the gap where there is room; it is never left out."""
    if row.allowance is None:
        return ()
    behind = said(gap(row))
    whole, *parts = [said(part) for part in allowances_brief(row.allowance)]
    return (f"{behind}: {whole}", *(f"{behind} {part}" for part in parts), parts[-1])


def _rows(page: Page, rows: list[tuple[Row, tuple[tuple[str, str, str], ...]]], room: int) -> None:
    """Draw the rows in `room` lines: as tall letters or with the reason on a line of its own where that fits.

    The order is what everybody waits for: a display shows it before the rest of its picture.
    """
    top = page.y
    shown = rows if len(rows) <= room else rows[: max(0, room - 1)]
    tall = bool(shown) and len(shown) * 2 <= room
    spare = 0 if tall else room - len(shown)
    for row, ways in shown:
        two_lines = spare > 0 and bool(row.why) and _chosen(ways, page.width)[:2] != ways[0][:2]
        candidates = tuple((word, "", right) for word, _, right in ways) if two_lines else ways
        _row(page, row, candidates, tall)
        if two_lines and row.why:
            spare -= 1
            _chip(page, _SYMBOL_X, page.y, _reason_alone(row, page.width - _SYMBOL_X - 2), (1, 1))
            page.y += glyphs.HEIGHT
    if len(shown) < len(rows):
        page.line(said(text("+{count} more").format(count=len(rows) - len(shown))))
    page.canvas.first = (top, page.y)


def _width(parts: tuple[str, str, str]) -> int:
    return sum(glyphs.width(part) + 4 for part in parts if part) - 4


def _chosen(candidates: tuple[tuple[str, str, str], ...], width: int) -> tuple[str, str, str]:
    room = width - _WORD_X - 2
    return next((parts for parts in candidates if _width(parts) <= room), candidates[-1])


def _row(page: Page, row: Row, candidates: tuple[tuple[str, str, str], ...], tall: bool) -> None:
    """One row; the reason of a punishment is inverted."""
    word, reason, right = _chosen(candidates, page.width)
    canvas, y = page.canvas, page.y
    scale = TALL if tall else (1, 1)
    canvas.text(0, y, glyphs.fit(str(row.place), _COLOUR_X - 1) or glyphs.CURSOR, scale=scale)
    canvas.text(_COLOUR_X, y, said(row.colour.short), scale=scale)
    canvas.text(_SYMBOL_X, y, page.signs.symbol(row.role), scale=scale)
    right = glyphs.fit(right, page.width - _WORD_X)
    left = canvas.right_text(page.width, y, right, scale=scale) if right else page.width
    x = canvas.text(_WORD_X, y, glyphs.fit(word, max(0, left - 4 - _WORD_X)), scale=scale)
    if reason:
        x += 4 if word else 0
        _chip(page, x, y, glyphs.fit(reason, max(0, left - 3 - x - 1)), scale)
    page.y += glyphs.HEIGHT * scale[1]


def _chip(page: Page, x: int, y: int, words: str, scale: tuple[int, int]) -> None:
    """A text on a bar of its own."""
    words = glyphs.fit(words, page.width - x - 2)
    if words:
        page.canvas.bar(x, y, x + glyphs.width(words) + 2, y + glyphs.HEIGHT * scale[1])
        page.canvas.text(x + 1, y, words, scale=scale, inverse=True)


def results(page: Page, scene: Results, recorded: bool) -> None:
    """Draw the whole settled order, or the turn in focus spelled out card by card."""
    if 0 <= scene.focus < len(scene.turns):
        _turn(page, scene, scene.turns[scene.focus], recorded)
        return
    if scene.heat_goes is not None and len(scene.turns) <= scene.focus < scene.pages:
        told = explained(scene.rows, scene.turns, scene.heat_goes, {})[scene.focus - len(scene.turns)]
        page.line(said(text("{seat}: why").format(seat=told.colour.short)), inverse=True, scale=TALL)
        page.paragraph(said(joined(told.sentences, " ")))
        return
    _header(page, scene, recorded, _protest(scene) or said(text("result")))
    turns = {turn.colour: turn for turn in scene.turns}
    rows = [(row, _result_texts(row, turns.get(row.colour), page)) for row in scene.rows]
    _rows(page, rows, page.left_lines)


def _result_texts(row: Row, turn: Turn | None, page: Page) -> tuple[tuple[str, str, str], ...]:
    """Candidates for word, reason and what became of the player; where there is room the gap stands there too."""
    if turn is None:
        return _standing_texts(row)
    reasons: tuple[str, ...] = _reasons(row) or ("",)
    words: tuple[str, ...] = (said(outcome(turn)),)
    if turn.cards and turn.result != "punished":
        rest = _without_own(turn)
        words = (
            (said(text("takes {cards}").format(cards=_pictures(page, rest))), said(outcome(turn))) if rest else words
        )
        words += (f"+{len(turn.cards)}",) if row.allowance is not None else ()
    if turn.result == "punished":
        words = (said(text("loses {count}").format(count=len(turn.cards))), f"-{len(turn.cards)}")
        reasons = _reasons(row) or (said(text("punished")),)
    times: tuple[str, ...] = (f"{said(gap(row))}  ", "") if page.width >= _ROOMY else ("",)
    times = tuple(f"{part} " for part in _allowed(row)[-2:]) or times
    role = str(row.role)
    return tuple(
        (word, reason, time + became)
        for time in times
        for became in words
        for word, reason in [*((role, reason) for reason in reasons), *(("", reason) for reason in reasons)]
    )


def _without_own(turn: Turn) -> tuple[str, ...]:
    """What a claim takes beyond the claimant's own card, which the row names anyway."""
    own = f"{turn.colour} {turn.role}"
    cards = list(turn.cards)
    if own in cards:
        cards.remove(own)
    return tuple(cards)


def _pictures(page: Page, cards: tuple[str, ...]) -> str:
    """Cards as symbols with their counts: "RED⛨ ♞3"; a card without a symbol by its name."""
    signs = page.signs
    return " ".join(
        signs.short(card) + (str(count) if count > 1 or not signs.has_colour(card) else "")
        for count, card in grouped(cards)
    )


def _turn(page: Page, scene: Results, turn: Turn, recorded: bool) -> None:
    """One player's turn: who, what happened, every card by name; by symbols where the names need too much room."""
    place = f"{scene.focus + 1}/{len(scene.turns)}"
    mark = "" if recorded and scene.status is not Status.NOT_RECORDED else f" {said(NOT_RECORDED)}"
    signs = page.signs
    title = f"{said(turn.colour.short)} {signs.symbol(turn.role)}"
    page.line((f"{title} {turn.role}{mark}", f"{title}{mark}"), place, inverse=True, scale=TALL)
    sentences = [said(outcome(turn)), turn.why_says]
    groups = grouped(turn.cards)
    named = _listed(f"{signs.symbol(card)} {said(signs.counted(count, card))}".strip() for count, card in groups)
    plain = _listed(said(signs.counted(count, card)) for count, card in groups)
    pictures = _pictures(page, turn.cards)
    ways = [_lines(page, [*sentences, cards, turn.note]) for cards in (named, plain, pictures)]
    ways.append(_lines(page, [" ".join(filter(None, (said(outcome(turn)), pictures, turn.note)))]))
    tall = next((lines for lines in ways[:2] if len(lines) * 2 <= page.left_lines), None)
    fitting = next((lines for lines in ways if len(lines) <= page.left_lines), None)
    lines = tall or fitting or glyphs.wrapped(" ".join(ways[-1]), page.width, page.left_lines)
    for line in lines:
        page.line(line, scale=TALL if tall else (1, 1))


def _listed(parts: Iterable[str]) -> str:
    """Join by commas, so that a line is broken between the parts only."""
    return ", ".join(part.replace(" ", glyphs.TIED) for part in parts)


def _lines(page: Page, sentences: list[str]) -> list[str]:
    return [line for sentence in sentences if sentence for line in glyphs.wrap(sentence, page.width)]
