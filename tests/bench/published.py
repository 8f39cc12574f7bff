"""The figures that `docs/accuracy.md` publishes: read from the page's tables, compared with a run, written from one.

The page is the only place where they are. A row that `make bench` measures ends in its key, `part.figure` or
`part.figure@size`. Its cells: what it is, the figure with its unit, the spread, command, date, machine, key.

Both sides are intervals: from the least to the greatest of the spread. A published figure without a spread stands for
all that is rounded to it. A figure differs where the two intervals have no value in common.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.bench.measured import Figure, share_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

PAGE = Path(__file__).parents[2] / "docs" / "accuracy.md"
OF_A_MACHINE = frozenset({"ms", "s", "µs", "MB", "%", "a second"})
"""Units in which another machine has another figure: a difference there may be the machine's."""
RATIO = "times"
"""The unit of a ratio."""
CELLS = 7
NUMBER = r"([0-9][0-9,]*(?:\.[0-9]+)?)"
VALUE = re.compile(rf"{NUMBER}(?: to {NUMBER})?(?: of {NUMBER})? (\S.*)")
SPREAD = re.compile(rf"{NUMBER} to {NUMBER}")
KEY = re.compile(r"`([a-z_]+)\.([a-z0-9_]+)(?:@[a-z0-9-]+)?`")
MACHINE = re.compile(r"^\| ([A-Z]) \| ([^|]*) \|$", re.MULTILINE)


class Published(NamedTuple):
    """A row of the page. text: the figure as it is written; spread: likewise, may be empty. machine: its letter."""

    key: str
    what: str
    text: str
    spread: str
    command: str
    date: str
    machine: str

    @property
    def part(self) -> str:
        return self.key.partition(".")[0]

    @property
    def figure_name(self) -> str:
        """The name that the part declares in `FIGURES`."""
        return self.key.partition(".")[2].partition("@")[0]

    @property
    def unit(self) -> str:
        return _matched(VALUE, self.text)[4]

    @property
    def digits(self) -> int:
        """How many digits after the point the figure is written with."""
        return _digits(_matched(VALUE, self.text)[1])

    @property
    def is_count(self) -> bool:
        """Tell whether it counts something, and so is exact."""
        return self.unit not in {*OF_A_MACHINE, RATIO}

    @property
    def interval(self) -> tuple[float, float]:
        """The least and the greatest that it stands for; of a count out of many, in percent."""
        found = _matched(VALUE, self.text)
        if found[3] is not None:
            share = share_of(int(_number(found[1])), int(_number(found[3])))
            return share.low, share.high
        low_text, high_text = found[1], found[2] or found[1]
        if self.spread:
            spread = _matched(SPREAD, self.spread)
            low_text, high_text = spread[1], spread[2]
        elif self.is_count:
            return _number(low_text), _number(high_text)
        return _number(low_text) - _half(low_text), _number(high_text) + _half(high_text)


