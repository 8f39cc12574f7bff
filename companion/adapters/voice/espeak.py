"""A voice by the program `espeak-ng` alone: one child process for each utterance, which plays it by ALSA or Pulse.

A child begins to sound within some 20 ms, so that none is kept warm: it takes no memory while nobody speaks, and one
that hangs in a sound card is ended like any other. The text goes to its standard input, where no other user of the
machine can read it. `espeak-ng` gives an exit status of 0 where there is no sound card: what it writes to its standard
error is looked at.

Threads: "espeak-ng" starts the children and waits for them; `say` and `stop` only tell it. Touched by both, under the
condition: `_wanted`, `_child`, `_is_cut`, `_is_closing`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.core.errors import Unavailable
from companion.core.speech.utterance import FASTEST_WPM, Heard, Phase
from companion.threads.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from companion.core.speech.utterance import Utterance

PROGRAM = "espeak-ng"
INSTALL = "sudo apt install espeak-ng"
PROBE_S = 20.0
"""How long a sound card may take to be opened; a Bluetooth speaker that is away takes that long and longer."""
LONGEST_S, LONGEST_OF_LETTER_S = 10.0, 0.5
"""An utterance takes no longer than the first, and the second for each letter; then its child hangs, and is ended."""
ENGLISH = "en-gb"
"""The voice of "en", and of languages that it does not speak."""
UNHEARD = ("-z", "-a", "0", "-s", str(FASTEST_WPM))
"""How a sound card is tried: no pause at the end, volume 0, as fast as it goes."""
MOST_AMPLITUDE = 200
"""espeak-ng's own loudest."""
_VOICE = re.compile(r"^\s*\d+\s+(\S+)\s+\S+\s+(\S+)")
_NO_SOUND = re.compile(r"^error: (.+)$", re.MULTILINE)


class EspeakNg:
    """Speaks by children. device: ALSA's or Pulse's name of where to; "" for the usual one.

    program: name or path. clock: CLOCK_MONOTONIC, ns.
    """

    name = PROGRAM

    def __init__(
        self, device: str = "", *, program: str = PROGRAM, clock: Callable[[], int] = time.monotonic_ns
    ) -> None:
        self._device, self._program, self._clock = device, program, clock
        self._changed = threading.Condition()
        self._wanted: Utterance | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._is_cut = self._is_closing = False
        self._languages: frozenset[str] = frozenset()
        self._on_heard: Callable[[Heard], None] | None = None
        self._thread: Watched | None = None

    def open(self, on_heard: Callable[[Heard], None]) -> str:
        """See that there is a voice and a sound card, and begin the thread."""
        version = version_of(self._program)
        probed = self._run_probe()
        if (fault := _fault_of(probed)) is not None:
            raise Unavailable(self._no_sound(fault))
        self._languages = languages_of(self._program)
        with self._changed:
            self._on_heard, self._is_closing, self._wanted = on_heard, False, None
        self._thread = Watched(self._run, name="espeak-ng")
        self._thread.start()
        return f"{version}, sound device {self._device or 'default'}"

    def say(self, utterance: Utterance) -> None:
        """Have an utterance spoken; cuts off what is."""
        with self._changed:
            if self._on_heard is None or self._thread is None:
                raise Unavailable("the voice is not open")
            replaced, self._wanted = self._wanted, utterance
            self._cut()
            self._changed.notify_all()
        if replaced is not None:
            self._tell(replaced, Phase.CUT)

    def stop(self) -> None:
        """Fall silent."""
        with self._changed:
            replaced, self._wanted = self._wanted, None
            self._cut()
        if replaced is not None:
            self._tell(replaced, Phase.CUT)

    def close(self) -> None:
        """Fall silent and end the thread."""
        self.stop()
        with self._changed:
            self._is_closing = True
            self._cut()
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(PROBE_S)
            self._thread = None

    def write(self, utterance: Utterance, file: Path) -> None:
        """Speak into a WAV file, and to no sound card; needs not be open. Raises Unavailable."""
        self._languages = self._languages or languages_of(self._program)
        command = [*self._command(utterance), "-w", str(file)]
        told = _run(command, spoken(utterance.text).encode(), LONGEST_S + LONGEST_OF_LETTER_S * len(utterance.text))
        if (fault := _fault_of(told)) is not None:
            raise Unavailable(f"{self._program} cannot write {file}: {fault}")

    # -- the thread --------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._wanted is not None or self._is_closing)
                if self._is_closing:
                    return
                utterance, self._wanted = self._wanted, None
                self._is_cut = False
            if utterance is not None:
                self._speak(utterance)

    def _speak(self, utterance: Utterance) -> None:
        try:
            child = subprocess.Popen(  # noqa: S603 - its words are ours, and what is said goes to its standard input
                self._command(utterance), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )  # fmt: skip
        except OSError as error:
            self._tell(utterance, Phase.FAILED, f"{self._program} cannot be started: {error.strerror}")
            return
        with self._changed:
            self._child = child
            if self._wanted is not None or self._is_closing:
                self._cut()
        told = Phase.FAILED, "the voice's thread failed"
        try:
            told = self._wait(child, utterance)
        finally:
            with self._changed:
                self._child = None
            self._tell(utterance, *told)

    def _wait(self, child: subprocess.Popen[bytes], utterance: Utterance) -> tuple[Phase, str]:
        self._tell(utterance, Phase.BEGAN)
        try:
            _, said = child.communicate(
                spoken(utterance.text).encode(), timeout=LONGEST_S + LONGEST_OF_LETTER_S * len(utterance.text)
            )
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            return Phase.FAILED, f"{self._program} hung, and was ended"
        if self._is_cut:
            return Phase.CUT, ""
        if child.returncode < 0:
            return Phase.FAILED, f"{self._program} was ended by signal {-child.returncode}"
        fault = _fault_of(subprocess.CompletedProcess([], child.returncode, b"", said))
        return (Phase.ENDED, "") if fault is None else (Phase.FAILED, self._no_sound(fault))

    def _cut(self) -> None:
        """End the child; the condition is held."""
        if self._child is not None:
            self._is_cut = True
            with suppress(OSError):
                self._child.kill()

    def _command(self, utterance: Utterance) -> list[str]:
        manner = utterance.manner
        amplitude = manner.volume * MOST_AMPLITUDE // 100
        return [
            self._program, *(["-z"] if utterance.ends_at_once else []), "-b", "1", "-v",
            language_for(manner.language, self._languages), "-s", str(manner.rate), "-p", str(min(99, manner.pitch)),
            "-a", str(amplitude), *self._to_device(), "--stdin",
        ]  # fmt: skip

    def _to_device(self) -> list[str]:
        return ["-d", self._device] if self._device else []

    def _run_probe(self) -> subprocess.CompletedProcess[bytes]:
        """Say a letter at volume 0. With nothing to say espeak-ng may end, and well, before it opens the sound card."""
        try:
            return _run([self._program, *UNHEARD, *self._to_device(), "--stdin"], b"a", PROBE_S)
        except TimeoutError:
            raise Unavailable(self._no_sound(f"it did not answer within {PROBE_S:g} s")) from None

    def _no_sound(self, fault: str) -> str:
        return (
            f"no sound card for the voice ({self._device or 'default'}, {fault}): plug in a speaker by USB, or set"
            " voice.device to one that aplay -L names"
        )

    def _tell(self, utterance: Utterance, phase: Phase, why: str = "") -> None:
        if self._on_heard is not None:
            self._on_heard(Heard(utterance.number, phase, self._clock(), why))


