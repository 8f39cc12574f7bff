"""The simulated panel in a terminal: keys press buttons, the OLED's picture is drawn beside their legend."""

from __future__ import annotations

from companion.adapters.terminal.panel import TerminalPanel

__all__ = ["TerminalPanel"]
