"""The hand cards' symbols as line drawings, the same things as the pixel art on the display shows. Pure data.

Each is drawn in a field of 24 × 24, black on white, so that it can be cut, engraved or printed without colour.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.apache.cards import Role

if TYPE_CHECKING:
    from hardware.drawings.svg import Drawing

FIELD = 24.0

FILLED = {
    Role.CHIEF: (
        "M5.3 15.0 L0.6 15.4 L-1.8 12.8 L1.4 11.1 L5.7 13.1 Z"
        " M6.4 11.5 L2.2 9.3 L1.6 5.8 L5.1 6.1 L7.8 10.0 Z"
        " M9.2 9.1 L6.8 5.0 L8.1 1.7 L11.0 3.8 L11.1 8.6 Z"
        " M12.9 8.6 L13.0 3.8 L15.9 1.7 L17.2 5.0 L14.8 9.1 Z"
        " M16.2 10.0 L18.9 6.1 L22.4 5.8 L21.8 9.3 L17.6 11.5 Z"
        " M18.3 13.1 L22.6 11.1 L25.8 12.8 L23.4 15.4 L18.7 15.0 Z"
        " M6.9 13.4 L17.1 13.4 L17.1 15.6 L6.9 15.6 Z M9.2 17.3 L10.8 17.3 L10.8 18.9 L9.2 18.9 Z"
        " M13.2 17.3 L14.8 17.3 L14.8 18.9 L13.2 18.9 Z"
    ),
    Role.WARRIOR: "M4 1 L6.6 6.6 L4.8 6.6 L4.8 23 L3.2 23 L3.2 6.6 L1.4 6.6 Z M15 10.4 A2.6 2.6 0 1 0 15.01 10.4 Z",
    Role.MAIDEN: (
        "M12 1.5 C6.5 1.5 4 5 4 10 L4 20 C4 21.6 7.4 21.6 7.4 20 L7.4 10 C9.5 9.5 11 8 12 6"
        " C13 8 14.5 9.5 16.6 10 L16.6 20 C16.6 21.6 20 21.6 20 20 L20 10 C20 5 17.5 1.5 12 1.5 Z"
        " M9.6 12.2 L11 12.2 L11 13.6 L9.6 13.6 Z M13 12.2 L14.4 12.2 L14.4 13.6 L13 13.6 Z"
    ),
    Role.HUNTER: "M23.5 12 L18 9.2 L18 14.8 Z M1 9.5 L3.5 12 L1 14.5 L4 14.5 L6 12 L4 9.5 Z",
}
"""What is filled."""

LINES = {
    Role.CHIEF: "M7.2 14 C6.6 20.6 9 22.8 12 22.8 C15 22.8 17.4 20.6 16.8 14",
    Role.WARRIOR: "M15 5 A8 8 0 1 0 15.01 5 Z",
    Role.MAIDEN: "M7.4 10 C7.4 16 9.4 18.6 12 18.6 C14.6 18.6 16.6 16 16.6 10",
    Role.HUNTER: "M8 1.5 C20 5 20 19 8 22.5 L8 1.5 M3 12 L19 12",
}
"""What is only a line, 1.6 wide."""


def draw_symbol(drawing: Drawing, face: str, x: float, y: float, size: float) -> None:
    """Draw a card's symbol in a square of `size` mm about (x, y)."""
    scale = size / FIELD
    drawing.push(f"translate({x - size / 2:.3f} {y - size / 2:.3f}) scale({scale:.4f})")
    drawing.path(FILLED[Role(face)], pen=0, fill="#000000", stroke="none")
    drawing.path(LINES[Role(face)], pen=1.6, stroke_linejoin="round")
    drawing.pop()
