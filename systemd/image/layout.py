"""Where everything lies on the card: three partitions, in a table that every Raspberry Pi's firmware reads. No I/O.

The firmware wants a FAT first. The matches have a partition of their own, so that a root that nobody writes to needs no
other card, and a full root loses no match. The root is last: it grows at the first start, by what Debian has for that
(growpart, resize2fs), and no program of ours ever writes a partition table.
"""

import hashlib
from dataclasses import dataclass

SECTOR = 512
MIB = 1024 * 1024
ALIGNMENT = 4 * MIB
"""Cards erase in blocks of up to 4 MiB: no two partitions share one."""
BOOT_BYTES = 512 * MIB
"""As Raspberry Pi OS has it: two kernels with their initramfs, while one replaces the other, and the firmware."""
DATA_BYTES = 512 * MIB
"""1,000 matches take about 100 MB; the rest is for pictures, copies at a repair, and a longer `keep_matches`."""
SPARE_BYTES = 256 * MIB
"""What the root has free before it has grown: a card that is not larger still takes a log and an upgrade."""
SPARE_SHARE = 0.08
"""What ext4 itself takes of a root that small: inodes, journal, and 5 % for the system's own use."""
FAT_LBA, LINUX = "c", "83"
"""Types of a partition in a table of the PC's old kind."""
BOOT, DATA, ROOT = 1, 2, 3
BOOT_LABEL, DATA_LABEL, ROOT_LABEL = "bootfs", "matches", "rootfs"
"""Raspberry Pi OS's own names; what is on the FAT is found by its label (`root/etc/cloud`)."""
DEVICE_SECONDS = 60
"""How long a start waits for a partition: in the emulated machine it came after 18 s, and 15 had been given."""


@dataclass(frozen=True, slots=True)
class Partition:
    """start, size: in bytes, whole blocks of ALIGNMENT. kind: as sfdisk writes it."""

    number: int
    kind: str
    start: int
    size: int

    @property
    def end(self) -> int:
        """The first byte behind it."""
        return self.start + self.size


@dataclass(frozen=True, slots=True)
class Layout:
    """signature: the disk's own number, eight hexadecimal digits, by which kernel and fstab find its partitions."""

    signature: str
    partitions: tuple[Partition, ...]

    @property
    def size(self) -> int:
        """The image's bytes."""
        return self.partitions[-1].end

    def partuuid(self, number: int) -> str:
        """Give how the kernel names a partition of this card."""
        return f"{self.signature}-{number:02x}"


def aligned(size: int) -> int:
    """Give a size in bytes as whole blocks of the card."""
    return -(-size // ALIGNMENT) * ALIGNMENT


def signature_of(version: str) -> str:
    """Give the disk's number for a version: the same each time, and never 0, which would mean none."""
    return f"{int(hashlib.sha256(version.encode()).hexdigest()[:8], 16) | 1:08x}"


def root_bytes(content: int) -> int:
    """Give how large the root must be for files of so many bytes."""
    return aligned(int(content * (1 + SPARE_SHARE)) + SPARE_BYTES)


def lay_out(version: str, content: int) -> Layout:
    """Give where everything lies. content: bytes of the root's files."""
    partitions = []
    start = ALIGNMENT
    for number, kind, size in (
        (BOOT, FAT_LBA, BOOT_BYTES),
        (DATA, LINUX, DATA_BYTES),
        (ROOT, LINUX, root_bytes(content)),
    ):
        partitions.append(Partition(number, kind, start, size))
        start += size
    return Layout(signature_of(version), tuple(partitions))


def table(layout: Layout) -> str:
    """Give the partition table as sfdisk reads it."""
    lines = ["label: dos", f"label-id: 0x{layout.signature}", "unit: sectors", ""]
    lines += [
        f"{one.number} : start={one.start // SECTOR}, size={one.size // SECTOR}, type={one.kind}"
        for one in layout.partitions
    ]
    return "\n".join(lines) + "\n"


def fstab(layout: Layout) -> str:
    """Give `/etc/fstab`. A box whose matches' partition is broken still starts, and says so (`nofail`)."""
    name = layout.partuuid
    return (
        f"PARTUUID={name(ROOT)} / ext4 defaults,noatime 0 1\n"
        f"PARTUUID={name(BOOT)} /boot/firmware vfat defaults,nofail,x-systemd.device-timeout={DEVICE_SECONDS}s 0 2\n"
        f"PARTUUID={name(DATA)} /var/lib/table-companion ext4 "
        f"defaults,noatime,nofail,x-systemd.device-timeout={DEVICE_SECONDS}s 0 2\n"
    )
