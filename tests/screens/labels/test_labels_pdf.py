"""Labels as printers' programs draw them: without cracks, and every code is read again by zxing-cpp."""

from __future__ import annotations

import pypdfium2
import pytest
import zxingcpp
from PIL import Image

from companion.screens.labels.layout import is_readable, layout
from companion.screens.labels.outline import Modules
from companion.screens.labels.pdf import Label, labels_pdf
from companion.screens.labels.sheets import SHEETS
from companion.screens.labels.symbols import QUIET, Kind, symbol
from tests.screens.labels.rendering import RENDERERS, pages

pytestmark = pytest.mark.slow  # starts processes

FORMATS = {
    Kind.QR: zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode),
    Kind.DATA_MATRIX: zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.DataMatrix),
    Kind.CODE_128: zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.Code128),
}
LABELS = [Label(f"APACHE-{number:03}", "red chief") for number in range(1, 16)]
MM = 25.4
DARK = 24
"""Of 255: what a smoothing renderer may leave of white where numbers are rounded."""


def written(tmp_path, labels, on, kind, skip=0):
    path = tmp_path / "labels.pdf"
    path.write_bytes(labels_pdf(labels, "Cards", on, kind, skip)[0])
    return path


def read(picture, kind):
    return [code.text for code in zxingcpp.read_barcodes(picture, formats=FORMATS[kind])]


@pytest.mark.parametrize("dpi", [203, 317])
@pytest.mark.parametrize("renderer", RENDERERS)
@pytest.mark.parametrize("kind", [Kind.QR, Kind.DATA_MATRIX])
def test_where_two_dark_modules_meet_nothing_is_light_between_them(kind, renderer, dpi, tmp_path):
    on = SHEETS["a4-24"]
    labels = LABELS[: on.holds]
    (page,) = pages(renderer, written(tmp_path, labels, on, kind), dpi)
    for number, label in enumerate(labels):
        drawn = symbol(label.code, kind)
        parts = layout(drawn, on.label)
        left, top = (at + side for at, side in zip(on.place(number), parts.symbol, strict=False))
        for x, y in joints(drawn.modules):
            across, down = (round((at + part * parts.module) * dpi / MM) for at, part in ((left, x), (top, y)))
            greys = [grey(page, across + dx, down + dy) for dx in (-1, 0) for dy in (-1, 0)]
            assert max(greys) < DARK, (label.code, x, y, greys)


def grey(page: Image.Image, across: int, down: int) -> int:
    level = page.getpixel((across, down))
    assert isinstance(level, int)
    return level


def joints(modules: Modules) -> list[tuple[float, float]]:
    """Give where two dark modules meet: in the middle of the edge that they share."""
    found: list[tuple[float, float]] = []
    for y, row in enumerate(modules):
        for x, dark in enumerate(row):
            if dark and x + 1 < len(row) and row[x + 1]:
                found.append((x + 1, y + 0.5))
            if dark and y + 1 < len(modules) and modules[y + 1][x]:
                found.append((x + 0.5, y + 1))
    return found


@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize("kind", Kind)
def test_every_code_is_read_again_from_every_sheet_that_is_wide_enough(kind, name, tmp_path):
    on = SHEETS[name]
    if not is_readable(symbol(LABELS[0].code, kind), on.label):
        assert (kind, name) == (Kind.CODE_128, "a4-189")
        return
    path = written(tmp_path, LABELS, on, kind)
    found = [code for page in pages("pdfium", path, 600 if on.label[1] < 15 else 300) for code in read(page, kind)]
    assert sorted(found) == [label.code for label in LABELS]


@pytest.mark.parametrize("dpi", [300, 317])
@pytest.mark.parametrize("renderer", RENDERERS)
@pytest.mark.parametrize("kind", Kind)
def test_every_renderer_s_picture_is_read_at_any_resolution_of_a_printer(kind, renderer, dpi, tmp_path):
    on = SHEETS["a4-65"]
    (page,) = pages(renderer, written(tmp_path, LABELS, on, kind), dpi)
    assert sorted(read(page, kind)) == [label.code for label in LABELS]


@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize("kind", Kind)
def test_a_symbol_has_its_quiet_zone_and_lies_within_its_label(kind, name):
    on = SHEETS[name]
    drawn = symbol("APACHE-001", kind)
    parts = layout(drawn, on.label)
    quiet = QUIET[kind] * parts.module - 1e-9
    assert parts.symbol.left >= quiet
    assert parts.symbol.left + parts.symbol.width + quiet <= on.label[0] + 1e-6
    if not drawn.is_bars:
        assert parts.symbol.top >= quiet
        assert parts.symbol.top + parts.symbol.height + quiet <= on.label[1] + 1e-6
    if parts.is_beside:
        assert parts.code.left >= parts.symbol.left + parts.symbol.width + quiet
    else:
        assert parts.code.top >= parts.symbol.top + parts.symbol.height + (0 if drawn.is_bars else quiet)
    for area in (parts.code, parts.words):
        assert area.left + area.width <= on.label[0]
        assert area.top + area.height <= on.label[1] + 1e-6


@pytest.mark.parametrize("kind", Kind)
def test_the_code_stands_in_clear_whole_however_long_and_words_are_cut(kind, tmp_path):
    code, words = "CODE-" + "0123456789" * 4, "a name of a card that goes on and on " * 4
    path = written(tmp_path, [Label(code, words)], SHEETS["a4-24"], kind)
    document = pypdfium2.PdfDocument(path)
    told = document[0].get_textpage().get_text_range()
    document.close()
    assert code in told
    assert "a name of a card" in told
    assert words not in told


def test_a_label_begins_where_it_is_to():
    on = SHEETS["a4-65"]
    assert on.place(0) == on.margin
    assert on.place(11) == pytest.approx((on.margin[0] + on.pitch[0], on.margin[1] + 2 * on.pitch[1]))
