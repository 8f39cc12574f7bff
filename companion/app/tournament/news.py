"""Who wants to know what of the desk: pages of changes, everybody of faults that stand. In the desk's event loop."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    Changed = Callable[[frozenset[tuple[int, int]]], None]
    """Told which tables have changed, by round and number; none: something else has."""

LOG = logging.getLogger("companion")


class News:
    """Tells pages of what has changed. faults: what is wrong now, in words, by what it is of ("store", "broker")."""

    def __init__(self) -> None:
        self.faults: dict[str, str] = {}
        self._watchers: list[Changed] = []

    def on_change(self, call: Changed) -> Callable[[], None]:
        """Have this called from now on; gives what ends it."""
        self._watchers.append(call)
        return lambda: self._watchers.remove(call)

    def changed(self, tables: frozenset[tuple[int, int]] = frozenset()) -> None:
        """Tell everybody; one that fails hinders no other."""
        for call in list(self._watchers):
            try:
                call(tables)
            except Exception:
                LOG.exception("a page could not be told of a change")

    def fault(self, what: str, why: str | None) -> None:
        """Have a fault stand from now on, or no more (None)."""
        if self.faults.get(what) == why:
            return
        if why is None:
            del self.faults[what]
            LOG.warning("the event's %s is well again", what)
        else:
            self.faults[what] = why
            LOG.warning("the event's %s: %s", what, why)
        self.changed()
