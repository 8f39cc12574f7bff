"""A desk in a process of its own, for tests that kill it. Arguments: its folder, the event, the broker's address.

It says "ready" once it runs. The event is begun by the test.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from companion.adapters.event_store import SqlEventStore, url_of_file
from companion.adapters.keys.ed25519 import check
from companion.app.tournament.broker.logins import read_logins
from companion.app.tournament.driver import DeskDriver
from companion.app.tournament.linking import desk_link
from companion.games import registry


async def main(folder: Path, event: str, address: str) -> None:
    driver = DeskDriver(SqlEventStore(url_of_file(folder / "event.sqlite3"), event), registry.find, check)
    await driver.open()
    print("ready", flush=True)
    await driver.run(desk_link(driver, address, event, read_logins(folder)))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3]))
