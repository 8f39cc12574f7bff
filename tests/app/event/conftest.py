"""A desk that is played by a test, and boxes at its event, which are stopped after the test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.app.event.running import RunningBox
from tests.fakes.event_link import FakeDesk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def desk() -> FakeDesk:
    return FakeDesk()


@pytest.fixture
def begin(tmp_path: Path, desk: FakeDesk) -> Iterator[Callable[..., RunningBox]]:
    boxes: list[RunningBox] = []

    def make(name: str = "state", **how: object) -> RunningBox:
        boxes.append(RunningBox(tmp_path / name, desk, **how))  # type: ignore[arg-type]
        return boxes[-1]

    yield make
    for box in boxes:
        box.stop()
