"""A voice that is opened, the first of several that can be, and tried again every so often where none can."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from companion.core.errors import Unavailable
from companion.core.timing.events import SECOND

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.core.speech.utterance import Heard
    from companion.ports import Speaker

LOG = logging.getLogger("companion")

AGAIN_S = 10
"""How often a voice that is not there is tried again."""
MOST_FAILURES = 2
"""So many sentences that fail, one after the other, are a fault that people are told of."""


class OpenVoice:
    """The voice that speaks. Used by one thread.

    on_state: told why there is none, None once there is one; each only where it changes. clock: ns, any zero.
    """

    def __init__(
        self, speakers: Sequence[Speaker], on_state: Callable[[str | None], None], clock: Callable[[], int]
    ) -> None:
        self.speaker: Speaker | None = None
        """None while there is none."""
        self.failed = ""
        """What it was saying when it failed last; empty once something was said."""
        self._failures = 0  # one after the other, since something was said
        self._speakers, self._on_state, self._clock = speakers, on_state, clock
        self._again_ns = 0
        self._state: str | None = ""  # what was told last

    def open(self, on_heard: Callable[[Heard], None]) -> None:
        """Open the first that can be."""
        why = "none is set"
        for speaker in self._speakers:
            try:
                about = speaker.open(on_heard)
            except Unavailable as error:
                why = str(error)
                speaker.close()
            else:
                LOG.info("voice: %s", about)
                self.speaker = speaker
                if self._failures < MOST_FAILURES:
                    self._tell(None)
                return
        self._again_ns = self._clock() + AGAIN_S * SECOND
        self._tell(why)

    def open_again(self, on_heard: Callable[[Heard], None]) -> None:
        """Try again where there is none and it is time to."""
        if self.speaker is None and self._clock() >= self._again_ns:
            self.open(on_heard)

    def fail(self, saying: str, why: str) -> None:
        """It failed in the middle of this. One that can be opened and says nothing is a fault too."""
        self.failed = saying
        self._failures += 1
        if self._failures >= MOST_FAILURES:
            self._tell(why)

    def has_said(self) -> None:
        """It said something to its end."""
        self.failed, self._failures = "", 0
        self._tell(None)

    def close(self) -> None:
        """Let go of it; may be called again."""
        if self.speaker is not None:
            self.speaker.close()
            self.speaker = None

    def _tell(self, why: str | None) -> None:
        if why != self._state:
            self._state = why
            self._on_state(why)
