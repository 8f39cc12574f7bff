"""What `companion report` does: gathers, writes one file, and says what is in it. It changes nothing of the box."""

from __future__ import annotations

import os
import time
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.adapters.service.status_file import runtime_directories
from companion.app.assembly import boot_id
from companion.app.report.contents import Pod, dump_report, read_report
from companion.app.report.gathering import Gathering, Seen
from companion.app.service import SERVICE_DIRECTORY
from companion.cli.options import config_option, read_settings, state_dir_option
from companion.cli.report.wording import row, summary
from companion.cli.status import look
from companion.config.reading import state_directory
from companion.config.settings import Box
from companion.core.errors import CompanionError, Unavailable
from companion.core.timing.events import MS
from companion.files.durable import put
from companion.files.reading import MIB, read_file, write_output

if TYPE_CHECKING:
    from companion.config.settings import Pods
    from companion.core.play.health import BoxStatus

PODS_S = 3.0
"""So long pods are listened to for their clocks."""
SEND = "send it as it is: https://example.invalid/table-companion/issues"


@click.command("report")
@config_option
@state_dir_option
@click.option("--to", metavar="FILE", help="Where it is written; - for standard output. Else: "
              "table-companion-report-DATE.json here.")  # fmt: skip
@click.option(
    "--row", "of", metavar="FILE", help="Write nothing; print a report's row for the table in docs/reports.md."
)
def command(config_file: Path | None, state_dir: str | None, to: str | None, of: str | None) -> int:
    """Write one file to send back: what this box is, what it measures, and no names."""
    if of is not None:
        click.echo(row(read_report(read_file(of, 4 * MIB))))
        return 0
    report = Gathering(seen(config_file, state_dir)).report()
    content = dump_report(report)
    if to == "-":
        click.echo(content, nl=False)
        return 0
    path = Path(to) if to is not None else free_name(Path(), date.today())
    write(path, content)
    for line in summary(report):
        click.echo(line)
    click.echo(f"{path}: {SEND}")
    return 0


def seen(config_file: Path | None, state_dir: str | None) -> Seen:
    """Look at what there is: settings, the state, a box that runs, else pods that are plugged in."""
    status, is_running, damaged = _status()
    try:
        settings = read_settings(config_file, state_dir=state_dir)
    except CompanionError:
        damaged = ("settings: damaged, or cannot be read (companion config says how)", *damaged)
        state = state_directory(Box(state_dir=state_dir or ""))
        return Seen(None, state=state, status=status, is_running=is_running, damaged=damaged)
    return Seen(
        settings,
        state=state_directory(settings.box),
        status=status,
        is_running=is_running,
        pods=asked(settings.pods) if settings.pods.enabled and not is_running else (),
        damaged=damaged,
    )


def _status() -> tuple[BoxStatus | None, bool, tuple[str, ...]]:
    """Give the status of a box, None where none has run since the start; whether it runs; what is damaged."""
    try:
        found = look(runtime_directories(os.environ, SERVICE_DIRECTORY), boot_id(), time.monotonic_ns())
    except Unavailable:
        return None, False, ()
    except CompanionError:
        return None, False, ("status.json: damaged",)
    return found.status, found.is_alive, ()


def asked(chosen: Pods) -> tuple[Pod, ...]:
    """Ask the pods that are plugged in how they are; none where there are none."""
    from companion.cli.pods import Bench, ports_of

    try:
        ports = ports_of(chosen)
    except Unavailable:
        return ()
    with Bench(ports) as bench:
        bench.pass_time(PODS_S)
        now_ns = time.monotonic_ns()
        found = []
        for present in bench.present:
            identity, link = present.identity, present.thread.link
            bound_ns = link.bound_ns(now_ns)
            found.append(
                Pod(
                    lines=identity.lines if identity else None,
                    firmware=".".join(map(str, identity.firmware)) if identity else None,
                    clock_us=None if bound_ns is None else bound_ns * 1000 / MS,
                    resets=link.report.resets if link.report else None,
                    edges_lost=link.report.overruns if link.report else None,
                )
            )
    return tuple(found)


def free_name(folder: Path, day: date) -> Path:
    """Give a name that no report of that day has yet."""
    name, number = folder / f"table-companion-report-{day}.json", 2
    while os.path.lexists(name):
        name, number = folder / f"table-companion-report-{day}-{number}.json", number + 1
    return name


def write(path: Path, content: bytes) -> None:
    """Put the file there as a whole or not at all. Raises Unavailable."""
    if os.path.lexists(path) and not path.is_file():
        write_output(path, content)
        return
    try:
        put(path, content)
    except OSError as error:
        raise Unavailable(
            f"{path} cannot be written: {error.strerror or error}; name another place: companion report --to FILE"
        ) from error
