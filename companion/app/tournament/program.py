"""The desk's program: folder, store, broker, desk and pages, brought together and run until it is told to stop.

Exit statuses: 0 stopped; 1 could not start (the error says why).
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
from contextlib import AsyncExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from companion.adapters.event_store import SqlEventStore, url_of_file
from companion.adapters.keys.ed25519 import check
from companion.adapters.service.browser import can_open, open_page
from companion.adapters.service.installed import program_version
from companion.adapters.web.access.pin_file import PinFile
from companion.adapters.web.encryption.keeping import encryption_in
from companion.adapters.web.tournament.server import DeskPins, Where
from companion.app.assembly import handle_signals
from companion.app.launch import HANDOVER_S
from companion.app.tournament.broker.files import write_mosquitto, write_rabbitmq
from companion.app.tournament.broker.logins import FILE as LOGINS_FILE
from companion.app.tournament.broker.logins import logins_for
from companion.app.tournament.broker.mosquitto import Listening
from companion.app.tournament.driver import DeskDriver, utc_now, wall_of
from companion.app.tournament.files import PlayersCsv, event_file
from companion.app.tournament.folder import begin_desk, first_line, kept_desk
from companion.app.tournament.linking import desk_link
from companion.app.tournament.pages import Beside, serve_pages
from companion.app.turn.bounded_log import BoundedLog
from companion.config.installed_games import games_in
from companion.config.languages import languages_of
from companion.config.reading import state_directory
from companion.core.errors import Illegal
from companion.files.durable import make_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator, Mapping
    from pathlib import Path
    from typing import TextIO

    from companion.adapters.web.tournament.server import DeskServer
    from companion.app.tournament.folder import KeptDesk
    from companion.config.settings import Settings

STORE_FILE = "event.sqlite3"
BROKER_PORT = 1883
HERE, EVERYWHERE = "127.0.0.1", "0.0.0.0"  # noqa: S104 - only when --lan says so
DEFAULT_EVENT = "event"
SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
"""By which a desk is told to stop."""


class DeskOptions(NamedTuple):
    """What a desk is told beside the settings. event: None for the one that the folder has.

    name, game, rounds: of an event that is begun. store: a URL, None: a file in the folder. broker: an address, None:
    one in this process, at `broker_port`. boxes: how many have passwords drawn. port: of the pages.
    """

    folder: Path
    event: str | None = None
    name: str = ""
    game: str = ""
    rounds: int | None = None
    store: str | None = None
    broker: str | None = None
    broker_port: int = BROKER_PORT
    boxes: int = 20
    port: int = 0
    opens_browser: bool = True


class Desk(NamedTuple):
    """What is known before anything runs."""

    options: DeskOptions
    settings: Settings
    kept: KeptDesk
    logins: Mapping[str, str]
    pins: DeskPins

    @property
    def host(self) -> str:
        """Where broker and pages listen."""
        return EVERYWHERE if self.settings.web.lan else HERE


def run(options: DeskOptions, settings: Settings, out: TextIO) -> int:
    """Run the desk until it is stopped. Raises Unavailable, Malformed, Illegal where it cannot be started."""
    log_to_stderr(settings.box.log_level.upper())
    desk = prepare(options, settings)
    with as_it_was():
        sys.setswitchinterval(HANDOVER_S)
        asyncio.run(_live(desk, out))
    return 0


@contextmanager
def as_it_was() -> Iterator[None]:
    """Leave signals and threads of the process as they were before."""
    interval = sys.getswitchinterval()
    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        yield
    finally:
        sys.setswitchinterval(interval)
        for number, handler in handlers.items():
            signal.signal(number, handler)


def log_to_stderr(level: str) -> None:
    """Have what is logged go to standard error, as a box does it. level: the least that is."""
    handler = BoundedLog(logging.StreamHandler(sys.stderr))
    logging.basicConfig(level=level, handlers=[handler], format="%(levelname)s %(message)s", force=True)
    logging.getLogger("alembic").setLevel(logging.WARNING)


def write_broker_files(options: DeskOptions, settings: Settings, out: TextIO) -> int:
    """Write what mosquitto and RabbitMQ need for the event, say where, and end. Raises Unavailable, Malformed."""
    desk = prepare(options, settings)
    listening = Listening("", options.broker_port or BROKER_PORT, None)
    folder, event = options.folder.absolute(), desk.kept.event
    mosquitto = write_mosquitto(folder / "mosquitto", event, desk.logins, listening)
    rabbitmq = write_rabbitmq(folder / "rabbitmq", event, desk.logins, listening)
    out.write(f"mosquitto -c {mosquitto}\nRabbitMQ: {rabbitmq}\npasswords: {folder / LOGINS_FILE}\n")
    return 0


def prepare(options: DeskOptions, settings: Settings) -> Desk:
    """Take up the event of the folder, or begin one there; PINs too. Raises Unavailable, Malformed, Illegal."""
    folder = options.folder
    kept = kept_desk(folder)
    if kept is None:
        kept = begin_desk(folder, options.event or DEFAULT_EVENT)
    elif options.event not in (None, kept.event):
        raise Illegal(f"{folder} is the folder of the event {kept.event}: take another folder for {options.event}")
    names = [f"box-{number}" for number in range(1, options.boxes + 1)]
    make_folder(folder / "referee", 0o700)
    pins = DeskPins(PinFile(folder).take().pin, PinFile(folder / "referee").take().pin)
    return Desk(options, settings, kept, logins_for(folder, kept.event, names), pins)


def driver_of(desk: Desk) -> DeskDriver:
    """Give the desk's driver, not opened. Raises Malformed: the store's URL."""
    url = desk.options.store or url_of_file(desk.options.folder / STORE_FILE)
    return DeskDriver(SqlEventStore(url, desk.kept.event), games_in(desk.settings.box.language).find, check)


def first_of(desk: Desk) -> bytes:
    """Give the first line of the log of an event that is begun. Raises Malformed, UnknownGame."""
    options, settings = desk.options, desk.settings
    game = games_in(settings.box.language).find(options.game or settings.match.game)
    return first_line(
        desk.kept, wall_of(utc_now()), name=options.name or desk.kept.event, game=game.name, rounds=options.rounds
    )


async def _live(desk: Desk, out: TextIO) -> None:
    stopped = asyncio.Event()
    handle_signals(stopped.set)
    async with AsyncExitStack() as stack:
        driver = driver_of(desk)
        stack.push_async_callback(driver.close)
        await driver.open(lambda: first_of(desk))
        address = desk.options.broker or await _own_broker(desk, stack)
        link = desk_link(driver, address, desk.kept.event, desk.logins)
        await until_stopped(
            stopped,
            driver.run(link),
            serve(desk, driver, out, address),
        )


async def until_stopped(stopped: asyncio.Event, *work: Coroutine[object, object, None]) -> None:
    """Run until it is told to stop, or one of the works ends. Raises what that raises."""
    tasks = [asyncio.create_task(one) for one in work]
    waiting = asyncio.create_task(stopped.wait())
    try:
        done, _ = await asyncio.wait({waiting, *tasks}, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in (waiting, *tasks):
            task.cancel()
        await asyncio.gather(waiting, *tasks, return_exceptions=True)


async def _own_broker(desk: Desk, stack: AsyncExitStack) -> str:
    """Start the broker in this process; give the address by which this machine reaches it."""
    from companion.app.tournament.broker.embedded import EmbeddedBroker

    broker = EmbeddedBroker(desk.kept.event, desk.host, desk.options.broker_port, desk.logins)
    await stack.enter_async_context(broker)
    return f"mqtt://{HERE}:{broker.port}"


async def serve(
    desk: Desk, driver: DeskDriver, out: TextIO, address: str | None, ready: Callable[[], None] = lambda: None
) -> None:
    """Serve the pages, and say where they are. address: the broker's, None: no box is to join. Raises Unavailable.

    ready: called once the pages can be opened.
    """
    settings = desk.settings

    def on_listening(server: DeskServer) -> None:
        announce(desk, server, address, out)
        ready()

    async def archive() -> bytes:
        return await event_file(driver)

    await serve_pages(
        driver,
        where=where_of(desk),
        pins=desk.pins,
        find_game=games_in(settings.box.language).find,
        languages=languages_of(settings.box.language),
        version=program_version(),
        beside=Beside(lambda: desk.kept.seed, PlayersCsv(), archive),
        on_listening=on_listening,
    )


def where_of(desk: Desk) -> Where:
    """Give where the pages are served; encrypted by the authority of this machine's box, where `web.tls` says so."""
    chosen, encryption = desk.settings.web, None
    if chosen.tls:
        encryption = encryption_in(state_directory(desk.settings.box), chosen.names, chosen.host)
    names = (socket.gethostname(), *chosen.names)
    return Where(desk.host, desk.options.port, chosen.lan, names, encryption, chosen.help_port)


