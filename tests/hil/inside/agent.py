"""Runs in the guest: does what the host asks over a serial line, one JSON object a line in, one out.

Standard library only, started with `python -I -S`. What a process prints stands in the guest's memory, and is brought
to the shared folder when the host asks what is new: a line through the share takes some 50 ms, and the program would
wait for each. Only short answers go over the line. Requests are `{"id": 1, "do": "start", ...}`; answers are
`{"id": 1, "ok": ...}` or `{"id": 1, "error": "text"}`.
"""

import contextlib
import ctypes
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import termios
import time
import traceback
import tty
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

SHARED = Path("/run/hil")
PRINTED = Path("/run/printed")
CONFIGFS = Path("/sys/kernel/config/gpio-sim")
PLATFORM = Path("/sys/devices/platform")

LOOK_S = 0.05
"""How often it is looked whether a process has printed what is waited for."""
ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LC_ALL": "C.UTF-8",
    "TERM": "linux",
    "PYTHONUNBUFFERED": "1",
    "LG_WD": "/run/lgpio",  # lgpio makes a fifo in its working directory at import, and fails where it cannot
}


class Refused(Exception):
    """What was asked cannot be done; the text goes to the host."""


def outputs(name: str) -> tuple[str, str]:
    """The files of what a process prints, here and in the shared folder."""
    return f"{name}.stdout", f"{name}.stderr"


class Forked:
    """A process that the fork server began, as a `Popen` has it; the agent has taken up the orphan."""

    def __init__(self, pid: int, stdin: int) -> None:
        self.pid = pid
        self.stdin = os.fdopen(stdin, "wb")
        self._handle = os.pidfd_open(pid)
        self._status: int | None = None

    def poll(self) -> int | None:
        if self._status is None:
            gone, status = os.waitpid(self.pid, os.WNOHANG)
            self._status = os.waitstatus_to_exitcode(status) if gone else None
        return self._status

    def send_signal(self, number: int) -> None:
        if self._status is None:
            signal.pidfd_send_signal(self._handle, number)


def ended(process: "subprocess.Popen[bytes] | Forked", timeout: float) -> int | None:
    """Its exit status, None where it still runs after so many seconds. The kernel tells: `Popen.wait` would look again
    and again, on a machine that has other things to do.
    """
    status = process.poll()
    if status is None:
        handle = os.pidfd_open(process.pid)
        select.select([handle], [], [], timeout)
        os.close(handle)
        status = process.poll()
    return status


class ForkServer:
    """`fork_server.py`, which has imported what its scripts import."""

    def __init__(self, argv: Sequence[str], env: dict[str, str]) -> None:
        self._line, theirs = socket.socketpair()
        _take_up_orphans()
        self._process = subprocess.Popen(argv, stdin=theirs.fileno(), env=env, start_new_session=True)
        theirs.close()
        if self._line.recv(20) != b"ready\n":
            raise Refused(f"the fork server ended with status {self._process.wait()}; the console has its reason")

    def start(self, argv: Sequence[str], env: dict[str, str], cwd: str, stdout: int, stderr: int) -> Forked:
        stdin, to_stdin = os.pipe()
        request = json.dumps({"argv": argv, "env": env, "cwd": cwd}).encode()
        socket.send_fds(self._line, [request], [stdin, stdout, stderr])
        os.close(stdin)
        return Forked(int(self._line.recv(20)), to_stdin)


def _take_up_orphans() -> None:
    """Makes this process the parent of what its children leave behind (prctl(2), PR_SET_CHILD_SUBREAPER)."""
    if ctypes.CDLL(None, use_errno=True).prctl(36, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "PR_SET_CHILD_SUBREAPER")


