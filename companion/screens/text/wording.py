"""The words and numbers that text lines and pictures share: gaps, reasons, states, cards. Pure; knows no width.

Gaps: µs below 1 ms in a dead heat, ms with one decimal below 100 ms, whole ms below 10 s, then seconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.panel import Colour
from companion.core.shown.scene import Status
from companion.core.timing.events import MS, SECOND

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.shown.scene import Row, Turn

US = 1_000

STATUS = {
    Status.PROVISIONAL: "provisional",
    Status.CLOSED: "closed, not judged yet",
    Status.SAVING: "saving",
    Status.FINAL: "FINAL",
    Status.NOT_RECORDED: "NOT RECORDED",
}
"""How far an order can be relied on, in words; capitals where it is settled."""

SHORT_WHY = {"no matching Indian": "no Indian", "nothing to claim": "no booty"}
"""Reasons for a punishment where room is short."""


def amount(value_ns: int, *, fine: bool = False) -> tuple[str, str]:
    """Give a positive time as number and unit; `fine` allows µs. Half units are rounded to even, as integers."""
    if fine and value_ns < MS:
        return str(_rounded(value_ns, US)), "µs"
    if _rounded(value_ns, MS // 10) < 1_000:
        tenths = _rounded(value_ns, MS // 10)
        return f"{tenths // 10}.{tenths % 10}", "ms"
    if _rounded(value_ns, MS) < 10_000:
        return str(_rounded(value_ns, MS)), "ms"
    tenths = _rounded(value_ns, SECOND // 10)
    return f"{tenths // 10}.{tenths % 10}", "s"


def _rounded(value: int, unit: int) -> int:
    quotient, rest = divmod(value, unit)
    return quotient + (2 * rest > unit or (2 * rest == unit and quotient % 2 == 1))


def gap(row: Row, space: str = " ") -> str:
    """Say how far a row is behind place 1 ("+83.4 ms", "+320 µs ±40 µs", "first"); `space` stands before units."""
    error_number, error_unit = amount(row.error_ns, fine=True)
    error = f"±{error_number}{space}{error_unit}"
    if row.place == 1 and row.gap_ns == 0:
        return f"first {error}" if row.dead_heat else "first"
    number, unit = amount(abs(row.gap_ns), fine=row.dead_heat)
    sign = "-" if row.gap_ns < 0 else "+"
    if not row.dead_heat:
        return f"{sign}{number}{space}{unit}"
    if not space:
        number_and_unit = number if unit == error_unit else number + unit
        return f"{sign}{number_and_unit}{error}"
    return f"{sign}{number} {unit} {error}"


def grouped(cards: Iterable[str]) -> list[tuple[int, str]]:
    """Count equal cards, in the order in which each first appears."""
    counts: dict[str, int] = {}
    for card in cards:
        counts[card] = counts.get(card, 0) + 1
    return [(count, card) for card, count in counts.items()]


def counted(count: int, card: str) -> str:
    """Say "red hunter", "2 red hunters", "3 buffalo", "1 totem pole"."""
    if card == "buffalo":
        return f"{count} {card}"
    if colour_and_role(card) is not None and count == 1:
        return card
    return f"{count} {card}{'' if count == 1 else 's'}"


def colour_and_role(label: str) -> tuple[Colour, str] | None:
    """Read the name of a card or a button that belongs to a colour ("green ace"); None where a text is no such name."""
    colour, _, role = label.partition(" ")
    return (Colour(colour), role) if colour in set(Colour) and role and " " not in role else None


def outcome(turn: Turn) -> str:
    """Say in a few words what became of a player: "takes 4 cards", "nothing", "punished: no matching Indian"."""
    number = len(turn.cards)
    cards = f"{number} card{'' if number == 1 else 's'}"
    if turn.result == "claimed":
        return f"takes {cards}"
    if turn.result == "punished":
        return f"punished, loses {cards}" if number else "punished, has no card to lose"
    return "gets nothing" if turn.result == "nothing" else turn.result


def tribute(turn: Turn) -> str:
    """Say who gave buffalo ("2 from GRN, 1 from BLU"); empty where nobody did."""
    return ", ".join(f"{count} from {colour.short}" for colour, count in turn.tribute)
