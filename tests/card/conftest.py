"""Fixtures: the card that `make image` made, customised as Imager does it, and switched on from where its disk was."""

import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.card import imager
from tests.card.kernel import BUILD
from tests.card.machine import Card, CardBox, CardGuest, larger_disk, open_card, put_into_reader
from tests.hil.image import REPOSITORY
from tests.hil.runs import new_run

RUNS_KEPT = 2
READY_LIMIT_SECONDS = 900
RESTART_SECONDS = 600
PASSWORD = "$6$companion$" + "0" * 86
"""Has the shape of a hash, and nobody's password has it."""
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f referee@laptop"
ANSWERS = imager.Answers("the-box", "referee", PASSWORD, KEY, "Club room", "ab" * 32, "GB", "Europe/Rome")


@pytest.fixture(scope="session")
def run_folder() -> Path:
    """Where this run's disks and logs stay."""
    return new_run(BUILD / "runs", RUNS_KEPT)


@pytest.fixture(scope="session")
def card(run_folder: Path) -> Card:
    """The newest image in build/image, or the one that CARD_IMAGE names."""
    named = os.environ.get("CARD_IMAGE")
    images = [Path(named)] if named else list((REPOSITORY / "build" / "image").glob("table-companion_*.img"))
    if not images:
        pytest.fail("there is no image in build/image: make image")
    image = max(images, key=lambda path: path.stat().st_mtime)
    return open_card(image, image.with_suffix(".packages.tsv"), run_folder)


@pytest.fixture(scope="session")
def disk(card: Card, run_folder: Path) -> Path:
    """A card of 8 GB, flashed and customised, never switched on."""
    flashed = run_folder / "card.raw"
    put_into_reader(card, flashed, imager.files(ANSWERS, card.words))
    return larger_disk(run_folder / "card.qcow2", flashed)


class Power:
    """The box's plug: in and out, from where its disk was. `box` is what runs now."""

    def __init__(self, card: Card, disk: Path, folder: Path) -> None:
        self._card = card
        self._disk = disk
        self._folder = folder
        self._guest: CardGuest | None = None
        self.box: CardBox

    def on(self, name: str) -> float:
        """Put the plug in, and wait until the box is ready; gives the guest's seconds. name: of its logs' folder."""
        began = time.monotonic()
        self._guest = CardGuest(self._card, self._disk, self._folder / name)
        self.box = CardBox(self._guest)
        self.box.await_running(READY_LIMIT_SECONDS)
        wall = time.monotonic() - began
        sh = self.box.guest.sh
        seconds = int(sh("systemctl show companion -P ActiveEnterTimestampMonotonic")) / 1e6
        with (self._folder / "measured.txt").open("a") as file:
            file.write(f"{name}: ready after {seconds:.1f} s of the guest's clock, {wall:.0f} s of the wall's\n")
            file.write(sh("systemd-analyze critical-chain companion.service --no-pager", check=False))
        return seconds

    def cut(self) -> None:
        """Pull it."""
        if self._guest is not None:
            self._guest.cut_power()
            self._guest = None

    def await_restart(self) -> None:
        """Wait until the box has ended itself in order to start once more."""
        assert self._guest is not None
        self._guest.await_restart(RESTART_SECONDS)
        self.cut()


@pytest.fixture(scope="session")
def power(card: Card, disk: Path, run_folder: Path) -> Iterator[Power]:
    """One box, which all tests use one after the other."""
    plug = Power(card, disk, run_folder)
    yield plug
    plug.cut()


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """A random source that is the same for the same test and `--seed`."""
    return random.Random(request.node.name + request.config.getoption("--seed"))
