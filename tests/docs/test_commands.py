"""Every command that a text names is there, with the options that it is given: in messages, docs and catalogues."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from companion.cli.main import companion

ROOT = Path(__file__).parents[2]
FOLDERS = ("companion", "docs", "examples", "hardware", "systemd", ".github")
KINDS = {".py", ".md", ".html", ".po", ".toml", ".script", ".service", ".yml", ".rules", ""}
NAMED = re.compile(r"(?<![\w./\-«])(?<![Tt]able )companion ((?:[a-z][a-z-]*)(?: [^`\"'\n;:,()»]*)?)")
"""What follows the program's name; the product's name, «Table companion», is none."""
PROSE = {
    "companion": {"again", "and", "are", "buzzer", "cannot", "is", "or", "pages"},
    "a group": {
        "and",
        "are",
        "does",
        "has",
        "is",
        "lists",
        "makes",
        "reads",
        "says",
        "shows",
        "tries",
        "with",
        "writes",
    },
}
"""Words that go on in a sentence after the name of the program, or of a group of commands."""
NO_TEXT = {"companion/adapters/gpio/outputs/gpiod_output.py"}


def texts():
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file()]
    for path in [*files, *ROOT.glob("*.md")]:
        inner = path.relative_to(ROOT)
        if path.suffix in KINDS and not {"build", "__pycache__", "fabrication"} & set(inner.parts):
            try:
                yield str(inner), path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue


def wrong(said: str) -> str | None:
    """Say what is wrong with a command as it is named, without the program's name; None where nothing is."""
    words = said.split()
    command: click.Command = companion
    name = "companion"
    while isinstance(command, click.Group) and words and re.fullmatch(r"[a-z][a-z-]*", words[0].rstrip(".")):
        word = words.pop(0).rstrip(".")
        found = command.get_command(click.Context(command), word)
        if found is None:
            kind = "companion" if command is companion else "a group"
            return None if word in PROSE[kind] else f"{name} has no {word}"
        command, name = found, f"{name} {word}"
    options = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    for word in words:
        option = re.match(r"--[a-z][a-z-]*", word)
        if option and option[0] not in {*options, "--help"}:
            return f"{name} has no {option[0]}"
    return None


def test_every_command_and_option_that_a_text_names_is_there():
    found = {}
    named = 0
    for path, text in texts():
        if path in NO_TEXT:
            continue
        for match in NAMED.finditer(text):
            named += 1
            if why := wrong(match[1]):
                found[f"{path}:{text.count(chr(10), 0, match.start()) + 1}"] = f"{why}: companion {match[1]}"
    assert found == {}
    assert named > 200


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("labels out.pdf", "companion has no labels"),
        ("deck lables", "companion deck has no lables"),
        ("deck labels --at 3,2 --onyl", "companion deck labels has no --onyl"),
        ("deck labels --at 3,2 --only X.", None),
        ("doctor", None),
        ("inputs lists it", None),
    ],
)
def test_what_is_not_there_is_found(said, why):
    assert wrong(said) == why
