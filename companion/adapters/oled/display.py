"""The `Display` port on an OLED through luma.oled. Knows no scene and no chip register.

No thread of its own: the app calls `show` in its own thread, because a frame may take the bus 25 ms.
"""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Any

import luma.core.error

from companion.adapters.oled import panels
from companion.adapters.oled.panels import never
from companion.core.errors import Malformed, Unavailable
from companion.core.shown.displays import CHIPS
from companion.core.timing.events import SECOND

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL import Image

    from companion.adapters.oled.wiring import Wiring

_FAULTS = (OSError, luma.core.error.Error)

REFRESH_NS = 30 * SECOND
"""How often a picture that stays is sent anew, with the chip's whole set-up: a chip that lost its power for a moment
would otherwise stay dark, with no error to tell of it."""


class OledDisplay:
    """One OLED.

    chip: a key of `CHIPS`. rotation: 0 or 180 degrees. contrast: 0 to 255, None leaves luma's choice for the chip.
    """

    def __init__(
        self,
        chip: str,
        wiring: Wiring,
        *,
        rotation: int = 0,
        contrast: int | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        if chip not in CHIPS:
            raise Malformed(f"there is no display chip {chip!r}; allowed: {', '.join(CHIPS)}")
        if rotation not in {0, 180}:
            raise Malformed(f"the display cannot be rotated by {rotation!r} degrees; allowed: 0, 180")
        if contrast is not None and not 0 <= contrast <= 255:
            raise Malformed(f"contrast {contrast!r} is out of range; allowed: 0 to 255")
        self.chip = chip
        self.size = CHIPS[chip].size
        self._wiring = wiring
        self._rotation = rotation
        self._contrast = contrast
        self._clock = clock
        self._panel: Any = None
        self._close_bus: Callable[[], None] | None = None
        self._refreshed_ns = 0

    def open(self) -> None:
        """Set the chip up, dark; again after it was unplugged. Raises Unavailable, which says how to mend it."""
        self._drop()
        self._guarded(self._connect)

    def show(
        self, picture: Image.Image, first: tuple[int, int] = (0, 0), is_stale: Callable[[], bool] = never
    ) -> None:  # fmt: skip
        """Send what has changed of `picture` (mode "1", of `size`); the same again only asks whether the chip is there.

        first: the rows of pixels that go before all others. is_stale: once it is true, the rest may be left out.
        Opens first where it is not open (never opened, or the chip had gone). Raises Unavailable, or Malformed for a
        picture of another size or mode.
        """
        if picture.size != self.size or picture.mode != "1":
            raise Malformed(f"a picture of mode 1 and {self.size} is needed, not {picture.mode} and {picture.size}")
        if self._panel is None:
            self.open()
        self._guarded(lambda: self._send(picture, first, is_stale))

    def close(self) -> None:
        """Switch the panel off, if it is still there, and let go of the bus."""
        if self._panel is not None:
            with contextlib.suppress(*_FAULTS):  # gone already: nothing to switch off
                self._panel.hide()
        self._drop()

    def _connect(self) -> None:
        interface, self._close_bus = self._wiring.connect()
        self._wiring.probe(interface)  # before luma's set-up: its devices are kept until exit, failed ones too
        kind = panels.panel_of(self.chip)
        width, height = self.size
        self._panel = kind.__new__(kind)
        self._panel.__init__(interface, width=width, height=height, rotate=self._rotation // 90)
        if self._contrast is not None:
            self._panel.contrast(self._contrast)
        self._refreshed_ns = self._clock()

    def _send(self, picture: Image.Image, first: tuple[int, int], is_stale: Callable[[], bool]) -> None:
        if self._panel.send(picture, first, is_stale):
            return
        if self._clock() - self._refreshed_ns >= REFRESH_NS:
            self._refreshed_ns = self._clock()
            self._panel.wake()
            if self._contrast is not None:
                self._panel.contrast(self._contrast)
            self._panel.send(picture, first, is_stale)
        self._panel.show()  # "display on": the shortest command that an absent chip does not acknowledge

    def _guarded(self, action: Callable[[], None]) -> None:
        try:
            action()
        except _FAULTS as error:
            self._drop()
            raise Unavailable(
                f"the {self.chip} display at {self._wiring.place()} does not answer ({error}): "
                f"{self._wiring.remedy(error)}"
            ) from error

    def _drop(self) -> None:
        panel, self._panel = self._panel, None
        close, self._close_bus = self._close_bus, None
        if panel is not None:
            vars(panel).clear()  # luma's exit hook holds on to every device ever made: leave it an empty one
        if close is not None:
            with contextlib.suppress(OSError):  # a bus that went away is closed
                close()
