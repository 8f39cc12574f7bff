"""Whatever a game says to people can be translated: in a language of other letters, none of ours is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.core.panel import POSITIONS
from companion.core.record.lines import STANDARD_LINES
from companion.games import registry
from companion.testing.walks import Walk
from tests.whole.pseudo import Pseudo, ours, pseudo, said_by, said_in

if TYPE_CHECKING:
    from gettext import NullTranslations

    from companion.core.ruling.game import AnyGame

pytestmark = pytest.mark.slow  # walks through whole matches

STEPS = 60
SEEDS = (0, 1)


def said_in_a_match(spoken: AnyGame, walk: Walk) -> list[tuple[str, str]]:
    """Give all that a game says in a random match, each with what it is.

    What is said of a line that every game has is the box's.
    """
    said = [*said_by(spoken)]
    for state in walk.states(STEPS):
        for viewer in (None, walk.colours[0]):
            said += said_in(spoken, state, viewer)
    for told in walk.judge.history:
        if isinstance(told.line, STANDARD_LINES):
            continue
        said += [("describe", spoken.describe(told.line)), ("describe", spoken.describe(told.line, walk.colours[0]))]
        for field in spoken.fields(told.line):
            said += [("field", field.label), *(("field value", value.label) for value in field.values)]
        for ruling in told.rulings:
            said += [("sentence", text) for text in spoken.sentences(ruling) or ()]
    return said


def untranslated(game: AnyGame, seed: int, language: NullTranslations) -> dict[str, set[str]]:
    """Give the words of our own in a random match, by what they stand in.

    What people wrote in the match's files is theirs, and what is drawn from a pool is called as the record calls it.
    """
    walk = Walk(game, seed)
    setup = walk.judge.setup
    assert setup is not None
    written = " ".join(file.text for file in (setup.files or {}).values())
    known = frozenset(word.lower() for word in (*ours(written), *POSITIONS))
    said = said_in_a_match(game.speaking(language), walk)
    offers = [offer for told in walk.judge.history[1:] for offer in game.offers(told.before)]
    pools = [offer.chance.items for offer in offers if offer.chance is not None]
    known |= frozenset(word.lower() for items in pools for word in ours(" ".join(items)))
    found: dict[str, set[str]] = {}
    for what, text in said:
        if words := ours(text, known=known):
            found.setdefault(f"{what}: {text}", set()).update(words)
    return found


@pytest.mark.parametrize("name", [name for name in registry.names() if registry.find(name).words])
@pytest.mark.parametrize("seed", SEEDS)
def test_everything_that_a_game_says_is_translated(name: str, seed: int) -> None:
    assert sorted(untranslated(registry.find(name), seed, Pseudo())) == []


def test_every_game_is_heard() -> None:
    assert [name for name in registry.names() if not registry.find(name).words] == []


def test_what_was_never_given_to_be_translated_is_found() -> None:
    assert ours(pseudo("{n} cards for {who}").format(n=2, who="RED") + " left") == ["left"]
    assert ours(pseudo("%s takes %d") % ("blue", 3)) == []
