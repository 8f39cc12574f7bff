"""The demonstrations of the installed games: each one's script, played on a box that nobody can touch. Part of `app`.

The box is the program's own (arbiter, session, rules), its clock is the script's. It has no journal, no source and no
display, so nothing of it is kept, and it stands in no list of matches. What it gives is the state document of each step
that the script has a caption for: pages show it like the state of a box.
"""

from __future__ import annotations

import heapq
from importlib import resources
from threading import Lock
from typing import TYPE_CHECKING, Any

from companion.adapters.simulated.script import parse
from companion.core.errors import Unavailable, UnknownGame
from companion.core.match.effects import Began, Wrote
from companion.core.match.match import PlaySettings
from companion.core.panel import BUTTONS, KNOB_PUSH
from companion.core.play.pipeline import Box
from companion.core.play.seating import Table
from companion.core.play.session import Session
from companion.core.timing.arbiter import Arbiter
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import MS, Levels
from companion.screens.web.state import state_document

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.adapters.simulated.script import Script
    from companion.core.ruling.game import AnyGame
    from companion.core.timing.events import SourceEvent

Document = dict[str, Any]

LINES = (*(button.label for button in BUTTONS), KNOB_PUSH)
SOURCE = "demonstration"
DELAY_NS = 5 * MS
LEAD_NS = 200 * MS
"""The script begins so long after the box has."""


class Demonstrations:
    """Gives each game's, made when it is first asked for and then kept. names: of the games, the usual one first."""

    def __init__(self, find: Callable[[str], AnyGame], names: Sequence[str]) -> None:
        self._find, self._names = find, names
        self._made: dict[str, Document] = {}
        self._lock = Lock()

    def games(self) -> list[Document]:
        """Give name and title of each game that has one."""
        found = (self._find(name) for name in self._names)
        return [{"name": game.name, "title": game.title} for game in found if game.demo]

    def scenes(self, game: str) -> Document:
        """Give a game's. Raises UnknownGame where there is none, Unavailable where its script cannot be read."""
        with self._lock:
            if game not in self._made:
                self._made[game] = self._play(game)
            return self._made[game]

    def _play(self, name: str) -> Document:
        found = self._find(name) if name in self._names else None
        if found is None or not found.demo:
            raise UnknownGame(f"no installed game {name!r} has a demonstration")
        package, _, file = found.demo.partition(":")
        try:
            script = parse(resources.files(package).joinpath(file).read_text(encoding="utf-8"), file)
        except (OSError, ValueError, ImportError) as error:
            raise Unavailable(f"the demonstration of {name} cannot be read: {error}") from error
        scenes = play(script, found.name, self._find, tuple(self._names))
        return {"game": found.name, "title": found.title, "scenes": scenes}


def play(script: Script, game: str, find: Callable[[str], AnyGame], names: tuple[str, ...]) -> list[Document]:
    """Give what is to be seen at each caption of a script that is played with `game`."""
    box = _Box(game, find, names)
    box.announce(Levels(frozenset(), frozenset(LINES), 0))
    for event in script.events:
        box.announce(event._replace(t_ns=event.t_ns + LEAD_NS))
    scenes = []
    for number, caption in enumerate(script.captions, start=1):
        box.run(caption.t_ns + LEAD_NS)
        scenes.append({"caption": caption.text, "state": box.document(number)})
    return scenes


class _Box:
    """A box on the script's clock: every line it writes is durable at once, and nobody keeps it."""

    def __init__(self, game: str, find: Callable[[str], AnyGame], names: tuple[str, ...]) -> None:
        session = Session(find, names, Table(game=game), PlaySettings())
        self._box = Box(Arbiter({line: LineTiming() for line in LINES}, {SOURCE: DELAY_NS}), session)
        self._events: list[tuple[int, int, SourceEvent]] = []
        self._now_ns = self._lines = 0

    def announce(self, event: SourceEvent) -> None:
        """Have an event happen when its time has come."""
        heapq.heappush(self._events, (event.t_ns, len(self._events), event))

    def run(self, until_ns: int) -> None:
        """Let time pass, with a stop at each event and each deadline."""
        while True:
            self._advance()
            if self._now_ns >= until_ns:
                return
            due = [self._events[0][0]] if self._events else []
            deadline_ns = self._box.next_deadline()
            due += [deadline_ns] if deadline_ns is not None else []
            self._now_ns = min(max(min(due, default=until_ns), self._now_ns + MS // 2), until_ns)

    def _advance(self) -> None:
        events = []
        while self._events and self._events[0][0] <= self._now_ns:
            events.append((SOURCE, heapq.heappop(self._events)[2]))
        self._box.advance(self._now_ns, events)
        for effect in self._box.session.take():
            if isinstance(effect, Began):
                self._lines = 0
            self._lines += isinstance(effect, Wrote)
        if self._lines:
            self._box.session.stored(self._lines)

    def document(self, number: int) -> Document:
        """Give what is to be seen now, as the state of a box that nobody else is at."""
        state = state_document(self._box.session.snapshot(self._now_ns), None)
        return {**state, "seq": number, "box": SOURCE, "simulated": True, "phones": [], "door_open": False}