class Processes:
    """The processes that the host started, by name."""

    def __init__(self) -> None:
        self._running: dict[str, subprocess.Popen[bytes] | Forked] = {}
        self._load: list[int] = []
        self._forks: ForkServer | None = None
        PRINTED.mkdir()

    def serve_forks(self, argv: Sequence[str], env: dict[str, str]) -> dict[str, Any]:
        """Starts the fork server, from which `start` begins what is to be forked."""
        self._forks = ForkServer(argv, {**ENVIRONMENT, **env})
        return {}

    def start(
        self, name: str, argv: Sequence[str], env: dict[str, str], cwd: str, forked: bool = False
    ) -> dict[str, Any]:
        """forked: `argv` is a Python script and its arguments, and it is begun by the fork server."""
        if name in self._running:
            raise Refused(f"a process called {name} was started before")
        stdout, stderr = outputs(name)
        for output in (stdout, stderr):
            (SHARED / output).write_bytes(b"")  # another start of this machine may have left one
        with (PRINTED / stdout).open("wb") as out, (PRINTED / stderr).open("wb") as err:
            begin = self._fork if forked else self._execute
            self._running[name] = begin(argv, {**ENVIRONMENT, **env}, cwd, out.fileno(), err.fileno())
        return {"pid": self._running[name].pid}

    @staticmethod
    def _execute(
        argv: Sequence[str], env: dict[str, str], cwd: str, stdout: int, stderr: int
    ) -> "subprocess.Popen[bytes]":
        stdin = subprocess.PIPE
        return subprocess.Popen(
            argv, stdin=stdin, stdout=stdout, stderr=stderr, cwd=cwd, env=env, start_new_session=True
        )

    def _fork(self, argv: Sequence[str], env: dict[str, str], cwd: str, stdout: int, stderr: int) -> Forked:
        if self._forks is None:
            raise Refused("no fork server runs")
        return self._forks.start(argv, env, cwd, stdout, stderr)

    def wait(self, name: str, timeout: float) -> dict[str, Any]:
        """The exit status, negative for a signal; None when it still runs after so many seconds."""
        return {"status": ended(self._named(name), timeout)}

    def await_text(self, name: str, text: str, timeout: float) -> dict[str, Any]:
        """Whether it has printed a text on either output, at the latest after so many seconds; and its exit status."""
        process, wanted = self._named(name), text.encode()
        give_up = time.monotonic() + timeout
        with contextlib.ExitStack() as stack:
            files = [stack.enter_context((PRINTED / output).open("rb")) for output in outputs(name)]
            printed = [b"" for _ in files]
            while True:
                status = ended(process, LOOK_S)
                printed = [before[-len(wanted) :] + file.read() for before, file in zip(printed, files, strict=True)]
                said = any(wanted in each for each in printed)
                if said or status is not None or time.monotonic() > give_up:
                    return {"said": said, "status": status}

    def signal(self, name: str, number: int) -> dict[str, Any]:
        self._named(name).send_signal(number)
        return {}

    def write(self, name: str, text: str) -> dict[str, Any]:
        stdin = self._named(name).stdin
        if stdin is None:
            raise Refused(f"{name} has no standard input")
        stdin.write(text.encode())
        stdin.flush()
        return {}

    def bring(self, name: str) -> dict[str, Any]:
        """Adds to its two files in the shared folder what it has printed since."""
        self._named(name)
        for output in outputs(name):
            with (PRINTED / output).open("rb") as printed, (SHARED / output).open("ab") as brought:
                printed.seek(brought.tell())
                shutil.copyfileobj(printed, brought)
        return {}

    def bring_all(self) -> None:
        for name in self._running:
            self.bring(name)

    def load(self, processes: int) -> dict[str, Any]:
        """Keeps the CPUs busy with so many processes, dealt out over them; 0 ends the load."""
        for pid in self._load:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        cpus = sorted(os.sched_getaffinity(0))
        self._load = [self._busy(cpus[i % len(cpus)]) for i in range(processes)]
        return {"pids": self._load}

    @staticmethod
    def _busy(cpu: int) -> int:
        pid = os.fork()
        if pid == 0:
            os.sched_setaffinity(0, {cpu})
            while True:
                pass
        return pid

    def _named(self, name: str) -> subprocess.Popen[bytes] | Forked:
        if name not in self._running:
            raise Refused(f"no process called {name} was started")
        return self._running[name]


