"""A box that hears what its pages say, and has a display or none."""

from __future__ import annotations


class Heard:
    """What the pages say on the box."""

    def __init__(self, *, has_display: bool = False) -> None:
        self.alarms: dict[str, str | None] = {}
        self.notes: list[str] = []
        self.codes: list[tuple[str, str, int] | None] = []
        self.has_display = has_display

    def alarm(self, key: str, text: str | None) -> None:
        self.alarms[key] = text

    def note(self, text: str) -> None:
        self.notes.append(text)

    def can_show_code(self) -> bool:
        return self.has_display

    def show_code(self, code: str, asker: str, until_ns: int) -> None:
        self.codes.append((code, asker, until_ns))

    def hide_code(self) -> None:
        self.codes.append(None)
