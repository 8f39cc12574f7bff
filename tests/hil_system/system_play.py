"""Switched on and left alone: it starts by itself, referees, survives a kill, a hang, full disks and a failing card."""

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tests.hil.box import on_host, one_button_each
from tests.hil.errors import HilError
from tests.hil.patterns import Stroke, burst, plan
from tests.hil_system.box import (
    STATE,
    InstalledBox,
    course_of,
    pressed,
    presses_of,
    rounds,
    types_of,
)

SwitchOn = Callable[[str], InstalledBox]


def replayed(lines: list[bytes]) -> list[dict[str, object]]:
    """What the host's own `companion replay --json` makes of a record."""
    return on_host("replay", "--json", "-", text="".join(f"{line.decode()}\n" for line in lines))


def await_races(box: InstalledBox, race: int) -> None:
    """Waits until so many races have been judged and stored."""
    box.await_status(f'"race":{race + 1},')


def test_without_anybody_logging_in_presses_lead_to_rulings_in_the_journal(
    switch_on: SwitchOn, rng: random.Random, run_folder: Path
) -> None:
    box = switch_on("play")
    box.await_running()
    assert box.guest.sh("who") == ""
    box.take_seats_and_start(rng)
    played = rounds(rng, 8)
    box.play(plan(played))
    await_races(box, 8)
    lines = box.record()
    assert presses_of(lines) == [name for round_ in played for name in pressed(round_)]
    orders = [line for line in replayed(lines) if line["type"] == "order"]
    told = [[place["colour"] for place in order["order"]] for order in orders]  # type: ignore[attr-defined]
    assert told == [[name.split()[0] for name in pressed(round_)] for round_ in played]
    boot = box.guest.sh("systemd-analyze; systemctl show companion -p ActiveEnterTimestampMonotonic")
    (run_folder / "boot.txt").write_text(boot)
    kill_in_a_race(box, rng, run_folder)
    hang_in_a_match(box, rng)
    box.guest.stop()


def await_evidence(box: InstalledBox, races: int) -> list[bytes]:
    """Waits until the record names the evidence of so many races, which is there seconds after each, and gives it."""
    for _ in range(40):  # each look is work for a slow guest too, so there is a pause between them
        lines = box.record()
        if types_of(lines).count("evidence") == races:
            return lines
        box.guest.sh("sleep 3")
    raise HilError(f"no evidence of {races} races: {types_of(lines)}")


def kill_in_a_race(box: InstalledBox, rng: random.Random, run_folder: Path) -> None:
    """kill -9 while a race is collecting: running again hardly later than a start takes, and the race where it was."""
    before = await_evidence(box, 8)
    strokes = burst(rng, one_button_each(rng), hold_us=60_000)
    first, rest = strokes[:2], strokes[2:]
    box.play(plan(first))
    stored = len(before) + 2
    box.await_status(f'"lines":{stored},"durable":{stored}')
    (run_folder / "restart-seconds.txt").write_text(f"{seconds_to_come_back(box)} after a kill\n")
    status = box.status()
    assert (status["match"]["number"], status["match"]["phase"]) == (1, "collecting")
    assert "started anew" in status["last_fault"]["text"]
    assert box.guest.sh("systemctl show -P RestartUSec companion").strip() == "200ms"
    box.play(plan([shifted(stroke, -rest[0].at_us) for stroke in rest]))
    await_races(box, 9)
    after = box.record()
    assert after[: len(before)] == before
    assert presses_of(after[len(before) :]) == pressed(strokes)
    assert types_of(after[len(before) :]).count("judge") == 1


def seconds_to_come_back(box: InstalledBox) -> float:
    """Kills the box's main process, and gives the time until it takes presses again, on the guest's clock."""
    script = """
        is() { systemctl show --property MainPID,ActiveState companion; }; before=$(is)
        read -r begin _ < /proc/uptime; systemctl kill -s KILL --kill-whom=main companion
        for i in $(seq 240); do
            sleep 0.5; now=$(is)
            case $now in *ActiveState=active*) [ "$now" = "$before" ] || break;; esac  # another process, and ready
        done
        read -r end _ < /proc/uptime; echo $begin $end"""
    begin, end = map(float, box.guest.sh(script).split())
    return end - begin


def shifted(stroke: Stroke, by_us: int) -> Stroke:
    """The same stroke at another time."""
    return replace(stroke, edges=tuple(replace(edge, at_us=edge.at_us + by_us) for edge in stroke.edges))


def hang_in_a_match(box: InstalledBox, rng: random.Random) -> None:
    """A loop that turns no more: the watchdog ends it, the log says where it was, and the match goes on."""
    box.guest.sh("""
        mkdir -p /run/systemd/system/companion.service.d
        printf '[Service]\\nEnvironment=COMPANION_DEBUG_HANG=1\\n' > /run/systemd/system/companion.service.d/hang.conf
        systemctl daemon-reload; systemctl restart companion""")
    before = box.record()
    started = box.guest.sh("systemctl show -P NRestarts companion").strip()
    box.guest.sh("systemctl kill -s USR2 --kill-whom=main companion")
    script = f"""
        for i in $(seq 60); do
            [ "$(systemctl show -P NRestarts companion)" != {started} ] && systemctl -q is-active companion && exit 0
            sleep 1
        done
        exit 1"""
    box.guest.sh(script)
    log = box.guest.sh("journalctl -b -u companion -o cat --no-pager")
    assert "Watchdog timeout" in log
    assert re.search(r'File ".*service\.py", line \d+ in _hang', log), "faulthandler's traceback"
    played = rounds(rng, 1)
    box.play(plan(played))
    await_races(box, 10)
    after = box.record()
    assert after[: len(before)] == before
    assert presses_of(after[len(before) :]) == pressed(played[0])


