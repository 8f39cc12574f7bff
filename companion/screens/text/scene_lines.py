"""A scene as lines of text, as long as they need to be: for logs, plain terminals and screen readers. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.shown.calibrating import Calibrating
from companion.core.shown.scene import (
    MORE,
    Apart,
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
from companion.core.words.texts import joined, listed, text, texts
from companion.screens.text.calibrating import calibrating_lines
from companion.screens.text.explaining import explained
from companion.screens.text.wording import STATUS, TOO_SOON, allowance, became, gap, left

if TYPE_CHECKING:
    from companion.core.panel import Colour
    from companion.core.ruling.looks import Look
    from companion.core.ruling.view import Area, Clock, View
    from companion.core.shown.scene import Menu, MenuItem, Row, Scene, Trust, Turn

_SHORT_MENU = 6
"""Menus of up to so many items are written out; of longer ones only the item under the cursor."""


def lines(scene: Scene) -> tuple[str, ...]:
    """Give the lines of a scene: alarms first, then the body, then the notice."""
    head = [text("ALARM: {alarm}").format(alarm=alarm) for alarm in scene.alarms]
    if not scene.recorded:
        head.append(text("NOT RECORDED"))
    body = _body(scene)
    tail = [text("note: {notice}").format(notice=scene.notice)] if scene.notice and scene.notice not in body else []
    return (*head, *body, *tail)


def _body(scene: Scene) -> list[str]:  # noqa: C901, PLR0911 - one return for each kind of body
    body = scene.body.question if isinstance(scene.body, Apart) else scene.body
    if isinstance(body, Lobby):
        seats = joined((colour.short for colour in body.seats), " ") or text("nobody")
        how = text("take a seat: press any button of your colour, clockwise")
        return [
            text("{title}: seated: {seats}").format(title=body.menu.title, seats=seats),
            how,
            *_remark(body),
            *_menu(body.menu),
        ]
    if isinstance(body, Idle):
        return _idle(body, scene.look)
    if isinstance(body, Standing):
        late = [
            text("too late: {button}").format(button=joined((colour.short, role), " ")) for colour, role in body.late
        ]
        menu = _menu(body.menu) if body.menu is not None else []
        touching = [joined((colour.short, "…"), " ") for colour in body.unsettled]
        order = [*map(_row, body.rows), *touching, *_hidden(body)]
        return [_heading(body), *_disputed(body), *order, *late, *menu]
    if isinstance(body, Choosing):
        return _choosing(body, scene.look)
    if isinstance(body, Results):
        return _results(body, scene.look)
    if isinstance(body, Invitation) and body.seat is not None:
        return [_phone(body.seat, body.url), *_remark(body)]
    if isinstance(body, Invitation):
        return [
            _look_on(body.url),
            text("referee's PIN: {pin}").format(pin=body.pin),
            *_trust(body.trust),
            *_remark(body),
        ]
    if isinstance(body, LookOn):
        return [_look_on(body.url), *_remark(body)]
    if isinstance(body, Question):
        return [body.title, *body.lines, *_menu(body.menu)]
    if isinstance(body, Calibrating):
        return calibrating_lines(body, scene.roles)
    return _final(body, scene.look)


def _heading(body: Standing | Results) -> str:
    says = text("{race_name} {number}: {status}")
    return says.format(race_name=body.race_name, number=body.number, status=STATUS[body.status])


def _choosing(body: Choosing, look: Look) -> list[str]:
    who = body.seat.short if body.seat is not None else text("the referee")
    asked = body.menu.title if body.menu.title.startswith(who) else joined((who, body.menu.title), " ")
    if body.menu.title.strip() in ("", who):
        asked = text("{who} chooses").format(who=who)
    heading = body.race_name if body.number is None else joined((body.race_name, str(body.number)), " ")
    secretly = [_indented(text("secretly, by a button of one's own"))]
    options = secretly if body.is_private else [_option(item, look) for item in body.menu.items]
    seats = joined((seat.short for seat in body.others), " ")
    others = [text("also choosing: {seats}").format(seats=seats)] if body.others else []
    more = [joined((">", MORE.label), " ")] if body.more else []
    return [joined((heading, asked), ": "), *options, *more, *others]


def _look_on(url: str) -> str:
    return text("look on: {url}").format(url=url)


def _phone(seat: Colour, url: str) -> str:
    return text("play {colour} on a phone: {url}").format(colour=seat, url=f"{url}play#seat={seat}")


def _indented(said: str) -> str:
    return joined(("  ", said), "")


def _hidden(body: Standing) -> list[str]:
    """Say who has made a press while nobody is to see which, and for whom that waits."""
    if not body.hidden_for:
        return []
    waits = listed(colour.short for colour in body.hidden_for)
    if body.without is not None:
        none = [text("{colour} plays none").format(colour=colour.short) for colour in body.without]
        until = text("cards lie face down until {colours} laid one").format(colours=waits)
        return [*(joined((colour.short, "✓"), " ") for colour in body.made), *none, until]
    hidden = text("hidden until {seats} played, or the race is closed").format(seats=waits)
    return [*(joined((colour.short, "•"), " ") for colour in body.made), hidden]


def _trust(trust: Trust | None) -> list[str]:
    if trust is None:
        return []
    return [
        text("to trust this box: {url}").format(url=trust.url),
        text("its fingerprint: {fingerprint}").format(fingerprint=trust.fingerprint),
    ]


def _remark(body: Lobby | Invitation | LookOn) -> list[str]:
    return [text("this box: {remark}").format(remark=body.remark)] if body.remark else []


def _idle(body: Idle, look: Look) -> list[str]:
    held = [text("knob held: {hint}").format(hint=body.hint)] if body.hint and body.menu is None else []
    recent = [body.recent] if body.recent else []
    menu = _menu(body.menu) if body.menu is not None else []
    return [body.game_title, *_view(body.view, look), *recent, *held, *menu]


def _view(view: View, look: Look) -> list[str]:
    scores = joined(joined((colour.short, str(score)), " ") for colour, score in view.scores)
    said: list[str] = [joined((view.score_label, scores), ": ")]
    if view.table:
        cards = joined(look.counted(count, name) for name, count in view.table)
        said.append(text("table: {cards}").format(cards=cards))
    if view.turn is not None:
        said.append(text("turn: {colour}").format(colour=view.turn.short))
    if view.hidden is not None:
        said.append(texts("{count} cards to come", "{count} cards to come", view.hidden))
    if view.phase or view.round is not None:
        number = "" if view.round is None else text("round {number}").format(number=view.round)
        said.append(joined(filter(None, (view.phase, number)), " "))
    said += [_clock(clock) for clock in view.clocks]
    said += [_area(area) for area in view.areas]
    return said


def _clock(clock: Clock) -> str:
    who = clock.seat.short if clock.seat is not None else ""
    shown = joined((who, left(clock.left_ns)), " ")
    runs = [text("runs", about="clock")] if clock.is_running else []
    flag = [text("flag {number}").format(number=clock.flag)] if clock.flag is not None else []
    return joined((clock.label, joined((shown, *runs, *flag))), ": ")


def _area(area: Area) -> str:
    cells = joined(joined((cell.owner.short, cell.text), " ") if cell.owner else cell.text for cell in area.cells)
    return joined((area.name, joined(filter(None, (cells, area.note)), "; ")), ": ")


def _row(row: Row) -> str:
    parts: list[str] = [joined((str(row.place), row.colour.short, row.role, gap(row)), " ")]
    if row.allowance is not None:
        parts = [joined((parts[0], allowance(row.allowance)), ": ")]
    if row.dead_heat:
        parts.append(text("dead heat"))
    if row.anticipated:
        parts.append(TOO_SOON)
    if row.verdict == "punish":
        parts.append(text("punished: {why}").format(why=row.why_says) if row.why_says else text("punished"))
    return joined(parts)


def _results(body: Results, look: Look) -> list[str]:
    """Everything at once: text has room, so that leafing through the turns says nothing new."""
    settled = {turn.colour: turn for turn in body.turns}
    rows = [said for row in body.rows for said in (_row(row), *_under(settled.get(row.colour), look))]
    told = explained(body.rows, body.turns, body.heat_goes, {}) if body.heat_goes is not None else ()
    why = [joined((one.colour.short, joined(one.sentences, " ")), ": ") for one in told]
    return [_heading(body), *_disputed(body), *rows, *why, *_view(body.view, look)]


def _disputed(body: Standing | Results | Final) -> list[str]:
    names = joined((colour.short for colour in body.disputed), " ")
    return [text("disputed by {names}: no answer yet").format(names=names)] if names else []


def _under(turn: Turn | None, look: Look) -> list[str]:
    return [_indented(_turn(turn, look))] if turn is not None else []


def _turn(turn: Turn, look: Look) -> str:
    told = replace(turn, why_says="")  # the row above says why
    return became(told, look, joined((turn.colour.short, turn.role), " "))


def _menu(menu: Menu) -> list[str]:
    if not menu.items:
        return [menu.title] if menu.title else []
    if len(menu.items) > _SHORT_MENU:
        says = text("{title} ({place} of {count}): {item}")
        title, item = menu.title or text("knob"), _item(menu.items[menu.cursor])
        return [says.format(title=title, place=menu.cursor + 1, count=len(menu.items), item=item)]
    marks = [">" if index == menu.cursor else " " for index in range(len(menu.items))]
    items: list[str] = [joined((mark, _item(item)), " ") for mark, item in zip(marks, menu.items, strict=True)]
    return [menu.title, *items] if menu.title else items


def _item(item: MenuItem) -> str:
    return joined((item.label, item.value), ": ") if item.value else item.label


def _option(item: MenuItem, look: Look) -> str:
    if item.role is not None:
        return _indented(joined((look.button_says(item.role), _item(item)), ": "))
    if item.button and item.button != item.label:
        return _indented(text("button {button}: {item}").format(button=item.button, item=_item(item)))
    return _indented(_item(item))


def _final(body: Final, look: Look) -> list[str]:
    names = joined((colour.short for colour in body.leaders), " ")
    won = (text("{names} wins") if len(body.leaders) == 1 else text("{names} share the victory")).format(names=names)
    seats = joined((colour.short for colour in body.signed), " ")
    signed = [text("signed: {seats}").format(seats=seats)] if body.signed else []
    menu = _menu(body.menu) if body.menu is not None else []
    result = [won if names else text("nobody wins"), *_view(body.view, look)]
    return [text("{game}: the end").format(game=body.game_title), *result, *_disputed(body), *signed, *menu]
