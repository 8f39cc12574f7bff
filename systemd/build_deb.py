"""Builds the Debian package: the program and its libraries for each Python it is to run on, and the system's files.

Needs Python with venv, dpkg-deb and the network; no debhelper and no root. For amd64 and arm64 all libraries have
wheels, so either machine builds both packages, byte for byte the same ones: every wheel is the one that the lock names
by its hash, and times, owners, modes and orders are fixed (SOURCE_DATE_EPOCH, else the time of the commit). For 32-bit
arm it must run on such a machine (Raspberry Pi OS knows piwheels), and builds for that machine's own Python, of the
locked versions.
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

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # it is run as a file, by any Python

from systemd.supply import bill, components, notices, wheels
from systemd.supply.components import Component, ComponentError
from systemd.supply.wheels import WheelError

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = ROOT / "build" / "deb"
PROGRAM = "usr/lib/table-companion"

MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
"""Debian's name to the wheels', where every library has wheels."""
FETCH = HERE / "supply" / "pages" / "fetch"
"""Fetches the reader of codes for browsers, which only npm has."""
PYTHONS = ("3.11", "3.13")
"""Of Bookworm and Trixie."""
GLIBC = range(17, 37)
"""Minor versions of glibc 2 whose wheels run on Bookworm (2.36) and later."""
LOCKS = ROOT / "systemd" / "supply" / "locks"
LOCK = LOCKS / "package.txt"
FROM_SYSTEM = ("cryptography", "cffi", "pycparser")
"""What a 32-bit package has from Debian's python3-cryptography instead: for armv6 there is no wheel of it."""
NEVER_RUN = ("setuptools",)
"""What a library names and no library imports: colorzero does, for Pythons that had no importlib.metadata."""
MAY_LACK = ("gpiod", "lgpio")
"""What a 32-bit package goes without where it cannot be compiled: without libgpiod 2 the box reads its buttons by
gpiozero, and Debian has python3-lgpio."""
LGPIO = [("arm64", "3.11")]
"""Where lgpio comes along: elsewhere there is no wheel of it, or no pin that only it could read."""
WITHOUT_DATE = 1_580_601_600
"""The time that is given where neither git nor the archive knows the commit's: 2020-02-02, as hatchling does."""

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
Recommends: python3-evdev, python3-lgpio, sqlite3
Suggests: alsa-utils, espeak-ng, python3-spidev, speech-dispatcher-espeak-ng
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


def epoch() -> int:
    """Give the time of everything in the package, in seconds since 1970: SOURCE_DATE_EPOCH, else the commit's."""
    if said := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(said)
    if (ROOT / ".git").exists():
        return int(run("git", "-C", ROOT, "log", "-1", "--format=%ct"))
    archived = re.search(r"^date: ([0-9]+)$", (ROOT / ".git_archival.txt").read_text(), re.MULTILINE)
    return int(archived[1]) if archived else WITHOUT_DATE


def tools() -> Path:
    """Give a Python with pip and what builds the program, as locked."""
    folder, lock = BUILD / "venv", LOCKS / "build.txt"
    python, kept = folder / "bin" / "python", folder / "built-from"
    wanted = f"{ROOT}\n{running()}\n{lock.read_text()}"
    if not kept.exists() or kept.read_text() != wanted:
        venv.create(folder, with_pip=True, clear=True)
        run(python, "-m", "pip", "-q", "install", "--no-deps", "--require-hashes", "-r", lock)
        kept.write_text(wanted)
    return python


