"""What is news in a session for one voice: the facts that did not hold a moment ago. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.speech.queue import Piece
from companion.screens.speech.facts import CARD, SAVING, Wordiness, facts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.screens.everybody.public import PublicState
    from companion.screens.speech.facts import Fact


class Narrator:
    """Tells a session to one voice. What holds at the first look is told only where it is a fault or a question."""

    def __init__(self, wordiness: Wordiness = Wordiness.NORMAL) -> None:
        self.wordiness = wordiness
        self._known: frozenset[str] | None = None

    def told(self, public: PublicState, *, knows_card: bool = False) -> list[Piece]:
        """Give what is to be said now. knows_card: whoever listens has just heard which card is revealed now."""
        found = facts(public)
        known, keys = self._known, frozenset(fact.key for fact in found)
        self._known = keys if SAVING not in keys or known is None else known | keys
        if known is None:
            return self._pieces([fact for fact in found if fact.key.startswith(("alarm", "question"))])
        fresh = [fact for fact in found if fact.key not in known]
        return self._pieces([fact for fact in fresh if not (knows_card and fact.key.startswith(CARD))])

    def _pieces(self, fresh: Sequence[Fact]) -> list[Piece]:
        said = ((fact, fact.at(self.wordiness)) for fact in fresh)
        return [Piece(text, fact.urgency, group=fact.group) for fact, text in said if text]