def spoken(text: str) -> str:
    """Give a text as espeak-ng is to have it: without what it takes for phonemes ("[[…]]"), on one line."""
    return " ".join(text.replace("[[", "[ [").split())


def version_of(program: str = PROGRAM) -> str:
    """Give name and version. Raises Unavailable where it is not installed."""
    if shutil.which(program) is None:
        raise Unavailable(f"no voice is installed: {INSTALL}")
    said = _ask([program, "--version"])
    found = re.search(r":\s*(\S+)", said)
    return f"{PROGRAM} {found[1]}" if found else PROGRAM


def languages_of(program: str = PROGRAM) -> frozenset[str]:
    """Give the tags of the languages that it speaks."""
    return frozenset(tag for tag, _ in voices_of(program))


def voices_of(program: str = PROGRAM) -> list[tuple[str, str]]:
    """Give each voice: the tag of its language, and its name."""
    found = [_VOICE.match(row) for row in _ask([program, "--voices"]).splitlines()]
    return [(row[1], row[2].replace("_", " ")) for row in found if row is not None]


def language_for(wanted: str, known: Collection[str]) -> str:
    """Give the voice for a language tag: itself, its language alone, another country's of it, else English.

    What follows a "+" is espeak-ng's name of a variant ("en-us+f3" is a woman's), and stays.
    """
    language, plus, variant = wanted.partition("+")
    tag = language.lower().replace("_", "-")
    first = tag.split("-")[0]
    others = sorted(one for one in known if one.split("-")[0] == first)
    usual = ENGLISH if first == "en" else f"{first}-{first}"
    return next((one for one in (tag, first, usual, *others, ENGLISH) if one in known), first) + plus + variant


def _ask(command: list[str]) -> str:
    try:
        return _run(command, b"", PROBE_S).stdout.decode(errors="replace")
    except TimeoutError:
        raise Unavailable(f"{command[0]} does not answer; {INSTALL}") from None


def _run(command: list[str], said: bytes, timeout_s: float) -> subprocess.CompletedProcess[bytes]:
    """Run the program to its end. Raises Unavailable where it cannot be started, TimeoutError."""
    try:
        return subprocess.run(command, input=said, capture_output=True, timeout=timeout_s, check=False)  # noqa: S603 - ours
    except subprocess.TimeoutExpired:
        raise TimeoutError from None
    except OSError as error:
        raise Unavailable(f"{command[0]} cannot be started: {error.strerror}; {INSTALL}") from error


def _fault_of(done: subprocess.CompletedProcess[bytes]) -> str | None:
    """Give what went wrong, None where nothing did; a missing sound card has an exit status of 0."""
    said = done.stderr.decode(errors="replace")
    if (found := _NO_SOUND.search(said)) is not None:
        return found[1]
    if done.returncode:
        return said.strip().splitlines()[-1] if said.strip() else f"exit status {done.returncode}"
    return None
