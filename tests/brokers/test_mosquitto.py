"""The contract on Debian's mosquitto, as a real process with the files that the desk writes; encrypted."""

from __future__ import annotations

import asyncio
import shutil
from datetime import UTC, datetime

import pytest

from companion.adapters.web.encryption.own_names import Called
from companion.app.tournament.broker.certificates import certificates_in
from companion.app.tournament.broker.files import write_mosquitto
from companion.app.tournament.broker.logins import logins_for
from companion.app.tournament.broker.mosquitto import Listening
from tests.brokers.contract import BOXES, EVENT, BasePlace, EncryptedContract
from tests.brokers.processes import Process, free_ports

pytestmark = pytest.mark.slow  # starts processes


class Mosquitto(BasePlace):
    """The process; another port is taken where somebody was quicker."""

    def __init__(self, folder) -> None:
        super().__init__(logins_for(folder, EVENT, BOXES))
        called = Called(("localhost",), ("127.0.0.1",))
        certificates = certificates_in(folder, EVENT, called, datetime.now(UTC))
        self.authority = certificates.authority
        program = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") or "mosquitto"
        self.folder = folder
        for self.port in free_ports():
            self.listening = Listening("127.0.0.1", self.port, certificates.server, user="root")
            settings = write_mosquitto(folder / "mosquitto", EVENT, self.logins, self.listening)
            self.process = Process([program, "-c", str(settings)], folder / "log")
            self.process.start()
            if self.process.until_it_answers(self.port):
                break
            assert "Address already in use" in self.process.log(), self.process.log()

    def kill(self) -> None:
        self.process.kill()

    def start(self) -> None:
        self.process.start()
        assert self.process.until_it_answers(self.port), self.process.log()


@pytest.fixture(scope="module")
def mosquitto(tmp_path_factory):
    broker = Mosquitto(tmp_path_factory.mktemp("mosquitto"))
    yield broker
    broker.kill()


@pytest.fixture
def place(mosquitto):
    yield mosquitto
    mosquitto.process.show_log()


class TestMosquitto(EncryptedContract):
    """See the contract."""

    def test_a_new_box_is_known_when_the_files_were_written_and_read_again(self, place) -> None:
        async def play() -> None:
            place.logins = logins_for(place.folder, EVENT, [*BOXES, "newcomer"])
            async with self.box(place, "newcomer") as box:
                await box.says_of_loss("refuses the user's name or the password")
                write_mosquitto(place.folder / "mosquitto", EVENT, place.logins, place.listening)
                place.process.read_again()
                await box.connected()

        asyncio.run(play())
