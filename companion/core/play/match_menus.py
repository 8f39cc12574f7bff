"""What people do at the box during a match: the knob's menus, cards by button, offers, taking back. Gives the scene.

The knob turns through a menu and pushes to pick; what it picks is one of the match's actions. A press is taken as an
answer (a choice, a card) only if it came after the question was on the display. Knows no device and no game by name.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.core.errors import CompanionError
from companion.core.match.effects import Log, Sound, Tone
from companion.core.panel import BUTTON_BY_LABEL, POSITIONS, Button
from companion.core.play.choosing import Pick, Progress, Roll, begun, counted_on, is_of, picks, role_name
from companion.core.play.knob import Chord, Click, Gesture, Hold, Play, Rotation
from companion.core.play.snapshot import late, provisional
from companion.core.record.lines import ByHand
from companion.core.ruling.offers import REVEAL, NumberEntry, Offer
from companion.core.shown.race_rows import Judged, newest_race
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

    from companion.core.match.match import Match
    from companion.core.panel import Colour
    from companion.core.ruling.game import Adjustable
    from companion.core.ruling.offers import Option

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
    """A menu item, and what picking it at an instant does."""

    item: MenuItem
    pick: Callable[[int], None]


class MatchMenus:
    """The course of one match as people see and steer it."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._now_ns = 0
        self._cursor = 0
        self._menu_until_ns: int | None = None  # the play menu is open until then
        self._asking: str = ""  # the question on the display: "undo", "end" or none
        self._progress: Progress | None = None  # of the choice that somebody has opened or begun
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
        elif isinstance(gesture, Rotation):
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
        self._progress, self._cursor = None, 0
        self.notify(says)

    @property
    def notice(self) -> str:
        """The message that is shown now, empty where there is none."""
        return self._notice

    # -- what was done -----------------------------------------------------------------------------------------------

    def _play(self, press: Press) -> None:
        button = BUTTON_BY_LABEL[press.line]
        if self._answers(press) and (self._chosen_by(press) or self._entered_by(press)):
            return
        if self.match.race is None and self._opened_by(button.colour, press.t_ns):
            return
        self._close_menu()
        before = len(late(self.match))
        self.match.play(press)
        if len(late(self.match)) > before:
            self.notify(f"too late: {button.colour.short} {self._role(button)}")
        elif self.match.race is None:
            self.notify(f"{button.colour.short} {self._role(button)}: nothing to do now")

    def _answers(self, press: Press) -> bool:
        """Tell whether a press came after what is on the display now."""
        return self._shown_since_ns is not None and press.t_ns >= self._shown_since_ns

    def _entered_by(self, press: Press) -> bool:
        """Take a press as the card that is asked for, once nobody can have meant it as a play."""
        cards = self.match.cards()
        if not self._asks_card() or not cards or self._shown_since_ns is None:
            return False
        if press.t_ns < self._shown_since_ns + self.match.settings.late_ns:
            return False
        button = BUTTON_BY_LABEL[press.line]
        option = next((option for option in cards if option.button == button), None)
        self._enter(option, press, self._named(button), None)
        return True

    def _chosen_by(self, press: Press) -> bool:
        """Take a press as a choice, if it is one of those on the display, or of a private choice of that seat."""
        colour = BUTTON_BY_LABEL[press.line].colour
        asked = self._asked() if isinstance(self.body(), Choosing) else None
        private = [offer for offer in self.match.offers() if offer.is_private and offer.seat is colour]
        for offer in filter(None, (asked, *private)):
            if self._picked_by(press, offer):
                return True
        if asked is None or asked.seat is not colour:
            return asked is not None and self.match.race is None and self._opened_by(colour, press.t_ns)
        self._refuse(f"{self._role(BUTTON_BY_LABEL[press.line])} picks nothing here")
        return True

    def _picked_by(self, press: Press, offer: Offer) -> bool:
        button = BUTTON_BY_LABEL[press.line]
        is_own = offer.seat is button.colour
        for pick in self._picks(offer):
            if press.line in pick.buttons or (is_own and pick.item.role == self._role(button)):
                self._perform(pick, press.t_ns)
                return True
        return False

    def _opened_by(self, colour: Colour, t_ns: int) -> bool:
        """Bring a choice that this seat may make onto the display; its next press picks. False where it has none."""
        own = [offer for offer in self.match.offers() if offer.seat is colour and offer.kind != REVEAL]
        if not own:
            return False
        now = self._asked()
        index = own.index(now) + 1 if now in own else 0
        self._open(own[index % len(own)], t_ns)
        return True

    def _open(self, offer: Offer, t_ns: int) -> None:
        self._progress, self._cursor, self._menu_until_ns = begun(offer), 0, t_ns + MENU_NS

    def _is_required(self) -> bool:
        asked = self._asked()
        return asked is None or asked.required

    def _perform(self, pick: Pick, t_ns: int) -> None:
        """Do what a pick says. What the rules or the record refuse is said, and nothing has changed."""
        if isinstance(pick.act, Progress):
            self._progress, self._cursor = pick.act, 0
            if self._menu_until_ns is None and not self._is_required():
                self._menu_until_ns = t_ns + MENU_NS
            return
        self._progress = None
        try:
            if isinstance(pick.act, Roll):
                self.match.roll(pick.act.offer, pick.act.result, t_ns)
            elif pick.act is not None:
                self.match.choose(pick.act, t_ns)
        except CompanionError as error:
            self._refuse(str(error))

    def _chord(self, press: Press) -> None:
        """The knob was held and one button pressed: that card was revealed, or was it a play?"""
        self._close_menu()
        button = BUTTON_BY_LABEL[press.line]
        if self.match.must_decide() is not None:
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
        if self._counts_on(steps, t_ns):
            return
        entries = self._entries()
        if not entries:
            return
        is_open = self._menu_until_ns is not None or self._asks()
        start = self._cursor if is_open else (-1 if steps > 0 else 0)
        self._cursor = (start + steps) % len(entries)
        self._menu_until_ns = t_ns + MENU_NS

    def _counts_on(self, steps: int, t_ns: int) -> bool:
        """Let the knob count a number that is being entered; a push then enters it. False where none is."""
        offer = self._asked() if isinstance(self.body(), Choosing) else None
        if offer is None or offer.number is None:
            return False
        self._progress, self._cursor = counted_on(offer.number, self._progress_of(offer), steps), 0
        self._menu_until_ns = t_ns + MENU_NS
        return True

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
        """Put the knob's menu away, the question with it, and a choice that somebody opened and need not make."""
        self._asking, self._menu_until_ns = "", None
        asked = self._asked()
        if asked is not None and not asked.required:
            self._progress = None

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
        self._progress = None
        self.match.effects.append(Sound(Tone.ACCEPTED))
        self.notify(f'taken back: "{self.match.game.describe(undone)}"')

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
        offer = self._asked()
        if offer is not None:
            return self._choices(offer) if self._choice_is_due(offer) else []
        return [] if self.match.stage.is_pausing else self._play_menu()

    def _card_entries(self) -> list[Entry]:
        def picker(option: Option) -> Callable[[int], None]:
            def pick(t_ns: int) -> None:
                self.match.reveal(option, t_ns)
                self.notify(f"revealed: {option.label}")

            return pick

        unnamed = [option for option in self.match.cards() if option.button is None]
        named = [option for option in self.match.cards() if option.button is not None]
        return [Entry(MenuItem(option.label), picker(option)) for option in unnamed + named]

    def _card_question(self) -> list[Entry]:
        race = self.match.race
        if self.match.early:
            nothing = Entry(MenuItem("none: do not count"), lambda _t: self.match.no_card())
            return [*self._card_entries(), nothing]
        text = f"it was {race.card}" if race is not None and race.card else "judge"
        return [Entry(MenuItem(text), lambda _t: self.match.no_card()), *self._card_entries()]

    def _play_menu(self) -> list[Entry]:
        if self.match.is_over:
            return []
        is_collecting = self.match.stage.is_collecting
        entries = [Entry(MenuItem("close now"), self.match.close)] if is_collecting else []
        entries += [*self._card_entries(), *self._optional_entries()]
        if not is_collecting and self.match.game.can_end(self.match.judge.state):
            entries.append(Entry(MenuItem("end of the game"), lambda t_ns: self._ask("end", t_ns)))
        if self.match.can_be_play():
            entries.append(Entry(MenuItem("it was a play"), lambda _t: self.match.was_play()))
        return entries

    def _optional_entries(self) -> list[Entry]:
        """Give what may be decided and need not, and what the referee may set by hand."""

        def opener(offer: Offer) -> Callable[[int], None]:
            return lambda t_ns: self._open(offer, t_ns)

        offers = [offer for offer in (*self.match.offers(), *self._by_hand()) if offer.kind != REVEAL]
        return [
            Entry(MenuItem(offer.prompt, offer.seat.short if offer.seat else ""), opener(offer))
            for offer in offers
            if not offer.required
        ]

    def _by_hand(self) -> list[Offer]:
        """Give what the referee may set by hand, as offers of a number."""

        def entry(one: Adjustable) -> NumberEntry:
            return NumberEntry(
                one.low, one.high, lambda v: ByHand(set=one.key, value=v, reason="at the box", by="knob")
            )

        state = self.match.judge.state
        return [
            Offer(f"by hand: {one.key}", None, f"set {one.label}", number=entry(one), required=False)
            for one in self.match.game.adjustable(state)
        ]

    def _asked(self) -> Offer | None:
        """Give the choice that is on the display: the one that somebody opened, else the first that must be made."""
        offers = self.match.offers()
        if self._progress is not None:
            for offer in (*offers, *self._by_hand()):
                if is_of(self._progress, offer):
                    return offer
        return next((offer for offer in offers if offer.required), None)

    def _progress_of(self, offer: Offer) -> Progress:
        return self._progress if self._progress is not None and is_of(self._progress, offer) else begun(offer)

    def _picks(self, offer: Offer) -> list[Pick]:
        match = self.match
        return picks(match.game, match.judge.state, offer, self._progress_of(offer), can_roll=match.can_roll)

    def _choices(self, offer: Offer) -> list[Entry]:
        def performer(pick: Pick) -> Callable[[int], None]:
            return lambda t_ns: self._perform(pick, t_ns)

        return [Entry(pick.item, performer(pick)) for pick in self._picks(offer)]

    def _role(self, button: Button) -> str:
        return str(role_name(self.match.game.roles, POSITIONS.index(button.position)))

    def _named(self, button: Button) -> str:
        return f"{button.colour} {self._role(button)}"

    # -- what is shown -----------------------------------------------------------------------------------------------

    def _choice_is_due(self, offer: Offer) -> bool:
        """Tell whether the final order, where a race led to the choice, has been on the display long enough."""
        after_race = offer.required and self.match.race is not None
        return self._is_stable() and (not after_race or self._now_ns >= self._results_since_ns + ORDER_NS)

    def _is_stable(self) -> bool:
        return self.match.status is not Status.SAVING

    def _note_what_is_shown(self) -> None:
        """Keep account of since when a question has been on the display."""
        results = self._results()
        judged = results.order.race if results and self.match.must_decide() is not None else None
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
        return self.match.game.race_name

    def _results(self) -> Judged | None:
        return newest_race(self.match.history, self.match.game)

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
        offer = self._asked()
        return self._between() if offer is None else self._deciding(offer)

    def _deciding(self, offer: Offer) -> Body:
        """Somebody must choose; the final order is shown first."""
        results = self._results()
        menu = self._menu(offer.prompt)
        if menu is None:
            if results is None:
                return self._idle()
            shown = results.rows if self._is_stable() else _without_verdicts(results.rows)
            return Standing(results.order.race, shown, self.match.status, race_name=self._race_name)
        return Choosing(
            number=results.order.race if results and self.match.race is not None else None,
            seat=offer.seat,
            menu=menu,
            page=int(self._progress_of(offer).has_begun),
            race_name=self._race_name or self.match.game.title,
            hint=offer.hint,
            is_private=offer.is_private,
            others=tuple(o.seat for o in self.match.offers() if o.required and o.seat not in (None, offer.seat)),
        )

    def _between(self) -> Body:
        """No race runs: the results of the newest until something new happens, the table, or the end."""
        match = self.match
        if match.is_over and self._is_stable():
            return Final(match.game.title, match.view(), match.judge.outcome().ahead())
        results = self._results()
        if results is not None and not self._is_stable():
            shown = _without_verdicts(results.rows)
            return Standing(results.order.race, shown, match.status, race_name=self._race_name)
        if results is not None and results.is_newest and self._menu_until_ns is None:
            order, order_rows, turns, _ = results
            page = (self._now_ns - self._results_since_ns) // PAGE_NS % (len(turns) + 1) - 1
            return Results(order.race, order_rows, turns, match.status, match.view(), page, self._race_name)
        return self._idle()

    def _idle(self) -> Idle:
        newest = self.match.history.newest()
        recent = self.match.game.describe(newest.line) if newest is not None else ""
        cards = self.match.offers_of(REVEAL)
        hint = cards[0].hint if cards and self._held else ""
        return Idle(self.match.game.title, self.match.view(), recent, self._open_menu("pick"), self._held, hint)

    def _question(self, menu: Menu) -> Question:
        match = self.match
        if self._asking == "end":
            return Question("End of the game?", ("No more cards, no more", "presses are taken."), menu)
        if self.match.early:
            return Question("Take back?", (f"{len(self.match.early)} presses without a card",), menu)
        newest = self.match.history.newest()
        return Question("Take back?", (match.game.describe(newest.line) if newest is not None else "",), menu)

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
