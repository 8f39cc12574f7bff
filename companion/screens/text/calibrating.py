"""A calibration in words: as lines of text, and as sentences for pages. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.panel import POSITIONS
from companion.core.words.texts import joined, number, text, texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.shown.calibrating import Calibrating, ProposalShown, SeatTrials


def calibrating_lines(body: Calibrating, roles: Sequence[str]) -> list[str]:
    """Give what a calibration shows as lines."""
    if body.asks is not None:
        return [body.title, text("NOW: {card}").format(card=roles[POSITIONS.index(body.asks)])]
    shown = [_seat(seat) for seat in body.seats] if body.proposal is not None or _has_ended(body) else []
    missing = joined([colour.short for colour in body.missing], " ")
    waits = [text("to agree yet: {seats}").format(seats=missing)] if body.missing else []
    marks = [">" if index == body.menu.cursor else " " for index in range(len(body.menu.items))]
    items = [joined([mark, item.says], " ") for mark, item in zip(marks, body.menu.items, strict=True)]
    return [body.title, *filter(None, body.lines), *shown, *waits, *items]


def _has_ended(body: Calibrating) -> bool:
    """Tell whether it is shown what became of a trial."""
    return any(seat.became for seat in body.seats)


def _seat(seat: SeatTrials) -> str:
    became = [seat.became] if seat.became else []
    middle = [text("median {ms} ms").format(ms=number(f"{seat.median_ms:,}"))] if seat.median_ms is not None else []
    count = texts("{count} trial counts", "{count} trials count", len(seat.times_ms))
    return text("{seat}: {says}").format(seat=seat.colour.short, says=joined([*became, count, *middle, *apart(seat)]))


def apart(seat: SeatTrials) -> list[str]:
    """Say what was counted apart; () where nothing was."""
    parts = (
        (text("{count} too early").format(count=seat.anticipated), seat.anticipated),
        (text("{count} on another card").format(count=seat.wrong), seat.wrong),
        (text("{count} without a press").format(count=seat.lapsed), seat.lapsed),
    )
    return [said for said, count in parts if count]


def proposal_sentences(shown: ProposalShown, name: str) -> list[str]:
    """Explain a proposal to everybody. name: of the player."""
    difference, low, high = (number(f"{ms:,}") for ms in (shown.difference_ms, shown.low_ms, shown.high_ms))
    said: list[str] = [
        text("The median of {name} is {difference} ms above the median of the others' medians.").format(
            name=name, difference=difference
        ),
        text(
            "Of such intervals 95 in 100 hold the true difference: {low} to {high} ms, by {count} trials of each."
        ).format(low=low, high=high, count=shown.trials),
    ]
    if shown.is_low:
        said.append(text("It stayed wide, so its lower end is proposed."))
    return said
