"""Parts say what they found, also where a smoke does not reach: several sizes of an event, presses on the guest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.bench import hobbyist, tournament
from tests.bench.measured import exact, share_of
from tests.bench.parts import faults
from tests.bench.tournament import Run
from tests.hil.beside import Scenario, Score

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def run_of(tables: int, cost_s: float) -> Run:
    """Give a run of so many tables, in which desk and broker took so much of each second."""
    changed_ms = [5.0 + number for number in range(8)]
    return Run(tables, changed_ms, changed_ms, [30.0, 31.0], 0, 0, 0, cost_s, 0.0, 0.1, 0.1, 90.0, 0.5)


def test_three_sizes_of_an_event_give_what_a_table_more_costs(tmp_path: Path) -> None:
    found = tournament.told([run_of(10, 0.010), run_of(100, 0.100), run_of(1000, 0.910)], tmp_path)
    rows = dict(found.rows)
    assert rows["a table more, 10 to 100: processor time in a second, ms"] == "1.000"
    assert rows["the second as many times the first"] == "0.90"
    assert found.misses == []
    assert faults(found, tournament.FIGURES) == []
    assert found.figures["page_p99@1000"].middle == 12.0
    assert {path.name for path in tmp_path.iterdir()} == {"tournament-tables.svg", "tournament-tables.md"}


def test_an_event_of_which_no_ruling_was_shown_is_told_as_a_fault(tmp_path: Path) -> None:
    found = tournament.told([run_of(2, 0.010)._replace(changed_ms=[], missing=6)], tmp_path)
    assert "every ruling of 2 tables is shown (6 are not)" in found.misses
    assert "the figure page_p50 is missing" in faults(found, tournament.FIGURES)


def test_both_programs_of_the_guest_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    clean = Scenario("clean", 2, 40, Score(pairs=380), Score(pairs=380))
    bouncing = Scenario("bouncing", 2, 10, Score(pairs=20), Score(wrong_first=2, misordered_pairs=3, pairs=20))
    monkeypatch.setattr(hobbyist, "play_both", lambda _rounds: [clean, bouncing])
    found = hobbyist.measure()
    assert faults(found, hobbyist.FIGURES) == []
    assert found.misses == []
    assert found.figures["ours_misordered@bouncing"] == exact(0)
    assert found.figures["hobbyist_misordered@bouncing"] == share_of(3, 20)
