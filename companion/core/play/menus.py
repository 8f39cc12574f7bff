"""What people do at the box during a match: the knob's menus, cards by button, choices, taking back. Gives the scene.

The knob turns through a menu and pushes to pick; what it picks is one of the match's actions. A press is taken as an
answer (a choice, a card) only if it came after the question was on the display. Knows no device and no game by name.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.core.errors import CompanionError
from companion.core.panel import BUTTON_BY_LABEL, Button, role_of
from companion.core.play.effects import Log, Sound, Tone
from companion.core.play.knob import Chord, Click, Gesture, Hold, Play, Turn
from companion.core.play.snapshot import late, provisional
from companion.core.record.lines import Claim, Close, End, JudgeLine, PressLine, Reveal
from companion.core.shown.race_rows import newest_race
from companion.core.shown.scene import (
    Body,
    Choosing,
    Final,
    Idle,
    Menu,
    MenuItem,
    Question,
    Results,
    Row,
    Standing,
    Status,
)
from companion.core.timing.events import SECOND, Press

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.play.match import Match
    from companion.core.record.lines import Line
    from companion.core.ruling.game import Decision, Option

MENU_NS = 10 * SECOND
"""An open menu closes by itself so long after the knob was last used."""
NOTICE_NS = 4 * SECOND
"""A notice stands so long."""
ORDER_NS = 3 * SECOND // 2
"""The final order is shown so long before the first choice is asked for."""
PAGE_NS = 3 * SECOND
"""Each page of the results stands so long."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A menu item, what picking it does, and the lines whose buttons pick it too."""

    item: MenuItem
    pick: Callable[[int], None]
    buttons: frozenset[str] = frozenset()


