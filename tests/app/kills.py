"""Kills the whole box at random instants in play, and holds what it keeps against what it had shown.

    python -m tests.app.kills [--kills 1000] [--seed 1]

prints counts, and ends with status 1 at the first thing that was lost or changed. A match goes through `OF_A_MATCH`
kills; matches are of `order`, and of Apache with presses that wait for their card.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.adapters.intake_file.entries import waiting
from companion.adapters.sqlite_journal import export_lines, list_matches
from companion.core.panel import Colour
from companion.core.ruling.judge import judge_record
from companion.core.ruling.rulings import Order
from companion.games import registry
from companion.games.apache import GAME as APACHE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

COMPANION = Path(sys.executable).with_name("companion")
SEATS = ("red", "yellow")
SHORT = {str(colour)[:3].upper(): str(colour) for colour in SEATS}
SETTINGS = "[timing]\nlate_ms = 0\nbounce_ms = 5\naccept_ms = 0\n[web]\nenabled = false\n"
OF_A_MATCH = 10
LASTS_S = (0.0, 1.2)
"""When a box is killed, from the first line that it shows."""
STARTS_WITHIN_S = 60.0
PROVISIONAL_NS = 50_000_000
"""A press that was shown as provisional for longer than this is not lost by a kill."""
LOOK_NS = 5_000_000
"""A look at a box's threads that takes longer has not seen them at one instant."""

_HEADING = re.compile(r"^(?:Round|Pow-Wow) (\d+): (.+)$")
_ROW = re.compile(r"^\d+ ([A-Z]{3}) (\S+) (.*)$")


class Row(NamedTuple):
    """A row of a shown order: whose press it is, and whether it was punished."""

    colour: str
    role: str
    punished: bool


class Shown(NamedTuple):
    """An order as it was shown. t_ns: when it had come, CLOCK_MONOTONIC."""

    t_ns: int
    race: int
    status: str
    rows: tuple[Row, ...]


def order_script(rng: random.Random, _revealed: Counter[str]) -> str:
    """Rounds of two presses, one every 60 ms."""
    out = []
    for number in range(40):
        first, second = rng.sample(SEATS, 2)
        out += [f"{0.05 + 0.06 * number:.3f} press {first} first for 10 ms", f"+0.002 press {second} first for 10 ms"]
    return "\n".join([*out, "+9 end"])


def apache_script(rng: random.Random, revealed: Counter[str]) -> str:
    """Races whose card is entered 60 to 160 ms after they were closed, by the button of a card that is left."""
    cards = [label for label, copies in BUTTON_CARDS.items() for _ in range(copies - revealed[label])]
    rng.shuffle(cards)
    cards = cards or ["red first"]  # refused: there is none left
    out = [f"0.02 press {cards[0]} for 10 ms"]
    for card in cards[1:13]:
        first, second = rng.sample(SEATS, 2)
        out += [
            f"+{rng.uniform(0.04, 0.1):.3f} press {first} fourth for 10 ms",
            f"+0.015 press {second} first for 10 ms",
            f"+{rng.uniform(0.06, 0.16):.3f} press {card} for 10 ms",
        ]
    return "\n".join([*out, "+9 end"])


POSITIONS = ("first", "second", "third", "fourth")
APACHE_ROLES = registry.find("apache").roles
WORDS = dict(zip(APACHE_ROLES, POSITIONS, strict=True)) | dict(zip(POSITIONS, POSITIONS, strict=True))
"""The word on the panel for each role of both games."""
COPIES = {look.name: look.copies for look in APACHE.deck}
BUTTON_CARDS = {f"{colour} {WORDS[role]}": COPIES[f"{colour} {role}"] for colour in Colour for role in APACHE_ROLES}
"""How often each button can enter its card in a match of Apache."""
GAMES = {"order": order_script, "apache": apache_script}


