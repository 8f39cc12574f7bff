"""Why a line is refused, in words (`big-manitou.md`, What is refused), and what things are called in them. Pure."""

from __future__ import annotations

from gettext import NullTranslations

from companion.core.errors import Illegal
from companion.core.words.texts import text
from companion.games.big_manitou.wording import Names

CATALOGUE = "companion.games.big_manitou"
CALLED = Names(NullTranslations())
"""What cards, tiles and grounds are called."""


def refusal(rule: int, why: str) -> Illegal:
    """Give the refusal of a line, with the rule that is broken."""
    return Illegal(text("rule {rule}: {why}", CATALOGUE).format(rule=rule, why=why))
