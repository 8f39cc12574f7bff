"""Draws the README's pictures of the pages anew:   python -m tests.browser.pictures

They show a simulated box in the middle of a choice: the table, the panel of one seat on a phone, the referee's desk.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.box import Box
from tests.browser.desk import begin_match, open_desk, open_page, open_panel, press, reveal, wait_state

PICTURES = Path(__file__).parent / "pictures"
LARGEST_BYTES = 300_000


def main() -> int:
    """Write the pictures; each must be smaller than a repository should carry."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as state, sync_playwright() as playwright:
        box = Box(Path(state), "--simulate")
        chromium = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--headless", "--no-sandbox"]
        )
        try:
            draw(chromium, box)
        finally:
            chromium.close()
            box.stop()
    for picture in sorted(PICTURES.glob("*.png")):
        size = picture.stat().st_size
        print(f"{picture.relative_to(Path.cwd())}: {size // 1000} kB")
        assert size < LARGEST_BYTES, f"{picture} is too large"
    return 0


def draw(chromium, box) -> None:
    wide = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
    dark = chromium.new_context(color_scheme="dark", **wide)
    light = chromium.new_context(color_scheme="light", **wide)
    phone = chromium.new_context(
        color_scheme="dark",
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    desk, panel = open_desk(light, box), open_panel(phone, box.url, "?seat=red")
    keys = open_panel(dark, box.url)
    table = open_page(dark, f"{box.url}/table")
    for colour in ("red", "yellow", "blue", "purple"):
        desk.click(f'[data-key="sit {colour}"]')
    begin_match(desk, variants=("wedding",), window_s=20)
    for card in (
        "totem pole",
        "buffalo",
        "blue hunter",
        "teepee",
        "green maiden",
        "yellow warrior",
        "red hunter",
        "buffalo",
    ):
        reveal(desk, box, card)
    for button in ("blue hunter", "red hunter", "purple chief", "yellow maiden"):
        press(keys, button)
    wait_state(desk, "state.phase === 'choosing'")
    for page, name in ((table, "table"), (panel, "panel"), (desk, "referee")):
        page.bring_to_front()
        page.wait_for_selector("#lamp.is-live")
        page.wait_for_function("() => document.querySelector('.oled-picture').dataset.drawn > 1")
        page.evaluate("() => { document.activeElement?.blur(); scrollTo(0, 0); }")
        page.screenshot(path=PICTURES / f"{name}.png")


if __name__ == "__main__":
    sys.exit(main())
