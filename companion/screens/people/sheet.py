"""A sheet: what a page shows, a printer prints and a PDF has of one person, one evening or one match. Plain values."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.core.panel import Colour
from companion.core.words.encoding import told
from companion.core.words.texts import texts

Document = dict[str, Any]


class Cell(msgspec.Struct, frozen=True):
    """What stands in a table. colour: of whose it is; href: where it leads, an address of this box; None for none."""

    text: str
    colour: Colour | None = None
    href: str | None = None


class Table(msgspec.Struct, frozen=True):
    """A table. how: what its figures mean, empty where they say it themselves. named_by: the cell that names a row."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    how: str = ""
    named_by: int = 0


class Dot(msgspec.Struct, frozen=True):
    """A time in a plot: ± error_ns; says: what it is, in words."""

    ns: int
    error_ns: int
    says: str


class Lane(msgspec.Struct, frozen=True):
    """Times of one row of a plot; three of them in words. colour: of the marks."""

    label: str
    colour: Colour
    values: tuple[Dot, ...]
    median_ns: int
    fastest: str
    median: str
    slowest: str


class Plot(msgspec.Struct, frozen=True):
    """Times on one scale, a lane each."""

    title: str
    how: str
    lanes: tuple[Lane, ...]


class Bar(msgspec.Struct, frozen=True):
    """A part of a whole: `part` of `of`; says: both in words."""

    label: str
    part: int
    of: int
    says: str


class Bars(msgspec.Struct, frozen=True):
    """Parts of wholes, a bar each."""

    title: str
    how: str
    bars: tuple[Bar, ...]


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """All of it, in the order in which it is read. about: sentences below the title; notes: what the figures mean.

    pdf: where it is to be had as PDF, None where it is not; pdf_says: why not, for people.
    """

    title: str
    about: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    plots: tuple[Plot, ...] = ()
    bars: tuple[Bars, ...] = ()
    notes: tuple[str, ...] = ()
    pdf: str | None = None
    pdf_says: str | None = None

    def document(self) -> Document:
        """Give it as plain values."""
        found: Document = told(self)
        return found


def cells(*values: object) -> tuple[Cell, ...]:
    """Give a row of cells that are nothing but text."""
    return tuple(Cell(str(value)) for value in values)


def matches_said(count: int) -> str:
    """Say "1 match", "2 matches"."""
    return texts("{count} match", "{count} matches", count)


def presses_said(count: int) -> str:
    """Say "1 press", "2 presses"."""
    return texts("{count} press", "{count} presses", count)


def races_said(count: int) -> str:
    """Say "1 race", "2 races"."""
    return texts("{count} race", "{count} races", count)


def reactions_said(count: int) -> str:
    """Say "1 reaction", "2 reactions"."""
    return texts("{count} reaction", "{count} reactions", count)
