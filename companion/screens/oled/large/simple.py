"""A scene as simple pictures: one fact each, in large letters, for people who take in one thing at a time. Pure.

What a scene says in simple words is in `screens/simple`; what has no simple words is drawn large as usual.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.words.language import ENGLISH
from companion.core.words.texts import in_language
from companion.screens.oled.canvas import Canvas
from companion.screens.oled.large import picture as large
from companion.screens.oled.large.facts import Row, Subject, Words, pages
from companion.screens.oled.typefaces.large import TYPEFACE
from companion.screens.simple.facts import facts

if TYPE_CHECKING:
    from companion.core.panel import Colour
    from companion.core.shown.scene import Scene
    from companion.core.words.language import Language
    from companion.screens.oled.large.facts import Laid


def draw(scene: Scene, size: tuple[int, int], page: int = 0, language: Language = ENGLISH) -> Canvas:
    """Give the canvas of one of a scene's pictures. page: which, counted on and on: after the last comes the first.

    Raises Malformed for a size below 128×64.
    """
    found = layouts(scene, size, language)
    if not found:
        return large.draw(scene, size, page, language)
    canvas = Canvas(size)
    large.verify_size(size)
    canvas.pages = len(found)
    large.write(canvas, found[page % len(found)])
    return canvas


def _headed(seat: Colour, language: Language) -> Row:
    names = (in_language(seat, language).upper(), in_language(seat.short, language))
    return Row(names, inverse=True)


def layouts(scene: Scene, size: tuple[int, int], language: Language = ENGLISH) -> list[Laid]:
    """Give what stands on each of a scene's simple pictures; none where it has no simple words.

    Whom a fact is about stands above it, where there is room for both.
    """
    room = (size[0], size[1] // TYPEFACE.height)
    found: list[Laid] = []
    for fact in facts(scene):
        words = ((Words(in_language(fact.says, language), inverse=fact.knob),),)
        head = None if fact.seat is None else _headed(fact.seat, language)
        headed = pages(Subject(head, words), TYPEFACE, room)
        plain = pages(Subject(None, words), TYPEFACE, room)
        found += headed if len(headed) <= len(plain) else plain
    return found
