"""The buzzer as far as it may be heard: off by the settings, at night, or by hand; with or without the seats' tones.

In the loop's thread. The hours of the night go by the clock on the wall, so they are no matter of the record.
"""

from __future__ import annotations

from datetime import datetime, time
from typing import TYPE_CHECKING

from companion.core.shown.sound_switch import SoundSwitch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.config.settings import Sound as SoundSettings
    from companion.core.panel import Colour
    from companion.core.profiles.holding import Sitter
    from companion.ports import Buzzer, Sound


def local_time() -> time:
    """Give the time of day here."""
    return datetime.now().astimezone().time()


def is_night(hours: str, now: time) -> bool:
    """Tell whether it is within "22:00-07:00": from the first minute on, until the last one begins. Empty: never.

    The same minute twice is the whole day.
    """
    if not hours:
        return False
    begins, ends = (time.fromisoformat(part) for part in hours.split("-"))
    if begins < ends:
        return begins <= now < ends
    return now >= begins or now < ends


class HushedBuzzer:
    """A `Buzzer` around another. switch: the box's; turned by knob and desk. time_of_day: of the clock on the wall."""

    def __init__(
        self, buzzer: Buzzer, chosen: SoundSettings, time_of_day: Callable[[], time] = local_time
    ) -> None:  # fmt: skip
        self.switch = SoundSwitch()
        self.sitters: Callable[[], Mapping[Colour, Sitter]] = dict
        """Gives who plays by a profile, which may want no tone of its own."""
        self._buzzer, self._chosen, self._time_of_day = buzzer, chosen, time_of_day

    def open(self) -> None:
        """Open it. Raises Unavailable where there is none."""
        self._buzzer.open()

    def play(self, sound: Sound) -> None:
        """Begin a tone, where it may be heard."""
        if self.is_heard():
            self._buzzer.play(sound._replace(seats=self._with_tones(sound) if self._chosen.seat_tones else ()))

    def _with_tones(self, sound: Sound) -> tuple[Colour, ...]:
        """Give those whom it is about who want a tone of their own."""
        own = self.sitters() if sound.seats else {}
        return tuple(seat for seat in sound.seats if seat not in own or own[seat].profile.screens.wants("tones"))

    def is_heard(self) -> bool:
        """Tell whether a tone would be heard now."""
        chosen = self._chosen
        is_loud = chosen.enabled and chosen.volume > 0 and self.switch.is_on
        return is_loud and not is_night(chosen.night, self._time_of_day())

    def close(self) -> None:
        """Fall silent."""
        self._buzzer.close()
