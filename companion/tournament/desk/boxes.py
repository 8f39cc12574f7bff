"""How the boxes of an event stand, by what they say: who is there, who waits to be enrolled, what they play. Pure.

Nothing of it is in the log, and nothing official rests on it: a desk that begins anew asks all of them again.
"""

from __future__ import annotations

from base64 import b64decode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.core.errors import Illegal
from companion.core.words.texts import text
from companion.tournament.fingerprint import fingerprint, typed

if TYPE_CHECKING:
    from companion.tournament.event.event import Event
    from companion.tournament.wire import Here, Shown, State


@dataclass(slots=True)
class BoxStanding:
    """A box as it said last. is_there: connected, as far as anybody knows. here, shown: None where it has not said."""

    name: str
    is_there: bool = False
    here: Here | None = None
    shown: Shown | None = None


@dataclass(slots=True)
class Boxes:
    """All boxes that have said anything."""

    by_name: dict[str, BoxStanding] = field(default_factory=dict)

    def __getitem__(self, name: str) -> BoxStanding:
        """Give how a box stands, begun where nothing is known of it."""
        if name not in self.by_name:
            self.by_name[name] = BoxStanding(name)
        return self.by_name[name]

    def state(self, name: str, state: State) -> None:
        """Take whether a box is there."""
        self[name].is_there = state.is_there

    def waiting(self, event: Event) -> tuple[str, ...]:
        """Give the boxes that are there by a key that is not enrolled for them, by name."""
        return tuple(sorted(name for name, box in self.by_name.items() if box.here and refusal(event, name, box.here)))

    def by_code(self, event: Event, code: str) -> tuple[str, str]:
        """Give name and key of the box that waits and shows this code. Raises Malformed, Illegal where none does."""
        wanted = typed(code)
        for name in self.waiting(event):
            here = self[name].here
            if here is not None and fingerprint(b64decode(here.key)) == wanted:
                return name, here.key
        waiting = ", ".join(self.waiting(event))
        if not waiting:
            raise Illegal(text("no box waits to be enrolled: is it on, and has it joined this event?"))
        says = text("no box that waits shows the code {code}; waiting: {boxes}")
        raise Illegal(says.format(code=wanted, boxes=waiting))


def refusal(event: Event, name: str, here: Here) -> str | None:
    """Say why a box is not taken for one of the event's, None where it is."""
    found = event.boxes.get(name)
    if found is None:
        return f"{name} is not enrolled: type the code on its display at the desk"
    if not found.is_in:
        return f"{name} takes part no more"
    if here.key != found.keys[-1]:
        return f"{name} is enrolled with another key: type the code on its display at the desk if it is this one"
    return None
