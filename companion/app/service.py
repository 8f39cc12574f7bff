"""Says how the running box is: to the service manager, and in the status file that `companion status` reads.

Part of `app`. Everything here happens in the event loop's thread and is started by the loop's own timer: a loop that
hangs gives no sign of life, and the service manager starts the box anew. No other thread may ever call `_beat`.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.adapters.service.installed import program_version
from companion.adapters.service.manager import NotifySocket
from companion.adapters.service.status_file import StatusFile, read_status, runtime_directory
from companion.app.assembly import boot_id
from companion.app.loop import wall_time
from companion.core.errors import CompanionError
from companion.core.play.health import BoxStatus, Life, PastFault, doing_of, match_of
from companion.core.timing.events import MS, SECOND
from companion.screens.text.health import status_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.app.loop import BoxLoop
    from companion.core.match.effects import Cue, Sound
    from companion.core.play.session import Session
    from companion.core.shown.scene import Scene
    from companion.ports import ServiceManager

LOG = logging.getLogger("companion")

SERVICE_DIRECTORY = Path("/run/table-companion")
"""The runtime directory of the installed service."""
BEAT_NS = 5 * SECOND
"""How often the status is renewed where no watchdog asks for more."""
NEWS_NS = 100 * MS
"""Changes are told after so long, all at once: a burst of presses is not slowed by files."""
HANG_VARIABLE = "COMPANION_DEBUG_HANG"
"""Where this is 1 in the environment, SIGUSR2 hangs the event loop: for proving that somebody notices."""


class ToldFaults:
    """The faults that a box has told: those that hold, and the newest, which outlives them.

    newest: told before this start, None where none was. wall: gives the wall time (RFC 3339).
    """

    def __init__(self, newest: PastFault | None, wall: Callable[[], str]) -> None:
        self.newest = newest
        self._wall = wall
        self._known: frozenset[str] = frozenset()

    def tell(self, text: str) -> None:
        """A fault was told now."""
        self.newest = PastFault(text=text, wall=self._wall())

    def see(self, alarms: tuple[str, ...]) -> None:
        """Take the alarms that hold, the newest first; those that were not there before are told."""
        new = [text for text in alarms if text not in self._known]
        if new:
            self.tell(new[0])
        self._known = frozenset(alarms)


class Service:
    """Follows a box's loop and tells of it. Use from the event loop's thread only."""

    def __init__(
        self,
        manager: ServiceManager,
        file: StatusFile | None,
        *,
        last_fault: PastFault | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
        wall: Callable[[], str] = wall_time,
    ) -> None:
        """file: None where there is no runtime directory. last_fault: told before this start."""
        self._manager, self._file = manager, file
        self._clock, self._wall = clock, wall
        self._faults = ToldFaults(last_fault, wall)
        self._loop: BoxLoop | None = None
        self._life = Life.STARTING
        self._news: asyncio.TimerHandle | None = None
        self._pulse: asyncio.TimerHandle | None = None
        self._told = ""
        watchdog_ns = manager.watchdog_ns
        self.beat_ns = BEAT_NS if watchdog_ns is None else min(BEAT_NS, watchdog_ns // 3)
        self._blank = BoxStatus(
            version=program_version(), life=Life.STARTING, pid=os.getpid(), boot=boot_id(), t_ns=clock(), wall=wall(),
            every_ns=self.beat_ns,
        )  # fmt: skip

    # -- what the app says -------------------------------------------------------------------------------------------

    def attach(self, loop: BoxLoop) -> None:
        """Follow a box's loop."""
        self._loop = loop
        loop.follow(self)

    def ready(self) -> None:
        """Every source is being watched: say so, and begin to give signs of life. To be called in the event loop."""
        self._life = Life.RUNNING
        status = self._look()
        self._write(status)
        self._told = status_line(status)
        self._manager.ready(self._told)
        self._beat()

    def stop(self) -> None:
        """The box was told to stop: say so, and stop its loop."""
        if self._life is not Life.STOPPING:
            self._life = Life.STOPPING
            self._manager.stopping()
            self._tell()
        if self._loop is not None:
            self._loop.stop()

    def stopped(self) -> None:
        """The box has stopped, unless it failed; nothing more is told."""
        if self._life is not Life.FAILED:
            self._end(Life.STOPPED)

    def failed(self, why: str) -> None:
        """The box cannot start, or cannot go on."""
        self._faults.tell(why)
        self._manager.status(f"failed: {why}")
        self._end(Life.FAILED)

    # -- what the loop says ------------------------------------------------------------------------------------------

    def follow(self, session: Session, scene: Scene, now_ns: int, match_id: int | None) -> None:  # noqa: ARG002
        """Something may have changed: tell of it soon."""
        if self._life is Life.RUNNING and self._news is None:
            self._news = asyncio.get_running_loop().call_later(NEWS_NS / SECOND, self._tell)
        self._faults.see(scene.alarms)

    def sound(self, sound: Sound) -> None:
        """Tones are not told of."""

    def cue(self, cue: Cue) -> None:
        """Nor is what a seat alone is to know."""

    # -- inside ------------------------------------------------------------------------------------------------------

    def _beat(self) -> None:
        """Give a sign of life, and set the loop's timer for the next."""
        self._manager.alive()
        self._tell(renew=True)
        self._pulse = asyncio.get_running_loop().call_later(self.beat_ns / SECOND, self._beat)

    def _tell(self, *, renew: bool = False) -> None:
        if self._news is not None and not renew:
            self._news.cancel()
            self._news = None
        status = self._look()
        self._write(status)
        line = status_line(status)
        if line != self._told:
            self._told = line
            self._manager.status(line)

    def _write(self, status: BoxStatus) -> None:
        if self._file is not None and (trouble := self._file.write(status)) is not None:
            LOG.warning("%s", trouble)

    def _look(self) -> BoxStatus:
        now = {"life": self._life, "t_ns": self._clock(), "wall": self._wall(), "last_fault": self._faults.newest}
        if self._loop is None:
            return replace(self._blank, **now)
        session = self._loop.box.session
        scene = session.scene()
        return replace(
            self._blank,
            **now,
            doing=doing_of(session),
            match=match_of(session, self._loop.match_id),
            sources=self._loop.sources(),
            inputs=tuple(one for one in session.inputs.values() if one.is_doubtful),
            faults=scene.alarms,
            recorded=scene.recorded,
            times=self._loop.box.times.values(),
            pictures=self._loop.screens.times(),
            event=session.at_event(),
        )

    def _end(self, life: Life) -> None:
        for timer in (self._news, self._pulse):
            if timer is not None:
                timer.cancel()
        self._news = self._pulse = None
        self._life = life
        self._write(self._look())
        self._manager.close()


def make_service(environ: Mapping[str, str] = os.environ) -> Service:
    """Give the service of this process: its manager from the environment, its file in the runtime directory."""
    directory = runtime_directory(environ, SERVICE_DIRECTORY)
    if directory is None:
        return Service(NotifySocket(environ), None)
    return Service(NotifySocket(environ), StatusFile(directory), last_fault=_fault_before(directory))


def hang_on_signal(environ: Mapping[str, str] = os.environ) -> None:
    """Where the environment allows it, have SIGUSR2 hang the event loop for good. To be called in the event loop."""
    if environ.get(HANG_VARIABLE) == "1":
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR2, _hang)


def _hang() -> None:
    LOG.error("the event loop hangs from now on: SIGUSR2, and %s=1", HANG_VARIABLE)
    while True:
        time.sleep(3600)


def _fault_before(directory: Path) -> PastFault | None:
    """Give the last fault of the start before this one: that it ended without a word, where it did."""
    try:
        before = read_status((directory,))
    except CompanionError:
        return None
    if before.life is Life.RUNNING and before.boot == boot_id():
        return PastFault(text="the box hung or was killed, and was started anew", wall=wall_time())
    return before.last_fault
