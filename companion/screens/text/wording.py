"""The words and numbers that text lines and pictures share: gaps, reasons, states, cards. Pure; knows no width.

Times: µs below 1 ms, ms with one decimal below 100 ms, whole ms below 1 s, then seconds with two decimals, from 10 s on
with one: about three digits of each. Nowhere else is a time put into words: what a small display shows and what a page
shows is the same text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.shown.scene import Status
from companion.core.shown.timed.ticking import TENTH, TENTHS_BELOW_NS
from companion.core.timing.events import MS, SECOND
from companion.core.words.texts import Text, joined, number, text, texts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.ruling.looks import Look
    from companion.core.shown.scene import Allowance, Row, Turn

US = 1_000

STATUS = {
    Status.PROVISIONAL: text("provisional"),
    Status.CLOSED: text("closed, not judged yet"),
    Status.SAVING: text("saving"),
    Status.FINAL: text("FINAL"),
    Status.NOT_RECORDED: text("NOT RECORDED"),
}
"""How far an order can be relied on, in words; capitals where it is settled."""


def amount(value_ns: int) -> tuple[str, str]:
    """Give a positive time as number and unit. Half units are rounded to even, as integers."""
    if _rounded(value_ns, US) < 1_000:
        return str(_rounded(value_ns, US)), "µs"
    if _rounded(value_ns, MS // 10) < 1_000:
        tenths = _rounded(value_ns, MS // 10)
        return number(f"{tenths // 10}.{tenths % 10}"), "ms"
    if _rounded(value_ns, MS) < 1_000:
        return str(_rounded(value_ns, MS)), "ms"
    if _rounded(value_ns, SECOND // 100) < 1_000:
        hundredths = _rounded(value_ns, SECOND // 100)
        return number(f"{hundredths // 100}.{hundredths % 100:02}"), "s"
    tenths = _rounded(value_ns, SECOND // 10)
    return number(f"{tenths // 10}.{tenths % 10}"), "s"


def _rounded(value: int, unit: int) -> int:
    quotient, rest = divmod(value, unit)
    return quotient + (2 * rest > unit or (2 * rest == unit and quotient % 2 == 1))


def duration(value_ns: int, space: str = " ") -> str:
    """Say a time that is not negative ("83.4 ms"); `space` stands before the unit."""
    return joined(amount(value_ns), space)


def error(error_ns: int, space: str = " ") -> str:
    """Say the half-width of an uncertainty ("±20 µs")."""
    return joined(("±", duration(error_ns, space)), "")


def remaining(left_ns: int) -> str:
    """Say what is left on a clock, in whole seconds, a begun one counted ("4:05", "1:02:00"); "0:00" from then on."""
    minutes, seconds = divmod(max(0, -(-left_ns // SECOND)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def left(left_ns: int) -> str:
    """Say what is left on a game's clock: as `remaining`, with little in tenths, and below 0 ("0:04.2", "−1:03")."""
    if left_ns >= TENTHS_BELOW_NS:
        return remaining(left_ns)
    if left_ns > 0:
        tenths = -(-left_ns // TENTH)
        return number(f"0:{tenths // 10:02}.{tenths % 10}")
    over_ns = -left_ns
    if over_ns < TENTHS_BELOW_NS:
        tenths = over_ns // TENTH
        return number(f"{'−' if tenths else ''}0:{tenths // 10:02}.{tenths % 10}")
    return f"−{remaining(over_ns // SECOND * SECOND)}"


def gap(row: Row, space: str = " ") -> str:
    """Say how far a row is behind place 1 ("+83.4 ms", "+320 µs ±40 µs", "first"); `space` stands before units."""
    width, is_first = error(row.error_ns, space), text("first", about="place")
    if row.place == 1 and row.gap_ns == 0:
        return joined((is_first, width), " ") if row.dead_heat else is_first
    behind, unit = amount(abs(row.gap_ns))
    signed = joined(("-" if row.gap_ns < 0 else "+", behind), "")
    if not row.dead_heat:
        return joined((signed, unit), space)
    if not space:
        with_unit = signed if unit == amount(row.error_ns)[1] else joined((signed, unit), "")
        return joined((with_unit, width), "")
    return joined((signed, unit, width), " ")


TOO_SOON = text("too soon")
"""What is said of a press that was made before anybody can have seen its card."""


def allowance(moved: Allowance) -> str:
    """Say what has moved a place ("5,200 − 800 ms allowance (raw +700 ms)"): its time, what is taken off, the raw gap.

    The time is that from the card; where that is not known, from the race's first press.
    """
    since_ns = moved.raw_ns if moved.since_card_ns is None else moved.since_card_ns
    says = text("{time} − {off} ms allowance (raw +{raw})")
    return says.format(time=whole_ms(since_ns), off=whole_ms(moved.off_ns), raw=duration(moved.raw_ns))


def allowances_brief(moved: Allowance) -> tuple[str, ...]:
    """Say it without its units for small displays, the longest words first."""
    since_ns = moved.raw_ns if moved.since_card_ns is None else moved.since_card_ns
    off, raw = whole_ms(moved.off_ns), whole_ms(moved.raw_ns)
    return (
        text("{time} − {off} allowance (raw +{raw})").format(time=whole_ms(since_ns), off=off, raw=raw),
        text("−{off} allowance (raw +{raw})").format(off=off, raw=raw),
        text("−{off} allowance").format(off=off),
        text("−{off} allow.").format(off=off),
    )


def whole_ms(time_ns: int) -> str:
    """Give milliseconds without their unit, thousands apart ("5,200"); below 10 with one decimal."""
    if _rounded(time_ns, MS // 10) < 100:
        tenths = _rounded(time_ns, MS // 10)
        return number(f"{tenths // 10}.{tenths % 10}") if tenths % 10 else str(tenths // 10)
    return number(f"{_rounded(time_ns, MS):,}")


def exact_ms(time_ns: int) -> str:
    """Give milliseconds with three decimals, for the readable account; rounded to the microsecond, no floats."""
    microseconds = (time_ns + 500) // 1000
    return number(f"{microseconds // 1000}.{microseconds % 1000:03d}")


def grouped(cards: Iterable[str]) -> list[tuple[int, str]]:
    """Count equal cards, in the order in which each first appears."""
    counts: dict[str, int] = {}
    for card in cards:
        counts[card] = counts.get(card, 0) + 1
    return [(count, card) for card, count in counts.items()]


def outcome(turn: Turn) -> str:
    """Say in a few words what became of a player: "takes 4 cards", "nothing", "punished, loses 2 cards"."""
    count = len(turn.cards)
    if turn.result == "punished":
        if not count:
            return text("punished, has no card to lose")
        return texts("punished, loses {count} card", "punished, loses {count} cards", count)
    if turn.result == "nothing":
        return text("gets nothing")
    return texts("takes {count} card", "takes {count} cards", count) if count else turn.result


def lead(turn: Turn) -> str:
    """Say what became of a player, up to the cards: "gives up", "takes", "gets nothing: others were faster"."""
    if turn.result == "punished":
        return text("gives up") if turn.cards else text("has no card to give up")
    if turn.result == "nothing":
        return text("gets nothing: others were faster")
    return text("takes") if turn.cards else turn.result


def became(turn: Turn, look: Look, who: str = "") -> str:
    """Say what became of a player, card by card, and why: "takes red ace, 2 stones; gift: 1 from BLU".

    who: the player, to begin with; empty where that stands before.
    """
    cards = joined(look.counted(count, card) for count, card in grouped(turn.cards))
    says = _became(turn, bool(cards)).format(why=turn.why_says, cards=cards, result=turn.result)
    what = joined(filter(None, (who, says)), " ")
    return joined((what, turn.note), "; ") if turn.note else what


def _became(turn: Turn, takes: bool) -> Text:
    """Give the message for it; without the player, who stands before."""
    if turn.result == "punished":
        if turn.why_says:
            return (
                text("is punished, because {why}, and gives up {cards}")
                if takes
                else text("is punished, because {why}, and has no card to give up")
            )
        return text("is punished and gives up {cards}") if takes else text("is punished and has no card to give up")
    if turn.result == "nothing":
        return text("gets nothing: others were faster")
    return text("takes {cards}") if takes else Text("{result}")
