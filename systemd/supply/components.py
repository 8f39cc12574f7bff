"""The components of the Debian package: what `components.toml` says of each library, and what its wheel does.

A library that is not in the table, one of another version than was looked at, a licence without its text: each is an
error, so that nothing is packed on terms that nobody has read.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from systemd.supply import wheels

if TYPE_CHECKING:
    from systemd.supply.wheels import Wheel

HERE = Path(__file__).resolve().parent
TABLE = HERE / "components.toml"
TEXTS = HERE / "licences"

PAGES = HERE / "pages" / "components.toml"
FETCHED = "companion/adapters/web/static/zxing/*"
"""Where in the program's wheel is what its pages bring along."""
PROGRAM: dict[str, dict[str, Any]] = {
    "table-companion": {
        "licence": "MIT",
        "within": [{**each, "place": FETCHED} for each in tomllib.loads(PAGES.read_text(encoding="utf-8"))["within"]],
    }
}
"""What `components.toml` does not say: the program itself, and what its pages bring along."""

COMMON = PurePosixPath("/usr/share/common-licenses")
"""Where every Debian has the texts of the licences in use most."""
IN_COMMON = ("Apache-2.0",)
"""Those of them that are referred to; for all others the package brings the text."""
UNCONDITIONAL = ("0BSD",)
"""Licences that do not ask for their text to be passed on."""


class ComponentError(Exception):
    """A component is not known well enough to be passed on; its text says which and why."""


@dataclass(frozen=True)
class Part:
    """Something that is compiled into a library's wheel."""

    name: str
    version: str | None
    """None where neither its wheel nor the table says it."""
    licence: str
    """SPDX expression."""
    texts: tuple[str, ...] = ()
    """Files in `licences/` that apply to it alone; without, its library's texts have its own."""
    purl: str | None = None
    place: str = ""
    """The files that it is in, as a pattern within the wheel; empty for what is compiled in it."""


@dataclass
class Component:
    """One library, of one wheel."""

    wheel: Wheel
    licence: str
    """SPDX expression."""
    own_texts: dict[PurePosixPath, str]
    """Licence texts in the wheel, by their places among the libraries."""
    texts: tuple[str, ...] = ()
    """Licence texts from `licences/`, which its wheel lacks."""
    parts: tuple[Part, ...] = ()
    source: str = ""
    """Where its source is, for those whose licence asks that it be said."""
    files: dict[str, list[PurePosixPath]] = field(default_factory=dict)
    """What was unpacked: by folder of libraries ("python3.11"), the files in it."""


def table() -> dict[str, dict[str, Any]]:
    """Give what is known of each library, by its normalised name."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def component(found: Wheel, known: dict[str, dict[str, Any]]) -> Component:
    """Give what is to be said of one wheel. Raises ComponentError."""
    if found.name not in known:
        raise ComponentError(f"{found.name}: {TABLE.name} does not know it; say its licence there")
    said = known[found.name]
    if said.get("of", found.version) != found.version:
        raise ComponentError(f"{found.name}: {TABLE.name} says what is within {said['of']}, not {found.version}")
    own_word = wheels.metadata(found).get("License-Expression", said["licence"])
    if own_word != said["licence"]:
        raise ComponentError(f"{found.name}: it says {own_word} of itself, {TABLE.name} says {said['licence']}")
    texts = tuple(said.get("texts", ()))
    own = wheels.licences(found)
    if not own and not texts:
        raise ComponentError(f"{found.name}: its wheel has no licence text; put one into {TEXTS.name}/")
    made = Component(found, said["licence"], own, texts, parts_of(found, said), said.get("source", ""))
    hold_shared_libraries(made, said)
    return made


def parts_of(found: Wheel, said: dict[str, Any]) -> tuple[Part, ...]:
    """Give what is compiled in: of the table, and of the wheel's own bill where the table trusts it."""
    within = {each["name"]: each for each in said.get("within", ())}
    if not said.get("own_bill"):
        return tuple(part(each, {}) for each in within.values())
    bill = [each for each in wheels.own_bills(found) if each["name"] not in said["builds_only"]]
    if missing := set(within) - {each["name"] for each in bill}:
        raise ComponentError(f"{found.name}: its own bill does not name {', '.join(sorted(missing))}")
    return tuple(part(within.get(each["name"], {}), each) for each in bill)


def part(said: dict[str, Any], billed: dict[str, Any]) -> Part:
    """Give one part from what the table and the wheel's bill say; the table is right. Raises ComponentError."""
    name: str = said.get("name") or billed["name"]
    expressions = [each["expression"] for each in billed.get("licenses", ()) if "expression" in each]
    licence = said.get("licence") or " AND ".join(expressions)
    if not licence:
        raise ComponentError(f"{name}: nobody says its licence")
    # What a bill calls a file of the machine that built the wheel means nothing here.
    purl = (billed.get("purl") or "").partition("?")[0] or None
    version, texts = said.get("version", billed.get("version")), tuple(said.get("texts", ()))
    return Part(name, version, licence, texts, purl, said.get("place", ""))


def hold_shared_libraries(made: Component, said: dict[str, Any]) -> None:
    """Hold the shared libraries in a wheel's `NAME.libs` against the table. Raises ComponentError."""
    patterns = [pattern for each in said.get("within", ()) for pattern in each.get("file", ())]
    there = [place.name for place, _ in wheels.members(made.wheel) if place.parts[0].endswith(".libs")]
    if strangers := [name for name in there if not any(fnmatchcase(name, each) for each in patterns)]:
        raise ComponentError(f"{made.wheel.name}: {TABLE.name} does not know {', '.join(strangers)} in it")
    if gone := [each for each in patterns if not any(fnmatchcase(name, each) for name in there)]:
        raise ComponentError(f"{made.wheel.name}: no {', '.join(gone)} in it, which {TABLE.name} names")


def alternatives(expression: str) -> list[list[str]]:
    """Give the ways to satisfy an SPDX expression: each a list of licences that apply together.

    "A OR B AND C" is [["A"], ["B", "C"]]. Parentheses are not read; an expression with them is one licence.
    """
    if "(" in expression:
        return [[expression]]
    return [one.split(" AND ") for one in expression.split(" OR ")]


def places_of_texts(one: Part, own: Component, folder: PurePosixPath, licences: PurePosixPath) -> list[PurePosixPath]:
    """Give where the package has the texts for a part. folder: of the libraries; licences: of what `licences/` has."""
    if one.texts:
        return [licences / name for name in one.texts]
    for together in alternatives(one.licence):
        if all(each in IN_COMMON for each in together):
            return [COMMON / each for each in together]
    return places_of_own_texts(own, folder, licences)


def places_of_own_texts(own: Component, folder: PurePosixPath, licences: PurePosixPath) -> list[PurePosixPath]:
    """Give where the package has a library's own licence texts."""
    return [*(folder / place for place in own.own_texts), *(licences / name for name in own.texts)]
