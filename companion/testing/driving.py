"""A whole box at which somebody does anything: buttons, knob, scanner, and the commands of pages and phones.

The box is the program's own (arbiter, session, menus, commands); only its clock is the test's. What is done
follows from a seed. Whatever the session raises goes through to the test.
"""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from companion.app.scanner import CardDesk
from companion.config.deck_file import Deck
from companion.core.errors import CompanionError
from companion.core.match.effects import Sound
from companion.core.panel import BUTTONS, KNOB_PUSH
from companion.core.play import commands
from companion.core.play.scanning import Scan, Unreadable
from companion.core.record.lines import PressLine, dump_line
from companion.core.ruling.chance import commitment
from companion.core.ruling.judge import judge_record
from companion.core.ruling.offers import Step
from companion.core.words.encoding import encode
from companion.screens.oled.picture import render
from companion.screens.text import scene_lines
from companion.screens.web.state import state_document
from companion.testing.possible import numbers
from companion.testing.virtual_box import VirtualBox, live_rulings
from companion.testing.walks import SEED, only, setup_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.match.match import Match
    from companion.core.panel import Button
    from companion.core.play.commands import Command
    from companion.core.ruling.game import AnyGame
    from companion.core.ruling.offers import Offer

MOVES = 70
SIZE = (128, 64)


class OneSeed:
    """The seed that a box of these tests draws from."""

    def new(self) -> str:
        """Give it."""
        return SEED

    def find(self, sha256: str) -> str:
        """Give it where it is the one that was committed to."""
        return SEED if sha256 == commitment(SEED) else ""


class IdlePress(NamedTuple):
    """A press that nobody wanted: of which button, how many lines it wrote, how many tones it made."""

    button: str
    lines: int
    tones: int


