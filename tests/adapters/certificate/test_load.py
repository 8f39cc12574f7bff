"""What keeps a machine busy while it is measured: that it does, that it ends, and that nothing is left of it."""

import os
import signal
import time
from pathlib import Path

from companion.adapters.certificate.load import Load
from companion.core.errors import Unavailable


class Counting:
    """A display in a file, which has a byte for each picture: "1" for a lit one. refuses: it goes with the third."""

    size = (8, 4)

    def __init__(self, file: Path, *, refuses: bool = False) -> None:
        self._file, self._refuses = file, refuses

    def open(self) -> None:
        pass

    def show(self, picture, first=(0, 0), is_stale=lambda: False) -> None:
        drawn = len(self._file.read_bytes()) if self._file.exists() else 0
        if self._refuses and drawn == 2:
            raise Unavailable("the display has gone")
        with self._file.open("ab") as file:
            file.write(b"1" if picture.getpixel((0, 0)) else b"0")

    def close(self) -> None:
        pass


def wait_until(is_so) -> None:
    for _ in range(3000):
        if is_so():
            return
        time.sleep(0.01)
    raise AssertionError("it was not so within half a minute")


def descendants() -> set[int]:
    own = Path(f"/proc/{os.getpid()}/task")
    return {int(pid) for task in own.iterdir() for pid in (task / "children").read_text().split()}


def test_the_disk_is_written_packets_are_sent_pictures_are_drawn_and_all_ends_with_it(tmp_path: Path) -> None:
    folder, pictures = tmp_path / "state", tmp_path / "pictures"
    folder.mkdir()
    with Load(folder, [Counting(pictures)]) as load:
        assert load.kinds == ("disk", "network", "display")
        busy = set(pids_of(load))
        wait_until(lambda: pictures.exists() and len(pictures.read_bytes()) > 4)
        wait_until(lambda: written(pids_of(load)[0]))
        assert busy <= descendants()
        assert load.ended == ()
    assert not busy & descendants()
    assert list(folder.iterdir()) == []
    drawn = pictures.read_bytes()
    assert b"11" not in drawn, "each differs in every dot"
    assert b"00" not in drawn


def pids_of(load: Load) -> list[int]:
    return [process.pid for process in load._running.values() if process.pid is not None]


def written(pid: int) -> bool:
    counted = dict(line.split(": ") for line in Path(f"/proc/{pid}/io").read_text().splitlines())
    return int(counted["wchar"]) > 1_000_000


def test_what_ends_by_itself_is_told(tmp_path: Path) -> None:
    with Load(tmp_path, [Counting(tmp_path / "pictures", refuses=True)]) as load:
        wait_until(lambda: load.ended)
        assert load.ended == ("display",)


def test_a_ctrl_c_at_the_terminal_is_for_whoever_measures(tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    with Load(tmp_path, [Counting(pictures)]) as load:
        wait_until(pictures.exists)
        pids = pids_of(load)
        wait_until(lambda: all(ignores_interrupts(pid) for pid in pids))
        for pid in pids:
            os.kill(pid, signal.SIGINT)
        before = len(pictures.read_bytes())
        wait_until(lambda: len(pictures.read_bytes()) > before)
        assert load.ended == ()


def ignores_interrupts(pid: int) -> bool:
    rows = (line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return bool(int(dict(row for row in rows if len(row) == 2)["SigIgn"], 16) & 1 << (signal.SIGINT - 1))


def test_without_a_display_none_is_kept_busy(tmp_path: Path) -> None:
    assert Load(tmp_path).kinds == ("disk", "network")
