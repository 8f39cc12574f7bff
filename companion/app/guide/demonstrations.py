"""The demonstrations of the installed games: each one's script, played on a box that nobody can touch. Part of `app`.

What a stage gives (`stage`), whose clock is the script's, is the state document of each step that the script has a
caption for: pages show it like the state of a box.
"""

from __future__ import annotations

from importlib import resources
from threading import Lock
from typing import TYPE_CHECKING, Any

from companion.adapters.simulated.script import parse
from companion.app.guide.stage import Stage
from companion.core.errors import Unavailable, UnknownGame
from companion.core.play.seating import Table
from companion.core.timing.events import MS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.adapters.simulated.script import Script
    from companion.core.ruling.game import AnyGame

Document = dict[str, Any]

SOURCE = "demonstration"
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
    box = Stage(find, names, Table(game=game), source=SOURCE)
    for event in script.events:
        box.announce(event._replace(t_ns=event.t_ns + LEAD_NS))
    scenes = []
    for number, caption in enumerate(script.captions, start=1):
        box.run(caption.t_ns + LEAD_NS)
        scenes.append({"caption": caption.text, "state": box.document(number)})
    return scenes
