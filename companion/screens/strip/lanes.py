"""Draws lanes over an axis of time: edges, contacts, instants with their ±, allowances, what was lost. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.evidence.contacts_seen import Verdict
from companion.core.panel import KNOB_PUSH, Colour
from companion.core.words.texts import in_language, joined, text, texts
from companion.screens.strip.looks import name_of
from companion.screens.strip.scale import signed
from companion.screens.strip.shapes import (
    ALARM,
    FAINT,
    HAIR,
    INK,
    SHADE,
    Box,
    Named,
    Shape,
    Stroke,
    Words,
    hatched,
    text_width,
)
from companion.screens.text.wording import duration, error

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.core.evidence.strip import ContactDrawn, EdgeDrawn, Gap, Lane, PlaceDrawn, Strip
    from companion.screens.strip.scale import Axis
    from companion.screens.strip.shapes import Drawn

SEATS = {
    Colour.RED: ("#b71c1c", "#f6dcdc"),
    Colour.YELLOW: ("#7a5c00", "#f7edcb"),
    Colour.GREEN: ("#1b5e20", "#dcefdd"),
    Colour.BLUE: ("#0d47a1", "#dbe7f6"),
    Colour.PURPLE: ("#6a1b9a", "#eedcf5"),
}
"""A seat's strong and light colour; its letters stand beside it everywhere."""
OTHERS = ("#444444", "#e6e6e6")
VERDICTS = {
    Verdict.ACCEPTED: text("accepted"),
    Verdict.REJECTED: text("rejected"),
    Verdict.DROPPED: text("dropped"),
}

LANE = 62.0
"""Height of a lane; within it, from its top:"""
WORD, TOP, HIGH, LOW, BOTTOM, BAR = 11.0, 15.0, 20.0, 40.0, 45.0, 53.0
LABEL = 15.0
"""Height of a lane's name, where it stands above the lane."""
SMALL = 11.0


def colours(colour: Colour | None) -> tuple[str, str]:
    """Give the strong and the light colour of a seat."""
    return OTHERS if colour is None else SEATS[colour]


def draw_lane(strip: Strip, lane: Lane, axis: Axis, top: float) -> list[Drawn]:
    """Draw one lane whose words begin at `top`."""
    words = _Line(axis, top + WORD)
    out: list[Drawn] = [
        Stroke(((axis.left, top + LOW), (axis.right, top + LOW)), HAIR),
    ]
    for gap in strip.gaps:
        if gap.lines is None or lane.line in gap.lines:
            out += _gap(gap, axis, top, words)
    places = {place.row.colour: place for place in strip.places}
    drawn = [c for c in lane.contacts if axis.from_ns <= c.contact.to_ns and c.contact.from_ns <= axis.to_ns]
    out += [_contact(strip, lane, one, axis, top, words) for one in drawn]
    out.append(Stroke(_levels(lane.edges, axis, top), colours(lane.colour)[0], 1.4))
    for one in drawn:
        if one.contact.verdict is Verdict.ACCEPTED:
            place = places.get(lane.colour) if lane.colour is not None and one.became.startswith("place") else None
            out += _instant(one, axis, top, colours(lane.colour)[0])
            out += [] if place is None else _allowance(place, axis, top, words)
    return out


def draw_axis(axis: Axis, top: float, bottom: float) -> list[Drawn]:
    """Draw round times and a hair line at each, from `top` to `bottom`; the times stand below."""
    ticks = axis.ticks(max(4, int((axis.right - axis.left) / 90)))
    out: list[Drawn] = [Stroke(((axis.x(t), top), (axis.x(t), bottom)), HAIR, 0.6) for t, _ in ticks]
    out.append(Stroke(((axis.left, bottom), (axis.right, bottom)), INK))
    line = _Line(axis, bottom + 14, middle=True)
    for t_ns, says in ticks:
        out += [Stroke(((axis.x(t_ns), bottom), (axis.x(t_ns), bottom + 4)), INK), *line.put(axis.x(t_ns), says, FAINT)]
    return out


