"""What a seat has drawn unseen reaches its own phone, and no other ear: neither another seat's nor anybody's else."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from companion.core.play.commands import Choose
from companion.core.ruling.chance import dealt
from companion.screens.everybody import public
from companion.testing.driving import OneSeed
from companion.testing.virtual_box import VirtualBox
from companion.testing.walks import SEED, only
from tests.adapters.web.access.inside import inside
from tests.contract.turns import TILES, TURNS

if TYPE_CHECKING:
    from pathlib import Path

PIN = "271828182845"
HELD = dict(zip(("red", "yellow"), dealt(SEED, "tiles", 1, TILES), strict=False))


async def heard_by(folder: Path) -> dict[str, set[str]]:
    """Deal, look, take back, deal, be ready; give which tiles each place named after the deal, by place."""
    box = VirtualBox(("red", "yellow"), "turns", find=only(TURNS), games=("turns",), seeds=OneSeed())
    async with inside(box, ("turns",), pin=PIN, folder=folder) as web:
        await web.page("stranger", "oled=1")
        for seat in ("red", "yellow"):
            await web.seated(seat, seat)
        answers = box.command(Choose(roll=True))
        web.run(100)
        assert not isinstance(answers[0], Exception)
        await web.look()  # what was on offer until then names them all
        web.heard.clear()
        box.press("red first", box.now_ms + 10)
        web.run(300)
        await web.look()
        await web.referee("POST", "/api/undo", {"line": len(box.lines), "by": "referee"})
        await web.look()
        box.press("yellow first", box.now_ms + 10)
        web.run(300)
        await web.look()
        found: dict[str, set[str]] = {}
        for one in web.heard:
            found.setdefault(one.where, set()).update(tile for tile in TILES if tile.encode() in one.content)
    return found


def test_each_phone_hears_its_own_and_nobody_hears_another_s(tmp_path: Path) -> None:
    found = asyncio.run(heard_by(tmp_path))
    assert {where: tiles for where, tiles in found.items() if tiles} == {where: {held} for where, held in HELD.items()}
    assert "GET /api/state" in found


def test_one_that_is_let_out_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = public.public_state

    def leaking(snapshot: Any) -> Any:
        state = plain(snapshot)
        said = " ".join(str(one.items) for one in snapshot.in_hand)
        object.__setattr__(state.scene, "notice", said)
        return state

    monkeypatch.setattr("companion.screens.web.views.public_state", leaking)
    found = asyncio.run(heard_by(tmp_path))
    assert found["stranger"] == set(HELD.values())
    assert found["GET /api/state"] == set(HELD.values())
