"""What boxes are told, and when: answers of how far records have come go seldom, and hold nothing else up."""

from __future__ import annotations

import asyncio

from companion.app.tournament.sending import Sending
from companion.tournament.wire import Ask, Have, Say
from tests.app.tournament.desks import EVENT, Link, match_of

HASH = "0" * 64


def have(lines: int, match: int = 1) -> Have:
    return Have(match=match_of(match), lines=lines, sha256=HASH)


async def _told(link: Link, count: int) -> list[tuple[str, object]]:
    async with asyncio.timeout(20):
        while len(link.sent) < count:
            await asyncio.sleep(0.001)
    return list(link.sent)


def test_the_newest_answer_of_each_record_is_given_and_no_other() -> None:
    async def run() -> None:
        link = Link()
        sending = Sending(link, EVENT, lambda *_: None)
        for lines in (1, 2, 3):
            sending.send([("box-1", have(lines)), ("box-1", have(lines, match=2)), ("box-2", have(lines))])
        told = await _told(link, 3)
        await sending.close()
        assert sorted(map(str, told)) == sorted(
            map(str, [("box-1", have(3)), ("box-1", have(3, match=2)), ("box-2", have(3))])
        )

    asyncio.run(run())


def test_whatever_else_a_box_is_told_goes_at_once_after_the_answers_that_wait() -> None:
    async def run() -> None:
        link = Link()
        sending = Sending(link, EVENT, lambda *_: None)
        sending.send([("box-1", have(1)), ("box-1", Ask()), ("box-1", have(2)), ("box-1", Say(number=1, text="now"))])
        sending.send([("box-2", have(1))])
        told = await _told(link, 5)
        await sending.close()
        assert [message for box, message in told if box == "box-1"] == [
            have(1), Ask(), have(2), Say(number=1, text="now")
        ]  # fmt: skip
        assert told[-1] == ("box-2", have(1))

    asyncio.run(run())


def test_nothing_is_sent_once_it_is_closed() -> None:
    async def run() -> None:
        link = Link()
        sending = Sending(link, EVENT, lambda *_: None)
        sending.send([("box-1", have(1))])
        await sending.close()
        await asyncio.sleep(0)
        assert link.sent == []

    asyncio.run(run())
