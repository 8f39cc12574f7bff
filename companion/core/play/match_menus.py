"""What people do at the box during a match: the knob's menus, cards by button, offers, taking back. Gives the scene.

The knob turns through a menu and pushes to pick; what it picks is one of the match's actions. A press is taken as an
answer (a choice, a card) only if it came after the question was on the display. Knows no device and no game by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import CompanionError, Illegal
from companion.core.hands.choosing import Pick, Progress, Roll, begun
from companion.core.hands.knob import Chord, Click, Gesture, Hold, Play, Rotation
from companion.core.match import announcing, laying, veil
from companion.core.match.corrections.another_card import can_have_another
from companion.core.match.corrections.disputing import protest, sign
from companion.core.match.effects import Log, Sound, Tone
from companion.core.match.match_record import NOTHING_TO_UNDO
from companion.core.match.race_phases import Stage
from companion.core.panel import BUTTON_BY_LABEL
from companion.core.play import match_scenes
from companion.core.play.match_entries import ANOTHER, PROTEST, Entry, MatchEntries, is_laid_over
from companion.core.play.match_scenes import Moment
from companion.core.play.opened import OpenedOffers, button_says, role_of_button
from companion.core.play.snapshot import late
from companion.core.record.told_presses import told_time
from companion.core.ruling.looks import role_says
from companion.core.shown.own_presses import OwnPresses, PressFate
from companion.core.shown.scene import Body, Choosing, Final, Menu, Question, Results, Standing
from companion.core.shown.sound_switch import SoundSwitch
from companion.core.shown.timed.lasting import Lasting
from companion.core.shown.timed.low_times import LowTimes
from companion.core.shown.times import NEVER_NS, USUAL, Times
from companion.core.words.texts import text

if TYPE_CHECKING:
    from companion.core.match.match import Match
    from companion.core.panel import Colour
    from companion.core.ruling.offers import Offer, Option
    from companion.core.timing.events import Press


class MatchMenus:
    """The course of one match as people see and steer it. sounds: the box's."""

    def __init__(self, match: Match, sounds: SoundSwitch | None = None, times: Times = USUAL) -> None:
        self.match = match
        self.sounds = sounds or SoundSwitch()
        self.opened = OpenedOffers(match)
        """Which choice is on the display, and how far it has come."""
        self._now_ns = 0
        self._cursor = 0
        self._menu_until_ns: int | None = None  # the play menu is open until then
        self._asking: str = ""  # the question on the display, what is laid over a choice, or none
        self._shown: tuple[tuple[str, object], int | None] = (("", None), None)  # what is asked, and since when
        self._held = False
        self.made = OwnPresses()
        """What became of each seat's newest press."""
        self._low_times = LowTimes()
        self.lasting = Lasting(times)
        """What is shown for a time, or until it is dismissed."""

    # -- input -------------------------------------------------------------------------------------------------------

    def feed(self, gesture: Gesture) -> None:
        """Take what was done with the knob or a button. Whatever is refused says so by a tone and a notice."""
        if isinstance(gesture, Play):
            ButtonPresses(self, self.opened).play(gesture.press)
        elif isinstance(gesture, Chord):
            ButtonPresses(self, self.opened).chord(gesture.press)
        elif isinstance(gesture, Rotation):
            self._turn(gesture.steps, gesture.t_ns)
        elif isinstance(gesture, Click):
            self._click(gesture)
        elif isinstance(gesture, Hold):
            self.ask("undo", gesture.t_ns)

    def advance(self, now_ns: int, settled_ns: int, *, held: bool, pushed_ns: int | None = None) -> None:
        """Let time pass: `now_ns` for what is shown, `settled_ns` for what is decided. `held`: the knob is pushed.

        pushed_ns: when it was, while what that means is not known: it may have picked something then.
        """
        self._now_ns = self.lasting.now_ns = max(self._now_ns, now_ns)
        self._held = held
        self.match.holds_from_ns = pushed_ns
        self.match.advance(settled_ns)
        if self._low_times.advance(self._now_ns, self.match.lines_written, lambda: self.match.view().clocks):
            self.match.effects.append(Sound(Tone.TIME_LOW))
        if self._menu_until_ns is not None and now_ns >= self._menu_until_ns:
            self.close_menu()
        self.lasting.advance(now_ns)
        self._note_what_is_shown()

    def next_deadline(self) -> int | None:
        """Give the instant at which what is shown changes by itself, None where it does not."""
        must_decide = self.match.must_decide() is not None
        shown = self.lasting.next_deadline(self.body(), must_decide=must_decide)
        instants = [self._menu_until_ns, shown, self._low_times.next_deadline()]
        later = (one for one in instants if one is not None and self._now_ns < one < NEVER_NS)
        return min(later, default=None)

    def notify(self, text: str) -> None:
        """Show a short message for a while."""
        self.lasting.notify(text)

    def put_away(self, says: str) -> None:
        """Close what is open: the match was changed elsewhere. `says`: what was done, shown for a while."""
        self.close_menu()
        self.opened.progress, self._cursor = None, 0
        self.notify(says)

    @property
    def notice(self) -> str:
        """The message that is shown now, empty where there is none."""
        return self.lasting.notice

    @property
    def shown_since_ns(self) -> int | None:
        """Since when what is asked now has been on the display; None where nothing has been asked yet."""
        return self._shown[1]

    @property
    def asking(self) -> str:
        """The knob's question that is on the display, or what is laid over a choice; empty for none."""
        return self._asking

    # -- choices -----------------------------------------------------------------------------------------------------

    def open(self, offer: Offer, t_ns: int, by: Colour | None = None) -> None:
        """Bring a choice onto the display. by: the seat whose button does; None: the knob."""
        self.opened.progress, self._cursor, self._menu_until_ns = begun(offer), 0, self.lasting.menu_until(t_ns)
        self.opened.opened_by = by
        if is_laid_over(self._asking):
            self._asking = ""

    def perform(self, pick: Pick, t_ns: int, error_ns: int | None = 0, *, was_shown: bool = False) -> None:
        """Do what a pick at `t_ns` ± `error_ns` (None: nobody timed it) says.

        was_shown: it was of the choice on the display, of which no menu is to stay there. What the rules refuse is
        said, and nothing has changed.
        """
        if isinstance(pick.act, Progress):
            self.opened.progress, self._cursor = pick.act, 0
            asked = self.opened.asked()
            if self._menu_until_ns is None and asked is not None and not asked.required:
                self._menu_until_ns = self.lasting.menu_until(t_ns)
            return
        self.opened.progress = None
        if was_shown:
            self._menu_until_ns = None
        try:
            if isinstance(pick.act, Roll):
                self.match.roll(pick.act.offer, pick.act.result, t_ns)
            elif pick.act is not None:
                self.match.choose(pick.act, t_ns, error_ns)
        except CompanionError as error:
            self.refuse(str(error))

    def pick_item(self, colour: Colour, number: int, label: str, t_ns: int, error_ns: int | None = None) -> str:
        """Pick item `number` of what a seat is asked now: of its private choices, else of its own on the display.

        Gives what was done. Raises Illegal where that item is not there, or says something else.
        """
        asked, private = self.chosen_now(), self.opened.private_of(colour)
        offers = private or ([asked] if asked is not None and asked.seat is colour else [])
        found = [pick for offer in offers for pick in self.opened.seen(offer)]
        if number >= len(found) or found[number].item.says != label:
            raise Illegal(text("that is not to be chosen any more"))
        self.perform(found[number], t_ns, error_ns, was_shown=not private)
        return text("chosen") if private else text("chosen: {what}").format(what=found[number].item.says)

    # -- the knob ----------------------------------------------------------------------------------------------------

    def _turn(self, steps: int, t_ns: int) -> None:
        entries = self._to_pick()
        if not entries:
            return
        if self.chosen_now() is not None:
            last = len(entries) - 1
            is_below = self.opened.count_on(steps, is_below=self._cursor == last)
            if is_below is not None:
                self._cursor, self._menu_until_ns = (last if is_below else 0), self.lasting.menu_until(t_ns)
                return
        is_open = self._menu_until_ns is not None or self._asks()
        start = self._cursor if is_open else (-1 if steps > 0 else 0)
        self._cursor = (start + steps) % len(entries)
        self._menu_until_ns = self.lasting.menu_until(t_ns)

    def _click(self, click: Click) -> None:
        entries, t_ns = self._to_pick(), click.t_ns
        if self._menu_until_ns is None and not self._asks():
            if entries and isinstance(self.body(), Results) and can_have_another(self.match) and self.match.cards():
                self.ask(ANOTHER, t_ns)
            elif entries:
                self._cursor, self._menu_until_ns = 0, self.lasting.menu_until(t_ns)
            return
        if not entries:
            return
        entry = entries[min(self._cursor, len(entries) - 1)]
        self.close_menu()
        self._cursor = 0
        try:
            self.match.advance(t_ns - 1)  # what was due before it comes first
            entry.pick(click)
        except CompanionError as error:
            self.refuse(str(error))

    def close_menu(self) -> None:
        """Put the knob's menu away, the question with it, and a choice that somebody opened and need not make."""
        self._asking, self._menu_until_ns = "", None
        self.opened.put_away()

    def ask(self, question: str, t_ns: int) -> None:
        """Open a question; what would be taken back is worked out when it is shown."""
        waits = bool(self.match.early or self.match.face_down or self.match.announced)
        if question == "undo" and self.match.history.newest_doing() is None and not waits:
            self.refuse(NOTHING_TO_UNDO)
            return
        self._asking, self._cursor, self._menu_until_ns = question, 0, self.lasting.menu_until(t_ns, 2)

    def undo(self) -> None:
        """Take back the newest line, or the presses that wait for their card."""
        if self.match.early:
            self.match.no_card()
            return
        if self.match.announced is not None:
            announcing.withdraw(self.match)
            return
        if self.match.face_down:
            self.notify(text("taken up again: {cards}").format(cards=laying.says(laying.take_up(self.match))))
            return
        newest = self.match.history.newest_doing()
        says = veil.says(self.match, newest) if newest is not None else ""
        self.match.undo(by="knob")
        self.opened.progress = None
        self.match.effects.append(Sound(Tone.ACCEPTED))
        self.notify(text('taken back: "{says}"').format(says=says))

    def refuse(self, why: str, seat: Colour | None = None) -> None:
        """Say by a tone, a notice and the log that something cannot be done. seat: whose button was to do it."""
        self.match.effects += [Sound(Tone.REFUSED, () if seat is None else (seat,)), Log(f"refused: {why}")]
        self.notify(text("refused: {why}").format(why=why))

    # -- what is shown -----------------------------------------------------------------------------------------------

    def _asks(self) -> bool:
        """Tell whether a menu is on the display without having been opened by the knob."""
        return bool(self._asking) or self.match.stage.asks_card or self.chosen_now() is not None

    def _to_pick(self) -> list[Entry]:
        """Give what the knob can pick now; changes nothing."""
        entries = MatchEntries(self.match, self.opened, self)
        if self._asking:
            return entries.of_question(self._asking)
        if self.match.stage.asks_card:
            return entries.of_card()
        offer = self.opened.asked()
        if offer is not None:
            return entries.of_choice(offer) if self._moment().is_due(offer) else []
        is_waiting = self.match.stage.is_pausing or self.match.stage is Stage.PICKING
        return [] if is_waiting else entries.of_play(has_end=self.lasting.times.menu_ns is None)

    def _moment(self) -> Moment:
        lasting = self.lasting
        return Moment(self.match, self._now_ns - lasting.since_ns, self._held, lasting.times, lasting.turned)

    def _note_what_is_shown(self) -> None:
        """Keep account of since when a question has been on the display."""
        results = self._moment().results
        judged = results.order.race if results and self.match.must_decide() is not None else None
        body = self.body()
        key: tuple[str, object] = (type(body).__name__, judged)
        if isinstance(body, Choosing):
            key = ("Choosing", (body.seat, body.page, body.menu.items))
        elif isinstance(body, Standing):
            key = ("Standing", (body.number, body.status))
        elif isinstance(body, Question):
            key = ("Question", self._asking)
        if key == self._shown[0]:
            return
        if isinstance(body, (Standing, Results)):
            self.lasting.begin()
        if isinstance(body, Choosing):
            self._cursor = 0
        self._shown = (key, self._now_ns)

    def _menu(self, title: str) -> Menu | None:
        entries = self._to_pick()
        if not entries:
            return None
        return Menu(title, tuple(entry.item for entry in entries), min(self._cursor, len(entries) - 1))

    def chosen_now(self) -> Offer | None:
        """Give the choice that can be picked on the display now, None where the display is about something else."""
        if (self._asking and self._to_pick()) or self.match.stage.is_of_race:
            return None
        offer = self.opened.asked()
        return offer if offer is not None and self._to_pick() else None

    def body(self) -> Body:
        """Give the part of the scene that belongs to the match; changes nothing."""
        moment, stage = self._moment(), self.match.stage
        if self._asking:
            title = MatchEntries(self.match, self.opened, self).title_of(self._asking)
            if (menu := self._menu(title)) is not None:
                shown = match_scenes.laid_over if is_laid_over(self._asking) else match_scenes.question
                return shown(moment, self._asking, menu)
        opened = self._menu(text("pick")) if self._menu_until_ns is not None else None
        if stage.is_of_race:
            return match_scenes.standing(moment, self._menu(text("Which card?")) if stage.asks_card else opened)
        offer = self.opened.asked()
        if offer is None:
            return match_scenes.between(moment, opened)
        has_begun = self.opened.progress_of(offer).has_begun
        return match_scenes.deciding(moment, offer, self._menu(self.opened.prompt(offer)), has_begun=has_begun)


