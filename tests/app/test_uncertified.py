"""A box that reads wires which no certificate is about says so on its start screen; no other does."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import pytest

from companion.adapters.simulated.source import SimulatedSource
from companion.app.assembly import ALL_LINES
from companion.app.parts import PanelButtons
from companion.app.run import build_from
from companion.config.reading import Flag, load
from companion.config.run_options import RunOptions
from companion.core.shown.scene import Body, Lobby

if TYPE_CHECKING:
    from pathlib import Path


class Panel(SimulatedSource):
    """A simulated panel that passes for a real one."""

    def __init__(self, name: str, certificate: str | None) -> None:
        super().__init__(time.monotonic_ns, ALL_LINES)
        self.name, self.certificate = name, certificate


@pytest.mark.parametrize(
    ("name", "certificate", "says"),
    [("gpiod", None, "not certified"), ("gpiod", "5e" * 32, ""), ("simulated panel", None, "")],
)
def test_the_start_screen_says_whether_the_box_is_certified(
    tmp_path: Path, name: str, certificate: str | None, says: str
) -> None:
    settings = load(None, [Flag("--state-dir", ("box", "state_dir"), str(tmp_path))])
    source = Panel(name, certificate)
    source.open()

    async def start() -> Body:
        loop = build_from(settings, RunOptions(), [PanelButtons(source, ALL_LINES)])
        await loop.run(loop.stop)
        return loop.box.session.scene().body

    body = asyncio.run(start())
    assert isinstance(body, Lobby)
    assert body.remark == says
