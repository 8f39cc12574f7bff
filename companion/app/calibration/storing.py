"""What calibrations leave: trials that are gone on with, and the allowance of whoever was measured. Part of `app`.

An allowance belongs to a person: it goes into their profile, with its evidence. Whoever has none is told what to write
into the settings; until they stand up it holds all the same.
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from functools import partial
from secrets import randbelow
from typing import TYPE_CHECKING, Protocol

from companion.adapters.calibration_file import CalibrationFile
from companion.core.calibration.handicap import after_match, after_matches, measured_again
from companion.core.calibration.menu import Supplies
from companion.core.errors import CompanionError
from companion.core.match.effects import KeepTrials, Measured, Played
from companion.core.timing.events import SECOND
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.core.people.judged import MatchFacts
    from companion.core.profiles.profile import Allowance, Profile

LOG = logging.getLogger("companion")
SAID_NS = 60 * SECOND
"""So long it is said what became of a measured allowance."""


class Profiles(Protocol):
    """Where people's profiles are kept."""

    def find(self, name: str) -> Profile | None:
        """Give a person's profile, None where there is none."""

    def put_allowance(self, name: str, allowance: Allowance) -> object:
        """Keep an allowance in the profile of `name`, which is begun where there is none. Raises CompanionError."""


class Alarm(Protocol):
    """Says something for a while, on every display."""

    def __call__(self, key: str, text: str | None, lasts_ns: int | None = None) -> None:
        """Say `text`; None: no longer."""


def supplies_of(folder: Path, patience_ns: int) -> Supplies:
    """Give what calibrations are made with: the system's chance, the wall clock, and what was kept in the folder."""
    kept = None
    try:
        kept = CalibrationFile(folder).read()
    except CompanionError as error:
        LOG.warning("%s", error)
    return Supplies(randbelow, patience_ns=patience_ns, kept=kept, date=_now)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class Measurements:
    """Does what a calibration wants done. profiles: None where the box keeps none. alarm: None until there is one."""

    def __init__(self, folder: Path, profiles: Profiles | None = None) -> None:
        self.alarm: Alarm | None = None
        self._file, self._profiles = CalibrationFile(folder), profiles

    def do(self, effect: KeepTrials | Measured | Played) -> None:
        """Keep trials, or an allowance, or what races say of one. Waits for the disk: no race runs then."""
        if isinstance(effect, Measured):
            self._say("calibration", self._stored(effect))
            return
        if isinstance(effect, Played):
            for name, gaps_ms in effect.gaps_ms.items():
                self._put(name, partial(after_match, match=effect.match, gaps_ms=gaps_ms))
            return
        try:
            self._file.keep(effect.content)
        except CompanionError as error:
            self._say("trials", str(error))

    def _put(self, name: str, change: Callable[[Allowance], Allowance]) -> None:
        """Put races to the allowance that was measured, and say where it takes another from now on."""
        try:
            profile = self._profiles.find(name) if self._profiles is not None else None
            if self._profiles is None or profile is None:
                return
            before, after = profile.allowance, change(profile.allowance)
            if after != before:
                self._profiles.put_allowance(profile.name, after)
        except CompanionError as error:
            self._say("allowance", str(error))
        else:
            if after.ms != before.ms:
                said = text("{name}'s races speak for {ms} ms: the next match takes so much (it took {before} ms)")
                self._say("allowance", said.format(name=name, ms=after.ms, before=before.ms))

    def catch_up(self, newest: MatchFacts | None) -> None:
        """Put the newest match that is over to the allowances of its people: the box was cut off before it could.

        What is in them already stays as it is.
        """
        for seat in newest.seats if newest is not None else ():
            if newest is not None and seat.name:
                self._put(seat.name, partial(after_matches, name=seat.name, matches=[newest]))

    def _say(self, key: str, text: str) -> None:
        LOG.info("%s", text)
        if self.alarm is not None:
            self.alarm(key, text, SAID_NS)

    def _stored(self, measured: Measured) -> str:
        """Keep an allowance where it belongs, and say where that is."""
        why: str = text("the seat has no name")
        if measured.name and self._profiles is not None:
            known, allowance = self._profiles.find(measured.name), measured.allowance
            if known is not None:
                allowance = measured_again(known.allowance, allowance)
            try:
                self._profiles.put_allowance(measured.name, allowance)
            except CompanionError as error:
                why = str(error)
            else:
                said = text("the profile of {name} has the allowance now: {ms} ms")
                return said.format(name=measured.name, ms=allowance.ms)
        elif measured.name:
            why = text("this box keeps no profiles")
        return text(
            "{colour} has {ms} ms until somebody else sits there ({why}): to keep them, write `allowance_ms = {ms}`"
            " under [seats.{colour}] into its settings"
        ).format(colour=measured.colour, ms=measured.allowance.ms, why=why)
