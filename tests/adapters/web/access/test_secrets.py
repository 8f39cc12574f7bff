"""No byte that anybody without a session is told has a secret in it, in whatever phase of whatever game.

Two ways of looking: every secret, in each way it could be written, is searched for in every byte; and two boxes that
differ in nothing but their secrets are asked the same, and must say the same, pictures included.
"""

from __future__ import annotations

import asyncio
import base64
import dataclasses
import hashlib
import itertools
import re
import secrets
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pytest

from companion.adapters.keys.box_key import PRIVATE, BoxKey
from companion.adapters.web.server import phones
from companion.core.match.match_maker import Unfinished
from companion.core.panel import Colour
from companion.core.play.session import Session
from companion.core.record.lines import PressLine
from companion.core.record.seals import Sealer
from companion.core.ruling.chance import commitment
from companion.core.ruling.game import Game
from companion.core.ruling.history import History
from companion.core.shown.scene import Invitation
from companion.games import registry
from companion.screens.web import public, views
from companion.screens.web.public import public_state
from companion.testing.driving import Driver
from companion.testing.virtual_box import VirtualBox
from companion.testing.walks import only
from tests.adapters.web.access.inside import Heard, Inside, inside
from tests.adapters.web.salon import SALON
from tests.contract.everything import EVERYTHING

if TYPE_CHECKING:
    from pathlib import Path

    from companion.core.record.lines import Line

PIN, NEW_PIN = "918273645546", "736455182904"
URL = "http://10.0.0.5:8017/"
KEY = "0d" * 31 + "a7"
SEAL = re.compile(rb'"(key|signature|hash|sha256)":"[^"]*"')


class Secret(NamedTuple):
    """Something that only some may hear. says: it as it is. may_hear: the sockets that it is for."""

    name: str
    says: bytes
    may_hear: tuple[str, ...] = ()

    def written(self) -> set[bytes]:
        """Give the ways in which it could be written."""
        code = base64.b64encode(self.says).rstrip(b"=")
        escaped = "".join(f"\\u{byte:04x}" for byte in self.says).encode()
        return {self.says, self.says.hex().encode(), self.says.hex().upper().encode(), code, escaped, self.says[::-1]}


class Leak(NamedTuple):
    secret: str
    phase: str
    where: str


def leaks(heard: list[Heard], held: list[Secret]) -> set[Leak]:
    """Give what was heard by somebody that it is not for."""
    written = [(secret, needle) for secret in held for needle in secret.written()]
    return {
        Leak(secret.name, one.phase, one.where)
        for one in heard
        for secret, needle in written
        if one.where not in secret.may_hear and needle in one.content
    }


class Drawn:
    """In the place of `secrets`: what is drawn follows from how much was drawn before, and tokens from a salt too."""

    def __init__(self) -> None:
        self.begin("one")

    def begin(self, salt: str) -> None:
        self._salt, self._count = salt, itertools.count()

    def token(self, *_: int) -> str:
        raw = hashlib.sha256(f"{self._salt} {next(self._count)}".encode()).digest()
        return base64.urlsafe_b64encode(raw).decode().rstrip("=")

    def choice(self, letters: str) -> str:
        return letters[next(self._count) * 7 % len(letters)]


