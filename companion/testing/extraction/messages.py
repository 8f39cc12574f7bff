"""Finds the messages of a package in its code, module by module.

A message is a literal text that is given to `text` or `texts`: of a game whatever these are reached through, of the
program where they are those of `companion.core.words.texts`. Each is noted with its module, what it is said in, and how
many characters there are for it where the contract of games says so. Babel's own reading of Python knows neither that
nor a message of two (`"one" if few else "other"`), and passes over what is not literal: here it is refused.
"""

from __future__ import annotations

import ast
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

from companion.testing.suite import GROUP, HINT, LABEL, ROLE, TEXT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

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


class Message(NamedTuple):
    """A message as the code has it. many: of several things, empty where it is of no number. width: None for any.

    about: what it is said of, where that is told.
    """

    one: str
    many: str
    module: str
    within: str
    width: int | None
    about: str = ""


class NotLiteral(Exception):
    """A message is put together before it is translated, so no catalogue can have it."""


CATALOGUE = "CATALOGUE"
"""What a module of a game calls the name of its package where it gives that to the program's `text` itself."""
WORDS = "companion.core.words.texts"
"""Where the program's own `text` and `texts` are."""


def messages(package: str, without: tuple[str, ...] = ()) -> Iterator[Message]:
    """Give every message in the code of a package, module by module. without: folders that are left out.

    Raises NotLiteral.
    """
    for name, source in _modules(resources.files(package), package.replace(".", "/"), without):
        yield from _Reader(name, is_of_program=bool(without)).read(source)


class _Reader(ast.NodeVisitor):
    """Reads one module. name: its path, as a translator is told it. is_of_program: only the program's `text` counts."""

    def __init__(self, name: str, *, is_of_program: bool = False) -> None:
        self._name = name
        self._is_of_program = is_of_program
        self._imported: set[str] = set()
        self._within: list[str] = []
        self._widths: dict[ast.AST, int] = {}
        self._found: list[Message] = []

    def read(self, source: str) -> list[Message]:
        self.visit(ast.parse(source, self._name))
        return self._found

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._enter(node, node.name)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._enter(node, node.name)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.module == WORDS:
            self._imported |= {alias.asname or alias.name for alias in node.names}
        elif node.module == WORDS.rpartition(".")[0]:
            self._imported |= {f"{alias.asname or alias.name}." for alias in node.names if alias.name == "texts"}

    def visit_Call(self, node: ast.Call) -> None:
        called = _called(node)
        self._note_widths(called, node)
        wanted = {"text": 1, "texts": 3}.get(called) if self._is_ours(node.func) else None
        given = node.args[:-1] if _is_catalogue(node.args) else node.args
        about = next((keyword.value for keyword in node.keywords if keyword.arg == "about"), None)
        if wanted is not None and len(given) == wanted and (wanted > 1 or about or not node.keywords):
            spoken = node.args[:1] if wanted == 1 else node.args[:2]
            ways = [_literals(argument) for argument in spoken]
            if not all(ways):
                raise NotLiteral(f"{self._name}:{node.lineno}: {ast.unparse(node)} gives no literal text")
            for told in zip(*ways, strict=True):
                self._add(told, self._widths.get(node), _literals(about)[0] if about is not None else "")
        self.generic_visit(node)

    def _is_ours(self, function: ast.expr) -> bool:
        if not self._is_of_program:
            return True
        match function:
            case ast.Name(id=name):
                return name in self._imported
            case ast.Attribute(value=ast.Name(id=module)):
                return f"{module}." in self._imported
        return False

    def _enter(self, node: ast.AST, name: str) -> None:
        self._within.append(name)
        self.generic_visit(node)
        self._within.pop()

    def _add(self, told: tuple[str, ...], width: int | None, about: str) -> None:
        one, many = told if len(told) == 2 else (told[0], "")
        self._found.append(Message(one, many, self._name, ".".join(self._within), width, about))

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


def _modules(folder: Traversable, path: str, without: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: (entry.is_dir(), entry.name)):
        if entry.is_dir() and entry.name not in without:
            yield from _modules(entry, f"{path}/{entry.name}", without)
        elif entry.name.endswith(".py"):
            yield f"{path}/{entry.name}", entry.read_text("utf-8")


def _called(node: ast.Call) -> str:
    match node.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def _is_catalogue(given: list[ast.expr]) -> bool:
    """Tell whether the last argument names the package that has the message, which is found in there anyway."""
    return bool(given) and isinstance(given[-1], ast.Name) and given[-1].id == CATALOGUE


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
