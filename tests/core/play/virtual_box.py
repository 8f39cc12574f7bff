"""The virtual box of `companion.testing`, with the games that come with the program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.panel import KNOB_PUSH, named_button
from companion.core.play.session import Unfinished
from companion.games import registry
from companion.testing.virtual_box import DELAY_NS, LINES, START_MS, live_rulings
from companion.testing.virtual_box import VirtualBox as AnyVirtualBox

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.core.record.lines import Line
    from companion.core.timing.events import Press

__all__ = ["DELAY_NS", "LINES", "START_MS", "VirtualBox", "live_rulings", "unfinished"]


class VirtualBox(AnyVirtualBox):
    def __init__(
        self, seats: Sequence[str] = ("red", "yellow", "blue"), game: str = "apache", *arguments: Any, **options: Any
    ) -> None:
        names = ("play", "timings", "unfinished", "start")
        given = dict(zip(names, arguments, strict=False))
        super().__init__(seats, game, find=registry.find, games=("apache", "order"), **given, **options)

    def reveal(self, card: str, at_ms: float) -> None:
        """Enter a card as a referee does: Indians by holding the knob and pressing their button, booty by the menu."""
        if named_button(card, registry.find(self.table.game).roles):
            self.edge(KNOB_PUSH, True, at_ms)
            self.press(card, at_ms + 100)
            self.edge(KNOB_PUSH, False, at_ms + 250)
            self.run(at_ms + 400)
        else:
            self.pick(card, at_ms)


def unfinished(lines: Iterable[Line], same_clock: bool = True, kept: Iterable[Press] = ()) -> Unfinished:
    now, before = (tuple(kept), ()) if same_clock else ((), tuple(kept))
    return Unfinished(7, tuple(lines), same_clock, now, before)
