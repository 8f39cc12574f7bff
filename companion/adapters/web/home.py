"""What the first page offers: a tile each, with a sentence for somebody who has never seen the box."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

from companion.core.words.texts import in_language, text

if TYPE_CHECKING:
    from collections.abc import Collection

    from companion.core.words.language import Language


class Tile(NamedTuple):
    """A way in. says: what is to be had there, in one sentence."""

    address: str
    title: str
    says: str


TILES: tuple[Tile, ...] = (
    Tile("/host", text("Host"), text("Begin a match, and let phones in by a code for each seat.")),
    Tile("/play", text("Play on a phone"), text("Four buttons of your own, on the phone in your hand.")),
    Tile("/panel", text("Panel"), text("The buttons of every seat, to be pressed by mouse, keys or finger.")),
    Tile("/demo", text("Demonstration"), text("A short match, step by step, at your own pace.")),
    Tile("/table", text("Table"), text("The race as it happens, what lies face up, and the score.")),
    Tile("/referee", text("Referee"), text("Enter cards, answer protests, take a call back. Needs the PIN.")),
    Tile(
        "/files", text("Files for games"), text("Write what a game is told by a file, and try it out. Needs the PIN.")
    ),
    Tile("/hall", text("Hall screen"), text("Order and score in large type, for a projector.")),
    Tile("/stream", text("Overlay"), text("The order and the score over a stream’s picture.")),
    Tile("/matches", text("Past matches"), text("Every match of this box, with its times and its record.")),
    Tile("/people", text("People"), text("Who plays here, their evenings and their figures.")),
    Tile("/profile", text("Profile"), text("How you play, kept and taken along: by your own card, or with the PIN.")),
    Tile("/help", text("Help"), text("What this is, the rules of each game, and what ± means.")),
)
"""In the order of the page."""


def tiles(addresses: Collection[str], language: Language) -> str:
    """Give the tiles, as HTML, of those pages that there are."""
    return "\n".join(_item(tile, language) for tile in TILES if tile.address in addresses)


def _item(tile: Tile, language: Language) -> str:
    title, says = in_language(tile.title, language), in_language(tile.says, language)
    return (
        f'<li><a class="tile" href="{escape(tile.address)}"><strong>{escape(title)}</strong>'
        f"<span>{escape(says)}</span></a></li>"
    )
