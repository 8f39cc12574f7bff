"""The help pages, put together from the guide, the words, each game's rules and the settings. Pure.

Texts come in as strings: whoever calls has opened the files. Knows no game by name and no settings file.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from companion.core.panel import POSITIONS
from companion.core.ruling.parameters import variants_of
from companion.screens.help.markup import html_of, inline
from companion.screens.text.terms import TERMS, anchor_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.core.ruling.game import Game
    from companion.core.ruling.parameters import Parameter

HELP = "/help"
RULES = "/help/rules"
SETTINGS = "/help/settings"


class HelpPage(NamedTuple):
    """One page: its address, what stands in the tab, and what lies within the frame as HTML."""

    address: str
    title: str
    html: str


class GameRules(NamedTuple):
    """The rules of a game, in the small Markdown of `markup`. text: empty where its package brings none."""

    game: Game[Any]
    text: str


class SettingTold(Protocol):
    """A setting as `companion.config.describing` tells it."""

    @property
    def key(self) -> str:
        """As the file names it."""

    @property
    def says(self) -> str:
        """What it means, as a sentence."""

    @property
    def unit(self) -> str:
        """Of its number; empty for none."""

    @property
    def default(self) -> str:
        """What holds when nothing is said."""

    @property
    def allowed(self) -> str:
        """What it may be."""


class TableTold(Protocol):
    """A table of the settings file."""

    @property
    def name(self) -> str:
        """As the file names it."""

    @property
    def says(self) -> str:
        """What its settings are about."""

    @property
    def settings(self) -> Sequence[SettingTold]:
        """Them, in the file's order."""


def help_pages(guide: str, rules: Sequence[GameRules], settings: Iterable[TableTold]) -> tuple[HelpPage, ...]:
    """Give all help pages, the first of which is the one that the bar leads to."""
    return (
        HelpPage(HELP, "Help", _framed(HELP, rules, f"<h1>Help</h1>{_contents()}{html_of(guide)}{_words()}")),
        *(_rules_page(one, rules) for one in rules),
        HelpPage(SETTINGS, "Settings · Help", _framed(SETTINGS, rules, _settings(settings))),
    )


def address_of_rules(name: str) -> str:
    """Give where the rules of a game are."""
    return f"{RULES}/{name}"


def rules_text(game: Game[Any], text: str) -> str:
    """Give a game's rules: its own text, or what its buttons say where it has none; then what may be set."""
    body = text.strip() or f"# {game.title}\n\nThis game's package brings no text of its rules."
    return "\n\n".join(part for part in (body, _seats(game), _buttons(game), _asked(game)) if part)


def _seats(game: Game[Any]) -> str:
    fewest, most = game.seats.fewest, game.seats.most
    return f"## Players\nFor {fewest} to {most} players." if fewest < most else f"## Players\nFor {fewest} players."


def _buttons(game: Game[Any]) -> str:
    faces = game.buttons(None, None)
    said = [f"- {place}: **{face.label}**" for place, face in zip(POSITIONS, faces, strict=False)]
    return "## Buttons\nEach player's four buttons, from the first:\n\n" + "\n".join(said) if said else ""


def _asked(game: Game[Any]) -> str:
    variants = variants_of(game.parameters)
    said = [f"- **{one.label}** (`{one.key}`): {_values(one)}." for one in game.parameters if one not in variants]
    said += [f"- **{one.label}** (`{one.key}`): a variant, on or off." for one in variants]
    return "## What a new match asks\n" + "\n".join(said) if said else ""


def _values(parameter: Parameter) -> str:
    match parameter.kind:
        case "yes-no":
            return f"yes or no, usually {'yes' if parameter.default else 'no'}"
        case "number":
            return f"a number from {parameter.low} to {parameter.high}, usually {parameter.default}"
        case "choice":
            labels = {choice.key: choice.label for choice in parameter.choices}
            return f"{' or '.join(labels.values())}, usually {labels.get(str(parameter.default), parameter.default)}"
        case _:
            return "a text file"


def _rules_page(one: GameRules, rules: Sequence[GameRules]) -> HelpPage:
    address = address_of_rules(one.game.name)
    return HelpPage(address, f"{one.game.title} · Help", _framed(address, rules, html_of(rules_text(*one))))


def _framed(here: str, rules: Sequence[GameRules], html: str) -> str:
    """Give a page's contents with the way to the other help pages."""
    of_games = [(address_of_rules(one.game.name), f"Rules: {one.game.title}") for one in rules]
    links = [(HELP, "Guide and words"), *of_games, (SETTINGS, "Settings")]
    items = "".join(_link(address, words, is_here=address == here) for address, words in links)
    around = f'<nav class="help-nav" aria-label="Help"><ul>{items}</ul></nav>'
    return f'{around}\n<article class="plate help">{html}</article>\n'


def _link(address: str, words: str, *, is_here: bool) -> str:
    here = ' aria-current="page"' if is_here else ""
    return f'<li><a href="{escape(address)}"{here}>{escape(words)}</a></li>'


_CONTENTS = (
    "What this is", "How a match goes", "With the knob alone", "The pages", "What ± means", "When something is wrong",
    "Words",
)  # fmt: skip
"""The headings of the guide, as a test holds them, and the words after it."""


def _contents() -> str:
    items = "".join(f'<li><a href="#{anchor_of(words)}">{escape(words)}</a></li>' for words in _CONTENTS)
    return f'<ul class="contents">{items}</ul>'


def _words() -> str:
    said = "".join(
        f'<div id="{term.anchor}"><dt>{escape(term.word)}</dt><dd>{inline(term.says)}</dd></div>' for term in TERMS
    )
    return f'<h2 id="words">Words</h2><dl class="words">{said}</dl>'


def _settings(tables: Iterable[TableTold]) -> str:
    return (
        "<h1>Settings</h1>"
        "<p>They stand in the file <code>config.toml</code> of the box. <code>companion config</code> prints all of"
        " them with a comment on each. What is not in it has the default. Each takes effect at the next start.</p>"
        + "".join(_table(table) for table in tables)
        + "<p>The table <code>[pins]</code> says what is connected to which GPIO; where it stands, it takes the place"
        " of the built-in one as a whole.</p>"
    )


def _table(table: TableTold) -> str:
    said = "".join(_setting(table.name, one) for one in table.settings)
    head = f'<h2 id="{anchor_of(table.name)}"><code>[{escape(table.name)}]</code></h2>'
    return f'{head}<p>{escape(table.says)}</p><dl class="settings">{said}</dl>'


def _setting(table: str, one: SettingTold) -> str:
    unit = f", in {one.unit}" if one.unit else ""
    facts = f"Default: <code>{escape(one.default)}</code>{escape(unit)}. Allowed: {escape(one.allowed)}."
    anchor = anchor_of(f"{table} {one.key}")
    said = f"<dd>{escape(one.says)} <small>{facts}</small></dd>"
    return f'<div id="{anchor}"><dt><code>{escape(one.key)}</code></dt>{said}</div>'
