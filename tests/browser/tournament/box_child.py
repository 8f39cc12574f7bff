"""Boxes of an event in a process of their own: a simulated hall that does as it is told on standard input.

Arguments: a folder with the desk's passwords, the broker's address, and a `Script` in JSON. Standard input: `add BOX`
switches a box on, `lines BOX` asks how many it has stored, `go` lets everybody who waits play on; its end switches all
off. Standard output: `code BOX CODE`, `lines BOX COUNT`, `waits BOX`, `lost BOX`.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import msgspec

from companion.app.event.joined import Joined
from companion.app.event.linking import link_of
from companion.app.tournament.broker.logins import read_logins
from companion.app.tournament.simulated.box import Players, SimulatedBox
from companion.app.tournament.simulated.people import Plan, strengths

PATIENCE_S = 300.0


class Script(msgspec.Struct, frozen=True):
    """What happens. players, races, seed: see `Plan`. Boxes are given with the round in which it is so.

    protests: the last seat protests. fails: it is lost in the middle. absent: they do not play on it. replaces: they go
    on from a record on it. waits: in these rounds everybody waits after the second race until told to go on.
    """

    event: str
    seed: str
    players: int
    races: int = 5
    protests: tuple[tuple[str, int], ...] = ()
    fails: tuple[tuple[str, int], ...] = ()
    absent: tuple[tuple[str, int], ...] = ()
    replaces: tuple[tuple[str, int], ...] = ()
    waits: tuple[int, ...] = ()


class ScriptedPlayers(Players):
    """Players who do as the script has it."""

    def __init__(self, script: Script) -> None:
        plan = Plan(script.seed, 2, script.players, races=script.races)
        super().__init__(plan, strengths(plan), wait_for_clock=True)
        self._script = script
        self.go = threading.Event()

    def play_here(self, box: str, place: tuple[int, int]) -> bool:
        return (box, place[0]) not in self._script.absent + self._script.replaces

    def protest_here(self, box: str, place: tuple[int, int]) -> bool:
        return (box, place[0]) in self._script.protests

    def lose_box(self, box: str, place: tuple[int, int]) -> bool:
        return (box, place[0]) in self._script.fails

    def lost(self, box: str) -> None:
        super().lost(box)
        say("lost", box)

    def raced(self, box: str, number: int, race: int) -> None:
        if number in self._script.waits and race == WAIT_AFTER:
            say("waits", box)
            self.go.wait(PATIENCE_S)


WAIT_AFTER = 2
"""Races."""


_SPEAKS = threading.Lock()


def say(*words: str) -> None:
    """Say a line, whole: every box is a thread of its own."""
    with _SPEAKS:
        sys.stdout.write(f"{' '.join(words)}\n")
        sys.stdout.flush()


def main(folder: Path, address: str, script: Script) -> None:
    players = ScriptedPlayers(script)
    logins = read_logins(folder)
    boxes: dict[str, SimulatedBox] = {}
    for line in sys.stdin:
        match line.split():
            case ["add", name]:
                joined = Joined(address, script.event, name, password=logins[name])
                box = SimulatedBox(name, folder / "boxes" / name, script.event, link_of(joined), players)
                boxes[name] = box
                box.start()
                say("code", name, box.code)
            case ["lines", name]:
                say("lines", name, str(boxes[name].lines_stored()))
            case ["go"]:
                players.go.set()
    players.go.set()
    for box in boxes.values():
        box.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], msgspec.json.decode(sys.argv[3], type=Script))
