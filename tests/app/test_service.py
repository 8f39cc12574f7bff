"""What the running box tells: when it is ready, its signs of life from the loop alone, its status and its end."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.adapters.service.status_file import StatusFile, read_status
from companion.app.assembly import boot_id
from companion.app.service import HANG_VARIABLE, Service, make_service
from companion.core.play.health import BoxStatus, Doing, Life
from companion.core.timing.events import MS, SECOND
from tests.app.test_loop import Rig

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.slow  # starts processes


class Manager:
    """Writes down what it is told, when on the loop's clock, and by which thread."""

    def __init__(self, watchdog_ns: int | None = None) -> None:
        self.watchdog_ns = watchdog_ns
        self.told: list[tuple[str, str, float]] = []
        self.threads: set[threading.Thread] = set()

    def _tell(self, what: str, text: str = "") -> None:
        self.told.append((what, text, asyncio.get_running_loop().time()))
        self.threads.add(threading.current_thread())

    def ready(self, text: str) -> None:
        self._tell("ready", text)

    def status(self, text: str) -> None:
        self._tell("status", text)

    def alive(self) -> None:
        self._tell("alive")

    def stopping(self) -> None:
        self._tell("stopping")

    def close(self) -> None:
        self._tell("close")

    def what(self) -> list[str]:
        return [what for what, _, _ in self.told]


class Served:
    """A box on virtual time with somebody who watches it."""

    def __init__(self, folder: Path, watchdog_ns: int | None = None) -> None:
        self.rig = Rig()
        self.folder = folder
        self.manager = Manager(watchdog_ns)
        self.service = Service(self.manager, StatusFile(folder), clock=self.rig.clock, wall=lambda: "now")
        self.service.attach(self.rig.box)

    def run(self, *steps: tuple[float, Callable[[], object]], until_s: float) -> None:
        rig = self.rig
        rig.source.open()

        def plan() -> None:
            self.service.ready()
            for at_s, step in steps:
                rig.loop.call_later(at_s, step)
            rig.loop.call_later(until_s, self.service.stop)

        async def life() -> None:
            await rig.box.run(on_ready=plan)
            self.service.stopped()

        rig.loop.run_until_complete(life())

    def seen(self) -> BoxStatus:
        return read_status((self.folder,))


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    made = Served(tmp_path)
    yield made
    made.rig.loop.close()


def test_it_is_ready_once_and_first_and_stops_before_it_closes(served: Served) -> None:
    served.run(until_s=12.0)
    what = served.manager.what()
    assert what[0] == "ready"
    assert what.count("ready") == what.count("stopping") == what.count("close") == 1
    assert what.index("stopping") < what.index("close") == len(what) - 1


def test_signs_of_life_come_from_the_loops_thread_at_a_third_of_the_watchdogs_time(tmp_path: Path) -> None:
    served = Served(tmp_path, watchdog_ns=6 * SECOND)
    served.run(until_s=21.0)
    at = [at_s for what, _, at_s in served.manager.told if what == "alive"]
    assert len(at) == 11
    assert all(later - earlier < 2.5 for earlier, later in pairwise(at))
    assert served.manager.threads == {threading.main_thread()}
    served.rig.loop.close()


def test_a_loop_that_does_not_turn_gives_no_sign_of_life(tmp_path: Path) -> None:
    served = Served(tmp_path, watchdog_ns=6 * SECOND)
    seen: list[int] = []

    def hang() -> None:
        before = served.manager.what().count("alive")
        served.rig.loop.selector.passed_s += 60  # a minute in which nothing of the loop's runs
        seen.append(served.manager.what().count("alive") - before)

    served.run((10.0, hang), until_s=70.5)
    assert seen == [0]
    served.rig.loop.close()


def test_the_status_says_what_the_players_are_at(served: Served) -> None:
    looks: list[BoxStatus] = []

    def press() -> None:
        served.rig.source.press("red first", served.rig.now_ns())

    served.run(
        (1.0, press),
        (2.0, lambda: looks.append(served.seen())),
        (7.0, lambda: looks.append(served.seen())),
        until_s=8.0,
    )
    during, after = looks
    assert during.life is Life.RUNNING
    assert during.doing is Doing.PLAYING
    assert during.match is not None
    assert during.match.seats == ("red", "yellow")
    assert during.match.order.value == "provisional"
    assert during.sources[0].name == "pipe"
    assert [(one.line, one.arrival.total, one.bounce.total) for one in during.times] == [("red first", 2, 1)]
    assert after.match is not None
    assert after.match.lines == after.match.durable == 4
    lines = [text for what, text, _ in served.manager.told if what == "status"]
    assert any(" 1 provisional; pipe well; no faults" in line for line in lines)


