"""Settings for all tests: which of them `make check` runs, and how much each tries."""

from __future__ import annotations

import logging
import re
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, settings

from companion.testing.suite import Suite
from tests import amounts

if TYPE_CHECKING:
    from collections.abc import Iterator

AFTER = ("counted", "quick")

# A busy machine is not a fault: no test may fail because it took long.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--thorough", action="store_true", help="slow tests too, all seeds, all examples (`make test-all`)"
    )
    parser.addoption("--half", action="store_true", help="with --thorough: half the examples, two seeds (`.ci/run`)")
    parser.addoption(
        "--after", choices=AFTER, help="leave out what `make counted` or `make quick` has run the very same"
    )
    parser.addoption("--part", default="1/1", help="which part of the files to read, of how many (`make quick`)")
    parser.addoption(
        "--update-golden", action="store_true", help="draw the golden pictures again; look at each of them"
    )
    parser.addoption("--long", action="store_true", help="`make hil`: a million pairs, and a match by one switch")
    parser.addoption("--cuts", type=int, default=20, help="`make hil-system`: how often the plug is pulled")
    parser.addoption("--seed", default="", help="`make hil-system`: other presses, and other instants of power cuts")


@pytest.hookimpl(tryfirst=True)  # before Hypothesis loads the profile that it is told
def pytest_configure(config: pytest.Config) -> None:
    # A shell's `&` and the workers that share the tests have Ctrl-C ignored, and so has then every program that a test
    # starts. A handler of our own is not handed on: such a program begins with the system's.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    config.addinivalue_line("markers", "slow: starts processes, waits, or walks far; only `make test-all` runs it")
    config.addinivalue_line("markers", "no_cover: `make test-all` counts no branches in it")
    part, parts = map(int, config.getoption("part").split("/"))
    if parts > 1:
        config.stash[PART] = files_of(part, parts)
    amount = amount_of(config)
    amounts.try_amount(amount)
    Suite.steps = amount.walk or Suite.steps
    settings.register_profile("patient", PATIENT, max_examples=amounts.many(100))
    # For `make mutants`: the same examples in every run, and a failure is not made smaller, as nobody reads it.
    settings.register_profile(
        "repeatable",
        settings.get_profile("patient"),
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
    )
    settings.load_profile("patient")


# Counting branches makes a test three times as slow. Core and games must be covered by the tests of these rooms; those
# of others, and walks through whole matches, run without counting, after them (`make test-all`).
TESTS = Path(__file__).parent
COUNTED = (TESTS / "core", TESTS / "games")
COUNTING = "not no_cover"

IS_SLOW = re.compile(r"^pytestmark = .*\bpytest\.mark\.slow\b", re.MULTILINE)
"""What a file says all of whose tests are slow: without `--thorough` it is not even imported."""

SEEDS = ("seed", "walk", "driver", "block")
"""What a test is parametrized by only to be repeated: one is enough without `--thorough`, two are with `--half`."""


PART = pytest.StashKey[set[Path]]()
"""The files that this process reads, where it shares them with others."""


def files_of(part: int, parts: int) -> set[Path]:
    """Return the files of one of so many parts, about as large as each other, without slow ones; part: from 1."""
    loads, chosen = [0] * parts, set[Path]()
    sizes = ((path.stat().st_size, path) for path in TESTS.rglob("test_*.py") if not is_slow(path))
    for size, path in sorted(sizes, reverse=True):
        least = loads.index(min(loads))
        loads[least] += size
        if least == part - 1:
            chosen.add(path)
    return chosen


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave unread what this run would select nothing of: slow files, rooms in which no branch is counted."""
    is_room = collection_path.parent == TESTS and collection_path.is_dir()
    if is_room and config.option.markexpr == COUNTING and collection_path not in COUNTED:
        return True
    if PART in config.stash and collection_path.suffix == ".py" and collection_path not in config.stash[PART]:
        return True
    if config.getoption("thorough") or collection_path.suffix != ".py" or not collection_path.is_relative_to(TESTS):
        return None
    return True if is_slow(collection_path) else None


def is_slow(path: Path) -> bool:
    """Tell whether a file says that all of its tests are slow."""
    return IS_SLOW.search(path.read_text(encoding="utf-8")) is not None


def pytest_collection_modifyitems(items: list[pytest.Item], config: pytest.Config) -> None:
    rooms = {path: any(path.is_relative_to(room) for room in COUNTED) for path in {item.path for item in items}}
    for item in items:
        if not rooms[item.path]:
            item.add_marker("no_cover")
    if (seeds := amount_of(config).seeds) is not None:
        leave_out([item for item in items if is_repetition(item, seeds)], items, config)
    if not config.getoption("thorough"):
        leave_out([item for item in items if item.get_closest_marker("slow")], items, config)
    elif after := config.getoption("after"):
        leave_out([item for item in items if was_run(item, after)], items, config)


def amount_of(config: pytest.Config) -> amounts.Amount:
    """Return how much each test tries in this run, by its options."""
    if not config.getoption("thorough"):
        return amounts.QUICK
    return amounts.HALF if config.getoption("half") else amounts.ALL


def leave_out(some: list[pytest.Item], items: list[pytest.Item], config: pytest.Config) -> None:
    config.hook.pytest_deselected(items=some)
    gone = set(some)
    items[:] = [item for item in items if item not in gone]


def was_run(item: pytest.Item, after: str) -> bool:
    """Tell whether that run has this test in it, and `--thorough` adds nothing: no examples, and no other seed."""
    leaves_out = ("slow", "no_cover") if after == "counted" else ("slow",)
    is_left_out = is_repetition(item) or any(item.get_closest_marker(mark) for mark in leaves_out)
    return not is_left_out and not getattr(getattr(item, "obj", None), "is_hypothesis_test", False)


def is_repetition(item: pytest.Item, seeds: int = 1) -> bool:
    """Tell whether a test is another one with a later seed than the first so many."""
    callspec = getattr(item, "callspec", None)
    return callspec is not None and any(callspec.indices.get(name, 0) >= seeds for name in SEEDS)


@pytest.fixture(autouse=True)
def _log_of_its_own() -> Iterator[None]:
    """Have a test that runs the program in this process leave nothing that writes what other tests log."""
    yield
    root = logging.getLogger()
    for handler in [one for one in root.handlers if type(one).__module__.startswith("companion.")]:
        root.removeHandler(handler)
