"""A PostgreSQL server of our own, from Debian's package: a cluster in a folder under /tmp, on 127.0.0.1 and a socket.

The superuser cannot run it, so it is then Debian's user `postgres`. It is a child of a shell that waits for a word of
ours: where this process ends in whatever way, there is the end of a file in its place, and the shell ends the server
and removes the folder.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg

if TYPE_CHECKING:
    from collections.abc import Iterator

USER, DATABASE = "companion", "events"
DEADLINE_S = 60
ATTEMPTS = 10
# Without fsync, what a killed server has written is with the kernel all the same: only a power cut could lose it.
SETTINGS = ("fsync=off", "shared_buffers=16MB", "max_connections=30", "autovacuum=off")
CANNOT_BIND = b"could not create any TCP/IP sockets"
WATCH = """
folder=$1; shift
"$@" </dev/null & server=$!
word=
read -r word
kill -QUIT $server 2>/dev/null
wait $server
[ "$word" = keep ] || rm -rf "$folder"
"""


class NoServer(Exception):
    """PostgreSQL is not installed, or does not start."""


def program(name: str) -> str:
    """Give the newest program of this name."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
    path = str(found[-1]) if found else shutil.which(name)
    if path is None:
        raise NoServer(f"there is no {name}: sudo apt install --no-install-recommends postgresql")
    return path


class Server:
    """A running server. `password` is that of its only user; `settings` are beyond those of all."""

    def __init__(self, *settings: str) -> None:
        self._settings = (*SETTINGS, *settings)
        self.folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
        self.password = f"pw-{secrets.token_hex(8)}"
        self.port = 0
        self._watch: subprocess.Popen[bytes] | None = None
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self._as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}

    def create(self) -> None:
        """Make the cluster, start it, and make the database."""
        words = self.folder / "password"
        words.write_text(self.password)
        words.chmod(0o644)
        command = [
            program("initdb"),
            "-D",
            str(self.folder / "data"),
            "-U",
            USER,
            "-A",
            "scram-sha-256",
            f"--pwfile={words}",
        ]
        subprocess.run(
            [*command, "-E", "UTF8", "--no-locale", "--no-sync", "--no-instructions"],
            check=True,
            capture_output=True,
            cwd=self.folder,
            timeout=DEADLINE_S,
            **self._as,
        )
        self.start()
        self.create_database(DATABASE)

    def start(self) -> None:
        """Start it, at the port that it had; else at one that is free and stays so until it is the server's."""
        for _ in range(ATTEMPTS):
            port = self.port or _free_port()
            if self._is_started(port):
                self.port = port
                return
        raise NoServer((self.folder / "log").read_text(errors="replace"))

    def kill(self) -> None:
        """End it as a power cut would: no connection is told, nothing is put in order."""
        self._end(b"keep\n")

    def remove(self) -> None:
        """End it and remove its folder."""
        if self._watch is not None:
            self._end(b"")
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database: str = DATABASE, port: int | None = None) -> str:
        """Give the URL of a store there."""
        return f"postgresql://{USER}:{self.password}@127.0.0.1:{port or self.port}/{database}"

    def connect(self, database: str = DATABASE) -> psycopg.Connection[Any]:
        """Connect, for what a test looks at or breaks."""
        return psycopg.connect(
            host="127.0.0.1", port=self.port, user=USER, password=self.password, dbname=database, autocommit=True
        )

    def create_database(self, name: str) -> None:
        with self.connect("postgres") as connection:
            connection.execute(f'CREATE DATABASE "{name}"'.encode())

    def _is_started(self, port: int) -> bool:
        """Start it, and wait until it answers. False: somebody has this port."""
        log = self.folder / "log"
        before = log.stat().st_size if log.exists() else 0
        self._run(port)
        for _ in _until_deadline():
            if CANNOT_BIND in log.read_bytes()[before:]:
                break
            try:
                psycopg.connect(
                    host=str(self.folder), port=port, user=USER, password=self.password, dbname="postgres"
                ).close()
            except psycopg.OperationalError:
                continue
            return True
        self._end(b"keep\n")
        return False

    def _run(self, port: int) -> None:
        command = [
            program("postgres"),
            "-D",
            str(self.folder / "data"),
            "-k",
            str(self.folder),
            "-h",
            "127.0.0.1",
            "-p",
            str(port),
        ]
        for setting in self._settings:
            command += ["-c", setting]
        with (self.folder / "log").open("ab") as log:
            self._watch = subprocess.Popen(
                ["/bin/sh", "-c", WATCH, "sh", str(self.folder), *command],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,  # Ctrl-C is for the tests
                **self._as,
            )

    def _end(self, word: bytes) -> None:
        assert self._watch is not None
        watch, self._watch = self._watch, None
        try:
            watch.communicate(word, timeout=DEADLINE_S)
        except subprocess.TimeoutExpired:
            os.killpg(watch.pid, signal.SIGKILL)
            watch.wait()


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def _until_deadline() -> Iterator[None]:
    """Give turns, each a little later, until a server that does not answer will not do so any more."""
    deadline = time.monotonic() + DEADLINE_S
    while time.monotonic() < deadline:
        yield
        time.sleep(0.05)
