"""What devices are used for, which are opened for it, and their keys as the panel's lines. Pure: knows no file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.evdev.codes import Key, key_of
from companion.core.panel import marked
from companion.core.profiles.profile import LONGEST_TITLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from companion.adapters.evdev.decoder import KeyEdge
    from companion.adapters.evdev.identity import Identity, Node


@dataclass(frozen=True, slots=True)
class Assigned:
    """What a device is used for. name: for people, one word. labels: of buttons, by the names of keys ("BTN_A").

    delay_ns: the longest that its model was measured to take; None where it was not.
    """

    name: str
    labels: Mapping[str, str]
    delay_ns: int | None = None

    @property
    def lines(self) -> frozenset[str]:
        """The lines that it closes and opens: "red first (pad)"."""
        return frozenset(marked(label, self.name) for label in self.labels.values())


class LineEdge(NamedTuple):
    """A line closed or opened, by a device's stamp."""

    line: str
    active: bool
    t_ns: int


@dataclass
class Lines:
    """The lines of one assigned device, each closed while any of its keys is down, on any of its event files.

    Raises Malformed for a key that cannot be.
    """

    assigned: Assigned
    _lines: dict[Key | None, str] = field(init=False)
    _down: set[tuple[Path, Key]] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        self._lines = {key_of(name): marked(label, self.assigned.name) for name, label in self.assigned.labels.items()}

    def line_of(self, key: Key) -> str | None:
        """Give the line of a key, None where it has none. Whatever is no axis may stand for ANY."""
        return self._lines.get(key) or (self._lines.get(None) if key.sign == 0 else None)

    def has(self, key: Key) -> bool:
        """Tell whether a key has a use."""
        return self.line_of(key) is not None

    @property
    def axes(self) -> frozenset[int]:
        """The axes that have a use."""
        return frozenset(key.code for key in self._lines if key is not None and key.sign)

    @property
    def active(self) -> frozenset[str]:
        """The lines that are closed."""
        return frozenset(line for _, key in self._down if (line := self.line_of(key)) is not None)

    def feed(self, path: Path, edges: Iterable[KeyEdge]) -> list[LineEdge]:
        """Take what the keys of an event file did; give what the lines did."""
        out: list[LineEdge] = []
        for edge in edges:
            line, before = self.line_of(edge.key), self.active
            (self._down.add if edge.active else self._down.discard)((path, edge.key))
            if line is not None and (line in before) != (line in self.active):
                out.append(LineEdge(line, edge.active, edge.t_ns))
        return out

    def restate(self, path: Path, keys: Iterable[Key]) -> None:
        """Take which keys of an event file are down now; none where it has gone."""
        self._down = {one for one in self._down if one[0] != path} | {(path, key) for key in keys}


def use_of(identity: Identity, uses: Mapping[str, Lines]) -> Lines | None:
    """Give what a device is used for, None for nothing."""
    return next((uses[key] for key in identity.keys if key in uses), None)


class Ours:
    """Says which devices to open: one with a use, or brought; others only while it hears that they are pressed.

    Those wait until the box takes presses: what reads them is a part of the start that not every box needs. wants:
    tells which are not somebody else's. titles: what those that somebody has brought call themselves.
    """

    def __init__(self, wants: Callable[[Node], bool]) -> None:
        self.hears_strangers = False
        self.titles: frozenset[str] = frozenset()
        self._wants = wants

    def has(self, node: Node, uses: Mapping[str, Lines]) -> bool:
        """Tell whether to open a device."""
        is_brought = node.identity.title[:LONGEST_TITLE] in self.titles
        is_known = is_brought or use_of(node.identity, uses) is not None
        return self._wants(node) and (self.hears_strangers or is_known)
