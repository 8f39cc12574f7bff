"""Accepted presses outlive the process: what was taken waits in the next run, what was settled does not."""

import errno
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from companion.adapters.intake_file import IntakeFile
from companion.adapters.intake_file.entries import taken_line, waiting
from companion.adapters.intake_file.intake import EMPTIED_ABOVE
from companion.core.errors import Unavailable
from companion.core.timing.events import MS, Disbelieved, Press
from companion.ports import KeptPress

PATIENCE_S = 30


def kept(line="red first", t_ns=1_000, match=7, boot="b", remark=""):
    return KeptPress(match, boot, Press(line, t_ns, 20_000, remark))


class Run:
    """An intake opened in a folder; `faults` is what it said."""

    def __init__(self, folder, **given):
        self.intake = IntakeFile(folder, **given)
        self.faults = []
        self.told = threading.Event()
        self.left = self.intake.open(self._on_fault)

    def _on_fault(self, text):
        self.faults.append(text)
        self.told.set()

    def until(self, text):
        while text not in self.faults:
            assert self.told.wait(PATIENCE_S), f"never told: {text}; only {self.faults}"
            self.told.clear()


def again(folder):
    run = Run(folder)
    run.intake.close()
    return run.left


def test_what_was_taken_waits_in_the_next_run_with_its_time_and_in_the_order_of_time(tmp_path):
    run = Run(tmp_path)
    late, early = kept("blue second", 9_000, remark="noisy"), kept("red first", 1_000)
    run.intake.take(late)
    run.intake.take(early)
    run.intake.close()
    assert again(tmp_path) == (early, late)
    assert again(tmp_path) == (early, late)


def test_what_was_settled_waits_no_more(tmp_path):
    run = Run(tmp_path)
    run.intake.take(kept(t_ns=1))
    run.intake.take(kept(t_ns=2))
    run.intake.settle(kept(t_ns=1).press)
    run.intake.close()
    assert again(tmp_path) == (kept(t_ns=2),)


def test_what_an_earlier_run_left_can_be_settled(tmp_path):
    run = Run(tmp_path)
    run.intake.take(kept())
    run.intake.close()
    run = Run(tmp_path)
    run.intake.settle(kept().press)
    run.intake.close()
    assert again(tmp_path) == ()


def test_settling_what_is_not_kept_writes_nothing(tmp_path):
    run = Run(tmp_path)
    run.intake.settle(kept().press)
    run.intake.close()
    assert run.intake.path.read_bytes() == b""


@pytest.mark.parametrize("filler", [b"", b"\0"])
@pytest.mark.parametrize("cut", range(2, 12))
def test_a_line_that_was_cut_off_costs_no_other(tmp_path, cut, filler):
    run = Run(tmp_path)
    run.intake.take(kept(t_ns=1))
    run.intake.take(kept(t_ns=2))
    run.intake.close()
    run.intake.path.write_bytes(run.intake.path.read_bytes()[:-cut] + cut * filler)
    run = Run(tmp_path)
    assert run.left == (kept(t_ns=1),)
    assert [path.name for path in tmp_path.iterdir()] == [run.intake.path.name], "it was set aside"
    run.intake.take(kept(t_ns=3))
    run.intake.close()
    assert again(tmp_path) == (kept(t_ns=1), kept(t_ns=3))


def test_a_line_of_which_only_the_end_was_cut_off_counts(tmp_path):
    run = Run(tmp_path)
    run.intake.take(kept(t_ns=1))
    run.intake.close()
    run.intake.path.write_bytes(run.intake.path.read_bytes()[:-1])
    run = Run(tmp_path)
    run.intake.take(kept(t_ns=2))
    run.intake.close()
    assert again(tmp_path) == (kept(t_ns=1), kept(t_ns=2))


def test_rubbish_in_the_file_costs_no_press(tmp_path):
    run = Run(tmp_path)
    run.intake.take(kept(t_ns=1))
    run.intake.close()
    run.intake.path.write_bytes(b"\x00\xff\n{}\n" + run.intake.path.read_bytes())
    assert again(tmp_path) == (kept(t_ns=1),)


def test_it_is_emptied_when_nothing_waits_and_not_before(tmp_path):
    run = Run(tmp_path)
    run.intake.take(kept(t_ns=0))
    for t_ns in range(1, 1200):
        run.intake.take(kept(t_ns=t_ns))
        run.intake.settle(kept(t_ns=t_ns).press)
    run.intake.close()
    assert run.intake.path.stat().st_size > EMPTIED_ABOVE
    run = Run(tmp_path)
    assert run.left == (kept(t_ns=0),)
    run.intake.settle(kept(t_ns=0).press)
    run.intake.take(kept(t_ns=5_000))
    run.intake.settle(kept(t_ns=5_000).press)
    run.intake.close()
    run = Run(tmp_path)
    run.intake.take(kept(t_ns=6_000))
    run.intake.close()
    assert run.intake.path.stat().st_size < EMPTIED_ABOVE
    assert again(tmp_path) == (kept(t_ns=6_000),)


