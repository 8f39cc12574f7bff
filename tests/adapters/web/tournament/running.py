"""A desk that runs in a thread, with its pages on a free port of 127.0.0.1: of a hall of the tests' own, in memory."""

from __future__ import annotations

import asyncio
import threading
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any, cast

import httpx

from companion.adapters.web.tournament.entry import DeskPins
from companion.adapters.web.tournament.server import Where
from companion.app.tournament.pages import Beside, serve_pages
from companion.config.languages import Languages
from companion.core.record.seals import in_base64
from companion.games import registry
from companion.tournament.log import lines
from companion.tournament.wire import Shown, State
from tests.tournament.desk.hall import Hall
from tests.tournament.logs import SEED
from tests.tournament.tables.sealing import line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.adapters.web.encryption.keeping import Encryption
    from companion.adapters.web.tournament.server import DeskServer
    from companion.app.tournament.driver import DeskDriver

ORGANISER, REFEREE = "314159", "271828"
PINS = DeskPins(ORGANISER, REFEREE)
PATIENCE_S = 30.0
PROTEST = line("protest", colour="yellow", race=1, text="I was first")


class HallDriver:
    """A hall as the pages know a running desk. Used by the desk's loop alone."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.faults: dict[str, str] = {}
        self.watchers: list[Callable[[frozenset[tuple[int, int]]], None]] = []

    def now(self):
        return self.hall.now

    async def look(self, at):
        return at(self.hall.desk)

    async def act(self, do):
        outcome = self.hall.done(do(self.hall.desk, self.hall.wall))
        self.tell(frozenset(outcome.changed))
        return outcome

    async def record(self, box: str, match: str) -> list[bytes]:
        found = {number: raw for (of, name, number), raw in self.hall.stored.items() if (of, name) == (box, match)}
        return [found[number] for number in sorted(found)]

    def on_change(self, call):
        self.watchers.append(call)
        return lambda: self.watchers.remove(call)

    def tell(self, changed: frozenset[tuple[int, int]] = frozenset()) -> None:
        for call in list(self.watchers):
            call(changed)


class RunningDesk:
    """A desk whose pages are served."""

    def __init__(self, hall: Hall, loop: asyncio.AbstractEventLoop, driver: HallDriver, server: DeskServer) -> None:
        self.hall, self._loop, self._driver, self.server = hall, loop, driver, server

    @property
    def url(self) -> str:
        return self.server.near_url().rstrip("/")

    def do(self, what: Callable[[Hall], Any], *changed: tuple[int, int]) -> Any:
        """Have something done to the hall in the desk's loop, and the pages told of it."""

        async def there() -> Any:
            found = what(self.hall)
            self._driver.tell(frozenset(changed))
            return found

        return asyncio.run_coroutine_threadsafe(there(), self._loop).result(PATIENCE_S)

    def fault(self, what: str, why: str) -> None:
        """Have something of the desk fail."""
        self._driver.faults[what] = why
        self.do(lambda _hall: None)

    @contextmanager
    def client(self, role: str | None = None) -> Iterator[httpx.Client]:
        """Give a browser of one's own, with a role's session."""
        with httpx.Client(base_url=self.url, timeout=PATIENCE_S, trust_env=False, verify=False) as client:
            if role is not None:
                pin = ORGANISER if role == "organiser" else REFEREE
                assert client.post("/api/session", json={"role": role, "pin": pin}).status_code == 200
            yield client