def _matched(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    found = pattern.fullmatch(text.replace("*", ""))
    if found is None:
        raise ValueError(f"cannot read “{text}” in {PAGE.name}")
    return found


def _number(text: str) -> float:
    return float(text.replace(",", ""))


def _digits(text: str) -> int:
    return len(text.partition(".")[2])


def _half(text: str) -> float:
    """Give half a unit of a number's last digit."""
    return float(0.5 * 10 ** -_digits(text))


def published_in(page: str) -> list[Published]:
    """Give the rows of a page that end in a key. Raises ValueError where one cannot be read."""
    found = []
    for line in page.splitlines():
        cells = _cells(line)
        if len(cells) == CELLS and KEY.fullmatch(cells[-1]):
            row = Published(cells[-1].strip("`"), *cells[:-1])
            assert row.interval[0] <= row.interval[1], f"{row.key}: the spread is the wrong way round"
            found.append(row)
    return found


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []


def machines_in(page: str) -> dict[str, str]:
    """Give the machines of a page, by letter."""
    return dict(MACHINE.findall(page))


# -- comparing ---------------------------------------------------------------------------------------------------------


class Verdict(StrEnum):
    """The outcome of a comparison."""

    WITHIN = "within"
    DIFFERS = "differs"
    NOT_MEASURED = "not measured"


class Compared(NamedTuple):
    """A published row beside what a run measured."""

    row: Published
    measured: Figure | None
    verdict: Verdict


def compare(rows: Sequence[Published], measured: Mapping[str, Figure]) -> list[Compared]:
    """Compare published rows with figures by key: within its spread, or not, or not measured in this run."""
    return [Compared(row, found := measured.get(row.key), _verdict(row, found)) for row in rows]


def _verdict(row: Published, figure: Figure | None) -> Verdict:
    if figure is None:
        return Verdict.NOT_MEASURED
    low, high = row.interval
    return Verdict.WITHIN if figure.low <= high and low <= figure.high else Verdict.DIFFERS


def summary(compared: Sequence[Compared], machine: str, machines: Mapping[str, str]) -> list[str]:
    """Say in lines how a run compares with the published rows. machine: this one; machines: the page's, by letter."""
    lines = [f"Published in docs/{PAGE.name}, and measured in this run:"]
    cells = [(one.row.key, _told(one.row), _measured(one), str(one.verdict)) for one in compared]
    widths = [max((len(row[at]) for row in cells), default=0) for at in range(4)]
    lines += ["  " + "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)) for row in cells]
    differing = [one for one in compared if one.verdict is Verdict.DIFFERS]
    missing = sum(one.verdict is Verdict.NOT_MEASURED for one in compared)
    lines += [f"{len(differing)} of {len(compared)} published rows differ by more than their spread."]
    lines += [f"{missing} were not measured in this run."] if missing else []
    letters = {letter for letter, text in machines.items() if machine in text}
    others = {one.row.machine for one in compared if one.verdict is not Verdict.NOT_MEASURED} - letters
    if others:
        by_machine = sum(one.row.machine in others and one.row.unit in OF_A_MACHINE for one in differing)
        lines.append(
            f"Rows of machine {', '.join(sorted(others))} were not published of this machine, as far as the page says:"
            f" {by_machine} of the differing rows are of those, in units that depend on the machine."
        )
    return [line.rstrip() for line in lines]


def _told(row: Published) -> str:
    return f"{row.text.replace('*', '')}{f' ({row.spread})' if row.spread else ''}"


def _measured(one: Compared) -> str:
    if one.measured is None:
        return ""
    text, spread = cells_of(one.row, one.measured)
    return f"{text} ({spread})" if spread else text


def cells_of(row: Published, figure: Figure) -> tuple[str, str]:
    """Give a measured figure as the page has it: with its unit, and its spread, which is empty for an exact one."""
    if figure.text:
        return f"{figure.text} {row.unit}", ""
    digits = row.digits if row.is_count else max(row.digits, _wanted_digits(figure.middle))
    spread = f"{figure.low:,.{digits}f} to {figure.high:,.{digits}f}" if figure.low < figure.high else ""
    return f"{figure.middle:,.{digits}f} {row.unit}", spread


def _wanted_digits(value: float) -> int:
    """Give how many digits after the point a number is to have, so that about three of its digits are seen."""
    return 0 if value >= 100 else 1 if value >= 10 else 2


# -- publishing --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Source:
    """Where new figures are from: the day, and the machine's letter in the page."""

    day: date
    machine: str


def with_figures(page: str, measured: Mapping[str, Figure], source: Source) -> str:
    """Give the page with the figures of a run in the rows that it measured."""
    lines = page.splitlines(keepends=True)
    for at, line in enumerate(lines):
        for row in published_in(line):
            if (figure := measured.get(row.key)) is not None:
                text, spread = cells_of(row, figure)
                day = f"{source.day.day} {source.day:%B %Y}"
                cells = (row.what, text, spread, row.command, day, source.machine, f"`{row.key}`")
                lines[at] = f"| {' | '.join(cells)} |\n".replace("|  |", "| |")
    return "".join(lines)
