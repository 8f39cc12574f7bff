"""The parts of a strip that are mostly words: what it is of, the order, every contact, the signs, the notes. Pure.

Each gives its shapes from `top` on, and where the next part may begin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.words.texts import in_language, joined, text, texts
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
    from companion.screens.strip.shapes import Drawn, Paper

LINE = 16.0
MARGIN = 16.0
MOST_CONTACTS = 40
"""More contacts than this are not told one by one, but counted."""
Part = tuple[list["Drawn"], float]


def heading(strip: Strip, paper: Paper, top: float) -> Part:
    """Say which race of which match this is, when it was, and what it is drawn from."""
    head = strip.heading
    says = in_language(title(strip), paper.language)
    lines = wrapped(says, 22, paper.width - 2 * MARGIN)  # 22: bold words are a little wider than others
    out: list[Drawn] = [Words(MARGIN, top + 22 + 24 * n, line, 20, bold=True) for n, line in enumerate(lines)]
    top += 24 * (len(lines) - 1)
    about = [text("Match {match}").format(match=head.match)] if head.match else []
    about += [text("judged {when}").format(when=head.wall)] if head.wall else []
    about.append(texts("{count} edge", "{count} edges", head.edges))
    return _paragraphs(out, [joined(about, " · ")], paper, top + 28, FAINT)


def title(strip: Strip) -> str:
    """Give the title: the game and the number of the race."""
    head = strip.heading
    return text("{game}, {race_name} {race}").format(game=head.game, race_name=head.race_name, race=head.race)


def order(strip: Strip, paper: Paper, top: float) -> Part:
    """Draw the places with their times, and a bracket along those that are tied."""
    room = 14.0 * len(strip.dead_heats)
    left = MARGIN + room
    out: list[Drawn] = []
    at: dict[str, float] = {}
    y = top + 6
    for place in strip.places:
        at[place.row.colour] = y + 11
        out += _place(strip, place, left, y)
        says = in_language(place_says(strip, place), paper.language)
        for line in wrapped(says, 12, paper.width - left - MARGIN - 52):
            out.append(Words(left + 52, y + 15 + LINE, line, 12))
            y += LINE
        y += LINE + 12
    for index, group in enumerate(strip.dead_heats):
        out += _bracket([at[colour] for colour in group], MARGIN + 14 * index)
    return out, y


def _place(strip: Strip, place: PlaceDrawn, left: float, y: float) -> list[Drawn]:
    strong, _ = colours(place.row.colour)
    name = strip.names.get(place.row.colour)
    button = joined((place.row.colour.short, place.row.role), " ")
    who = joined((button, f"({name})"), " ") if name else button
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
    raw = joined((signed(place.t_ns - strip.zero_ns), error(place.error_ns)), " ")
    told = [gap(place.row), text("at {time}").format(time=raw)]
    if place.allowance_ns:
        adjusted = signed(place.adjusted_ns - strip.zero_ns)
        less = text("less {allowance} allowance: {time}")
        told.append(less.format(allowance=duration(place.allowance_ns), time=adjusted))
    if place.row.tied_with:
        others = joined(colour.short for colour in place.row.tied_with)
        told.append(text("dead heat with {others}").format(others=others))
    if place.row.verdict == "punish":
        why = place.row.why_says
        told.append(text("punished: {why}").format(why=why) if why else text("punished"))
    return joined(told, " · ")


def contacts(strip: Strip, paper: Paper, top: float) -> Part:
    """Tell every contact in words."""
    told = [contact_says(strip, lane, drawn) for lane in strip.lanes for drawn in lane.contacts]
    more = len(told) - MOST_CONTACTS
    told = told[:MOST_CONTACTS]
    if more > 0:
        told.append(texts("and {count} more contact", "and {count} more contacts", more))
    out: list[Drawn] = [Words(MARGIN, top + 18, text("Contacts"), 14, bold=True)]
    return _paragraphs(out, told or [text("no contacts")], paper, top + 22)


def notes(strip: Strip, paper: Paper, top: float, left_out: int = 0) -> Part:
    """Say what a reader must know beside the picture, and by which hashes it can be checked.

    left_out: how many closer looks there was no room for.
    """
    more = []
    if left_out:
        more.append(texts("{count} closer look is left out", "{count} closer looks are left out", left_out))
    told = [*strip.notes, *(_gap_says(strip, found) for found in strip.gaps), *more]
    by = text("Drawn from the record and this evidence alone, SHA-256 {sha256}")
    told += [by.format(sha256=found) for found in strip.heading.evidence]
    return _paragraphs([], told, paper, top + 4, FAINT)


def _gap_says(strip: Strip, gap: Gap) -> str:
    until = signed(gap.to_ns - strip.zero_ns)
    if gap.from_ns is None:
        return text("at {time}: {what} ({source})").format(time=until, what=gap.says, source=gap.source)
    since = signed(gap.from_ns - strip.zero_ns)
    says = text("{since} to {until}: {what} ({source})")
    return says.format(since=since, until=until, what=gap.says, source=gap.source)


def legend(paper: Paper, top: float) -> Part:
    """Say what each sign means."""
    strong, light = OTHERS
    box = Box(0, 0, 26, 14)
    signs: list[tuple[list[Drawn], str]] = [
        (
            [Stroke(((0, 14), (6, 14), (6, 2), (20, 2), (20, 14), (26, 14)), strong, 1.4)],
            text("edges: up closes, down opens"),
        ),
        ([box._replace(fill=light, stroke=strong)], text("contact accepted: a press")),
        ([*hatched(box, FAINT), box._replace(stroke=FAINT, dash=True)], text("contact rejected")),
        ([*hatched(box, ALARM), box._replace(stroke=ALARM)], text("contact dropped: said at once")),
        ([Shape(((9, 1), (17, 1), (13, 9)), strong), Stroke(((13, 1), (13, 14)), INK)], text("instant of the press")),
        ([_bar(3, 23, 7), *_ends(3, 23, 7)], text("its ±: the true instant lies within")),
        (
            [Stroke(((26, 7), (6, 7)), INK, 1, dash=True), Shape(((0, 7), (7, 3), (7, 11)), INK)],
            text("allowance: raw to compared time"),
        ),
        ([*hatched(box, ALARM, 4), box._replace(stroke=ALARM)], text("edges lost (in words too)")),
        ([box._replace(fill=SHADE, stroke=HAIR)], text("the race: first press to close")),
    ]
    out: list[Drawn] = []
    x, y, high = MARGIN, top + 8, 1
    for shapes, meaning in signs:
        lines = wrapped(in_language(meaning, paper.language), 12, paper.width - 2 * MARGIN - 34)
        needs = 34 + max(text_width(line, 12) for line in lines)
        if x > MARGIN and x + needs > paper.width - MARGIN:
            x, y, high = MARGIN, y + 4 + LINE * high, 1
        out += [_moved(shape, x, y) for shape in shapes]
        out += [Words(x + 34, y + 12 + LINE * n, line, 12, colour=FAINT) for n, line in enumerate(lines)]
        x, high = x + needs + 18, max(high, len(lines))
    return out, y + 8 + LINE * high


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


def _paragraphs(out: list[Drawn], told: Iterable[str], paper: Paper, top: float, colour: str = INK) -> Part:
    y = top
    for one in told:
        says = in_language(one, paper.language)
        for index, line in enumerate(wrapped(says, 12, paper.width - 2 * MARGIN - 12)):
            y += LINE
            out.append(Words(MARGIN + (12 if index else 0), y, line, 12, colour=colour))
    return out, y + 6