def test_a_burst_of_presses_is_told_at_once_and_not_each(served: Served) -> None:
    def burst() -> None:
        for number in range(20):
            served.rig.source.press("red first" if number % 2 else "yellow first", served.rig.now_ns() + number * MS)

    served.run((1.0, burst), until_s=3.0)
    at = [at_s for what, _, at_s in served.manager.told if what == "status"]
    assert len(at) <= 4


def test_a_fault_is_told_while_it_holds_and_remembered_afterwards(served: Served) -> None:
    looks: list[BoxStatus] = []
    session = served.rig.box.box.session

    def fail(text: str | None) -> Callable[[], None]:
        return lambda: served.rig.box.act(lambda _: session.alarm("display", text))

    served.run(
        (1.0, fail("the display does not answer")), (2.0, lambda: looks.append(served.seen())),
        (3.0, fail(None)), (4.0, lambda: looks.append(served.seen())), until_s=5.0,
    )  # fmt: skip
    assert looks[0].faults == ("the display does not answer",)
    assert looks[1].faults == ()
    assert looks[1].last_fault is not None
    assert looks[1].last_fault.text == "the display does not answer"
    assert served.seen().life is Life.STOPPED


def test_a_source_that_has_gone_is_named(served: Served) -> None:
    looks: list[BoxStatus] = []

    def vanish() -> None:
        served.rig.source.is_gone = True
        served.rig.source.refuses = 100

    served.run((1.0, vanish), (4.0, lambda: looks.append(served.seen())), until_s=5.0)
    assert looks[0].sources[0].fault == "its lines have gone"


def test_a_box_that_cannot_start_leaves_the_reason(tmp_path: Path) -> None:
    async def fail() -> Manager:
        manager = Manager()
        service = Service(manager, StatusFile(tmp_path))
        service.failed("no chip is labelled pinctrl-bcm2711")
        service.stopped()
        return manager

    manager = asyncio.run(fail())
    status = read_status((tmp_path,))
    assert status.life is Life.FAILED
    assert status.last_fault is not None
    assert "no chip" in status.last_fault.text
    assert manager.told[0][:2] == ("status", "failed: no chip is labelled pinctrl-bcm2711")


def test_a_start_after_a_kill_says_so_and_a_start_after_a_stop_does_not(tmp_path: Path) -> None:
    def write(life: Life, boot: str | None) -> None:
        StatusFile(tmp_path).write(
            BoxStatus(version="1", life=life, pid=1, boot=boot, t_ns=0, wall="", every_ns=1),
        )

    def fault() -> str | None:
        found = make_service({"RUNTIME_DIRECTORY": str(tmp_path)})._look().last_fault
        return None if found is None else found.text

    write(Life.RUNNING, boot_id())
    assert "started anew" in (fault() or "")
    write(Life.STOPPED, boot_id())
    assert fault() is None
    write(Life.RUNNING, "another boot")
    assert fault() is None


def test_presses_made_before_a_stop_are_in_the_record(tmp_path: Path) -> None:
    served = Served(tmp_path)

    def press_and_stop() -> None:
        served.rig.source.press("red first", served.rig.now_ns())
        served.service.stop()

    served.run((1.0, press_and_stop), until_s=60.0)
    assert [b'"press"' in line for line in served.rig.journal.lines(1)] == [False, True]
    served.rig.loop.close()


HANGING = """
import asyncio, os, signal, sys
from companion.app.service import hang_on_signal
async def main():
    hang_on_signal()
    asyncio.get_running_loop().call_later(0.05, lambda: os.kill(os.getpid(), signal.SIGUSR2))
    asyncio.get_running_loop().call_later(0.2, lambda: (print("turned"), os._exit(0)))
    print("running", flush=True)
    await asyncio.sleep(30)
asyncio.run(main())
"""


def test_the_debug_signal_hangs_the_loop_only_where_the_environment_allows_it() -> None:
    def run(allowed: str) -> tuple[int | None, bytes]:
        process = subprocess.Popen(
            [sys.executable, "-c", HANGING], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**os.environ, HANG_VARIABLE: allowed},
        )  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == b"running\n"  # however long a busy machine takes to start it
        try:
            out, _ = process.communicate(timeout=2 if allowed == "1" else 30)
        except subprocess.TimeoutExpired:
            process.kill()
            out, _ = process.communicate()
            return None, out
        return process.returncode, out

    assert run("1") == (None, b"")
    status, _ = run("0")
    assert status == -signal.SIGUSR2, "the signal keeps its own meaning"


COMPANION = str(Path(sys.executable).with_name("companion"))
PANEL = ["--source", "none", "--display", "none"]
KINDS = [
    pytest.param([*PANEL, "--no-web"], id="panel"),
    pytest.param([*PANEL, "--port", "0"], id="panel-web"),
    pytest.param(["--simulate", "--port", "0"], id="simulated-web"),
    pytest.param(["--script", "PLAY", "--plain"], id="script"),
]


