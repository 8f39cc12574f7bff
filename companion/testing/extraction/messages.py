"""Finds the messages of a package in its code.

A message is a literal text that is given to `text` or `texts`, whatever these are reached through. Each is noted with
its module, what it is said in, and how many characters there are for it where the contract of games says so.
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
    """A message as the code has it. many: of several things, empty where it is of no number. width: None for any."""

    one: str
    many: str
    module: str
    within: str
    width: int | None


class NotLiteral(Exception):
    """A message is put together before it is translated, so no catalogue can have it."""


def messages(package: str) -> Iterator[Message]:
    """Give every message in the code of a package, module by module. Raises NotLiteral."""
    for name, source in _modules(resources.files(package), package.replace(".", "/")):
        yield from _Reader(name).read(source)


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

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._enter(node, node.name)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._enter(node, node.name)

    def visit_Call(self, node: ast.Call) -> None:
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