def test_a_full_disk_is_told_once_and_nothing_is_lost_when_it_has_room_again(tmp_path):
    full = [True]

    def write(handle, data):
        if full[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        return os.write(handle, data)

    run = Run(tmp_path, write=write)
    run.intake.take(kept(t_ns=1))
    run.until("presses are not kept until they are recorded: No space left on device")
    run.intake.take(kept(t_ns=2))
    full[0] = False
    run.intake.retry()
    run.until(None)
    run.intake.close()
    assert len(run.faults) == 2
    assert again(tmp_path) == (kept(t_ns=1), kept(t_ns=2))


def test_a_write_that_was_taken_in_part_is_done_again_whole(tmp_path):
    parts = [True]

    def write(handle, data):
        if parts and data != b"\n":
            parts.clear()
            return os.write(handle, data[:20])
        return os.write(handle, data)

    run = Run(tmp_path, write=write)
    run.intake.take(kept(t_ns=1))
    run.until("presses are not kept until they are recorded: only 20 of 83 bytes were taken")
    run.intake.close()
    assert again(tmp_path) == (kept(t_ns=1),)


def test_a_slow_disk_is_told_and_that_it_is_well_again(tmp_path):
    clock = [0]
    slow = [True]

    def write(handle, data):
        clock[0] += 51 * MS if slow[0] else 50 * MS
        return os.write(handle, data)

    run = Run(tmp_path, clock=lambda: clock[0], write=write)
    run.intake.take(kept(t_ns=1))
    run.until("the disk is slow: a press was kept after 51 ms")
    slow[0] = False
    run.intake.take(kept(t_ns=2))
    run.until(None)
    run.intake.close()


def test_a_press_is_written_while_the_disk_is_still_busy_with_the_one_before(tmp_path):
    busy, is_free = threading.Event(), threading.Event()

    def sync(handle):
        busy.set()
        assert is_free.wait(PATIENCE_S)
        os.fdatasync(handle)

    run = Run(tmp_path, sync=sync)
    run.intake.take(kept(t_ns=1))
    assert busy.wait(PATIENCE_S)
    run.intake.take(kept(t_ns=2))
    deadline = time.monotonic() + PATIENCE_S
    while run.intake.path.read_bytes().count(b"\n") < 2:
        assert time.monotonic() < deadline, "the second press waits for the first one's sync"
    is_free.set()
    run.intake.close()


def test_that_a_press_waits_no_more_is_not_brought_to_the_disk(tmp_path):
    syncs = list[int]()
    run = Run(tmp_path, sync=syncs.append)
    run.intake.take(kept(t_ns=1))
    run.intake.close()
    assert len(syncs) == 1
    run = Run(tmp_path, sync=syncs.append)
    run.intake.settle(kept(t_ns=1).press)
    run.intake.close()
    assert len(syncs) == 1
    assert again(tmp_path) == ()


def test_where_the_folder_cannot_be_used_it_is_unavailable(tmp_path):
    (tmp_path / "state").write_text("a file")
    with pytest.raises(Unavailable, match=r"intake\.jsonl cannot be used: Not a directory"):
        IntakeFile(tmp_path / "state").open(lambda _text: None)


KILLED = """
import sys
from pathlib import Path
from companion.adapters.intake_file import IntakeFile
from companion.core.timing.events import Press
from companion.ports import KeptPress
intake = IntakeFile(Path(sys.argv[1]), sync=lambda handle: None)
intake.open(lambda text: None)
t_ns = 0
while True:
    t_ns += 1
    intake.take(KeptPress(1, None, Press("red first", t_ns, 0)))
    while intake._taken < t_ns:
        pass
    print(t_ns, flush=True)
"""


def test_what_was_written_outlives_a_kill(tmp_path):
    child = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    said = [int(child.stdout.readline()) for _ in range(50)]
    child.send_signal(signal.SIGKILL)
    child.wait()
    said += [int(line) for line in child.stdout.read().splitlines() if line]
    child.stdout.close()
    assert [one.press.t_ns for one in again(tmp_path)][: len(said)] == said


def test_a_stamp_that_was_not_believed_outlives_a_kill():
    press = Press("red first", 1_000, 0, "", Disbelieved(900, 50, "it is dated back"))
    ((found,), unreadable) = waiting([taken_line(KeptPress(7, "b", press))])
    assert (found.press, unreadable) == (press, ())
