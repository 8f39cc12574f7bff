"""The package's bill of materials, CycloneDX 1.6: the program, each wheel in the package, what is compiled into it.

Made of what was really unpacked. Says of each component its version, hash, licence and where the licence's text is, and
of each file of the libraries whose it is. The same bytes for the same package.
"""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from systemd.supply.components import Component, Part, places_of_own_texts, places_of_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LIBRARIES = PurePosixPath("usr/lib/table-companion/package")
"""Where the package has the folders of libraries, one for each Python."""
DOCUMENTS = PurePosixPath("usr/share/doc/table-companion")
PLACE = DOCUMENTS / "sbom.cdx.json"
COPYRIGHT = DOCUMENTS / "copyright"
LICENCES = DOCUMENTS / "licences"
"""Where the package has the texts that wheels lack."""
TEXT = "table-companion:licence-text"
"""Names the property that says where in the package, or in every Debian, a licence's text is."""


def bill(version: str, architecture: str, epoch: int, program: Component, libraries: Sequence[Component]) -> str:
    """Give the bill as JSON.

    version: of the program, as Python has it; epoch: seconds since 1970, of the source.
    """
    root = {"type": "application", "bom-ref": "table-companion", **described(program)}
    root["name"], root["version"] = "table-companion", version
    root["purl"] = f"pkg:deb/table-companion@{version.replace('+', '%2B')}?arch={architecture}"
    del root["hashes"]  # its wheel is no file that anybody can fetch
    if program.parts:
        root["components"] = [of_part(each, program) for each in program.parts]
    components = [of_library(each) for each in sorted(libraries, key=lambda each: each.wheel.path.name)]
    told = {
        "metadata": {
            "timestamp": datetime.fromtimestamp(epoch, UTC).isoformat().replace("+00:00", "Z"),
            "component": root,
        },
        "components": components,
        "dependencies": dependencies(root.get("components", []), components),
    }
    serial = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(told, sort_keys=True))
    head = {"bomFormat": "CycloneDX", "specVersion": "1.6", "serialNumber": f"urn:uuid:{serial}", "version": 1}
    return json.dumps({**head, **told}, indent=1, ensure_ascii=False) + "\n"


def dependencies(within: Iterable[dict[str, Any]], components: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Say that the program needs what is within it and its libraries, and each of them what is compiled into it."""
    listed = list(components)
    needs = [
        ("table-companion", [*within, *listed]),
        *((each["bom-ref"], each.get("components", [])) for each in listed),
    ]
    return [{"ref": ref, "dependsOn": [each["bom-ref"] for each in under]} for ref, under in needs if under]


def described(one: Component) -> dict[str, Any]:
    """Say of a wheel what holds for programs and libraries."""
    folder = LIBRARIES / min(one.files)
    return {
        "name": one.wheel.name,
        "version": one.wheel.version,
        "hashes": [{"alg": "SHA-256", "content": one.wheel.sha256}],
        "licenses": [{"expression": one.licence}],
        "properties": properties(places_of_own_texts(one, folder, LICENCES)),
        "evidence": {"occurrences": [{"location": str(path)} for path in files(one)]},
    }


def of_library(one: Component) -> dict[str, Any]:
    """Say what a library is, and what is within it."""
    parts = [of_part(each, one) for each in one.parts]
    return {
        "type": "library",
        "bom-ref": one.wheel.purl,
        **described(one),
        "purl": one.wheel.purl,
        **({"components": parts} if parts else {}),
    }


def of_part(one: Part, library: Component) -> dict[str, Any]:
    """Say what is compiled into a library."""
    texts = places_of_texts(one, library, LIBRARIES / min(library.files), LICENCES)
    ref = f"{library.wheel.purl}#{one.name}" + (f"@{one.version}" if one.version else "")
    said: dict[str, Any] = {"type": "library", "bom-ref": ref, "name": one.name}
    if one.version:
        said["version"] = one.version
    said["licenses"] = [{"expression": one.licence}]
    if one.purl or one.version:
        said["purl"] = one.purl or f"pkg:generic/{one.name}@{one.version}"
    return {**said, "properties": properties(texts)}


def properties(texts: Iterable[PurePosixPath]) -> list[dict[str, str]]:
    """Say where the licence texts are, from the root of the system."""
    return [{"name": TEXT, "value": str(PurePosixPath("/") / path)} for path in texts]


def files(one: Component) -> list[PurePosixPath]:
    """Give what the package has of a wheel."""
    return [LIBRARIES / folder / place for folder in sorted(one.files) for place in one.files[folder]]
