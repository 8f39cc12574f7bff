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

import pytest

from companion.adapters.keys.box_key import PRIVATE, BoxKey
from companion.adapters.web import server
from companion.adapters.web.api import Desk
from companion.adapters.web.pages import Pages
from companion.adapters.web.sending import File, file_of
from companion.adapters.web.server import phones
from companion.adapters.web.wire.messages import Who
from companion.core.match.match_maker import Unfinished
from companion.core.play.session import Session
from companion.core.play.snapshot import Running, Snapshot
from companion.core.record.seals import Sealer
from companion.core.ruling.chance import commitment
from companion.core.ruling.history import History
from companion.core.shown.scene import Invitation, Scene
from companion.core.timing.events import MS
from companion.games import registry
from companion.screens.everybody import public
from companion.screens.everybody.public import PublicScene, public_scene, public_state
from companion.screens.web import views
from companion.testing import driving
from companion.testing.driving import Driver
from companion.testing.virtual_box import VirtualBox
from tests.adapters.web.access.inside import Heard, Inside, inside
from tests.adapters.web.salon import SALON
from tests.contract.everything import EVERYTHING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from companion.adapters.web.phones.panel_source import Panels
    from companion.core.record.lines import Line
    from companion.core.ruling.game import AnyGame
    from companion.core.words.language import Language

pytestmark = pytest.mark.slow  # walks through whole matches

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
    "invitation", "lobby", "question", "idle", "race withheld", "race provisional", "race provisional, veiled",
    "race closed",
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
        await web.page("stranger", "oled=1")
        (await web.page("blue")).say({"type": "panel", "asks": "blue"})
        web.box.session.invite(URL, self.pin)
        assert isinstance(web.box.body, Invitation)
        assert (await self._look(web, "invitation"))["lines"][0] == f"look on: {URL}"
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
        assert (await self._look(web, "race withheld"))["race"] is None, "a phone plays yellow"
        await web.unseated()
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
        assert (await self._look(web, "invitation, asked for"))["lines"][0] == f"look on: {URL}"

    async def _offer(self, lines: tuple[Line, ...], phase: str) -> None:
        cut_off = Unfinished(1, lines, same_clock=True)
        box = VirtualBox((), "apache", find=registry.find, games=registry.names(), unfinished=cut_off)
        box.lines = list(lines)
        async with inside(box, registry.names(), pin=self.new_pin, folder=self.folder) as web:
            await web.page("stranger", "oled=1")
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
    assert {secret.name for secret in told.held} == {
        "the PIN",
        "a session's token",
        "a panel's secret",
        "the box's key",
    }
    assert leaks(told.heard, told.held) == set()


def test_two_evenings_that_differ_in_their_secrets_alone_say_the_same_bytes_and_show_the_same_pictures(
    tmp_path: Path, drawn: Drawn
) -> None:
    one = evening(tmp_path / "one")
    drawn.begin("other")
    other = evening(tmp_path / "other", pin="111222333444", new_pin="555666777888", key="5e" * 32)
    assert differing(one, other) == set()


def test_what_is_played_while_somebody_may_look_first_is_in_no_byte_until_then(tmp_path: Path, drawn: Drawn) -> None:
    one = evening(tmp_path / "one")
    drawn.begin("one")
    other = evening(tmp_path / "other", red="chief")
    phases = {phase for phase, _ in differing(one, other)}
    assert {"race being saved", "choosing", "results", "offer"} <= phases
    assert phases & {"race provisional, veiled", "offer, veiled", "race closed", "idle"} == set()


def differing(one: Told, other: Told) -> set[tuple[str, str]]:
    """Give phase and place of what two evenings said otherwise."""
    said, otherwise = _by_place(one), _by_place(other)
    return {place for place in said.keys() | otherwise.keys() if said.get(place) != otherwise.get(place)}


def _by_place(told: Told) -> dict[tuple[str, str], list[bytes]]:
    found: dict[tuple[str, str], list[bytes]] = {}
    for heard in told_of(told):
        if not heard.content.startswith(b'{"type":"panel"'):  # it comes by the time of day
            found.setdefault((heard.phase, heard.where), []).append(heard.content)
    return found


