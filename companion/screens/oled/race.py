"""The pictures of a race: the order as it stands, and what became of everybody in it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.shown.scene import Status
from companion.screens.oled import glyphs
from companion.screens.oled import menu as menu_pictures
from companion.screens.oled.layout import TALL
from companion.screens.oled.menu import NOT_RECORDED
from companion.screens.text.wording import STATUS, TOO_SOON, allowances_brief, amount, gap, grouped, outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.shown.scene import Results, Row, Standing, Turn
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
        page.line(" ".join(f"{colour.short} {glyphs.MORE}" for colour in scene.unsettled), indent=_COLOUR_X)
    if late_lines:
        late = " ".join(f"{colour.short}{page.signs.symbol(role)}" for colour, role in scene.late)
        page.line(f"too late: {late}")
    if scene.menu is not None:
        menu_pictures.menu(page, scene.menu)


def _hidden(page: Page, scene: Standing, room: int) -> None:
    """Who has made a press while nobody is to see which, and for whom that waits."""
    top = page.y
    made = "   ".join(f"{colour.short} {glyphs.DOT}".replace(" ", glyphs.TIED) for colour in scene.made)
    tall = len(glyphs.wrap(made, page.width)) * 2 + 1 <= room
    for text in glyphs.wrapped(made, page.width, max(1, room - 1)):
        page.line(text, scale=TALL if tall else (1, 1))
    waits = " ".join(colour.short for colour in scene.hidden_for)
    if page.left_lines and room > 1:
        page.line((f"hidden until {waits} pressed", f"hidden for {waits}", f"for {waits}"))
    page.canvas.first = (top, page.y)


def _header(page: Page, scene: Standing | Results, recorded: bool, right: str = "") -> None:
    """Black on white once it is settled; till then white on black with dots below. Never settled without a record."""
    number, status = scene.number, scene.status
    named = f"{scene.race_name} {number}"
    if not recorded or status is Status.NOT_RECORDED:
        page.line((named, f"#{number}"), f"{glyphs.CROSS} {NOT_RECORDED} {glyphs.CROSS}", inverse=True)
        return
    words = STATUS[status]
    if status is Status.FINAL:
        page.line((f"{named} {words}", f"#{number} {words}"), right, inverse=True)
        return
    brief = words.split(",")[0]
    page.line(
        tuple(f"{text}{glyphs.MORE}" for text in (f"{named} {words}", f"{named} {brief}", f"#{number} {brief}")),
        right,
    )
    page.canvas.dots(0, page.y - 1, page.width)


def _protest(scene: Standing | Results) -> str:
    """Say that a race is disputed, and by whom or how many; empty where it is not."""
    if len(scene.disputed) > 1:
        return f"{len(scene.disputed)} protests"
    return f"{scene.disputed[0].short} protests" if scene.disputed else ""


def _reasons(row: Row) -> tuple[str, ...]:
    """Why it was punished, the longer words first, or that it came too soon; () where neither is so."""
    if row.verdict == "punish":
        return tuple(dict.fromkeys(filter(None, (row.why, row.why_brief))))
    return (TOO_SOON,) if row.anticipated else ()


def _standing_texts(row: Row) -> tuple[tuple[str, str, str], ...]:
    """Candidates for a row's word, reason and gap, the most wanted first."""
    wide, close = gap(row), gap(row, "")
    reasons = _reasons(row) or ("",)
    short = reasons[-1]
    word = str(row.role)
    if row.allowance is not None:
        said = _allowed(row)
        return tuple((role, reason, text) for text in said for role in (word, "") for reason in reasons)
    texts = [(word, reasons[0], wide), (word, short, wide), (word, short, close)]
    texts += [("", reasons[0], wide), ("", short, wide), ("", short, close)]
    if row.dead_heat:
        texts.append(("", short, "±" + "".join(amount(row.error_ns))))
    return tuple(texts)


def _allowed(row: Row) -> tuple[str, ...]:
    """What an allowance did for the place, with the gap where there is room; it is never left out."""
    if row.allowance is None:
        return ()
    whole, *parts = allowances_brief(row.allowance)
    return (f"{gap(row)}: {whole}", *(f"{gap(row)} {part}" for part in parts), parts[-1])


def _rows(page: Page, rows: list[tuple[Row, tuple[tuple[str, str, str], ...]]], room: int) -> None:
    """Draw the rows in `room` lines: as tall letters or with the reason on a line of its own where that fits.

    The order is what everybody waits for: a display shows it before the rest of its picture.
    """
    top = page.y
    shown = rows if len(rows) <= room else rows[: max(0, room - 1)]
    tall = bool(shown) and len(shown) * 2 <= room
    spare = 0 if tall else room - len(shown)
    for row, texts in shown:
        two_lines = spare > 0 and bool(row.why) and _chosen(texts, page.width)[:2] != texts[0][:2]
        candidates = tuple((word, "", text) for word, _, text in texts) if two_lines else texts
        _row(page, row, candidates, tall)
        if two_lines and row.why:
            spare -= 1
            _chip(page, _SYMBOL_X, page.y, row.why, (1, 1))
            page.y += glyphs.HEIGHT
    if len(shown) < len(rows):
        page.line(f"+{len(rows) - len(shown)} more")
    page.canvas.first = (top, page.y)


