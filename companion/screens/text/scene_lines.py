"""A scene as lines of text, as long as they need to be: for logs, plain terminals and screen readers. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.shown.scene import (
    MORE,
    Choosing,
    Final,
    Idle,
    Invitation,
    Lobby,
    LookOn,
    Question,
    Results,
    Standing,
)
from companion.screens.text.wording import STATUS, TOO_SOON, allowance, became, gap, left

if TYPE_CHECKING:
    from companion.core.ruling.looks import Look
    from companion.core.ruling.view import Area, Clock, View
    from companion.core.shown.scene import Menu, MenuItem, Row, Scene, Trust, Turn

_SHORT_MENU = 6
"""Menus of up to so many items are written out; of longer ones only the item under the cursor."""


def lines(scene: Scene) -> tuple[str, ...]:
    """Give the lines of a scene: alarms first, then the body, then the notice."""
    head = [f"ALARM: {alarm}" for alarm in scene.alarms]
    if not scene.recorded:
        head.append("NOT RECORDED")
    body = _body(scene)
    tail = [f"note: {scene.notice}"] if scene.notice and scene.notice not in body else []
    return (*head, *body, *tail)


def _body(scene: Scene) -> list[str]:  # noqa: PLR0911 - one return for each kind of body
    body = scene.body
    if isinstance(body, Lobby):
        seats = " ".join(colour.short for colour in body.seats) or "nobody"
        how = "take a seat: press any button of your colour, clockwise"
        return [f"{body.menu.title}: seated: {seats}", how, *_remark(body), *_menu(body.menu)]
    if isinstance(body, Idle):
        return _idle(body, scene.look)
    if isinstance(body, Standing):
        late = [f"too late: {colour.short} {role}" for colour, role in body.late]
        menu = _menu(body.menu) if body.menu is not None else []
        touching = [f"{colour.short} …" for colour in body.unsettled]
        order = [*map(_row, body.rows), *touching, *_hidden(body)]
        return [f"{body.race_name} {body.number}: {STATUS[body.status]}", *_disputed(body), *order, *late, *menu]
    if isinstance(body, Choosing):
        who = body.seat.short if body.seat is not None else "the referee"
        title = body.menu.title.removeprefix(who).strip() or "chooses"
        heading = body.race_name if body.number is None else f"{body.race_name} {body.number}"
        options = ["  secretly, by a button of one's own"] if body.is_private else map(_option, body.menu.items)
        others = [f"also choosing: {' '.join(seat.short for seat in body.others)}"] if body.others else []
        more = [f"> {MORE.label}"] if body.more else []
        return [f"{heading}: {who} {title}", *options, *more, *others]
    if isinstance(body, Results):
        return _results(body, scene.look)
    if isinstance(body, Invitation) and body.seat is not None:
        return [f"play {body.seat} on a phone: {body.url}play#seat={body.seat}", *_remark(body)]
    if isinstance(body, Invitation):
        return [f"look on: {body.url}", f"referee's PIN: {body.pin}", *_trust(body.trust), *_remark(body)]
    if isinstance(body, LookOn):
        return [f"look on: {body.url}", *_remark(body)]
    if isinstance(body, Question):
        return [body.title, *body.lines, *_menu(body.menu)]
    return _final(body, scene.look)


def _hidden(body: Standing) -> list[str]:
    """Say who has made a press while nobody is to see which, and for whom that waits."""
    if not body.hidden_for:
        return []
    waits = " and ".join(colour.short for colour in body.hidden_for)
    return [*(f"{colour.short} •" for colour in body.made), f"hidden until {waits} pressed, or the race is closed"]


def _trust(trust: Trust | None) -> list[str]:
    return [] if trust is None else [f"to trust this box: {trust.url}", f"its fingerprint: {trust.fingerprint}"]


def _remark(body: Lobby | Invitation | LookOn) -> list[str]:
    return [f"this box: {body.remark}"] if body.remark else []


def _idle(body: Idle, look: Look) -> list[str]:
    held = [f"knob held: {body.hint}"] if body.hint and body.menu is None else []
    recent = [body.recent] if body.recent else []
    menu = _menu(body.menu) if body.menu is not None else []
    return [body.game_title, *_view(body.view, look), *recent, *held, *menu]


def _view(view: View, look: Look) -> list[str]:
    said = [f"{view.score_label}: " + ", ".join(f"{colour.short} {score}" for colour, score in view.scores)]
    if view.table:
        said.append("table: " + ", ".join(look.counted(count, name) for name, count in view.table))
    if view.turn is not None:
        said.append(f"turn: {view.turn.short}")
    if view.hidden is not None:
        said.append(f"{view.hidden} cards to come")
    if view.phase or view.round is not None:
        said.append(" ".join(filter(None, (view.phase, f"round {view.round}" if view.round is not None else ""))))
    said += [_clock(clock) for clock in view.clocks]
    said += [_area(area) for area in view.areas]
    return said


def _clock(clock: Clock) -> str:
    who = clock.seat.short if clock.seat is not None else ""
    flag = f", flag {clock.flag}" if clock.flag is not None else ""
    runs = ", runs" if clock.is_running else ""
    return f"{clock.label}: {who} {left(clock.left_ns)}{runs}{flag}"


def _area(area: Area) -> str:
    cells = ", ".join(f"{cell.owner.short} {cell.text}" if cell.owner else cell.text for cell in area.cells)
    return f"{area.name}: " + "; ".join(filter(None, (cells, area.note)))


def _row(row: Row) -> str:
    parts = [f"{row.place} {row.colour.short} {row.role} {gap(row)}"]
    if row.allowance is not None:
        parts[0] += f": {allowance(row.allowance)}"
    if row.dead_heat:
        parts.append("dead heat")
    if row.anticipated:
        parts.append(TOO_SOON)
    if row.verdict == "punish":
        parts.append(f"punished: {row.why_says}" if row.why_says else "punished")
    return ", ".join(parts)


def _results(body: Results, look: Look) -> list[str]:
    """Everything at once: text has room, so that leafing through the turns says nothing new."""
    settled = {turn.colour: turn for turn in body.turns}
    rows = [text for row in body.rows for text in (_row(row), *_under(settled.get(row.colour), look))]
    heading = f"{body.race_name} {body.number}: {STATUS[body.status]}"
    return [heading, *_disputed(body), *rows, *_view(body.view, look)]


def _disputed(body: Standing | Results | Final) -> list[str]:
    names = " ".join(colour.short for colour in body.disputed)
    return [f"disputed by {names}: no answer yet"] if names else []


def _under(turn: Turn | None, look: Look) -> list[str]:
    return [f"  {_turn(turn, look)}"] if turn is not None else []


def _turn(turn: Turn, look: Look) -> str:
    told = replace(turn, why_says="")  # the row above says why
    return f"{turn.colour.short} {turn.role} {became(told, look)}"


def _menu(menu: Menu) -> list[str]:
    if not menu.items:
        return [menu.title] if menu.title else []
    place = f"{menu.cursor + 1} of {len(menu.items)}"
    if len(menu.items) > _SHORT_MENU:
        return [f"{menu.title or 'knob'} ({place}): {_item(menu.items[menu.cursor])}"]
    marks = [">" if index == menu.cursor else " " for index in range(len(menu.items))]
    items = [f"{mark} {_item(item)}" for mark, item in zip(marks, menu.items, strict=True)]
    return [menu.title, *items] if menu.title else items


def _item(item: MenuItem) -> str:
    return f"{item.label}: {item.value}" if item.value else item.label


def _option(item: MenuItem) -> str:
    if item.role is not None:
        return f"  {item.role}: {_item(item)}"
    return f"  button {item.button}: {_item(item)}" if item.button and item.button != item.label else f"  {_item(item)}"


def _final(body: Final, look: Look) -> list[str]:
    names = " ".join(colour.short for colour in body.leaders)
    won = f"{names} wins" if len(body.leaders) == 1 else f"{names} share the victory"
    signed = [f"signed: {' '.join(colour.short for colour in body.signed)}"] if body.signed else []
    menu = _menu(body.menu) if body.menu is not None else []
    result = [won if names else "nobody wins", *_view(body.view, look)]
    return [f"{body.game_title}: the end", *result, *_disputed(body), *signed, *menu]
