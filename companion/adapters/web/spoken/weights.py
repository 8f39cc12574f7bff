"""How much a browser wants something, as its headers say it (RFC 9110, 12.4.2)."""

from __future__ import annotations


def weight_of(parameter: str) -> float:
    """Give the weight of "q=0.8"; 1 where nothing is said, 0 for what is no weight."""
    if not parameter:
        return 1.0
    name, _, value = parameter.partition("=")
    try:
        return float(value) if name.strip() == "q" else 0.0
    except ValueError:
        return 0.0
