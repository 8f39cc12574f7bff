"""What a scene's large pictures say, and in which order: what is new first, then what stands. Pure; knows no pixel."""

from __future__ import annotations

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
from companion.core.words.texts import joined, text
from companion.screens.oled.glyphs import CROSS, CURSOR, FLAG, HALTED
from companion.screens.oled.large.calibrating import calibrating
from companion.screens.oled.large.facts import Fact, Row, Subject, Words
from companion.screens.oled.large.races import results, standing
from companion.screens.text.wording import left

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.core.panel import Colour
    from companion.core.ruling.looks import Look
    from companion.core.ruling.view import Area, Clock, View
    from companion.core.shown.scene import Menu, MenuItem, Scene

NOT_RECORDED = text("NOT RECORDED")


def subjects(scene: Scene) -> list[Subject]:
    """Give what there is to tell of a scene; at least one subject."""
    body = _body(scene)
    faults = [
        Subject(Row(("!",), (str(number),), inverse=True), ((Words(alarm),),)) for number, alarm in _alarms(scene)
    ]
    if not scene.recorded:
        faults.insert(0, Subject(Row((f"{CROSS} {CROSS} {CROSS}",), inverse=True), ((Words(NOT_RECORDED),),)))
    if scene.notice:
        return [Subject(None, ((Words(scene.notice),),), body[0].foot or _running(scene))]
    return [*body, *faults]


def _running(scene: Scene) -> Row | None:
    """Give the clock that runs: nobody must wait for a notice to pass to see it."""
    clocks = scene.body.view.clocks if isinstance(scene.body, Idle) else ()
    return next((_clock(clock) for clock in clocks if clock.is_running), None)


def _alarms(scene: Scene) -> list[tuple[str, str]]:
    several = len(scene.alarms) > 1
    return [(f"{n}/{len(scene.alarms)}" if several else "", alarm) for n, alarm in enumerate(scene.alarms, start=1)]


def _body(scene: Scene) -> list[Subject]:  # noqa: PLR0911 - one return for each kind of body
    body = scene.body.question if isinstance(scene.body, Apart) else scene.body
    if isinstance(body, Standing):
        return standing(body, item(body.menu))
    if isinstance(body, Results):
        return [*results(body, scene.look), *(_of_view(body.view, scene.look) if body.focus < 0 else [])]
    if isinstance(body, Choosing):
        return _choosing(body, scene.look)
    if isinstance(body, Idle):
        return _idle(body, scene.look)
    if isinstance(body, Question):
        facts: list[Fact] = [(Words(text),) for text in body.lines]
        return [Subject(None, ((Words(body.title),), *facts), item(body.menu))]
    if isinstance(body, Lobby):
        return _lobby(body)
    if isinstance(body, Final):
        return _final(body)
    if isinstance(body, Calibrating):
        return calibrating(body, scene.roles, item(body.menu))
    return _invitation(body)


def item(menu: Menu | None) -> Row | None:
    """Give what the knob would pick now; None where no menu is open."""
    if menu is None or not menu.items:
        return None
    shown = menu.items[menu.cursor]
    return Row((_pointed(shown.label),), (shown.value,) if shown.value else (), inverse=True)


def _pointed(label: str) -> str:
    return joined((CURSOR, label), "")


def _row_of(seats: Iterable[Colour]) -> str:
    return joined((seat.short for seat in seats), " ")


def _of_box(remark: str) -> str:
    return text("This box: {remark}").format(remark=remark)


def _won(leaders: Sequence[Colour]) -> str:
    if not leaders:
        return text("nobody wins")
    if len(leaders) == 1:
        return text("{seat} wins").format(seat=leaders[0].short)
    return text("{seats} share the victory").format(seats=_row_of(leaders))


def _choosing(body: Choosing, look: Look) -> list[Subject]:
    who = body.seat.short if body.seat is not None else text("knob")
    title = body.menu.title.removeprefix(who).strip()
    titled = joined((who, title), " ") if title else text("{who} chooses").format(who=who)
    head = Row((titled, text("{who} chooses").format(who=who), who), inverse=True)
    if body.is_private:
        said: tuple[Fact, ...] = ((Words(text("in secret: on the player's own phone, or by a button")),),)
        return [Subject(head, said, Row((_pointed(MORE.label),), inverse=True) if body.more else None)]
    foot = Row((_pointed(MORE.label),), inverse=True) if body.more else None
    is_scanned = body.menu.seat is not None
    if foot is None and (is_scanned or not all(option.role or option.button for option in body.menu.items)):
        foot = item(body.menu)
    options = tuple(_option(option, look, has_seat=body.seat is not None) for option in body.menu.items)
    others = (((Words(text("also: {seats}").format(seats=_row_of(body.others))),),),) if body.others else ()
    return [Subject(head, (*options, *others), foot)]


def _option(option: MenuItem, look: Look, *, has_seat: bool) -> Fact:
    """Which button takes what: the button on a line of its own, as players look for it there."""
    role = look.button_says(option.role) if has_seat and option.role is not None else None
    button = option.button or role
    said = Words(option.says)
    return (Row((text("{button}:").format(button=button),)), said) if button and button != option.label else (said,)


