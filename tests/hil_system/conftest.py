"""Fixtures: a disk on which the box has been installed as a user does it, and the box switched on from it."""

import os
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.hil.image import BUILD, REPOSITORY
from tests.hil.runs import new_run
from tests.hil_system import packages
from tests.hil_system.box import CONFIG, SETTINGS, InstalledBox
from tests.hil_system.guest import SystemGuest
from tests.hil_system.image import SystemImage, build, overlay

RUNS_KEPT = 3


@pytest.fixture(scope="session")
def image(request: pytest.FixtureRequest) -> SystemImage:
    """What is booted; builds what is missing."""
    reporter = request.config.pluginmanager.getplugin("terminalreporter")
    return build(say=reporter.write_line if reporter else print)


@pytest.fixture(scope="session")
def package() -> Path:
    """The package of this checkout."""
    return packages.build()


@pytest.fixture(scope="session")
def run_folder() -> Path:
    """Where this run's disks and logs stay; older runs are cleared away."""
    return new_run(BUILD / "system-runs", RUNS_KEPT)


@pytest.fixture(scope="session")
def installed(image: SystemImage, package: Path, run_folder: Path) -> Path:
    """A disk after the one command, with the settings that a user added, switched off properly.

    HIL_INSTALLED names such a disk of an earlier run instead, for work on the tests themselves.
    """
    if given := os.environ.get("HIL_INSTALLED"):
        return Path(given)
    disk = overlay(run_folder / "installed.qcow2", image.disk)
    with SystemGuest(image, disk, run_folder / "install") as guest:
        shutil.copy(package, guest.scratch / package.name)
        shutil.copy(REPOSITORY / "systemd" / "install", guest.scratch / "install")
        said = guest.sh(f"/bin/bash /run/hil/install /run/hil/{package.name} 2>&1", seconds=600)
        (run_folder / "install.log").write_text(said)
        InstalledBox(guest).await_running()
        (guest.scratch / "settings").write_text(SETTINGS)
        guest.sh(f"cat /run/hil/settings >> {CONFIG}; sync")
    return disk


@pytest.fixture
def switch_on(image: SystemImage, installed: Path, run_folder: Path) -> Iterator[Callable[[str], InstalledBox]]:
    """Switches a box on, from the installed disk the first time, from where its disk was the next; by its name."""
    guests: list[SystemGuest] = []
    counts: dict[str, int] = {}

    def on(name: str) -> InstalledBox:
        counts[name] = counts.get(name, 0) + 1
        disk = run_folder / f"{name}.qcow2"
        if not disk.exists():
            overlay(disk, installed)
        guests.append(SystemGuest(image, disk, run_folder / f"{name}-{counts[name]}"))
        return InstalledBox(guests[-1])

    yield on
    for guest in guests:
        guest.cut_power()


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """A random source that is the same for the same test and `--seed`."""
    return random.Random(request.node.name + request.config.getoption("--seed"))
