"""A spoken start on the running loop: whoever speaks tells the end of the word, and the race opens then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.core.match.match import PlaySettings
from companion.core.play.commands import Done, EnterCard
from companion.core.timing.events import SECOND
from tests.app.test_loop import Rig

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.errors import CompanionError
    from companion.core.match.effects import VoiceWish

SPOKEN = PlaySettings(is_spoken=True, announcement_ns=5 * SECOND)


class Speaker:
    """Says a word in half a second; silent: it never tells that it has ended."""

    def __init__(self, *, silent: bool = False) -> None:
        self.silent = silent
        self.rig: Rig | None = None
        self.said: list[str] = []
        self.ended_ns = 0

    def announce(self, says: str, token: int) -> None:
        self.said.append(str(says))
        if not self.silent and self.rig is not None:
            self.rig.loop.call_later(0.5, self._end, token)

    def _end(self, token: int) -> None:
        assert self.rig is not None
        self.ended_ns = self.rig.now_ns()
        self.rig.box.call(lambda session: session.announced(token, self.ended_ns))

    def wish(self, wish: VoiceWish) -> None:
        """Nobody asks."""


@pytest.fixture
def speaker() -> Speaker:
    return Speaker()


@pytest.fixture
def rig(speaker: Speaker) -> Iterator[Rig]:
    made = speaker.rig = Rig(game="apache", play=SPOKEN, announcer=speaker)
    yield made
    made.loop.close()


def turn(rig: Rig) -> None:
    """A card is entered at the desk."""
    answers: list[Done | CompanionError] = []
    rig.box.ask(EnterCard(card="buffalo"), answers.append)


def lines(rig: Rig, kind: bytes) -> list[bytes]:
    return [line for line in rig.journal.lines(1) if line.split(b'"')[3] == kind]


def test_the_card_is_revealed_at_the_end_of_the_word_and_a_press_before_is_too_early(
    rig: Rig, speaker: Speaker
) -> None:
    early = lambda: rig.source.press("red first", rig.now_ns())  # noqa: E731
    rig.run((1.0, lambda: turn(rig)), (1.2, early), (2.0, early), until_s=3.0)
    assert speaker.said == ["buffalo"]
    (reveal,) = lines(rig, b"reveal")
    assert f'"t_ns":{speaker.ended_ns}'.encode() in reveal
    assert len(lines(rig, b"press")) == 1
    assert any(b"too early" in line for line in lines(rig, b"remark"))


def test_a_box_without_a_voice_opens_at_once_and_says_why() -> None:
    rig = Rig(game="apache", play=SPOKEN)
    rig.run((1.0, lambda: turn(rig)), until_s=2.0)
    rig.loop.close()
    assert len(lines(rig, b"reveal")) == 1
    assert any(b"the card was not spoken: this box has no voice" in line for line in lines(rig, b"remark"))
    assert any("not spoken" in scene.notice for scene in rig.eye.scenes)


def test_a_voice_that_never_ends_holds_the_race_no_longer_than_is_set(rig: Rig, speaker: Speaker) -> None:
    speaker.silent = True
    rig.run((1.0, lambda: turn(rig)), until_s=8.0)
    (reveal,) = lines(rig, b"reveal")
    assert b'"t_ns":' in reveal
    assert any(b"the end of the word was not told in time" in line for line in lines(rig, b"remark"))
