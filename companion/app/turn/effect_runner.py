"""What the session wants done in the world: lines stored, presses kept, records sealed, tones played."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.match.effects import (
    Announce,
    AskVoice,
    Began,
    Cue,
    Effect,
    GaveUp,
    KeepTrials,
    Log,
    Measured,
    Offered,
    Played,
    Recorded,
    Sound,
    TookIn,
    Wrote,
)
from companion.core.record.lines import Line, Moved, PressLine, Restart, dump_line
from companion.core.record.seals import digest_of
from companion.ports import KeptPress

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.app.calibration.storing import Measurements
    from companion.app.storing.sealing import Sealing
    from companion.app.turn.onlookers import Follower
    from companion.core.evidence.capture import Captured
    from companion.core.play.session import Session
    from companion.core.timing.events import Press
    from companion.ports import Announcer, Buzzer, EvidenceStore, Intake, Journal

LOG = logging.getLogger("companion")

MOST_HELD = 8
"""Of more races than these no evidence is held back, whatever is on its way."""


class EffectRunner:
    """Does in the world what the session wants done: lines to the journal, tones to buzzer and followers, seals.

    match_id: the match that lines go to; the one that is offered until it is taken up, None where there is none.
    """

    def __init__(
        self,
        journal: Journal,
        buzzer: Buzzer | None,
        followers: Sequence[Follower],
        match_id: int | None,
        boot_id: str | None,
        wall_time: Callable[[], str],
        sealing: Sealing,
        *,
        intake: Intake | None = None,
        evidence: EvidenceStore | None = None,
        measurements: Measurements | None = None,
    ) -> None:
        self.journal, self.buzzer, self.match_id, self.sealing = journal, buzzer, match_id, sealing
        self.intake, self.evidence = intake, evidence
        self.on_recorded: Callable[[Press], None] = lambda _press: None
        """Told of each press that need not be kept any more."""
        self.announcer: Announcer | None = None
        """Who says what a race opens with; None: nobody is asked, and the session must not wait for it."""
        self._followers, self._boot_id, self._wall_time = followers, boot_id, wall_time
        self._held: list[tuple[int, Captured]] = []  # evidence not yet given to its store, with its match
        self._game: str | None = None  # of a match that has begun and has no id yet
        self._measurements = measurements

    def run(self, session: Session) -> None:
        """Do all that the session wants done, then have it write a seal where one is due; must not block."""
        for effect in session.take():
            self.do(effect)
        if (seal := self.sealing.next()) is not None:
            session.seal(seal)
            self.run(session)

    def do(self, effect: Effect) -> None:  # noqa: C901 - a branch for each kind
        """Do one; must not block."""
        if isinstance(effect, (Announce, AskVoice)):
            self._speak(effect)
        elif isinstance(effect, Wrote):
            self._store(effect.line)
        elif isinstance(effect, (TookIn, Recorded)):
            self._keep(effect)
        elif isinstance(effect, Began):
            self._game = effect.game
            self.sealing.begin()
        elif isinstance(effect, Offered):
            self.match_id = effect.match_id
            self.sealing.leave()
        elif isinstance(effect, GaveUp):
            if self.match_id is not None:
                self.journal.finish(self.match_id)
        elif isinstance(effect, Sound):
            self._sound(effect)
        elif isinstance(effect, Cue):
            for follower in self._followers:
                follower.cue(effect)
        elif isinstance(effect, Log):
            LOG.info("%s", effect.text)
        elif isinstance(effect, (KeepTrials, Measured, Played)) and self._measurements is not None:
            self._measurements.do(effect)

    def keep(self, captured: Sequence[Captured], *, is_busy: bool) -> None:
        """Have the evidence of races of this match stored; before the effects that may begin another match.

        is_busy: a press is on its way to the disk. It would have to wait for these files, and they can wait for it.
        """
        if self.evidence is None:
            return
        if self.match_id is not None:
            self._held += [(self.match_id, one) for one in captured]
        if not is_busy or len(self._held) > MOST_HELD:
            self._give_held(self.evidence)

    def _give_held(self, store: EvidenceStore) -> None:
        held, self._held = self._held, []
        for match_id, one in held:
            store.keep(match_id, one)

    def _speak(self, effect: Announce | AskVoice) -> None:
        if self.announcer is None:
            return
        if isinstance(effect, Announce):
            self.announcer.announce(effect.says, effect.token)
        else:
            self.announcer.wish(effect.wish)

    def _sound(self, sound: Sound) -> None:
        if self.buzzer is not None:
            self.buzzer.play(sound)
        for follower in self._followers:
            follower.sound(sound)

    def _keep(self, effect: TookIn | Recorded) -> None:
        """Have an accepted press outlive the program, or need it no more."""
        if isinstance(effect, Recorded):
            self.on_recorded(effect.press)
        if self.intake is None:
            return
        if isinstance(effect, Recorded):
            self.intake.settle(effect.press)
        elif self.match_id is not None:
            self.intake.take(KeptPress(self.match_id, self._boot_id, effect.press))

    def retry(self) -> None:
        """Try again to store what could not be stored."""
        self.journal.retry()
        if self.evidence is not None:
            self.evidence.retry()
        if self.intake is not None:
            self.intake.retry()

    def close(self) -> None:
        """Store what is left and fall silent."""
        self.sealing.close()
        if self.evidence is not None:
            self._give_held(self.evidence)
            self.evidence.close()
        self.journal.close()
        if self.intake is not None:
            self.intake.close()
        if self.buzzer is not None:
            self.buzzer.close()

    def _store(self, line: Line) -> None:
        if isinstance(line, Moved) and self.match_id is not None:  # what it names are bytes, with their times
            line = replace(line, previous=digest_of(self.journal.lines(self.match_id)))
        stamped = line if isinstance(line, PressLine) else replace(line, wall=self._wall_time())
        raw = dump_line(stamped)
        LOG.debug("%s", raw.decode())
        if self._game is not None:
            self.match_id = self.journal.begin(self._game, [raw], self._boot_id)
            self._game = None
        elif self.match_id is not None:
            self.sealing.take_up(partial(self.journal.lines, self.match_id))
            self.journal.append(self.match_id, raw, boot_id=self._boot_id if isinstance(line, Restart) else None)
        self.sealing.add(raw)