class ButtonPresses:
    """What an arcade button does in a match: a choice, a card, or a play. `menus`: what is on the display."""

    def __init__(self, menus: MatchMenus, opened: OpenedOffers) -> None:
        self._menus = menus
        self.opened = opened
        self._match = menus.match

    def play(self, press: Press) -> None:
        """Take a press: as an answer to what is on the display, as bringing a choice there, else as a play."""
        self._match.advance(press.t_ns - 1)  # what was due before it comes first
        since = self._match.lines_written
        self._note(press, self._answered_by(press) or self._played_by(press), since)

    def _note(self, press: Press, fate: PressFate, since: int) -> None:
        """Note what became of a press, for whoever made it. since: how many lines there were before it."""
        self._menus.made.note(BUTTON_BY_LABEL[press.line], press.t_ns, fate, since)

    def _answered_by(self, press: Press) -> PressFate | None:
        """Take a press as an answer, or as bringing a choice onto the display; None where it is neither."""
        since_ns = self._menus.shown_since_ns
        is_after = since_ns is not None and press.t_ns >= since_ns  # it came after what is on the display now
        if self._dismissed_by(press) or (is_after and (self._protested_by(press) or self._picked_by(press))):
            return PressFate.ANSWERS
        if (fate := self._at_once_by(press)) is not None:
            return fate
        if is_after:
            if (fate := self._chosen_by(press)) is not None:
                return fate
            if self._entered_by(press):
                return PressFate.ANSWERS
            if self._brought_back_by(press):
                return PressFate.ANSWERS
        signs = self._match.is_over and self._signed_by(press)
        return PressFate.ANSWERS if signs or (self._match.race is None and self._opened_by(press)) else None

    def _played_by(self, press: Press) -> PressFate:
        """Take a press as a play; give what it is where the record has no line of it."""
        button, match = BUTTON_BY_LABEL[press.line], self._match
        decision = match.must_decide()
        is_others = decision is not None and decision.seat is not button.colour and press.t_ns > match.late_until_ns
        has_played = any(play.colour is button.colour for play in match.presses())
        self._menus.close_menu()
        before = len(late(match))
        if match.race is not None and announcing.is_too_early(match, press.t_ns):
            match.play(press)
            self._menus.notify(text("too early: {colour}").format(colour=button.colour.short))
            return PressFate.EARLY
        if laying.is_untimed(match.setup) and match.race is not None:
            return self._laid_by(press)
        match.play(press)
        who = button_says(match, button, button.colour.short)
        if len(late(match)) > before:
            self._menus.notify(text("too late: {button}").format(button=who))
        elif match.race is None:
            self._menus.notify(text("{button}: nothing to do now").format(button=who))
        if is_others:
            return PressFate.NOT_YOURS
        if match.race is None:
            return PressFate.NOTHING
        return PressFate.PLAYED if has_played else PressFate.LATE

    def _laid_by(self, press: Press) -> PressFate:
        """Take a press as a card that is laid face down; give what it is."""
        colour = BUTTON_BY_LABEL[press.line].colour
        why = laying.why_not(self._match, colour, press.t_ns)
        self._match.play(press)
        if why:
            self._menus.notify(text("{colour}: {why}").format(colour=colour.short, why=why))
        return PressFate.NOTHING if why else PressFate.FACE_DOWN

    def _protested_by(self, press: Press) -> bool:
        """Take a press as a protest of its seat, if the box asks who does; its time is told, as it may be a play."""
        if self._menus.asking != PROTEST:
            return False
        self._menus.close_menu()
        try:
            says = protest(self._match, BUTTON_BY_LABEL[press.line].colour)
        except CompanionError as error:
            says = text("refused: {why}").format(why=str(error))
        when = told_time(press.t_ns, press.error_ns)
        self._match.remark(f"{press.line}: a press answered who protests {when}", press.line)
        self._menus.notify(says)
        return True

    def _signed_by(self, press: Press) -> bool:
        """Take a press as its seat's acceptance of the result, once nobody can have meant it as a play."""
        colour, since_ns = BUTTON_BY_LABEL[press.line].colour, self._menus.shown_since_ns
        has_seat = any(seat.colour is colour for seat in self._match.setup.seats)
        is_sure = since_ns is not None and press.t_ns >= since_ns + self._match.settings.late_ns
        if not has_seat or not is_sure or not isinstance(self._menus.body(), Final):
            return False
        try:
            self._menus.notify(sign(self._match, colour))
        except CompanionError as error:
            self._menus.refuse(str(error), colour)
        else:
            self._match.effects.append(Sound(Tone.ACCEPTED, (colour,)))
        return True

    def _entered_by(self, press: Press) -> bool:
        """Take a press as the card that is asked for, once nobody can have meant it as a play."""
        asks_card = self._match.stage.asks_card and not self._menus.asking
        sure_ns = (self._menus.shown_since_ns or 0) + self._match.settings.late_ns
        if not asks_card or not self._match.cards() or press.t_ns < sure_ns:
            return False
        self._enter(press, None)
        return True

    def _picked_by(self, press: Press) -> bool:
        """Take a press as picking what the display asks its own seat, which must choose or opened that itself."""
        asked, colour = self._menus.chosen_now(), BUTTON_BY_LABEL[press.line].colour
        if asked is None or asked.seat is not colour or not (asked.required or self.opened.opened_by is colour):
            return False
        if (pick := self.opened.pick_by(press, asked)) is None:
            return False
        self._menus.perform(pick, press.t_ns, press.error_ns, was_shown=True)
        return True

    def _at_once_by(self, press: Press) -> PressFate | None:
        """Take a press as a choice that its seat makes by one press, whatever is on the display; None where it is none.

        One that named a choice which an earlier press has just taken away was meant for that, and does nothing.
        """
        match = self._match
        if match.stage.is_of_race:
            return None
        for offer in self.opened.at_once(BUTTON_BY_LABEL[press.line].colour):
            if (pick := self.opened.pick_by(press, offer)) is not None:
                before = self.opened.named_at_once()
                begun_before = self.opened.progress
                self._menus.perform(pick, press.t_ns, press.error_ns)
                self.opened.keep_what_fits(begun_before)
                self.opened.gone = before - self.opened.named_at_once()
                self.opened.gone_until_ns = press.t_ns + match.settings.late_ns
                return PressFate.ANSWERS
        if press.line not in self.opened.gone or press.t_ns > self.opened.gone_until_ns:
            return None
        button = BUTTON_BY_LABEL[press.line]
        match.effects.append(Sound(Tone.IGNORED, (button.colour,)))
        who = button_says(match, button, button.colour.short)
        self._menus.notify(text("too late: {button}").format(button=who))
        return PressFate.NOTHING

    def _chosen_by(self, press: Press) -> PressFate | None:
        """Take a press as a choice, if it is one of those on the display, or of a private choice of that seat.

        None where it is neither, and makes none of its seat's own.
        """
        button = BUTTON_BY_LABEL[press.line]
        asked = self._menus.chosen_now()
        for offer in filter(None, (asked, *self.opened.private_of(button.colour))):
            if (pick := self.opened.pick_by(press, offer)) is not None:
                self._menus.perform(pick, press.t_ns, press.error_ns, was_shown=offer is asked)
                return PressFate.ANSWERS
        if asked is None or asked.seat is not button.colour:
            opens = asked is not None and self._match.race is None and self._opened_by(press)
            return PressFate.ANSWERS if opens else None
        role = role_says(self._match.game, self._match.game.roles, role_of_button(self._match, button))
        self._menus.refuse(text("{button} picks nothing here").format(button=role), button.colour)
        return PressFate.NOTHING

    def _brought_back_by(self, press: Press) -> bool:
        """Take a press of whoever must choose as putting away what the knob has laid over that choice."""
        asked = self.opened.asked()
        is_own = asked is not None and asked.seat is BUTTON_BY_LABEL[press.line].colour
        if not is_own or not is_laid_over(self._menus.asking):
            return False
        self._menus.close_menu()
        return True

    def _dismissed_by(self, press: Press) -> bool:
        """Take a press of whoever chooses next as having seen the order, once nobody can have meant it as a play."""
        match, lasting, body = self._match, self._menus.lasting, self._menus.body()
        decision = match.must_decide()
        is_own = decision is not None and decision.seat is BUTTON_BY_LABEL[press.line].colour
        if not is_own or press.t_ns <= match.late_until_ns or not lasting.can_be_dismissed(body):
            return False
        lasting.dismiss()
        return True

    def _opened_by(self, press: Press) -> bool:
        """Bring a choice that this seat may make onto the display; its next press picks. False where it has none."""
        offer = self.opened.next_of(BUTTON_BY_LABEL[press.line].colour)
        if offer is not None:
            self._menus.open(offer, press.t_ns, by=offer.seat)
        return offer is not None

    def chord(self, press: Press) -> None:
        """The knob was held and one button pressed: that card was revealed, or was it a play?"""
        is_another, since = self._menus.asking == ANOTHER, self._match.lines_written
        self._menus.close_menu()
        if self._match.must_decide() is not None:
            self.play(press)
        elif not any(option.button is not None for option in self._match.cards()):
            # its cards have no buttons: it can only have been for itself
            self._note(press, self._at_once_by(press) or self._played_by(press), since)
        else:
            self._note(press, PressFate.ANSWERS, since)
            self._enter(press, press, is_another=is_another)

    def _enter(self, press: Press, chord: Press | None, *, is_another: bool = False) -> None:
        """Enter the card that a button names; `chord`: the press, kept in case it was a play.

        is_another: it was turned too before the newest judged race.
        """
        button = BUTTON_BY_LABEL[press.line]
        option: Option | None = next((o for o in self._match.cards() if o.button == button), None)
        if option is None:
            label = button_says(self._match, button, button.colour.says)
            self._menus.refuse(text("no {card} left to reveal").format(card=label), button.colour)
            return
        try:
            if is_another:
                MatchEntries(self._match, self.opened, self._menus).another(option, press.t_ns)
                return
            self._match.reveal(option, press.t_ns, chord)
        except CompanionError as error:
            self._menus.refuse(str(error))
            return
        self._menus.notify(announcing.revealed_says(self._match, option.label))
