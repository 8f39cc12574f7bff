"""What is disputed in a match, and who has accepted its result, as a history has it. Pure; knows no display."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.record.lines import Answer, Protest

if TYPE_CHECKING:
    from companion.core.panel import Colour
    from companion.core.ruling.history import History


class Dispute(NamedTuple):
    """The protest of line `number`. answer: None while there is none."""

    number: int
    protest: Protest
    answer: Answer | None


def disputes(history: History) -> tuple[Dispute, ...]:
    """Give every protest with its answer, oldest first."""
    told = history.disputes()
    answers = {one.line.protest: one.line for one in told if isinstance(one.line, Answer)}
    return tuple(
        Dispute(one.number, one.line, answers.get(one.number)) for one in told if isinstance(one.line, Protest)
    )


def protesting(history: History) -> tuple[Colour, ...]:
    """Give the seats whose protest has no answer yet, in the order they protested."""
    return tuple(told.line.colour for told in history.unanswered() if isinstance(told.line, Protest))


def disputing(history: History, race: int) -> tuple[Colour, ...]:
    """Give the seats that dispute a race and have no answer yet."""
    return tuple(
        told.line.colour for told in history.unanswered() if isinstance(told.line, Protest) and told.line.race == race
    )
