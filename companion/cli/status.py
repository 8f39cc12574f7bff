"""Says how the box on this machine is: what `companion status` does. Reads what the running box wrote, asks nothing."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from companion.adapters.service.status_file import read_status, runtime_directories
from companion.app.assembly import boot_id
from companion.app.service import SERVICE_DIRECTORY
from companion.core.errors import CompanionError
from companion.core.play.health import Life
from companion.core.words.encoding import builtins, encode
from companion.screens.text.health import is_stale, status_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.core.play.health import BoxStatus

RUNNING, NOT_RUNNING = 0, 3
"""Exit statuses, as `systemctl status` has them."""


@click.command("status")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(as_json: bool) -> int:
    """Say how the box on this machine is: running, match, sources, faults. Exit status 3 where it does not run."""
    return run_status(click.echo, as_json=as_json)


class Seen(NamedTuple):
    """A status and what can be told of it from outside. age_ns: None where it is of another boot."""

    status: BoxStatus
    is_alive: bool
    age_ns: int | None

    @property
    def is_well(self) -> bool:
        """Tell whether that box runs and answers."""
        return self.is_alive and not is_stale(self.status, self.age_ns)


def look(directories: tuple[Path, ...], boot: str | None, now_ns: int, proc: Path = Path("/proc")) -> Seen:
    """Read the status and see whether its process is there. Raises Unavailable, Malformed."""
    status = read_status(directories)
    same_boot = boot is None or status.boot == boot
    is_over = status.life in (Life.STOPPED, Life.FAILED)
    is_alive = same_boot and not is_over and (proc / str(status.pid)).is_dir()
    return Seen(status, is_alive, max(now_ns - status.t_ns, 0) if same_boot else None)


def run_status(say: Callable[[str], None], *, as_json: bool, environ: Mapping[str, str] = os.environ) -> int:
    """Print how the box is; give the exit status: 0 it runs, 3 it does not, or hangs."""
    directories = runtime_directories(environ, SERVICE_DIRECTORY)
    try:
        seen = look(directories, boot_id(), time.monotonic_ns())
    except CompanionError as error:
        say(encode({"running": False, "why": str(error)}).decode() if as_json else f"not running: {error}")
        return NOT_RUNNING
    if as_json:
        age_ms = None if seen.age_ns is None else seen.age_ns // 1_000_000
        told = {"running": seen.is_well, "age_ms": age_ms, **builtins(seen.status)}
        say(encode(told).decode())
    else:
        for line in status_lines(seen.status, is_alive=seen.is_alive, age_ns=seen.age_ns):
            say(line)
    return RUNNING if seen.is_well else NOT_RUNNING
