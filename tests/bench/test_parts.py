"""Every benchmark runs its whole way, at tiny sizes (one on a kernel: `hil_bench.py`); and every one is a part."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.bench import __main__ as command
from tests.bench.measured import Figure, Measured, exact
from tests.bench.parts import ON_A_KERNEL, PARTS, PartFailed, faults, lacking, part, patience_s, smoke

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent


@pytest.mark.slow  # runs fourteen benchmarks
@pytest.mark.parametrize(
    "name",
    [pytest.param(one, marks=pytest.mark.timeout(patience_s(one) + 30)) for one in PARTS if one not in ON_A_KERNEL],
)
def test_a_part_runs_its_whole_way_and_gives_every_row_and_figure(name: str) -> None:
    if (lacks := lacking(name)) is not None:
        pytest.skip(lacks)
    smoke(name)


def test_every_module_that_measures_is_a_part() -> None:
    measuring = {path.stem for path in HERE.glob("*.py") if "\ndef measure(sizes: Sizes" in path.read_text("utf-8")}
    assert measuring == set(PARTS)


@pytest.mark.parametrize("name", PARTS)
def test_a_part_has_sizes_for_a_smoke_and_says_what_figures_it_gives(name: str) -> None:
    module = part(name)
    assert type(module.SMOKE) is type(module.USUAL)
    assert module.SMOKE != module.USUAL
    assert module.FIGURES


def test_a_part_that_does_not_exist_is_named_with_those_that_do() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench", "nothing"],
        capture_output=True,
        text=True,
        check=False,
        cwd=HERE.parents[1],
    )
    assert done.returncode == 2
    assert "no such part: nothing; there are: attacks, calibration" in done.stderr


def test_what_a_part_needs_and_the_machine_lacks_is_said_with_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(PARTS, "showing", ("a-package", "playwright"))
    monkeypatch.setattr("tests.bench.parts.PROGRAMS", {"a-package": "no-such-program"})
    monkeypatch.setattr("tests.bench.parts.importlib.util.find_spec", lambda _name: None)
    assert lacking("showing") == (
        "showing needs a-package, playwright, which this machine does not have."
        " Install it: `.ci/packages a-package` and `make browser`"
    )
    monkeypatch.setitem(PARTS, "showing", ())
    assert lacking("showing") is None


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[dict[str, Measured]], int]:
    """Give what runs the benchmark with made-up results, of the parts that have one; any other part fails."""

    def run(results: dict[str, Measured]) -> int:
        def measure(name: str) -> Measured:
            if name not in results:
                raise PartFailed(f"{name} ended with status 1; its error is above")
            return results[name]

        monkeypatch.setattr(command, "measure_apart", measure)
        monkeypatch.setattr(command, "lacking", lambda name: "voice needs espeak-ng" if name == "voice" else None)
        monkeypatch.setattr(command, "OUT", tmp_path / "bench.json")
        return command.main(["judging", "voice", "clock_mapping", "storing"])

    return run


def test_a_part_that_fails_or_cannot_run_stops_no_other_and_is_said_at_the_end(
    bench: Callable[[dict[str, Measured]], int], capsys: pytest.CaptureFixture[str]
) -> None:
    clocks = Measured("clocks", [("what", "1")], figures={"outside": exact(2), "bound_p50": exact(0.28)})
    clocks.promise(False, "no press outside")
    assert bench({"clock_mapping": clocks, "storing": Measured("storing")}) == 1
    said = capsys.readouterr().out
    rows = {line.split()[0]: line.split("  ")[-1].strip() for line in said.splitlines() if line.startswith("  ")}
    assert rows["clock_mapping.outside"] == "differs"
    assert rows["clock_mapping.bound_p50"] == "within"
    assert rows["judging.lines"] == "not measured"
    assert "tournament.page_p50@1000" not in rows
    assert "Not run, as not asked for: attacks, calibration, event" in said
    last = said.splitlines()[-4:]
    assert last[0] == "FAILED: judging ended with status 1; its error is above"
    assert last[1] == "NOT RUN: voice needs espeak-ng"
    assert last[2].startswith("FAILED: storing: the table is empty; the figure each is missing")
    assert last[3] == "MISSED, clock_mapping: no press outside"


def test_a_run_without_a_fault_succeeds_though_figures_differ(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clocks = Measured("clocks", [("what", "1")], figures={"outside": exact(0), "bound_p50": exact(0.5)})
    monkeypatch.setattr(command, "measure_apart", lambda _name: clocks)
    monkeypatch.setattr(command, "OUT", tmp_path / "bench.json")
    assert command.main(["clock_mapping"]) == 0
    assert "1 of 2 published rows differ by more than their spread." in capsys.readouterr().out


# -- what is wrong with a result, whatever was measured ----------------------------------------------------------------

DECLARED = {"order_p50": "ms", "ratio": "times"}


def whole() -> Measured:
    found = Measured("a title", rows=[("what", "1.0")])
    found.figures = {"order_p50": Figure(2.0, 1.0, 3.0), "ratio@apache": exact(1), "ratio@claim": exact(2)}
    return found


def test_a_whole_result_has_no_fault_even_where_a_promise_is_missed() -> None:
    result = whole()
    result.promise(False, "as quick as asked")
    assert faults(result, DECLARED) == []


def test_an_empty_table_is_a_fault() -> None:
    result = whole()
    result.rows = []
    assert faults(result, DECLARED) == ["the table is empty"]


@pytest.mark.parametrize("value", ["", " ", "none", "NaN"])
def test_an_empty_row_is_a_fault(value: str) -> None:
    result = whole()
    result.row("empty", value)
    assert faults(result, DECLARED) == ["the row “empty” is empty"]


def test_a_missing_figure_is_a_fault_and_so_is_one_that_nobody_declared() -> None:
    result = whole()
    result.figures["rest"] = result.figures.pop("order_p50")
    assert faults(result, DECLARED) == ["the figure order_p50 is missing", "the figure rest is not in FIGURES"]


@pytest.mark.parametrize("figure", [Figure(float("nan"), 0, 1), Figure(float("inf"), 0, 1), Figure(3, 1, 2)])
def test_a_figure_that_is_no_number_or_lies_outside_its_spread_is_a_fault(figure: Figure) -> None:
    result = whole()
    result.figures["ratio@apache"] = figure
    assert faults(result, DECLARED) == ["the figure ratio@apache is not a figure"]
