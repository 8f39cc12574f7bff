"""Drawings on paper: at true scale, in tiles that overlap, the same bytes each time."""

from __future__ import annotations

import pypdfium2
import pytest

from hardware.drawings import paper
from hardware.drawings.sheets import BAR, MARGIN, OVERLAP, PAPERS, grid, sheets
from hardware.drawings.svg import Drawing

A4 = PAPERS[0]


def ruler(width, height=40.0):
    """A drawing with a black square of 10 mm at each end, its corner away from (0, 0)."""
    drawing = Drawing(width, height, "A ruler", -30.0, -20.0)
    for x in (-30.0, -30.0 + width - 10):
        drawing.rect(x, -20, 10, 10, 0, fill="#000000", stroke="none")
    return drawing.svg()


def dark(page, scale=4.0):
    """Where a page is black, as (left, right) in mm of the rows in its upper part."""
    image = page.render(scale=scale).to_pil().convert("L")
    mm = scale * 72 / 25.4
    row = round((MARGIN + 5) * mm)
    black = [x / mm for x in range(image.width) if image.getpixel((x, row)) < 64]
    return min(black), max(black)


def test_a_drawing_that_fits_lies_on_one_sheet_at_true_scale():
    document = pypdfium2.PdfDocument(sheets(ruler(260.0), "ruler", A4))
    assert len(document) == 1
    left, right = dark(document[0])
    assert right - left == pytest.approx(260, abs=0.3)


def test_a_larger_one_is_cut_into_tiles_that_overlap():
    document = pypdfium2.PdfDocument(sheets(ruler(400.0), "ruler", A4))
    tiles = grid(400.0, 40.0, A4)
    assert (len(document), tiles.across, tiles.down) == (2, 2, 1)
    first, second = dark(document[0])[0], dark(document[1])[1]
    wide = tiles.room[0]
    assert first == pytest.approx(MARGIN, abs=0.2)
    assert second == pytest.approx(MARGIN + 400 - (wide - OVERLAP), abs=0.3)
    text = document[1].get_textpage().get_text_bounded()
    assert "sheet A2 of A2" in text
    assert f"{BAR:.0f} mm when printed at 100 %" in text


@pytest.mark.parametrize("size", [(290.0, 280.0), (420.0, 100.0), (210.0, 297.0), (900.0, 20.0)])
@pytest.mark.parametrize("sheet", PAPERS)
def test_the_tiles_cover_the_whole_drawing(size, sheet):
    tiles = grid(size[0], size[1], sheet)
    for need, have, count in zip(size, tiles.room, (tiles.across, tiles.down), strict=True):
        assert count * (have - OVERLAP) + OVERLAP >= need or (count == 1 and have >= need)


def test_the_same_drawing_gives_the_same_bytes():
    assert sheets(ruler(400.0), "ruler", A4) == sheets(ruler(400.0), "ruler", A4)


def test_a_drawing_without_a_size_is_refused():
    with pytest.raises(ValueError, match="states its width and height in mm"):
        sheets('<svg width="10" height="20"></svg>', "none", A4)


def test_every_kept_drawing_is_kept_on_both_papers_and_one_is_what_is_made_now():
    names = {f"{path.stem}-{sheet.name}.pdf" for path in paper.DRAWN.glob("*.svg") for sheet in PAPERS}
    assert {path.name for path in paper.KEPT.glob("*.pdf")} == names
    svg = (paper.DRAWN / "panel-pod-24.svg").read_text(encoding="utf-8")
    title = paper.title_of(svg)
    assert title is not None
    assert sheets(svg, title, A4) == (paper.KEPT / "panel-pod-24-a4.pdf").read_bytes()
