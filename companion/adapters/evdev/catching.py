"""Which key is pressed next: for whoever assigns it, and for whoever tells of keys without a use. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.adapters.evdev.codes import Key
    from companion.adapters.evdev.decoder import KeyEdge
    from companion.adapters.evdev.identity import Identity

QUIET_NS = 300_000_000
"""What was caught does nothing until it has been quiet for so long: its contact may bounce, and must be let go."""


class Touched(NamedTuple):
    """A key was pressed. identity: of its device. t_ns: by its stamp."""

    identity: Identity
    key: Key
    t_ns: int


class Catcher:
    """Takes the next press of any device for `on_catch`, so that it does nothing else.

    on_stranger: told of presses that have no use, while nothing is to be caught; None: nobody is told.
    """

    def __init__(self) -> None:
        self.on_catch: Callable[[Touched], None] | None = None
        self.on_stranger: Callable[[Touched], None] | None = None
        self._muted: tuple[Identity, Key] | None = None
        self._until_ns = 0

    @property
    def hears_strangers(self) -> bool:
        """Tell whether presses matter that have no use."""
        return self.on_catch is not None or self.on_stranger is not None

    def takes(self, identity: Identity, edge: KeyEdge, *, has_use: bool) -> bool:
        """Tell whether an edge is to have no other effect."""
        if (identity, edge.key) == self._muted and edge.t_ns < self._until_ns:
            self._until_ns = edge.t_ns + QUIET_NS
            return edge.active
        if not edge.active:
            return False
        touched = Touched(identity, edge.key, edge.t_ns)
        if self.on_catch is not None:
            on_catch, self.on_catch = self.on_catch, None
            self._muted, self._until_ns = (identity, edge.key), edge.t_ns + QUIET_NS
            on_catch(touched)
            return True
        if not has_use and self.on_stranger is not None:
            self.on_stranger(touched)
        return False
