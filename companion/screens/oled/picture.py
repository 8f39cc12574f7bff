"""A scene as a picture for an OLED of 128×64 or 256×64 pixels (any larger size too). Pure; knows no chip.

This module is the frame (which body goes where, alarms, notices); the bodies are in `race`, `menu` and
`table`. Everything is fitted to its room on purpose: nothing is cut by the picture's edge.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from companion.core.errors import Malformed
from companion.core.shown.calibrating import Calibrating
from companion.core.shown.scene import (
    Apart,
    Choosing,
    Final,
    Idle,
    Invitation,
    Lobby,
    LookOn,
    Question,
    Results,
    Standing,
)
from companion.core.words.language import ENGLISH
from companion.core.words.telling import in_words
from companion.screens.oled import glyphs, invitation, race, table
from companion.screens.oled import menu as menu_pictures
from companion.screens.oled.canvas import Canvas
from companion.screens.oled.layout import Page
from companion.screens.oled.saying import speaking
from companion.screens.oled.symbols import Signs

if TYPE_CHECKING:
    from PIL import Image

    from companion.core.shown.scene import Body, Scene
    from companion.core.words.language import Language

SMALLEST = (128, 64)


def render(scene: Scene, size: tuple[int, int], language: Language = ENGLISH) -> Image.Image:
    """Give the picture of a scene in a language, mode "1". Raises Malformed for a size below 128×64."""
    return draw(scene, size, language=language).image


def draw(scene: Scene, size: tuple[int, int], page: int = 0, language: Language = ENGLISH) -> Canvas:  # noqa: ARG001
    """Give the canvas of a scene, which also tells what was written where. page: there is but one, unlike `large`."""
    with speaking(language):
        return _drawn(in_words(scene, language), size)


def _drawn(scene: Scene, size: tuple[int, int]) -> Canvas:
    if size[0] < SMALLEST[0] or size[1] < SMALLEST[1]:
        raise Malformed(f"a display of {size[0]}×{size[1]} pixels is too small; the smallest is 128×64")
    canvas = Canvas(size)
    footer = _footer(scene, canvas.height // glyphs.HEIGHT - _needed(scene.body))
    sheet = Page(canvas, canvas.height - glyphs.HEIGHT * len(footer), Signs(scene.look))
    _body(sheet, scene)
    sheet.y, sheet.bottom = sheet.bottom, canvas.height
    for left, right, inverse in footer:
        sheet.line(left, right, inverse=inverse)
    return canvas


def _footer(scene: Scene, free: int) -> list[tuple[str, str, bool]]:
    """Give the lines below the body: a notice, and the newest alarm with the number of all, inverted."""
    number = f"!{len(scene.alarms)}" if len(scene.alarms) > 1 else "!"
    alarm = [(f"! {scene.alarms[0]}", number if len(scene.alarms) > 1 else "", True)] if scene.alarms else []
    if scene.notice and scene.alarms and free < 2:
        return [(scene.notice, number, True)]  # the notice passes in a moment, then the alarm's words stand here
    return [*([(scene.notice, "", False)] if scene.notice else []), *alarm]


def _needed(body: Body) -> int:
    """How many lines a body cannot do without."""
    if isinstance(body, (Standing, Results)):
        more = (body.menu is not None) + bool(body.unsettled) if isinstance(body, Standing) else 0
        hidden = 2 if isinstance(body, Standing) and body.hidden_for else 0
        return 1 + len(body.rows[:5]) + more + hidden
    return 6


def _body(page: Page, scene: Scene) -> None:
    body, recorded = scene.body, scene.recorded
    if isinstance(body, Lobby):
        menu_pictures.lobby(page, body)
    elif isinstance(body, (Invitation, LookOn)):
        invitation.invitation(page, body)
    elif isinstance(body, (Question, Apart)):
        menu_pictures.question(page, body.question if isinstance(body, Apart) else body)
    elif isinstance(body, Calibrating):
        menu_pictures.calibrating(page, body, scene.roles)
    elif isinstance(body, Choosing):
        menu_pictures.choosing(page, body, recorded)
    elif isinstance(body, Standing):
        race.standing(page, body, recorded)
    elif isinstance(body, Results):
        race.results(page, body, recorded)
    elif isinstance(body, Idle):
        recent = "" if body.recent == scene.notice else body.recent  # said once is enough
        table.idle(page, dataclasses.replace(body, recent=recent), recorded)
    elif isinstance(body, Final):
        table.final(page, body, recorded)
