"""The rotary knob: gpiozero's RotaryEncoder decodes it, on pins that are fed with a source's own edges.

The knob's lines stay in the buttons' one request, so that no second reader (lgpio: 1,500 context switches a second when
idle) is needed for them, and the decoding is still the one that has seen many encoders. No thread, no file descriptor.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from gpiozero import RotaryEncoder
from gpiozero.pins import Factory, Pin

from companion.adapters.gpio.lines.levels import KNOB_A, KNOB_B, ROTARY
from companion.core.timing.events import SECOND, Turned

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from collections.abc import Set as AbstractSet

    from companion.adapters.gpio.lines.levels import RawEdge


class _FedPin(Pin):  # type: ignore[misc]  # gpiozero has no types
    """An input pin with a pull-up whose level is whatever it was last told."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._state = True
        self._info = SimpleNamespace(name=name)
        self._handler: Callable[[float, bool], None] | None = None
        self.bounce_time: float | None = None

    def __repr__(self) -> str:
        return self._name

    def feed(self, t_ns: int, state: bool) -> None:
        self._state = state
        if self._handler is not None:
            self._handler(t_ns / SECOND, state)

    def _get_info(self) -> SimpleNamespace:
        return self._info

    def _get_function(self) -> str:
        return "input"

    def _set_function(self, value: str) -> None:
        pass

    def _get_pull(self) -> str:
        return "up"

    def _get_state(self) -> bool:
        return self._state

    def _get_edges(self) -> str:
        return "both"

    def _set_edges(self, value: str) -> None:
        pass

    def _get_when_changed(self) -> Callable[[float, bool], None] | None:
        return self._handler

    def _set_when_changed(self, value: Callable[[float, bool], None] | None) -> None:
        self._handler = value


class _FedFactory(Factory):  # type: ignore[misc]  # gpiozero has no types
    """Two pins and no board. Nothing else can reserve them, so reservations are not kept."""

    def __init__(self) -> None:
        super().__init__()
        self.pins = {label: _FedPin(label) for label in ROTARY}

    def pin(self, name: str) -> _FedPin:
        return self.pins[name]

    def reserve_pins(self, requester: Any, *names: Any) -> None:
        pass

    def release_pins(self, reserver: Any, *names: Any) -> None:
        pass

    def release_all(self, reserver: Any) -> None:
        pass

    def ticks(self) -> float:
        return 0.0

    def ticks_diff(self, later: float, earlier: float) -> float:
        return later - earlier


class Rotary:
    """Turns the edges of the knob's two lines into detents."""

    def __init__(self) -> None:
        self._factory = _FedFactory()
        self._encoder = RotaryEncoder(KNOB_A, KNOB_B, max_steps=0, pin_factory=self._factory)
        self._active: set[str] = set()

    def start(self, active: AbstractSet[str], t_ns: int) -> None:
        """Take the levels as found when the lines were claimed, or after edges were lost."""
        for label in ROTARY:
            self._put(label, label in active, t_ns)

    def feed(self, edges: Iterable[RawEdge]) -> list[Turned]:
        """Take edges (those of other lines are passed over) and give the completed detents, in time order."""
        own = [edge for edge in sorted(edges) if edge.line in ROTARY]
        steps = [(self._put(edge.line, edge.active, edge.t_ns), edge.t_ns) for edge in own]
        return [Turned(step, t_ns) for step, t_ns in steps if step]

    def close(self) -> None:
        """Let go of gpiozero's device."""
        self._encoder.close()

    def _put(self, label: str, active: bool, t_ns: int) -> int:
        if active == (label in self._active):
            return 0
        (self._active.add if active else self._active.discard)(label)
        steps: int = self._encoder.steps
        self._factory.pin(label).feed(t_ns, not active)
        turned: int = self._encoder.steps - steps
        return turned
