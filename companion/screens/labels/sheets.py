"""Sheets of labels as they are sold: where each label lies. Pure."""

from __future__ import annotations

from dataclasses import dataclass

INCH = 25.4


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of labels; lengths in mm. pitch: from one label's left (top) edge to the next one's."""

    name: str
    page: tuple[float, float]
    columns: int
    rows: int
    label: tuple[float, float]
    margin: tuple[float, float]
    pitch: tuple[float, float]

    @property
    def holds(self) -> int:
        """How many labels are on it."""
        return self.columns * self.rows

    def place(self, number: int) -> tuple[float, float]:
        """Give a label's left and top edge; they count from 0, by rows."""
        row, column = divmod(number, self.columns)
        return self.margin[0] + column * self.pitch[0], self.margin[1] + row * self.pitch[1]


SHEETS: dict[str, Sheet] = {
    sheet.name: sheet
    for sheet in (
        Sheet("a4-65", (210, 297), 5, 13, (38.1, 21.2), (4.75, 10.7), (40.6, 21.2)),
        Sheet("a4-24", (210, 297), 3, 8, (70.0, 37.0), (0.0, 0.5), (70.0, 37.0)),
        Sheet("a4-189", (210, 297), 7, 27, (25.4, 10.0), (8.5, 13.5), (27.9, 10.0)),
        Sheet("letter-30", (215.9, 279.4), 3, 10, (66.675, INCH), (4.7625, 12.7), (69.85, INCH)),
        Sheet("letter-80", (215.9, 279.4), 4, 20, (44.45, 12.7), (7.14, 12.7), (52.07, 12.7)),
    )
}
"""Common sizes, named by paper and labels on a sheet (a4-65: 38.1 x 21.2 mm; letter-30: 1 x 2 5/8 in; …)."""
