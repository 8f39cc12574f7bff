"""The example on the page of standings: read from its tables and worked out again."""

from __future__ import annotations

import re
from pathlib import Path

from companion.tournament.log.lines import TIE_BREAKS
from companion.tournament.results import Place, RoundResults, TableResult
from companion.tournament.standings.explaining import explain, shown
from companion.tournament.standings.standings import standings

PAGE = (Path(__file__).parents[2] / "docs/standings.md").read_text(encoding="utf-8")
EXAMPLE = PAGE.split("\n## An example\n")[1]
(SEED, EVENT) = re.findall(r"With the seed `(\w+)` and the event `(\w+)`", EXAMPLE)[0]


def rows(head: str) -> list[list[str]]:
    """Give the rows of the example's table that begins with a column."""
    (table,) = (part for part in EXAMPLE.split("\n\n") if part.startswith(f"| {head} |"))
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def results() -> list[RoundResults]:
    """Give the rounds as the first table has them."""
    found: list[RoundResults] = []
    for number in sorted({int(row[0]) for row in rows("round")}):
        here = [row for row in rows("round") if int(row[0]) == number]
        tables = sorted({int(row[1]) for row in here if row[1].isdigit()})
        found.append(
            RoundResults(
                number,
                tuple(TableResult(number, table, seats(here, str(table)), is_final=True) for table in tables),
                byes=tuple(int(row[2]) for row in here if row[1] == "bye"),
                missed=tuple(int(row[2]) for row in here if row[1] == "missed"),
            )
        )
    return found


def seats(here: list[list[str]], table: str) -> tuple[Place, ...]:
    return tuple(Place(*map(int, row[2:])) for row in here if row[1] == table)


STANDING = standings(results(), range(1, 7), TIE_BREAKS, SEED, EVENT)


def test_the_example_comes_out_as_the_page_says() -> None:
    assert [one.rstrip("…") for row in rows("place") for one in row] == [
        cell
        for one in STANDING
        for cell in (*map(str, (one.place, one.player, one.points, *one.values[:-1])), shown("lots", one.values[-1]))
    ]


def test_the_page_has_every_tie_break_in_its_order() -> None:
    table = PAGE.split("\n## Order\n")[1].split("\n\n")[1]
    assert tuple(line.split("|")[1].strip() for line in table.splitlines()[2:]) == TIE_BREAKS


def test_the_player_whom_the_page_tells_of_is_told_of_like_that() -> None:
    by_number = {one.player: one for one in STANDING}
    said = EXAMPLE.split("as the pages tell it:\n\n")[1].split("\n\n")[0]
    told = explain(by_number[1], TIE_BREAKS, by_number)
    assert re.sub("\n {6}", " ", said) == "\n".join(
        f"- {one.tie_break}\n" + "\n".join(f"    - {row}" for row in one.rows) for one in told
    )
