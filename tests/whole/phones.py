"""Players who have nothing but phones: the real web server, asked over HTTP and WebSockets, on the test's own clock.

Each phone asks for its seat, is let in, answers the box's round trips, and does what its own page (`me`, and what is
for its eyes alone) shows: it presses a button that does something, taps a choice, enters a card. What is nobody's is
the referee's, who has the PIN and the desk's addresses.
"""

from __future__ import annotations

import threading
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import httpx

from companion.adapters.web import socket as live
from companion.adapters.web.phones.panel_source import PanelSource
from companion.adapters.web.server import WebServer
from companion.core.errors import CompanionError, UnknownMatch
from companion.core.hands.choosing import BACK
from companion.core.panel import BUTTONS, KNOB_PUSH, Colour
from companion.core.record.lines import Reveal
from companion.core.ruling.offers import REVEAL
from companion.core.timing.events import MS
from companion.ports import UNTIMED, Sent
from companion.screens.web.views import Views
from tests.adapters.web.talk import Talk
from tests.whole.playing import Players
from tests.whole.tabled import Stuck, Tabled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import pytest

    from companion.core.play.commands import Command, Done
    from companion.core.ruling.game import AnyGame
    from companion.core.ruling.offers import Offer, Option
    from companion.ports import SeenCode

PIN = "271828"
FRESH_MS = 2000
"""A press is made only where the clocks were compared so recently."""
LABELS = [*(button.label for button in BUTTONS), KNOB_PUSH]


def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have clocks compared often: the test's own time passes much faster than the real one."""
    monkeypatch.setattr(live, "BURST_S", 0.004)
    monkeypatch.setattr(live, "SYNC_S", 0.02)