def _idle(body: Idle, look: Look) -> list[Subject]:
    if body.menu is not None:
        menu = body.menu
        place = f"{menu.cursor + 1}/{len(menu.items)}"
        shown = menu.items[menu.cursor]
        value: tuple[Fact, ...] = ((Words(shown.value),),) if shown.value else ()
        return [Subject(Row((menu.title or body.game_title,), (place,)), ((Words(shown.label, inverse=True),), *value))]
    if body.held and body.hint:
        return [Subject(Row((text("knob held"),), inverse=True), ((Words(body.hint),),))]
    view = body.view
    news: list[Fact] = []
    if view.turn is not None:
        news.append((Words(text("{seat}'s turn").format(seat=view.turn.short)),))
    news += [(Words(text),) for text in (body.recent, view.phase) if text]
    hints = [(Words(text),) for text in view.hints] if not view.table and view.hidden and not body.recent else []
    first = (
        [Subject(Row((body.game_title,), inverse=True), (*news, *hints))] if news or hints or not view.clocks else []
    )
    return [*_clocks(view), *first, *_of_view(view, look)]


def _of_view(view: View, look: Look) -> list[Subject]:
    """What lies on the table and what everybody has, each on pictures of its own."""
    table: list[Fact] = [(Row((look.says(name),), (str(count),)),) for name, count in view.table]
    table += [_area(area) for area in view.areas]
    if view.hidden is not None:
        table.append((Row((text("to come"),), (str(view.hidden),)),))
    found = [Subject(Row((text("table"),), inverse=True), tuple(table))] if table else []
    return [*found, *_scores(view)]


def _scores(view: View) -> list[Subject]:
    """What everybody has."""
    scores: tuple[Fact, ...] = tuple((Row((colour.short,), (str(score),)),) for colour, score in view.scores)
    return [Subject(Row((view.score_label,), inverse=True), scores)] if scores else []


def _area(area: Area) -> Fact:
    cells = joined(
        (joined((cell.owner.short, cell.text), " ") if cell.owner else cell.text for cell in area.cells), " "
    )
    named = text("{area}: {cells}").format(area=area.name, cells=cells)
    return (Words(joined((named, area.note), " ") if area.note else named),)


def _clocks(view: View) -> list[Subject]:
    """Every clock on a line of its own, what runs first; told by a mark, not by its place alone."""
    ordered = sorted(view.clocks, key=lambda clock: not clock.is_running)
    return [Subject(None, tuple((_clock(clock),) for clock in ordered))] if ordered else []


def _clock(clock: Clock) -> Row:
    mark = CURSOR if clock.is_running else HALTED
    flag = f" {FLAG}{clock.flag}" if clock.flag is not None else ""
    who = clock.seat.short if clock.seat is not None else clock.label
    return Row((joined((mark, who), " ") if not flag else joined((mark, who, flag.strip()), " "),),
               (left(clock.left_ns),), inverse=clock.is_running)  # fmt: skip


def _lobby(body: Lobby) -> list[Subject]:
    menu = body.menu
    seats: Fact = (Words(joined((colour.short for colour in body.seats), f" {CURSOR} ")),)
    how: Fact = (Words(text("Press a button of your colour to sit")),)
    remark: tuple[Fact, ...] = ((Words(_of_box(body.remark)),),) if body.remark else ()
    head = Row((menu.title or text("New match"),), (f"{len(body.seats)}/5",), inverse=True)
    return [Subject(head, (*((seats,) if body.seats else ()), how, *remark), item(menu))]


def _final(body: Final) -> list[Subject]:
    signed = [(Words(text("signed: {seats}").format(seats=_row_of(body.signed))),)] if body.signed else []
    says = text("protest of {seats}: no answer yet").format(seats=_row_of(body.disputed))
    protest = [(Words(says),)] if body.disputed else []
    head = Row((body.game_title,), inverse=True)
    return [
        Subject(head, ((Words(_won(body.leaders)),), *protest, *signed), item(body.menu)),
        *_scores(body.view),
    ]


def _invitation(body: Invitation | LookOn) -> list[Subject]:
    remark: list[Subject] = [Subject(None, ((Words(_of_box(body.remark)),),))] if body.remark else []
    if isinstance(body, Invitation) and body.seat is not None:
        url = f"{body.url}p/{body.seat}".upper()
        return [
            Subject(None, ((Words(text("play")),), (Words(body.seat.short),), (Words(text("by phone")),)), code=url)
        ]
    if isinstance(body, Invitation) and body.trust is not None and body.page == 1:
        return [
            Subject(None, ((Words(text("trust this box")),),), code=body.trust.url),
            Subject(None, ((Words(_plain(body.trust.url)),),)),
        ]
    if isinstance(body, Invitation) and body.trust is not None and body.page == 2:
        pairs = body.trust.fingerprint.split()
        rows = tuple((Row((" ".join(pairs[n : n + 4]),)),) for n in range(0, len(pairs), 4))
        return [Subject(Row(("SHA-256",), inverse=True), rows)]
    address = Subject(Row((text("Look on at"),), inverse=True), ((Words(_plain(body.url)),),))
    pin = [Subject(Row(("PIN",), inverse=True), ((Words(body.pin),),))] if isinstance(body, Invitation) else []
    return [Subject(None, ((Words(text("look on")),),), code=body.url), address, *pin, *remark]


def _plain(url: str) -> str:
    return url.removeprefix("http://").removeprefix("https://").rstrip("/")
