"""Facts of the machine, read from trees like the kernel's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.adapters.machine.facts import facts, i2c_hz

if TYPE_CHECKING:
    from pathlib import Path


def put(root: Path, place: str, content: bytes | str) -> None:
    path = root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def test_a_machine_that_tells_nothing_has_no_facts_but_its_kernel(tmp_path: Path) -> None:
    found = facts(tmp_path)
    assert (found.model, found.system, found.memory_mb, found.clock, found.power, found.i2c_hz) == (
        "", None, None, None, None, None,
    )  # fmt: skip
    assert found.kernel
    assert found.architecture


def test_a_pi_tells_its_model_its_system_and_its_memory(tmp_path: Path) -> None:
    put(tmp_path, "proc/device-tree/model", b"Raspberry Pi Zero 2 W Rev 1.0\0")
    put(tmp_path, "proc/meminfo", "MemTotal:         426892 kB\nMemFree: 1 kB\n")
    put(tmp_path, "etc/os-release", 'PRETTY_NAME="Raspbian 12 of Anna"\nID=raspbian\nVERSION_ID="12"\n')
    found = facts(tmp_path)
    assert (found.model, found.memory_mb, found.system) == ("Raspberry Pi Zero 2 W Rev 1.0", 416, "raspbian 12")


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("0\n", ()),
        (
            "50005\n",
            ("under-voltage now", "throttled now", "under-voltage since the start", "throttled since the start"),
        ),
        ("0x10000\n", ("under-voltage since the start",)),
        ("nonsense\n", None),
    ],
)
def test_the_firmware_tells_of_the_supply_in_bits(tmp_path: Path, told: str, expected: tuple[str, ...] | None) -> None:
    put(tmp_path, "sys/devices/platform/soc/soc:firmware/get_throttled", told)
    assert facts(tmp_path).power == expected


@pytest.mark.parametrize(("alarm", "expected"), [("1\n", ("under-voltage now",)), ("0\n", ())])
def test_a_kernel_without_the_firmwares_file_tells_by_its_voltage_alarm(
    tmp_path: Path, alarm: str, expected: tuple[str, ...]
) -> None:
    put(tmp_path, "sys/class/hwmon/hwmon0/name", "cpu_thermal\n")
    put(tmp_path, "sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    put(tmp_path, "sys/class/hwmon/hwmon1/in0_lcrit_alarm", alarm)
    assert facts(tmp_path).power == expected


def test_the_speed_of_the_bus_is_a_big_endian_number(tmp_path: Path) -> None:
    put(tmp_path, "sys/class/i2c-adapter/i2c-1/of_node/clock-frequency", bytes.fromhex("00061a80"))
    assert i2c_hz(tmp_path / "sys") == 400_000
    assert i2c_hz(tmp_path / "sys", 2) is None


def test_what_is_not_plain_is_no_fact(tmp_path: Path) -> None:
    put(tmp_path, "proc/device-tree/model", "Anna's Pi\n<script>\0")
    assert not facts(tmp_path).model
