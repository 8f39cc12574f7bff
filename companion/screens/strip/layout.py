"""Lays a strip out for a width: one layout, which is written as SVG and as PDF. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.screens.strip import sections
from companion.screens.strip.lanes import LABEL, LANE, colours, draw_axis, draw_lane, draw_moments
from companion.screens.strip.looks import looks, name_of
from companion.screens.strip.scale import Axis
from companion.screens.strip.sections import MARGIN
from companion.screens.strip.shapes import FAINT, Drawing, Words, text_width, wrapped
from companion.screens.text.wording import duration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.evidence.strip import Lane, Strip
    from companion.screens.strip.looks import Look
    from companion.screens.strip.shapes import Drawn

NARROWEST, USUAL, WIDEST = 320, 960, 2_000
ROOMY = 640
"""From this width on, lanes have their names beside them, else above."""
LEAST_NAMES = 118.0
MOMENTS = 46.0
"""Height above the lanes for what happened at an instant, in words."""
AXIS = 26.0


def drawing(strip: Strip, width: int = USUAL) -> Drawing:
    """Lay a strip out. width: in CSS pixels, kept within `NARROWEST` and `WIDEST`."""
    across = float(min(WIDEST, max(NARROWEST, width)))
    shapes: list[Drawn] = []
    chosen, left_out = looks(strip)
    part, y = sections.heading(strip, across, 8)
    shapes += part
    part, y = sections.order(strip, across, y)
    shapes += part
    part, y = _overview(strip, across, y)
    shapes += part
    for look in chosen:
        part, y = _closer(strip, look, across, y + 14)
        shapes += part
    part, y = sections.contacts(strip, across, y + 10)
    shapes += part
    part, y = sections.notes(strip, across, y, left_out)
    shapes += part
    part, y = sections.legend(across, y)
    return Drawing(across, y + 8, sections.title(strip), says(strip), (*shapes, *part))


def lanes_alone(strip: Strip, width: int = USUAL) -> Drawing:
    """Lay out no more than the whole race, to be read from far away: names beside the lanes however narrow it is."""
    across = float(min(WIDEST, max(NARROWEST, width)))
    shapes, y = _lanes(strip, strip.lanes, _axis(strip, strip.from_ns, strip.to_ns, across, is_roomy=True), MOMENTS)
    return Drawing(across, y + 4, sections.title(strip), says(strip), tuple(shapes))


def says(strip: Strip) -> str:
    """Say the whole in words, for those who do not see it."""
    places = "; ".join(
        f"place {place.row.place}: {place.row.colour.short} {place.row.role}, {sections.place_says(strip, place)}"
        for place in strip.places
    )
    return f"Photo finish of {sections.title(strip)}. {places}."


def _overview(strip: Strip, width: float, top: float) -> tuple[list[Drawn], float]:
    """Draw the whole race."""
    axis = _axis(strip, strip.from_ns, strip.to_ns, width)
    return _lanes(strip, strip.lanes, axis, top + MOMENTS)


def _closer(strip: Strip, look: Look, width: float, top: float) -> tuple[list[Drawn], float]:
    axis = _axis(strip, look.from_ns, look.to_ns, width)
    text = f"{look.says} ({duration(look.to_ns - look.from_ns)})"
    head: list[Drawn] = []
    for line in wrapped(text, 15, width - 2 * MARGIN):  # 15: bold words are a little wider than others of their size
        top += 18
        head.append(Words(MARGIN, top, line, 14, bold=True))
    shapes, y = _lanes(strip, look.lanes, axis, top + MOMENTS - 22)
    return [*head, *shapes], y


def _axis(strip: Strip, from_ns: int, to_ns: int, width: float, *, is_roomy: bool = False) -> Axis:
    names = max([LEAST_NAMES, *(text_width(name_of(lane), 12, bold=True) + 10 for lane in strip.lanes)])
    is_beside = is_roomy or width >= ROOMY
    return Axis(from_ns, to_ns, MARGIN + (names if is_beside else 0), width - MARGIN, strip.zero_ns)


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
    edges = f"{count} edge{'' if count == 1 else 's'}"
    name = Words(MARGIN, base, name_of(lane), 12, bold=True, colour=colours(lane.colour)[0])
    beside = text_width(name.text, 12, bold=True) + 8
    x, y = (MARGIN, base + 14) if is_roomy else (MARGIN + beside, base)
    return [name, Words(x, y, edges, 11, colour=FAINT)]
