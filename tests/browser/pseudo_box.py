"""A box that speaks the language that nobody speaks, too: its pages, its program and its games."""

from __future__ import annotations

import os
from pathlib import Path

from tests.browser.box import ROOT

CODE = "xx"
_AT_START = """
from companion.config import languages as there
from companion.testing.extraction.templates import OURS, template
from tests.words.pseudo import PSEUDO, pseudo

known, one, words = there.languages, there.language, there.entries
there.languages = lambda package: (*known(package), PSEUDO.code)
there.language = lambda code: PSEUDO if code == PSEUDO.code else one(code)
there.entries = lambda package, code: (
    {
        entry.msgid: [pseudo(entry.msgid), pseudo(entry.msgid_plural)] if entry.msgid_plural else pseudo(entry.msgid)
        for entry in template(OURS[1])
    }
    if code == PSEUDO.code
    else words(package, code)
)
"""


def with_pseudo(folder: Path) -> str:
    """Give a PYTHONPATH of a box that has it, as `xx`: what is done there is done before the program begins."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sitecustomize.py").write_text(_AT_START, encoding="utf-8")
    return os.pathsep.join((str(folder), str(ROOT)))
