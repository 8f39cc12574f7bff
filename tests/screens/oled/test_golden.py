"""Golden pictures, compared with what the chips' models decoded from the bytes that luma sent.

After a wanted change: pytest tests/screens/test_oled_golden.py --update-golden, and look at every picture that differs.
"""

import pathlib

import pytest
from PIL import Image

from companion.adapters.oled import CHIPS, simulated
from companion.screens.oled.picture import render
from tests.screens.scenes import SCENES

GOLDEN = pathlib.Path(__file__).parents[2] / "golden"
README = ("lobby", "idle", "standing", "standing-final", "choosing", "results", "results-turn", "final")
"""Scenes that the README shows, four times enlarged."""


def checked(path, picture, update):
    if update:
        path.parent.mkdir(parents=True, exist_ok=True)
        picture.save(path, optimize=True)
    with Image.open(path) as golden:
        assert golden.size == picture.size
        assert golden.convert("RGB").tobytes() == picture.convert("RGB").tobytes(), f"{path.name} looks different"


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("chip", CHIPS)
def test_the_chip_shows_the_golden_picture(chip, name, request):
    display, wire = simulated(chip)
    display.show(render(SCENES[name], display.size))
    size = "x".join(map(str, display.size))
    checked(GOLDEN / size / f"{name}.png", wire.chip.picture(), request.config.getoption("--update-golden"))


@pytest.mark.parametrize("name", README)
def test_the_readme_shows_the_golden_pictures_enlarged(name, request):
    picture = render(SCENES[name], (128, 64)).resize((512, 256), Image.Resampling.NEAREST)
    framed = Image.new("P", (544, 288))
    framed.putpalette([0, 0, 0, 214, 236, 255])
    framed.paste(picture.convert("L").point(lambda level: level // 255), (16, 16))
    path = GOLDEN / "readme" / f"{name}.png"
    checked(path, framed, request.config.getoption("--update-golden"))
    assert path.stat().st_size < 50_000


def test_there_is_no_golden_picture_without_a_scene():
    found = {path.stem for folder in ("128x64", "256x64") for path in (GOLDEN / folder).glob("*.png")}
    assert found == set(SCENES)
    assert {path.stem for path in (GOLDEN / "readme").glob("*.png")} == set(README)
