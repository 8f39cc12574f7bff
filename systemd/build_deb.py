"""Builds the Debian package: the program and its libraries for each Python it is to run on, and the system's files.

Needs Python with venv, dpkg-deb and the network; no debhelper and no root. For amd64 and arm64 all libraries have
wheels, so either machine builds both packages. For 32-bit arm it must run on such a machine (Raspberry Pi OS knows
piwheels), and builds for that machine's own Python.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = ROOT / "build" / "deb"
PROGRAM = "usr/lib/table-companion"

MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
"""Debian's name to the wheels', where every library has wheels."""
PYTHONS = ("3.11", "3.13")
"""Of Bookworm and Trixie."""
GLIBC = range(17, 37)
"""Minor versions of glibc 2 whose wheels run on Bookworm (2.36) and later."""
EXTRAS = {"3.11": ("gpiod>=2.2", "mpremote>=1.24", "lgpio>=0.2.2.0"), "3.13": ("gpiod>=2.2", "mpremote>=1.24")}
"""On top of the program's own requirements: libgpiod 2, and what installs the pods' program. There are no wheels of
lgpio for 3.13, nor any for amd64: Debian has python3-lgpio there, and only gpiozero's way to the pins needs it."""
OLDER_PYTHON_NEEDS = ("typing_extensions>=4.10",)
"""What requirements marked for older Pythons name: pip judges markers by the Python it runs on, not the target's."""

FROM_SYSTEM = ("cryptography", "cffi", "_cffi_backend", "pycparser")
"""What a 32-bit package has from Debian's python3-cryptography instead: for armv6 there is no wheel of it."""

# Where the files of this folder go, and with which mode.
SYSTEM_FILES = {
    "companion": ("usr/bin/companion", 0o755),
    "show-fault": (f"{PROGRAM}/show-fault", 0o755),
    "companion.service": ("usr/lib/systemd/system/companion.service", 0o644),
    "companion-fault.service": ("usr/lib/systemd/system/companion-fault.service", 0o644),
    "table-companion.sysusers": ("usr/lib/sysusers.d/table-companion.conf", 0o644),
    "60-table-companion.rules": ("usr/lib/udev/rules.d/60-table-companion.rules", 0o644),
    "config.toml": ("etc/table-companion/config.toml", 0o644),
    "launch.py": (f"{PROGRAM}/package/launch.py", 0o644),
    "libraries.py": (f"{PROGRAM}/package/libraries.py", 0o644),
    "copyright": ("usr/share/doc/table-companion/copyright", 0o644),
}
SCRIPTS = ("postinst", "prerm", "postrm")

CONTROL = """\
Package: table-companion
Version: {version}
Architecture: {architecture}
Maintainer: Table Companion maintainers <table-companion@localhost>
Section: games
Priority: optional
Depends: {pythons}, {libraries}libc6 (>= 2.36), systemd (>= 252), udev
Recommends: python3-lgpio, sqlite3
Suggests: python3-spidev
Installed-Size: {kilobytes}
Description: referee box for games played with real cards
 Reads the arcade buttons of up to five players on the pins of a Raspberry Pi,
 says who was first, by how much and whether it was a good play, and keeps a
 record that anyone can judge again. Starts by itself at boot as the service
 "companion". Brings its Python libraries along, apart from the system's.
"""


class BuildError(Exception):
    """The package cannot be built; its text says why."""


def run(*command: str | Path, **env: str) -> str:
    """Run a program to its end and give what it printed. Raises BuildError."""
    done = subprocess.run(  # noqa: S603 - its callers are below
        [str(word) for word in command], capture_output=True, text=True, check=False, env={**os.environ, **env}
    )
    if done.returncode != 0:
        said = (done.stdout + done.stderr).strip()[-3000:]
        raise BuildError(f"`{' '.join(str(word) for word in command)}` failed:\n{said}")
    return done.stdout


def wheel_version(wheel: Path) -> str:
    """Give the version in a wheel's name."""
    return wheel.name.split("-")[1]


