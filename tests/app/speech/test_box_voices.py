"""The voices of a box, from a session to ALSA's library: real espeak-ng, which notes what it was given to say."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from companion.adapters.voice import EspeakNg
from companion.app.pages import Publisher
from companion.app.run import outlets_of
from companion.app.signals.following import SignalFollower
from companion.app.speech.box_voices import BoxVoices
from companion.app.speech.voice_thread import VoiceThread
from companion.app.turn.right_of_way import RightOfWay
from companion.config.languages import language, languages_of
from companion.config.reading import state_directory
from companion.config.settings import Seats, SeatSettings, Settings, Voice
from companion.core.match.effects import Cue, VoiceWish
from companion.core.match.match import PlaySettings
from companion.core.panel import Colour
from companion.core.profiles.profile import Profile
from companion.core.profiles.profile import Voice as ProfileVoice
from companion.core.speech.queue import Piece
from companion.core.speech.utterance import Heard, Manner, Urgency
from companion.core.switches.ways import SwitchScanning
from companion.core.words.texts import text
from companion.games import registry
from companion.testing.virtual_box import VirtualBox
from tests.adapters.web.served import served
from tests.adapters.web.test_player_page import let_in, news, phone, told
from tests.core.play.test_sitting import People
from tests.fakes.sound_card import SoundCard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.app.signals.thread import SignalThread

pytestmark = pytest.mark.slow  # waits for threads, which it ends and starts

PATIENCE_S = 60
NOTING = """#!/bin/sh
# The real program; what it is given to say is noted, with its options, before it speaks.
case "$*" in
*"-z -a 0 "*) exec {real} "$@" ;;
*--stdin) ;;
*) exec {real} "$@" ;;
esac
text=$(cat)
echo $$ > {pid}
echo "$* | $text" >> {notes}
printf '%s' "$text" | exec {real} "$@"
"""


class Machine:
    """A machine with a sound card, and an espeak-ng that notes what it says."""

    def __init__(self, folder: Path) -> None:
        self.card = SoundCard(folder)
        self._notes = folder / "said"
        self.program = program = folder / "bin" / "espeak-ng"
        program.parent.mkdir()
        program.write_text(NOTING.format(real="/usr/bin/espeak-ng", notes=self._notes, pid=folder / "pid"))
        program.chmod(0o755)
        self.environ = {**self.card.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}

    def notes(self) -> list[str]:
        return self._notes.read_text().splitlines() if self._notes.exists() else []

    def said(self) -> list[str]:
        return [note.partition(" | ")[2] for note in self.notes()]

    def wait(self, text: str) -> list[str]:
        """Wait until something was given to the voice; give all that was."""
        wait_until(lambda: any(text in said for said in self.said()))
        return self.said()


def wait_until(holds: Callable[[], bool]) -> None:
    for _ in range(20 * PATIENCE_S):
        if holds():
            return
        time.sleep(0.05)
    pytest.fail("it did not come about")


class Loop:
    """As much of the box's loop as voices need, around a box on a clock of the test's own."""

    def __init__(self, box: VirtualBox) -> None:
        self.box, self.way = box, RightOfWay()
        self.alarms: dict[str, str | None] = {}
        self.told: list[tuple[str, str | None]] = []
        self.followers: list[Any] = []

    def alarm(self, key: str, text: str | None) -> None:
        self.alarms[key] = text
        self.told.append((key, text))

    def call(self, action: Callable[[Any], None]) -> None:
        action(self.box.session)

    def follow(self, follower: Any) -> None:
        self.followers.append(follower)

    def look(self) -> None:
        """Let whoever follows see the box as it is now."""
        session = self.box.session
        for follower in self.followers:
            follower.follow(session, session.scene(), round(self.box.now_ms * 1e6), 1)


@pytest.fixture
def machine(tmp_path, monkeypatch) -> Machine:
    made = Machine(tmp_path)
    for name, value in made.environ.items():
        monkeypatch.setenv(name, value)
    return made


@pytest.fixture
def opened() -> Iterator[list[BoxVoices]]:
    voices: list[BoxVoices] = []
    yield voices
    for one in voices:
        one.close()


def voices_of(loop: Loop, opened: list[BoxVoices], settings: Settings) -> BoxVoices:
    voices = BoxVoices(settings)
    opened.append(voices)
    voices.attach(loop)
    voices.start()
    loop.look()
    wait_until(lambda: all(one._snapshot is None for one in voices._voices()))  # the first look is no news
    return voices


def apache(*seats: str) -> VirtualBox:
    return VirtualBox(seats, "apache", find=registry.find, games=("apache",))


ALONE = Settings(voice=Voice(kind="espeak-ng"))


def test_a_race_is_said_from_its_card_to_its_settling(machine, opened):
    box = apache("red", "yellow")
    loop = Loop(box)
    voices_of(loop, opened, ALONE)
    box.pick("buffalo", 2000)
    loop.look()
    machine.wait("Revealed: buffalo.")
    box.press("red chief", 5000)
    box.press("yellow chief", 5083)
    box.run(12_000)
    loop.look()
    said = " ".join(machine.wait("Pow-Wow 1, final."))
    assert "83 milliseconds behind" in said


@pytest.fixture
def impatient(monkeypatch) -> None:
    """Voices that are not there are tried again at once."""
    for module in ("opening", "voice_thread"):
        monkeypatch.setattr(f"companion.app.speech.{module}.AGAIN_S", 0.02)


@pytest.mark.usefixtures("impatient")
def test_without_a_sound_card_it_is_told_once_and_is_well_when_there_is_one(machine, opened, monkeypatch):
    tries: list[str] = []
    open_one = EspeakNg.open

    def opening(self: EspeakNg, on_heard: Callable[[Heard], None]) -> str:
        tries.append("")
        return open_one(self, on_heard)

    monkeypatch.setattr(EspeakNg, "open", opening)
    machine.card.remove()
    loop = Loop(apache("red", "yellow"))
    voices_of(loop, opened, ALONE)
    wait_until(lambda: len(tries) > 20)
    (told,) = loop.told
    assert told[0] == "voice"
    assert "no sound card" in (told[1] or "")
    machine.card.plug_in()
    wait_until(lambda: loop.alarms["voice"] is None)


@pytest.mark.usefixtures("impatient")
def test_untimed_play_is_proposed_while_the_voice_that_says_the_cards_is_silent(machine, opened):
    machine.card.remove()
    play = PlaySettings(is_spoken=True)
    box = VirtualBox(("red", "yellow"), "apache", find=registry.find, games=("apache",), start=False, play=play)
    box.session.outlets = outlets_of(ALONE)
    loop = Loop(box)
    voices_of(loop, opened, ALONE)
    wait_until(lambda: loop.alarms.get("voice") is not None)
    loop.look()
    assert "no voice says the cards" in box.scene.notice
    machine.card.plug_in()
    wait_until(lambda: loop.alarms["voice"] is None)
    loop.look()
    assert "no voice says the cards" not in box.scene.notice


def say(voices: BoxVoices, words: str) -> None:
    (voice,) = voices._voices()
    voice.say([Piece(words, Urgency.NEWS)])


@pytest.mark.usefixtures("impatient")
def test_a_voice_that_can_be_opened_and_never_says_a_sentence_is_told_of_until_it_does(machine, opened):
    loop = Loop(apache("red", "yellow"))
    voices = voices_of(loop, opened, ALONE)
    wait_until(lambda: loop.alarms.get("voice", "") is None)
    whole = machine.program.read_text()
    machine.program.write_text(whole.replace("printf", "echo 'error: it is mute' >&2; exit; printf"))
    say(voices, "Red.")
    wait_until(lambda: "it is mute" in (loop.alarms["voice"] or ""))
    machine.program.write_text(whole)
    say(voices, "Yellow.")
    wait_until(lambda: loop.alarms["voice"] is None)


def test_an_earphone_hears_its_own_cues_and_the_room_does_not(machine, opened):
    loop = Loop(apache("red", "yellow"))
    settings = Settings(seats=Seats(red=SeatSettings(earphone="ear")))
    voices_of(loop, opened, settings)
    loop.followers[0].cue(Cue(Colour.YELLOW, 1, "yellow hunter"))
    loop.followers[0].cue(Cue(Colour.RED, 1, "red chief"))
    machine.wait("red chief")
    assert machine.said() == ["red chief"]
    wait_until(lambda: machine.card.ear.exists() and machine.card.ear.stat().st_size > 0)
    assert not machine.card.played.exists()


class Felt:
    """Stands in for the thread of lamps and motors: the cues it was told."""

    def __init__(self) -> None:
        self.cues: list[tuple[Colour, int]] = []

    def show(self, _signs: object) -> None:
        pass

    def cue(self, seat: Colour, number: int) -> None:
        self.cues.append((seat, number))


def test_a_private_cue_reaches_its_seats_phone_its_motor_and_its_earphone_and_nobody_else(machine, opened):
    scans = PlaySettings(switches={Colour.RED: SwitchScanning()})
    box = VirtualBox(("red", "yellow"), "apache", find=registry.find, games=("apache",), play=scans)
    loop, felt = Loop(box), Felt()
    ears = Seats(red=SeatSettings(earphone="ear"), yellow=SeatSettings(earphone="plughw:1"))
    voices_of(loop, opened, Settings(seats=ears))
    with served(simulated=False) as pages, phone(pages, "red") as red, phone(pages, "yellow") as yellow:
        for talk, seat in ((red, "red"), (yellow, "yellow")):
            let_in(pages, talk, seat)
            told(talk, seat=seat)
        loop.followers += [Publisher(pages.server), SignalFollower(cast("SignalThread", felt))]
        box.pick("buffalo", 2000)
        box.press("red chief", 5000)
        box.run(5200)
        (cue,) = [effect for effect in box.effects if isinstance(effect, Cue)]
        loop.look()
        for follower in loop.followers:
            follower.cue(cue)
        offered = red.get("switch", lambda message: message["number"] == cue.number)
        assert (offered["seat"], offered["says"]) == ("red", str(cue.says))
        assert [message for message in news(yellow) if message["type"] == "switch"] == []
    assert felt.cues == [(Colour.RED, cue.number)] == [(Colour.RED, 1)]
    machine.wait(str(cue.says))
    assert [note for note in machine.notes() if str(cue.says) in note] == machine.notes()
    wait_until(lambda: machine.card.ear.exists() and machine.card.ear.stat().st_size > 0)
    assert not machine.card.played.exists()


def test_an_earphone_speaks_as_its_seat_wants_it_and_the_box_as_ever(machine, opened):
    ann = Profile(name="Ann", language="it", voice=ProfileVoice(rate=0.75, volume=50, wordiness="full"))
    box = VirtualBox(
        ("red", "yellow"), "apache", find=registry.find, games=("apache",), people=People(ann), start=False
    )
    loop = Loop(box)
    settings = Settings(
        voice=Voice(kind="espeak-ng", rate=200, volume=80), seats=Seats(red=SeatSettings(earphone="ear"))
    )
    voices_of(loop, opened, settings)
    box.session.sit(Colour.RED, "Ann")
    loop.look()
    box.session.start(box.session.table.setup(registry.find("apache")))
    loop.look()
    loop.followers[0].cue(Cue(Colour.RED, 1, text("red chief")))
    loop.followers[0].cue(Cue(Colour.RED, 0, ""))
    wait_until(lambda: any("-v it" in note for note in machine.notes()))
    box.pick("buffalo", 2000)
    loop.look()
    wait_until(
        lambda: sum(name in said.lower() for said in machine.said() for name in ("buffalo", "bufalo", "bisonte")) >= 2
    )
    (room,) = {note.partition(" | ")[0] for note in machine.notes() if "-v en" in note}
    (ear,) = {note.partition(" | ")[0] for note in machine.notes() if "-v it" in note}
    assert ("-s 200" in room, "-a 160" in room) == (True, True)
    assert ("-s 150" in ear, "-a 80" in ear) == (True, True)


def test_slower_and_louder_hold_from_then_on_and_again_repeats(machine, opened):
    box = apache("red", "yellow")
    loop = Loop(box)
    voices = voices_of(loop, opened, ALONE)
    voices.wish(VoiceWish.SLOWER)
    machine.wait("speak slower")
    voices.wish(VoiceWish.LOUDER)
    machine.wait("speak louder")
    assert "-s 145" in machine.notes()[-1]
    assert "-a 180" in machine.notes()[-1]
    voices.wish(VoiceWish.AGAIN)
    wait_until(lambda: machine.said().count("speak louder") == 2)


def test_another_language_of_the_box_is_spoken_from_then_on(machine, opened, monkeypatch):
    loop = Loop(apache("red", "yellow"))
    voices = voices_of(loop, opened, ALONE)
    monkeypatch.setattr(languages_of("en", state_directory(ALONE.box)), "box", language("de"))
    loop.box.pick("buffalo", 2000)
    loop.look()
    wait_until(lambda: any("-v de" in note for note in machine.notes()))
    assert voices.speaks


class Ends:
    """Takes ends of announcements, in whatever thread."""

    def __init__(self) -> None:
        self.over = threading.Event()
        self.told: list[tuple[int, int, str]] = []

    def __call__(self, token: int, t_ns: int, fault: str) -> None:
        self.told.append((token, t_ns, fault))
        self.over.set()


def voice_thread(speakers: list[EspeakNg], ends: Ends, states: list[str | None]) -> VoiceThread:
    thread = VoiceThread("voice", speakers, Manner(), states.append, on_said=ends)
    thread.start()
    return thread


def test_the_end_of_what_opens_a_race_is_told_with_its_time(machine):
    ends, states = Ends(), list[str | None]()
    thread = voice_thread([EspeakNg()], ends, states)
    before_ns = time.monotonic_ns()
    thread.say([Piece("Blue ten.", Urgency.START, token=7)])
    assert ends.over.wait(PATIENCE_S)
    thread.stop()
    [(token, t_ns, fault)] = ends.told
    assert (token, fault, states) == (7, "", [None])
    assert before_ns < t_ns < time.monotonic_ns()


def test_without_a_voice_the_race_is_opened_all_the_same_and_why_is_told(machine):
    machine.card.remove()
    ends, states = Ends(), list[str | None]()
    thread = voice_thread([EspeakNg()], ends, states)
    thread.say([Piece("Blue ten.", Urgency.START, token=7)])
    assert ends.over.wait(PATIENCE_S)
    thread.stop()
    assert ends.told[0][2] == "there is no voice"
    assert len(states) == 1


def test_a_voice_that_dies_in_mid_sentence_says_the_sentence_once_more(machine, tmp_path):
    long = "The order of this race is being told, and it does not come to an end. " * 300
    ends, states = Ends(), list[str | None]()
    thread = voice_thread([EspeakNg()], ends, states)
    thread.say([Piece(long, Urgency.RULING)])
    wait_until(lambda: len(machine.said()) == 1)
    kill_voice(tmp_path)
    wait_until(lambda: len(machine.said()) == 2)
    thread.stop()


def kill_voice(folder: Path) -> None:
    """End the program that speaks, as a crash would."""
    parent = (folder / "pid").read_text().strip()

    def children() -> list[int]:
        return [int(one) for one in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]

    wait_until(lambda: bool(children()))
    for child in children():
        os.kill(child, signal.SIGSEGV)
    os.kill(int(parent), signal.SIGSEGV)