def draw_moments(strip: Strip, axis: Axis, top: float, bottom: float) -> list[Drawn]:
    """Draw cards, the first press, the window and the close across all lanes; their words stand above `top`."""
    close_x, zero_x = axis.x(strip.end_ns), axis.x(strip.zero_ns)
    out: list[Drawn] = []
    if close_x > zero_x:
        out.append(Box(zero_x, top, close_x - zero_x, bottom - top, SHADE))
    lines = [_Line(axis, top - 4 - 13 * row) for row in (0, 1, 2)]
    for t_ns, says, colour in moments(strip):
        if not axis.has(t_ns):
            continue
        out.append(Stroke(((axis.x(t_ns), top - 2), (axis.x(t_ns), bottom)), colour, 1, dash=True))
        for line in lines:
            if words := line.put(axis.x(t_ns), says, colour):
                out += words
                break
    return out


def moments(strip: Strip) -> list[tuple[int, str, str]]:
    """Give what happened at an instant beside the presses, in words, and the colour to draw it in."""
    turned, entered = text("{card} turned"), text("{card} entered")
    found: list[tuple[int, str, str]]
    found = [(one.t_ns, (turned if one.is_turned else entered).format(card=one.says), INK) for one in strip.cards]
    found.append((strip.zero_ns, text("first press"), FAINT))
    if strip.window_ns is not None and strip.close_ns is not None:
        ends_ns = strip.zero_ns + strip.window_ns
        if abs(ends_ns - strip.close_ns) > strip.window_ns // 100:
            found.append((ends_ns, text("window of {time} ends").format(time=duration(strip.window_ns)), FAINT))
    if strip.close_ns is not None:
        found.append((strip.close_ns, text("closed"), INK))
    return sorted(found)


class _Line:
    """A line of words above an axis, on which none overlaps another."""

    def __init__(self, axis: Axis, base: float, *, middle: bool = False) -> None:
        self._axis, self._base, self._middle = axis, base, middle
        self._taken: list[tuple[float, float]] = []

    def put(self, x: float, words: str, colour: str, *, bold: bool = False) -> list[Words]:
        """Put words at `x`, moved so that they stay within the axis; nothing where there is no room for them."""
        says = in_language(words, self._axis.language)
        width = text_width(says, SMALL, bold=bold)
        left = x - width / 2 if self._middle else x
        left = max(self._axis.left, min(left, self._axis.right - width))
        if any(left < end + 4 and begin - 4 < left + width for begin, end in self._taken):
            return []
        self._taken.append((left, left + width))
        return [Words(left, self._base, says, SMALL, bold, colour)]


def _contact(strip: Strip, lane: Lane, drawn: ContactDrawn, axis: Axis, top: float, words: _Line) -> Named:
    contact = drawn.contact
    strong, light = colours(lane.colour)
    left, right = axis.x(contact.from_ns), axis.x(contact.to_ns)
    width = max(2.0, right - left)
    frame = Box(left, top + TOP, width, BOTTOM - TOP)
    parts: list[Box | Stroke | Shape | Words]
    if contact.verdict is Verdict.ACCEPTED:
        parts = [frame._replace(fill=light, stroke=strong)]
    else:
        colour = FAINT if contact.verdict is Verdict.REJECTED else ALARM
        parts = [*hatched(frame, colour), frame._replace(stroke=colour, dash=contact.verdict is Verdict.REJECTED)]
    bold = contact.verdict is Verdict.ACCEPTED
    parts += words.put(left, contact_word(drawn), strong if bold else INK, bold=bold)
    return Named(contact_says(strip, lane, drawn), tuple(parts))


def contact_word(drawn: ContactDrawn) -> str:
    """Say in a word or two what became of a contact."""
    if drawn.contact.verdict is not Verdict.ACCEPTED:
        return VERDICTS[drawn.contact.verdict]
    is_button = drawn.contact.line != KNOB_PUSH
    return drawn.became or (text("accepted, not in the record") if is_button else text("accepted"))


