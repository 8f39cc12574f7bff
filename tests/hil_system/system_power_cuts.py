"""The plug is pulled again and again in the middle of play: QEMU is killed, with nothing told and nothing flushed.

Twenty times, or as often as `--cuts` says.
"""

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from companion.adapters.intake_file.entries import waiting
from tests.hil.patterns import Stroke, plan
from tests.hil_system.box import STATE, STATUS_FILE, InstalledBox, pressed, presses_of, rounds, types_of

SwitchOn = Callable[[str], InstalledBox]
PATIENCE_S = 60.0


def acknowledged(box: InstalledBox) -> int:
    """How many lines the box had said were stored, before the power went."""
    log = box.guest.scratch / "acknowledged"
    told = [line.split() for line in log.read_text().splitlines() if line.count(" ") == 4] if log.exists() else []
    assert all(line[0] == "1" for line in told), "one match is played all the time"
    return max((int(line[1]) for line in told), default=0)


def play_until_the_plug_is_pulled(
    box: InstalledBox, played: Sequence[Sequence[Stroke]], seconds: float, stored: int
) -> None:
    """Plays for so long, and on a busy host until more is stored than the `stored` lines that were."""
    watching = ["/usr/bin/python3", "-I", "-S", "/hil/watch_status.py", STATUS_FILE, "/run/hil/acknowledged"]
    box.guest.start("watch", watching)
    box.begin(plan(played))
    time.sleep(seconds)
    patience_s = time.monotonic() + PATIENCE_S
    while acknowledged(box) <= stored and time.monotonic() < patience_s:
        time.sleep(0.05)
    box.guest.cut_power()


def kept_from_another_boot(box: InstalledBox) -> list[str]:
    """The presses that still wait in the intake though the machine was off since: each must have become a remark."""
    boot = box.guest.sh("cat /proc/sys/kernel/random/boot_id").strip()
    kept, _ = waiting(box.guest.sh(f"cat {STATE}/intake.jsonl").encode().split(b"\n"))
    return [f"{one.press.line} at {one.press.t_ns}" for one in kept if one.boot_id != boot]


@pytest.mark.timeout(4 * 3600)  # a cut takes half a minute
def test_after_many_power_cuts_everything_acknowledged_is_there(
    switch_on: SwitchOn, rng: random.Random, run_folder: Path, pytestconfig: pytest.Config
) -> None:
    cuts: int = pytestconfig.getoption("--cuts")
    began = time.monotonic()
    box = switch_on("cuts")
    box.await_running()
    box.take_seats_and_start(rng)
    before: list[bytes] = []
    told = []
    for cut in range(1, cuts + 1):
        played = rounds(rng, 20)
        play_until_the_plug_is_pulled(box, played, rng.uniform(0.3, 5.0), len(before))
        promised = acknowledged(box)
        box = switch_on("cuts")
        box.await_running()
        status = box.status()
        record = box.record()
        where = f"cut {cut}: {len(before)} lines before, {promised} acknowledged, {len(record)} found"
        told.append(where)
        assert promised > len(before), f"{where}: the cut came in the middle of play"
        assert len(record) >= promised, where
        assert record[: len(before)] == before, where
        new = presses_of(record[len(before) :])
        assert new == [name for round_ in played for name in pressed(round_)][: len(new)], where
        assert kept_from_another_boot(box) == [], where
        assert status["match"]["number"] == 1, where
        assert status["doing"] == "playing", where
        assert promised <= status["match"]["durable"] <= len(record), where
        assert box.guest.sh("ls /var/lib/table-companion").split().count("matches.sqlite") == 1
        assert "damaged" not in box.guest.sh("ls /var/lib/table-companion"), where
        before = record
    (run_folder / "cuts.txt").write_text("\n".join(told) + f"\n{time.monotonic() - began:.0f} s\n")
    assert "judge" in types_of(before)
    box.guest.stop()
