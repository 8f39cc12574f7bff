"""Where everything lies on the card to flash: partitions, their names, and a table that sfdisk takes as it is."""

import json
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from systemd.image import card
from systemd.image.layout import ALIGNMENT, BOOT, DATA, MIB, ROOT, SECTOR, aligned, fstab, lay_out, signature_of, table

CONTENT = 900 * MIB


def test_partitions_follow_each_other_on_whole_blocks_of_the_card() -> None:
    layout = lay_out("1.2.3", CONTENT)
    assert [one.number for one in layout.partitions] == [BOOT, DATA, ROOT]
    for one in layout.partitions:
        assert one.start % ALIGNMENT == 0
        assert one.size % ALIGNMENT == 0
    for one, following in pairwise(layout.partitions):
        assert following.start == one.end
    assert layout.partitions[0].start >= SECTOR
    assert layout.size == layout.partitions[-1].end


def test_the_root_is_last_so_that_it_can_grow_and_has_room_before_it_has() -> None:
    root = lay_out("1.2.3", CONTENT).partitions[-1]
    assert root.number == ROOT
    assert root.size > CONTENT + 200 * MIB


@pytest.mark.parametrize(
    ("size", "whole"), [(0, 0), (1, ALIGNMENT), (ALIGNMENT, ALIGNMENT), (ALIGNMENT + 1, 2 * ALIGNMENT)]
)
def test_sizes_are_rounded_up(size: int, whole: int) -> None:
    assert aligned(size) == whole


def test_a_version_has_its_own_number_that_is_never_nought() -> None:
    assert signature_of("1.0") == signature_of("1.0") != signature_of("1.1")
    assert all(int(signature_of(str(number)), 16) > 0 and len(signature_of(str(number))) == 8 for number in range(100))


def test_where_partitions_begin_and_what_they_are_called_does_not_depend_on_the_roots_size() -> None:
    small, large = lay_out("1", 1), lay_out("1", CONTENT)
    assert [one.start for one in small.partitions] == [one.start for one in large.partitions]
    assert fstab(small) == fstab(large)


def test_fstab_names_each_partition_and_only_the_root_may_stop_a_start() -> None:
    layout = lay_out("1", CONTENT)
    lines = {fields[1]: fields for fields in map(str.split, fstab(layout).splitlines())}
    assert {place: fields[0] for place, fields in lines.items()} == {
        "/": f"PARTUUID={layout.signature}-03",
        "/boot/firmware": f"PARTUUID={layout.signature}-01",
        "/var/lib/table-companion": f"PARTUUID={layout.signature}-02",
    }
    assert [place for place, fields in lines.items() if "nofail" not in fields[3]] == ["/"]


@pytest.mark.slow  # starts a program of Debian's
def test_sfdisk_reads_the_table_as_it_is_meant(tmp_path: Path) -> None:
    layout = lay_out("1.2.3", CONTENT)
    image = tmp_path / "card.img"
    card.blank(image, layout.size)
    subprocess.run(["/sbin/sfdisk", "-q", str(image)], input=table(layout), text=True, check=True)
    said = subprocess.run(["/sbin/sfdisk", "--json", str(image)], capture_output=True, text=True, check=True).stdout
    read = json.loads(said)["partitiontable"]
    assert (read["label"], read["id"]) == ("dos", f"0x{layout.signature}")
    assert [(one["start"] * SECTOR, one["size"] * SECTOR, one["type"]) for one in read["partitions"]] == [
        (one.start, one.size, one.kind) for one in layout.partitions
    ]