def contact_says(strip: Strip, lane: Lane, drawn: ContactDrawn) -> str:
    """Say all there is to say of a contact."""
    contact = drawn.contact
    edges = sum(contact.from_ns <= edge.t_ns <= contact.to_ns for edge in lane.edges)
    told: list[str] = [
        text("{button}: {at}, for {time}, {edges}: {verdict}").format(
            button=name_of(lane),
            at=signed(contact.from_ns - strip.zero_ns),
            time=duration(contact.to_ns - contact.from_ns),
            edges=texts("{count} edge", "{count} edges", edges),
            verdict=VERDICTS[contact.verdict],
        )
    ]
    if contact.verdict is Verdict.ACCEPTED:
        if drawn.became or lane.colour is not None:
            told.append(drawn.became or text("not in the record"))
        instant = joined((signed(contact.t_ns - strip.zero_ns), error(contact.error_ns)), " ")
        told.append(text("at {time}").format(time=instant))
    return joined((joined(told), contact.says), "; ") if contact.says else joined(told)


def _levels(edges: Sequence[EdgeDrawn], axis: Axis, top: float) -> tuple[tuple[float, float], ...]:
    """Give the level as a line that steps at each edge; edges at one place on paper become one step up and down."""
    before = [edge for edge in edges if edge.t_ns < axis.from_ns]
    inside = [edge for edge in edges if axis.has(edge.t_ns)]
    level = before[-1].active if before else bool(edges) and not edges[0].active
    points = [(axis.left, _y(level, top))]
    for edge in inside:
        x = axis.x(edge.t_ns)
        if len(points) > 3 and x - points[-4][0] < 0.2:  # a step up and one down stand there already
            points[-2:] = []
        points += [(x, _y(not edge.active, top)), (x, _y(edge.active, top))]
    return (*points, (axis.right, points[-1][1]))


def _y(active: bool, top: float) -> float:
    return top + (HIGH if active else LOW)


def _instant(drawn: ContactDrawn, axis: Axis, top: float, colour: str) -> list[Drawn]:
    """Mark the instant of a press, and its ± as a bar with two ends."""
    contact = drawn.contact
    if not axis.has(contact.t_ns):
        return []
    x, y = axis.x(contact.t_ns), top + BAR
    low, high = axis.x(contact.t_ns - contact.error_ns), axis.x(contact.t_ns + contact.error_ns)
    return [
        Stroke(((x, top + TOP), (x, y + 4)), INK, 1.2),
        Shape(((x - 4, top + TOP - 3), (x + 4, top + TOP - 3), (x, top + TOP + 5)), colour),
        Stroke(((low, y), (high, y)), INK, 2.4),
        Stroke(((low, y - 4), (low, y + 4)), INK),
        Stroke(((high, y - 4), (high, y + 4)), INK),
    ]


def _allowance(place: PlaceDrawn, axis: Axis, top: float, words: _Line) -> list[Drawn]:
    """Draw an arrow from the raw instant to the one that was compared; it points out of the picture where it must."""
    if not place.allowance_ns or not axis.has(place.t_ns):
        return []
    tip, x, y = axis.x(place.adjusted_ns), axis.x(place.t_ns), top + BAR
    out: list[Drawn] = [
        Stroke(((x, y), (tip + 5, y)), INK, 1, dash=True),
        Shape(((tip, y), (tip + 7, y - 4), (tip + 7, y + 4)), INK),
    ]
    if axis.has(place.adjusted_ns):
        out.append(Stroke(((tip, top + TOP), (tip, y + 4)), INK, 1, dash=True))
    says = text("−{time} allowance").format(time=duration(place.allowance_ns))
    became = in_language(text("place {place}").format(place=place.row.place), axis.language)
    beside = x + text_width(became, SMALL, bold=True) + 6
    return [*out, *(words.put(tip + 2, says, INK) or words.put(beside, says, INK))]


def _gap(gap: Gap, axis: Axis, top: float, words: _Line) -> Iterable[Drawn]:
    """Mark where edges are missing."""
    from_ns = gap.to_ns if gap.from_ns is None else gap.from_ns
    if gap.to_ns < axis.from_ns or from_ns > axis.to_ns:
        return []
    left, right = axis.x(from_ns), axis.x(gap.to_ns)
    frame = Box(left - 1, top + TOP, max(3.0, right - left), BOTTOM - TOP, None, ALARM)
    parts: tuple[Box | Stroke | Shape | Words, ...]
    parts = (*hatched(frame, ALARM, 4), frame, *words.put(left, text("edges lost"), ALARM, bold=True))
    return [Named(gap.says, parts)]
