"""Dates and times of day in words, by the clock of the place where a match was played. Pure."""

from __future__ import annotations

from datetime import date, datetime

from companion.core.people.comparing import UNDATED
from companion.core.words.texts import text

MONTHS = (
    text("January"),
    text("February"),
    text("March"),
    text("April"),
    text("May"),
    text("June"),
    text("July"),
    text("August"),
    text("September"),
    text("October"),
    text("November"),
    text("December"),
)
SHORT = (
    text("Jan", about="month"),
    text("Feb", about="month"),
    text("Mar", about="month"),
    text("Apr", about="month"),
    text("May", about="month"),
    text("Jun", about="month"),
    text("Jul", about="month"),
    text("Aug", about="month"),
    text("Sep", about="month"),
    text("Oct", about="month"),
    text("Nov", about="month"),
    text("Dec", about="month"),
)


def day(evening: str) -> str:
    """Say an evening's date ("1 March 2025")."""
    if evening == UNDATED:
        return text("without a date")
    found = date.fromisoformat(evening)
    says = text("{day} {month} {year}")
    return says.format(day=found.day, month=MONTHS[found.month - 1], year=found.year)


def short_day(evening: str) -> str:
    """Say it where there is little room ("1 Mar 25")."""
    if evening == UNDATED:
        return text("no date")
    found = date.fromisoformat(evening)
    says = text("{day} {month} {year}")
    return says.format(day=found.day, month=SHORT[found.month - 1], year=f"{found.year % 100:02}")


def clock(started: str) -> str:
    """Say the time of day of an instant (RFC 3339): "19:30"; a dash where it is none."""
    try:
        return f"{datetime.fromisoformat(started):%H:%M}"
    except ValueError:
        return "–"
