"""What this box's certificate gives to its sources, and for what it is weighed. Part of `app`.

A certificate holds for one way of reading the buttons. The way that gpiozero reads by is only known when its pins are
open: it is weighed for the source that it names, and the source takes it only if that is what it has become.
"""

from __future__ import annotations

import hashlib
import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from companion.adapters.certificate import files
from companion.adapters.keys.box_key import BoxKey
from companion.adapters.machine.board import this_board
from companion.core.errors import CompanionError
from companion.core.timing.certificate import Certified, Circumstances, Present, read_certificate, weigh

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from companion.core.timing.certificate import Check, Weighed
    from companion.ports import ButtonSource

LOG = logging.getLogger("companion")
ID_DIGITS = 16
WIRED = ("gpiod", "gpiozero", "pods")
"""The sources that a loop of wire can be about, as opposed to phones and simulations."""
NOT_CERTIFIED = "not certified"


def box_id(key: bytes) -> str:
    """Give the box's id: the beginning of its public key's SHA-256."""
    return hashlib.sha256(key).hexdigest()[:ID_DIGITS]


def circumstances(source: str, key: bytes | None) -> Circumstances:
    """Say how things are on this board now; source: as `source_name` gives it."""
    board = this_board()
    return Circumstances(box_id(key) if key else "", board.model, board.serial, board.kernel, source)


def weigh_file(
    path: Path, lines: Mapping[str, int], check: Check | None = None, source: str | None = None
) -> Weighed | None:
    """Weigh the certificate at `path`, in the state directory; None where there is none.

    check: of the signature; None takes the file's word for it, as a box does at its start: whoever can change this file
    can change the box's settings too, and the library would cost it ten megabytes. source: None for the one it names.

    Raises Malformed, Unavailable where it cannot be read.
    """
    data = files.read(path)
    if data is None:
        return None
    key = own_key(path.parent)
    if source is None:
        source = read_certificate(data).circumstances.source
    return weigh(data, check, Present(circumstances(source, key), lines, key, datetime.now(UTC)))


def own_key(folder: Path) -> bytes | None:
    """Give the box's public key; None where it has none that can be read."""
    try:
        return BoxKey(folder).public_key()
    except CompanionError as error:
        LOG.info("the box's key cannot be read: %s", error)
        return None


def certified(path: Path, lines: Mapping[str, int], source: str | None = None) -> Certified | None:
    """Give what a source may take from its certificate; None, with a word in the log, where that is nothing.

    source: as for `weigh_file`.
    """
    try:
        found = weigh_file(path, lines, source=source)
    except CompanionError as error:
        LOG.warning("not certified: %s", error)
        return None
    if found is None:
        return None
    if not found.is_valid:
        LOG.warning("the certificate is not valid: %s", "; ".join(found.faults))
        return None
    certificate = found.certificate
    source, added_ns = certificate.circumstances.source, certificate.worst_difference_ns
    return Certified(source, added_ns, found.sha256, certificate.merge_ns)


def remark_of(sources: Iterable[ButtonSource]) -> str:
    """Say for the start screen that presses come from wires that no certificate is about; empty where none do."""
    wired = [source for source in sources if source.name in WIRED]
    missing = [source.name for source in wired if source.certificate is None]
    if not missing:
        return ""
    return NOT_CERTIFIED if len(missing) == len(wired) else f"{', '.join(missing)} {NOT_CERTIFIED}"
