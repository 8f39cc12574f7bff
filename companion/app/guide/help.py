"""The help pages of one box: its guide, its games' rules, its settings. Part of `app`: it opens the files."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from companion.config.describing import described
from companion.core.words.language import ENGLISH
from companion.files.reading import package_text
from companion.screens.help.pages import GameRules, HelpPage, help_pages

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.ruling.game import Game
    from companion.core.words.language import Language

LOG = logging.getLogger("companion")


GUIDE = "companion.screens.help:guide.md"


def pages_of(games: Iterable[Game[Any]], language: Language = ENGLISH) -> tuple[HelpPage, ...]:
    """Give all help pages of a box that plays these games, in a language."""
    found = [rules_of(game, language) for game in games]
    return help_pages(text_in(GUIDE, language), found, described(), language)


def rules_of(game: Game[Any], language: Language = ENGLISH) -> GameRules:
    """Give a game's rules; without a text where its package names none, or one that cannot be read."""
    if not (named := game.rules):
        return GameRules(game, "")
    try:
        return GameRules(game, text_in(named, language))
    except (OSError, ValueError, ImportError) as error:
        LOG.warning("the game %s has no rules that can be read (%s): %s", game.name, named, error)
        return GameRules(game, "")


def text_in(named: str, language: Language) -> str:
    """Give a text of a package in a language: of "rules.md" the one in "rules.it.md", where there is one.

    Raises OSError, ValueError, ImportError where there is none at all.
    """
    if not language.is_source:
        stem, dot, ending = named.rpartition(".")
        try:
            return package_text(f"{stem}.{language.code}{dot}{ending}")
        except OSError:
            pass  # it is not translated: English then
    return package_text(named)
