"""The card itself, as one file: partition table, FAT, two ext4, each filled from a folder without being mounted.

The same folders give the same bytes: numbers, times and orders are fixed. Rests on sfdisk, mkfs.fat, mtools and mke2fs.
"""

import os
import uuid
from pathlib import Path

from systemd.build_deb import run
from systemd.image.layout import BOOT, BOOT_LABEL, DATA, DATA_LABEL, MIB, ROOT, ROOT_LABEL, Layout, Partition, table

FAT_NUMBER = "--invariant"
COPY_BYTES = 4 * MIB


def sizes(folder: Path) -> int:
    """Give the bytes that files of a tree take on ext4, in blocks, each file once."""
    blocks = {path.lstat().st_ino: -(-path.lstat().st_size // 4096) + 1 for path in folder.rglob("*")}
    return sum(blocks.values()) * 4096


def make(layout: Layout, boot: Path, root: Path, data_owner: tuple[int, int], image: Path, seconds: int) -> None:
    """Make the image of a card. boot, root: what is on the first and the last partition. data_owner: of the folder of
    the matches, user and group. seconds: since 1970, of everything that is made here."""
    image.unlink(missing_ok=True)
    with image.open("wb") as file:
        file.truncate(layout.size)
    script = image.with_suffix(".sfdisk")
    script.write_text(table(layout))
    run("sh", "-c", '/sbin/sfdisk -q --no-reread --no-tell-kernel "$1" < "$2"', "sh", image, script)
    script.unlink()
    by_number = {one.number: one for one in layout.partitions}
    made = image.with_suffix(".part")
    fat(boot, by_number[BOOT], layout, made, seconds)
    put(made, image, by_number[BOOT])
    user, group = data_owner
    ext4(by_number[DATA], DATA_LABEL, layout, made, seconds, owner=f",root_owner={user}:{group}")
    put(made, image, by_number[DATA])
    ext4(by_number[ROOT], ROOT_LABEL, layout, made, seconds, "-d", root)
    put(made, image, by_number[ROOT])
    made.unlink()


def blank(file: Path, size: int) -> None:
    """Make a file of zeros that takes no room."""
    file.unlink(missing_ok=True)
    with file.open("wb") as opened:
        opened.truncate(size)


def fat(folder: Path, partition: Partition, layout: Layout, file: Path, seconds: int) -> None:
    """Make the firmware's partition."""
    blank(file, partition.size)
    run("/sbin/mkfs.fat", "-F", "32", "-i", layout.signature, "-n", BOOT_LABEL, FAT_NUMBER, file)
    for path in sorted(folder.rglob("*"), key=str):
        os.utime(path, (seconds, seconds))
    entries = sorted(folder.iterdir(), key=lambda path: path.name)
    run(
        "mcopy", "-s", "-m", "-i", file, *entries, "::", SOURCE_DATE_EPOCH=str(seconds), TZ="UTC", MTOOLS_SKIP_CHECK="1"
    )


def ext4(
    partition: Partition, label: str, layout: Layout, file: Path, seconds: int, *more: str | Path, owner: str = ""
) -> None:
    """Make an ext4. Its number is made of the card's and its own. more, owner: words for mke2fs, of what is in it.

    mke2fs before 1.47.1 (Debian 12) keeps of each file when the folder's was changed (ctime): of that the bytes depend.
    """
    blank(file, partition.size)
    number = str(uuid.uuid5(uuid.NAMESPACE_OID, layout.partuuid(partition.number)))
    settings = f"hash_seed={number},lazy_itable_init=1{owner}"
    run("/sbin/mke2fs", "-q", "-t", "ext4", "-L", label, "-U", number, "-E", settings, *more, file,
        E2FSPROGS_FAKE_TIME=str(seconds), SOURCE_DATE_EPOCH=str(seconds))  # fmt: skip


def put(part: Path, image: Path, partition: Partition) -> None:
    """Put a partition's content into its place; zeros stay holes."""
    with part.open("rb") as source, image.open("r+b") as target:
        offset = partition.start
        while block := source.read(COPY_BYTES):
            if block.count(0) != len(block):
                target.seek(offset)
                target.write(block)
            offset += len(block)
