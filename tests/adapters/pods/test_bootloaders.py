"""A Pico with nothing but its boot loader: it is found among USB devices, and what to do is said."""

from __future__ import annotations

import pytest

from companion.adapters.pods import bootloaders
from companion.adapters.pods.bootloaders import find_bootloaders
from companion.adapters.pods.ports import open_port
from companion.cli import pods
from companion.cli.doctor import Serial, check_serial
from companion.cli.findings.finding import Health
from companion.config.settings import Pods
from companion.core.errors import Unavailable


def plug_in(folder, name, vendor, product):
    device = folder / name
    device.mkdir(parents=True)
    (device / "idVendor").write_text(f"{vendor}\n", encoding="ascii")
    (device / "idProduct").write_text(f"{product}\n", encoding="ascii")


@pytest.fixture
def devices(tmp_path):
    folder = tmp_path / "devices"
    plug_in(folder, "1-1", "1d6b", "0002")
    plug_in(folder, "1-1.1", "2e8a", "0005")  # MicroPython on a Pico
    (folder / "1-1.1:1.0").mkdir()
    return folder


def test_chips_in_their_boot_loader_are_found_and_nothing_else(devices):
    assert find_bootloaders(devices) == []
    plug_in(devices, "1-1.3", "2E8A", "000F")
    plug_in(devices, "1-1.2", "2e8a", "0003")
    assert [loader.chip for loader in find_bootloaders(devices)] == ["RP2040", "RP2350"]
    assert find_bootloaders(devices / "nowhere") == []


def test_who_installs_on_a_chip_in_its_boot_loader_is_told_what_to_do(devices, monkeypatch):
    plug_in(devices, "1-1.2", "2e8a", "0003")
    monkeypatch.setattr(pods, "find_pods", list)
    monkeypatch.setattr(pods, "find_bootloaders", lambda: find_bootloaders(devices))
    with pytest.raises(Unavailable, match=r"RP2040 .*RPI-RP2.*without holding BOOTSEL.*\.uf2.*companion pods install"):
        pods.install(Pods(), None, None, print)


def test_the_doctor_says_so_too():
    told = bootloaders.BOOTLOADERS["000f"].says
    (finding,) = check_serial(lambda: Serial(loaders=(told,)), open_port)
    assert (finding.health, finding.subject, finding.text) == (Health.WARNING, "pods", told)
