"""Builds what the guest boots: a stock Debian kernel, a gpio-sim module for it, an initramfs, and the tools.

Every stage is a folder named after a hash of what went into it, put in place by a rename: a second run finds it, a
changed source makes a new one, and a build that was cut short leaves nothing that looks finished.
"""

import fcntl
import gzip
import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.hil.errors import HilError
from tests.hil.packages import Kernel, choose_kernel, download, install, installed_version, missing_tools, run

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
BUILD = REPOSITORY / "build" / "hil"

# The kernel's own files that gpio-sim.ko is made of; Debian builds none of them.
UPSTREAM = ("drivers/gpio/gpio-sim.c", "drivers/gpio/gpiolib.h", "kernel/irq/irq_sim.c")
MODULE_SOURCES = tuple(HERE / "kernel" / name for name in ("Kbuild", "lines.c", "interrupts.c"))
INSIDE = HERE / "inside"
INITRAMFS_FILES = ("init", "modules", "cpuinfo")
INITRAMFS_FOLDERS = ("bin", "dev", "proc", "sys", "lower", "upper", "root", "tmp")


@dataclass(frozen=True, slots=True)
class Image:
    """What `machine.py` boots, and the programs that press buttons in it and play a wire."""

    kernel: Kernel
    vmlinuz: Path
    initramfs: Path
    press: Path
    loop: Path
    gpio_sim: Path


def build(folder: Path = BUILD, say: Callable[[str], None] = print) -> Image:
    """Builds what is missing and returns the image; about a minute the first time, a second after that.

    Raises:
        HilError: not a Debian amd64 machine, packages missing that only root may install, or a build step failed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with only_builder(folder):
        install(missing_tools())
        kernel = choose_kernel()
        stages = Stages(folder / kernel.name, say)
        upstream = stages.made("upstream", [kernel.version, *UPSTREAM], lambda out: _fetch_upstream(kernel, out))
        module_key = [kernel.version, *map(content, MODULE_SOURCES)]
        module = stages.made("module", module_key, lambda out: _build_module(kernel, upstream, out))
        boot_key = [*module_key, *(content(INSIDE / name) for name in INITRAMFS_FILES), "1"]
        boot = stages.made("boot", boot_key, lambda out: _build_boot(kernel, module / "gpio-sim.ko", out))
        press, loop = (_tool(stages, name) for name in ("press", "loop"))
        return Image(kernel, boot / "vmlinuz", boot / "initramfs.gz", press, loop, module / "gpio-sim.ko")


@contextmanager
def only_builder(folder: Path) -> Iterator[None]:
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class Stages:
    """Stage folders, for one kernel."""

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self._folder = folder
        self._say = say
        folder.mkdir(parents=True, exist_ok=True)

    def made(self, stage: str, inputs: Sequence[str], make: Callable[[Path], None]) -> Path:
        """The folder of a stage, made now unless the same inputs made it before."""
        digest = hashlib.sha256("\0".join(inputs).encode()).hexdigest()[:12]
        target = self._folder / f"{stage}-{digest}"
        if target.is_dir():
            return target
        self._say(f"hil: building {stage} for Linux {self._folder.name}")
        with tempfile.TemporaryDirectory(prefix=f".{stage}-", dir=self._folder) as scratch:
            unfinished = Path(scratch) / stage
            unfinished.mkdir()
            make(unfinished)
            for outdated in self._folder.glob(f"{stage}-*"):
                shutil.rmtree(outdated)
            unfinished.rename(target)
        return target


def content(path: Path) -> str:
    return f"{path.name}:{hashlib.sha256(path.read_bytes()).hexdigest()}"


def _fetch_upstream(kernel: Kernel, out: Path) -> None:
    """Puts the kernel's own files into a flat folder, from the source package of exactly this version."""
    tar_name = f"linux-source-{kernel.series}.tar.xz"
    tarball = Path("/usr/src") / tar_name
    with tempfile.TemporaryDirectory(dir=out.parent) as scratch:
        if installed_version(kernel.source_package) != kernel.version or not tarball.is_file():
            deb = download(kernel.source_package, kernel.version, Path(scratch))
            run("dpkg-deb", "-x", str(deb), scratch)
            tarball = Path(scratch) / "usr" / "src" / tar_name
        inside = [f"linux-source-{kernel.series}/{name}" for name in UPSTREAM]
        run("tar", "-xf", str(tarball), "-C", scratch, *inside)
        for name in inside:
            shutil.copy(Path(scratch) / name, out)


def _build_module(kernel: Kernel, upstream: Path, out: Path) -> None:
    if installed_version(kernel.headers_package) != kernel.version:
        install([f"{kernel.headers_package}={kernel.version}"])
    with tempfile.TemporaryDirectory(dir=out.parent) as scratch:
        for source in MODULE_SOURCES:
            shutil.copy(source, scratch)
        headers = f"/usr/src/{kernel.headers_package}"
        run("make", "-s", "-C", headers, f"M={scratch}", f"HIL_UPSTREAM={upstream}", "modules")
        run("strip", "--strip-debug", "-o", str(out / "gpio-sim.ko"), f"{scratch}/gpio-sim.ko")


