"""Broker, desk and boxes of an event as processes, each behind a wire of its own; with what may be done to them."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from companion.adapters.web.encryption.own_names import Called
from companion.app.tournament.broker.certificates import certificates_in
from companion.app.tournament.broker.files import write_mosquitto
from companion.app.tournament.broker.logins import logins_for
from companion.app.tournament.broker.mosquitto import Listening
from companion.app.tournament.folder import begin_desk
from tests.brokers.processes import Process, free_ports
from tests.chaos.given import DESK, EVENT, Given, desk_folder, write_given
from tests.chaos.wires import Wire

if TYPE_CHECKING:
    from pathlib import Path

BROKER = "broker"
PER_TABLE = 4
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


class Hall:
    """An event in a folder, which is empty before. races: of each match. rounds, pace_ms, spoils: see `Given`."""

    def __init__(
        self, folder: Path, seed: str, boxes: int, races: int, *, rounds: int | None, pace_ms: float, spoils: str = ""
    ) -> None:  # fmt: skip
        self.folder, self._seed, self._races = folder, seed, races
        self._rounds, self._pace_ms, self._spoils = rounds, pace_ms, spoils
        self.boxes = tuple(f"box-{number}" for number in range(1, boxes + 1))
        self.wires: dict[str, Wire] = {}
        self.processes: dict[str, Process] = {}
        self.down = set[str]()
        """Those that are killed or stopped just now, on purpose."""
        self._fallen: list[str] = []
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        own = desk_folder(self.folder)
        begin_desk(own, EVENT, self._seed.encode().hex())
        logins = logins_for(own, EVENT, self.boxes)
        certificates = certificates_in(own, EVENT, Called(("localhost",), ("127.0.0.1",)), datetime.now(UTC))
        port = self._start_broker(logins, certificates.server)
        for name in (DESK, *self.boxes):
            self.wires[name] = await self._stack.enter_async_context(Wire(port))
        brokers = {name: f"mqtts://127.0.0.1:{wire.port}" for name, wire in self.wires.items()}
        write_given(
            self.folder,
            Given(
                seed=self._seed, boxes=self.boxes, players=PER_TABLE * len(self.boxes), races=self._races,
                rounds=self._rounds, pace_ms=self._pace_ms, logins=logins, brokers=brokers,
                authority=str(certificates.authority), spoils=self._spoils,
            ),
        )  # fmt: skip
        self._add(DESK, "tests.chaos.desk", str(self.folder))
        for name in self.boxes:
            self._add(name, "tests.chaos.box", str(self.folder), name)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.end()
        await self._stack.aclose()

    def _start_broker(self, logins: dict[str, str], server: Path) -> int:
        """Begin it; another port is taken where somebody was quicker."""
        program = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") or "mosquitto"
        for port in free_ports():
            listening = Listening("127.0.0.1", port, server, user="root")
            settings = write_mosquitto(self.folder / "mosquitto", EVENT, logins, listening)
            process = Process([program, "-c", str(settings)], self.folder / "broker.log")
            process.start()
            if process.until_it_answers(port):
                self.processes[BROKER] = process
                return port
            assert "Address already in use" in process.log(), process.log()
        raise AssertionError("there is no free port")

    def _add(self, name: str, module: str, *arguments: str) -> None:
        process = Process(
            [sys.executable, "-m", module, *arguments], self.folder / f"{name}.log", {**os.environ, **ONE_THREAD}
        )
        self.processes[name] = process
        process.start()

    def fallen(self) -> list[str]:
        """Give those that have ended by themselves, at any time."""
        names = [name for name, one in self.processes.items() if name not in self.down and not one.is_running()]
        self._fallen += [name for name in names if name not in self._fallen]
        return self._fallen

    def kill(self, name: str) -> None:
        """Kill it at once."""
        self.fallen()
        self.down.add(name)
        self.processes[name].kill()

    def begin_again(self, name: str) -> None:
        """Start what was killed."""
        self.processes[name].start()
        self.down.discard(name)

    def stop(self, name: str) -> None:
        """Have it do nothing, as a machine that is overloaded."""
        self.fallen()
        self.down.add(name)
        self.processes[name].signal(signal.SIGSTOP)

    def go_on(self, name: str) -> None:
        """Have what was stopped go on."""
        self.processes[name].signal(signal.SIGCONT)
        self.down.discard(name)

    def end(self) -> None:
        """Kill all that is left: it must be no worse than to end in good order."""
        for process in self.processes.values():
            process.kill()
