"""Fixtures of the hardware-in-the-loop suite: one image, one guest for all tests, a fresh chip for each."""

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hil.guest import Chip, Guest
from tests.hil.image import BUILD, Image, build
from tests.hil.runs import new_run

RUNS_KEPT = 5
LONG = ("hil_long", "hil_switch")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of all tests here, `--long` plays those that are longer by it."""
    if config.getoption("--long"):
        other = [item for item in items if not any(name in item.nodeid for name in LONG)]
        config.hook.pytest_deselected(items=other)
        items[:] = [item for item in items if item not in other]


@pytest.fixture(scope="session")
def image(request: pytest.FixtureRequest) -> Image:
    """The built guest image; builds what is missing, and says so past pytest's capture."""
    reporter = request.config.pluginmanager.getplugin("terminalreporter")
    return build(say=reporter.write_line if reporter else print)


@pytest.fixture(scope="session")
def run_folder() -> Path:
    """Where this run's logs stay; the folders of older runs are cleared away."""
    return new_run(BUILD / "runs", RUNS_KEPT)


@pytest.fixture(scope="session")
def guest(image: Image, run_folder: Path) -> Iterator[Guest]:
    """The one guest that the tests share; a test leaves no process and no load behind."""
    with Guest(image, run_folder / "guest") as booted:
        yield booted


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """A random source that is the same for the same test."""
    return random.Random(request.node.nodeid.rpartition("::")[2])


_names = itertools.count(1)


@pytest.fixture
def chip(guest: Guest) -> Iterator[Chip]:
    """A fresh Pi 4 chip with 54 lines, all high, the only one in the guest: /dev/gpiochip0."""
    made = guest.add_chip()
    yield made
    guest.remove_chip(made)


@pytest.fixture
def unique() -> str:
    """A name that no process of this run has had."""
    return f"p{next(_names)}"