class Desk:
    """The course of one match as people see and steer it."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._now_ns = 0
        self._cursor = 0
        self._menu_until_ns: int | None = None  # the play menu is open until then
        self._asking: str = ""  # the question on the display: "undo", "end" or none
        self._group: str | None = None  # the group of options chosen so far
        self._shown_since_ns: int | None = None  # when the present question or choice came onto the display
        self._shown: tuple[str, object] = ("", None)
        self._notice = ""
        self._notice_until_ns = 0
        self._results_since_ns = 0
        self._held = False

    # -- input -------------------------------------------------------------------------------------------------------

    def feed(self, gesture: Gesture) -> None:
        """Take what was done with the knob or a button. Whatever is refused says so by a tone and a notice."""
        if isinstance(gesture, Play):
            self._play(gesture.press)
        elif isinstance(gesture, Chord):
            self._chord(gesture.press)
        elif isinstance(gesture, Turn):
            self._turn(gesture.steps, gesture.t_ns)
        elif isinstance(gesture, Click):
            self._click(gesture.t_ns)
        elif isinstance(gesture, Hold):
            self._ask("undo", gesture.t_ns)

    def advance(self, now_ns: int, settled_ns: int, *, held: bool) -> None:
        """Let time pass: `now_ns` for what is shown, `settled_ns` for what is decided. `held`: the knob is pushed."""
        self._now_ns = max(self._now_ns, now_ns)
        self._held = held
        self.match.advance(settled_ns)
        if self._menu_until_ns is not None and now_ns >= self._menu_until_ns:
            self._close_menu()
        if self._notice and now_ns >= self._notice_until_ns:
            self._notice = ""
        self._note_what_is_shown()

    def next_deadline(self) -> int | None:
        """Give the instant at which what is shown changes by itself, None where it does not."""
        instants = [self._menu_until_ns, self._notice_until_ns if self._notice else None]
        body = self.body()
        if isinstance(body, Results) and body.turns:
            page = (self._now_ns - self._results_since_ns) // PAGE_NS + 1
            instants.append(self._results_since_ns + page * PAGE_NS)
        if isinstance(body, Standing) and self.match.must_decide() is not None:
            instants.append(self._results_since_ns + ORDER_NS)
        return min((instant for instant in instants if instant is not None and instant > self._now_ns), default=None)

    def notify(self, text: str) -> None:
        """Show a short message for a while."""
        self._notice, self._notice_until_ns = text, self._now_ns + NOTICE_NS

    def put_away(self, says: str) -> None:
        """Close what is open: the match was changed elsewhere. `says`: what was done, shown for a while."""
        self._close_menu()
        self._group, self._cursor = None, 0
        self.notify(says)

    @property
    def notice(self) -> str:
        """The message that is shown now, empty where there is none."""
        return self._notice

    # -- what was done -----------------------------------------------------------------------------------------------

    def _play(self, press: Press) -> None:
        button = BUTTON_BY_LABEL[press.line]
        answers = self._shown_since_ns is not None and press.t_ns >= self._shown_since_ns
        if answers and isinstance(self.body(), Choosing) and self._choose_by(press):
            return
        if answers and self._asks_card() and self._shown_since_ns is not None:
            option = next((o for o in self.match.cards() if o.button == button), None)
            if press.t_ns >= self._shown_since_ns + self.match.settings.late_ns and self.match.cards():
                self._enter(option, press, self._named(button), None)
                return
        self._close_menu()
        before = len(late(self.match))
        self.match.play(press)
        if len(late(self.match)) > before:
            self.notify(f"too late: {button.colour.short} {self._role(button)}")

    def _choose_by(self, press: Press) -> bool:
        """Take a press as a choice, if it is one of those on the display."""
        decision, button = self.match.must_decide(), BUTTON_BY_LABEL[press.line]
        role = self._role(button)
        for entry in self._entries():
            by_role = entry.item.role == role and decision is not None and decision.seat is button.colour
            if by_role or press.line in entry.buttons:
                entry.pick(press.t_ns)
                return True
        if decision is not None and decision.seat is button.colour:
            self._refuse(f"{role} picks nothing here")
            return True
        return False

    def _chord(self, press: Press) -> None:
        """The knob was held and one button pressed: that Indian was revealed, or was it a play?"""
        self._close_menu()
        button = BUTTON_BY_LABEL[press.line]
        decision = self.match.must_decide()
        if decision is not None:
            self._play(press)
            return
        option = next((o for o in self.match.cards() if o.button == button), None)
        if not any(o.button is not None for o in self.match.cards()):
            self.match.play(press)  # a game whose cards have no buttons: it can only have been a play
            return
        self._enter(option, press, self._named(button), press)

    def _enter(self, option: Option | None, press: Press, label: str, chord: Press | None) -> None:
        if option is None:
            self._refuse(f"no {label} left to reveal")
            return
        try:
            self.match.reveal(option, press.t_ns, chord)
        except CompanionError as error:
            self._refuse(str(error))
            return
        self.notify(f"revealed: {label}")

    def _turn(self, steps: int, t_ns: int) -> None:
        entries = self._entries()
        if not entries:
            return
        is_open = self._menu_until_ns is not None or self._asks()
        start = self._cursor if is_open else (-1 if steps > 0 else 0)
        self._cursor = (start + steps) % len(entries)
        self._menu_until_ns = t_ns + MENU_NS

    def _click(self, t_ns: int) -> None:
        entries = self._entries()
        if self._menu_until_ns is None and not self._asks():
            if entries:
                self._cursor, self._menu_until_ns = 0, t_ns + MENU_NS
            return
        if not entries:
            return
        entry = entries[min(self._cursor, len(entries) - 1)]
        self._close_menu()
        self._cursor = 0
        try:
            entry.pick(t_ns)
        except CompanionError as error:
            self._refuse(str(error))

    def _close_menu(self) -> None:
        """Put the knob's menu away, and the question with it."""
        self._asking, self._menu_until_ns = "", None

    def _ask(self, question: str, t_ns: int) -> None:
        """Open a question; what would be taken back is worked out when it is shown."""
        if question == "undo" and self.match.history.newest() is None and not self.match.early:
            self._refuse("there is nothing to take back")
            return
        self._asking, self._cursor, self._menu_until_ns = question, 0, t_ns + 2 * MENU_NS

    def _undo(self, _t_ns: int) -> None:
        if self.match.early:
            self.match.no_card()
            return
        undone = self.match.undo(by="knob")
        self._group = None
        self.match.effects.append(Sound(Tone.ACCEPTED))
        self.notify(f"taken back: {describe(undone)}")

    def _end(self, _t_ns: int) -> None:
        self.match.end()

    def _refuse(self, why: str) -> None:
        self.match.effects += [Sound(Tone.REFUSED), Log(f"refused: {why}")]
        self.notify(f"refused: {why}")

    # -- menus -------------------------------------------------------------------------------------------------------

    def _asks_card(self) -> bool:
        return self.match.stage.asks_card and not self._asking

    def _asks(self) -> bool:
        """Tell whether a menu is on the display without having been opened by the knob."""
        return bool(self._asking) or self.match.stage.asks_card or isinstance(self.body(), Choosing)

    def _entries(self) -> list[Entry]:
        """Give what the knob can pick now; changes nothing."""
        if self._asking:
            pick = self._undo if self._asking == "undo" else self._end
            return [Entry(MenuItem("yes"), pick), Entry(MenuItem("no"), lambda _t: None)]  # picking puts it away
        if self.match.stage.asks_card:
            return self._card_question()
        decision = self.match.must_decide()
        if decision is not None:
            return self._choices(decision) if self._choice_is_due() else []
        return [] if self.match.stage.is_pausing else self._play_menu()

    def _card_entries(self) -> list[Entry]:
        def picker(option: Option) -> Callable[[int], None]:
            def pick(t_ns: int) -> None:
                self.match.reveal(option, t_ns)
                self.notify(f"revealed: {option.label}")

            return pick

        plain = [option for option in self.match.cards() if option.button is None]
        indians = [option for option in self.match.cards() if option.button is not None]
        return [Entry(MenuItem(option.label), picker(option)) for option in plain + indians]

    def _card_question(self) -> list[Entry]:
        race = self.match.race
        if self.match.early:
            nothing = Entry(MenuItem("none: do not count"), lambda _t: self.match.no_card())
            return [*self._card_entries(), nothing]
        text = f"it was {race.card}" if race is not None and race.card else "judge"
        return [Entry(MenuItem(text), lambda _t: self.match.no_card()), *self._card_entries()]

    def _play_menu(self) -> list[Entry]:
        entries: list[Entry] = []
        if self.match.is_over:
            return entries
        if self.match.stage.is_collecting:
            entries.append(Entry(MenuItem("close now"), self.match.close))
        entries += self._card_entries()
        if not self.match.stage.is_collecting and self.match.game.can_end(self.match.judge.state):
            entries.append(Entry(MenuItem("end of the game"), lambda t_ns: self._ask("end", t_ns)))
        if self.match.can_be_play():
            entries.append(Entry(MenuItem("it was a play"), lambda _t: self.match.was_play()))
        return entries

    def _choices(self, decision: Decision) -> list[Entry]:
        if decision.number is not None:
            number = decision.number
            return [
                Entry(MenuItem(str(value)), self._chooser(number.line(value)))
                for value in range(number.low, number.high + 1)
            ]
        groups = list(dict.fromkeys(option.group for option in decision.options))
        if self._group in groups and len(groups) > 1:
            return [*self._details(decision, str(self._group)), Entry(MenuItem("back"), self._back)]
        if len(groups) == 1:
            return self._details(decision, groups[0])
        entries = []
        for index, group in enumerate(groups):
            options = [option for option in decision.options if option.group == group]
            pick = self._chooser(options[0].line) if len(options) == 1 else self._grouper(group)
            label = options[0].label if len(options) == 1 else options[0].group_label
            entries.append(Entry(MenuItem(label, role=self._own(index)), pick))
        return entries

    def _details(self, decision: Decision, group: str) -> list[Entry]:
        options = [option for option in decision.options if option.group == group]
        return [self._detail(option, index) for index, option in enumerate(options)]

    def _detail(self, option: Option, index: int) -> Entry:
        """Give the entry of one option: named by its Indian's button, else by one of the player's own four."""
        pick = self._chooser(option.line)
        if option.button is None:
            return Entry(MenuItem(option.label, role=self._own(index)), pick)
        named_by = frozenset(button.label for button in (option.button, *option.also))
        name = self._named(option.button)
        return Entry(MenuItem(name, button=name), pick, named_by)

    def _own(self, index: int) -> str | None:
        """Give the name of the deciding player's button number `index` (0 to 3); None for more than there are."""
        roles = self.match.game.roles
        return roles[index] if index < len(roles) else None

    def _role(self, button: Button) -> str:
        return role_of(button, self.match.game.roles) or str(button.position)

    def _named(self, button: Button) -> str:
        return f"{button.colour} {self._role(button)}"

    def _chooser(self, line: Line) -> Callable[[int], None]:
        def choose(t_ns: int) -> None:
            self._group = None
            self.match.choose(line, t_ns)

        return choose

    def _grouper(self, group: str) -> Callable[[int], None]:
        def enter(_t_ns: int) -> None:
            self._group, self._cursor = group, 0

        return enter

    def _back(self, _t_ns: int) -> None:
        self._group = None

    # -- what is shown -----------------------------------------------------------------------------------------------

    def _choice_is_due(self) -> bool:
        """Tell whether the final order has been on the display long enough for the first choice."""
        return self._is_stable() and self._now_ns >= self._results_since_ns + ORDER_NS

    def _is_stable(self) -> bool:
        return self.match.status is not Status.SAVING

    def _note_what_is_shown(self) -> None:
        """Keep account of since when a question has been on the display."""
        results = newest_race(self.match.history)
        judged = results[0].race if results and self.match.must_decide() is not None else None
        body = self.body()
        key: tuple[str, object] = (type(body).__name__, judged)
        if isinstance(body, Choosing):
            key = ("Choosing", (body.seat, body.page, body.menu.items))
        elif isinstance(body, Standing):
            key = ("Standing", (body.number, body.status))
        if key == self._shown:
            return
        if isinstance(body, (Standing, Results)):
            self._results_since_ns = self._now_ns
        if isinstance(body, Choosing):
            self._cursor = 0
        self._shown, self._shown_since_ns = key, self._now_ns

    @property
    def _race_name(self) -> str:
        return self.match.game.race_name or "Turn"

    def _menu(self, title: str) -> Menu | None:
        entries = self._entries()
        if not entries:
            return None
        return Menu(title, tuple(entry.item for entry in entries), min(self._cursor, len(entries) - 1))

    def _open_menu(self, title: str) -> Menu | None:
        return self._menu(title) if self._menu_until_ns is not None else None

    def body(self) -> Body:
        """Give the part of the scene that belongs to the match; changes nothing."""
        if self._asking and (menu := self._menu("")) is not None:
            return self._question(menu)
        if self.match.stage.is_collecting or self.match.stage.asks_card or self.match.stage.is_pausing:
            return self._standing()
        decision = self.match.must_decide()
        return self._between() if decision is None else self._deciding(decision)

    def _deciding(self, decision: Decision) -> Body:
        """Somebody must choose; the final order is shown first."""
        results = newest_race(self.match.history)
        menu = self._menu(decision.prompt)
        if menu is None:
            order_rows = results[1] if results else ()
            shown = order_rows if self._is_stable() else _without_verdicts(order_rows)
            return Standing(results[0].race if results else 0, shown, self.match.status, race_name=self._race_name)
        number, page = results[0].race if results else 0, int(self._group is not None)
        return Choosing(number, decision.seat, menu, page, self._race_name)

    def _between(self) -> Body:
        """No race runs: the results of the newest until something new happens, the table, or the end."""
        match = self.match
        view = match.game.view(match.judge.state)
        if match.is_over and self._is_stable():
            return Final(match.game.title, view, tuple(getattr(match.judge.outcome(), "leaders", ())))
        results, newest = newest_race(match.history), match.history.newest()
        if results is not None and not self._is_stable():
            shown = _without_verdicts(results[1])
            return Standing(results[0].race, shown, match.status, race_name=self._race_name)
        if (
            results is not None
            and (newest is None or not isinstance(newest.line, Reveal))
            and self._menu_until_ns is None
        ):
            order, order_rows, turns = results
            page = (self._now_ns - self._results_since_ns) // PAGE_NS % (len(turns) + 1) - 1
            return Results(order.race, order_rows, turns, match.status, view, page, self._race_name)
        recent = describe(newest.line) if newest is not None else ""
        return Idle(match.game.title, view, recent, self._open_menu("pick"), self._held)

    def _question(self, menu: Menu) -> Question:
        if self._asking == "end":
            return Question("End of the game?", ("No more cards, no more", "presses are taken."), menu)
        if self.match.early:
            return Question("Take back?", (f"{len(self.match.early)} presses without a card",), menu)
        newest = self.match.history.newest()
        return Question("Take back?", (describe(newest.line) if newest is not None else "",), menu)

    def _standing(self) -> Standing:
        match = self.match
        number = match.race.number if match.race else 0
        menu = self._menu("Which card?") if match.stage.asks_card else self._open_menu("pick")
        too_late = tuple((press.colour, press.role) for press in late(match))
        rows, closes_ns = provisional(match), match.closes_at_ns
        return Standing(number, rows, match.status, too_late, closes_ns, menu, self._race_name)


def _without_verdicts(order: tuple[Row, ...]) -> tuple[Row, ...]:
    """Give the order as it may be shown before it is durable: who came when, and no ruling."""
    return tuple(replace(row, verdict=None, why=None) for row in order)


def describe(line: Line) -> str:
    """Say in a few words what a line of the record is, for people at the box."""
    if isinstance(line, Reveal):
        return f"revealed: {line.card}"
    if isinstance(line, PressLine):
        return f"press: {line.colour} {line.role}"
    if isinstance(line, Claim):
        return f"choice: {line.colour.short} {line.take}"
    words = {Close: "closing", JudgeLine: "judging", End: "end of the game"}
    return words.get(type(line), type(line).__name__.lower())
