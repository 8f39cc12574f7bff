"""Which look a match has: a game's own, or that of the file that its setup brought. The newest are kept for pages.

Threads: any; what is kept is only ever put in or taken out.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.record.lines import Setup
    from companion.core.ruling.game import Game

_MOST_LOOKS = 16
_looks: dict[str, Game[Any]] = {}


def look_key(game: Game[Any], setup: Setup) -> str:
    """Name the look of a game as a setup has it, for pages to ask for: what comes with a file looks like the file says.

    It is kept so that `game_of_look` can give it; the newest few are.
    """
    if not setup.files:
        return game.name
    texts = "\0".join(f"{key}\0{setup.files[key].text}" for key in sorted(setup.files))
    key = f"{game.name}~{sha256(texts.encode()).hexdigest()[:16]}"
    if key not in _looks:
        _looks[key] = game
        for old in list(_looks)[:-_MOST_LOOKS]:
            _looks.pop(old, None)
    return key


def game_of_look(key: str, find: Callable[[str], Game[Any]]) -> Game[Any]:
    """Give the game of a look; of one that is not kept any more the game as it is without a setup.

    Raises UnknownGame.
    """
    return _looks.get(key) or find(key.partition("~")[0])
