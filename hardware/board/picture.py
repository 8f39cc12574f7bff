"""A picture of the laid-out header board, from the shapes that the layout wrote. Knows no KiCad and no circuit."""

from __future__ import annotations

from typing import Any

from hardware.drawings.svg import GREY, Drawing

SCALE = 2.4
PALE = "#9a9a9a"


def draw_board(shapes: dict[str, Any]) -> str:
    """Draw front and back copper as seen through the board from above, without the ground that fills the rest."""
    drawing = Drawing(shapes["width"] * SCALE + 12, shapes["height"] * SCALE + 24, "Header board")
    drawing.text(6, 8, "Header board, seen from above", 5.0, font_weight="bold")
    drawing.text(6, 14, "78 × 72 mm; black: front, grey and dashed: back; what is left over on both sides is ground."
                 " The socket J1 is below.", 3.0)  # fmt: skip
    drawing.push(f"translate(6 18) scale({SCALE})")
    drawing.rect(0, 0, shapes["width"], shapes["height"], 0.3)
    for layer, ink, dash in ((1, PALE, "0.7 0.4"), (0, "#000000", None)):
        for track in shapes["tracks"]:
            for piece in pieces(track["points"], layer):
                drawing.chain(*piece, pen=track["width"], stroke=ink, stroke_dasharray=dash, stroke_linejoin="round")
    for x, y, half_wide, half_high, net, layers in shapes["pads"]:
        if net.startswith("no net H"):
            continue
        fill = "#ffffff" if len(layers) > 1 else "#d0d0d0"
        drawing.rect(x - half_wide, y - half_high, 2 * half_wide, 2 * half_high, 0.18, fill=fill, rx=0.2)
        if len(layers) > 1:
            drawing.circle(x, y, 0.5, 0.12)
    for x, y in shapes["holes"]:
        drawing.circle(x, y, 1.35, 0.25)
    for words, x, y in shapes["words"]:
        drawing.text(
            x, y + 0.5, words, 1.3, font_weight="bold", stroke="#ffffff", stroke_width=0.4, paint_order="stroke"
        )
    drawing.pop()
    drawing.text(6, shapes["height"] * SCALE + 22, "D: between plug and resistors. Pull-ups 10k, series 1k, C: 1n (knob"
                 " A and B 10n).", 3.0, fill=GREY)  # fmt: skip
    return drawing.svg()


def pieces(points: list[list[float]], layer: int) -> list[list[tuple[float, float]]]:
    """Give the stretches of a way that are on a layer, their inner points left out where it goes straight on."""
    found: list[list[tuple[float, float]]] = [[]]
    for x, y, on in points:
        if on != layer:
            found.append([])
        else:
            found[-1].append((x, y))
    return [straightened(run) for run in found if len(run) > 1]


def straightened(run: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Leave out the points between which the direction does not change."""
    kept = [run[0]]
    for before, here, after in zip(run, run[1:], run[2:], strict=False):
        one, two = (here[0] - before[0], here[1] - before[1]), (after[0] - here[0], after[1] - here[1])
        if abs(one[0] - two[0]) + abs(one[1] - two[1]) > 1e-6:
            kept.append(here)
    return [*kept, run[-1]]
