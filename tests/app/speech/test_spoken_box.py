"""A running box with the real espeak-ng: a race opens at the end of the word, and no press is another for being talked
over. A word lasts until the test says so: its program speaks, and then waits for a file."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import pytest

from companion.adapters.simulated.memory_journal import MemoryJournal
from companion.app.loop import BoxLoop
from companion.app.speech.box_voices import BoxVoices
from companion.config.settings import Settings, Voice
from companion.core.match.match import PlaySettings
from companion.core.panel import Colour
from companion.core.play.commands import Done, EnterCard
from companion.core.play.pipeline import Box
from companion.core.play.seating import Table
from companion.core.play.session import Session
from companion.core.record.lines import PressLine, Remark, Reveal, parse_line
from companion.core.timing.arbiter import Arbiter
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import SECOND
from companion.games import registry
from companion.screens.oled.canvas import Canvas
from tests.app.test_loop import LINES, Eye, PipeSource, Rig
from tests.fakes.sound_card import SoundCard

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.errors import CompanionError
    from companion.core.record.lines import Line

pytestmark = pytest.mark.slow  # waits for threads, which it ends and starts

OfKind = TypeVar("OfKind", bound="Line")
PATIENCE_S = 60.0
SPEAKING = Settings(voice=Voice(kind="espeak-ng"))
WAITING = """#!/bin/sh
# The real program; what it says is noted with its process, and its end waits for a file.
case "$*" in
*"-z -a 0 "*) exec /usr/bin/espeak-ng "$@" ;;
*--stdin) ;;
*) exec /usr/bin/espeak-ng "$@" ;;
esac
text=$(cat)
printf '%s' "$text" | /usr/bin/espeak-ng "$@" || exit
echo "$$ $text" >> {folder}/said
while [ ! -e {folder}/ends ]; do sleep 0.02; done
"""


class Talker:
    """A machine whose espeak-ng speaks on until `ends`, above a sound card."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.card = SoundCard(folder)
        self._folder = folder
        program = folder / "bin" / "espeak-ng"
        program.parent.mkdir()
        program.write_text(WAITING.format(folder=folder))
        program.chmod(0o755)
        for name, value in self.card.environ.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")

    @property
    def said(self) -> list[tuple[int, str]]:
        """The process and the text of each that has been spoken, but for its end."""
        file = self._folder / "said"
        rows = file.read_text().splitlines() if file.exists() else []
        return [(int(row.partition(" ")[0]), row.partition(" ")[2]) for row in rows]

    def says(self, word: str) -> bool:
        return any(word in text for _, text in self.said)

    @property
    def speaks(self) -> bool:
        """Tell whether the newest of its processes still lives."""
        return bool(self.said) and Path(f"/proc/{self.said[-1][0]}").exists()

    def ends(self) -> None:
        (self._folder / "ends").touch()

    def dies(self) -> None:
        os.kill(self.said[-1][0], signal.SIGKILL)


@pytest.fixture
def talker(tmp_path, monkeypatch):
    made = Talker(tmp_path, monkeypatch)
    yield made
    made.ends()  # so that nothing waits on