def told_of(told: Told) -> list[Heard]:
    """Give what was heard, with each socket's own secret, and what a seal is signed by, called by their names."""
    own = [(secret.says, b"<own>") for secret in told.held if secret.may_hear]
    return [heard._replace(content=_replaced(heard.content, own)) for heard in told.heard]


def _replaced(content: bytes, known: list[tuple[bytes, bytes]]) -> bytes:
    for says, name in known:
        content = content.replace(says, name)
    return SEAL.sub(b"<seal>", content)


# -- every game --------------------------------------------------------------------------------------------------------

GAMES = (*(registry.find(name) for name in registry.names()), EVERYTHING, SALON)
BUSIEST = 60
"""Things that are done in a walk."""


class Walk(Driver):
    """Anything done at a box, and after each fifth thing all asked that anybody may ask for."""

    def __init__(self, game: AnyGame, seed: int) -> None:
        super().__init__(game, seed)
        self.found: set[Leak] = set()
        self.private = 0

    async def walk(self, folder: Path) -> None:
        key_in(folder, KEY)
        async with inside(self.box, (self.game.name,), pin=PIN, folder=folder) as web:
            await web.page("stranger", "oled=1")
            for seat in self.seats[:2]:
                await web.seated(str(seat), str(seat))
            for done in range(BUSIEST):
                if self.box.session.match is None or self.match.is_over:
                    break
                self.random.choice(self._actions())()
                self.box.run(self.box.now_ms + self.random.choice((1, 30, 200, 700, 1700)))
                if done % 5 == 0:
                    await self._hold_against(web, folder)

    async def _hold_against(self, web: Inside, folder: Path) -> None:
        held = [*held_by(web, (PIN,), folder), *self._of_game()]
        await web.look()
        self.found |= leaks(web.heard, held)
        web.heard.clear()

    def _of_game(self) -> list[Secret]:
        """Give what a match keeps from some: private options, the lines chosen of them, the seed."""
        match = self.match
        options = [
            Secret("a private option", f'"{option.key}"'.encode(), (str(offer.seat),))
            for offer in match.offers()
            if offer.is_private
            for option in offer.options
        ]
        lines = [
            Secret("a hidden line", self.game.describe(told.line, seat).encode(), (str(seat),))
            for told in match.history
            for seat in self.seats
            if self.game.describe(told.line, seat) != self.game.describe(told.line)
        ]
        seed = [Secret("the seed", match.seed.encode())] if match.seed and not match.has_shown_seed() else []
        self.private += len(options) + len(lines)
        return [*options, *lines, *seed]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.name))
def test_no_byte_of_a_match_has_a_secret_in_it_whatever_is_done_at_the_box(
    game: AnyGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driving, "OneSeed", lambda: Seeds(game.name))
    walks = [Walk(game, seed) for seed in range(2)]
    for number, walk in enumerate(walks):
        asyncio.run(walk.walk(tmp_path / str(number)))
        assert walk.found == set()
    assert (sum(walk.private for walk in walks) > 0) is (game in (EVERYTHING, SALON))


# -- what is let out is found ------------------------------------------------------------------------------------------


def scene_with_pin(scene: Scene) -> PublicScene:
    """What pages would be shown if somebody put the PIN where everybody looks."""
    body = scene.body
    return dataclasses.replace(public_scene(scene), notice=body.pin if isinstance(body, Invitation) else scene.notice)


def phones_with_secrets(panels: Panels) -> list[dict[str, Any]]:
    return [{**told, "client": panel.secret} for told, panel in zip(phones(panels), panels.listed(), strict=True)]


def who_with_tokens(self: Desk, *, referee: bool) -> Who:
    return Who(referee=referee, simulated=False, version=" ".join(self.guard._sessions))


def page_with_key(_: Pages, address: str, _language: Language) -> File:
    return file_of(f"{address} {KEY.upper()}".encode(), "text/plain")