class Served(Tabled):
    """A table whose box serves its pages. referee: an HTTP client with the PIN."""

    def __init__(self, game: AnyGame, seed: int, way: str, timing: str = "race") -> None:
        self._timing = timing
        self.source = PanelSource(self.now_ns, LABELS)
        super().__init__(game, seed, way, lines=self.source.lines, more=1)  # each phone costs a while
        self.source.open()
        self._lock = threading.RLock()
        self._shown: tuple[object, ...] = ()
        self.server = WebServer(
            host="127.0.0.1", port=0, views=Views(self.box.find, (game.name,)), referee=self, archive=self,
            panel_source=self.source, simulated=False, version="0.0.test", pin=PIN, clock=self.now_ns,
        )  # fmt: skip
        self.phones: dict[Colour, Phone] = {}
        self._stack = ExitStack()

    def __enter__(self) -> Served:
        self.server.open()
        self.server.start()
        self._stack.callback(self.source.close)
        self._stack.callback(self.server.stop)
        url = self.server.urls()[0].rstrip("/")
        self.referee = self._stack.enter_context(httpx.Client(base_url=url, timeout=30, verify=False))
        self.post("session", pin=PIN)
        self.publish()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def now_ns(self) -> int:
        """Give the test's own time."""
        box = getattr(self, "box", None)
        return round(box.now_ms * MS) if box is not None else 0

    # -- what the server asks of the box -----------------------------------------------------------------------------

    def ask(
        self, command: Command, answer: Callable[[Done | CompanionError], None], sent: Sent = UNTIMED
    ) -> None:  # fmt: skip
        """Have a command carried out in its turn among the presses."""
        with self._lock:
            given = self.box.command(command, sent.error_ns)
            while not given:
                self.box.run(self.box.now_ms + 5)
            self.box.run(self.box.now_ms + 1)
            answer(given[0])

    def scan(self, seen: SeenCode, answer: Callable[[Done | CompanionError], None]) -> None:
        """No phone has a camera here."""
        raise AssertionError(f"nobody scans: {seen}")

    def matches(self) -> list[dict[str, Any]]:
        """Give the one match that there is."""
        return []

    def lines(self, match_id: int) -> list[bytes]:
        """Give its record. Raises UnknownMatch for another."""
        if match_id != 1 or not self.box.lines:
            raise UnknownMatch(f"there is no match {match_id}")
        return self.box.record()

    def evidence(self, sha256: str) -> bytes | None:
        """Nothing is kept here."""
        return None

    # -- time --------------------------------------------------------------------------------------------------------

    def wait(self, ms: float) -> None:
        """Let time pass, with what came from phones; then everybody is told."""
        with self._lock:
            for event in self.source.read():
                self.box._add(event)
            super().wait(ms)
        self.publish()

    def publish(self) -> None:
        """Tell every page how it stands, and have every phone read what has come to it."""
        snapshot = self.box.session.snapshot(self.now_ns())
        if (shown := (snapshot.scene, len(self.box.lines))) != self._shown:
            self._shown = shown
            self.server.publish(snapshot, 1 if snapshot.match is not None else None)
        for phone in self.phones.values():
            phone.drain()

    # -- the referee -------------------------------------------------------------------------------------------------

    def post(self, address: str, **body: Any) -> dict[str, Any]:
        """Do something as the referee's desk does; it must be taken."""
        answer = self.referee.post(f"/api/{address}", json=body)
        assert answer.status_code == 200, f"{address} {body}: {answer.text}{self.says()}"
        done: dict[str, Any] = answer.json()
        return done

    def begin(self) -> None:
        """Begin a match with the seats, and what the form answers where nobody touches it."""
        (form,) = (one for one in self.referee.get("/api/games").json() if one["name"] == self.game.name)
        answers = {one["key"]: self._answer(one) for one in form["parameters"] if one["kind"] != "file"}
        variants = [one["key"] for one in form["variants"] if self.random.random() < 0.5]
        seats = [{"colour": colour, "name": f"P. {colour}"} for colour in self.colours]
        body = {"game": self.game.name, "seats": seats, "window_ms": 2000, "timing": self._timing}
        answer = self.referee.post("/api/match", json={**body, "parameters": answers, "variants": variants})
        if answer.status_code != 200:  # those settings do not go together
            self.post("match", **body)
        self.wait(100)

    def _answer(self, asked: dict[str, Any]) -> Any:
        if asked["kind"] == "yes-no":
            return self.random.random() < 0.5
        if asked["kind"] == "choice":
            return self.random.choice(asked["choices"])["key"]
        return asked["default"] if self.random.random() < 0.5 else self.random.randint(asked["low"], asked["high"])

    def sit_down(self, colours: Sequence[Colour] | None = None) -> None:
        """Let phones in, one for each of these seats; None: all."""
        for colour in self.colours if colours is None else colours:
            self.phones[colour] = self._stack.enter_context(Phone(self, colour))

    def decide(self, offer: Offer) -> None:
        """Decide what is nobody's, at the desk: by choice, number, roll, draw, or field by field."""
        body: dict[str, Any] = {"kind": offer.kind, "seat": offer.seat}
        if offer.kind == REVEAL:
            self.post("reveal", card=card_of(self.random.choice(offer.options)))
        elif offer.number is not None:
            self.post("choose", **body, number=self.random.randint(offer.number.low, offer.number.high))
        elif offer.chance is not None:
            by_hand = self.random.random() < 0.4
            result = self.random.sample(offer.chance.outcomes, offer.chance.count)
            self.post("choose", **body, **({"result": result} if by_hand else {"roll": True}))
        elif offer.is_stepped:
            self.post("choose", **body, steps=list(self._steps(body)))
        else:
            self.post("choose", **body, option=self.random.choice(offer.options).key)
        self.done.add(offer.kind)

    def _steps(self, body: dict[str, Any]) -> Iterator[str]:
        chosen: list[str] = []
        while not (step := self.post("steps", **body, chosen=chosen))["done"]:
            chosen.append(self.random.choice(step["values"])["key"])
            yield chosen[-1]

    def set_by_hand(self) -> None:
        """Set something at the desk that the box cannot know."""
        one = self.random.choice(self.public()["state"]["adjustable"])
        value = self.random.randint(one["low"], min(one["high"], one["low"] + 50))
        self.post("by-hand", set=one["key"], value=value, reason="a test", by="Ann")