class Live:
    """A box in the real time of a real loop, with a match of Apache that waits for a card."""

    def __init__(self, play: PlaySettings, settings: Settings = SPEAKING) -> None:
        self.source, self.eye, self.journal = PipeSource(time.monotonic_ns), Eye(), MemoryJournal()
        table = Table(game="apache", seats=(Colour.RED, Colour.YELLOW))
        session = Session(registry.find, registry.names(), table, play)
        session.start(table.setup(registry.find("apache")))
        self.voices = BoxVoices(settings)
        arbiter = Arbiter(dict.fromkeys(LINES, LineTiming()), {self.source.name: self.source.delay_ns})
        self.loop = BoxLoop(
            Box(arbiter, session), sources=[self.source], journal=self.journal, displays=[], buzzer=None,
            draw=lambda _scene, size, _page: Canvas(size), watchers=[self.eye], clock=time.monotonic_ns,
            announcer=self.voices,
        )  # fmt: skip
        self.journal.open(self.loop.journal_durable, self.loop.journal_fault)
        self.voices.attach(self.loop)

    def lines(self, kind: type[OfKind]) -> list[OfKind]:
        parsed = (parse_line(line, number) for number, line in enumerate(self.journal.lines(1), 1))
        return [line for line in parsed if isinstance(line, kind)]

    def was_seen(self) -> bool:
        """Tell whether the voice has taken its first look."""
        return bool(self.eye.scenes) and not any(one._snapshot for one in self.voices._voices())

    def remarks(self) -> str:
        return "\n".join(str(line) for line in self.lines(Remark))

    def enter(self, card: str) -> None:
        answers: list[Done | CompanionError] = []
        self.loop.ask(EnterCard(card=card), answers.append)

    def press(self, label: str) -> int:
        """Press a button now; give when."""
        t_ns = time.monotonic_ns()
        self.source.press(label, t_ns)
        return t_ns

    def play(self, *steps: Callable[[], object] | tuple[Callable[[], bool], str]) -> None:
        """Do one after another; of two, wait until the first holds: the second is what it waits for."""
        asyncio.run(self._play(steps))

    async def _play(self, steps: tuple[Callable[[], object] | tuple[Callable[[], bool], str], ...]) -> None:
        self.source.open()
        self.voices.start()
        running = asyncio.create_task(self.loop.run())
        try:
            for step in steps:
                if isinstance(step, tuple):
                    await self._until(*step)
                else:
                    step()
        finally:
            self.loop.stop()
            await running
            self.voices.close()

    async def _until(self, holds: Callable[[], bool], what: str) -> None:
        until = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < until, f"in vain: {what}; {self.remarks()}"
            await asyncio.sleep(0.02)


def patient(seconds: int = 50) -> PlaySettings:
    return PlaySettings(is_spoken=True, announcement_ns=seconds * SECOND)


def test_the_race_opens_at_the_end_of_the_word_that_the_real_voice_says(talker):
    live, early, ended = Live(patient()), list[int](), list[int]()
    live.play(
        lambda: live.enter("buffalo"),
        (lambda: talker.says("buffalo"), "the word"),
        lambda: early.append(live.press("red first")),
        (lambda: "too early" in live.remarks() or bool(live.lines(Reveal)), "that it is too early"),
        lambda: ended.append(time.monotonic_ns()),
        talker.ends,
        (lambda: bool(live.lines(Reveal)), "the card"),
        lambda: live.press("yellow first"),
        (lambda: bool(live.lines(PressLine)), "the press"),
    )
    assert [text for _, text in talker.said][:1] == ["buffalo"]
    assert talker.card.so_far() > 0
    (reveal,) = live.lines(Reveal)
    assert reveal.t_ns is not None
    assert early[0] < ended[0] <= reveal.t_ns
    (press,) = live.lines(PressLine)
    assert (press.colour, press.t_ns > reveal.t_ns) == (Colour.YELLOW, True)
    assert "not spoken" not in live.remarks()


def test_a_voice_that_is_killed_in_the_word_opens_the_race_and_that_is_told(talker):
    live = Live(patient())
    live.play(
        lambda: live.enter("buffalo"),
        (lambda: talker.says("buffalo"), "the word"),
        talker.dies,
        (lambda: bool(live.lines(Reveal)), "the card"),
        lambda: live.press("yellow first"),
        (lambda: bool(live.lines(PressLine)), "the press"),
    )
    assert "the card was not spoken: espeak-ng was ended by signal 9" in live.remarks()
    assert any("not spoken" in str(scene.notice) for scene in live.eye.scenes)


def test_a_voice_that_hangs_in_the_word_opens_the_race_after_the_time_that_is_set(talker):
    live, asked = Live(patient(seconds=1)), list[int]()
    live.play(
        lambda: asked.append(time.monotonic_ns()),
        lambda: live.enter("buffalo"),
        (lambda: bool(live.lines(Reveal)), "the card"),
        lambda: live.press("yellow first"),
        (lambda: bool(live.lines(PressLine)), "the press"),
    )
    (reveal,) = live.lines(Reveal)
    assert reveal.t_ns is not None
    assert reveal.t_ns >= asked[0] + 1 * SECOND
    assert "the end of the word was not told in time" in live.remarks()


