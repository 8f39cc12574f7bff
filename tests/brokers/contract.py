"""What the link has to do on every broker, and every broker for it. A module of each gives the fixture `place`."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Protocol

import pytest

from companion.adapters.mqtt.broker import Broker, Node, Tls
from companion.adapters.mqtt.link import Will
from companion.app.tournament.broker.access import DESK
from companion.core.errors import Malformed, Unavailable
from companion.tournament import wire
from tests.brokers.party import CutLine, Party, until

if TYPE_CHECKING:
    from pathlib import Path

EVENT = "spring-cup"
BOXES = tuple(f"box-{number}" for number in range(1, 41))
MATCH = "0123456789abcdef" * 2


class Place(Protocol):
    """A broker that runs, with the access of an event. port: of its first node."""

    port: int
    logins: dict[str, str]

    def broker(self, user: str | None, port: int | None = None) -> Broker:
        """Give how a user reaches it. port: another way to it."""

    def fresh_box(self) -> str:
        """Give a box that no test has had."""

    def kill(self) -> None:
        """End it at once, without a word."""

    def start(self) -> None:
        """Start it again."""


class BasePlace:
    """What all places have alike."""

    port: int
    authority: Path | None = None

    def __init__(self, logins: dict[str, str]) -> None:
        self.logins = logins
        self._fresh = iter(BOXES)

    def fresh_box(self) -> str:
        return next(self._fresh)

    def broker(self, user: str | None, port: int | None = None) -> Broker:
        tls = None if self.authority is None else Tls(self.authority)
        password = None if user is None else self.logins[user]
        return Broker((Node("127.0.0.1", port or self.port),), user, password, tls)


def all_of(box: str) -> str:
    return wire.all_up(EVENT).replace("+", box)


def lines(count: int) -> list[bytes]:
    return [b'{"line":%d}' % number for number in range(1, count + 1)]


async def send(party: Party, box: str, payloads: list[bytes], first: int = 1) -> None:
    topics = (wire.line_topic(EVENT, box, MATCH, number) for number in range(first, first + len(payloads)))
    await asyncio.gather(*(party.link.publish(topic, one) for topic, one in zip(topics, payloads, strict=True)))


async def send_until_there(party: Party, box: str, payloads: list[bytes]) -> None:
    """Send each again and again until the broker has it: what a box does with its record."""
    for number, payload in enumerate(payloads, 1):
        topic = wire.line_topic(EVENT, box, MATCH, number)
        while True:
            try:
                await party.link.publish(topic, payload)
                break
            except Unavailable:
                await asyncio.sleep(0.01)


class LinkContract:
    """One suite for all brokers."""

    def desk(self, place: Place, *boxes: str) -> Party:
        """Give a desk that hears these boxes alone: a broker still has the retained states of others."""
        return Party(place.broker(DESK), [all_of(box) for box in boxes])

    def box(self, place: Place, box: str, port: int | None = None, will: Will | None = None) -> Party:
        return Party(place.broker(box, port), [wire.down_topic(EVENT, box)], will)

    def test_a_thousand_lines_arrive_in_order_each_at_least_once(self, place: Place) -> None:
        async def play() -> None:
            name = place.fresh_box()
            async with self.desk(place, name) as desk, self.box(place, name) as box:
                await desk.connected()
                await box.connected()
                await send(box, name, lines(1_000))
                await until(lambda: len(desk.first_of_each()) == 1_000, lambda: len(desk.messages))
                assert desk.first_of_each() == lines(1_000)
                assert desk.messages[0][0] == wire.line_topic(EVENT, name, MATCH, 1)

        asyncio.run(play())

    def test_what_the_desk_says_reaches_the_one_box_that_is_meant(self, place: Place) -> None:
        async def play() -> None:
            one, other = place.fresh_box(), place.fresh_box()
            async with (
                self.desk(place, one, other) as desk,
                self.box(place, one) as here,
                self.box(place, other) as there,
            ):
                for party in (desk, here, there):
                    await party.connected()
                await desk.link.publish(wire.down_topic(EVENT, one), b"to one")
                await desk.link.publish(wire.down_topic(EVENT, other), b"to the other")
                await here.hears(b"to one")
                await there.hears(b"to the other")
                assert (here.payloads(), there.payloads()) == ([b"to one"], [b"to the other"])

        asyncio.run(play())

    def test_a_will_is_told_when_a_client_is_cut_off(self, place: Place) -> None:
        async def play() -> None:
            name = place.fresh_box()
            will = Will(wire.state_topic(EVENT, name), b"gone")
            async with self.desk(place, name) as desk, CutLine(place.port) as line:
                await desk.connected()
                async with self.box(place, name, line.port, will) as box:
                    await box.connected()
                    await line.cut()
                    await desk.hears(b"gone")
                    await box.connected(2)
                    assert box.told

        asyncio.run(play())

    def test_no_will_is_told_of_a_client_that_takes_its_leave(self, place: Place) -> None:
        async def play() -> None:
            name, other = place.fresh_box(), place.fresh_box()
            will = Will(wire.state_topic(EVENT, name), b"gone")
            async with self.desk(place, name, other) as desk:
                await desk.connected()
                async with self.box(place, name, will=will) as box:
                    await box.connected()
                async with self.box(place, other) as later:
                    await later.connected()
                    await later.link.publish(wire.up_topic(EVENT, other), b"later")
                    await desk.hears(b"later")
                assert b"gone" not in desk.payloads()

        asyncio.run(play())

    def test_a_retained_state_waits_for_whoever_comes_later(self, place: Place) -> None:
        async def play() -> None:
            name = place.fresh_box()
            topic = wire.state_topic(EVENT, name)
            async with self.box(place, name) as box:
                await box.connected()
                await box.link.publish(topic, b"here", retain=True)
                async with Party(place.broker(DESK), [topic]) as desk:
                    await desk.hears(b"here")

        asyncio.run(play())

    @pytest.mark.parametrize("is_known", [True, False])
    def test_a_stranger_is_refused_in_words(self, place: Place, is_known: bool) -> None:
        async def play() -> None:
            name = place.fresh_box()
            broker = place.broker(name if is_known else None)
            wrong = Broker(broker.nodes, broker.username, "guessed" if is_known else None, broker.tls)
            async with Party(wrong, [wire.down_topic(EVENT, name)]) as stranger:
                await stranger.says_of_loss("refuses the user's name or the password")
                assert stranger.connections == 0
                with pytest.raises(Unavailable, match="no connection"):
                    await stranger.link.publish(wire.up_topic(EVENT, name), b"let me in")
                assert "guessed" not in repr(stranger.told) + repr(wrong) + str(wrong)

        asyncio.run(play())

    def test_a_box_can_send_nothing_by_the_topic_of_another(self, place: Place) -> None:
        async def play() -> None:
            name, other = place.fresh_box(), place.fresh_box()
            async with self.desk(place, name, other) as desk:
                await desk.connected()
                for topic in (wire.up_topic(EVENT, other), wire.down_topic(EVENT, name), "companion/1/else/x/up/say"):
                    async with self.box(place, name) as box:
                        await box.connected()
                        with suppress(Unavailable):  # what is not allowed is dropped without a word, or cut off
                            await box.link.publish(topic, b"forged")
                async with self.box(place, name) as box:
                    await box.connected()
                    await box.link.publish(wire.up_topic(EVENT, name), b"own")
                    await desk.hears(b"own")
                    assert desk.payloads() == [b"own"]
                    assert box.payloads() == []

        asyncio.run(play())

    def test_a_box_can_read_nothing_of_another(self, place: Place) -> None:
        async def play() -> None:
            name, other = place.fresh_box(), place.fresh_box()
            wanted = [wire.down_topic(EVENT, other), wire.all_up(EVENT), "companion/1/#", "#"]
            async with self.desk(place, name, other) as desk, self.box(place, other) as rightful:
                await desk.connected()
                await rightful.connected()
                for count, topic in enumerate(wanted, 1):
                    async with Party(place.broker(name), [topic]) as curious:
                        await until(partial(lambda curious: curious.told or curious.connections, curious))
                        await desk.link.publish(wire.down_topic(EVENT, other), b"secret %d" % count)
                        await rightful.link.publish(wire.up_topic(EVENT, other), b"told %d" % count)
                        await rightful.hears(b"secret %d" % count)
                        await desk.hears(b"told %d" % count)
                        assert curious.payloads() == []

        asyncio.run(play())

    def test_a_link_comes_back_by_itself_when_the_broker_was_killed_and_says_so(self, place: Place) -> None:
        async def play() -> None:
            name = place.fresh_box()
            async with self.desk(place, name) as desk, self.box(place, name) as box:
                await desk.connected()
                await box.connected()
                before = asyncio.create_task(send(box, name, lines(500)))
                await desk.has(1)
                place.kill()
                try:
                    await until(lambda: box.told and desk.told)
                    with pytest.raises(Unavailable, match="no connection"):
                        await box.link.publish(wire.up_topic(EVENT, name), b"nobody hears")
                finally:
                    place.start()
                with suppress(Unavailable):
                    await before
                await desk.connected(2)
                await box.connected(2)
                await send(box, name, [b"again"])
                await desk.hears(b"again")

        asyncio.run(play())

    def test_all_lines_are_there_whenever_the_broker_dies(self, place: Place) -> None:
        async def play() -> None:
            name = place.fresh_box()
            async with self.desk(place, name) as desk, self.box(place, name) as box:
                await desk.connected()
                sending = asyncio.create_task(send_until_there(box, name, lines(100)))
                await desk.has(20)
                place.kill()
                place.start()
                await desk.connected(2)
                await sending
                # What the broker had and died with is sent again, as the desk asks for what it lacks.
                await send_until_there(box, name, lines(100))
                await until(lambda: set(lines(100)) <= set(desk.payloads()), lambda: len(desk.messages))

        asyncio.run(play())

    @pytest.mark.parametrize("short_by", [0, 1])
    def test_the_longest_message_arrives_whole_both_ways(self, place: Place, short_by: int) -> None:
        async def play() -> None:
            name = place.fresh_box()
            large = bytes(range(256)) * (wire.LONGEST_MESSAGE // 256)
            large = large[: len(large) - short_by]
            async with self.desk(place, name) as desk, self.box(place, name) as box:
                await desk.connected()
                await box.connected()
                await box.link.publish(wire.up_topic(EVENT, name), large)
                await desk.link.publish(wire.down_topic(EVENT, name), large)
                await desk.has(1)
                await box.has(1)
                assert desk.payloads() == [large]
                assert box.payloads() == [large]

        asyncio.run(play())

    def test_a_longer_message_is_refused_here_and_the_link_goes_on(self, place: Place) -> None:
        async def play() -> None:
            name = place.fresh_box()
            async with self.box(place, name) as box:
                await box.connected()
                with pytest.raises(Malformed, match="more than a message has"):
                    await box.link.publish(wire.up_topic(EVENT, name), bytes(wire.LONGEST_MESSAGE + 1))
                await box.link.publish(wire.up_topic(EVENT, name), b"short")
                assert box.told == []

        asyncio.run(play())

    def test_a_link_that_is_cancelled_tells_whoever_publishes(self, place: Place) -> None:
        async def play() -> None:
            name = place.fresh_box()
            async with self.box(place, name) as box:
                await box.connected()
                sending = [
                    asyncio.ensure_future(box.link.publish(wire.up_topic(EVENT, name), bytes(100_000)))
                    for _ in range(200)
                ]
                await asyncio.sleep(0)
            ended = await asyncio.gather(*sending, return_exceptions=True)
            assert {type(one) for one in ended} <= {type(None), Unavailable}
            assert any(isinstance(one, Unavailable) for one in ended)

        asyncio.run(play())


class EncryptedContract(LinkContract):
    """What an encrypted broker has to do beside."""

    def test_an_authority_that_is_not_known_is_refused_in_words(self, place: Place) -> None:
        async def play() -> None:
            name = place.fresh_box()
            known = place.broker(name)
            async with Party(Broker(known.nodes, known.username, known.password, Tls())) as box:
                await box.says_of_loss(f"the certificate of 127.0.0.1:{place.port} is refused: ")
                assert box.connections == 0

        asyncio.run(play())

    def test_who_does_not_encrypt_is_told_and_hears_nothing(self, place: Place) -> None:
        async def play() -> None:
            name = place.fresh_box()
            known = place.broker(name)
            async with Party(Broker(known.nodes, known.username, known.password)) as box:
                await box.says_of_loss("closed the connection before it answered: perhaps it wants TLS")
                assert box.connections == 0

        asyncio.run(play())