@pytest.fixture(autouse=True)
def drawn(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    drawn = Drawn()
    monkeypatch.setattr(secrets, "token_urlsafe", drawn.token)
    monkeypatch.setattr(secrets, "token_hex", lambda count: "b0" * count)
    monkeypatch.setattr(secrets, "choice", drawn.choice)
    return drawn


class Seeds:
    """The seed that a box has committed to."""

    def __init__(self, salt: str) -> None:
        self.seed = hashlib.sha256(f"seed {salt}".encode()).hexdigest()

    def new(self) -> str:
        return self.seed

    def find(self, sha256: str) -> str:
        return self.seed if sha256 == commitment(self.seed) else ""


def held_by(web: Inside, pins: tuple[str, ...], folder: Path) -> list[Secret]:
    """Give what the box and its web keep secret now."""
    tokens = [Secret("a session's token", token.encode()) for token in web.desk.guard._sessions]
    panels = [
        Secret("a panel's secret", panel.secret.encode(), tuple(page.name for page in web.pages if page.name == owner))
        for panel in web.desk.panels._panels.values()
        for owner in [str(panel.seat or panel.asks)]
    ]
    key = (folder / PRIVATE).read_text().strip()
    keys = [Secret("the box's key", raw) for raw in (key.encode(), bytes.fromhex(key))]
    return [*(Secret("the PIN", pin.encode()) for pin in pins), *tokens, *panels, *keys]


# -- a whole evening of apache -----------------------------------------------------------------------------------------


class Told(NamedTuple):
    """What an evening told. held: its secrets. phases: those it came through."""

    heard: list[Heard]
    held: list[Secret]
    phases: set[str]


PHASES = {
    "invitation", "lobby", "question", "idle", "race provisional", "race provisional, veiled", "race closed",
    "race being saved", "choosing", "results", "final", "final, being saved", "lobby, after the match",
    "another PIN", "invitation, asked for", "offer", "offer, veiled",
}  # fmt: skip


def key_in(folder: Path, key: str) -> BoxKey:
    """Put a private key into the state directory, as the first start does."""
    folder.mkdir(exist_ok=True)
    (folder / PRIVATE).write_text(f"{key}\n")
    (folder / PRIVATE).chmod(0o600)
    return BoxKey(folder)


class Evening:
    """Switch on, invite, play a match with an allowance, change the PIN, end it, invite again, be cut off, offer.

    red: which of its cards red plays in the first race while yellow may look first.
    """

    def __init__(self, folder: Path, *, pin: str = PIN, new_pin: str = NEW_PIN, key: str = KEY, red: str = "hunter"):
        self.folder, self.pin, self.new_pin, self.red = folder, pin, new_pin, red
        self.signer = key_in(folder, key).signer()
        self.told = Told([], [], set())

    async def play(self) -> Told:
        box = VirtualBox((), "apache", find=registry.find, games=registry.names(), start=False)
        async with inside(box, registry.names(), pin=self.pin, folder=self.folder) as web:
            await self._arrive(web)
            await self._sit_down(web)
            await self._late_card(web)
            cut_off = await self._race(web)
            self._seal(web)
            await self._end(web)
            self._keep(web)
        await self._offer(cut_off, "offer, veiled")
        await self._offer(tuple(box.lines), "offer")
        return self.told

    async def _look(self, web: Inside, phase: str) -> dict[str, Any]:
        self.told.phases.add(phase)
        return await web.look(phase)

    def _keep(self, web: Inside) -> None:
        self.told.heard.extend(web.heard)
        self.told.held.extend(held_by(web, (self.pin, self.new_pin), self.folder))

    async def _arrive(self, web: Inside) -> None:
        await web.look_at_files()
        await web.page("stranger", "?oled=1")
        (await web.page("blue")).say({"type": "panel", "asks": "blue"})
        web.box.session.invite(URL, self.pin)
        assert isinstance(web.box.body, Invitation)
        assert (await self._look(web, "invitation"))["lines"] == [f"look on: {URL}"]
        web.box.turn(1, web.box.now_ms + 1)
        web.run(100)
        assert (await self._look(web, "lobby"))["phase"] == "lobby"
        await web.seated("yellow", "yellow")

    async def _sit_down(self, web: Inside) -> None:
        seats = [{"colour": "red"}, {"colour": "blue"}, {"colour": "yellow", "allowance_ms": 900}]
        await web.referee("POST", "/api/match", {"seats": seats})
        assert (await self._look(web, "question"))["phase"] == "question"
        for seat in ("red", "blue", "yellow"):
            await web.referee("POST", "/api/consent", {"seat": seat, "by": "Ann"})
        assert (await self._look(web, "idle"))["phase"] == "idle"

    async def _race(self, web: Inside) -> tuple[Line, ...]:
        """Race and choose; gives the record as it was while the presses were hidden."""
        for card in ("red hunter", "buffalo", "teepee"):
            await web.referee("POST", "/api/reveal", {"card": card})
        press(web, f"red {self.red}")
        press(web, "blue warrior")
        assert (await self._look(web, "race provisional, veiled"))["race"]["hidden_for"] == ["yellow"]
        cut_off = tuple(web.box.lines)
        web.box.store = False
        press(web, "yellow hunter")
        assert (await self._look(web, "race being saved"))["race"]["status"] == "saving"
        web.box.store = True
        web.run(2000)
        if (await self._look(web, "choosing"))["phase"] == "choosing":
            (offer,) = web.box.session.match.offers()  # type: ignore[union-attr]
            chosen = {"kind": offer.kind, "seat": "red", "option": offer.options[0].key}
            await web.referee("POST", "/api/choose", chosen)
        web.run(100)
        assert (await self._look(web, "results"))["phase"] == "results"
        return cut_off

    def _seal(self, web: Inside) -> None:
        web.box.session.seal(Sealer(web.box.record()).seal(self.signer.key, self.signer.sign))
        web.run(100)

    async def _late_card(self, web: Inside) -> None:
        """Race before the card is entered."""
        await web.referee("PUT", "/api/pin", {"pin": self.new_pin})
        await self._look(web, "another PIN")
        press(web, "yellow chief")
        press(web, "blue maiden")
        assert (await self._look(web, "race provisional"))["race"]["rows"] != []
        web.run(5000)
        assert (await self._look(web, "race closed"))["race"]["status"] == "closed"
        await web.referee("POST", "/api/reveal", {"card": "blue maiden"})
        web.run(2000)

    async def _end(self, web: Inside) -> None:
        web.box.store = False
        await web.referee("POST", "/api/end", {})
        await self._look(web, "final, being saved")
        web.box.store = True
        web.run(2000)
        assert (await self._look(web, "final"))["phase"] == "final"
        web.is_ended = True
        await web.referee("POST", "/api/leave", {})
        assert (await self._look(web, "lobby, after the match"))["lines"][0] != f"look on: {URL}"
        web.box.pick("how to join", web.box.now_ms + 1)
        assert web.box.body == Invitation(URL, self.new_pin)
        assert (await self._look(web, "invitation, asked for"))["lines"] == [f"look on: {URL}"]

    async def _offer(self, lines: tuple[Line, ...], phase: str) -> None:
        cut_off = Unfinished(1, lines, same_clock=True)
        box = VirtualBox((), "apache", find=registry.find, games=registry.names(), unfinished=cut_off)
        box.lines = list(lines)
        async with inside(box, registry.names(), pin=self.new_pin, folder=self.folder) as web:
            await web.page("stranger", "?oled=1")
            assert (await self._look(web, phase))["phase"] == "offer"
            self._keep(web)


def press(web: Inside, label: str) -> None:
    web.box.press(label, web.box.now_ms + 10)
    web.run(200)


def evening(folder: Path, **options: str) -> Told:
    return asyncio.run(Evening(folder, **options).play())


def test_no_byte_of_an_evening_has_a_secret_in_it_for_anybody_it_is_not_for(tmp_path: Path) -> None:
    told = evening(tmp_path)
    assert told.phases == PHASES
    assert {secret.name for secret in told.held} == {"the PIN", "a session's token", "a panel's secret", "the box's key"}
    assert leaks(told.heard, told.held) == set()


def test_two_evenings_that_differ_in_their_secrets_alone_say_the_same_bytes_and_show_the_same_pictures(
    tmp_path: Path, drawn: Drawn
) -> None:
    one = evening(tmp_path / "one")
    drawn.begin("other")
    other = evening(tmp_path / "other", pin="111222333444", new_pin="555666777888", key="5e" * 32)
    differing = [(one.phase, one.where) for one, other in zip(told_of(one), told_of(other), strict=True) if one != other]
    assert differing == []


def test_what_is_played_while_somebody_may_look_first_is_in_no_byte_until_then(tmp_path: Path, drawn: Drawn) -> None:
    one = evening(tmp_path / "one")
    drawn.begin("one")
    other = evening(tmp_path / "other", red="chief")
    for hidden in ("race provisional, veiled", "offer, veiled"):
        one_told, other_told = ([h for h in told_of(told) if h.phase == hidden] for told in (one, other))
        assert [(a.phase, a.where) for a, b in zip(one_told, other_told, strict=True) if a != b] == []
    assert [h for h in told_of(one) if h.phase == "race being saved"] != [
        h for h in told_of(other) if h.phase == "race being saved"
    ]


def told_of(told: Told) -> list[Heard]:
    """Give what was heard, with each socket's own secret, and what a seal is signed by, called by their names."""
    own = [(secret.says, b"<own>") for secret in told.held if secret.may_hear]
    return [heard._replace(content=_replaced(heard.content, own)) for heard in told.heard]


def _replaced(content: bytes, known: list[tuple[bytes, bytes]]) -> bytes:
    for says, name in known:
        content = content.replace(says, name)
    return SEAL.sub(b"<seal>", content)
