"""The help pages, put together from the guide, the words, each game's rules and the settings. Pure.

Texts come in as strings: whoever calls has opened the files. Knows no game by name and no settings file.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from companion.core.panel import POSITIONS, place_says
from companion.core.ruling.parameters import variants_of
from companion.core.words.language import ENGLISH
from companion.core.words.texts import in_language, plain, text, texts
from companion.screens.help.markup import headings, html_of, inline
from companion.screens.text.terms import TERMS, anchor_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.core.ruling.game import Game
    from companion.core.ruling.parameters import Parameter
    from companion.core.words.language import Language

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


def help_pages(
    guide: str, rules: Sequence[GameRules], settings: Iterable[TableTold], language: Language = ENGLISH
) -> tuple[HelpPage, ...]:
    """Give all help pages in a language, the first of which is the one that the bar leads to.

    guide, rules: their texts in that language, where they are translated.
    """
    say = _Saying(language)
    body = f"<h1>{say(text('Help'))}</h1>{_contents(guide, say)}{html_of(guide)}{_words(say)}"
    title = text("{page} · Help").format(page=text("Settings"))
    return (
        HelpPage(HELP, text("Help"), _framed(HELP, rules, body, say)),
        *(_rules_page(one, rules, say) for one in rules),
        HelpPage(SETTINGS, title, _framed(SETTINGS, rules, _settings(settings, say), say)),
    )


class _Saying(NamedTuple):
    """Says texts in the language of the pages."""

    language: Language

    def __call__(self, words: str) -> str:
        said: str = in_language(words, self.language)
        return said


def address_of_rules(name: str) -> str:
    """Give where the rules of a game are."""
    return f"{RULES}/{name}"


def rules_text(game: Game[Any], rules: str, language: Language = ENGLISH) -> str:
    """Give a game's rules: its own text, or what its buttons say where it has none; then what may be set."""
    say = _Saying(language)
    none = say(text("This game's package brings no text of its rules."))
    body = rules.strip() or f"# {say(game.title)}\n\n{none}"
    return "\n\n".join(part for part in (body, _seats(game, say), _buttons(game, say), _asked(game, say)) if part)


def _seats(game: Game[Any], say: _Saying) -> str:
    fewest, most = game.seats.fewest, game.seats.most
    if fewest < most:
        says = text("For {fewest} to {most} players.").format(fewest=fewest, most=most)
    else:
        says = texts("For {count} player.", "For {count} players.", fewest)
    return f"{_head(text('Players'), say)}\n{say(says)}"


def _head(words: str, say: _Saying) -> str:
    """Give a heading; its anchor is the same in every language."""
    return f"## {say(words)} {{#{anchor_of(plain(words))}}}"


def _buttons(game: Game[Any], say: _Saying) -> str:
    faces = game.buttons(None, None)
    said = [f"- {say(place_says(place))}: **{say(face.label)}**" for place, face in zip(POSITIONS, faces, strict=False)]
    head = say(text("Each player's four buttons, from the first:"))
    return f"{_head(text('Buttons'), say)}\n{head}\n\n" + "\n".join(said) if said else ""


def _asked(game: Game[Any], say: _Saying) -> str:
    variants = variants_of(game.parameters)
    said = [f"- **{say(one.label)}** (`{one.key}`): {say(_values(one))}." for one in game.parameters
            if one not in variants]  # fmt: skip
    on_or_off = say(text("a variant, on or off"))
    said += [f"- **{say(one.label)}** (`{one.key}`): {on_or_off}." for one in variants]
    return f"{_head(text('What a new match asks'), say)}\n" + "\n".join(said) if said else ""


def _values(parameter: Parameter) -> str:
    match parameter.kind:
        case "yes-no":
            return text("yes or no, usually yes") if parameter.default else text("yes or no, usually no")
        case "number":
            says = text("a number from {low} to {high}, usually {usual}")
            return says.format(low=parameter.low, high=parameter.high, usual=parameter.default)
        case "choice":
            labels = {choice.key: choice.label for choice in parameter.choices}
            usual = labels.get(str(parameter.default), str(parameter.default))
            return text("{choices}, usually {usual}").format(choices=_any_of(labels.values()), usual=usual)
        case _:
            return text("a text file")


