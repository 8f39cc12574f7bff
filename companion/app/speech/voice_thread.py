"""One voice and the thread that it speaks in, so that neither a press nor a picture waits for it. Knows no adapter.

What is to be said waits in a queue. A voice that fails in the middle is opened anew and says the sentence once more;
one that is not there is tried again every so often, and whoever waits for the end of an announcement is told at once.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from companion.app.speech.opening import AGAIN_S, OpenVoice
from companion.core.errors import Unavailable
from companion.core.speech.queue import SpeechQueue
from companion.core.speech.utterance import FASTEST_WPM, SLOWEST_WPM, Heard, Manner, Phase, Urgency, Utterance
from companion.core.timing.events import SECOND
from companion.threads.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from companion.core.play.snapshot import Snapshot
    from companion.core.speech.queue import Piece
    from companion.ports import Speaker

LOG = logging.getLogger("companion")

LONGEST_NS, LONGEST_OF_LETTER_NS = 12 * SECOND, SECOND // 2
"""An utterance takes no longer than the first, and the second for each letter; then the voice hangs."""
RATE_STEP_WPM, VOLUME_STEP = 25, 10


class _Spoken(NamedTuple):
    """What is spoken now, and until when it must have come to an end."""

    piece: Piece
    number: int
    until_ns: int


class VoiceThread:
    """Says what it is told by the first of `speakers` that can be opened.

    on_state: why there is no voice, None while there is one. narrate: gives what is to be said of a snapshot, in the
    thread. on_said: a piece with a token is over: the token, when, and why it was not said to its end ("" where it
    was). All are called in the thread. clock: CLOCK_MONOTONIC, ns.

    Shared with other threads, under the condition: `_queue`, `_snapshot`, `_told`, `_manner`, `_stopping`.
    """

    def __init__(
        self,
        name: str,
        speakers: Sequence[Speaker],
        manner: Manner,
        on_state: Callable[[str | None], None],
        *,
        narrate: Callable[[Snapshot], list[Piece]] | None = None,
        on_said: Callable[[int, int, str], None] | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._voice = OpenVoice(speakers, on_state, clock)  # the thread's own
        self._narrate, self._on_said, self._clock = narrate, on_said, clock
        self._changed = threading.Condition()
        self._queue = SpeechQueue()
        self._snapshot: Snapshot | None = None
        self._told: deque[Heard] = deque()
        self._manner = manner
        self._stopping = False
        self._now: _Spoken | None = None  # the thread's own, as what follows
        self._thread = Watched(self._keep_up, name=name)

    @property
    def manner(self) -> Manner:
        """How it speaks now."""
        return self._manner

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def follow(self, snapshot: Snapshot) -> None:
        """Have it told what is new in a snapshot; from any thread, returns at once."""
        with self._changed:
            self._snapshot = snapshot
            self._changed.notify_all()

    def say(self, pieces: Iterable[Piece]) -> None:
        """Have it said; from any thread, returns at once."""
        with self._changed:
            dropped = self._queue.put(pieces)
            self._changed.notify_all()
        self._not_said(dropped, "something newer was to be said")

    def again(self) -> None:
        """Say the newest ruling, choice or news once more; from any thread, returns at once."""
        with self._changed:
            dropped = self._queue.again()
            self._changed.notify_all()
        self._not_said(dropped, "something else was asked for")

    def change(self, faster: int = 0, louder: int = 0) -> Manner:
        """Speak so many steps faster and louder from now on; from any thread, returns at once."""
        with self._changed:
            rate = min(FASTEST_WPM, max(SLOWEST_WPM, self._manner.rate + faster * RATE_STEP_WPM))
            volume = min(100, max(VOLUME_STEP, self._manner.volume + louder * VOLUME_STEP))
            self._manner = self._manner._replace(rate=rate, volume=volume)
        return self._manner

    def speak_in(self, language: str) -> None:
        """Speak another language from now on, where it is another; from any thread. language: its code."""
        with self._changed:
            if self._manner.language.partition("+")[0].partition("-")[0].lower() != language:
                self._manner = self._manner._replace(language=language)

    def speak_as(self, manner: Manner) -> None:
        """Speak so from now on; from any thread."""
        with self._changed:
            self._manner = manner

    def stop(self) -> None:
        """Fall silent and end."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        self._thread.join()

    # -- the thread --------------------------------------------------------------------------------------------------

    def _keep_up(self) -> None:
        self._begin_anew()
        try:
            self._voice.open(self._on_heard)
            while self._wait():
                self._look()
                self._speak()
        finally:
            self._voice.close()

    def _begin_anew(self) -> None:
        """Forget what was being said when the thread failed; it is said once more."""
        self._now = None
        with self._changed:
            dropped = self._queue.lost()
        self._not_said(dropped, "the voice's thread failed")

    def _wait(self) -> bool:
        """Wait for something to do; False: it is to end."""
        with self._changed:
            self._changed.wait_for(self._has_work, self._patience_s())
            return not self._stopping

    def _has_work(self) -> bool:
        return self._stopping or bool(self._told) or self._snapshot is not None or self._queue.is_due

    def _patience_s(self) -> float | None:
        if self._voice.speaker is None:
            return AGAIN_S
        return None if self._now is None else max(0.0, (self._now.until_ns - self._clock()) / SECOND)

    def _look(self) -> None:
        with self._changed:
            snapshot, self._snapshot = self._snapshot, None
            told = list(self._told)
            self._told.clear()
        for heard in told:
            self._hear(heard)
        if snapshot is not None and self._narrate is not None:
            self.say(self._narrate(snapshot))
        if self._now is not None and self._clock() >= self._now.until_ns:
            self._hear(Heard(self._now.number, Phase.FAILED, self._clock(), "the voice hangs"))
        self._voice.open_again(self._on_heard)

    def _speak(self) -> None:
        speaker = self._voice.speaker
        if speaker is None:
            with self._changed:
                dropped = self._queue.lost()
                self._queue.forget()
            self._not_said(dropped, "there is no voice")
            return
        with self._changed:
            taken, manner = self._queue.take(), self._manner
        if taken is None:
            return
        number, piece = taken
        if self._now is not None and self._now.piece.token is not None:
            self._not_said([self._now.piece], "something more pressing was to be said")
        until_ns = self._clock() + LONGEST_NS + LONGEST_OF_LETTER_NS * len(piece.text)
        self._now = _Spoken(piece, number, until_ns)
        try:
            speaker.say(Utterance(number, piece.text, manner, ends_at_once=piece.urgency is Urgency.START))
        except Unavailable as error:
            self._hear(Heard(number, Phase.FAILED, self._clock(), str(error)))

    def _on_heard(self, heard: Heard) -> None:
        """Take what the voice tells, in whatever thread."""
        with self._changed:
            self._told.append(heard)
            self._changed.notify_all()

    def _hear(self, heard: Heard) -> None:
        if heard.phase is Phase.FAILED and self._now is not None and heard.number == self._now.number:
            self._fail(heard)
            return
        with self._changed:
            over = self._queue.heard(heard)
        if over is None:
            return
        self._now = None
        if heard.phase is Phase.ENDED:
            self._voice.has_said()
        if over.token is not None and self._on_said is not None:
            self._on_said(over.token, heard.t_ns, "" if heard.phase is Phase.ENDED else "it was cut off")

    def _fail(self, heard: Heard) -> None:
        """The voice has failed in the middle: open it anew. What it was saying is said once more, but only once."""
        LOG.warning("voice: %s", heard.why)
        with self._changed:
            if self._now is not None and self._now.piece.text == self._voice.failed:
                self._queue.heard(heard)
            dropped = self._queue.lost()
        self._voice.fail(self._now.piece.text if self._now is not None else "", heard.why)
        self._now = None
        self._not_said(dropped, heard.why)
        self._voice.close()
        self._voice.open(self._on_heard)

    def _not_said(self, pieces: Iterable[Piece], why: str) -> None:
        for piece in pieces:
            if piece.token is not None and self._on_said is not None:
                self._on_said(piece.token, self._clock(), why)
