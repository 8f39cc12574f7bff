"""The app's part that brings button pods into a box: their source from the settings, their lamps from the scenes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.adapters.pods.interpreter import Assigned
from companion.adapters.pods.source import PodsSource
from companion.app.parts import Part
from companion.config.pod_file import pods_file, read_pods
from companion.core.panel import marked
from companion.core.timing.events import MS
from companion.screens.lamps import Lamps, lamps_of

if TYPE_CHECKING:
    from companion.app.loop import BoxLoop
    from companion.config.settings import Pods as PodsSettings
    from companion.core.shown.scene import Scene


class PodLamps:
    """A watcher of scenes that switches the lamps in the pods' buttons."""

    def __init__(self, source: PodsSource) -> None:
        self._source = source
        self._shown: Lamps | None = None

    def show(self, scene: Scene) -> None:
        """Switch what has changed."""
        lamps = lamps_of(scene)
        if lamps != self._shown:
            self._shown = lamps
            self._source.show_lamps(lamps.lit, lamps.blinking)


class Pods(Part):
    """The pods of a box."""

    def __init__(self, source: PodsSource, lines: tuple[str, ...]) -> None:
        self.source = source
        self.lines = lines
        self.sources, self.watchers = (source,), (PodLamps(source),)
        self._loop: BoxLoop | None = None
        self._early: dict[str, str | None] = {}
        source.on_alarm = self._alarm

    def open(self) -> None:
        """Begin to talk with them; one that is not plugged in keeps no box from starting."""
        self.source.open()

    def close(self) -> None:
        """Let go of their ports."""
        self.source.close()

    def attach(self, loop: BoxLoop) -> None:
        """Have the loop told of pods that cannot be reached, those noticed so far first."""
        self._loop = loop
        for key, text in self._early.items():
            loop.alarm(key, text)

    def _alarm(self, key: str, text: str | None) -> None:
        if self._loop is None:
            self._early[key] = text
        else:
            self._loop.alarm(key, text)


def make_pods(chosen: PodsSettings, folder: Path) -> Pods | None:
    """Give the pods that are assigned, not opened; None where there are none or they are off. Raises Malformed.

    folder: where matches are kept, and the file of pods that was given no other place. A pod's line is judged by
    itself, even where a button on a pin has the same label.
    """
    entries = read_pods(pods_file(chosen, folder)) if chosen.enabled else {}
    if not entries:
        return None
    assigned = {
        unique_id: Assigned(pod.name, tuple(marked(label, pod.name) if label else None for label in pod.labels))
        for unique_id, pod in entries.items()
    }
    source = PodsSource(
        assigned,
        ports=[Path(port) for port in chosen.ports] or None,
        delay_ns=chosen.delay_ms * MS,
        edge_error_ns=chosen.edge_error_us * 1000,
        limit_ns=chosen.max_bound_ns,
    )
    return Pods(source, tuple(line for pod in assigned.values() for line in pod.labels if line is not None))
