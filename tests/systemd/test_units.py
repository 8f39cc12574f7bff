"""What of the service's units can be read from them; that they do what they say is shown on a booted system."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from companion.adapters.web.limits.bounds import SPARE_DESCRIPTORS, Bounds
from companion.app.service import BEAT_NS, HANG_VARIABLE
from companion.config.reading import load

SYSTEMD = Path(__file__).parents[2] / "systemd"


def settings(name: str) -> dict[str, list[str]]:
    """A unit's settings, each with all its values."""
    found: dict[str, list[str]] = {}
    for line in (SYSTEMD / name).read_text().splitlines():
        if "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


def test_the_service_tells_when_it_is_ready_and_only_its_main_process_may() -> None:
    unit = settings("companion.service")
    assert unit["Type"] == ["notify"]
    assert unit["NotifyAccess"] == ["main"]


def test_three_signs_of_life_fit_into_the_watchdogs_time() -> None:
    (watchdog_s,) = settings("companion.service")["WatchdogSec"]
    assert min(BEAT_NS, int(watchdog_s) * 10**9 // 3) * 3 <= int(watchdog_s) * 10**9


def test_all_places_of_the_pages_can_be_files_at_once() -> None:
    (files,) = settings("companion.service")["LimitNOFILE"]
    assert Bounds().within(int(files) - SPARE_DESCRIPTORS) == Bounds(), "beside what the box itself has open"


def test_a_box_that_dies_is_started_again_and_not_for_ever() -> None:
    unit = settings("companion.service")
    assert unit["Restart"] == ["on-failure"]
    assert unit["OnFailure"] == ["companion-fault.service"]
    restart_s = int(unit["RestartSec"][0].removesuffix("ms")) / 1000
    assert int(unit["StartLimitBurst"][0]) * restart_s < int(unit["StartLimitIntervalSec"][0])


@pytest.mark.parametrize(
    ("config", "switches"), [('[signals]\nkind = "pca9685"\n', True), ("[box]\n", False), (None, False)]
)
def test_whatever_ends_the_box_its_motors_are_switched_off_where_it_has_any(
    tmp_path: Path, config: str | None, switches: bool
) -> None:
    (after,) = settings("companion.service")["ExecStopPost"]
    path, program, done = tmp_path / "config.toml", tmp_path / "companion", tmp_path / "done"
    if config is not None:
        path.write_text(config)
    program.write_text(f'#!/bin/sh\necho "$@" > {done}\n')
    program.chmod(0o755)
    assert after.startswith("-/bin/sh -c '"), "a box that cannot do it ends all the same"
    script = after.removeprefix("-/bin/sh -c '").removesuffix("'")
    for real, here in (("/etc/table-companion/config.toml", path), ("/usr/bin/companion", program)):
        assert real in script
        script = script.replace(real, str(here))
    subprocess.run(["/bin/sh", "-c", script], check=True)
    assert (done.read_text() if done.exists() else "") == ("signals --off\n" if switches else "")


def test_the_box_may_use_these_devices_and_no_others() -> None:
    unit = settings("companion.service")
    assert unit["DevicePolicy"] == ["closed"]
    kinds = {value.split()[0] for value in unit["DeviceAllow"]}
    assert kinds == {
        "char-alsa",
        "char-gpiochip",
        "char-i2c",
        "char-spi",
        "char-ttyACM",
        "char-ttyUSB",
        "char-input",
        "/dev/gpiomem",
    }


@pytest.mark.parametrize("name", ["companion.service", "companion-fault.service"])
def test_a_unit_has_no_capability_and_cannot_gain_one(name: str) -> None:
    unit = settings(name)
    assert unit["CapabilityBoundingSet"] == [""]
    assert unit["NoNewPrivileges"] == ["yes"]
    assert unit["User"] == ["table-companion"]
    assert unit["ProtectSystem"] == ["strict"]


def test_the_box_may_see_the_kernels_threads() -> None:
    """How long those of the buttons' interrupts wait is in `/proc`; elsewhere it would be 2 ms at a guess."""
    unit = settings("companion.service")
    assert unit["ProtectProc"] == ["default"]
    assert "ProcSubset" not in unit


def test_the_signal_that_hangs_the_box_is_not_switched_on_where_it_is_installed() -> None:
    assert HANG_VARIABLE not in (SYSTEMD / "companion.service").read_text()


def test_a_kernel_module_is_asked_for_each_kind_of_device_that_may_come_later() -> None:
    unit = settings("companion.service")
    wanted = set(" ".join(unit["Wants"]).split())
    assert wanted == {"modprobe@i2c_dev.service", "modprobe@cdc_acm.service", "modprobe@usbserial.service"}
    assert wanted <= set(" ".join(unit["After"]).split())


def test_the_settings_that_are_installed_are_valid_and_ask_nobody() -> None:
    found = load(SYSTEMD / "config.toml")
    assert found.box.resume == "always"
    assert found.box.state_dir == "/var/lib/table-companion"
    assert tomllib.loads((SYSTEMD / "config.toml").read_text()).keys() == {"box"}


def test_the_user_of_the_units_is_made_with_every_group_they_name() -> None:
    made = (SYSTEMD / "table-companion.sysusers").read_text()
    groups = set(" ".join(settings("companion.service")["SupplementaryGroups"]).split())
    assert groups == set(re.findall(r"^m table-companion (\S+)$", made, re.MULTILINE))


def test_every_group_of_a_device_in_the_rules_is_one_of_the_boxes() -> None:
    rules = (SYSTEMD / "60-table-companion.rules").read_text()
    groups = set(" ".join(settings("companion.service")["SupplementaryGroups"]).split())
    of_systemd = {"audio"}  # sound cards belong to it by systemd's own rules, everywhere
    assert set(re.findall(r'GROUP="(\w+)"', rules)) | of_systemd == groups