class Supervised:
    """`companion run` with a service manager that listens: what it is told, and the status file."""

    def __init__(
        self, folder: Path, arguments: list[str], state_dir: Path, terminal: int | None = None
    ) -> None:  # fmt: skip
        self.folder = folder
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(folder / "notify"))
        self._socket.settimeout(60)
        (folder / "play").write_text("0.1 press red first for 10 ms\n+600 end\n")
        given = [str(folder / "play") if argument == "PLAY" else argument for argument in arguments]
        told_where = {"NOTIFY_SOCKET": str(folder / "notify"), "RUNTIME_DIRECTORY": str(folder)}
        self._process = subprocess.Popen(
            [COMPANION, "run", *given, "--seats", "red,yellow", "--state-dir", str(state_dir)],
            stdin=subprocess.DEVNULL if terminal is None else terminal,
            stdout=subprocess.PIPE if terminal is None else terminal, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "TERM": "xterm", **told_where},
        )  # fmt: skip

    def told(self) -> str:
        """Wait for the next thing that the manager is told."""
        return self._socket.recv(4096).decode()

    def end(self) -> tuple[int, str, list[str]]:
        """Give the exit status, what was said on standard error, and what the manager was told beside signs of life."""
        _, err = self._process.communicate(timeout=60)
        self._socket.setblocking(False)
        told = []
        while True:
            try:
                told.append(self.told())
            except BlockingIOError:
                break
        return self._process.returncode, err, [text for text in told if text != "WATCHDOG=1"]

    def terminate(self) -> None:
        self._process.terminate()

    def __enter__(self) -> Supervised:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
        self._process.kill()
        self._process.communicate()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        pytest.param(["--source", "gpiod", "--chip", "absent", "--display", "none"], "absent", id="panel"),
        pytest.param(["--simulate", "--port", "TAKEN"], "cannot listen", id="simulated-web"),
        pytest.param(["--simulate", "--no-web"], "there is no terminal", id="simulated-terminal"),
        pytest.param(["--script", "absent.script"], "absent.script: cannot be read", id="script"),
    ],
)
def test_a_box_that_cannot_start_says_why_to_the_service_manager(
    tmp_path: Path, arguments: list[str], why: str
) -> None:  # fmt: skip
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        given = [str(taken.getsockname()[1]) if argument == "TAKEN" else argument for argument in arguments]
        with Supervised(tmp_path, given, tmp_path / "state") as box:
            status, err, told = box.end()
    assert status == 1
    reason = err.strip().splitlines()[-1].removeprefix("companion: ")
    assert why in reason
    assert told == [f"STATUS=failed: {reason}"]
    seen = read_status((tmp_path,))
    assert seen.life is Life.FAILED
    assert seen.last_fault is not None
    assert seen.last_fault.text == reason


@pytest.mark.parametrize("arguments", KINDS)
def test_a_box_that_is_stopped_says_ready_and_stopping_once_each(tmp_path: Path, arguments: list[str]) -> None:
    with Supervised(tmp_path, arguments, tmp_path / "state") as box:
        assert box.told().startswith("READY=1\nSTATUS=")
        box.terminate()
        status, _, told = box.end()
    assert status == 0
    assert [text for text in told if not text.startswith("STATUS=")] == ["STOPPING=1"]
    assert read_status((tmp_path,)).life is Life.STOPPED


def test_leaving_the_panel_in_the_terminal_is_a_stop_too(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    with Supervised(tmp_path, ["--simulate", "--terminal"], tmp_path / "state", terminal=theirs) as box:
        os.close(theirs)
        reader = threading.Thread(target=drain, args=(ours,))
        reader.start()
        assert box.told().startswith("READY=1\nSTATUS=")
        os.write(ours, b"Q")
        status, _, told = box.end()
        reader.join(60)
    os.close(ours)
    assert status == 0
    assert [text for text in told if not text.startswith("STATUS=")] == ["STOPPING=1"]
    assert read_status((tmp_path,)).life is Life.STOPPED


def drain(terminal: int) -> None:
    """Read what a program writes to its terminal until it has gone: else it waits for that."""
    with suppress(OSError):
        while os.read(terminal, 65536):
            pass


def test_a_script_that_has_ended_is_a_stop_too(tmp_path: Path) -> None:
    (tmp_path / "short").write_text("0.1 press red first for 10 ms\n+0.1 end\n")
    with Supervised(tmp_path, ["--script", str(tmp_path / "short"), "--plain"], tmp_path / "state") as box:
        status, _, told = box.end()
    assert status == 0
    assert told[0].startswith("READY=1\n")
    assert [text for text in told[1:] if not text.startswith("STATUS=")] == ["STOPPING=1"]
    assert read_status((tmp_path,)).life is Life.STOPPED
