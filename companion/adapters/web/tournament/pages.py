"""The pages of a desk, one entry each: spectators', which need no PIN, and those of the people who run the event."""

from __future__ import annotations

from companion.adapters.web.pages import Page
from companion.core.words.texts import text

FRAME = "tournament/framed"


def _page(name: str, address: str, title: str, skip_to: str, *, is_in_bar: bool = True) -> Page:
    return Page(f"tournament/{name}", address, title, skip_to, is_in_bar=is_in_bar, frame=FRAME)


PAGES: tuple[Page, ...] = (
    _page("event", "/", text("Event"), text("the event")),
    _page("pairings", "/pairings", text("Where do I sit?"), text("the pairings")),
    _page("tables", "/tables", text("Tables"), text("the tables")),
    _page("standings", "/standings", text("Standings"), text("the standings")),
    _page("player", "/player", text("Player"), text("the player"), is_in_bar=False),
    Page("tournament/hall", "/hall", text("Hall screen"), is_bare=True),
    _page("desk", "/desk", text("Desk"), text("the desk"), is_in_bar=False),
    _page("referee", "/referee", text("Referee"), text("the desk"), is_in_bar=False),
)
"""In the order of the bar."""
