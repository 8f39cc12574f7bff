"""Lays a strip out for a width: one layout, which is written as SVG and as PDF. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.words.language import ENGLISH
from companion.core.words.telling import in_words
from companion.core.words.texts import in_language, joined, text, texts
from companion.screens.strip import sections
from companion.screens.strip.lanes import LABEL, LANE, colours, draw_axis, draw_lane, draw_moments
from companion.screens.strip.looks import looks, name_of
from companion.screens.strip.scale import Axis
from companion.screens.strip.sections import MARGIN
from companion.screens.strip.shapes import FAINT, Drawing, Paper, Words, text_width, wrapped
from companion.screens.text.wording import duration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.evidence.strip import Lane, Strip
    from companion.core.words.language import Language
    from companion.screens.strip.looks import Look
    from companion.screens.strip.shapes import Drawn

NARROWEST, USUAL, WIDEST = 320, 960, 2_000
ROOMY = 640
"""From this width on, lanes have their names beside them, else above."""
LEAST_NAMES = 118.0
MOMENTS = 46.0
"""Height above the lanes for what happened at an instant, in words."""
AXIS = 26.0


def drawing(strip: Strip, width: int = USUAL, language: Language = ENGLISH) -> Drawing:
    """Lay a strip out, in a language. width: in CSS pixels, kept within `NARROWEST` and `WIDEST`."""
    paper = _paper(width, language)
    shapes: list[Drawn] = []
    chosen, left_out = looks(strip)
    part, y = sections.heading(strip, paper, 8)
    shapes += part
    part, y = sections.order(strip, paper, y)
    shapes += part
    part, y = _overview(strip, paper, y)
    shapes += part
    for look in chosen:
        part, y = _closer(strip, look, paper, y + 14)
        shapes += part
    part, y = sections.contacts(strip, paper, y + 10)
    shapes += part
    part, y = sections.notes(strip, paper, y, left_out)
    shapes += part
    part, y = sections.legend(paper, y)
    return _drawn(strip, paper, y + 8, [*shapes, *part])


def lanes_alone(strip: Strip, width: int = USUAL, language: Language = ENGLISH) -> Drawing:
    """Lay out no more than the whole race, to be read from far away: names beside the lanes however narrow it is."""
    paper = _paper(width, language)
    shapes, y = _lanes(strip, strip.lanes, _axis(strip, strip.from_ns, strip.to_ns, paper, is_roomy=True), MOMENTS)
    return _drawn(strip, paper, y + 4, shapes)


def _paper(width: int, language: Language) -> Paper:
    return Paper(float(min(WIDEST, max(NARROWEST, width))), language)


def _drawn(strip: Strip, paper: Paper, height: float, shapes: list[Drawn]) -> Drawing:
    """Give a drawing with every word that is left to be said."""
    drawn = Drawing(paper.width, height, sections.title(strip), says(strip), tuple(shapes), paper.language.code)
    return in_words(drawn, paper.language)


def says(strip: Strip) -> str:
    """Say the whole in words, for those who do not see it."""
    one = text("place {place}: {colour} {button}, {says}")
    places = joined(
        (
            one.format(
                place=place.row.place,
                colour=place.row.colour.short,
                button=place.row.role,
                says=sections.place_says(strip, place),
            )
            for place in strip.places
        ),
        "; ",
    )
    return text("Photo finish of {race}. {places}.").format(race=sections.title(strip), places=places)


def _overview(strip: Strip, paper: Paper, top: float) -> tuple[list[Drawn], float]:
    """Draw the whole race."""
    axis = _axis(strip, strip.from_ns, strip.to_ns, paper)
    return _lanes(strip, strip.lanes, axis, top + MOMENTS)


def _closer(strip: Strip, look: Look, paper: Paper, top: float) -> tuple[list[Drawn], float]:
    axis = _axis(strip, look.from_ns, look.to_ns, paper)
    title = text("{what} ({time})").format(what=look.says, time=duration(look.to_ns - look.from_ns))
    head: list[Drawn] = []
    said = in_language(title, paper.language)
    for line in wrapped(said, 15, paper.width - 2 * MARGIN):  # 15: bold words are a little wider than others
        top += 18
        head.append(Words(MARGIN, top, line, 14, bold=True))
    shapes, y = _lanes(strip, look.lanes, axis, top + MOMENTS - 22)
    return [*head, *shapes], y


def _axis(strip: Strip, from_ns: int, to_ns: int, paper: Paper, *, is_roomy: bool = False) -> Axis:
    said = [in_language(name_of(lane), paper.language) for lane in strip.lanes]
    names = max([LEAST_NAMES, *(text_width(name, 12, bold=True) + 10 for name in said)])
    left = MARGIN + (names if is_roomy or paper.width >= ROOMY else 0)
    return Axis(from_ns, to_ns, left, paper.width - MARGIN, strip.zero_ns, paper.language)


def _lanes(strip: Strip, lanes: Sequence[Lane], axis: Axis, top: float) -> tuple[list[Drawn], float]:
    is_roomy = axis.left > MARGIN
    height = LANE + (0 if is_roomy else LABEL)
    bottom = top + height * max(1, len(lanes))
    out: list[Drawn] = [*draw_moments(strip, axis, top, bottom), *draw_axis(axis, top, bottom)]
    for index, lane in enumerate(lanes):
        y = top + index * height
        out += _name(lane, axis, y + (32 if is_roomy else 12), is_roomy=is_roomy)
        out += draw_lane(strip, lane, axis, y + (0 if is_roomy else LABEL))
    return out, bottom + AXIS


def _name(lane: Lane, axis: Axis, base: float, *, is_roomy: bool) -> list[Drawn]:
    count = sum(axis.has(edge.t_ns) for edge in lane.edges)
    edges = texts("{count} edge", "{count} edges", count)
    name = Words(MARGIN, base, in_language(name_of(lane), axis.language), 12, bold=True, colour=colours(lane.colour)[0])
    beside = text_width(name.text, 12, bold=True) + 8
    x, y = (MARGIN, base + 14) if is_roomy else (MARGIN + beside, base)
    return [name, Words(x, y, edges, 11, colour=FAINT)]
