"""What a page takes from the tree, where it is kept once, and tested: pictures, files, diagrams. Knows no site builder.

A page is written so that it reads well in the repository too:

- a picture or file of the tree is linked by its path (`../tests/golden/readme/standing.png`); a picture comes into the
  site as it is, a text file that is linked on a line of its own is put in whole;
- `<!-- states: NAME -->` on a line of its own becomes the diagram and the table of `states.MACHINES`.

What is asked for and is not there raises LookupError, with the page's name.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from docs.making.drawing import svg, table
from docs.making.states import MACHINES

ROOT = Path(__file__).resolve().parents[2]
PICTURES = "tree"
"""The folder of the site that the tree's pictures are put into, by their paths."""

LANGUAGES = {".py": "python", ".toml": "toml", ".po": "po"}
"""How a file that is put in whole is coloured."""

_LINK = re.compile(r"(!?)\[([^\]]*)\]\(((?:\.\./)+[^)#\s]+)\)")
_STATES = re.compile(r"^<!-- states: (\S+) -->$", re.MULTILINE)


def outside(page: str, target: str) -> str | None:
    """Give the path in the repository that a page's link leads to, None where it stays within the pages."""
    path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), target))
    return None if path.startswith("docs/") else path


def expand(page: str, text: str) -> str:
    """Give a page's Markdown with everything taken in; `page` is its path below `docs`."""
    text = _STATES.sub(lambda match: _diagram(page, match[1]), text)
    return "\n".join(_expanded(page, line) for line in text.split("\n"))


def pictures(page: str, text: str) -> set[str]:
    """Give the paths of the tree's pictures that a page shows."""
    found = {outside(page, match[3]) for match in _LINK.finditer(text) if match[1]}
    return {path for path in found if path is not None}


def _expanded(page: str, line: str) -> str:
    whole = _LINK.fullmatch(line.strip())
    if whole is not None and not whole[1] and (path := outside(page, whole[3])) is not None:
        language = LANGUAGES.get(posixpath.splitext(path)[1], "text")
        return f'```{language} title="{path}"\n{existing(page, path).read_text(encoding="utf-8").rstrip()}\n```'
    return _LINK.sub(lambda match: _linked(page, match), line)


def _linked(page: str, match: re.Match[str]) -> str:
    path = outside(page, match[3])
    if path is None:
        return match[0]
    existing(page, path)
    if not match[1]:
        return f"{match[2]} (`{path}`)" if match[2].strip("`") != path else match[2]
    up = posixpath.relpath(PICTURES, posixpath.dirname(page) or ".")
    return f"![{match[2]}]({up}/{path})"


def existing(page: str, path: str) -> Path:
    """Give a file of the repository that a page names. Raises LookupError."""
    file = ROOT / path
    if not file.exists():
        raise LookupError(f"{page}: there is no {path} in the repository")
    return file


def _diagram(page: str, name: str) -> str:
    if name not in MACHINES:
        raise LookupError(f"{page}: there is no state machine {name!r}; there are: {', '.join(MACHINES)}")
    machine = MACHINES[name]()
    return f'<div class="drawing">{svg(machine)}</div>\n\n{table(machine)}'
