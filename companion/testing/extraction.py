"""`python -m companion.testing.extraction`: the messages of games as templates of catalogues, found in their code.

A message is a literal text that is given to `text` or `texts`, whatever these are reached through. Each is noted with
its module, what it is said in, and how many characters there are for it where the contract of games says so.
"""

from __future__ import annotations

import argparse
import ast
import sys
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import polib

from companion.config.languages import ENGLISH, languages
from companion.games import registry
from companion.testing.suite import GROUP, HINT, LABEL, ROLE, TEXT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from importlib.resources.abc import Traversable

    from companion.core.ruling.game import AnyGame

WIDTHS = {
    ("Adjustable", "label", 1): LABEL,
    ("ButtonFace", "label", 0): ROLE,
    ("CardGroup", "name", 0): GROUP,
    ("Choice", "label", 1): LABEL,
    ("Offer", "hint", None): HINT,
    ("Offer", "prompt", None): TEXT,
    ("Option", "group_label", None): GROUP,
    ("Parameter", "label", 1): LABEL,
    ("Step", "prompt", None): TEXT,
    ("View", "hints", None): HINT,
    ("View", "phase", None): TEXT,
    ("View", "score_label", 1): TEXT,
}
"""Characters at most, by what of the contract a message is given to: its name, the argument's name and place."""
HEADER = {
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=UTF-8",
    "Content-Transfer-Encoding": "8bit",
    "Plural-Forms": "nplurals=2; plural=(n != 1);",
}


class Message(NamedTuple):
    """A message as the code has it. many: of several things, empty where it is of no number. width: None for any."""

    one: str
    many: str
    module: str
    within: str
    width: int | None


class NotLiteral(Exception):  # noqa: N818 - says what is wrong
    """A message is put together before it is translated, so no catalogue can have it."""


def template(game: AnyGame) -> polib.POFile:
    """Give the template of a game's catalogues: each message once, sorted by where it is first said.

    Raises NotLiteral.
    """
    made = polib.POFile(wrapwidth=120)
    made.metadata = {"Project-Id-Version": game.name, **HEADER}
    made.header = f"The messages of {game.title}. A translation is locale/LANGUAGE.po in {game.words}."
    found: dict[tuple[str, str], list[Message]] = {}
    for message in messages(game.words):
        found.setdefault((message.one, message.many), []).append(message)
    made.extend(_entry(one, many, places) for (one, many), places in found.items())
    return made


def messages(package: str) -> Iterator[Message]:
    """Give every message in the code of a package, module by module. Raises NotLiteral."""
    for name, source in _modules(resources.files(package), package.replace(".", "/")):
        yield from _Reader(name).read(source)


def update(catalogue: polib.POFile, made: polib.POFile) -> None:
    """Bring a catalogue up to date: new messages without a translation; what is said no more becomes obsolete."""
    told = dict(catalogue.metadata)
    catalogue.merge(made)
    catalogue.metadata = told


def begun(made: polib.POFile, language: str) -> polib.POFile:
    """Give a new catalogue of a language, with nothing translated."""
    catalogue = polib.POFile(wrapwidth=made.wrapwidth)
    catalogue.metadata = {"Language": language, **made.metadata}
    catalogue.header = made.header
    catalogue.merge(made)
    return catalogue


