"""A small part of Markdown as HTML: what help texts and the rules of games are written in. Pure.

Headings (`#` to `###`, each with an anchor: its words, or what `{#anchor}` behind them says, by which a translation
keeps those of its original), paragraphs, lists (`-`, `1.`), tables, `**strong**`, `` `code` ``,
`[words](address)` with an address of this box (`/…`, `#…`). Anything else is plain text: nothing a game's package
brings can become an element or a script.
"""

from __future__ import annotations

import re
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from companion.screens.text.terms import anchor_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_HEADING = re.compile(r"(#{1,3}) +(.+?)(?: +\{#([a-z0-9-]+)\})?")
_ITEM = re.compile(r"(-|\d+\.) +(.+)")
_INLINE = re.compile(r"\*\*(.+?)\*\*|`([^`]+)`|\[([^\]]+)\]\(([/#][^)\s]*)\)")


class Heading(NamedTuple):
    """A heading of a text. level: 1 to 3; anchor: its place in the page's address."""

    level: int
    words: str
    anchor: str


def html_of(text: str) -> str:
    """Give a text as HTML."""
    return "\n".join(_block(block) for block in _blocks(text))


def headings(text: str) -> tuple[Heading, ...]:
    """Give every heading of a text, in order."""
    found = (_heading(block[0]) for block in _blocks(text))
    return tuple(one for one in found if one is not None)


def _heading(line: str) -> Heading | None:
    found = _HEADING.fullmatch(line)
    return None if found is None else Heading(len(found[1]), found[2], found[3] or anchor_of(found[2]))


def _blocks(text: str) -> Iterator[list[str]]:
    """Give the lines of each block; a heading is one by itself, others end at an empty line."""
    for is_empty, lines in groupby(text.splitlines(), key=lambda line: not line.strip()):
        if is_empty:
            continue
        rest: list[str] = []
        for line in lines:
            if _HEADING.fullmatch(line):
                if rest:
                    yield rest
                yield [line]
                rest = []
            else:
                rest.append(line)
        if rest:
            yield rest


def _block(lines: Sequence[str]) -> str:
    if found := _heading(lines[0]):
        return f'<h{found.level} id="{found.anchor}">{inline(found.words)}</h{found.level}>'
    if _ITEM.fullmatch(lines[0]):
        return _list(lines)
    if all(line.startswith("|") for line in lines) and len(lines) > 1:
        return _table(lines)
    return f"<p>{inline(' '.join(line.strip() for line in lines))}</p>"


def _list(lines: Sequence[str]) -> str:
    items: list[str] = []
    for line in lines:
        found = _ITEM.fullmatch(line)
        if found is not None:
            items.append(found[2])
        else:
            items[-1] += f" {line.strip()}"
    name = "ul" if lines[0].startswith("-") else "ol"
    return f"<{name}>{''.join(f'<li>{inline(item)}</li>' for item in items)}</{name}>"


def _table(lines: Sequence[str]) -> str:
    head, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if set(line) - set("|-: ")]
    first = "".join(f'<th scope="col">{inline(cell)}</th>' for cell in head)
    others = "".join(f"<tr>{''.join(f'<td>{inline(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{first}</tr></thead><tbody>{others}</tbody></table>"


def inline(text: str) -> str:
    """Give one run of text as HTML: strong, code, links to this box's own addresses; everything else escaped."""
    out, at = [], 0
    for found in _INLINE.finditer(text):
        out.append(escape(text[at : found.start()]))
        strong, code, words, address = found.groups()
        if strong is not None:
            out.append(f"<strong>{escape(strong)}</strong>")
        elif code is not None:
            out.append(f"<code>{escape(code)}</code>")
        elif address.startswith("//"):
            out.append(escape(words))
        else:
            out.append(f'<a href="{escape(address)}">{escape(words)}</a>')
        at = found.end()
    return "".join([*out, escape(text[at:])])
