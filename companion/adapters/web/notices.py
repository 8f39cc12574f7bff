"""Pages without a box around them: for tests and measuring."""

from __future__ import annotations


class NoNotices:
    """Where nobody listens, and nothing can be shown."""

    def alarm(self, key: str, text: str | None) -> None:
        """Tell nobody."""

    def note(self, text: str) -> None:
        """Note nothing."""

    def can_show_code(self) -> bool:
        """Say no."""
        return False

    def show_code(self, code: str, asker: str, until_ns: int) -> None:
        """Show nothing."""

    def hide_code(self) -> None:
        """Hide nothing."""
