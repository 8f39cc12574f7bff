"""The devices that are plugged in: opened as they come, dropped as they go. Knows not what they are used for."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from companion.adapters.evdev.device import Device
from companion.adapters.evdev.identity import nodes
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.adapters.evdev.identity import Identity, Node

JOIN = text("its user must be in the group input (sudo usermod -aG input $USER, then log in again)")
MISSING = text("input devices cannot be read: python-evdev is missing (sudo apt install python3-evdev)")


class Plugged:
    """Open devices, by their event files.

    folder, sys: where the kernel's files are. denied: those that may not be opened. is_without_library: none can be, as
    python-evdev is missing.
    """

    def __init__(self, folder: Path, sys: Path, press_percent: int) -> None:
        self.folder = folder
        self.denied: dict[Path, Identity] = {}
        self.is_without_library = False
        self._sys, self._press_percent = sys, press_percent
        self._open: dict[Path, Device] = {}

    @property
    def devices(self) -> tuple[Device, ...]:
        """Those that are open, in the order in which they came."""
        return tuple(self._open.values())

    def vanished(self) -> list[Device]:
        """Give those that are open and have no file any more, or whose file is another device's by now."""
        return [device for device in self._open.values() if not device.is_there]

    def look(self, wants: Callable[[Node], bool]) -> list[Device]:
        """Open what is new, and give it. wants: tells whether a device is any of ours."""
        there = {node.path: node for node in nodes(self.folder, self._sys)}
        self.denied = {}
        new = [self._try(node) for path, node in there.items() if path not in self._open and wants(node)]
        return [device for device in new if device is not None]

    def _try(self, node: Node) -> Device | None:
        try:
            device = Device(node, self._press_percent)
        except PermissionError:
            self.denied[node.path] = node.identity
        except OSError:  # gone again already
            return None
        except ImportError:
            self.is_without_library = True
        else:
            self._open[node.path] = device
            return device
        return None

    def drop(self, device: Device) -> None:
        """Close one, whatever has become of it."""
        self._open.pop(device.node.path, None)
        with suppress(OSError):
            device.close()