class Phone:
    """A player's page. me: all that it says; secret: what is for its eyes alone."""

    def __init__(self, table: Served, colour: Colour) -> None:
        self._table, self.colour = table, colour
        self._talk = Talk(table.server.port)
        self.me: dict[str, Any] = {}
        self.secret: dict[str, Any] = {"choices": []}
        self._panel: dict[str, Any] = {}
        self._compared_ms = float("-inf")
        self._number = 0
        self.taps = 0

    def __enter__(self) -> Phone:
        self._talk.say({"type": "panel", "asks": self.colour})
        self._talk.say({"type": "tried", "step_us": 5, "touch_us": 8000})
        while "code" not in self._panel:
            self._hear(self._talk.next())
        self._table.post(f"phones/{self._panel['code']}", seat=self.colour)
        while self.me.get("seat") != self.colour or not self._panel["ready"]:
            self._hear(self._talk.next())
        return self

    def __exit__(self, *_: object) -> None:
        self._talk.close()

    # -- what it is told ---------------------------------------------------------------------------------------------

    def read(self) -> None:
        """Read all that it was told by now."""
        self._talk.say({"type": "ping"})
        while (message := self._talk.next())["type"] != "pong":
            self._hear(message)

    def drain(self) -> None:
        """Read what has come, without waiting for more."""
        while self._talk.has_more():
            self._hear(self._talk.next())

    def _hear(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "sync":
                now_ns = self._table.now_ns()
                self._talk.say({"type": "sync", "id": message["id"], "t_us": now_ns // 1000})
                self._compared_ms = now_ns / MS
            case "me":
                self.me = message
            case "secret":
                self.secret = message
            case "panel":
                self._panel = message
            case "event":
                self._see(message)
            case "error":
                raise AssertionError(f"{self.colour}: {message['message']}{self._table.says()}")

    def _see(self, message: dict[str, Any]) -> None:
        """Look at a line that everybody is told: nothing of what another seat chose in secret."""
        content = message["content"]
        if content.get("hidden"):
            assert set(content) <= {"type", "colour", "hidden"}, content

    # -- what it can do ----------------------------------------------------------------------------------------------

    @property
    def is_asked(self) -> bool:
        """Tell whether the page asks its player for something."""
        return bool(self.me.get("mood") == "choose" or self.secret["choices"])

    def picks(self) -> list[dict[str, Any]]:
        """Give what can be tapped now: buttons that do something, and choices of a list."""
        buttons = [one for one in self.me.get("buttons", ()) if one["does"] and one["says"] != BACK]
        return [*self.me.get("options", ()), *([] if self.me.get("options") else buttons)]

    def tap(self, one: dict[str, Any]) -> None:
        """Tap one of `picks`."""
        self.taps += 1
        if "button" in one:
            self.press(one["button"])
        elif one["item"] is not None:
            self._talk.say({"type": "pick", "item": one["item"], "label": one["label"]})
        else:
            self._talk.say({"type": "choose", "kind": one["kind"], "option": one["key"]})
        self.read()
        self._table.wait(250)
        self.read()

    def press(self, button: str) -> None:
        """Press a button for a moment, once the clocks were compared."""
        while self._table.box.now_ms - self._compared_ms > FRESH_MS:
            self._hear(self._talk.next())
        t_us = self._table.now_ns() // 1000
        for kind, later_us in (("press", 0), ("release", 60_000)):
            self._number = max(self._number + 1, self._panel["next"])
            self._talk.say({"type": kind, "n": self._number, "button": button, "t_us": t_us + later_us, "by": "touch"})
            self.read()
            if kind == "press":
                self._table.wait(60)

    def enter(self, card: str) -> None:
        """Say which card was turned up."""
        self._talk.say({"type": "card", "card": card})
        self.read()
        self._table.wait(50)

    def accept(self) -> None:
        """Accept the result."""
        self._talk.say({"type": "sign"})
        self.read()
        self._table.wait(50)


class OnPhones(Players):
    """Plays at a table by its phones, and by the referee's desk for what is nobody's."""

    table: Served

    def look_up(self) -> None:
        """Read what every phone was told."""
        for phone in self.table.phones.values():
            phone.read()

    def answer(self, offer: Offer) -> None:
        """Have whoever may decide do so, on the phone that has the seat; what is nobody's, at the desk."""
        phone = self.table.phones.get(offer.seat) if offer.seat is not None else None
        if phone is None:
            self.table.decide(offer)
        elif offer.required:
            self._choose(offer, phone)
        elif picks := phone.picks():
            phone.tap(_wise(picks, self.random))

    def _choose(self, offer: Offer, phone: Phone) -> None:
        """Tap until the choice is complete that is asked for first, or this one."""
        before = len(self.table.box.lines)
        asked = [one for one in self.table.phones.values() if one.is_asked] or [phone]
        phone = phone if phone.is_asked else self.random.choice(asked)
        if not phone.picks():
            self.table.wait(1700)  # the order of the race is shown first
            phone.read()
        for _ in range(60):
            picks = phone.picks()
            if not picks:
                raise Stuck(f"{phone.colour} has nothing to tap: {phone.me} {phone.secret}{self.table.says()}")
            phone.tap(_wise(picks, self.random))
            if len(self.table.box.lines) > before or not phone.is_asked:
                self.table.done.add(offer.kind)
                return
        raise Stuck(f"{offer.kind} is never complete: {phone.me}{self.table.says()}")

    def race_on(self) -> None:
        """Press on a phone whose button plays, close the race at the desk, or let its time pass."""
        free = [p for p in self.table.phones.values() if p.me.get("mood") in ("open", "turn", "wait") and p.picks()]
        if free and self.random.random() < 0.7:
            phone = self.random.choice(free)
            phone.tap(self.random.choice(phone.picks()))
        elif self.table.match.stage.is_collecting and self.random.random() < 0.5:
            self.table.referee.post("/api/close", json={})  # its time may be up by then
        else:
            self.table.wait(3500)

    def name_card(self) -> None:
        """Say which card was turned, on a phone that may, else at the desk."""
        if (cards := self.table.cards()) and self.random.random() < 0.7:
            self.reveal(cards[0])
        else:
            self.table.post("no-card")

    def reveal(self, offer: Offer) -> None:
        """Enter a card on a phone that may, else at the desk."""
        card = card_of(self.random.choice(offer.options))
        may = [phone for phone in self.table.phones.values() if phone.me.get("enters")]
        if may:
            self.random.choice(may).enter(card)
        else:
            self.table.post("reveal", card=card)
        self.table.done.add(offer.kind)

    def set_by_hand(self) -> None:
        """Set something at the desk."""
        self.table.set_by_hand()

    def take_back(self) -> None:
        """Take back the newest line at the desk."""
        newest = self.table.match.history.newest_doing()
        if newest is not None:
            body = {"line": newest.number, "reason": "a test", "by": "Ann"}
            self.table.referee.post("/api/undo", json=body)  # the game may say what is to be done first

    def end(self) -> None:
        """End the game at the desk."""
        self.table.post("end")

    def accept(self) -> None:
        """Everybody accepts the result on their phone."""
        for phone in self.table.phones.values():
            phone.read()
            assert {one["says"] for one in phone.me["buttons"]} == {"accept the result"}, phone.me
            phone.accept()


def card_of(option: Option) -> str:
    """Give the card that an option reveals."""
    assert isinstance(option.line, Reveal)
    return option.line.card


def _wise(picks: Sequence[dict[str, Any]], random: Any) -> dict[str, Any]:
    """Take any of these; of a number that is counted, soon what enters it."""
    enters = [one for one in picks if str(one.get("says", "")).startswith("enter ")]
    return enters[0] if enters and random.random() < 0.6 else random.choice(picks)
