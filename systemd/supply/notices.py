"""The package's `copyright`: every component with its holders, licence and the whole text, as Debian's DEP-5 has it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from systemd.supply.bill import LIBRARIES
from systemd.supply.components import COMMON, IN_COMMON, TEXTS, Component, Part, alternatives

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

HOLDER = re.compile(r"^[^\w\n]{0,3}(?:copyright|©|\(c\))(?=[\s:]).*", re.IGNORECASE | re.MULTILINE)
"""A line that names who holds the copyright."""
NAMES = re.compile(r"copyright( notice| holder| owner| law| license| interest|s? and|ed)\b", re.IGNORECASE)
"""A line that only speaks of it."""


def copyright_file(head: str, program: Component, libraries: Sequence[Component]) -> str:
    """Give the whole file. head: of the program, as `systemd/copyright` says it; what is within it follows."""
    ordered = sorted(libraries, key=lambda each: (each.wheel.name, each.wheel.path.name))
    first = {each.wheel.name: each for each in reversed(ordered)}  # one of several wheels of a version
    within = [of_part(part, program) for part in program.parts]
    return "\n".join(
        [head.rstrip("\n"), "", *within, *(stanza for name in sorted(first) for stanza in stanzas(first[name]))]
    )


def stanzas(one: Component) -> list[str]:
    """Give what is said of one library and of what is within it."""
    texts = [*one.own_texts.values(), *(read(name) for name in one.texts)]
    source = one.source and f"Comment: Source: {one.source}\n"
    places = " ".join(sorted({f"{LIBRARIES}/*/{top}" for top in tops(one)}))
    whole = "\n\n".join(text.strip("\n") for text in texts)
    written = [f"Files: {places}\nCopyright: {holders(whole)}\nLicense: {one.licence}\n{folded(whole)}\n{source}"]
    return [*written, *(of_part(part, one) for part in one.parts)]


def of_part(part: Part, library: Component) -> str:
    """Say what is compiled into a library. DEP-5 knows files only: so it is a comment to the library's."""
    name = f"{part.name} {part.version}" if part.version else part.name
    places = " ".join(sorted(f"{LIBRARIES}/*/{path}" for path in ({part.place} if part.place else binaries(library))))
    if part.texts:
        whole = "\n\n".join(read(each).strip("\n") for each in part.texts)
        return (f"Files: {places}\nCopyright: {holders(whole)}\nLicense: {part.licence}\n{folded(whole)}\n"
                f"Comment: {name}, compiled into {library.wheel.name}\n")  # fmt: skip
    common = [one for one in alternatives(part.licence) if all(each in IN_COMMON for each in one)]
    where = " and ".join(f"{COMMON}/{each}" for each in common[0]) if common else f"the text of {library.wheel.name}"
    return (f"Files: {places}\nCopyright: the authors of {part.name}\nLicense: {part.licence}\n See {where}.\n"
            f"Comment: {name}, compiled into {library.wheel.name}\n")  # fmt: skip


def read(name: str) -> str:
    """Give a text of `licences/`."""
    return (TEXTS / name).read_text(encoding="utf-8")


def tops(one: Component) -> set[str]:
    """Give the top of each folder that a library has, as DEP-5 writes patterns."""
    places = next(iter(one.files.values()))
    return {f"{place.parts[0]}/*" if len(place.parts) > 1 else abi_free(place.name) for place in places}


def binaries(one: Component) -> set[str]:
    """Give what is compiled in a library, whatever the Python; all of it where a build left no binary."""
    places = next(iter(one.files.values()))
    return {abi_free(str(place)) for place in places if ".so" in place.name} or tops(one)


def abi_free(name: str) -> str:
    """Give a file's name for every Python and machine."""
    return re.sub(r"\.cpython-[^/]*\.so$", ".*.so", name)


def holders(text: str) -> str:
    """Give who holds the copyright, as the text says; each once, in its order."""
    found = [line.strip(" *#-\t") for line in HOLDER.findall(text) if not NAMES.search(line)]
    return "\n ".join(dict.fromkeys(found)) or "the authors that the text names"


def folded(text: str) -> str:
    """Give a text as the continuation of a field: indented, an empty line as a dot."""
    lines: Iterable[str] = (line.rstrip().expandtabs(4) for line in text.splitlines())
    return "\n".join(f" {line}" if line else " ." for line in lines)
