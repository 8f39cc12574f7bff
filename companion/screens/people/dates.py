"""Dates and times of day in words, by the clock of the place where a match was played. Pure."""

from __future__ import annotations

from datetime import date, datetime

from companion.core.people.comparing import UNDATED

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def day(evening: str) -> str:
    """Say an evening's date ("1 March 2025")."""
    if evening == UNDATED:
        return "without a date"
    found = date.fromisoformat(evening)
    return f"{found.day} {MONTHS[found.month - 1]} {found.year}"


def short_day(evening: str) -> str:
    """Say it where there is little room ("1 Mar 25")."""
    if evening == UNDATED:
        return "no date"
    found = date.fromisoformat(evening)
    return f"{found.day} {MONTHS[found.month - 1][:3]} {found.year % 100:02}"


def clock(started: str) -> str:
    """Say the time of day of an instant (RFC 3339): "19:30"; a dash where it is none."""
    try:
        return f"{datetime.fromisoformat(started):%H:%M}"
    except ValueError:
        return "–"