class _Reader(ast.NodeVisitor):
    """Reads one module. name: its path, as a translator is told it."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._within: list[str] = []
        self._widths: dict[ast.AST, int] = {}
        self._found: list[Message] = []

    def read(self, source: str) -> list[Message]:
        self.visit(ast.parse(source, self._name))
        return self._found

    def visit_ClassDef(self, node: ast.ClassDef) -> None:  # noqa: N802 - the visitor's name
        self._enter(node, node.name)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:  # noqa: N802
        self._enter(node, node.name)

    def visit_Call(self, node: ast.Call) -> None:  # noqa: N802
        called = _called(node)
        self._note_widths(called, node)
        wanted = {"text": 1, "texts": 3}.get(called)
        if wanted is not None and len(node.args) == wanted and not node.keywords:
            spoken = node.args[:1] if wanted == 1 else node.args[:2]
            ways = [_literals(argument) for argument in spoken]
            if not all(ways):
                raise NotLiteral(f"{self._name}:{node.lineno}: {ast.unparse(node)} gives no literal text")
            for told in zip(*ways, strict=True):
                self._add(told, self._widths.get(node))
        self.generic_visit(node)

    def _enter(self, node: ast.AST, name: str) -> None:
        self._within.append(name)
        self.generic_visit(node)
        self._within.pop()

    def _add(self, told: tuple[str, ...], width: int | None) -> None:
        one, many = told if len(told) == 2 else (told[0], "")
        self._found.append(Message(one, many, self._name, ".".join(self._within), width))

    def _note_widths(self, called: str, node: ast.Call) -> None:
        """Note the room for what is given to a part of the contract, as it stands."""
        for (part, name, place), width in WIDTHS.items():
            if part != called:
                continue
            given = [keyword.value for keyword in node.keywords if keyword.arg == name]
            if place is not None:
                given += node.args[place : place + 1]
            for argument in given:
                self._widths |= dict.fromkeys(_alone(argument), width)


def _modules(folder: Traversable, path: str) -> Iterator[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: (entry.is_dir(), entry.name)):
        if entry.is_dir():
            yield from _modules(entry, f"{path}/{entry.name}")
        elif entry.name.endswith(".py"):
            yield f"{path}/{entry.name}", entry.read_text("utf-8")


def _called(node: ast.Call) -> str:
    match node.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def _literals(node: ast.expr) -> list[str]:
    """Give the texts that an expression may be; [] where that is not to be seen."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.IfExp(body=body, orelse=orelse):
            first, second = _literals(body), _literals(orelse)
            return [*first, *second] if first and second else []
    return []


def _alone(node: ast.expr) -> Iterator[ast.expr]:
    """Give an expression, and those it may be in whole: of a choice both, of a tuple each, what is filled in."""
    yield node
    match node:
        case ast.Call(func=ast.Attribute(attr="format", value=filled)):
            yield filled
        case ast.IfExp(body=body, orelse=orelse):
            yield from _alone(body)
            yield from _alone(orelse)
        case ast.Tuple(elts=parts):
            for part in parts:
                yield from _alone(part)


def _entry(one: str, many: str, places: Sequence[Message]) -> polib.POEntry:
    comments = list(dict.fromkeys(place.within for place in places if place.within))
    widths = [place.width for place in places if place.width is not None]
    if widths:
        filled = ", filled in" if "{" in one else ""
        comments.append(f"at most {min(widths)} characters{filled}")
    entry = polib.POEntry(
        msgid=one,
        comment="\n".join(comments),
        occurrences=[(module, "") for module in dict.fromkeys(place.module for place in places)],
        flags=["python-brace-format"] if "{" in one + many else [],
    )
    if many:
        entry.msgid_plural = many
        entry.msgstr_plural = {0: "", 1: ""}
    return entry


def write(game: AnyGame, into: Path, new: Iterable[str] = ()) -> Iterator[str]:
    """Write a game's template, and its catalogues brought up to date; tell each. new: languages to begin, too.

    Raises NotLiteral; OSError where a file cannot be written.
    """
    made = template(game)
    into.mkdir(parents=True, exist_ok=True)
    path = into / f"{game.name}.pot"
    made.save(str(path))
    yield f"{path}: {len(made)} messages"
    folder = Path(str(resources.files(game.words))) / "locale"
    there = [language for language in languages(game.words) if language != ENGLISH]
    for language in dict.fromkeys([*there, *new]):
        path = folder / f"{language}.po"
        if language in there:
            catalogue = polib.pofile(path.read_text("utf-8"), wrapwidth=made.wrapwidth)
            update(catalogue, made)
        else:
            folder.mkdir(exist_ok=True)
            catalogue = begun(made, language)
        catalogue.save(str(path))
        left = len(catalogue.untranslated_entries()) + len(catalogue.fuzzy_entries())
        yield f"{path}: {left} of {len(made)} messages are to be translated"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="all that have words of their own, where none is named")
    parser.add_argument("--language", action="append", default=[], help="begin a catalogue of this language, too (de)")
    parser.add_argument("--into", type=Path, default=Path("build/catalogues"), help="the folder of the templates")
    asked = parser.parse_args()
    for name in asked.games or registry.names():
        game = registry.find(name)
        if not game.words:
            if asked.games:
                sys.exit(f"{name} names no package of its words; it speaks English alone")
            continue
        for told in write(game, asked.into, asked.language):
            sys.stdout.write(f"{told}\n")


if __name__ == "__main__":
    main()
