"""What is scanned in public, laid over what there is to show: the cursor of the menu, or a menu of its own.

A seat's own cards are never shown here, nor a choice in secret: those go out as cues alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.shown.scene import Body, Choosing, Final, Idle, Lobby, Menu, MenuItem
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeVar

    from companion.core.shown.cued import Cued

    Any_ = TypeVar("Any_", bound=Body)


def with_cued(body: Any_, cued: Iterable[Cued]) -> Any_:
    """Give a body with what a seat is offered under its cursor; the same where nothing public is offered."""
    offered = next((one for one in cued if not one.is_private and one.number), None)
    if offered is None:
        return body
    if isinstance(body, Lobby):
        return replace(body, menu=replace(body.menu, cursor=min(offered.number, len(body.menu.items)) - 1))
    if isinstance(body, Choosing):
        if body.seat is not offered.colour or body.is_private:
            return body
        return replace(body, menu=replace(body.menu, cursor=min(offered.number, len(body.menu.items)) - 1))
    if isinstance(body, (Final, Idle)):
        title = text("{colour}: {title}").format(colour=offered.colour.short, title=offered.title)
        return replace(body, menu=Menu(title, (MenuItem(offered.says),)))
    return body
