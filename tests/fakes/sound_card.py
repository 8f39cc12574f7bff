"""A sound card for programs of this machine: ALSA's own library, with its `file` plugin in the place of a chip.

What is played is at once appended to a file: 16 bit, little endian, in the rate of who plays (eSpeak NG: 22,050 Hz, one
channel). So everything above the chip is real: espeak-ng, speech-dispatcher's modules, libpcaudio, libasound.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

RATE_HZ = 22_050


class SoundCard:
    """folder: where its configuration and what it plays are kept. `environ`: for who shall play on it. `config`: what
    devices there are."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.config = folder / "alsa.conf"
        self.plug_in()
        self.environ = {"ALSA_CONFIG_PATH": str(self.config), "PULSE_SERVER": "unix:/nowhere"}

    @property
    def played(self) -> Path:
        """What the usual device played."""
        return self._folder / "played.raw"

    @property
    def ear(self) -> Path:
        """What the device "ear" played."""
        return self._folder / "ear.raw"

    def so_far(self) -> int:
        """Give how many bytes the usual device has played, once what is on its way there has come."""
        before, now = -1, 0
        while before != now:
            time.sleep(0.2)
            before, now = now, self.played.stat().st_size if self.played.exists() else 0
        return now

    def remove(self) -> None:
        """Have no device any more."""
        self.config.write_text("")

    def plug_in(self) -> None:
        """Have it again."""
        self.config.write_text(
            f"pcm.nowhere {{ type null }}\n{self._pcm('!default', self.played)}{self._pcm('ear', self.ear)}"
        )

    @staticmethod
    def _pcm(name: str, file: Path) -> str:
        # A pipe, as espeak-ng opens the device anew at its end, which would empty a file.
        return f'pcm.{name} {{ type file slave.pcm "nowhere" file "|cat >> {file}" format "raw" }}\n'
