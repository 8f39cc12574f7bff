"""The help pages of one box: its guide, its games' rules, its settings. Part of `app`: it opens the files."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from companion.config.describing import described
from companion.files.reading import package_text
from companion.screens.help.pages import GameRules, HelpPage, help_pages

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.ruling.game import Game

LOG = logging.getLogger("companion")


def pages_of(games: Iterable[Game[Any]]) -> tuple[HelpPage, ...]:
    """Give all help pages of a box that plays these games."""
    return help_pages(package_text("companion.screens.help:guide.md"), [rules_of(game) for game in games], described())


def rules_of(game: Game[Any]) -> GameRules:
    """Give a game's rules; without a text where its package names none, or one that cannot be read."""
    if not (named := game.rules):
        return GameRules(game, "")
    try:
        return GameRules(game, package_text(named))
    except (OSError, ValueError, ImportError) as error:
        LOG.warning("the game %s has no rules that can be read (%s): %s", game.name, named, error)
        return GameRules(game, "")
