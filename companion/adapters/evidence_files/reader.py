"""Reads evidence files, also while the box writes others. Writes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.evidence.keeping import StoredFile
from companion.files.reading import MIB, NotThere, read_file

if TYPE_CHECKING:
    from pathlib import Path

SUFFIX = ".jsonl"
MOST_BYTES = 16 * MIB
"""A race's edges are some kilobytes; those of a chattering line for the longest window are below 4 MiB."""


def evidence_folder(state_directory: Path) -> Path:
    """Give where a box keeps its evidence: beside the journal."""
    return state_directory / "evidence"


def path_of(folder: Path, sha256: str) -> Path:
    """Give where the evidence of that hash lies, whether it is there or not."""
    return folder / f"{sha256}{SUFFIX}"


def find_evidence(folder: Path, sha256: str) -> bytes | None:
    """Give the bytes stored under a hash, altered ones too; None where there are none.

    Raises Unavailable; Malformed where they are far more than a race leaves.
    """
    path = path_of(folder, sha256)
    try:
        return read_file(path, MOST_BYTES)
    except NotThere:
        return None


def stored_evidence(folder: Path) -> list[StoredFile]:
    """Give what is stored. Raises OSError; a folder that is not there yet is empty."""
    if not folder.exists():
        return []
    return [StoredFile(path.stem, path.stat().st_mtime) for path in folder.glob(f"{'?' * 64}{SUFFIX}")]