def _any_of(labels: Iterable[str]) -> str:
    said, *others = labels
    for label in others:
        said = text("{parts} or {last}").format(parts=said, last=label)
    return said


def _rules_page(one: GameRules, rules: Sequence[GameRules], say: _Saying) -> HelpPage:
    address = address_of_rules(one.game.name)
    html = html_of(rules_text(one.game, one.text, say.language))
    title = text("{page} · Help").format(page=one.game.title)
    return HelpPage(address, title, _framed(address, rules, html, say))


def _framed(here: str, rules: Sequence[GameRules], html: str, say: _Saying) -> str:
    """Give a page's contents with the way to the other help pages."""
    of_games = [(address_of_rules(one.game.name), text("Rules: {game}").format(game=one.game.title)) for one in rules]
    links = [(HELP, text("Guide and words")), *of_games, (SETTINGS, text("Settings"))]
    items = "".join(_link(address, say(words), is_here=address == here) for address, words in links)
    around = f'<nav class="help-nav" aria-label="{escape(say(text("Help")))}"><ul>{items}</ul></nav>'
    return f'{around}\n<article class="plate help">{html}</article>\n'


def _link(address: str, words: str, *, is_here: bool) -> str:
    here = ' aria-current="page"' if is_here else ""
    return f'<li><a href="{escape(address)}"{here}>{escape(words)}</a></li>'


def _contents(guide: str, say: _Saying) -> str:
    """Give the headings of the guide, and of the words after it."""
    found = [(one.anchor, one.words) for one in headings(guide) if one.level == 2]
    items = "".join(
        f'<li><a href="#{anchor}">{escape(words)}</a></li>' for anchor, words in (*found, ("words", say(text("Words"))))
    )
    return f'<ul class="contents">{items}</ul>'


def _words(say: _Saying) -> str:
    said = "".join(
        f'<div id="{term.anchor}"><dt>{escape(say(term.word))}</dt><dd>{inline(say(term.says))}</dd></div>'
        for term in TERMS
    )
    return f'<h2 id="words">{escape(say(text("Words")))}</h2><dl class="words">{said}</dl>'


def _settings(tables: Iterable[TableTold], say: _Saying) -> str:
    about = text(
        "They stand in the file <code>config.toml</code> of the box. <code>companion config</code> prints all of them"
        " with a comment on each. What is not in it has the default. Each takes effect at the next start."
    )
    pins = text(
        "The table <code>[pins]</code> says what is connected to which GPIO; where it stands, it takes the place of the"
        " built-in one as a whole."
    )
    found = "".join(_table(table, say) for table in tables)
    return f"<h1>{say(text('Settings'))}</h1><p>{say(about)}</p>{found}<p>{say(pins)}</p>"


def _table(table: TableTold, say: _Saying) -> str:
    said = "".join(_setting(table.name, one, say) for one in table.settings)
    head = f'<h2 id="{anchor_of(table.name)}"><code>[{escape(table.name)}]</code></h2>'
    return f'{head}<p>{escape(say(table.says))}</p><dl class="settings">{said}</dl>'


def _setting(table: str, one: SettingTold, say: _Saying) -> str:
    default = f"<code>{escape(one.default)}</code>"
    if one.unit:
        says = text("Default: {default}, in {unit}. Allowed: {allowed}.")
    else:
        says = text("Default: {default}. Allowed: {allowed}.")
    facts = say(says.format(default=default, unit=escape(say(one.unit)), allowed=escape(say(one.allowed))))
    anchor = anchor_of(f"{table} {one.key}")
    said = f"<dd>{escape(say(one.says))} <small>{facts}</small></dd>"
    return f'<div id="{anchor}"><dt><code>{escape(one.key)}</code></dt>{said}</div>'