@contextmanager
def running(hall: Hall, *, port: int = 0, encryption: Encryption | None = None, **beside: Any) -> Iterator[RunningDesk]:
    """Serve the pages of a hall. port: 0 takes a free one. encryption: None for plain pages."""
    driver = HallDriver(hall)
    ready = threading.Event()
    found: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[None], DeskServer]] = []
    problems: list[BaseException] = []

    async def serve() -> None:
        def listening(server: DeskServer) -> None:
            task = asyncio.current_task()
            assert task is not None
            found.append((asyncio.get_running_loop(), task, server))
            ready.set()

        with suppress(asyncio.CancelledError):
            await serve_pages(
                cast("DeskDriver", driver), where=Where(port=port, encryption=encryption), pins=PINS,
                find_game=registry.find, languages=Languages(), version="test",
                beside=Beside(seed=lambda: SEED, **beside), on_listening=listening,
            )  # fmt: skip

    def thread() -> None:
        try:
            asyncio.run(serve())
        except BaseException as error:  # noqa: BLE001 - told to the test
            problems.append(error)
            ready.set()

    worker = threading.Thread(target=thread, name="desk under test")
    worker.start()
    assert ready.wait(PATIENCE_S)
    if problems:
        raise problems[0]
    loop, task, server = found[0]
    try:
        yield RunningDesk(hall, loop, driver, server)
    finally:
        loop.call_soon_threadsafe(task.cancel)
        worker.join(PATIENCE_S)
    assert not worker.is_alive()
    assert problems == []


MOST_KEYS = 200
"""Boxes that say something have keys by which they can seal; of more than that, the others only show."""
NAMES = (
    "Ann Amsler", "Ben Brunner", "Chloé Challande", "Dario De Luca", "Eva Egger", "Flurin Fontana", "Gina Gerber",
    "Hugo Huber", "Iris Imhof", "Jan Jenni", "Kim Keller", "Lea Lüthi",
)  # fmt: skip


def entered(count: int = 12) -> Hall:
    """Give a hall whose players are entered, and whose check-in has not begun."""
    hall = Hall(name="Spring Cup", rounds=3, round_minutes=40)
    for number in range(1, count + 1):
        name = NAMES[number - 1] if number <= len(NAMES) else f"Player {number}"
        hall.act(lines.PlayerLine, player=number, name=name, club="Bern" if number % 3 else "")
    return hall


def checked_in(count: int = 12, boxes: int = 3) -> Hall:
    """Give a hall in which everybody is there, all boxes are enrolled, and check-in is closed."""
    hall = entered(count)
    hall.enrol(*range(1, min(boxes, MOST_KEYS) + 1))
    for number in range(MOST_KEYS + 1, boxes + 1):
        key = in_base64(sha256(str(number).encode()).digest())
        hall.act(lines.BoxLine, box=f"box-{number}", key=key)
    for number in range(1, boxes + 1):
        hall.says(number, State(is_there=True))
    hall.act(lines.CheckInOpenedLine)
    for number in range(1, count + 1):
        hall.act(lines.CheckedInLine, player=number)
    hall.act(lines.CheckInClosedLine, seed=SEED)
    return hall


def drawn(count: int = 12, boxes: int = 3) -> Hall:
    """Give a hall with round 1 drawn in the order of the numbers, four at a table, each on a box."""
    from companion.tournament.desk.rounds import add_drawing
    from companion.tournament.drawing.wanted import Drawing

    hall = checked_in(count, boxes)
    tables = tuple(
        lines.TableDrawn(table, tuple(range(4 * table - 3, 4 * table + 1))) for table in range(1, count // 4 + 1)
    )
    hall.done(add_drawing(hall.desk, 1, Drawing(tables, ()), hall.wall))
    return hall


def played() -> Hall:
    """Give a hall whose first table is final, whose second waits for the referee, whose third plays."""
    hall = drawn()
    hall.act(lines.ClockLine, round=1, action="start", left_s=2400)
    hall.act(lines.AnnouncedLine, text="Dinner is at seven.", by="Desk")
    hall.pushes(1, hall.record(1, signed=("red", "yellow", "green", "blue")))
    hall.pushes(2, hall.record(2, box=2, more=[PROTEST]))
    started = hall.record(3, box=3)[:3]
    hall.pushes(3, started)
    shows(hall, 3, "Iris 3, Jan 1, Kim 0, Lea 0")
    return hall


def shows(hall: Hall, table: int, *rows: str) -> None:
    """Have the box of a table show something of its match."""
    match = f"{100 + table:032x}"
    hall.says(0, Shown(match=match, lines=3, rows=rows), hall.event.table(1, table).box or "")
