"""Draws a state machine as SVG, with nothing but text and lines: no program, no font and no script from elsewhere.

States are boxes from top to bottom. What leads to the next box is an arrow between them; what leads further down runs
on the right, what leads back up on the left, each in a lane of its own, whose label lies in a gap between boxes. What a
state answers without leaving it stands in its box. So no label can meet a line: a test holds every drawing to that.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from docs.making.states import Arrow, Machine

LETTER, LINE, MARGIN, PORT = 8, 18, 8, 12
"""Width of a letter, height of a line of text, space around texts, distance of two arrows at a box; pixels."""


class Box(NamedTuple):
    """A rectangle; `x`, `y` are its upper left corner."""

    x: float
    y: float
    width: float
    height: float


class Text(NamedTuple):
    """A line of text that begins (or, with `middle`, is centred) at `x`, its base line at `y`."""

    x: float
    y: float
    words: str
    middle: bool = False

    @property
    def room(self) -> Box:
        """What it covers at most."""
        width = LETTER * len(self.words)
        return Box(self.x - width / 2 if self.middle else self.x, self.y - LINE + 5, width, LINE)


class Picture(NamedTuple):
    """All that is drawn: boxes, polylines (each ends in an arrow's head) and texts."""

    width: float
    height: float
    boxes: list[Box]
    lines: list[list[tuple[float, float]]]
    texts: list[Text]


class _Bundle(NamedTuple):
    """All events that lead from one row to another."""

    before: int
    after: int
    words: list[str]

    @property
    def width(self) -> int:
        return LETTER * max(map(len, self.words)) + 2 * MARGIN


def arrange(machine: Machine) -> Picture:
    """Work out where everything goes. Raises KeyError for an arrow between states that the machine does not have."""
    rows = {state: index for index, state in enumerate(machine.states)}
    bundles = _bundles(machine.arrows, rows)
    stays = [[b for b in bundles if b.before == b.after == row] for row in range(len(rows))]
    lefts = sorted((b for b in bundles if b.before > b.after), key=lambda b: b.before - b.after)
    rights = sorted((b for b in bundles if b.after > b.before + 1), key=lambda b: b.after - b.before)
    nexts = [b for b in bundles if b.after == b.before + 1]
    inner = [[state, *(f"stays: {e}" for b in stays[row] for e in b.words)] for state, row in rows.items()]
    wide = LETTER * max(len(words) for texts in inner for words in texts) + 4 * MARGIN
    wide = max([wide, *(2 * b.width + 2 * MARGIN for b in nexts)])
    origin = sum(b.width + MARGIN for b in lefts) + MARGIN
    boxes, texts = _boxes(inner, lefts + rights, nexts, origin, wide)
    picture = Picture(origin + wide + sum(b.width + MARGIN for b in rights) + 2 * MARGIN,
                      boxes[-1].y + boxes[-1].height + MARGIN, boxes, [], texts)  # fmt: skip
    for bundle in nexts:
        _straight(picture, bundle)
    _lanes(picture, lefts, origin, -1)
    _lanes(picture, rights, origin + wide, 1)
    return picture


def _bundles(arrows: tuple[Arrow, ...], rows: dict[str, int]) -> list[_Bundle]:
    found: dict[tuple[int, int], list[str]] = {}
    for arrow in arrows:
        found.setdefault((rows[arrow.before], rows[arrow.after]), []).append(arrow.event)
    return [_Bundle(before, after, words) for (before, after), words in found.items()]


def _boxes(
    inner: list[list[str]], lanes: list[_Bundle], nexts: list[_Bundle], x: float, width: float
) -> tuple[list[Box], list[Text]]:
    """Stack the boxes, each tall enough for its words and arrows, with gaps tall enough for the labels between."""
    boxes: list[Box] = []
    texts: list[Text] = []
    y: float = MARGIN
    for row, words in enumerate(inner):
        ports = max(sum(row in (b.before, b.after) for b in lanes), 1)
        height = max(LINE * len(words) + MARGIN, PORT * (ports + 1))
        boxes.append(Box(x, y, width, height))
        texts += [Text(x + width / 2, y + LINE * (n + 1) - 2, line, middle=True) for n, line in enumerate(words)]
        here = [b for b in nexts if b.before == row] + [b for b in lanes if _gap_of(b) == row]
        y += height + LINE * max([1, *(len(b.words) for b in here)]) + 2 * LINE
    return boxes, texts


def _gap_of(bundle: _Bundle) -> int:
    """Tell below which row the label of a lane stands."""
    low, high = sorted((bundle.before, bundle.after))
    return (low + high - 1) // 2


def _straight(picture: Picture, bundle: _Bundle) -> None:
    box, below = picture.boxes[bundle.before], picture.boxes[bundle.after]
    x, top = box.x + box.width / 2, box.y + box.height
    picture.lines.append([(x, top), (x, below.y)])
    picture.texts.extend(Text(x + MARGIN, top + LINE * (n + 1.5), words) for n, words in enumerate(bundle.words))


def _lanes(picture: Picture, bundles: list[_Bundle], side: float, way: int) -> None:
    """Draw what runs beside the boxes. side: x of the boxes' edge; way: 1 to the right, -1 to the left of it."""
    ports: dict[int, int] = {}
    far = side
    for bundle in bundles:
        ends = []
        for row in (bundle.before, bundle.after):
            ports[row] = ports.get(row, 0) + 1
            ends.append(picture.boxes[row].y + PORT * ports[row])
        x = far + way * MARGIN
        far = x + way * bundle.width
        picture.lines.append([(side, ends[0]), (x, ends[0]), (x, ends[1]), (side, ends[1])])
        above = picture.boxes[_gap_of(bundle)]
        left = x + MARGIN / 2 if way > 0 else x - bundle.width + MARGIN
        for number, words in enumerate(bundle.words):
            picture.texts.append(Text(left, above.y + above.height + LINE * (number + 1.5), words))


def svg(machine: Machine) -> str:
    """Give the drawing as one line of SVG, in the colour of the text around it, with its words for those who listen."""
    picture = arrange(machine)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="states" role="img" viewBox="0 0 {picture.width:g} '
        f'{picture.height:g}" width="{picture.width:g}" aria-label="{escape(machine.title)}: the table below says the '
        'same" font-family="monospace" font-size="13" stroke="currentColor" fill="none">'
    ]
    out += [f'<rect x="{b.x:g}" y="{b.y:g}" width="{b.width:g}" height="{b.height:g}" rx="6"/>' for b in picture.boxes]
    out += [f'<polyline points="{" ".join(f"{x:g},{y:g}" for x, y in line)}"/>{_head(line)}' for line in picture.lines]
    out += [_written(text) for text in picture.texts]
    return "".join([*out, "</svg>"])


def _written(text: Text) -> str:
    anchor = ' text-anchor="middle"' if text.middle else ""
    place = f'x="{text.x:g}" y="{text.y:g}"{anchor}'
    return f'<text {place} stroke="none" fill="currentColor">{escape(text.words)}</text>'


def _head(line: list[tuple[float, float]]) -> str:
    (x0, y0), (x, y) = line[-2:]
    if x == x0:
        step = 6 if y > y0 else -6
        points = f"{x:g},{y:g} {x - 4:g},{y - step:g} {x + 4:g},{y - step:g}"
    else:
        step = 6 if x > x0 else -6
        points = f"{x:g},{y:g} {x - step:g},{y - 4:g} {x - step:g},{y + 4:g}"
    return f'<polygon points="{points}" fill="currentColor"/>'


def table(machine: Machine) -> str:
    """Give the same as a table in Markdown: a row for each state, the arrows that leave it."""
    rows = ["| state | event: next state |", "|---|---|"]
    for state in machine.states:
        leaving = [f"{a.event}: {a.after}" for a in machine.arrows if a.before == state]
        rows.append(f"| {state} | {', '.join(leaving) or 'nothing leads on'} |")
    return "\n".join(rows)
