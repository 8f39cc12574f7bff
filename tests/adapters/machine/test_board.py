"""Which board this is: by the device tree, by the processor's page, or nothing."""

import platform

from companion.adapters.machine.board import this_board

CPUINFO = """\
processor\t: 0
Hardware\t: BCM2835
Revision\t: c03114
Serial\t\t: 10000000deadbeef
Model\t\t: Raspberry Pi 4 Model B Rev 1.4
"""


def test_the_device_tree_is_believed_first(tmp_path):
    tree = tmp_path / "device-tree"
    tree.mkdir()
    (tree / "model").write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    (tree / "serial-number").write_bytes(b"abcdef0123456789\0")
    (tmp_path / "cpuinfo").write_text(CPUINFO)
    assert this_board(tmp_path)[:2] == ("Raspberry Pi 5 Model B Rev 1.0", "abcdef0123456789")


def test_without_a_device_tree_the_processors_page_is_read(tmp_path):
    (tmp_path / "cpuinfo").write_text(CPUINFO)
    assert this_board(tmp_path) == ("Raspberry Pi 4 Model B Rev 1.4", "10000000deadbeef", platform.release())


def test_a_machine_that_says_nothing_has_no_number(tmp_path):
    assert this_board(tmp_path) == ("", "", platform.release())
