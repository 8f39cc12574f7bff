"""Nobody outside `config/` and `app/` takes the whole `Settings`: each gets the frozen part that it needs.

Read from the syntax trees. Outside those two, one module reads the settings for the command line, and hands them to
nobody: a command takes parts of what it gives (`settings.pods`), and passes the whole at most to a function of `config`
or `app` itself.
"""

from __future__ import annotations

import ast

import pytest

from tests.test_imports import PACKAGE, modules

MAY_SEE = {"config", "app"}
READER = "cli.options"
"""The one module outside that may name the type and read the file: it gives the settings to commands."""
READS = "read_settings"
"""What it gives them by."""

OUTSIDE = [(module, source) for module, source in modules(PACKAGE) if module.split(".")[0] not in MAY_SEE]


def breaches(module: str, source: str) -> list[str]:
    """Give where a module outside takes the whole, or hands it to one that is outside too."""
    if not any(name in source for name in ("Settings", "config.reading", READS)):
        return []  # most modules are not even parsed
    tree = ast.parse(source)
    named = [] if module == READER else _named(tree)
    return [f"companion.{module}:{line}: {why}" for line, why in (*named, *_handed_on(tree))]


def _named(tree: ast.AST) -> list[tuple[int, str]]:
    """Give where the type is named, in whatever way, or the file is read."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            forbidden = {"companion.config.settings": "Settings", "companion.config.reading": "load"}
            name = forbidden.get(node.module or "")
            found += [(node.lineno, f"imports {name}") for alias in node.names if alias.name == name]
        elif isinstance(node, ast.Attribute) and node.attr == "Settings":
            found.append((node.lineno, "names Settings"))
    return found


def _handed_on(tree: ast.AST) -> list[tuple[int, str]]:
    """Give where what `read_settings` gave is used otherwise than by one of its parts."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    insiders = _insiders(tree)
    found = []
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        wholes = [node for node in ast.walk(function) if isinstance(node, ast.Call) and _is_reading(node)]
        names = {
            target.id
            for whole in wholes
            if isinstance(assigned := parents[whole], ast.Assign)
            for target in assigned.targets
            if isinstance(target, ast.Name)
        }
        uses: list[ast.expr] = [node for node in wholes if not isinstance(parents[node], ast.Assign)]
        uses += [node for node in ast.walk(function) if isinstance(node, ast.Name) and _is_used(node, names)]
        found += [(use.lineno, "hands the whole on") for use in uses if not _is_allowed(use, parents[use], insiders)]
    return found


def _insiders(tree: ast.AST) -> set[str]:
    """Give the names that a module has from `config` and `app`."""
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[:1] == ["companion"]
        if (node.module or "").split(".")[1:2] and (node.module or "").split(".")[1] in MAY_SEE
        for alias in node.names
    }


def _is_reading(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == READS


def _is_used(node: ast.Name, names: set[str]) -> bool:
    return node.id in names and isinstance(node.ctx, ast.Load)


def _is_allowed(use: ast.AST, parent: ast.AST, insiders: set[str]) -> bool:
    if isinstance(parent, ast.Attribute):
        return True
    return (
        isinstance(parent, ast.Call) and use in parent.args
        and isinstance(parent.func, ast.Name) and parent.func.id in insiders
    )  # fmt: skip


@pytest.mark.parametrize(("module", "source"), [pytest.param(*both, id=both[0]) for both in OUTSIDE])
def test_nobody_outside_takes_the_whole_settings(module: str, source: str) -> None:
    assert breaches(module, source) == []


def test_the_reader_is_there_and_needs_its_leave() -> None:
    source = dict(OUTSIDE)[READER]
    assert {why for _, why in _named(ast.parse(source))} == {"imports Settings", "imports load"}
    assert f"def {READS}(" in source


@pytest.mark.parametrize(
    "source",
    [
        "from companion.config.settings import Settings",
        "if TYPE_CHECKING:\n    from companion.config.settings import Pods, Settings as All",
        "from companion.config import settings\ndef f(whole: settings.Settings) -> None: ...",
        "from companion.config.reading import load",
        "def command():\n    doctor(read_settings(None))",
        "def command():\n    return read_settings(None)",
        "def command():\n    settings = read_settings(None)\n    doctor(settings, buttons=True)",
        "def command():\n    settings = read_settings(None)\n    return settings, 3",
        "def command():\n    settings = read_settings(None)\n    box.settings = settings",
        "def command():\n    settings = read_settings(None)\n    later(lambda: settings)",
        "from companion.cli.pods import make\ndef command():\n    make(read_settings(None))",
    ],
)
def test_a_breach_is_seen(source: str) -> None:
    assert len(breaches("cli.newcomer", source)) >= 1


@pytest.mark.parametrize(
    "source",
    [
        "from companion.config.settings import Pods\ndef f(pods: Pods) -> None: ...",
        "def command():\n    list_pods(read_settings(None).pods)",
        "def command():\n    settings = read_settings(None)\n    doctor(settings.pods, settings.box.state_dir)",
        "def command():\n    from companion.app.run import run\n    return run(read_settings(None), 3)",
        "from companion.config.writing import render\ndef f():\n    whole = read_settings(None)\n    render(whole)",
    ],
)
def test_parts_may_be_taken_and_the_whole_go_to_the_app(source: str) -> None:
    assert breaches("cli.newcomer", source) == []
