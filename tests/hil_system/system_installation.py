"""What the one command leaves behind, what the sandbox keeps the box from, and how it is upgraded and removed."""

import json
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

from tests.hil.image import REPOSITORY
from tests.hil.patterns import plan
from tests.hil_system import packages
from tests.hil_system.box import CONFIG, STATE, InstalledBox, course_of, rounds

SwitchOn = Callable[[str], InstalledBox]
VERSION = packages.VERSION
LARGEST_EXPOSURE = 1.5
MAY = {"gpiochip", "i2c", "state", "runtime", "tmp", "null", "urandom", "unix socket", "tcp socket"}
"""What of the probe's trials the box needs."""
PROBE = Path(__file__).parent / "inside" / "sandbox_probe.py"
PROMPT_ONLY = Path(__file__).parent / "inside" / "prompt_only.py"
UNIT = Path("/usr/lib/systemd/system/companion.service")


def test_the_one_command_leaves_a_box_that_is_enabled_confined_and_tells_how_it_is(
    switch_on: SwitchOn, run_folder: Path
) -> None:
    box = switch_on("installed")
    box.await_running()
    sh = box.guest.sh
    assert sh("systemctl is-enabled companion").strip() == "enabled"
    groups = set(sh("id -nG table-companion").split())
    assert groups == {"table-companion", "gpio", "i2c", "spi", "dialout", "input", "audio"}
    exposure = re.search(r"exposure level for companion.service: ([0-9.]+)", sh("systemd-analyze security companion"))
    assert exposure is not None
    (run_folder / "exposure.txt").write_text(f"{exposure[1]}\n")
    assert float(exposure[1]) <= LARGEST_EXPOSURE
    assert sh("systemd-analyze verify --man=no companion.service companion-fault.service 2>&1").strip() == ""
    told = sh("companion status").splitlines()
    assert told[0].startswith(f"companion {VERSION}: running, process ")
    text = sh("systemctl show -P StatusText companion").strip()
    assert f"now: {text}" in told
    assert sh("runuser -u nobody -- companion status").splitlines()[1:2] == [f"now: {text}"]
    assert "matches.sqlite" in sh(f"ls {STATE}")
    shutil.copy(PROMPT_ONLY, box.guest.scratch / "prompt_only.py")
    said = sh("python3 /run/hil/prompt_only.py companion pods install --port 2>&1", check=False)
    assert "mpremote cp failed at /dev/pts/" in said, "what installs the pods' program is there, and says what failed"
    confined(box)
    shows_a_fault_that_python_cannot(box)
    box.guest.stop()


def confined(box: InstalledBox) -> None:
    """A unit with the very settings of the box, as root so that only they stand in the way, tries what it must not."""
    shutil.copy(PROBE, box.guest.scratch / "sandbox_probe.py")
    sh = box.guest.sh
    sh(f"""
        cp /run/hil/sandbox_probe.py /usr/local/lib/sandbox_probe.py
        sed -e 's|^ExecStart=.*|ExecStart=/usr/bin/python3 -I /usr/local/lib/sandbox_probe.py|' \
            -e 's/^Type=.*/Type=oneshot/' -e '/^Restart=/d' -e '/^WatchdogSec=/d' -e '/^NotifyAccess=/d' \
            -e '/^OnFailure=/d' -e 's/table-companion$/probe/' -e '/^User=/d' -e '/^Group=/d' \
            {UNIT} > /run/systemd/system/probe.service
        systemctl daemon-reload
        touch /etc/probe-target
        mkdir -p /home/somebody; echo secret > /home/somebody/file""")
    sh("systemctl start probe.service", check=False)
    said = json.loads(sh("cat /run/probe/answers"))
    allowed = {name for name, answer in said.items() if answer == "yes"}
    assert allowed == MAY, said