def debian_version(version: str) -> str:
    """Give a Python version as Debian orders it: what comes before a release has a tilde there.

    "0.2.0.dev3+g24c50f7" is "0.2.0~dev3+g24c50f7", "1.0.0rc1" is "1.0.0~rc1"; anything else is the same.
    """
    release, plus, local = version.partition("+")
    return re.sub(r"\.?(a|b|rc|dev)(?=[0-9])", r"~\1", release) + plus + local


def pip() -> Path:
    """Give a Python with a pip of its own."""
    folder = BUILD / "venv"
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True, clear=True)
    return python


def build_wheel(python: Path, version: str | None = None) -> Path:
    """Give the program's own wheel, built from this checkout. version: None for the one that its git tags say."""
    said = {} if version is None else {"SETUPTOOLS_SCM_PRETEND_VERSION": version}
    folder = BUILD / "wheel"
    shutil.rmtree(folder, ignore_errors=True)
    run(python, "-m", "pip", "-q", "wheel", "--no-deps", "--wheel-dir", folder, ROOT, **said)
    (wheel,) = folder.glob("*.whl")
    return wheel


def install_libraries(python: Path, wheel: Path, architecture: str, version: str, target: Path) -> None:
    """Put the program and its libraries for one Python into a folder."""
    command: list[str | Path] = [python, "-m", "pip", "-q", "install", "--no-compile", "--target", target]
    if architecture in MACHINES:
        machine = MACHINES[architecture]
        tags = [f"manylinux_2_{minor}_{machine}" for minor in GLIBC]
        for tag in (*tags, f"manylinux2014_{machine}"):
            command += ["--platform", tag]
        abi = f"cp{version.replace('.', '')}"
        command += ["--python-version", version, "--implementation", "cp", "--abi", abi, "--abi", "abi3"]
        command += ["--abi", "none", "--only-binary", ":all:"]
        extras = [name for name in EXTRAS[version] if architecture == "arm64" or not name.startswith("lgpio")]
        run(*command, wheel, *extras, *OLDER_PYTHON_NEEDS)
    else:
        run(*command, wheel)
        leave_to_system(target)
        for extra in EXTRAS[PYTHONS[0]]:
            try:  # without libgpiod 2 the box reads its buttons by gpiozero, and without lgpio by the system's
                run(*command, "--upgrade", extra)
            except BuildError as error:
                sys.stderr.write(f"make deb: going without {extra} ({str(error).splitlines()[-1]})\n")
    prune(target)
    compile_for(version, target)


def leave_to_system(target: Path) -> None:
    """Take away what the package has from Debian."""
    for name in FROM_SYSTEM:
        for path in [*target.glob(f"{name}*")]:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def prune(target: Path) -> None:
    """Take away what nobody runs: commands of libraries, type stubs, tests, what pip notes about itself."""
    shutil.rmtree(target / "bin", ignore_errors=True)
    for path in [*target.rglob("*.pyi"), *target.rglob("direct_url.json"), *target.rglob("REQUESTED")]:
        path.unlink()
    for path in target.rglob("tests"):
        if path.is_dir():
            shutil.rmtree(path)


def compile_for(version: str, target: Path) -> None:
    """Compile for that Python where this machine has it; else the package is compiled while it is installed."""
    found = interpreter(version)
    if found is not None:
        run(found, "-m", "compileall", "-q", "-j0", "-s", target, "-p", f"/{PROGRAM}/current/python{version}",
            "--invalidation-mode", "unchecked-hash", target)  # fmt: skip


def interpreter(version: str) -> str | None:
    """Give a Python of this version that really runs, None where this machine has none."""
    for candidate in (sys.executable, "/usr/bin/python3", f"python{version}"):
        try:
            says = run(candidate, "-c", "import sys; print('%d.%d' % sys.version_info[:2])").strip()
        except (BuildError, OSError):
            continue
        if says == version:
            return candidate
    return None


def running() -> str:
    """Give the version of this Python."""
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def share_equal_files(folders: Sequence[Path]) -> None:
    """Make equal files of several folders one file, as most of the libraries are the same for each Python."""
    known: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if not path.is_file() or path.is_symlink() or path.stat().st_size == 0:
                continue
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            if (first := known.setdefault(digest, path)) is not path:
                path.unlink()
                os.link(first, path)


