"""The words and numbers that text lines and pictures share: gaps, reasons, states, cards. Pure; knows no width.

Gaps: µs below 1 ms in a dead heat, ms with one decimal below 100 ms, whole ms below 10 s, then seconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.shown.scene import Status
from companion.core.timing.events import MS, SECOND

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.ruling.looks import Look
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


def outcome(turn: Turn) -> str:
    """Say in a few words what became of a player: "takes 4 cards", "nothing", "punished, loses 2 cards"."""
    number = len(turn.cards)
    cards = f"{number} card{'' if number == 1 else 's'}"
    if turn.result == "punished":
        return f"punished, loses {cards}" if number else "punished, has no card to lose"
    if turn.result == "nothing":
        return "gets nothing"
    return f"takes {cards}" if number else turn.result


def became(turn: Turn, look: Look) -> str:
    """Say what became of a player, card by card: "takes red ace, 2 stones; gift: 1 from BLU"."""
    listed = ", ".join(look.counted(count, card) for count, card in grouped(turn.cards))
    if turn.result == "punished":
        return "is punished and " + (f"gives up {listed}" if listed else "has no card to give up")
    if turn.result == "nothing":
        return "gets nothing: others were faster"
    said = f"takes {listed}" if listed else turn.result
    return f"{said}; {turn.note}" if turn.note else said
