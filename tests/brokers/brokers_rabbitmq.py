"""The contract on three nodes of RabbitMQ in a cluster, with the files that the desk writes: `make brokers`.

All is encrypted. Each node is a process with ports, a folder and a name of its own, and all are on 127.0.0.1, their
register (epmd) too. Nodes are killed as a power cut does it.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from companion.adapters.mqtt.broker import Broker, Node
from companion.adapters.web.encryption.own_names import Called
from companion.app.tournament.broker.access import DESK
from companion.app.tournament.broker.certificates import certificates_in
from companion.app.tournament.broker.files import write_rabbitmq
from companion.app.tournament.broker.logins import logins_for
from companion.app.tournament.broker.mosquitto import Listening
from companion.tournament import wire
from tests.brokers.contract import BOXES, EVENT, BasePlace, EncryptedContract, all_of, lines, send_until_there
from tests.brokers.party import Party, until
from tests.brokers.processes import Process, free_ports

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = "/usr/lib/rabbitmq/bin/rabbitmq-server"
NAMES = tuple(f"companion{number}-{os.getpid()}@localhost" for number in (1, 2, 3))


class RabbitNode:
    """One node. port: for MQTT."""

    def __init__(self, folder: Path, name: str, ports: tuple[int, int, int], place: RabbitMQ) -> None:
        self.port, own, register = ports
        home = folder / name
        listening = Listening("127.0.0.1", self.port, place.certificates.server)
        settings = write_rabbitmq(home, EVENT, place.logins, listening, NAMES)
        cookie = home / ".erlang.cookie"
        cookie.write_text("brokersOfTheTests")
        cookie.chmod(0o400)
        self.process = Process([PROGRAM], folder / f"{name}.log", _environment(home, settings, name, own, register))

    def start(self) -> None:
        self.process.start()

    def until_it_answers(self) -> None:
        assert self.process.until_it_answers(self.port), self.process.log()


def _environment(home: Path, settings: Path, name: str, own: int, register: int) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "HOME": str(home),
        "RUNNING_UNDER_SYSTEMD": "true",  # no shell stands between: who kills the process kills the node
        "ERL_EPMD_PORT": str(register),
        "ERL_EPMD_ADDRESS": "127.0.0.1",
        "RABBITMQ_CONF_ENV_FILE": "/dev/null",
        "RABBITMQ_NODENAME": name,
        "RABBITMQ_DIST_PORT": str(own),
        "RABBITMQ_CONFIG_FILE": str(settings.with_suffix("")),
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(home / "enabled_plugins"),
        "RABBITMQ_MNESIA_BASE": str(home / "store"),
        "RABBITMQ_LOG_BASE": str(home),
        "RABBITMQ_LOGS": "-",
        "RABBITMQ_PID_FILE": str(home / "pid"),
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 1:1 -kernel inet_dist_use_interface {127,0,0,1}",
    }


class RabbitMQ(BasePlace):
    """The cluster: what is killed and started again by the contract is the first node."""

    def __init__(self, folder: Path, ending: ExitStack) -> None:
        super().__init__(logins_for(folder, EVENT, BOXES))
        self.certificates = certificates_in(folder, EVENT, Called(("localhost",), ("127.0.0.1",)), datetime.now(UTC))
        self.authority = self.certificates.authority
        ports = free_ports()
        register = next(ports)
        self.register = Process(["epmd", "-address", "127.0.0.1", "-port", str(register)], folder / "epmd.log")
        ending.callback(self.register.kill)
        self.register.start()
        assert self.register.until_it_answers(register), self.register.log()
        self.nodes = [RabbitNode(folder, name, (next(ports), next(ports), register), self) for name in NAMES]
        for node in self.nodes:
            ending.callback(node.process.kill)
        self.port = self.nodes[0].port
        self.nodes[0].start()
        self.nodes[0].until_it_answers()
        self.start()  # the others find the first, and join it

    def kill(self) -> None:
        self.nodes[0].process.kill()

    def start(self) -> None:
        down = [node for node in self.nodes if not node.process.is_running()]
        for node in down:
            node.start()
        for node in down:
            node.until_it_answers()

    def through(self, user: str, *nodes: int) -> Broker:
        """Give how a user reaches these nodes, in this order."""
        found = tuple(Node("127.0.0.1", self.nodes[node].port) for node in nodes)
        one = self.broker(user)
        return Broker(found, one.username, one.password, one.tls)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with ExitStack() as ending:
        yield RabbitMQ(tmp_path_factory.mktemp("rabbitmq"), ending)


@pytest.fixture
def place(cluster):
    cluster.start()  # whatever the test before has left down
    yield cluster
    for node in cluster.nodes:
        node.process.show_log()


class TestRabbitMQ(EncryptedContract):
    """See the contract."""

    def test_a_box_goes_on_by_another_node_when_its_own_is_killed_in_the_middle(self, place) -> None:
        async def play() -> None:
            name = place.fresh_box()
            box_way, desk_way = place.through(name, 0, 1), place.through(DESK, 2)
            async with Party(desk_way, [all_of(name)]) as desk, Party(box_way) as box:
                await desk.connected()
                sending = asyncio.create_task(send_until_there(box, name, lines(200)))
                await desk.has(50)
                place.nodes[0].process.kill()
                await sending
                await until(lambda: set(lines(200)) <= set(desk.payloads()), lambda: len(desk.messages))
                assert desk.first_of_each() == lines(200)
                assert (box.connections, desk.connections) == (2, 1)
                assert str(place.nodes[0].port) in box.told[0]

        asyncio.run(play())

    def test_a_desk_goes_on_by_another_node_when_its_own_is_killed_in_the_middle(self, place) -> None:
        async def play() -> None:
            name = place.fresh_box()
            box_way, desk_way = place.through(name, 2), place.through(DESK, 1, 0)
            topics = [wire.down_topic(EVENT, name)]
            async with Party(desk_way, [all_of(name)]) as desk, Party(box_way, topics) as box:
                await desk.connected()
                await box.connected()
                sending = asyncio.create_task(send_until_there(box, name, lines(200)))
                await desk.has(50)
                place.nodes[1].process.kill()
                await desk.connected(2)
                await sending
                await desk.link.publish(wire.down_topic(EVENT, name), b"what is missing?")
                await box.hears(b"what is missing?")
                await send_until_there(box, name, lines(200))
                await until(lambda: set(lines(200)) <= set(desk.payloads()), lambda: len(desk.messages))

        asyncio.run(play())