def lay_out(root: Path, wheel: Path, architecture: str, pythons: Sequence[str]) -> None:
    """Fill the package's tree."""
    for name, (place, mode) in SYSTEM_FILES.items():
        target = root / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(HERE / name, target)
        target.chmod(mode)
    folders = [root / PROGRAM / "package" / f"python{each}" for each in pythons]
    for each, folder in zip(pythons, folders, strict=True):
        install_libraries(pip(), wheel, architecture, each, folder)
    share_equal_files(folders)
    for path in [root, *root.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
    write_control(root, debian_version(wheel_version(wheel)), architecture, pythons)


def write_control(root: Path, version: str, architecture: str, pythons: Sequence[str]) -> None:
    """Write what dpkg reads."""
    control = root / "DEBIAN"
    control.mkdir()
    text = CONTROL.format(
        version=version,
        architecture=architecture,
        pythons=depends(pythons),
        libraries="" if architecture in MACHINES else "python3-cryptography, ",
        kilobytes=size_kb(root),
    )
    (control / "control").write_text(text)
    (control / "conffiles").write_text("/etc/table-companion/config.toml\n")
    for name in SCRIPTS:
        (control / name).write_text((HERE / "deb" / name).read_text().replace("@VERSION@", version))
        (control / name).chmod(0o755)
    for path in (control / "control", control / "conffiles", control):
        path.chmod(0o755 if path.is_dir() else 0o644)


def depends(pythons: Sequence[str]) -> str:
    """Give the dependency on one of these Pythons: their libraries are compiled for them."""

    def after(version: str) -> str:
        major, minor = version.split(".")
        return f"{major}.{int(minor) + 1}"

    first, last = pythons[0], pythons[-1]
    parts = [f"python3 (>= {first})", f"python3 (<< {after(last)})"]
    for version, following in pairwise(pythons):
        if after(version) != following:
            parts.append(f"python3 (<< {after(version)}) | python3 (>= {following})")
    return ", ".join(parts)


def size_kb(root: Path) -> int:
    """Give what the tree takes on disk, each file once."""
    blocks = {path.stat().st_ino: path.stat().st_blocks for path in root.rglob("*") if path.is_file()}
    return sum(blocks.values()) // 2


def build(version: str | None, architecture: str, pythons: Sequence[str], out: Path, compression: str = "xz") -> Path:
    """Build the package and give its file. version: None for the one that git's tags say. Raises BuildError."""
    if architecture not in MACHINES and tuple(pythons) != (running(),):
        raise BuildError(f"{architecture} has no wheels of every library: build on such a machine, for its own Python")
    root = BUILD / f"root-{architecture}"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    wheel = build_wheel(pip(), version)
    lay_out(root, wheel, architecture, pythons)
    out.mkdir(parents=True, exist_ok=True)
    package = out / f"table-companion_{debian_version(wheel_version(wheel))}_{architecture}.deb"
    run("dpkg-deb", "--root-owner-group", f"-Z{compression}", "--build", root, package)
    return package


def main(arguments: Iterable[str] | None = None) -> int:
    """Build as the command line says."""
    own = run("dpkg", "--print-architecture").strip()
    parser = argparse.ArgumentParser(description="Build the Debian package of the table companion.")
    parser.add_argument("--arch", default=own, help=f"Debian architecture (default: {own})")
    parser.add_argument("--python", action="append", help="for this Python; may be given again")
    parser.add_argument("--version", help="Python version of program and package (default: by git's tags)")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder that it is put into")
    parser.add_argument("--compress", default="xz", choices=("xz", "gzip", "none"), help="xz is the smallest, and slow")
    options = parser.parse_args(None if arguments is None else list(arguments))
    pythons = options.python or (PYTHONS if options.arch in MACHINES else (running(),))
    try:
        ordered = sorted(pythons, key=lambda version: int(version.split(".")[1]))
        package = build(options.version, options.arch, ordered, options.out, options.compress)
    except BuildError as error:
        sys.stderr.write(f"make deb: {error}\n")
        return 1
    sys.stdout.write(f"{package}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