def _build_boot(kernel: Kernel, module: Path, out: Path) -> None:
    """Unpacks the kernel image, adds the module, and packs the modules that the guest loads into an initramfs."""
    with tempfile.TemporaryDirectory(dir=out.parent) as scratch:
        unpacked, root = Path(scratch) / "image", Path(scratch) / "root"
        modules = unpack_kernel(kernel, module, unpacked)
        lay_out_initramfs(root, [INSIDE / name for name in INITRAMFS_FILES])
        copy_modules(modules, root / "lib" / "modules" / kernel.release, INSIDE / "modules")
        pack(root, out / "initramfs.gz")
        shutil.copy(unpacked / "boot" / f"vmlinuz-{kernel.release}", out / "vmlinuz")


def unpack_kernel(kernel: Kernel, module: Path, unpacked: Path) -> Path:
    """Unpacks the kernel's package, adds gpio-sim to its modules, and returns the modules' folder."""
    deb = download(kernel.image_package, kernel.version, unpacked.parent)
    run("dpkg-deb", "-x", str(deb), str(unpacked))
    modules = unpacked / "lib" / "modules" / kernel.release
    (modules / "extra").mkdir(exist_ok=True)
    shutil.copy(module, modules / "extra")
    run("/sbin/depmod", "-b", str(unpacked), kernel.release)
    return modules


def lay_out_initramfs(root: Path, files: Iterable[Path]) -> None:
    """Makes an initramfs of busybox and these files, of which `init` is run."""
    for folder in INITRAMFS_FOLDERS:
        (root / folder).mkdir(parents=True)
    busybox = shutil.which("busybox")
    if busybox is None:
        raise HilError("busybox is not installed (package busybox-static)")
    shutil.copy(busybox, root / "bin" / "busybox")
    for file in files:
        shutil.copy(file, root)
    (root / "init").chmod(0o755)


def copy_modules(source: Path, target: Path, names: Path) -> None:
    """Copies the modules named in a file and all they need, unpacked, with their own modules.dep."""
    needs = dict(_dependencies((source / "modules.dep").read_text()))
    by_name = {_module_name(path): path for path in needs}
    lines = []
    for text in names.read_text().splitlines():
        wanted = text.split()[0].replace("-", "_")
        if wanted in by_name:
            lines.append(by_name[wanted])
        elif wanted not in _built_in(source):
            raise HilError(f"the kernel has no module {wanted} (named in {names})")
    closure = dict.fromkeys(path for line in lines for path in (line, *needs[line]))
    for path in closure:
        plain = target / _without_packing(path)
        plain.parent.mkdir(parents=True, exist_ok=True)
        plain.write_bytes(_unpacked(source / path))
    listed = (
        f"{_without_packing(path)}: {' '.join(_without_packing(need) for need in needs[path])}\n" for path in closure
    )
    (target / "modules.dep").write_text("".join(listed))


def _dependencies(modules_dep: str) -> Iterator[tuple[str, list[str]]]:
    for line in modules_dep.splitlines():
        path, _, needed = line.partition(":")
        yield path, needed.split()


def _module_name(path: str) -> str:
    return Path(path).name.split(".")[0].replace("-", "_")


def _built_in(modules: Path) -> set[str]:
    return {_module_name(line) for line in (modules / "modules.builtin").read_text().split()}


def _without_packing(path: str) -> str:
    return path.removesuffix(".xz")


def _unpacked(path: Path) -> bytes:
    if path.suffix != ".xz":
        return path.read_bytes()
    return subprocess.run(("xz", "-dc", str(path)), capture_output=True, check=True).stdout


def pack(root: Path, target: Path) -> None:
    """Packs a folder as an initramfs."""
    names = "\0".join(sorted(str(path.relative_to(root)) for path in root.rglob("*")))
    packed = subprocess.run(
        ("cpio", "--null", "--create", "--quiet", "--format=newc", "--owner=0:0"),
        input=names.encode(),
        cwd=root,
        capture_output=True,
        check=False,
    )
    if packed.returncode != 0:
        raise HilError(f"cpio failed: {packed.stderr.decode(errors='replace')}")
    target.write_bytes(gzip.compress(packed.stdout, compresslevel=1, mtime=0))


def _tool(stages: Stages, name: str) -> Path:
    """A program in C for the guest."""
    source = INSIDE / f"{name}.c"
    return stages.made(name, [content(source)], lambda out: _build_tool(source, out)) / name


def _build_tool(source: Path, out: Path) -> None:
    run(
        "gcc",
        "-std=gnu11",
        "-O2",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-static",
        "-pthread",
        "-o",
        str(out / source.stem),
        str(source),
    )


def main() -> int:
    """Builds the image, or says in plain words why it cannot be built."""
    try:
        image = build()
    except HilError as error:
        print(f"hil: {error}", file=sys.stderr)
        return 1
    print(f"hil: the guest runs Linux {image.kernel.release} ({image.kernel.version}), in {image.vmlinuz.parent}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
