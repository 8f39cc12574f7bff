"""Builds the card to flash: python -m systemd.image.build [--archive auto|debian|raspberrypi] [--package NAME.deb]

Needs root, Debian, and the network: an archive of Debian's, and Raspberry Pi's where it answers. What is made lies in
one folder: the image packed by xz, its check sum, the table of packages, and Raspberry Pi Imager's manifest.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from systemd.build_deb import ROOT, BuildError, epoch, run
from systemd.image import archives, card, papers, rootfs
from systemd.image.archives import ArchiveError
from systemd.image.layout import MIB, lay_out

PACK = ("xz", "--keep", "--force", "--threads=2", "--block-size=24MiB", "-6")
"""Two threads on any machine: with another number of blocks the bytes would be others."""
LARGEST_BYTES = 1000 * MIB
"""What a packed image may have: a download that a club's line can bear."""


def own_package() -> Path:
    """Build the box's package for arm64, for the system's Python, and give it."""
    made = run(sys.executable, ROOT / "systemd" / "build_deb.py", "--arch", "arm64", "--python", "3.13",
               "--out", ROOT / "build" / "image" / "package")  # fmt: skip
    return Path(made.split()[-1])


def version_of(package: Path) -> str:
    """Give a package's version. Raises BuildError where it is none of ours for arm64."""
    name, architecture, version = (
        run("dpkg-deb", "-f", package, field).strip() for field in ("Package", "Architecture", "Version")
    )
    if (name, architecture) != ("table-companion", "arm64"):
        raise BuildError(f"{package} is {name} for {architecture}; it must be table-companion for arm64")
    return version


def build(options: argparse.Namespace) -> Path:
    """Build as the command line says, and give the packed image. Raises BuildError, ArchiveError."""
    if os.geteuid() != 0:
        raise BuildError("only root may make a system's files: run it as root")
    archive = archives.choose(options.archive, options.mirror, options.security, options.keyring)
    sys.stderr.write(f"make image: {archive.told}\n")
    package = options.package or own_package()
    version = version_of(package)
    seconds = epoch()
    options.out.mkdir(parents=True, exist_ok=True)
    image: Path = options.out / f"table-companion_{version}_{archive.kind}.img"
    with tempfile.TemporaryDirectory(prefix="card-", dir=options.out) as scratch, rootfs.emulated():
        # The root's size is known when it is there; where partitions begin, and their names, do not depend on it.
        made = rootfs.make(archive, lay_out(version, 0), package.resolve(), Path(scratch) / "made", seconds)
        layout = lay_out(version, card.sizes(made.root))
        card.make(layout, made.boot, made.root, made.owner, image, seconds)
    image.with_suffix(".packages.tsv").write_text(made.packages)
    return pack(image, archive, version, seconds, options)


def pack(image: Path, archive: archives.Archive, version: str, seconds: int, options: argparse.Namespace) -> Path:
    """Pack the image, and write what lies beside it. The image itself stays: the tests boot it."""
    run(*PACK, image)
    packed = image.with_name(f"{image.name}.xz")
    size = packed.stat().st_size
    if size > LARGEST_BYTES:
        raise BuildError(f"{packed.name} has {size / MIB:.0f} MiB; {LARGEST_BYTES / MIB:.0f} are the most")
    papers.write_sum(packed)
    url = f"{options.url.rstrip('/')}/{packed.name}" if options.url else packed.resolve().as_uri()
    told = papers.entry(image, packed, archive, version, seconds, url)
    papers.write_entry(image.with_suffix(".rpi-imager-manifest"), told)
    return packed


def options_of(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="make image", description="Build the SD card image of the table companion.")
    whose = "whose kernel: Raspberry Pi's where its archive can be reached (auto), or this one's"
    parser.add_argument("--archive", default="auto", choices=("auto", "debian", "raspberrypi"), help=whose)
    parser.add_argument("--package", type=Path, help="the box's .deb for arm64 (default: built from this checkout)")
    parser.add_argument("--mirror", default=archives.DEBIAN, help="an archive of Debian's, or of one moment of it")
    parser.add_argument("--security", default=archives.SECURITY, help='that of its security updates; "" for none')
    parser.add_argument("--keyring", type=Path, help="keys of Raspberry Pi's archive, where this machine lacks them")
    parser.add_argument("--url", help="folder on the web that the image will be in, for Raspberry Pi Imager's manifest")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "image", help="folder that all is put into")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, or say in plain words why it can't be built."""
    try:
        packed = build(options_of(arguments))
    except (BuildError, ArchiveError) as error:
        sys.stderr.write(f"make image: {error}\n")
        return 1
    sys.stdout.write(f"{packed}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