@pytest.mark.parametrize("fault", ["no voice is installed", "no sound card"])
def test_without_voice_or_sound_card_the_race_is_played_and_the_display_says_why(talker, fault, monkeypatch):
    if fault == "no sound card":
        talker.card.remove()
    else:
        monkeypatch.setenv("PATH", "/nowhere")
    live = Live(patient())
    live.play(
        (lambda: any(fault in alarm for scene in live.eye.scenes[-1:] for alarm in scene.alarms), "the alarm"),
        lambda: live.enter("buffalo"),
        (lambda: bool(live.lines(Reveal)), "the card"),
        lambda: live.press("yellow first"),
        (lambda: bool(live.lines(PressLine)), "the press"),
    )
    assert "the card was not spoken: there is no voice" in live.remarks()
    (alarm,) = live.eye.scenes[-1].alarms
    assert alarm.startswith("no voice: ")


def test_a_press_is_the_same_to_the_nanosecond_whether_the_box_speaks_or_not(talker):
    """The same edges on a clock of the test's own; the real voice is in the middle of a sentence at each of them."""
    silent = presses_of(None)
    assert presses_of(talker) == silent
    assert len(silent) > 8
    assert any(b'"press"' in line for line in silent)


def presses_of(talker: Talker | None) -> list[bytes]:
    """Play two races; give the record's lines. talker: speaks meanwhile."""
    rig = Rig(game="apache")
    voices = BoxVoices(SPEAKING if talker is not None else Settings())
    voices.attach(rig.box)
    voices.start()

    def card(name: str) -> None:
        assert rig.eye.scenes
        wait_for(lambda: not any(one._snapshot for one in voices._voices()))  # the first look is no news
        answers: list[Done | CompanionError] = []
        rig.box.ask(EnterCard(card=name), answers.append)

    def press(colour: str, later_ns: int = 0) -> None:
        if talker is not None:
            wait_for(lambda: talker.speaks)
        rig.source.press(f"{colour} first", rig.now_ns() + later_ns)

    rig.run(
        (1.0, lambda: card("buffalo")),
        (3.0, lambda: press("red")),
        (3.0, lambda: press("yellow", 7_654_321)),
        (20.0, lambda: card("red hunter")),
        (22.0, lambda: press("yellow", 1)),
        (22.1, lambda: press("red")),
        until_s=40.0,
    )
    voices.close()
    rig.loop.close()
    return rig.journal.lines(1)


def wait_for(holds: Callable[[], bool]) -> None:
    for _ in range(int(PATIENCE_S / 0.02)):
        if holds():
            return
        time.sleep(0.02)
    pytest.fail("nothing was said")


def test_a_sound_card_that_goes_in_play_is_told_on_the_display_until_it_is_back(talker, monkeypatch):
    for module in ("opening", "voice_thread"):
        monkeypatch.setattr(f"companion.app.speech.{module}.AGAIN_S", 0.1)
    live = Live(PlaySettings())
    config = talker.card.config.read_text()
    alarms = lambda: live.eye.scenes[-1].alarms if live.eye.scenes else ()  # noqa: E731
    live.play(
        (live.was_seen, "the first look, which is no news"),
        talker.card.remove,
        lambda: live.enter("buffalo"),
        (lambda: any("no sound card" in alarm for alarm in alarms()), "the alarm"),
        lambda: live.press("yellow first"),
        (lambda: bool(live.lines(PressLine)), "the press"),
        lambda: talker.card.config.write_text(config),
        (lambda: not alarms(), "that it is well"),
    )
    assert len(live.lines(Reveal)) == len(live.lines(PressLine)) == 1


def test_a_voice_that_is_killed_in_a_sentence_says_it_again_and_the_race_goes_on(talker):
    live, killed = Live(PlaySettings()), list[int]()
    live.play(
        (live.was_seen, "the first look, which is no news"),
        lambda: live.enter("buffalo"),
        (lambda: talker.says("buffalo"), "the sentence"),
        lambda: killed.append(talker.said[-1][0]),
        talker.dies,
        lambda: live.press("yellow first"),
        (lambda: bool(live.lines(PressLine)), "the press"),
        (lambda: [text for _, text in talker.said].count("Revealed: buffalo.") == 2, "the sentence once more"),
    )
    assert talker.said[-1][0] != killed[0]
    assert not live.eye.scenes[-1].alarms
