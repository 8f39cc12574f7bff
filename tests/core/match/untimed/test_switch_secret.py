"""Which card a seat picks by scanning in an untimed match, nobody else can tell before all are shown.

Two matches with the same presses at the same instants, in which red picks different cards since its own order differs.
All that anybody else is shown, told or given is the same in both until all cards are shown, at every instant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.app.reading.stream import Reader
from companion.app.signals.following import SignalFollower
from companion.core.match.effects import Cue, Sound
from companion.core.panel import Colour
from companion.core.play.commands import EnterCard
from companion.core.play.snapshot import running_of
from companion.core.shown.own_presses import Phone
from companion.core.shown.scene import Standing
from companion.core.signals.board import Lit, SignBoard
from companion.core.signals.signs import Outlet
from companion.core.switches.ways import SwitchScanning
from companion.core.timing.events import MS
from companion.core.words.language import ENGLISH
from companion.games import registry
from companion.screens.everybody.public import public_state
from companion.screens.lamps import with_signs
from companion.screens.oled import picture
from companion.screens.oled.large import picture as large_picture
from companion.screens.speech.facts import Wordiness
from companion.screens.speech.narrator import Narrator
from companion.screens.speech.private import Whisperer
from companion.screens.text.scene_lines import lines
from companion.screens.web.views import Views
from tests.core.play.test_switch_race import ROLES, boxed

if TYPE_CHECKING:
    from tests.core.play.test_commands import Desk

RED, YELLOW, GREEN, BLUE, _ = Colour
SIZES = ((128, 64), (256, 64))
PRESSES = (("yellow chief", 2200), ("red fourth", 2500), ("red first", 4700))
LAST = ("blue chief", 6000)
STEP_MS = 100


class Lamps:
    """The signals' thread, in the time of the match: what it is told goes to the same board."""

    def __init__(self) -> None:
        self.board, self.now_ns = SignBoard(), 0

    def show(self, signs: Any) -> None:
        self.board.show(signs, self.now_ns)

    def give(self, sign: Any, seats: Any) -> None:
        self.board.give(sign, seats, self.now_ns)

    def cue(self, seat: Colour, number: int) -> None:
        self.board.cue(seat, number, self.now_ns)

    def leave_out(self, unwanted: Any) -> None:
        self.board.left_out = unwanted


class World:
    """One of the two matches, and all who look on."""

    def __init__(self, order: tuple[int, ...]) -> None:
        self.box: Desk = boxed(SwitchScanning(order=order, dwell_ns=1_000 * MS, loops=2), timing="untimed",
                               dead_heat="clockwise")  # fmt: skip
        self.box.ask(EnterCard(card="buffalo"), 2000)
        self._views = Views(registry.find, registry.names())
        self._narrator, self._reader = Narrator(Wordiness.FULL), Reader(ENGLISH, Wordiness.FULL)
        self._whisperers = [Whisperer(seat) for seat in (YELLOW, BLUE)]
        self._lamps = Lamps()
        self._follower, self._done = SignalFollower(self._lamps), 0  # type: ignore[arg-type]

    def seen(self, at_ms: int) -> dict[str, Any]:
        """All that anybody but red can see, hear or feel now, by where."""
        box, views, now_ns = self.box, self._views, at_ms * MS
        box.run(at_ms)
        session, scene = box.session, box.scene
        snapshot = session.snapshot(now_ns)
        assert session.match is not None
        running = running_of(session.match)
        effects, self._done = box.effects[self._done :], len(box.effects)
        others = [Phone(seat) for seat in (None, YELLOW, BLUE)]
        return {
            "display": [picture.render(scene, size).tobytes() for size in SIZES],
            "display in large letters": [
                large_picture.draw(scene, size, page).image.tobytes() for size in SIZES for page in range(3)
            ],
            "terminal": lines(scene),
            "hall and desk": views.state(snapshot, 1),
            "desk's inputs": views.health((), now_ns, running, ()),
            "course": views.course(running),
            "record": views.record(running, 1),
            "phones": [views.player(snapshot, phone) for phone in others],
            "others' secrets": [views.secrets(snapshot, seat) for seat in (None, YELLOW, BLUE)],
            "voice": self._narrator.told(public_state(snapshot)),
            "earphones": [one.told(snapshot) for one in self._whisperers],
            "companion follow": [*self._reader.told(snapshot), *self._reader.standing(snapshot)],
            "lamps and motors": self._lit(effects, now_ns),
            "pods": with_signs(scene, self._lamps.board.on(now_ns), self._lamps.board.given(now_ns)),
            "sounds": [effect for effect in effects if isinstance(effect, Sound)],
        }

    def _lit(self, effects: list[Any], now_ns: int) -> frozenset[Lit]:
        self._lamps.now_ns = now_ns
        self._follower.follow(self.box.session, self.box.scene, now_ns, 1)
        for effect in effects:
            if isinstance(effect, Sound):
                self._follower.sound(effect)
            elif isinstance(effect, Cue):
                self._follower.cue(effect)
        return self._lamps.board.on(now_ns) - {Lit(RED, Outlet.MOTOR)}

    @property
    def cued(self) -> list[str]:
        return [effect.says for effect in self.box.effects if isinstance(effect, Cue) and effect.number]


@pytest.fixture
def worlds() -> tuple[World, World]:
    return World((0, 1, 2, 3)), World((3, 1, 0, 2))


def test_nothing_that_others_see_hear_or_feel_tells_which_card_is_picked_before_all_are_shown(worlds):
    one, other = worlds
    for world in worlds:
        for label, at_ms in PRESSES:
            world.box.press(label, at_ms)
    for at_ms in range(2100, 5900, STEP_MS):
        seen = one.seen(at_ms), other.seen(at_ms)
        for where in seen[0]:
            assert seen[0][where] == seen[1][where], (where, at_ms)
    assert isinstance(one.box.body, Standing)
    assert one.box.body.made == (RED, YELLOW)
    assert one.cued != other.cued, "to red itself other cards were offered"
    for world in worlds:
        world.box.press(*LAST)
    shown = one.seen(6500), other.seen(6500)
    told = {where for where in shown[0] if shown[0][where] != shown[1][where]}
    assert {"display", "terminal", "hall and desk", "companion follow", "course", "record", "voice"} <= told
    assert {ROLES[2], ROLES[0]} == {row.role for world in worlds for row in world.box.body.rows if row.colour is RED}