class Driver:
    """Does things at a box. idle_presses: what came of presses that nobody can have wanted."""

    def __init__(self, game: AnyGame, seed: int) -> None:
        self.game = game
        self.random = Random(f"{game.name} driven {seed}")
        setup = msgspec.structs.replace(setup_of(game, self.random), seed_sha256=None)  # the box commits to its own
        self.seats = [seat.colour for seat in setup.seats]
        self.box = VirtualBox(self.seats, game.name, find=only(game), games=(game.name,), start=False, seeds=OneSeed())
        self.box.session.start(setup)
        for colour in self.box.session.asks_consent_of:
            self.box.session.consent(colour, "the suite")
        self.box.run(self.box.now_ms + 50)
        self.codes = {f"CODE-{n}": card for n, card in enumerate(self._cards(), start=1)}
        self.desk = CardDesk(Deck(game.name, dict(self.codes)))
        self.idle_presses: list[IdlePress] = []

    @property
    def match(self) -> Match:
        """The match that was begun; it is not left."""
        match = self.box.session.match
        assert match is not None
        return match

    def _cards(self) -> list[str]:
        return [card.name for card in self.game.deck for _ in range(card.copies)]

    def play(self, moves: int = MOVES) -> None:
        """Do so many things, some at once and some after a while, and look at what is shown."""
        for move in range(moves):
            if self.match.is_over:
                break
            self.random.choice(self._actions())()
            self.box.run(self.box.now_ms + self.random.choice((1, 30, 200, 700, 1700, 4000)))
            if move % 10 == 0:
                self.look()
        self.box.run(self.box.now_ms + 15_000)
        self.look()

    def look(self) -> None:
        """Draw what there is to show, as display, text and page do."""
        scene = self.box.scene
        render(scene, SIZE)
        list(scene_lines.lines(scene))
        encode(state_document(self.box.session.snapshot(round(self.box.now_ms * 10**6)), 1))

    def verify_record(self) -> None:
        """Judge the record again: every line is taken, and all rulings are the same."""
        again = [encode(ruling) for ruling in judge_record(self.record(), only(self.game))]
        assert again == [encode(ruling) for ruling in live_rulings(self.box)]

    def record(self) -> list[bytes]:
        """Give the match's record."""
        return [dump_line(told.line) for told in self.match.history]

    def presses_without_race(self) -> list[PressLine]:
        """Give presses that are in the record where no race was on; there may be none."""
        presses = [told for told in self.match.history if isinstance(told.line, PressLine)]
        return [
            told.line for told in presses if isinstance(told.line, PressLine) and self.game.race(told.before) is None
        ]

    # -- what can be done --------------------------------------------------------------------------------------------

    def _actions(self) -> list[Callable[[], object]]:
        usual: list[Callable[[], object]] = [
            self._press, self._press, self._press_of_seat, self._press_of_seat, self._press_idly, self._turn,
            self._click, self._click, self._command, self._command, self._choose, self._choose, self._choose,
        ]  # fmt: skip
        rare: list[Callable[[], object]] = [self._hold, self._chord, self._scan, self._set_by_hand, self._spectate]
        return usual * 3 + rare * 2

    def _press(self) -> None:
        self.box.press(self.random.choice(BUTTONS).label, self.box.now_ms + 1)
        self.box.run(self.box.now_ms + 130)

    def _press_of_seat(self) -> None:
        self.box.press(self._button_of_seat().label, self.box.now_ms + 1)
        self.box.run(self.box.now_ms + 130)

    def _button_of_seat(self) -> Button:
        return self.random.choice([button for button in BUTTONS if button.colour in self.seats])

    def _press_idly(self) -> None:
        """Press where no race is on and that seat has nothing to decide, nor anybody something to name by buttons."""
        self.box.run(self.box.now_ms + 300)
        button = self.random.choice(BUTTONS)
        if self.match.race is not None or self.match.is_over or self._is_wanted(button):
            return
        before, began = self._presses_written(), len(self.box.effects)
        self.box.press(button.label, self.box.now_ms + 1)
        self.box.run(self.box.now_ms + 200)
        tones = sum(isinstance(effect, Sound) for effect in self.box.effects[began:])
        self.idle_presses.append(IdlePress(button.label, self._presses_written() - before, tones))

    def _is_wanted(self, button: Button) -> bool:
        named = [item.button for item in getattr(getattr(self.box.body, "menu", None), "items", ()) if item.button]
        return bool(named) or any(offer.seat is button.colour for offer in self.match.offers())

    def _presses_written(self) -> int:
        return sum(isinstance(told.line, PressLine) for told in self.match.history)

    def _turn(self) -> None:
        self.box.turn(self.random.choice((-2, -1, 1, 1, 2, 5)), self.box.now_ms + 1)

    def _click(self) -> None:
        self.box.click(self.box.now_ms + 1)
        self.box.run(self.box.now_ms + 150)

    def _hold(self) -> None:
        self.box.press(KNOB_PUSH, self.box.now_ms + 1, 1200)
        self.box.run(self.box.now_ms + 1400)

    def _chord(self) -> None:
        self.box.press(KNOB_PUSH, self.box.now_ms + 1, 300)
        self.box.press(self._button_of_seat().label, self.box.now_ms + 100)
        self.box.run(self.box.now_ms + 450)

    def _scan(self) -> None:
        code = self.random.choice([*self.codes, "NO-SUCH-CODE"])
        scan = Scan(code) if self.random.random() < 0.9 else Unreadable("bytes that are no code")
        self.box.request(lambda session, t_ns: self.desk.enter(session, scan, t_ns))

    def _spectate(self) -> None:
        self.look()

    def _command(self) -> None:
        """Have one of the referee's commands carried out, fitting or not."""
        match = self.match
        newest = match.judge.newest()
        card = self.random.choice([*self._cards(), "no such card"])
        anything: list[Command] = [
            commands.EnterCard(card=card), commands.EnterCard(card=card), commands.NoCard(), commands.CloseRace(),
            commands.WasPlay(), commands.AddRemark(text="a test"), commands.Choose(option="no such key"),
            commands.Choose(roll=True), commands.Choose(number=1), commands.EnterCard(card=card, seen=1),
            commands.TakeBack(reason="a test", by="desk", line=newest[0] if newest else 2), self._replacement(),
        ]  # fmt: skip
        rare: list[Command] = [commands.EndMatch()] if self.random.random() < 0.2 else []
        self.box.command(self.random.choice(anything + rare))

    def _replacement(self) -> Command:
        standing = self.match.judge.standing()
        number = self.random.choice(standing)[0] if standing else 2
        change = commands.Change(line=number, lines=())
        return commands.ReplaceCall(changes=(change,), reason="a test", by="desk", seen=self.match.lines_written)

    def _set_by_hand(self) -> None:
        for one in self.game.adjustable(self.match.judge.state):
            value = self.random.choice((one.low, one.high, one.high + 1))
            self.box.command(commands.SetByHand(set=one.key, value=value, reason="a test", by="desk"))

    def _choose(self) -> None:
        """Choose of what is on offer, as a page or a phone does."""
        offers = self.match.offers()
        if offers:
            offer = self.random.choice(offers)
            chosen = commands.Choose(kind=offer.kind, seat=offer.seat)
            self.box.command(msgspec.structs.replace(chosen, **self._answer(offer)))

    def _answer(self, offer: Offer) -> dict[str, Any]:
        if offer.number is not None:
            return {"number": self.random.choice(numbers(offer, self.random))}
        if offer.chance is not None:
            by_box = {"roll": True}
            return by_box if self.random.random() < 0.6 else {"result": offer.chance.outcomes[: offer.chance.count]}
        if offer.is_stepped:
            return {"steps": self._steps(offer)}
        return {"option": self.random.choice(offer.options).key}

    def _steps(self, offer: Offer) -> tuple[str, ...]:
        chosen: tuple[str, ...] = ()
        with suppress(CompanionError):  # a guarded game that fails: the box is asked all the same
            while isinstance(step := self.game.step(self.match.judge.state, offer, chosen), Step):
                chosen = (*chosen, self.random.choice(step.values).key)
        return chosen[:-1] if self.random.random() < 0.1 else chosen
