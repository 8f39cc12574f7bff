"""The page of figures: each row that `make bench` measures is one of its figures, and a run is compared with it."""

from __future__ import annotations

from datetime import date

import pytest

from tests.bench.measured import Figure, Measured, exact, of_rounds, of_values, share_of, sliced
from tests.bench.parts import PARTS, part
from tests.bench.published import (
    PAGE,
    Published,
    Source,
    Verdict,
    cells_of,
    compare,
    machines_in,
    published_in,
    summary,
    with_figures,
)

TEXT = PAGE.read_text(encoding="utf-8")
ROWS = published_in(TEXT)

MADE_UP = """
| machine | what it is |
|---|---|
| A | a fast one |
| B | a slow one |

| figure | published | spread | command | date | machine | key |
|---|---|---|---|---|---|---|
| to the rows | **4.0 ms** | | `make bench ARGS=showing` | by 1 May 2026 | A | `showing.order_p50` |
| ... p99 | 10.2 ms | 9.8 to 10.6 | `make bench ARGS=showing` | 1 May 2026 | A | `showing.order_p99` |
| processor time | 1.14 times | 1.08 to 1.16 | `make bench ARGS=showing` | 1 May 2026 | A | `showing.processor_ratio` |
| lost | 0 presses | | `make bench ARGS=spectators` | 1 May 2026 | A | `spectators.lost` |
| theirs | 68 of 400 pairs | | `make bench ARGS=hobbyist` | 1 May 2026 | B | `hobbyist.misordered@clean` |
| lines | 61,500 a second | | `make bench ARGS=judging` | 1 May 2026 | B | `judging.lines` |
| bound | 0.27 to 0.30 ms | | `make bench ARGS=clock_mapping` | 1 May 2026 | A | `clock_mapping.bound_p50` |
| not measured by make bench | 9 to 12 s | `make hil-system` | 1 May 2026 | A |
"""


def made_up(key: str) -> Published:
    return next(row for row in published_in(MADE_UP) if row.key == key)


def verdict(key: str, figure: Figure) -> Verdict:
    (compared,) = compare([made_up(key)], {key: figure})
    return compared.verdict


# -- the page ----------------------------------------------------------------------------------------------------------


def test_the_page_has_rows_and_each_of_them_once() -> None:
    keys = [row.key for row in ROWS]
    assert len(keys) > 60
    assert sorted(set(keys)) == sorted(keys)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.key)
def test_a_published_row_is_a_figure_of_its_part_with_its_unit_command_date_and_machine(row: Published) -> None:
    assert row.part in PARTS
    assert part(row.part).FIGURES.get(row.figure_name) == row.unit
    assert row.command == f"`make bench ARGS={row.part}`"
    assert row.date
    assert row.machine in machines_in(TEXT)


def test_every_row_of_the_page_that_the_benchmark_measures_has_a_key() -> None:
    told = [line for line in TEXT.splitlines() if line.startswith("|") and "`make bench" in line]
    assert [line for line in told if not published_in(line)] == []


def test_a_row_that_cannot_be_read_is_told() -> None:
    with pytest.raises(ValueError, match="cannot read “fast”"):
        published_in(MADE_UP.replace("10.2 ms | 9.8 to 10.6", "fast | "))


# -- comparing ---------------------------------------------------------------------------------------------------------


def test_a_figure_whose_spread_has_a_value_in_common_with_the_published_one_is_within() -> None:
    assert verdict("showing.order_p99", Figure(11.0, 10.5, 12.0)) is Verdict.WITHIN
    assert verdict("showing.order_p99", Figure(9.0, 8.0, 9.8)) is Verdict.WITHIN


def test_a_figure_whose_spread_has_none_differs() -> None:
    assert verdict("showing.order_p99", Figure(11.0, 10.7, 12.0)) is Verdict.DIFFERS
    assert verdict("showing.order_p99", Figure(9.0, 8.0, 9.7)) is Verdict.DIFFERS


def test_a_row_without_a_figure_is_not_measured() -> None:
    (compared,) = compare([made_up("showing.order_p99")], {"showing.order_p50": exact(1)})
    assert compared.verdict is Verdict.NOT_MEASURED


@pytest.mark.parametrize(("low", "high", "said"), [(3.8, 3.96, "within"), (3.8, 3.94, "differs"), (4.06, 5, "differs")])
def test_a_published_figure_without_a_spread_stands_for_what_is_rounded_to_it(
    low: float, high: float, said: str
) -> None:
    assert verdict("showing.order_p50", Figure(low, low, high)) == said


def test_a_count_of_faults_is_exact() -> None:
    assert verdict("spectators.lost", exact(0)) is Verdict.WITHIN
    assert verdict("spectators.lost", exact(1)) is Verdict.DIFFERS


def test_a_count_out_of_many_is_compared_by_its_share() -> None:
    assert verdict("hobbyist.misordered@clean", share_of(75, 390)) is Verdict.WITHIN
    assert verdict("hobbyist.misordered@clean", share_of(200, 400)) is Verdict.DIFFERS


