"""A model of a desk and of the way to it, which loses, doubles and holds back what is sent, for tests of a box."""

from __future__ import annotations

from collections import deque
from hashlib import sha256

from companion.core.timing.events import SECOND
from companion.tournament.box.effects import Effect, Publish
from companion.tournament.box.kept import Kept, Who
from companion.tournament.box.machine import BoxInEvent
from companion.tournament.wire import Ask, Have, Here, RecordPart, ToBox, Welcome, read_up

KEY = "A" * 43 + "="
WHO = Who("open", "box-7", KEY, "companion 1")
MATCH = "a1" * 16
OTHER = "b2" * 16


def digest(lines: list[bytes]) -> str:
    return sha256(b"".join(line + b"\n" for line in lines if b'"type":"names"' not in line)).hexdigest()


class ModelDesk:
    """Keeps each line once, by its number, and says what it has without a gap after everything that it gets."""

    def __init__(self) -> None:
        self.stored: dict[str, dict[int, bytes]] = {}
        self.told: deque[ToBox] = deque()

    def record(self, match: str) -> list[bytes]:
        stored, found = self.stored.get(match, {}), list[bytes]()
        while (line := stored.get(len(found) + 1)) is not None:
            found.append(line)
        return found

    def take(self, topic: str, payload: bytes) -> None:
        message = read_up(topic, payload).message
        if isinstance(message, RecordPart):
            stored = self.stored.setdefault(message.match, {})
            assert stored.setdefault(message.number, message.raw) == message.raw
            self.say_have(message.match)
        elif isinstance(message, Here):
            self.told.append(Welcome(name="The Open"))
            for held in message.matches:
                self.say_have(held.match)

    def say_have(self, match: str) -> None:
        record = self.record(match)
        self.told.append(Have(match=match, lines=len(record), sha256=digest(record)))

    def starts_anew(self) -> None:
        """Its program died: what it was about to say is lost, and what it had stored is not."""
        self.told.clear()
        self.told.append(Ask())


class Way:
    """A box, a desk and the way between them. epochs: the lines that were sent, each list with a reason to begin."""

    def __init__(self, kept: Kept | None = None) -> None:
        self.box = BoxInEvent(WHO, kept or Kept(event="open"))
        self.desk = ModelDesk()
        self.now_ns = 0
        self.up: deque[Publish] = deque()
        self.others: list[Effect] = []
        self.journal: dict[str, list[bytes]] = {}
        self.epochs: list[list[tuple[str, int]]] = [[]]

    def collect(self) -> None:
        for effect in self.box.take():
            if not isinstance(effect, Publish):
                self.others.append(effect)
                continue
            self.up.append(effect)
            message = read_up(effect.topic, effect.payload).message
            if isinstance(message, RecordPart):
                self.epochs[-1].append((message.match, message.number))

    def write(self, match: str, count: int) -> None:
        lines = self.journal.setdefault(match, [])
        new = [f"{match[:2]} line {len(lines) + number}".encode() for number in range(1, count + 1)]
        lines += new
        self.box.grew(match, new, self.now_ns)
        self.collect()

    def connect(self) -> None:
        self.epochs.append([])
        self.box.connected(self.now_ns)
        self.collect()

    def lose(self) -> None:
        """The connection dies with all that was under way."""
        self.up.clear()
        self.desk.told.clear()
        self.box.lost()

    def carry_up(self, *, again: bool = False) -> None:
        if self.up:
            first = self.up[0] if again else self.up.popleft()
            self.desk.take(first.topic, first.payload)

    def carry_down(self, *, again: bool = False) -> None:
        if self.desk.told:
            message = self.desk.told[0] if again else self.desk.told.popleft()
            self.epochs.append([])  # what it says may be a reason to go back
            self.box.hear(message, self.now_ns)
            self.collect()

    def drop_up(self) -> None:
        if self.up:
            self.up.popleft()

    def restart(self) -> None:
        """The box's program dies and starts again, with what it kept and its journal."""
        self.lose()
        self.box = BoxInEvent(WHO, self.box.kept)
        for match, lines in self.journal.items():
            self.box.grew(match, list(lines), self.now_ns)
        self.collect()

    def pass_time(self, seconds: int) -> None:
        self.now_ns += seconds * SECOND
        self.epochs.append([])
        self.box.advance(self.now_ns)
        self.collect()

    def settle(self) -> None:
        """Let all be well from now on, until nothing is left to do."""
        if not self.box.is_connected:
            self.connect()
        for _ in range(40):
            while self.up or self.desk.told:
                self.carry_up()
                self.carry_down()
            if all(self.desk.record(match) == lines for match, lines in self.journal.items()):
                return
            self.pass_time(60)