class _Screen:
    """Reads what a box shows, in a thread of its own, with the time at which each line came."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._lines: list[tuple[int, str]] = []
        self.has_begun = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.append((time.monotonic_ns(), line.strip()))
            self.has_begun.set()
        self.has_begun.set()

    def shown(self) -> list[Shown]:
        """All orders, once the box has ended; the last is left out where it was cut off."""
        self._thread.join()
        out: list[Shown] = []
        rows: list[Row] = []
        heading: re.Match[str] | None = None
        for t_ns, line in self._lines:
            if match := _HEADING.match(line):
                heading, rows = match, []
            elif heading and (row := _ROW.match(line)):
                rows.append(Row(SHORT[row[1]], row[2], "punished" in row[3]))
            elif heading and not line:  # an empty line ends what is shown
                out.append(Shown(t_ns, int(heading[1]), heading[2], tuple(rows)))
                heading = None
        return out


def is_busy(process: subprocess.Popen[str]) -> bool:
    """Tell whether a thread of a box has something to do that it could not do yet: it lacks a CPU, or the disk.

    Also where that cannot be told: this program lacked a CPU itself, and what it saw is not of one instant.
    """
    began_ns = time.monotonic_ns()
    return _waits(process) or time.monotonic_ns() - began_ns > LOOK_NS


def _waits(process: subprocess.Popen[str]) -> bool:
    for task in Path(f"/proc/{process.pid}/task").iterdir():
        with contextlib.suppress(OSError):  # it has ended
            state = (task / "stat").read_text().rpartition(")")[2].split()[0]
            if state in "RD":
                return True
    return False


@dataclass
class Kept:
    """What a box that was killed has kept: its record's orders, presses by race, the times of all that was pressed.

    revealed: how often each button's card was turned. waiting: the intake's presses, by button and time.
    """

    orders: dict[int, tuple[Row, ...]]
    presses: dict[int, list[str]]
    times: set[int]
    revealed: Counter[str]
    waiting: set[tuple[str, int]]
    remarks: str


def kept_in(state: Path) -> Kept:
    """Read the state directory of a box that does not run."""
    raw = export_lines(state, 1) if list_matches(state) else []
    rulings = judge_record(raw, registry.find) if raw else iter(())
    orders = {ruling.race: _rows(ruling) for ruling in rulings if isinstance(ruling, Order)}
    presses: dict[int, list[str]] = defaultdict(list)
    times, revealed, remarks, race = set(), Counter[str](), [], 1
    for line in map(json.loads, raw):
        race += line["type"] == "judge"
        if line["type"] == "press":
            presses[race].append(f"{line['colour']} {WORDS[line['role']]}")
            times.add(line["t_ns"])
        elif line["type"] == "reveal":
            colour, _, role = line["card"].partition(" ")
            revealed[f"{colour} {WORDS[role]}"] += 1
            times.add(line["t_ns"])
        elif line["type"] == "remark":
            remarks.append(line["text"])
    intake = state / "intake.jsonl"
    found, _ = waiting(intake.read_bytes().split(b"\n")) if intake.exists() else ((), ())
    held = {(one.press.line, one.press.t_ns) for one in found}
    return Kept(orders, presses, times, revealed, held, "\n".join(remarks))


def _rows(ruling: Order) -> tuple[Row, ...]:
    return tuple(Row(str(place.colour), place.role, place.verdict == "punish") for place in ruling.order)


@dataclass
class Tally:
    """What was seen, over all kills."""

    counts: Counter[str] = field(default_factory=Counter)

    def text(self) -> str:
        return "\n".join(f"{number:6} {what}" for what, number in sorted(self.counts.items()))


class Played:
    """One match of a game, killed again and again."""

    def __init__(self, game: str, folder: Path, rng: random.Random, tally: Tally) -> None:
        self._game, self._folder, self._rng, self._tally = game, folder, rng, tally
        self._state = folder / "state"
        self._newest: dict[int, tuple[Row, ...]] = {}
        self._waiting: set[tuple[str, int]] = set()
        self._revealed: Counter[str] = Counter()
        (folder / "box.toml").write_text(SETTINGS)

    def kill_once(self) -> None:
        """Start the box, kill it, and look at what it has kept. Raises AssertionError for what it has not."""
        script = self._folder / "played.script"
        script.write_text(GAMES[self._game](self._rng, self._revealed))
        arguments = ["--simulate", "--plain", "--game", self._game, "--seats", ",".join(SEATS), "--resume"]
        files = ["--config", str(self._folder / "box.toml"), "--script", str(script), "--state-dir", str(self._state)]
        process: Any = subprocess.Popen(
            [str(COMPANION), "run", *arguments, *files],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            text=True,
        )
        screen = _Screen(process)
        assert screen.has_begun.wait(STARTS_WITHIN_S), "the box shows something"
        time.sleep(self._rng.uniform(*LASTS_S))
        assert process.poll() is None, "the box runs until it is killed"
        was_busy, killed_ns = is_busy(process), time.monotonic_ns()
        process.kill()  # SIGKILL
        process.wait()
        shown = screen.shown()
        self._note(shown, killed_ns)
        process.stdout.close()
        kept = kept_in(self._state)
        self._check(shown, kept)
        # What was busy may have been kept from writing by other programs, from its last sign of life on.
        until_ns = max(one.t_ns for one in shown) if was_busy and shown else killed_ns
        self._tally.counts["kills while a thread waited for a CPU or the disk"] += was_busy
        for one in shown:
            if one.status == "provisional" and until_ns - one.t_ns > PROVISIONAL_NS:
                self._check_provisional(one, kept)

    def _note(self, shown: Sequence[Shown], killed_ns: int) -> None:
        """Leave what was shown beside what was kept, for whoever looks for a fault."""
        told = (f"{(one.t_ns - killed_ns) / 1e6:9.1f} ms {one.race} {one.status} {one.rows}" for one in shown)
        (self._folder / "shown.txt").write_text("\n".join(told) + "\n")

    def _check(self, shown: Sequence[Shown], kept: Kept) -> None:
        counts = self._tally.counts
        counts[f"kills in {self._game}"] += 1
        assert list(kept.orders) == list(range(1, len(kept.orders) + 1)), "the match went on where it was"
        self._newest |= {one.race: one.rows for one in shown if one.status == "FINAL"}
        for race, rows in self._newest.items():
            assert kept.orders.get(race) == rows, f"race {race} was shown as {rows} and is {kept.orders.get(race)}"
        counts["finals that were shown"] += sum(one.status == "FINAL" for one in shown)
        counts["waiting presses found at a kill"] += len(kept.waiting)
        lost = {(line, t_ns) for line, t_ns in self._waiting - kept.waiting if t_ns not in kept.times}
        for line, t_ns in lost:
            is_refused = kept.revealed[line] >= BUTTON_CARDS[line]  # a card that there is no more of
            is_told = line in kept.remarks
            assert is_refused or is_told, f"{line} at {t_ns} waited at the kill before, and is nowhere"
        counts["waiting presses that came back with the same time"] += len(self._waiting) - len(lost)
        counts["waiting presses that were refused as cards, or told of"] += len(lost)
        self._waiting, self._revealed = kept.waiting, kept.revealed

    def _check_provisional(self, one: Shown, kept: Kept) -> None:
        there = set(kept.presses[one.race])
        if one.race not in kept.orders:
            there |= {line for line, _ in kept.waiting}
        for row in one.rows:
            label = f"{row.colour} {WORDS[row.role]}"
            assert label in there, f"{label} of race {one.race} was shown as provisional and is nowhere"
            self._tally.counts["provisional presses that were shown for over 50 ms"] += 1


def matches(kills: int, games: Sequence[str]) -> Iterator[tuple[str, int]]:
    """The games of the matches, by turns, and how many kills each is to go through."""
    for number, left in enumerate(range(kills, 0, -OF_A_MATCH)):
        yield games[number % len(games)], min(OF_A_MATCH, left)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", nargs="+", default=list(GAMES), choices=list(GAMES))
    given = parser.parse_args()
    rng, tally = random.Random(given.seed), Tally()
    try:
        for game, kills in matches(given.kills, given.games):
            folder = Path(tempfile.mkdtemp(prefix="kills-"))  # stays when something is wrong
            played = Played(game, folder, rng, tally)
            for _ in range(kills):
                played.kill_once()
            shutil.rmtree(folder)
    finally:
        print(tally.text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
