"""From a flashed card to a box that referees, and the same with a root that nobody writes to and its power cut.

In this order, on one card: each test begins with what the one before has left, as a box does.
"""

import random

from tests.card.conftest import ANSWERS, Power
from tests.card.machine import CARD_GB
from tests.hil.patterns import plan
from tests.hil_system.box import CONFIG, SETTINGS, pressed, presses_of, rounds

READY_SECONDS = 60
GB = 1024**3


def test_the_first_start_is_ready_in_a_minute_of_its_own_clock(power: Power) -> None:
    assert power.on("first") <= READY_SECONDS


def test_the_first_start_applies_what_imager_was_told(power: Power) -> None:
    sh = power.box.guest.sh
    sh("cloud-init status --wait >/dev/null; true", seconds=1800)
    assert sh("hostname").strip() == ANSWERS.host
    user, _, _, _, _, home, shell = sh(f"getent passwd {ANSWERS.user}").strip().split(":")
    assert (user, home, shell) == (ANSWERS.user, f"/home/{ANSWERS.user}", "/bin/bash")
    assert ANSWERS.password in sh(f"getent shadow {ANSWERS.user}")
    assert {"sudo", "gpio", "i2c", "dialout"} <= set(sh(f"id -nG {ANSWERS.user}").split())
    assert ANSWERS.key in sh(f"cat /home/{ANSWERS.user}/.ssh/authorized_keys")
    assert sh("systemctl is-active ssh").strip() == "active"
    assert sh("readlink -f /etc/localtime").strip().endswith(ANSWERS.zone)
    wifi = sh("cat /run/NetworkManager/system-connections/*.nmconnection")
    assert f"ssid={ANSWERS.network}" in wifi
    assert f"psk={ANSWERS.psk}" in wifi


def test_the_root_has_taken_the_rest_of_the_card_and_the_matches_their_own(power: Power) -> None:
    sh = power.box.guest.sh
    assert int(sh("df -B1 --output=size / | tail -1")) > (CARD_GB - 2) * GB
    assert sh("findmnt -n -o LABEL /var/lib/table-companion").strip() == "matches"
    assert sh("stat -c %U /var/lib/table-companion").strip() == "table-companion"


def test_the_box_on_the_card_referees(power: Power, rng: random.Random) -> None:
    box = power.box
    (box.guest.scratch / "settings").write_text(SETTINGS)
    box.guest.sh(f"cat /run/hil/settings >> {CONFIG}; sync; systemctl restart companion", seconds=300)
    box.await_running(300)
    box.take_seats_and_start(rng)
    played = rounds(rng, 5)
    box.play(plan(played))
    box.guest.rest(3)
    assert presses_of(box.record()) == [name for round_ in played for name in pressed(round_)]


def test_a_root_that_nobody_writes_to_keeps_matches_through_a_power_cut(power: Power, rng: random.Random) -> None:
    before = power.box.record()
    power.box.guest.sh("companion-root read-only", check=False)
    power.await_restart()
    power.on("read-only")
    box = power.box
    assert box.guest.sh("findmnt -n -o FSTYPE /").strip() == "overlay"
    assert box.guest.sh("findmnt -n -o FSTYPE /var/lib/table-companion").strip() == "ext4"
    assert box.record()[: len(before)] == before
    box.guest.sh("echo lost >/etc/lost; sync")
    box.play(plan(rounds(rng, 3)))
    box.guest.rest(3)
    after = box.record()
    assert len(presses_of(after)) == len(presses_of(before)) + 15
    power.cut()
    power.on("after-the-cut")
    assert power.box.record()[: len(after)] == after
    assert power.box.status()["doing"] == "playing"
    assert power.box.guest.sh("test -e /etc/lost && echo there || echo gone").strip() == "gone"


def test_a_root_can_be_written_again(power: Power) -> None:
    before = power.box.record()
    power.box.guest.sh("companion-root writable", check=False)
    power.await_restart()
    power.on("writable")
    assert power.box.guest.sh("findmnt -n -o FSTYPE /").strip() == "ext4"
    assert power.box.record()[: len(before)] == before
    power.box.guest.stop()
