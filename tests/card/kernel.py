"""What an emulated header needs and the card has not: gpio-sim for the card's very kernel, the press tool for arm64.

Debian builds no gpio-sim. It is compiled in a fresh Debian of the card's release, by the kernel's own headers, and
handed to the guest from outside: nothing of it is on the card.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

from systemd.build_deb import run
from systemd.image.archives import DEBIAN, SECURITY, SUITE, debian_sources
from tests.hil.image import INSIDE, MODULE_SOURCES, REPOSITORY, UPSTREAM, Stages, content
from tests.hil.packages import Kernel

BUILD = REPOSITORY / "build" / "card"
COMPILER = "aarch64-linux-gnu-gcc"
HERE = Path(__file__).resolve().parent
TOOLS = ("make", "gcc-14-aarch64-linux-gnu", "gcc-aarch64-linux-gnu", "xz-utils")
BUILDER = HERE / "build_module"


def module(kernel: Kernel, say: Callable[[str], None]) -> Path:
    """Give gpio-sim.ko for a kernel of Debian's; a minute or two the first time. Raises BuildError."""
    key = [kernel.version, *map(content, (*MODULE_SOURCES, BUILDER))]
    return _stages(kernel, say).made("module", key, lambda out: _build_module(kernel, out)) / "gpio-sim.ko"


def _build_module(kernel: Kernel, out: Path) -> None:
    sources = out / "sources"
    sources.mkdir()
    for source in MODULE_SOURCES:
        shutil.copy(source, sources)
    headers = kernel.headers_package
    common = headers.removesuffix("-arm64") + "-common"
    packages = [f"{headers}:arm64", common, f"linux-kbuild-{kernel.release.removesuffix('-arm64')}",
                kernel.source_package]  # fmt: skip
    environment = {
        "KERNEL_HEADERS": headers, "KERNEL_PACKAGES": " ".join(f"{name}={kernel.version}" for name in packages),
        "KERNEL_SERIES": kernel.series, "KERNEL_FILES": " ".join(UPSTREAM), "MODULE_SOURCES": str(sources),
        "MODULE_OUT": str(out), "LC_ALL": "C.UTF-8",
    }  # fmt: skip
    run("mmdebstrap", "--mode=root", "--format=null", "--architectures=amd64,arm64", "--variant=apt",
        '--aptopt=Apt::Install-Recommends "false"', f"--include={','.join(TOOLS)}",
        f'--customize-hook=sh {BUILDER} "$1"', SUITE, "-", *debian_sources(DEBIAN, SECURITY),
        **environment)  # fmt: skip
    shutil.rmtree(sources)


def press_tool(kernel: Kernel, say: Callable[[str], None]) -> Path:
    """Give the press tool of tests/hil for arm64."""
    source = INSIDE / "press.c"

    def compile_it(out: Path) -> None:
        run(COMPILER, "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-static", "-pthread", "-o", out / "press",
            source)  # fmt: skip

    return _stages(kernel, say).made("press", [content(source)], compile_it) / "press"


def _stages(kernel: Kernel, say: Callable[[str], None]) -> Stages:
    BUILD.mkdir(parents=True, exist_ok=True)
    return Stages(BUILD / kernel.name, say)
