"""What is said to one seat alone, in its own ear: secret choices with the button of each, and what it holds. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.hands.choosing import role_name
from companion.core.panel import POSITIONS, place_says
from companion.core.speech.queue import Piece
from companion.core.speech.utterance import Urgency
from companion.core.words.texts import capital, joined, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.panel import Colour
    from companion.core.play.snapshot import InHand, Secret, Snapshot


FOR_YOU = text("For you alone.")
UNKNOWN = text("this box cannot say it: what it was drawn from is not kept here")


class Whisperer:
    """Tells one seat what is new of its own; to be heard by nobody else."""

    def __init__(self, seat: Colour) -> None:
        self._seat = seat
        self._known: frozenset[str] = frozenset()

    def told(self, snapshot: Snapshot, *, is_brief: bool = False) -> list[Piece]:
        """Give what is to be said to it now. is_brief: without saying each time that nobody else hears it."""
        found = private_facts(snapshot, self._seat, "" if is_brief else FOR_YOU)
        known, self._known = self._known, frozenset(found)
        return [Piece(said, Urgency.CHOICE) for said in found if said not in known]


def private_facts(snapshot: Snapshot, seat: Colour, before: str = FOR_YOU) -> list[str]:
    """Give all that a seat alone may know now, a sentence or some for each thing. before: goes first, "" for none."""
    roles = snapshot.match.game.roles if snapshot.match is not None else ()
    secrets = (_secret(one, roles) for one in snapshot.secrets if one.seat is seat)
    held = (_in_hand(one) for one in snapshot.in_hand if one.seat is seat)
    return [joined([before, told], " ") if before else told for told in (*secrets, *held)]


def _secret(secret: Secret, roles: Sequence[str]) -> str:
    buttons = {str(role_name(roles, place)): place_says(position) for place, position in enumerate(POSITIONS)}
    said = text("{button} button: {option}.")
    items = (
        said.format(button=capital(buttons[item.role]), option=item.says)
        for item in secret.items
        if item.role is not None and item.role in buttons
    )
    prompt = [text("{sentence}.").format(sentence=capital(secret.prompt))] if secret.prompt else []
    return joined([*prompt, *items], " ")


def _in_hand(one: InHand) -> str:
    items = UNKNOWN if one.items is None else joined(one.items)
    return text("{label}: {items}.").format(label=capital(one.label), items=items)
