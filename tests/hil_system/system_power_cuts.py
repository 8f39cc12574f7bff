"""The plug is pulled twenty times in the middle of play: QEMU is killed, with nothing told and nothing flushed."""

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.hil.patterns import Stroke, plan
from tests.hil_system.box import STATUS_FILE, InstalledBox, pressed, presses_of, rounds, types_of

CUTS = 20
SwitchOn = Callable[[str], InstalledBox]


def acknowledged(box: InstalledBox) -> int:
    """How many lines the box had said were stored, before the power went."""
    log = box.guest.scratch / "acknowledged"
    told = [line.split() for line in log.read_text().splitlines() if line.count(" ") == 4] if log.exists() else []
    assert all(line[0] == "1" for line in told), "one match is played all the time"
    return max((int(line[1]) for line in told), default=0)


def play_until_the_plug_is_pulled(box: InstalledBox, played: Sequence[Sequence[Stroke]], seconds: float) -> None:
    watching = ["/usr/bin/python3", "-I", "-S", "/hil/watch_status.py", STATUS_FILE, "/run/hil/acknowledged"]
    box.guest.start("watch", watching)
    box.begin(plan(played))
    time.sleep(seconds)
    box.guest.cut_power()


def test_after_twenty_power_cuts_everything_acknowledged_is_there(
    switch_on: SwitchOn, rng: random.Random, run_folder: Path
) -> None:
    began = time.monotonic()
    box = switch_on("cuts")
    box.await_running()
    box.take_seats_and_start(rng)
    before: list[bytes] = []
    told = []
    for cut in range(1, CUTS + 1):
        played = rounds(rng, 20)
        play_until_the_plug_is_pulled(box, played, rng.uniform(0.3, 5.0))
        promised = acknowledged(box)
        box = switch_on("cuts")
        box.await_running()
        status = box.status()
        record = box.record()
        where = f"cut {cut}: {len(before)} lines before, {promised} acknowledged, {len(record)} found"
        told.append(where)
        assert len(record) >= promised, where
        assert record[: len(before)] == before, where
        new = presses_of(record[len(before) :])
        assert new == [name for round_ in played for name in pressed(round_)][: len(new)], where
        assert status["match"]["number"] == 1, where
        assert status["doing"] == "playing", where
        assert promised <= status["match"]["durable"] <= len(record), where
        assert box.guest.sh("ls /var/lib/table-companion").split().count("matches.sqlite") == 1
        assert "damaged" not in box.guest.sh("ls /var/lib/table-companion"), where
        before = record
    (run_folder / "cuts.txt").write_text("\n".join(told) + f"\n{time.monotonic() - began:.0f} s\n")
    assert types_of(before).count("judge") >= CUTS, "the cuts came in the middle of play"
    box.guest.stop()
