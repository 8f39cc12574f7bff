"""What is scanned in public, laid over what there is to show: the cursor of the menu, or a menu of its own.

A seat's own cards are never shown here, nor a choice in secret: those go out as cues alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.shown.scene import Apart, Body, Choosing, Final, Idle, Lobby, Menu, MenuItem, Standing
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeVar

    from companion.core.shown.cued import Cued

    Any_ = TypeVar("Any_", bound=Body)


def with_cued(body: Any_, cued: Iterable[Cued]) -> Any_:
    """Give a body with what a seat is offered under its cursor; the same where nothing public is offered."""
    public = [one for one in cued if not one.is_private and one.number]
    if isinstance(body, Choosing):  # of several seats that must choose, the display has one
        public = [one for one in public if one.colour is body.seat and not body.is_private]
    if not public:
        return body
    offered = public[0]
    if isinstance(body, Choosing):
        return replace(body, menu=_under(body.menu, offered), more=False)
    if isinstance(body, (Lobby, Standing)):
        return body if body.menu is None else replace(body, menu=_under(body.menu, offered))
    if isinstance(body, Apart):
        question = body.question
        return replace(body, question=replace(question, menu=_under(question.menu, offered)))
    if isinstance(body, (Final, Idle)):
        title = text("{colour}: {title}").format(colour=offered.colour.short, title=offered.title)
        return replace(body, menu=Menu(title, (MenuItem(offered.says),), seat=offered.colour))
    return body


def _under(menu: Menu, offered: Cued) -> Menu:
    """Give a menu with its cursor on what is offered: there may be more in it than that."""
    at = min(offered.number, len(menu.items)) - 1
    if menu.items[at].says != offered.says:
        at = next((n for n, item in enumerate(menu.items) if item.says == offered.says), at)
    return replace(menu, cursor=at, seat=offered.colour)
