"""What a calibration's large pictures say: what is to be pressed and nothing else; then the figures. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.panel import POSITIONS
from companion.core.words.texts import joined, number, text
from companion.screens.oled.large.facts import Row, Subject, Words

if TYPE_CHECKING:
    from companion.core.shown.calibrating import Calibrating
    from companion.screens.oled.large.facts import Fact


def calibrating(body: Calibrating, roles: tuple[str, ...], foot: Row | None) -> list[Subject]:
    """Give what there is to tell. foot: what the knob would pick now."""
    if body.asks is not None:
        return [Subject(None, ((Words(roles[POSITIONS.index(body.asks)], inverse=True),),))]
    head = Row((body.title,), inverse=True)
    if body.proposal is None:
        became: list[Fact] = [(Row((seat.colour.short,), (seat.became,)),) for seat in body.seats if seat.became]
        lines: list[Fact] = [(Words(line),) for line in body.lines if line]
        return [Subject(head, tuple(became or lines or [(Words("…"),)]), foot)]
    low, high = number(f"{body.proposal.low_ms:,}"), number(f"{body.proposal.high_ms:,}")
    medians: tuple[Fact, ...] = tuple(
        (Row((seat.colour.short,), (number(f"{seat.median_ms:,}"),)),)
        for seat in body.seats
        if seat.median_ms is not None
    )
    waits: list[Fact] = (
        [(Words(text("agree: {seats}").format(seats=joined([colour.short for colour in body.missing], " "))),)]
        if body.missing
        else []
    )
    said: list[Fact] = [
        (Words(text("−{ms} ms").format(ms=number(f"{body.proposal.ms:,}"))),),
        (Words(text("95 %: {low} to {high} ms").format(low=low, high=high)),),
        *waits,
    ]
    return [Subject(head, tuple(said), foot), Subject(Row((text("medians, ms"),), inverse=True), medians)]
