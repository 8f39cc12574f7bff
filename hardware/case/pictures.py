"""The guide's pictures: line drawings of the same solids that are printed, hidden lines left out. Knows no file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from build123d import Compound

from hardware.case import bodies, pod, table
from hardware.case.assembly import Placed, bought, printed
from hardware.drawings.svg import Drawing, number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hardware.drawings.geometry import ButtonSize

WIDE = 180.0
"""Width of a picture in mm."""
MARGIN = 4.0
FROM_ABOVE, FROM_BELOW = (-160.0, -420.0, 380.0), (-160.0, -420.0, -300.0)
PIECES = 12
FILL = "#ffffff"


def draw(title: str, parts: Iterable[Placed], eye: tuple[float, float, float] = FROM_ABOVE) -> str:
    """Draw parts as one sees them from a point far away."""
    seen, _ = Compound(children=[part.placed() for part in parts]).project_to_viewport(eye, (0, 0, 1), (0, 0, 0))
    lines = [_points(edge) for edge in seen]
    xs, ys = [x for line in lines for x, _ in line], [y for line in lines for _, y in line]
    scale = (WIDE - 2 * MARGIN) / (max(xs) - min(xs))
    high = (max(ys) - min(ys)) * scale + 2 * MARGIN
    drawing = Drawing(WIDE, high, title)
    path = " ".join(
        "M"
        + " L".join(f"{_near((x - min(xs)) * scale + MARGIN)} {_near((max(ys) - y) * scale + MARGIN)}" for x, y in line)
        for line in lines
    )
    drawing.path(path, 0.25, stroke_linecap="round", stroke_linejoin="round")
    return drawing.svg()


def _near(length: float) -> str:
    return number(round(length, 2))


def _points(edge: object) -> list[tuple[float, float]]:
    """Give an edge as points: two for a straight one."""
    straight = str(edge.geom_type).endswith("LINE") and "SPLINE" not in str(edge.geom_type)  # type: ignore[attr-defined]
    places = (0.0, 1.0) if straight else tuple(k / PIECES for k in range(PIECES + 1))
    return [(point.X, point.Y) for point in (edge.position_at(place) for place in places)]  # type: ignore[attr-defined]


def _named(parts: Iterable[Placed], *words: str) -> list[Placed]:
    return [part for part in parts if part.name.startswith(words)]


BUTTONS = ("red ", "yellow ", "green ", "blue ", "purple ")


def pictures(size: ButtonSize) -> dict[str, Callable[[], str]]:
    """Give what draws each picture, by its file's name."""
    case, inside = list(printed(size, "pi")), list(bought(size, "Pi 4"))
    trays = _named(case, "tray")
    board = [part for part in inside if part.name in ("Pi 4", "header board")]
    lid = [*_named(case, "top", "hub"), *_named(inside, *BUTTONS), *_named(inside, "knob", "display")]
    hub = [*_named(case, "hub", "lower bar", "upper bar"), *_named(inside, "display", "knob", "buzzer")]
    one = [Placed("top", table.top(size)), *_named(inside, "red ")]
    whole = [Placed("tray", pod.tray(size)), Placed("top", pod.top(size))]
    whole += [Placed("b", bodies.button(size), 0.0, ((n - 1.5) * size.pitch, 0.0, 0.0)) for n in range(4)]
    open_pod = [Placed("tray", pod.tray(size)), *(Placed(*each) for each in pod.bought(size).items())]
    return {
        "case": lambda: draw("The box", [*trays, *lid]),
        "case-trays": lambda: draw("Five trays bolted together", trays),
        "case-base": lambda: draw("The base on the trays", [*trays, *_named(case, "base")]),
        "case-pi": lambda: draw("Pi and header board on the base", [*trays, *_named(case, "base"), *board]),
        "case-top": lambda: draw("A top with its buttons, from below", one, FROM_BELOW),
        "case-hub": lambda: draw("The hub from below", hub, FROM_BELOW),
        "case-cables": lambda: draw("Where the cables leave", [_out(size)], (-160.0, -420.0, 300.0)),
        "pod": lambda: draw("A pod", whole),
        "pod-inside": lambda: draw("A pod without its top", open_pod, (-200.0, -260.0, 420.0)),
    }


def _out(size: ButtonSize) -> Placed:
    return Placed("tray", table.tray(size, out=True))
