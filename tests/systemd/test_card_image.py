"""A card's bytes, made of folders by the very programs that make the one to flash, and read again by others."""

import hashlib
import re
import subprocess
from pathlib import Path

import pytest

from systemd.build_deb import run
from systemd.image import card
from systemd.image.layout import ALIGNMENT, BOOT, DATA, FAT_LBA, LINUX, MIB, ROOT, Layout, Partition

SECONDS = 1_700_000_000
OWNER = (4711, 4712)
BOOT_START, DATA_START, ROOT_START = ALIGNMENT, 68 * MIB, 84 * MIB
LAYOUT = Layout(
    "0badcafe",
    (
        Partition(BOOT, FAT_LBA, BOOT_START, 64 * MIB),
        Partition(DATA, LINUX, DATA_START, 16 * MIB),
        Partition(ROOT, LINUX, ROOT_START, 32 * MIB),
    ),
)


def folders(parent: Path) -> tuple[Path, Path]:
    boot, root = parent / "boot", parent / "root"
    for path, text in (
        (boot / "config.txt", "enable_uart=0\n"),
        (boot / "overlays" / "one.dtbo", "o"),
        (root / "etc" / "hostname", "companion\n"),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (root / "bin").symlink_to("usr/bin")
    return boot, root


def made(parent: Path) -> Path:
    image = parent / "card.img"
    card.make(LAYOUT, *folders(parent), OWNER, image, SECONDS)
    return image


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small card."""
    return made(tmp_path_factory.mktemp("card"))


def debugfs(image: Path, start: int, request: str) -> str:
    return run("/sbin/debugfs", "-R", request, f"{image}?offset={start}")


def test_the_firmwares_partition_has_its_files(image: Path) -> None:
    fat = f"{image}@@{BOOT_START}"
    assert run("mtype", "-i", fat, "::config.txt") == "enable_uart=0\n"
    assert "ONE" in run("mdir", "-i", fat, "::overlays").upper()
    assert "bootfs" in run("mlabel", "-s", "-i", fat, "::").lower()


def test_the_matches_folder_belongs_to_the_box(image: Path) -> None:
    told = debugfs(image, DATA_START, "stat /")
    assert re.search(rf"User: +{OWNER[0]} +Group: +{OWNER[1]} ", told)


def test_the_root_has_its_files_and_links(image: Path) -> None:
    assert debugfs(image, ROOT_START, "cat /etc/hostname") == "companion\n"
    assert "usr/bin" in debugfs(image, ROOT_START, "stat /bin")


def test_each_file_system_is_sound_and_ends_where_its_partition_does(image: Path, tmp_path: Path) -> None:
    content = image.read_bytes()
    assert len(content) == LAYOUT.size
    for one in LAYOUT.partitions[1:]:
        part = tmp_path / str(one.number)
        part.write_bytes(content[one.start : one.end])
        subprocess.run(["/sbin/e2fsck", "-fn", str(part)], check=True, capture_output=True)


def test_the_same_folders_give_the_same_bytes_up_to_the_root(image: Path, tmp_path: Path) -> None:
    """In the root Debian 12's mke2fs keeps when each file of the folder was changed."""
    first, second = (hashlib.sha256(path.read_bytes()[:ROOT_START]).hexdigest() for path in (image, made(tmp_path)))
    assert first == second


def test_sizes_count_blocks_and_each_file_once(tmp_path: Path) -> None:
    (tmp_path / "one").write_bytes(b"x")
    (tmp_path / "two").hardlink_to(tmp_path / "one")
    (tmp_path / "large").write_bytes(b"x" * 10_000)
    assert card.sizes(tmp_path) == (2 + 4) * 4096
