"""The packages that are installed in the guest: this checkout's, a newer one, and newer ones that are broken."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.hil.errors import HilError
from tests.hil.image import BUILD, REPOSITORY, content, only_builder
from tests.hil.packages import run

FOLDER = BUILD / "packages"
BUILDING = (REPOSITORY / "pyproject.toml", REPOSITORY / "hatch_build.py")
PROGRAM = Path("usr/lib/table-companion/package")
VERSION, NEWER, UNTRIED, UNSTARTED = "1.0.0", "1.1.0", "1.2.0", "1.3.0"


def build() -> Path:
    """Builds the package from this checkout unless it is the same as last time."""
    sources = [
        path
        for folder in ("companion", "systemd", "hardware/pinmap.toml")
        for path in sorted(_files(REPOSITORY / folder))
        if "__pycache__" not in path.parts
    ]
    key = "\n".join(f"{path.parent}/{content(path)}" for path in [*sources, *BUILDING])
    stamp = FOLDER / "built-from"
    package = FOLDER / f"table-companion_{VERSION}_amd64.deb"
    with only_builder(BUILD):
        FOLDER.mkdir(exist_ok=True)
        if package.exists() and stamp.exists() and stamp.read_text() == key:
            return package
        stamp.unlink(missing_ok=True)
        command = [
            sys.executable, str(REPOSITORY / "systemd" / "build_deb.py"), "--python", "3.11", "--version", VERSION,
            "--compress", "gzip", "--compile", "--out", str(FOLDER),
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise HilError(f"the package cannot be built:\n{done.stdout}{done.stderr}")
        stamp.write_text(key)
    return package


def _files(place: Path) -> list[Path]:
    return [place] if place.is_file() else [path for path in place.rglob("*") if path.is_file()]


def changed(package: Path, version: str, name: str, change: Callable[[Path], None], out: Path) -> Path:
    """Repacks a package as another version, with something changed in its tree."""
    tree = out / f"tree-{name}"
    run("dpkg-deb", "-R", str(package), str(tree))
    control = tree / "DEBIAN" / "control"
    control.write_text(control.read_text().replace(f"Version: {VERSION}", f"Version: {version}"))
    script = tree / "DEBIAN" / "postinst"
    script.write_text(script.read_text().replace(VERSION, version))
    change(tree)
    made = out / f"{name}.deb"
    run("dpkg-deb", "--root-owner-group", "-Znone", "--build", str(tree), str(made))
    shutil.rmtree(tree)
    return made


def newer(package: Path, out: Path) -> Path:
    """A newer version that works and can be told by what it says."""

    def mark(tree: Path) -> None:
        _append(tree, "companion/cli/status.py", f'\nVERSION_OF_TEST = "{NEWER}"\n')

    return changed(package, NEWER, "newer", mark, out)


def broken_libraries(package: Path, out: Path) -> Path:
    """A newer version whose compiled library is damaged: it cannot even be tried."""

    def damage(tree: Path) -> None:
        for library in (tree / PROGRAM / "python3.11" / "msgspec").glob("*.so"):
            library.write_bytes(library.read_bytes()[:1000])

    return changed(package, UNTRIED, "broken-libraries", damage, out)


def broken_start(package: Path, out: Path) -> Path:
    """A newer version in which everything can be imported and nothing starts."""

    def break_it(tree: Path) -> None:
        _append(
            tree,
            "companion/app/assembly.py",
            '\n\ndef build(*_, **__):\n    raise RuntimeError("this version is broken")\n',
        )

    return changed(package, UNSTARTED, "broken-start", break_it, out)


def _append(tree: Path, module: str, text: str) -> None:
    path = tree / PROGRAM / "python3.11" / module
    path.write_text(path.read_text() + text)
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()