def _width(texts: tuple[str, str, str]) -> int:
    return sum(glyphs.width(text) + 4 for text in texts if text) - 4


def _chosen(candidates: tuple[tuple[str, str, str], ...], width: int) -> tuple[str, str, str]:
    room = width - _WORD_X - 2
    return next((texts for texts in candidates if _width(texts) <= room), candidates[-1])


def _row(page: Page, row: Row, candidates: tuple[tuple[str, str, str], ...], tall: bool) -> None:
    """One row; the reason of a punishment is inverted."""
    word, reason, right = _chosen(candidates, page.width)
    canvas, y = page.canvas, page.y
    scale = TALL if tall else (1, 1)
    canvas.text(0, y, glyphs.fit(str(row.place), _COLOUR_X - 1) or glyphs.CURSOR, scale=scale)
    canvas.text(_COLOUR_X, y, row.colour.short, scale=scale)
    canvas.text(_SYMBOL_X, y, page.signs.symbol(row.role), scale=scale)
    right = glyphs.fit(right, page.width - _WORD_X)
    left = canvas.right_text(page.width, y, right, scale=scale) if right else page.width
    x = canvas.text(_WORD_X, y, glyphs.fit(word, max(0, left - 4 - _WORD_X)), scale=scale)
    if reason:
        x += 4 if word else 0
        _chip(page, x, y, glyphs.fit(reason, max(0, left - 3 - x - 1)), scale)
    page.y += glyphs.HEIGHT * scale[1]


def _chip(page: Page, x: int, y: int, text: str, scale: tuple[int, int]) -> None:
    """A text on a bar of its own."""
    text = glyphs.fit(text, page.width - x - 2)
    if text:
        page.canvas.bar(x, y, x + glyphs.width(text) + 2, y + glyphs.HEIGHT * scale[1])
        page.canvas.text(x + 1, y, text, scale=scale, inverse=True)


def results(page: Page, scene: Results, recorded: bool) -> None:
    """Draw the whole settled order, or the turn in focus spelled out card by card."""
    if 0 <= scene.focus < len(scene.turns):
        _turn(page, scene, scene.turns[scene.focus], recorded)
        return
    _header(page, scene, recorded, _protest(scene) or "result")
    turns = {turn.colour: turn for turn in scene.turns}
    rows = [(row, _result_texts(row, turns.get(row.colour), page)) for row in scene.rows]
    _rows(page, rows, page.left_lines)


def _result_texts(row: Row, turn: Turn | None, page: Page) -> tuple[tuple[str, str, str], ...]:
    """Candidates for word, reason and what became of the player; where there is room the gap stands there too."""
    if turn is None:
        return _standing_texts(row)
    reasons: tuple[str, ...] = _reasons(row) or ("",)
    words: tuple[str, ...] = (outcome(turn),)
    if turn.cards and turn.result != "punished":
        rest = _without_own(turn)
        words = (f"takes {_pictures(page, rest)}", outcome(turn)) if rest else words
        words += (f"+{len(turn.cards)}",) if row.allowance is not None else ()
    if turn.result == "punished":
        words = (f"loses {len(turn.cards)}", f"-{len(turn.cards)}")
        reasons = _reasons(row) or ("punished",)
    times: tuple[str, ...] = (f"{gap(row)}  ", "") if page.width >= _ROOMY else ("",)
    times = tuple(f"{text} " for text in _allowed(row)[-2:]) or times
    role = str(row.role)
    return tuple(
        (word, reason, time + text)
        for time in times
        for text in words
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
    mark = "" if recorded and scene.status is not Status.NOT_RECORDED else f" {NOT_RECORDED}"
    signs = page.signs
    title = f"{turn.colour.short} {signs.symbol(turn.role)}"
    page.line((f"{title} {turn.role}{mark}", f"{title}{mark}"), place, inverse=True, scale=TALL)
    sentences = [outcome(turn), turn.why_says]
    groups = grouped(turn.cards)
    named = _listed(f"{signs.symbol(card)} {signs.counted(count, card)}".strip() for count, card in groups)
    plain = _listed(signs.counted(count, card) for count, card in groups)
    pictures = _pictures(page, turn.cards)
    texts = [_lines(page, [*sentences, cards, turn.note]) for cards in (named, plain, pictures)]
    texts.append(_lines(page, [" ".join(filter(None, (outcome(turn), pictures, turn.note)))]))
    tall = next((lines for lines in texts[:2] if len(lines) * 2 <= page.left_lines), None)
    fitting = next((lines for lines in texts if len(lines) <= page.left_lines), None)
    lines = tall or fitting or glyphs.wrapped(" ".join(texts[-1]), page.width, page.left_lines)
    for line in lines:
        page.line(line, scale=TALL if tall else (1, 1))


def _listed(parts: Iterable[str]) -> str:
    """Join by commas, so that a line is broken between the parts only."""
    return ", ".join(part.replace(" ", glyphs.TIED) for part in parts)


def _lines(page: Page, sentences: list[str]) -> list[str]:
    return [line for sentence in sentences if sentence for line in glyphs.wrap(sentence, page.width)]