def announce(desk: Desk, server: DeskServer, address: str | None, out: TextIO) -> None:
    """Say where to begin, and how a box joins. PINs are said to a terminal alone; else their files are named."""
    is_said, folder = out.isatty(), desk.options.folder.absolute()
    begin = f"{server.near_url()}#pin={desk.pins.organiser}" if is_said else server.near_url()
    lines = [f"begin here: {begin}"]
    if desk.settings.web.lan:
        lines.append(f"others: {', or '.join(server.urls())}")
    if server.encryption is not None:
        lines.append(f"phones learn to trust them at {server.trust_url()}: {server.encryption.fingerprint}")
    organiser, referee = desk.pins if is_said else (f"in {folder}", f"in {folder / 'referee'}")
    lines += [f"organiser's PIN: {organiser}", f"referee's PIN: {referee}"]
    if address is not None:
        outside = desk.options.broker or _seen_from_outside(address, server)
        lines += [
            f"broker: {outside}",
            f"a box joins by: companion event join {outside} --event {desk.kept.event} --box box-1",
            f"passwords of the boxes: {folder / LOGINS_FILE}",
        ]
    with suppress(OSError):
        out.write("\n".join(lines) + "\n")
        out.flush()
    if desk.options.opens_browser and is_said and can_open(out, os.environ):
        open_page(begin)


def _seen_from_outside(address: str, server: DeskServer) -> str:
    """Give the address of the broker in this process as boxes reach it: by the host of the pages."""
    host = urlsplit(server.urls()[0]).hostname or HERE
    return f"mqtt://{f'[{host}]' if ':' in host else host}:{urlsplit(address).port}"