def build_wheel(python: Path, version: str | None = None) -> Path:
    """Give the program's own wheel, built from this checkout. version: None for the one that its git tags say."""
    run(FETCH)  # a box in the field has no network: the wheel has to have it
    said = {} if version is None else {"SETUPTOOLS_SCM_PRETEND_VERSION": version}
    folder = BUILD / "wheel"
    shutil.rmtree(folder, ignore_errors=True)
    run(python, "-m", "pip", "-q", "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ROOT, **said)
    (wheel,) = folder.glob("*.whl")
    return wheel


def needed(python: Path, architecture: str, version: str) -> list[str]:
    """Give the pins of the lock that one Python on one machine needs. python: the one that reads it, by `packaging`."""
    machine = MACHINES.get(architecture, os.uname().machine)
    said = run(python, "-m", "systemd.supply.lock", "--for", version, machine, LOCK, PYTHONPATH=str(ROOT))
    without = left_out(architecture, version)
    return [pin for pin in said.splitlines() if name_of(pin) not in without]


def name_of(pin: str) -> str:
    """Give the library that a pin of the lock is of."""
    return pin.partition("==")[0]


def left_out(architecture: str, version: str) -> tuple[str, ...]:
    """Give what the lock has and the package for one Python has not."""
    if architecture not in MACHINES:
        return (*NEVER_RUN, *FROM_SYSTEM)
    return NEVER_RUN if (architecture, version) in LGPIO else (*NEVER_RUN, "lgpio")


def fetch(python: Path, architecture: str, version: str) -> list[Path]:
    """Give the wheels of the libraries for one Python, each as the lock has it. Raises BuildError."""
    folder = BUILD / f"wheels-{architecture}-{version}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    pins = needed(python, architecture, version)
    if architecture in MACHINES:
        download(python, foreign(architecture, version), folder, pins)
    else:
        make_wheels(python, folder, pins)
    return sorted(folder.glob("*.whl"))


def download(python: Path, how: Sequence[str], folder: Path, pins: Sequence[str]) -> None:
    """Have pip put the locked wheels into a folder. Raises BuildError."""
    wanted = folder / "wanted.txt"
    wanted.write_text("".join(f"{pin}\n" for pin in pins))
    run(python, "-m", "pip", "-q", "download", *how, "--no-deps", "--require-hashes", "--dest", folder, "-r", wanted)


def make_wheels(python: Path, folder: Path, pins: Sequence[str]) -> None:
    """Have pip get or compile the locked versions: piwheels' files are its own, with other hashes than PyPI's."""
    without_hashes = {name_of(pin): pin.split()[0] for pin in pins}
    command: list[str | Path] = [python, "-m", "pip", "-q", "wheel", "--no-deps", "--wheel-dir", folder]
    run(*command, *(pin for name, pin in without_hashes.items() if name not in MAY_LACK))
    for pin in (pin for name, pin in without_hashes.items() if name in MAY_LACK):
        try:
            run(*command, pin)
        except BuildError as error:
            sys.stderr.write(f"make deb: going without {pin} ({str(error).splitlines()[-1]})\n")


def foreign(architecture: str, version: str) -> list[str]:
    """Give pip's words for the wheels of another machine and Python."""
    machine = MACHINES[architecture]
    tags = [*(f"manylinux_2_{minor}_{machine}" for minor in GLIBC), f"manylinux2014_{machine}"]
    words = ["--only-binary", ":all:", "--python-version", version, "--implementation", "cp"]
    words += [word for tag in tags for word in ("--platform", tag)]
    return [*words, *(word for abi in (f"cp{version.replace('.', '')}", "abi3", "none") for word in ("--abi", abi))]


def install(paths: Sequence[Path], folder: Path, packed: dict[str, Component]) -> None:
    """Unpack wheels into a folder of libraries and note what each of them has put there. Raises ComponentError."""
    known = {**components.table(), **components.PROGRAM}
    for path in paths:
        found = wheels.wheel(path)
        one = packed.setdefault(found.sha256, components.component(found, known))
        one.files[folder.name] = wheels.unpack(found, folder)


def compile_for(version: str, target: Path) -> None:
    """Compile for that Python where this machine has it.

    Only for tests, which save the time: what is compiled differs with the Python that did it. Else the package is
    compiled while it is installed, by the very Python that runs it.
    """
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


def lay_out(root: Path, own: Path, architecture: str, pythons: Sequence[str], compiled: bool) -> None:
    """Fill the package's tree. own: the program's wheel."""
    for name, (place, _) in SYSTEM_FILES.items():
        put(root / place, (HERE / name).read_bytes())
    folders = [root / PROGRAM / "package" / f"python{each}" for each in pythons]
    packed: dict[str, Component] = {}
    for each, folder in zip(pythons, folders, strict=True):
        install([own, *fetch(tools(), architecture, each)], folder, packed)
        if compiled:
            compile_for(each, folder)
    share_equal_files(folders)
    version = wheel_version(own)
    write_papers(root, version, architecture, list(packed.values()))
    set_modes(root)
    write_control(root, debian_version(version), architecture, pythons)


def put(path: Path, content: bytes) -> None:
    """Write a file, in a folder that may not be there yet."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def write_papers(root: Path, version: str, architecture: str, packed: Sequence[Component]) -> None:
    """Write what says what is in the package and on which terms: `copyright`, licence texts, bill of materials."""
    program, *libraries = packed
    texts = {name for one in packed for name in (*one.texts, *(text for part in one.parts for text in part.texts))}
    for name in sorted(texts):
        put(root / bill.LICENCES / name, (components.TEXTS / name).read_bytes())
    put(root / bill.COPYRIGHT, notices.copyright_file((HERE / "copyright").read_text(), program, libraries).encode())
    put(root / bill.PLACE, bill.bill(version, architecture, epoch(), program, libraries).encode())


def set_modes(root: Path) -> None:
    """Set what the umask would."""
    programs = {root / place for place, mode in SYSTEM_FILES.values() if mode & 0o100}
    for path in [root, *root.rglob("*")]:
        path.chmod(0o755 if path.is_dir() or path in programs else 0o644)


def set_times(root: Path, seconds: int) -> None:
    """Set the time of everything in a tree."""
    for path in [*root.rglob("*"), root]:
        os.utime(path, (seconds, seconds), follow_symlinks=False)


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
    """Give what the tree takes, each file once, whatever the disk: as Debian counts, in whole kilobytes."""
    files = {path.stat().st_ino: path.stat().st_size for path in root.rglob("*") if path.is_file()}
    return sum(-(-size // 1024) for size in files.values()) + sum(path.is_dir() for path in root.rglob("*"))


def build(options: argparse.Namespace, pythons: Sequence[str]) -> Path:
    """Build the package and give its file; with `--sbom` only its bill of materials. Raises BuildError."""
    architecture: str = options.arch
    if architecture not in MACHINES and tuple(pythons) != (running(),):
        raise BuildError(f"{architecture} has no wheels of every library: build on such a machine, for its own Python")
    root = BUILD / f"root-{architecture}"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    own = build_wheel(tools(), options.version)
    lay_out(root, own, architecture, pythons, options.compile)
    options.out.mkdir(parents=True, exist_ok=True)
    made: Path = options.out / f"table-companion_{debian_version(wheel_version(own))}_{architecture}"
    if options.sbom:
        return Path(shutil.copyfile(root / bill.PLACE, f"{made}.cdx.json"))
    return pack(root, Path(f"{made}.deb"), options.compress)


def pack(root: Path, package: Path, compression: str) -> Path:
    """Make the package of a tree. dpkg-deb sorts names itself."""
    seconds = epoch()
    set_times(root, seconds)
    run("dpkg-deb", "--root-owner-group", f"-Z{compression}", "--build", root, package,
        SOURCE_DATE_EPOCH=str(seconds), LC_ALL="C")  # fmt: skip
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
    parser.add_argument("--compile", action="store_true", help="with compiled files, for tests: not reproducible")
    parser.add_argument("--sbom", action="store_true", help="only the bill of materials (CycloneDX)")
    options = parser.parse_args(None if arguments is None else list(arguments))
    pythons = options.python or (PYTHONS if options.arch in MACHINES else (running(),))
    try:
        package = build(options, sorted(pythons, key=lambda version: int(version.split(".")[1])))
    except (BuildError, ComponentError, WheelError) as error:
        sys.stderr.write(f"make deb: {error}\n")
        return 1
    sys.stdout.write(f"{package}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
