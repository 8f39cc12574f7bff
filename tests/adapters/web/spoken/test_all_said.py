"""Every text for people in the pages' scripts is given to `say`, and every message is in each language.

The scripts are read literal by literal: one that stands where text for people does (a child or an attribute of an
element, a sentence or a word with a capital) is found unless `say` or `sayMany` has it.
"""

from __future__ import annotations

import re
from pathlib import Path

import polib
import pytest

import companion
from companion.adapters.web import pages
from companion.testing.extraction.templates import OURS, template

SCRIPTS = sorted((pages.STATIC / "js").rglob("*.js"))
LOCALE = Path(companion.__file__).parent / "adapters/web/locale"
LANGUAGES = ("de", "fr", "it")
_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/"""
    r"""|(?<=[=(,:\[!&|?{};\n ])/(?![*/ ])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*(?=[\s.,;)\]])"""
    r"""|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`""",
    re.DOTALL,
)
_GIVEN = re.compile(r"\b(?:say|sayMany)\(\s*(?:\"(?:[^\"\\\n]|\\.)*\"\s*[,+]\s*)*$")
_IS_NO_TEXT = re.compile(
    r"""(?:\bfrom|\bimport|\bcase|[=!]==)\s*$"""
    r"""|\b(?:h|s|byId|on|get|getItem|setItem|removeItem|querySelector(?:All)?|closest|namedItem|setAttribute|matches"""
    r"""|add|toggle|remove|getAttribute|removeAttribute|createElementNS|getContext|addEventListener|startsWith|split"""
    r"""|join|isIn|maybe|part|act|post|term|answer|tool|plate|small|choice|tick|number|button|ask|Error|matchMedia"""
    r"""|read|includes|latch|set|replace|replaceAll|test|dispatchEvent|Refused)\((?:[^()\"]*,)?\s*$"""
    r"""|\b(?:class|type|id|href|role|autocomplete|autocapitalize|inputmode|pattern|accept|rel|src|for|name|method|kind"""
    r"""|d|viewBox|transform|fill|stroke|preserveAspectRatio|download|target|wrap|popover|list|cache|symbol|color"""
    r"""|navigationUI|key|place|mood|do|value|spellcheck|loading):\s*$"""
    r"""|"(?:data-[a-z-]+|stroke-[a-z]+|text-anchor|content-type|fill-rule"""
    r"""|aria-(?:keyshortcuts|describedby|labelledby|haspopup|live|hidden|pressed))":\s*$"""
)
_SHOWN = re.compile(r"""(?:\b(?:title|alt|placeholder|label|yes)|"aria-label"):\s*$|textContent\s*=\s*$""")
"""Before what is shown or read out, whatever it is."""
EXCEPTIONS = {
    "PIN": "called so in every language",
    "OK": "called so in every language",
    "PDF": "a format's name",
    "JSON Lines": "a format's name",
    "English": "a language's own name",
    "Deutsch": "a language's own name",
    "QWERTY": "a layout's name",
    "Alt+V": "a key",
    "knob push": "the box's own name of a button",
    "companion": "the program's name",
    "my-file.toml": "a file's name, as an example",
}
"""Text that is no message, each with its reason."""
_NAMES_OF_PARTS = frozenset(
    ("wrong card entered", "wrong button", "agreed by all", "a card fell over",  # as the record has them
     "waits for its card", "answers what the box asks", "time is up", "your choice", "little time", "not recorded",
     "lies face down", "dead heat", "too late", "replace a call", "go on", "seat leaves",  # of the API
     "plate said")  # of the styles
)  # fmt: skip


def unsaid(source: str) -> list[str]:
    """Give the literal texts of a script that somebody reads and `say` does not have."""
    found = []
    for token in _TOKEN.finditer(source):
        literal = token[0]
        if literal[0] not in '"`' or literal.count("${") != literal.count("}"):  # one within another: its texts stand
            continue  # by themselves
        before = source[max(0, token.start() - 400) : token.start()]
        if _GIVEN.search(before):
            continue
        words = re.sub(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", "", literal[1:-1]) if literal[0] == "`" else literal[1:-1]
        if _reads_as_text(words, before, source[token.end() :]) and words not in EXCEPTIONS:
            found.append(literal)
    return found


def _reads_as_text(words: str, before: str, after: str) -> bool:
    if not re.search(r"[^\W\d_]{2}", words) or words in _NAMES_OF_PARTS:
        return False
    if _SHOWN.search(before):
        return True
    if _IS_NO_TEXT.search(before) or after.startswith(":"):
        return False
    if re.match(r"(?:[#./\[:?]|is-|https?:|M\d|companion |Key|Digit|Arrow|Shift\+|Page|[a-z]+=)", words):
        return False
    if re.search(r"[.…?!:] |[.…]$|[’“”✓✕★▸○≈⚑●←]", words):
        return True
    if re.fullmatch(r"[A-Z][a-z]+(?: [A-Za-z’-]+)*[?…]?", words):
        return words not in {"Escape", "Enter", "Home", "End", "GET", "POST", "Tab", "Infinity"}
    return re.fullmatch(r" ?[a-z’-]+(?: [a-z’-]+)+[ ,:]*", words) is not None and not re.search(r"\bis-|-", words)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.relative_to(pages.STATIC / "js").as_posix())
def test_every_text_of_a_script_is_given_to_say(script):
    assert unsaid(script.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        'h("p", null, "Nobody plays.")',
        'h("p", { class: "sentence" }, "not playing")',
        'h("button", { type: "button", "aria-label": "turn" })',
        'h("img", { alt: "code" })',
        'h("p", null, `${count} lines are here.`)',
        'found.textContent = "done"',
        'h("p", null, say("One."), "Other.")',
    ],
)
def test_a_text_that_nobody_says_is_found(source):
    assert len(unsaid(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        'h("p", { class: "problem big", id: "x" }, say("Nobody plays."))',
        'say("One thing, "\n  + "and another.")',
        'sayMany("{count} line", "{count} lines", count)',
        '// "Nobody plays."\nact("/api/end", {})',
        'h("p", null, `${name} ${number}`)',
    ],
)
def test_what_is_said_or_no_text_is_not_found(source):
    assert unsaid(source) == []


def style_says(style: str) -> list[str]:
    """Give the words that a style adds to a page."""
    quoted = [text for value in re.findall(r"content:([^;}]*)", style) for text in re.findall(r'"([^"]*)"', value)]
    return [text for text in quoted if re.search(r"[A-Za-z]{2}", text)]


def test_no_style_says_anything():
    styles = sorted((pages.STATIC / "css").rglob("*.css"))
    assert {path.name: said for path in styles if (said := style_says(path.read_text(encoding="utf-8")))} == {}
    assert style_says('li::before { content: " · " attr(data-lost) "or"; }') == ["or"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_in_each_language_with_its_placeholders(language):
    catalogue = polib.pofile((LOCALE / f"{language}.po").read_text("utf-8"))
    told = {(entry.msgid, entry.msgid_plural): entry for entry in catalogue if not entry.obsolete}
    made = {(entry.msgid, entry.msgid_plural) for entry in template(OURS[1])}
    assert made - set(told) == set()
    assert [entry.msgid for entry in catalogue.fuzzy_entries()] == []
    assert [entry.msgid for key, entry in told.items() if key in made and not all(_said(entry))] == []
    assert [said for entry in told.values() for said in _said(entry) if not _has_all(entry, said)] == []


def _said(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


def _has_all(entry: polib.POEntry, said: str) -> bool:
    """Tell whether what is filled in has its places; of one thing, its number may be left unsaid."""
    if entry.msgid_plural:
        return set(_marks(said)) | {"{count}"} == set(_marks(entry.msgid_plural)) | {"{count}"}
    return _marks(said) == _marks(entry.msgid)


def _marks(words: str) -> list[str]:
    return sorted(re.findall(r"\{\w+\}|</?\w+[^>]*>", words))
