"""Puts into the wheel and the sdist what is made as they are built, without writing to what git keeps.

That is the commit, as `companion/commit`, and in the wheel each catalogue of a language compiled (`.mo` beside `.po`).
The reader of codes for browsers is fetched into the checkout where it is not there yet and npm is; an sdist has it.

The commit is git's; in a tree that `git archive` made it is in `.git_archival.txt`, in an unpacked sdist already in
`companion/commit`. Where none of them knows it, there is no such file.
"""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import polib
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

INSTALLED = "companion/commit"
FETCH = Path("systemd/supply/pages/fetch")
READER = Path("companion/adapters/web/static/zxing/reader/zxing_reader.wasm")
COMMIT = re.compile(r"[0-9a-f]{40,64}")


class CommitHook(BuildHookInterface[Any]):
    """Hatchling's hook; it finds it by its base class."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files, but to an editable installation: that asks git, and reads its `.po`, whenever it is asked."""
        if version == "editable":
            return
        self._folder = Path(tempfile.mkdtemp(prefix="companion-build-"))
        root, included = Path(self.root), build_data["force_include"]
        if not has_reader(root):
            self.app.display_warning(
                "without the code reader: most phones will scan no cards (systemd/supply/pages/fetch)"
            )
        if (commit := commit_of(root)) is not None:
            included[self._write("commit", f"{commit}\n".encode())] = INSTALLED
        if self.target_name == "wheel":
            for number, path in enumerate(catalogues(root)):
                said = path.relative_to(root).with_suffix(".mo").as_posix()
                included[self._write(f"{number}.mo", compiled(path))] = said

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove what was written for the build."""
        if (folder := getattr(self, "_folder", None)) is not None:
            shutil.rmtree(folder, ignore_errors=True)

    def _write(self, name: str, content: bytes) -> str:
        path = self._folder / name
        path.write_bytes(content)
        return str(path)


def has_reader(root: Path) -> bool:
    """Fetch the reader of codes where a tree has what fetches it; tell whether it is there then."""
    fetch = root / FETCH
    if fetch.is_file():
        subprocess.run([fetch, "--if-possible"], check=False, stdout=subprocess.DEVNULL)  # noqa: S603 - this file only
    return (root / READER).is_file()


def catalogues(root: Path) -> list[Path]:
    """Give the catalogues of the program, its pages and its games, in an order that is always the same."""
    return sorted((root / "companion").rglob("locale/*.po"))


def compiled(path: Path) -> bytes:
    """Give a catalogue as gettext reads it at once, always the same bytes for the same catalogue."""
    binary: bytes = polib.pofile(path.read_text(encoding="utf-8")).to_binary()
    return binary


def commit_of(root: Path) -> str | None:
    """Give the commit of a source tree in full, None where nothing says it."""
    if (root / ".git").exists():
        return of_git(root)
    for place in (root / ".git_archival.txt", root / INSTALLED):
        if place.is_file() and (found := COMMIT.search(place.read_text(encoding="utf-8"))):
            return found[0]
    return None


def of_git(root: Path) -> str | None:
    """Ask git; None where it is not installed, does not trust the folder, or has no commit yet."""
    command = ["git", "-C", str(root), "rev-parse", "--verify", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - these words only
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None
