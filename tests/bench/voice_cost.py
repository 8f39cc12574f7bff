"""What a voice costs that is enabled and says nothing, beside a box without one; and what speaking takes.

The whole process, as `companion run` starts it, by turns without a voice, with `espeak-ng`, and with a server of
speech-dispatcher of its own where that is installed. Its memory is what is resident after it has been idle; its threads
are counted. The sound card is ALSA's own library with its file plugin in the place of a chip.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tests.bench.measured import Measured, of_values, spread
from tests.bench.starting import cpu_s, resident_mb, start
from tests.fakes.sound_card import SoundCard
from tests.fakes.speech_server import SpeechServer


class Sizes(NamedTuple):
    """settled_s: from when a box serves its pages. idle_s: how long it is watched then."""

    rounds: int = 5
    settled_s: float = 3.0
    idle_s: float = 10.0


USUAL = Sizes()
SMOKE = Sizes(rounds=1, settled_s=0.1, idle_s=0.2)
FIGURES = {"more": "MB", "ruling": "ms", "ruling_memory": "MB"}
RULING = "Pow-Wow 4, final. 1: red chief is first. 2: yellow hunter 83 milliseconds behind, punished."
KINDS = ("none", "espeak-ng", "speech-dispatcher")
MOST_MB = 4.0
"""More than this nobody would call nothing."""


class Cost(NamedTuple):
    """Of one box: its memory in MB, its threads, its processor time at rest in %, the server's memory in MB."""

    resident_mb: float
    threads: int
    idle_percent: float
    server_mb: float


class Spoken(NamedTuple):
    """Of a child that said a ruling: its greatest memory in MB, its processor time in ms."""

    most_mb: float
    processor_ms: float


def measure(sizes: Sizes = USUAL) -> Measured:
    out = Measured("What a voice costs that says nothing, and what a ruling takes")
    kinds = KINDS if shutil.which("speech-dispatcher") else KINDS[:2]
    costs: dict[str, list[Cost]] = {kind: [] for kind in kinds}
    spoken: list[Spoken] = []
    for number in range(sizes.rounds):
        for kind in kinds if number % 2 == 0 else reversed(kinds):
            with tempfile.TemporaryDirectory() as folder:
                costs[kind].append(_idle(Path(folder), kind, sizes))
        with tempfile.TemporaryDirectory() as folder:
            spoken.append(_speak(Path(folder)))
    for kind, found in costs.items():
        what = f"voice.kind = {kind!r}"
        out.row(f"{what}: resident memory, MB", spread([one.resident_mb for one in found], 1))
        out.row(f"{what}: processor while idle, %", spread([one.idle_percent for one in found], 2))
        out.row(f"{what}: threads", spread([one.threads for one in found]))
    for kind in kinds[1:]:
        more = [one.resident_mb - none.resident_mb for one, none in zip(costs[kind], costs["none"], strict=True)]
        out.figures[f"more@{kind}"] = of_values(more)
        out.row(f"{kind} beside none, MB more in pairs", spread(more, 1))
        out.promise(sorted(more)[len(more) // 2] <= MOST_MB, f"{kind} takes at most {MOST_MB:g} MB of the box")
        idle = sorted(one.idle_percent for one in costs[kind])[sizes.rounds // 2]
        out.promise(idle <= 1, f"at most 1 % of a processor while idle with {kind}")
    if "speech-dispatcher" in costs:
        servers = [one.server_mb for one in costs["speech-dispatcher"]]
        out.row("speech-dispatcher and its modules, which other programs share, MB", spread(servers, 1))
    out.row("a child that says a ruling, its greatest memory, MB", spread([one.most_mb for one in spoken], 1))
    out.row("a child that says a ruling, processor time, ms", spread([one.processor_ms for one in spoken]))
    out.figures["ruling"] = of_values([one.processor_ms for one in spoken])
    out.figures["ruling_memory"] = of_values([one.most_mb for one in spoken])
    out.values = {"costs": {kind: [one._asdict() for one in found] for kind, found in costs.items()}}
    out.values |= {"spoken": [one._asdict() for one in spoken]}
    return out


def _idle(folder: Path, kind: str, sizes: Sizes) -> Cost:
    """Start a box with a voice of this kind, let it be idle, and end it."""
    card = SoundCard(folder)
    config = folder / "config.toml"
    config.write_text(f'[voice]\nkind = "{kind}"\n')
    server = SpeechServer(folder / "server", card.environ) if kind == "speech-dispatcher" else None
    environ = dict(card.environ)
    if server is not None:
        server.start()
        environ["SPEECHD_ADDRESS"] = f"unix_socket:{server.socket}"
    try:
        process, _, _ = start(str(folder / "state"), "--config", str(config), environ=environ)
        try:
            time.sleep(sizes.settled_s)
            before = cpu_s(process.pid)
            time.sleep(sizes.idle_s)
            idle = (cpu_s(process.pid) - before) / sizes.idle_s * 100
            threads = len(list(Path(f"/proc/{process.pid}/task").iterdir()))
            of_server = _family_mb(server.pid) if server is not None else 0.0
            return Cost(resident_mb(process.pid), threads, idle, of_server)
        finally:
            process.terminate()
            process.wait(30)
    finally:
        if server is not None:
            server.stop()


def _family_mb(pid: int) -> float:
    """Give the memory of a process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return resident_mb(pid) + sum(_family_mb(int(child)) for child in children)


def _speak(folder: Path) -> Spoken:
    """Have a ruling said as the box has it said."""
    child = subprocess.Popen(
        ["espeak-ng", "-b", "1", "-v", "en-gb", "--stdin"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env={**os.environ, **SoundCard(folder).environ},
    )  # fmt: skip
    assert child.stdin is not None
    child.stdin.write(RULING.encode())
    child.stdin.close()
    most_mb = 0.0
    while (ended := os.wait4(child.pid, os.WNOHANG))[0] == 0:
        most_mb = max(most_mb, _greatest_mb(child.pid))  # what `wait4` tells has this program's own in it
    used = ended[2]
    return Spoken(most_mb, 1000 * (used.ru_utime + used.ru_stime))


def _greatest_mb(pid: int) -> float:
    """Give the greatest memory of espeak-ng so far; 0 before it is that program, and when it has ended."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"^Name:\s+espeak-ng$.*^VmHWM:\s+(\d+) kB$", status, re.MULTILINE | re.DOTALL)
    return int(found[1]) / 1024 if found else 0.0
