"""Pages of a PDF as printers' programs draw them: PDFium (Chromium's), and poppler's two, which differ at edges."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pypdfium2
from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RENDERERS = ("pdfium", "pdftoppm", "pdftocairo")


def pages(renderer: str, pdf: Path, dpi: int) -> Iterator[Image.Image]:
    """Give each page in grey."""
    if renderer == "pdfium":
        document = pypdfium2.PdfDocument(pdf)
        yield from (page.render(scale=dpi / 72, grayscale=True).to_pil() for page in document)
        document.close()
        return
    subprocess.run([renderer, "-r", str(dpi), "-gray", "-png", pdf, pdf.with_suffix("")], check=True)
    for drawn in sorted(pdf.parent.glob(f"{pdf.stem}-*.png")):
        with Image.open(drawn) as opened:
            yield opened.convert("L")
        drawn.unlink()
