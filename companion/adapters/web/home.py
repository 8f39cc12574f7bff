"""What the first page offers: a tile each, with a sentence for somebody who has never seen the box."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection


class Tile(NamedTuple):
    """A way in. says: what is to be had there, in one sentence."""

    address: str
    title: str
    says: str


TILES: tuple[Tile, ...] = (
    Tile("/host", "Host", "Begin a match, and let phones in by a code for each seat."),
    Tile("/play", "Play on a phone", "Four buttons of your own, on the phone in your hand."),
    Tile("/panel", "Panel", "The buttons of every seat, to be pressed by mouse, keys or finger."),
    Tile("/demo", "Demonstration", "A short match, step by step, at your own pace."),
    Tile("/table", "Table", "The race as it happens, what lies face up, and the score."),
    Tile("/referee", "Referee", "Enter cards, answer protests, take a call back. Needs the PIN."),
    Tile("/files", "Files for games", "Write what a game is told by a file, and try it out. Needs the PIN."),
    Tile("/hall", "Hall screen", "Order and score in large type, for a projector."),
    Tile("/stream", "Overlay", "The order and the score over a stream’s picture."),
    Tile("/matches", "Past matches", "Every match of this box, with its times and its record."),
    Tile("/people", "People", "Who plays here, their evenings and their figures."),
    Tile("/help", "Help", "What this is, the rules of each game, and what ± means."),
)
"""In the order of the page."""


def tiles(addresses: Collection[str]) -> str:
    """Give the tiles, as HTML, of those pages that there are."""
    return "\n".join(_item(tile) for tile in TILES if tile.address in addresses)


def _item(tile: Tile) -> str:
    return (
        f'<li><a class="tile" href="{escape(tile.address)}"><strong>{escape(tile.title)}</strong>'
        f"<span>{escape(tile.says)}</span></a></li>"
    )
