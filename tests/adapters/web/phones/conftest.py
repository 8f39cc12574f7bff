"""Closes what tests of phones have opened: a source of presses has two descriptors, and a property plays hundreds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.adapters.web.phones.panel_source import PanelSource

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def _closed_sources(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    opened: list[PanelSource] = []
    open_ = PanelSource.open

    def watched(source: PanelSource) -> None:
        opened.append(source)
        open_(source)

    monkeypatch.setattr(PanelSource, "open", watched)
    yield
    for source in opened:
        source.close()