def add_chip(name: str, label: str, lines: int) -> dict[str, str]:
    """Makes a simulated chip, all lines high; returns its device file and the folder that moves its lines."""
    item = CONFIGFS / name
    bank = item / "bank0"
    if item.exists():
        raise Refused(f"a chip called {name} was made before")
    bank.mkdir(parents=True)
    (bank / "num_lines").write_text(str(lines))
    (bank / "label").write_text(label)
    (item / "live").write_text("1")
    chip = (bank / "chip_name").read_text().strip()
    folder = PLATFORM / (item / "dev_name").read_text().strip() / chip
    for line in range(lines):
        (folder / f"sim_gpio{line}" / "pull").write_text("pull-up")
    _await(Path("/dev") / chip)
    return {"device": f"/dev/{chip}", "folder": str(folder)}


def remove_chip(name: str) -> dict[str, str]:
    """Takes a chip away, as if it had been unplugged."""
    item = CONFIGFS / name
    if not item.exists():
        raise Refused(f"no chip called {name} was made")
    (item / "live").write_text("0")
    (item / "bank0").rmdir()
    item.rmdir()
    return {}


def _await(device: Path) -> None:
    for _ in range(200):
        if device.exists():
            return
        time.sleep(0.01)
    raise Refused(f"{device} did not appear")


def pin_interrupts(cpu: int) -> dict[str, Any]:
    """Moves the interrupt threads of all simulated lines that are claimed now to one CPU, and counts them."""
    table = [row.split() for row in Path("/proc/interrupts").read_text().splitlines()]
    wanted = tuple(f"irq/{row[0].rstrip(':')}-" for row in table if "irq_sim" in row)
    pinned = 0
    for comm in Path("/proc").glob("[0-9]*/comm"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it may have ended meanwhile
            if wanted and comm.read_text().startswith(wanted):
                os.sched_setaffinity(int(comm.parent.name), {cpu})
                pinned += 1
    return {"pinned": pinned}


def read_lines(folder: str, lines: Sequence[int]) -> dict[str, Any]:
    """The levels of lines as the chip has them, claimed or not."""
    return {"levels": [int((Path(folder) / f"sim_gpio{line}" / "value").read_text()) for line in lines]}


def remove_tree(path: str) -> dict[str, Any]:
    shutil.rmtree(path, ignore_errors=True)
    return {}


def requests(port: int) -> Iterator[dict[str, Any]]:
    """Requests as they come; ends when the host hangs up."""
    pending = b""
    while data := os.read(port, 4096):
        *lines, pending = (pending + data).split(b"\n")
        for line in lines:
            yield json.loads(line)


def serve(port: int) -> None:
    """Answers requests until one says `stop`."""
    processes = Processes()
    actions: dict[str, Callable[..., dict[str, Any]]] = {
        "serve_forks": processes.serve_forks,
        "start": processes.start,
        "wait": processes.wait,
        "await_text": processes.await_text,
        "signal": processes.signal,
        "write": processes.write,
        "bring": processes.bring,
        "load": processes.load,
        "add_chip": add_chip,
        "remove_chip": remove_chip,
        "pin_interrupts": pin_interrupts,
        "read_lines": read_lines,
        "remove_tree": remove_tree,
    }
    _answer(port, {"id": 0, "ok": {"python": sys.version.split()[0], "kernel": os.uname().release}})
    for request in requests(port):
        number, action = request.pop("id"), request.pop("do")
        if action == "stop":
            processes.load(0)
            processes.bring_all()
            _answer(port, {"id": number, "ok": {}})
            return
        try:
            _answer(port, {"id": number, "ok": actions[action](**request)})
        except Refused as error:
            _answer(port, {"id": number, "error": str(error)})
        except Exception:  # noqa: BLE001 - whatever it is, the host must hear of it
            _answer(port, {"id": number, "error": traceback.format_exc()})


def _answer(port: int, answer: dict[str, Any]) -> None:
    data = json.dumps(answer).encode() + b"\n"
    while data:
        data = data[os.write(port, data) :]


def main() -> None:
    port = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
    tty.setraw(port, termios.TCSANOW)
    os.umask(0o022)
    serve(port)


if __name__ == "__main__":
    main()
