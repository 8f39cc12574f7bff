"""Legends to print: discs for under the caps, and labels with braille at its true size. Knows buttons, no pins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.panel import BUTTONS, Button
from hardware.drawings import braille, outlines
from hardware.drawings.engraving import short_braille
from hardware.drawings.faces import face_of
from hardware.drawings.geometry import CAPITAL, SYMBOL
from hardware.drawings.panel_svg import loops_path
from hardware.drawings.svg import GREY, Drawing
from hardware.drawings.symbols import draw_symbol

if TYPE_CHECKING:
    from hardware.drawings.geometry import ButtonSize

A4 = (210.0, 297.0)
COLUMNS = 4
LABEL_WIDE, LABEL_HIGH = 47.0, 48.0
BAR_Y = 290.0


def draw_discs(size: ButtonSize) -> str:
    """Draw twenty discs that go under clear caps: symbol, and the colour's three letters."""
    drawing = Drawing(*A4, f"Discs for {size.hole:.0f} mm buttons")
    _head(drawing, f"Discs for clear caps of {size.hole:.0f} mm buttons",
          f"Discs Ø {size.insert:g} mm: measure your cap first, and scale the print if it differs.")  # fmt: skip
    step = 44.0
    for index, button in enumerate(BUTTONS):
        x, y = 39 + index % COLUMNS * step, 55 + index // COLUMNS * step
        radius = size.insert / 2
        drawing.circle(x, y, radius, 0.2)
        draw_symbol(drawing, face_of(button), x, y - radius * 0.2, radius * 1.02)
        drawing.text(x, y + radius * 0.72, button.colour.short, radius * 0.4, text_anchor="middle", font_weight="bold")
        drawing.text(x, y + radius + 5, f"{button.colour} {face_of(button)}", 2.8, text_anchor="middle", fill=GREY)
    _bar(drawing)
    return drawing.svg()


def draw_labels() -> str:
    """Draw twenty labels: symbol, colour, card, and both words in braille."""
    drawing = Drawing(*A4, "Labels with braille")
    _head(drawing, "Labels with braille",
          "Uncontracted (grade 1). Cells are at true size: never scale them. A pattern to emboss after, or to drill for"
          " 1.6 mm balls.")  # fmt: skip
    left = (A4[0] - COLUMNS * LABEL_WIDE) / 2
    for index, button in enumerate(BUTTONS):
        _draw_label(drawing, button, left + index % COLUMNS * LABEL_WIDE, 32 + index // COLUMNS * LABEL_HIGH)
    _bar(drawing)
    return drawing.svg()


def _draw_label(drawing: Drawing, button: Button, x: float, y: float) -> None:
    drawing.rect(x, y, LABEL_WIDE, LABEL_HIGH, 0.2)
    draw_symbol(drawing, face_of(button), x + 9, y + 9.5, 12)
    drawing.text(x + 17.5, y + 8.4, button.colour.upper(), 4.6, font_weight="bold")
    drawing.text(x + 17.5, y + 14, face_of(button), 4.6)
    first = x + 3.4
    for line, words in enumerate((button.colour, face_of(button), short_braille(button))):
        drawing.push(f"translate({first:.3f} {y + 20 + line * braille.LINE_PITCH:.3f})", data_word=str(words))
        for across, down in braille.places(words):
            drawing.circle(across, down, braille.DOT_DIAMETER / 2, 0, fill="#000000", stroke="none", class_="dot")
        drawing.pop()
    drawing.text(first + 14, y + 43.5, f"short: {short_braille(button)}", 2.8, fill=GREY)


FIT_HIGH = 15.0
"""Between a flange and the panel's edge there are 17 mm."""


def draw_fitting_labels(size: ButtonSize) -> str:
    """Draw twenty labels that fit between a button and the panel's edge, twenty symbols and five colours' names."""
    drawing = Drawing(*A4, f"Labels beside {size.hole:.0f} mm buttons")
    _head(drawing, f"Labels beside {size.hole:.0f} mm buttons",
          "Below each button its name, on its other side its symbol, in the middle of those the colour.")  # fmt: skip
    wide = size.pitch - 2.0
    left = (A4[0] - COLUMNS * (wide + 4)) / 2
    for index, button in enumerate(BUTTONS):
        x, y = left + index % COLUMNS * (wide + 4), 32 + index // COLUMNS * 46
        drawing.rect(x, y, wide, FIT_HIGH, 0.2, class_="label")
        _shape(drawing, outlines.word(face_of(button), CAPITAL), x + wide / 2, y + 2.6)
        for across, down in braille.centred(short_braille(button), x + wide / 2, y + 10.0):
            drawing.circle(across, down, braille.DOT_DIAMETER / 2, 0, fill="#000000", stroke="none", class_="dot")
        drawing.rect(x, y + 18, 10, 9.5, 0.2)
        _shape(drawing, outlines.symbol(face_of(button), SYMBOL), x + 5, y + 22.75)
        if index % COLUMNS == 0:
            drawing.rect(x - 28, y + 18, 24, 6, 0.2)
            _shape(drawing, outlines.word(button.colour.upper(), CAPITAL), x - 16, y + 21)
        drawing.text(x, y + 31.5, f"{button.colour} {face_of(button)}", 2.4, fill=GREY)
    _bar(drawing)
    return drawing.svg()


def _shape(drawing: Drawing, loops: outlines.Loops, x: float, y: float) -> None:
    drawing.push(f"translate({x:.3f} {y:.3f})")
    drawing.path(loops_path(loops), 0, fill="#000000", fill_rule="evenodd", stroke="none")
    drawing.pop()


def _head(drawing: Drawing, title: str, words: str) -> None:
    drawing.text(11, 16, title, 6.0, font_weight="bold")
    drawing.text(11, 23.5, words, 2.9)


def _bar(drawing: Drawing) -> None:
    drawing.line(11, BAR_Y, 111, BAR_Y, 0.35, id="bar")
    for mark in range(11):
        drawing.line(11 + mark * 10, BAR_Y - (2 if mark % 5 == 0 else 1), 11 + mark * 10, BAR_Y, 0.35)
    drawing.text(113, BAR_Y, "100 mm when printed without scaling", 2.8)
