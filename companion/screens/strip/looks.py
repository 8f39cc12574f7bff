"""Which parts of a race deserve a closer look, because they cannot be told apart on the whole of it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.evidence.contacts_seen import Verdict
from companion.core.timing.events import MS
from companion.core.words.texts import joined, text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.evidence.strip import ContactDrawn, Lane, Strip

MAKING_NS = 30 * MS
"""How much of a contact's beginning is looked at: longer than any bounce that can be set."""
TOGETHER_NS = 10 * MS
"""What begins closer together than this is looked at together."""
CLOSE_NS = 2 * MS
"""Presses closer together than this have a look of their own, without their bounce."""
SHORT_NS = 10 * MS
"""A contact that is over so soon is hardly to be seen on the whole of the race."""
LEAST_NS = 20_000
MOST = 8
"""More closer looks than this are left out, and that is said."""


class Look(NamedTuple):
    """A part of the race to be drawn larger. lanes: what happens in it; says: of what it is."""

    from_ns: int
    to_ns: int
    lanes: tuple[Lane, ...]
    says: str


class _Part(NamedTuple):
    """The beginning of one contact: its edges, and its instant with all of its uncertainty."""

    from_ns: int
    to_ns: int
    lane: Lane
    contact: ContactDrawn
    edges: int


def looks(strip: Strip) -> tuple[list[Look], int]:
    """Give the closer looks in the order of time, those on dead heats first of all, and how many are left out."""
    groups = list(_together(sorted((_part(lane, c) for lane in strip.lanes for c in lane.contacts), key=_begin)))
    close = [look for group in groups if (look := _presses(group, strip)) is not None]
    wide = [_edges(group, strip) for group in groups if _is_rich(group)]
    chosen = [*close, *wide]
    return chosen[:MOST], max(0, len(chosen) - MOST)


def _begin(part: _Part) -> int:
    return part.from_ns


def _part(lane: Lane, drawn: ContactDrawn) -> _Part:
    contact = drawn.contact
    until_ns = min(contact.to_ns, contact.from_ns + MAKING_NS)
    edges = [edge.t_ns for edge in lane.edges if contact.from_ns <= edge.t_ns <= until_ns]
    begins = [*edges, contact.t_ns - contact.error_ns, contact.t_ns + contact.error_ns]
    return _Part(min(begins), max(begins), lane, drawn, len(edges))


def _together(parts: Iterable[_Part]) -> Iterable[list[_Part]]:
    """Group parts that begin no later than `TOGETHER_NS` after the end of those before."""
    group: list[_Part] = []
    for part in parts:
        if group and part.from_ns > max(p.to_ns for p in group) + TOGETHER_NS:
            yield group
            group = []
        group.append(part)
    if group:
        yield group


def _is_rich(group: list[_Part]) -> bool:
    """Tell whether there is more to see than one clean contact that is wide enough on the whole of the race."""
    return len(group) > 1 or any(p.edges > 2 or (p.to_ns - p.from_ns < SHORT_NS and _is_over(p)) for p in group)


def _is_over(part: _Part) -> bool:
    return part.contact.contact.to_ns <= part.to_ns


def _presses(group: list[_Part], strip: Strip) -> Look | None:
    """Give a look on the instants alone where they lie close together in much wider bounce; else None."""
    made = [part for part in group if part.contact.contact.verdict is Verdict.ACCEPTED]
    low = min((p.contact.contact.t_ns - p.contact.contact.error_ns for p in made), default=0)
    high = max((p.contact.contact.t_ns + p.contact.contact.error_ns for p in made), default=0)
    whole = max(p.to_ns for p in group) - min(p.from_ns for p in group)
    if len(made) < 2 or high - low > CLOSE_NS or whole < 5 * (high - low):
        return None
    return _look(low, high, [p.lane for p in made], strip, text("Instants of {buttons}").format(buttons=_names(made)))


def _edges(group: list[_Part], strip: Strip) -> Look:
    low, high = min(p.from_ns for p in group), max(p.to_ns for p in group)
    return _look(low, high, [p.lane for p in group], strip, text("Edges of {buttons}").format(buttons=_names(group)))


def _look(low: int, high: int, lanes: list[Lane], strip: Strip, says: str) -> Look:
    margin = max(LEAST_NS, (high - low) // 4)
    found = {lane.line for lane in lanes}
    return Look(low - margin, high + margin, tuple(lane for lane in strip.lanes if lane.line in found), says)


def _names(parts: Iterable[_Part]) -> str:
    return joined(dict.fromkeys(name_of(part.lane) for part in parts))


def name_of(lane: Lane) -> str:
    """Call a lane by its seat and what the game calls the button."""
    return lane.role if lane.colour is None else joined((lane.colour.short, lane.role), " ")
