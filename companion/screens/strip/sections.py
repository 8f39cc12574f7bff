"""The parts of a strip that are mostly words: what it is of, the order, every contact, the signs, the notes. Pure.

Each gives its shapes from `top` on, and where the next part may begin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.screens.strip.lanes import OTHERS, colours, contact_says
from companion.screens.strip.scale import signed
from companion.screens.strip.shapes import (
    ALARM,
    FAINT,
    HAIR,
    INK,
    SHADE,
    Box,
    Shape,
    Stroke,
    Words,
    hatched,
    text_width,
    wrapped,
)
from companion.screens.text.wording import duration, error, gap

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.core.evidence.strip import Gap, PlaceDrawn, Strip
    from companion.screens.strip.shapes import Drawn

LINE = 16.0
MARGIN = 16.0
MOST_CONTACTS = 40
"""More contacts than this are not told one by one, but counted."""
Part = tuple[list["Drawn"], float]


def heading(strip: Strip, width: float, top: float) -> Part:
    """Say which race of which match this is, when it was, and what it is drawn from."""
    head = strip.heading
    out: list[Drawn] = [Words(MARGIN, top + 22, title(strip), 20, bold=True)]
    about = [f"Match {head.match}"] if head.match else []
    about += [f"judged {head.wall}"] if head.wall else []
    about.append(f"{head.edges} edges")
    return _paragraphs(out, [" · ".join(about)], width, top + 28, FAINT)


def title(strip: Strip) -> str:
    """Give the title: the game and the number of the race."""
    return f"{strip.heading.game}, {strip.heading.race_name} {strip.heading.race}"


def order(strip: Strip, width: float, top: float) -> Part:
    """Draw the places with their times, and a bracket along those that are tied."""
    room = 14.0 * len(strip.dead_heats)
    left = MARGIN + room
    out: list[Drawn] = []
    at: dict[str, float] = {}
    y = top + 6
    for place in strip.places:
        at[place.row.colour] = y + 11
        out += _place(strip, place, left, y)
        for line in wrapped(place_says(strip, place), 12, width - left - MARGIN - 52):
            out.append(Words(left + 52, y + 15 + LINE, line, 12))
            y += LINE
        y += LINE + 12
    for index, group in enumerate(strip.dead_heats):
        out += _bracket([at[colour] for colour in group], MARGIN + 14 * index)
    return out, y


def _place(strip: Strip, place: PlaceDrawn, left: float, y: float) -> list[Drawn]:
    strong, _ = colours(place.row.colour)
    name = strip.names.get(place.row.colour)
    who = f"{place.row.colour.short} {place.row.role}" + (f" ({name})" if name else "")
    return [
        Words(left, y + 16, str(place.row.place), 16, bold=True),
        Box(left + 22, y + 4, 18, 14, strong),
        Words(left + 52, y + 16, who, 14, bold=True, colour=strong),
    ]


def _bracket(ys: Sequence[float], x: float) -> list[Drawn]:
    """Draw a bracket from the first to the last, with an arm at each."""
    arms: list[Drawn] = [Stroke(((x, y), (x + 8, y)), INK, 1.6) for y in ys]
    return [Stroke(((x, min(ys)), (x, max(ys))), INK, 1.6), *arms]


def place_says(strip: Strip, place: PlaceDrawn) -> str:
    """Say all there is to say of a place."""
    raw = f"{signed(place.t_ns - strip.zero_ns)} {error(place.error_ns)}"
    told = [gap(place.row), f"at {raw}"]
    if place.allowance_ns:
        adjusted = signed(place.adjusted_ns - strip.zero_ns)
        told.append(f"less {duration(place.allowance_ns)} allowance: {adjusted}")
    if place.row.tied_with:
        told.append(f"dead heat with {', '.join(colour.short for colour in place.row.tied_with)}")
    if place.row.verdict == "punish":
        told.append(f"punished: {place.row.why_says}" if place.row.why_says else "punished")
    return " · ".join(told)


def contacts(strip: Strip, width: float, top: float) -> Part:
    """Tell every contact in words."""
    told = [contact_says(strip, lane, drawn) for lane in strip.lanes for drawn in lane.contacts]
    more = len(told) - MOST_CONTACTS
    told = told[:MOST_CONTACTS] + ([f"and {more} more contacts"] if more > 0 else [])
    out: list[Drawn] = [Words(MARGIN, top + 18, "Contacts", 14, bold=True)]
    return _paragraphs(out, told or ["none"], width, top + 22)


def notes(strip: Strip, width: float, top: float, left_out: int = 0) -> Part:
    """Say what a reader must know beside the picture, and by which hashes it can be checked.

    left_out: how many closer looks there was no room for.
    """
    more = [f"{left_out} closer looks are left out"] if left_out else []
    told = [*strip.notes, *(_gap_says(strip, found) for found in strip.gaps), *more]
    told += [f"Drawn from the record and this evidence alone, SHA-256 {found}" for found in strip.heading.evidence]
    return _paragraphs([], told, width, top + 4, FAINT)


def _gap_says(strip: Strip, gap: Gap) -> str:
    until = signed(gap.to_ns - strip.zero_ns)
    when = f"at {until}" if gap.from_ns is None else f"{signed(gap.from_ns - strip.zero_ns)} to {until}"
    return f"{when}: {gap.says} ({gap.source})"


def legend(width: float, top: float) -> Part:
    """Say what each sign means."""
    strong, light = OTHERS
    box = Box(0, 0, 26, 14)
    signs: list[tuple[list[Drawn], str]] = [
        (
            [Stroke(((0, 14), (6, 14), (6, 2), (20, 2), (20, 14), (26, 14)), strong, 1.4)],
            "edges: up closes, down opens",
        ),
        ([box._replace(fill=light, stroke=strong)], "contact accepted: a press"),
        ([*hatched(box, FAINT), box._replace(stroke=FAINT, dash=True)], "contact rejected"),
        ([*hatched(box, ALARM), box._replace(stroke=ALARM)], "contact dropped: said at once"),
        ([Shape(((9, 1), (17, 1), (13, 9)), strong), Stroke(((13, 1), (13, 14)), INK)], "instant of the press"),
        ([_bar(3, 23, 7), *_ends(3, 23, 7)], "its ±: the true instant lies within"),
        (
            [Stroke(((26, 7), (6, 7)), INK, 1, dash=True), Shape(((0, 7), (7, 3), (7, 11)), INK)],
            "allowance: raw to compared time",
        ),
        ([*hatched(box, ALARM, 4), box._replace(stroke=ALARM)], "edges lost (in words too)"),
        ([box._replace(fill=SHADE, stroke=HAIR)], "the race: first press to close"),
    ]
    out: list[Drawn] = []
    x, y = MARGIN, top + 8
    for shapes, says in signs:
        needs = 34 + text_width(says, 12)
        if x > MARGIN and x + needs > width - MARGIN:
            x, y = MARGIN, y + 20
        out += [_moved(shape, x, y) for shape in shapes]
        out.append(Words(x + 34, y + 12, says, 12, colour=FAINT))
        x += needs + 18
    return out, y + 24


def _bar(left: float, right: float, y: float) -> Stroke:
    return Stroke(((left, y), (right, y)), INK, 2.4)


def _ends(left: float, right: float, y: float) -> list[Drawn]:
    return [Stroke(((x, y - 4), (x, y + 4)), INK) for x in (left, right)]


def _moved(shape: Drawn, x: float, y: float) -> Drawn:
    if isinstance(shape, Box):
        return shape._replace(x=shape.x + x, y=shape.y + y)
    if isinstance(shape, (Stroke, Shape)):
        return shape._replace(points=tuple((px + x, py + y) for px, py in shape.points))
    return shape


def _paragraphs(out: list[Drawn], texts: Iterable[str], width: float, top: float, colour: str = INK) -> Part:
    y = top
    for text in texts:
        for index, line in enumerate(wrapped(text, 12, width - 2 * MARGIN - 12)):
            y += LINE
            out.append(Words(MARGIN + (12 if index else 0), y, line, 12, colour=colour))
    return out, y + 6