def shows_a_fault_that_python_cannot(box: InstalledBox) -> None:
    """The program's folder is gone: after the last start systemd has the OLED say so. The chip is the kernel's stub."""
    sh = box.guest.sh
    sh(
        f"""sed -i 's/^kind = "none"/kind = "ssd1306"\\ni2c_bus = 0/' {CONFIG}
        mv /usr/lib/table-companion/current /usr/lib/table-companion/away
        systemctl restart companion""",
        check=False,
    )
    script = """
        for i in $(seq 90); do
            journalctl -b -u companion-fault -o cat --no-pager | grep 'show-fault' && exit 0
            sleep 1
        done
        systemctl status companion companion-fault --no-pager; exit 1"""
    said = sh(script, seconds=300)
    assert "exit-code; shown at 0x3c on bus 0" in said
    sh("mv /usr/lib/table-companion/away /usr/lib/table-companion/current")
    sh("systemctl reset-failed companion; systemctl start companion")


def test_upgrades_keep_settings_and_matches_and_one_that_fails_leaves_the_old_version_running(
    switch_on: SwitchOn, package: Path, rng: random.Random, run_folder: Path
) -> None:
    made = [maker(package, run_folder) for maker in (packages.newer, packages.broken_libraries, packages.broken_start)]
    box = switch_on("upgrade")
    box.await_running()
    for deb in made:
        shutil.copy(deb, box.guest.scratch / deb.name)
    box.take_seats_and_start(rng)
    box.play(plan(rounds(rng, 3)))
    box.await_status('"race":4,')
    record, settings = course_of(box.record()), box.guest.sh(f"cat {CONFIG}")

    install(box, "newer.deb")
    assert "VERSION_OF_TEST" in in_use(box)
    same_as_before(box, record, settings)

    for broken in ("broken-libraries.deb", "broken-start.deb"):
        said = install(box, broken, succeeds=False)
        assert "runs on" in said, said
        assert "VERSION_OF_TEST" in in_use(box), broken
        assert box.guest.sh("companion status | head -1").startswith(f"companion {VERSION}: running")
        same_as_before(box, record, settings)

    remove(box, record)
    shutil.copy(package, box.guest.scratch / "old.deb")
    install(box, "old.deb")
    assert "VERSION_OF_TEST" not in in_use(box)
    box.await_running()
    assert course_of(box.record()) == record
    box.guest.stop()


def install(box: InstalledBox, deb: str, *, succeeds: bool = True) -> str:
    """Installs a package by the one command, and gives what it said."""
    shutil.copy(REPOSITORY / "systemd" / "install", box.guest.scratch / "install")
    done = box.guest.run(
        ["/bin/bash", "-c", f"/bin/bash /run/hil/install /run/hil/{deb} 2>&1"], seconds=600, check=False
    )
    assert (done.returncode == 0) is succeeds, done.stdout
    return done.stdout


def in_use(box: InstalledBox) -> str:
    """The program's own text, of the version that `current` names."""
    return box.guest.sh("cat /usr/lib/table-companion/current/python3.11/companion/cli/status.py")


def same_as_before(box: InstalledBox, record: list[bytes], settings: str) -> None:
    """It runs, with the same settings and the same match, as far as it was."""
    box.await_running()
    status = box.status()
    assert (status["match"]["number"], status["doing"], status["match"]["race"]) == (1, "playing", 4)
    assert course_of(box.record()) == record
    assert box.guest.sh(f"cat {CONFIG}") == settings


def remove(box: InstalledBox, record: list[bytes]) -> None:
    """One command removes it; the matches stay, after a purge too."""
    shutil.copy(REPOSITORY / "systemd" / "uninstall", box.guest.scratch / "uninstall")
    box.guest.sh("/bin/sh /run/hil/uninstall 2>&1", seconds=300)
    sh = box.guest.sh
    assert sh("systemctl is-active companion", check=False).strip() in ("inactive", "unknown")
    assert sh("ls /usr/bin/companion /usr/lib/table-companion /usr/lib/systemd/system/companion.service 2>/dev/null",
              check=False) == ""  # fmt: skip
    assert sh("ls /etc/systemd/system/multi-user.target.wants", check=False).count("companion") == 0
    assert course_of(box.record()) == record
    sh("apt-get purge -y table-companion 2>&1", seconds=300)
    assert course_of(box.record()) == record