def test_a_stop_a_full_disk_and_one_that_cannot_be_written_lose_nothing(
    switch_on: SwitchOn, rng: random.Random
) -> None:
    """One power-on for all four, a read-only root among them: each begins with a box that has just been started."""
    box = switch_on("disk")
    box.await_running()
    stop_in_a_race(box, rng)
    put_matches_on(box, "tmpfs -o size=2M")
    fill_the_disk(box, rng)
    start_on_a_disk_that_cannot_be_written(box)
    put_matches_on(box, "tmpfs -o size=8M", "journalctl --relinquish-var; mount -o remount,ro /")
    play_on_a_read_only_root(box, rng)
    box.guest.stop()


def put_matches_on(box: InstalledBox, disk: str, then: str = ":") -> None:
    """Starts the box with another, empty disk where its matches are."""
    box.guest.sh(f"""
        systemctl stop companion
        mount -t {disk},mode=0755,uid=$(id -u table-companion),gid=$(id -g table-companion) tmpfs {STATE}
        {then}
        systemctl start companion""")


def stop_in_a_race(box: InstalledBox, rng: random.Random) -> None:
    """No press that was made before the stop is lost."""
    box.take_seats_and_start(rng)
    strokes = burst(rng, one_button_each(rng), hold_us=200_000)[:4]
    player, _ = box.begin(plan(strokes))
    box.guest.sh("sleep 0.25; systemctl stop companion")
    assert player.wait() == 0
    assert presses_of(box.record()) == pressed(strokes)
    assert "was stopped" in box.guest.sh("companion status", check=False)


def fill_the_disk(box: InstalledBox, rng: random.Random) -> None:
    """A full disk is told, and nothing is lost when there is room again."""
    box.take_seats_and_start(rng)
    box.guest.sh(f"dd if=/dev/zero of={STATE}/fill bs=4k 2>/dev/null; df {STATE}", check=False)
    played = rounds(rng, 30)
    box.play(plan(played))
    told = json.loads(box.await_status('"recorded":false'))
    assert any("the disk is full" in fault for fault in told["faults"])
    assert told["match"]["order"] in ("not recorded", "provisional", "closed")
    assert "NOT RECORDED" in box.guest.sh("systemctl show -P StatusText companion")
    assert "NOT RECORDED" in box.guest.sh("companion status")
    box.guest.sh(f"rm {STATE}/fill")
    box.await_status('"recorded":true')
    await_races(box, 30)
    assert presses_of(box.record()) == [name for round_ in played for name in pressed(round_)]


def start_on_a_disk_that_cannot_be_written(box: InstalledBox) -> None:
    """It runs, says so, and is well when it can be written again."""
    record = course_of(box.record())
    box.guest.sh(f"systemctl stop companion; mount -o remount,ro {STATE}; systemctl start companion")
    told = json.loads(box.await_status("not recorded"))
    assert told["life"] == "running"
    assert any("ead-only" in fault for fault in told["faults"]), told["faults"]
    box.guest.sh(f"systemctl stop companion; mount -o remount,rw {STATE}; systemctl start companion")
    box.await_status('"faults":\\[\\]')
    assert course_of(box.record()) == record


def play_on_a_read_only_root(box: InstalledBox, rng: random.Random) -> None:
    """A data partition that holds the matches is enough."""
    assert box.guest.sh("touch /etc/file 2>&1", check=False).strip().endswith("Read-only file system")
    box.take_seats_and_start(rng)
    played = rounds(rng, 2)
    box.play(plan(played))
    await_races(box, 2)
    box.guest.sh("systemctl restart companion")
    told = json.loads(box.await_status('"race":3,'))
    assert (told["faults"], told["recorded"], told["match"]["number"]) == ([], True, 1)
    assert presses_of(box.record()) == [name for round_ in played for name in pressed(round_)]


def test_a_card_that_fails_is_told_and_the_match_goes_on_from_what_it_holds(
    switch_on: SwitchOn, rng: random.Random
) -> None:
    """The file system goes read-only under the running box, as Linux does it when a card gives an error."""
    box = switch_on("card")
    box.await_running()
    box.take_seats_and_start(rng)
    box.play(plan(rounds(rng, 2)))
    await_races(box, 2)
    before = course_of(box.record())
    box.guest.sh("mount -o remount,errors=remount-ro /; echo 1 > /sys/fs/ext4/vda/trigger_fs_error")
    assert box.guest.sh(f"touch {STATE}/file 2>&1", check=False).strip().endswith("Read-only file system")
    box.play(plan(rounds(rng, 1)))
    told = json.loads(box.await_status('"recorded":false'))
    assert told["doing"] == "playing"
    assert any("the disk does not work" in fault for fault in told["faults"]), told["faults"]
    box.guest.sh("systemctl restart companion")
    told = json.loads(box.await_status('"recorded":false'))
    assert told["life"] == "running"
    assert any("the disk does not work" in fault for fault in told["faults"]), told["faults"]
    assert "NOT RECORDED" in box.guest.sh("companion status")
    box.guest.stop()
    box = switch_on("card")  # the card is well again: the journal of its file system is played back
    box.await_running()
    told = json.loads(box.await_status('"recorded":true'))
    assert told["faults"] == []
    assert (told["match"]["number"], told["doing"], told["match"]["race"]) == (1, "playing", 3)
    assert course_of(box.record()) == before
    assert types_of(box.record())[-1] == "restart", "another boot has another clock"
    box.guest.stop()
