"""A box without a voice: whoever waits for words to be said is told at once that nobody says them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.match.effects import VoiceWish
    from companion.core.play.session import Session


class Mute:
    """Says nothing. call: does something to the session in the loop's thread; clock: CLOCK_MONOTONIC, ns."""

    def __init__(self, call: Callable[[Callable[[Session], None]], None], clock: Callable[[], int]) -> None:
        self._call, self._clock = call, clock

    def announce(self, says: str, token: int) -> None:  # noqa: ARG002 - nobody says it
        """Let play go on."""
        t_ns = self._clock()
        self._call(lambda session: session.announced(token, t_ns, "this box has no voice"))

    def wish(self, wish: VoiceWish) -> None:
        """There is nothing to say again."""
