"""The words of the trade, each explained in a sentence or two for whoever meets it on a page. Pure.

One table. Pages ask for it by `GET /api/words`, the help page prints it, and the glossary has the same sentences (a
test holds it to that).
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from companion.core.words.texts import plain, text


class Term(NamedTuple):
    """A word as the glossary has it, and what it means, for people."""

    word: str
    says: str

    @property
    def anchor(self) -> str:
        """Give its place in the help page: "dead heat" is at `/help#dead-heat`."""
        return anchor_of(plain(self.word))


def anchor_of(text: str) -> str:
    """Give a heading or word as a fragment of an address: small letters and digits, joined by hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


TERMS: tuple[Term, ...] = (
    Term(
        text("acceptance"),
        text(
            "How long a contact has to last, from its firm closure on, until it is a press. It never moves the instant."
        ),
    ),
    Term(
        text("allowance"),
        text(
            "Milliseconds that are taken off each of a seat's times before times are compared: a concession to a "
            "player's hands."
        ),
    ),
    Term(
        text("anticipated"),
        text(
            "Made so soon after its card that nobody can have seen the card yet: a guess. The match says whether that"
            " is only told, or punished."
        ),
    ),
    Term(
        text("arrival"),
        text("When the message of a phone's press came: the latest that it can have been made."),
    ),
    Term(
        text("close"),
        text("The instant from which a race takes no press."),
    ),
    Term(
        text("dead heat"),
        text("Presses whose times differ by no more than their uncertainties allow to tell."),
    ),
    Term(
        text("final"),
        text(
            "Judged and stored: it stays so after a power cut. Only the referee can change it, and the record keeps "
            "what was before."
        ),
    ),
    Term(
        text("gap"),
        text("How far a press is behind place 1, in raw time."),
    ),
    Term(
        text("not recorded"),
        text(
            "The order is right, and the box could not store it: after a power cut it would be gone. The disk needs a"
            " look."
        ),
    ),
    Term(
        text("photo finish"),
        text("A drawing of every contact of a race along one line of time, with the width by which each may be wrong."),
    ),
    Term(
        text("pile"),
        text("The cards that a player has won."),
    ),
    Term(
        text("press"),
        text("A contact that was accepted: one button, the instant of the first edge, its uncertainty."),
    ),
    Term(
        text("protest"),
        text(
            "A player disputes a race. Its ruling stays until the referee has answered; the result can be accepted "
            "only then."
        ),
    ),
    Term(
        text("provisional"),
        text("Shown while something may still change it; as opposed to final."),
    ),
    Term(
        text("race"),
        text("Presses that are compared with each other, from the first press to the ruling."),
    ),
    Term(
        text("record"),
        text("Everything that came from outside in one match, as lines of text; enough to judge it anew."),
    ),
    Term(
        text("replace a call"),
        text(
            "To put another line in the place of an earlier one, or to take it out; everything after it is judged "
            "again, and both versions stay in the record."
        ),
    ),
    Term(
        text("reveal"),
        text("To turn a card so that it lies face up."),
    ),
    Term(
        text("take back"),
        text("To undo the newest line. It stays in the record, marked, and counts no more."),
    ),
    Term(
        text("too late"),
        text(
            "Made after the close of its race. It is noted with its time, does not count, and does not begin the next"
            " race."
        ),
    ),
    Term(
        text("uncertainty"),
        text(
            "Half the width of the interval in which an instant surely lies, written behind ±: +83.4 ms ±40 µs is "
            "between 83.36 and 83.44 ms."
        ),
    ),
    Term(
        text("unsettled"),
        text("Touched, and not a press yet: it counts once the contact has lasted long enough, from when it began."),
    ),
    Term(
        text("veiled"),
        text("Hidden while a seat with an allowance may still press, so that nobody can go by what others did."),
    ),
    Term(
        text("verdict"),
        text("Whether a play was good: claim or punish."),
    ),
    Term(
        text("window"),
        text("How long presses are collected after a race's first."),
    ),
)
"""In the order of the alphabet."""


def words_document() -> dict[str, dict[str, Any]]:
    """Give the table for pages: by each English word itself, what it means, and where the help page has it."""
    return {plain(term.word): {"word": term.word, "says": term.says, "more": f"/help#{term.anchor}"} for term in TERMS}
