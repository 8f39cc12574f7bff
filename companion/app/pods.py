"""The app's part that brings button pods into a box: their source from the settings, their lamps from the scenes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.adapters.certificate.files import PODS
from companion.adapters.host_clocks.reading import read_clocks
from companion.adapters.intake_file import passed_by_devices
from companion.adapters.pods.interpreter import Assigned
from companion.adapters.pods.source import PodsSource
from companion.app.certificate.loop import pods_name
from companion.app.certificate.weighing import certified
from companion.app.parts import Part
from companion.app.signals.scene_lamps import SceneLamps
from companion.config.pod_file import pods_file, read_pods
from companion.core.panel import marked
from companion.core.timing.events import MS
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.app.loop import BoxLoop
    from companion.config.settings import Pods as PodsSettings
    from companion.core.panel import Colour
    from companion.core.shown.scene import Scene
    from companion.core.signals.board import Lit
    from companion.core.signals.signs import Sign
    from companion.core.timing.certificate import Certified


class PodLamps:
    """The lamps in the pods' buttons: a watcher of scenes, and a `Signals`; the pods have them blink by themselves."""

    name: str = text("lamps of the pods")
    checks = False

    def __init__(self, source: PodsSource) -> None:
        self._scene = SceneLamps(lambda lamps: source.show_lamps(lamps.lit, lamps.blinking))

    def show(self, scene: Scene) -> None:
        """Switch what has changed."""
        self._scene.show(scene)

    def open(self) -> None:
        """The pods' ports are opened with their buttons."""

    def switch(self, on: frozenset[Lit], given: Mapping[Colour, Sign]) -> None:
        """Have the lamps of each seat that is given a sign on or off together."""
        self._scene.tell(on, given)

    def step(self, now_ns: int) -> None:
        """Nothing changes by itself here: what blinks, the pods have blink."""

    def check(self) -> None:
        """A pod that has gone is told of with its buttons."""

    def close(self) -> None:
        """Switch all of them off."""
        self._scene.forget()


class Pods(Part):
    """The pods of a box."""

    def __init__(self, source: PodsSource, lines: tuple[str, ...]) -> None:
        self.source = source
        self.lines = lines
        lamps = PodLamps(source)
        self.sources, self.watchers, self.signals = (source,), (lamps,), (lamps,)
        self.keepers = (source,)
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
        for key, told in self._early.items():
            loop.alarm(key, told)

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
    assigned = assigned_pods(chosen, folder)
    if not assigned:
        return None
    lines = lines_of(assigned)
    certificate = certified(folder / PODS.certificate, lines, pods_name(assigned))
    source = make_pods_source(chosen, assigned, certificate)
    source.wait_until_safe(passed_by_devices(folder))
    return Pods(source, tuple(lines))


def assigned_pods(chosen: PodsSettings, folder: Path) -> dict[str, Assigned]:
    """Give the pods that are assigned, by unique id; none where they are off. Raises Malformed. folder: as above."""
    entries = read_pods(pods_file(chosen, folder)) if chosen.enabled else {}
    return {
        unique_id: Assigned(pod.name, tuple(marked(label, pod.name) if label else None for label in pod.labels))
        for unique_id, pod in entries.items()
    }


def lines_of(assigned: Mapping[str, Assigned]) -> dict[str, int]:
    """Give the number of each line that is used, on its pod, by its label."""
    return {label: number for pod in assigned.values() for number, label in enumerate(pod.labels) if label is not None}


def make_pods_source(
    chosen: PodsSettings,
    assigned: Mapping[str, Assigned],
    certificate: Certified | None = None,
    *,
    is_required: bool = False,
) -> PodsSource:
    """Give the pods' source, not opened. certificate: a valid one. is_required: as of `PodsSource`."""
    return PodsSource(
        assigned,
        ports=[Path(port) for port in chosen.ports] or None,
        is_required=is_required,
        delay_ns=chosen.delay_ms * MS,
        edge_error_ns=chosen.edge_error_us * 1000,
        certified=certificate,
        limit_ns=chosen.max_bound_ns,
        read_clocks=read_clocks,
    )
