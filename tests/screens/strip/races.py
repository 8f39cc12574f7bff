"""Races to be drawn: edges as switches make them, the record that the box would have written of them, its evidence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from companion.core.evidence.contacts_seen import Verdict, contacts_seen
from companion.core.evidence.strip import strip_of
from companion.core.evidence.written import EdgeSeen, Entry, Lost, digest, dump_evidence
from companion.core.panel import BUTTON_BY_LABEL, Colour, role_of
from companion.core.record.lines import Conditions, SeatConditions, SourceConditions
from companion.core.timing.events import MS, SECOND
from companion.core.words.encoding import builtins, encode
from companion.games import registry

if TYPE_CHECKING:
    from companion.core.evidence.strip import Strip

START_NS = 100 * SECOND
WINDOW_MS = 3_000


@dataclass
class Race:
    """A race that is made up edge by edge; times in ms after its beginning, which is the first press of a clean one."""

    seats: tuple[str, ...] = ("red", "yellow")
    game: str = "apache"
    setup: dict[str, object] = field(default_factory=dict)
    allowances_ms: dict[str, int] = field(default_factory=dict)
    accept_ms: dict[str, int] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    cards: list[tuple[str, float]] = field(default_factory=lambda: [("red hunter", -900.0)])

    def edge(self, line: str, active: bool, at_ms: float, error_us: float = 20) -> None:
        t_ns = START_NS + round(at_ms * MS)
        self.entries.append(
            EdgeSeen(t_ns=t_ns, line=line, active=active, error_ns=round(error_us * 1000), source="gpiod")
        )

    def press(self, line: str, at_ms: float, hold_ms: float = 90, error_us: float = 20) -> None:
        self.edge(line, True, at_ms, error_us)
        self.edge(line, False, at_ms + hold_ms, error_us)

    def bounce(self, line: str, at_ms: float, gaps_ms: tuple[float, ...], hold_ms: float = 90) -> None:
        """Close, open and close again after each of the gaps, stay closed, and open."""
        self.edge(line, True, at_ms)
        for number, gap_ms in enumerate(gaps_ms):
            at_ms += gap_ms
            self.edge(line, bool(number % 2), at_ms)
        self.edge(line, False, at_ms + hold_ms)

    def lose(self, count: int, from_ms: float | None, to_ms: float, lines: tuple[str, ...] | None = None) -> None:
        since_ns = None if from_ms is None else START_NS + round(from_ms * MS)
        text = f"{count} edges were lost"
        self.entries.append(
            Lost(
                t_ns=START_NS + round(to_ms * MS), since_ns=since_ns, source="gpiod", lost=count, text=text, lines=lines
            )
        )

    # -- what the box makes of it

    def conditions(self) -> Conditions:
        seat = SeatConditions(bounce_ms=20, accept_ms=2, repeat_ms=0, extension_ms=0, input=("panel",))
        seats = {
            Colour(colour): msgspec.structs.replace(seat, accept_ms=self.accept_ms.get(colour, 2))
            for colour in self.seats
        }
        return Conditions(
            software="table-companion 0.1.0", box="a box", window_ms=WINDOW_MS, late_ms=1000, seats=seats, settle_ms=2,
            chatter_hz=200, confirmed=(), sources=(SourceConditions(name="gpiod", delay_ms=8, error_us=20),),
        )  # fmt: skip

    def evidence(self) -> bytes:
        return dump_evidence(sorted(self.entries, key=lambda entry: entry.t_ns))

    def record(self) -> list[bytes]:
        lines: list[dict[str, object]] = [self._setup()]
        if self.names:
            lines.append({"type": "names", "names": self.names})
        cards = self.cards if self.game == "apache" else []
        lines += [{"type": "reveal", "card": card, "t_ns": START_NS + round(t * MS)} for card, t in cards]
        presses = self._presses()
        lines += presses
        first_ns = min(int(str(press["t_ns"])) for press in presses)
        last_ns = max(int(str(press["t_ns"])) for press in presses)
        close_ns = last_ns if len(presses) == len(self.seats) else first_ns + WINDOW_MS * MS
        lines.append({"type": "close", "t_ns": close_ns})
        lines.append({"type": "judge", "wall": "2026-05-01T20:15:30+02:00"})
        content = self.evidence()
        edges = sum(isinstance(entry, EdgeSeen) for entry in self.entries)
        lines.append({"type": "evidence", "race": 1, "sha256": digest(content), "edges": edges})
        return [encode(line) for line in lines]

    def strip(self) -> Strip:
        content = self.evidence()
        return strip_of(self.record(), 1, registry.find, {digest(content): content}.get)

    def _setup(self) -> dict[str, object]:
        seats = [
            {"colour": colour} | ({"allowance_ms": ms} if (ms := self.allowances_ms.get(colour)) else {})
            for colour in self.seats
        ]
        return {
            "type": "setup", "record": 2, "match": "6f1e0c52a7d94b3e8f0a1b2c3d4e5f60", "game": self.game, "edition": 1,
            "seats": seats, "first": self.seats[0], "conditions": builtins(self.conditions()), **self.setup,
        }  # fmt: skip

    def _presses(self) -> list[dict[str, object]]:
        roles = registry.find(self.game).roles
        seen = contacts_seen(sorted(self.entries, key=lambda entry: entry.t_ns), self.conditions())
        first: dict[Colour, dict[str, object]] = {}
        accepted = [c for c in seen.contacts if c.verdict is Verdict.ACCEPTED and c.line in BUTTON_BY_LABEL]
        for contact in sorted(accepted, key=lambda contact: contact.t_ns):
            button = BUTTON_BY_LABEL[contact.line]
            press: dict[str, object] = {
                "type": "press", "colour": button.colour, "role": role_of(button, roles), "t_ns": contact.t_ns,
                "error_ns": contact.error_ns,
            }  # fmt: skip
            if button.colour in self.seats:
                first.setdefault(button.colour, press)
        return list(first.values())


def clean() -> Race:
    race = Race()
    race.press("red first", 0)
    race.press("yellow first", 61.4)
    return race


def dead_heat() -> Race:
    race = Race(seats=("red", "yellow", "blue"), setup={"dead_heat": "clockwise"}, names={"red": "Ann", "blue": "Zoë"})
    race.press("red first", 0)
    race.press("yellow first", 0.035)
    race.press("blue second", 0.07)
    return race


def bouncing() -> Race:
    race = Race(seats=("red", "yellow", "green", "blue"))
    race.bounce("red first", 0, (0.4, 0.3, 0.9, 1.2, 0.2, 3.1))
    race.bounce("yellow third", 1.9, (0.1, 2.2, 0.5, 0.8))
    race.press("green second", 412, 140)
    race.bounce("blue fourth", 1503, (6, 1.5, 0.3, 2.4))
    return race


def rejected() -> Race:
    race = Race(seats=("red", "yellow"), accept_ms={"yellow": 150})
    for at_ms in (-1400, -700, -380):
        race.press("yellow first", at_ms, 60)
    race.press("red first", 0)
    race.press("red third", -300, 0.4)
    race.press("yellow first", 240, 400)
    race.press("knob push", 900, 100)
    return race


def lost() -> Race:
    race = Race(seats=("red", "yellow"))
    race.press("red first", 0)
    race.lose(6, 700, 1250)
    race.press("yellow second", 1600)
    race.lose(1, None, 2100, ("yellow second",))
    return race


def allowance() -> Race:
    race = Race(seats=("red", "yellow", "purple"), allowances_ms={"yellow": 800, "purple": 5000})
    race.press("red first", 0)
    race.press("yellow first", 700)
    race.press("purple first", 2100)
    return race


def chattering() -> Race:
    race = Race(seats=("red", "yellow"))
    race.press("red first", 0)
    for step in range(700):
        race.press("yellow second", -1500 + step * 4, 0.5)
    race.press("yellow first", 1800)
    return race


RACES = {
    "clean": clean,
    "dead-heat": dead_heat,
    "bouncing": bouncing,
    "rejected": rejected,
    "lost": lost,
    "allowance": allowance,
    "chattering": chattering,
}