def test_a_published_range_is_an_interval() -> None:
    assert made_up("clock_mapping.bound_p50").interval == pytest.approx((0.265, 0.305))


MEASURED = {
    "showing.order_p50": Figure(4.02, 3.91, 4.2),
    "showing.order_p99": Figure(12.0, 11.5, 12.5),
    "showing.processor_ratio": Figure(1.3, 1.25, 1.4),
    "spectators.lost": exact(0),
    "judging.lines": Figure(61_480, 60_900, 62_000),
}


def test_the_summary_says_which_rows_differ_and_which_were_not_measured() -> None:
    said = "\n".join(summary(compare(published_in(MADE_UP), MEASURED), "a fast one", {"A": "a fast one", "B": "slow"}))
    lines = {line.split()[0]: line for line in said.splitlines()[1:8]}
    assert lines["showing.order_p50"].endswith("within")
    assert lines["showing.order_p99"].split("  ")[-1] == "differs"
    assert "12.0 ms (11.5 to 12.5)" in lines["showing.order_p99"]
    assert lines["hobbyist.misordered@clean"].endswith("not measured")
    assert "2 of 7 published rows differ by more than their spread." in said
    assert "2 were not measured in this run." in said


def test_the_summary_says_where_rows_are_of_another_machine() -> None:
    compared = compare(published_in(MADE_UP), MEASURED)
    here = "\n".join(summary(compared, "a fast one", machines_in(MADE_UP)))
    assert "Rows of machine B were not published of this machine, as far as the page says: 0 of the" in here
    elsewhere = "\n".join(summary(compared, "another", machines_in(MADE_UP)))
    assert "Rows of machine A, B were not published of this machine, as far as the page says: 1 of the" in elsewhere
    same = compare(published_in(MADE_UP), {"showing.order_p50": exact(4)})
    assert "this machine" not in "\n".join(summary(same, "a fast one", machines_in(MADE_UP)))


# -- publishing --------------------------------------------------------------------------------------------------------


def test_figures_of_a_run_are_written_into_their_rows_and_nothing_else_is_changed() -> None:
    measured = {**MEASURED, "hobbyist.misordered@clean": share_of(70, 400)}
    page = with_figures(MADE_UP, measured, Source(date(2026, 11, 28), "B"))
    rows = {row.key: row for row in published_in(page)}
    assert rows["showing.order_p50"][2:] == (
        "4.02 ms",
        "3.91 to 4.20",
        "`make bench ARGS=showing`",
        "28 November 2026",
        "B",
    )
    assert rows["hobbyist.misordered@clean"].text == "70 of 400 pairs"
    assert rows["spectators.lost"][2:4] == ("0 presses", "")
    assert rows["judging.lines"][2:4] == ("61,480 a second", "60,900 to 62,000")
    assert rows["clock_mapping.bound_p50"] == made_up("clock_mapping.bound_p50")
    unchanged = [line for line in MADE_UP.splitlines() if "`" not in line or "hil-system" in line]
    assert [line for line in page.splitlines() if line in unchanged] == unchanged
    assert all(one.verdict is Verdict.WITHIN for one in compare(published_in(page), measured) if one.measured)


def test_a_published_figure_keeps_as_many_digits_as_its_size_needs() -> None:
    row = made_up("showing.order_p99")
    assert cells_of(row, Figure(0.4321, 0.4, 0.5)) == ("0.43 ms", "0.40 to 0.50")
    assert cells_of(row, Figure(123.4, 120, 130)) == ("123.4 ms", "120.0 to 130.0")
    assert cells_of(made_up("spectators.lost"), exact(3)) == ("3 presses", "")


# -- figures with their spread -----------------------------------------------------------------------------------------


def test_a_percentile_of_rounds_has_the_spread_of_its_rounds() -> None:
    assert of_rounds([[1, 2, 3], [4, 5, 6], []], 0.5) == Figure(3, 2, 5)
    found = Measured("")
    found.percentiles("order", [[1, 2], [3]])
    assert found.figures == {"order_p50": Figure(2, 1, 3), "order_p99": Figure(3, 2, 3)}


def test_a_run_is_cut_into_four_parts_one_after_the_other() -> None:
    assert sliced([1, 2, 3, 4, 5, 6]) == [[1], [2, 3], [4], [5, 6]]
    assert sliced([1, 2]) == [[1], [2]]
    assert of_values([3, 1, 2]) == Figure(2, 1, 3)


def test_a_share_has_wilsons_interval() -> None:
    assert share_of(68, 400)[:3] == pytest.approx((17.0, 13.63, 20.99), abs=0.01)
    assert share_of(40, 40)[:3] == pytest.approx((100.0, 91.24, 100.0), abs=0.01)
    assert share_of(0, 0)[:3] == (0.0, 0.0, 100.0)