PLANTED: dict[str, tuple[Any, str, Any, set[str]]] = {
    "the PIN": (public, "public_scene", scene_with_pin, {"GET /api/state", "stranger"}),
    "a panel's secret": (server, "phones", phones_with_secrets, {"GET /api/state", "stranger"}),
    "a session's token": (Desk, "who", who_with_tokens, {"GET /api/session"}),
    "the box's key": (Pages, "find", page_with_key, {"GET /"}),
}
"""Secrets, each with how it is let out, and where it must be found."""


@pytest.mark.parametrize("name", PLANTED)
def test_a_secret_that_is_let_out_is_found_where_it_is_heard(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, attribute, planted, heard_at = PLANTED[name]
    monkeypatch.setattr(owner, attribute, planted)
    told = evening(tmp_path)
    found = leaks(told.heard, told.held)
    assert {leak.secret for leak in found} == {name}
    assert heard_at <= {leak.where for leak in found}


def test_a_pin_in_the_picture_alone_is_found_by_comparing(
    tmp_path: Path, drawn: Drawn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "public_scene", lambda scene: scene)
    one = evening(tmp_path / "one")
    drawn.begin("one")
    other = evening(tmp_path / "other", pin="111222333444")
    assert leaks(one.heard, one.held) == set()
    assert ("invitation", "GET /api/oled.png") in differing(one, other)
    assert ("invitation", "stranger") in differing(one, other)


def test_a_private_option_that_is_let_out_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public, "public_offer", lambda offer: dataclasses.replace(offer, is_private=False))
    walk = Walk(SALON, 0)
    asyncio.run(walk.walk(tmp_path))
    assert {leak.secret for leak in walk.found} == {"a private option"}
    assert {"GET /api/state", "stranger"} <= {leak.where for leak in walk.found}


def test_every_way_in_which_a_secret_could_be_written_is_looked_for() -> None:
    for written in (PIN, PIN.encode().hex(), base64.b64encode(PIN.encode()).decode(), PIN[::-1]):
        heard = [Heard("lobby", "GET /", f'{{"x":"{written}"}}'.encode())]
        assert leaks(heard, [Secret("the PIN", PIN.encode())]) == {Leak("the PIN", "lobby", "GET /")}
        assert leaks(heard, [Secret("the PIN", PIN.encode(), ("GET /",))]) == set()


# -- the type ----------------------------------------------------------------------------------------------------------

NEVER = (Invitation, History, Session, Snapshot, Running)
"""What has more in it than everybody may see."""


def parts_of(value: object) -> Iterator[object]:
    """Give a value and all it is made of."""
    yield value
    if isinstance(value, (tuple, list, set, frozenset)):
        inner: list[object] = list(value)
    elif isinstance(value, dict):
        inner = [*value, *value.values()]
    elif dataclasses.is_dataclass(value):
        inner = [getattr(value, one.name) for one in dataclasses.fields(value)]
    else:
        inner = [getattr(value, name) for name in getattr(value, "__struct_fields__", ())]
    for one in inner:
        yield from parts_of(one)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.name))
def test_from_what_a_page_is_made_of_nothing_leads_to_a_state_a_history_or_an_invitation(game: AnyGame) -> None:
    driver = Driver(game, 1)
    for _ in range(20):
        driver.random.choice(driver._actions())()
        driver.box.run(driver.box.now_ms + 300)
        snapshot = driver.box.session.snapshot(round(driver.box.now_ms * MS))
        assert snapshot.match is not None
        parts = list(parts_of(public_state(snapshot)))
        assert len(parts) > 50
        hidden = (*NEVER, type(snapshot.match.game), type(snapshot.match.state))
        assert [part for part in parts if isinstance(part, hidden)] == []


def test_a_snapshot_has_what_its_public_state_has_not() -> None:
    box = VirtualBox((), "apache", find=registry.find, games=registry.names(), start=False)
    box.session.invite(URL, PIN)
    snapshot = box.session.snapshot(0)
    assert [part for part in parts_of(snapshot) if isinstance(part, Invitation)] != []
    assert [part for part in parts_of(public_state(snapshot)) if isinstance(part, Invitation) or part == PIN] == []
