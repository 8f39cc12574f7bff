"""The icons of the player's page are as they are drawn, small, and reach to the edge: a launcher may cut them."""

from __future__ import annotations

import json

import pytest
from PIL import Image, ImageChops

from docs.making.icons import ICONS, SIZES, icon

MANIFEST = json.loads((ICONS.parent / "manifest.webmanifest").read_text(encoding="utf-8"))


@pytest.mark.parametrize("size", SIZES)
def test_each_icon_is_as_it_is_drawn_and_small(size: int) -> None:
    path = ICONS / f"icon-{size}.png"
    with Image.open(path) as stored:
        assert stored.size == (size, size)
        difference = ImageChops.difference(stored.convert("L"), icon(size).convert("L"))
        assert (
            max(shade for shade, count in enumerate(difference.histogram()) if count) <= 8
        )  # Pillows round differently
        corner, middle = stored.convert("RGB").getpixel((0, 0)), stored.convert("RGB").getpixel((size // 2, size // 2))
    assert corner != middle
    assert path.stat().st_size < 20_000


def test_the_manifest_names_each_icon_with_its_size() -> None:
    named = {one["src"]: one["sizes"] for one in MANIFEST["icons"]}
    for size in SIZES:
        assert named[f"/icons/icon-{size}.png"] == f"{size}x{size}"
    assert MANIFEST["start_url"] == "/play"
    assert MANIFEST["display"] == "standalone"
