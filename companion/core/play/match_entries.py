"""What the knob can pick during a match: cards, choices, questions, what is optional. Nothing changes until it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from companion.core.hands.choosing import Pick
from companion.core.match import announcing, laying
from companion.core.match.corrections.another_card import another_card, can_have_another
from companion.core.match.corrections.disputing import answer, may_protest, oldest_protest
from companion.core.match.effects import AskVoice, VoiceWish, wish_says
from companion.core.record.lines import Protest, Reveal
from companion.core.ruling.looks import card_says
from companion.core.shown.by_hand import FEW, grouped
from companion.core.shown.scene import MORE, MenuItem
from companion.core.words.texts import joined, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.hands.knob import Click
    from companion.core.match.match import Match
    from companion.core.panel import Colour
    from companion.core.play.opened import OpenedOffers
    from companion.core.ruling.game import Adjustable
    from companion.core.ruling.offers import Offer, Option
    from companion.core.shown.by_hand import Group
    from companion.core.shown.sound_switch import SoundSwitch


ANOTHER = "another"
"""The question which card was turned too before the newest judged race."""
PROTEST = "protest"
"""The question who protests: a press of one's own button answers it, so that nobody protests by leaning on one."""
ANSWER = "answer"
"""The question how the oldest protest is answered."""
ELSE = "else"
"""What else can be done while something must be chosen: a menu over that choice."""
TABLE = "table"
"""Nothing is asked: the table is shown over a choice that waits."""
VOICE = "voice"
"""What the box's voice can be asked for."""
BY_HAND = "by hand"
"""What is to be set by hand, where there is much of it; followed by a group, which of that group."""


def is_laid_over(asking: str) -> bool:
    """Tell whether it is no question: the table, or a menu of what can be done, over a choice that waits."""
    return asking in (ELSE, TABLE, VOICE) or asking.startswith(BY_HAND)


_BACK = MenuItem(text("back"))


@dataclass(frozen=True, slots=True)
class Entry:
    """A menu item, and what picking it by a push of the knob does."""

    item: MenuItem
    pick: Callable[[Click], None]


class Steering(Protocol):
    """What picking an entry may do beyond the match itself."""

    sounds: SoundSwitch
    """Whether the buzzer is to be heard."""

    def ask(self, question: str, t_ns: int) -> None:
        """Open a question."""

    def open(self, offer: Offer, t_ns: int) -> None:
        """Bring a choice onto the display."""

    def perform(self, pick: Pick, t_ns: int, error_ns: int = 0) -> None:
        """Do what a pick says."""

    def undo(self) -> None:
        """Take back what was asked about."""

    def notify(self, text: str) -> None:
        """Show a short message for a while."""


class MatchEntries:
    """The entries of one match. `steering` is called when one is picked."""

    def __init__(self, match: Match, opened: OpenedOffers, steering: Steering) -> None:
        self._match = match
        self._opened = opened
        self._steering = steering

    def of_question(self, asking: str) -> list[Entry]:
        """Give the answers to a question; picking one puts it away."""
        if asking == ANOTHER:
            return [Entry(MenuItem(text("no, go on")), lambda _at: None), *self._cards(self.another)]
        if asking == PROTEST:
            return [Entry(MenuItem(text("nobody")), lambda _at: None)]
        if asking == ANSWER:
            return self._answers()
        if is_laid_over(asking):
            return self._laid_over(asking)
        yes = self._steering.undo if asking == "undo" else self._match.end
        return [Entry(MenuItem(text("yes")), lambda _at: yes()), Entry(MenuItem(text("no")), lambda _at: None)]

    def title_of(self, asking: str) -> str:
        """Give the title of a menu that is no question."""
        if not is_laid_over(asking):
            return ""
        if asking == VOICE:
            return text("voice")
        if asking == ELSE:
            return text("what else")
        word = asking.removeprefix(BY_HAND).strip()
        shared = (group.says for group in grouped(self._opened.adjustable()))  # a text, which knows each language
        return next((says for says in shared if says == word), word) or text("set by hand")

    def another(self, option: Option, t_ns: int) -> None:
        """Say that this card was turned too before the newest judged race."""
        if isinstance(option.line, Reveal):
            another_card(self._match, option.line.card, t_ns, "knob")
            self._steering.notify(text("judged again with: {card}").format(card=option.label))

    def of_card(self) -> list[Entry]:
        """Give the answers to the question which card was turned."""
        match, race = self._match, self._match.race
        if match.early:
            return [*self._cards(), Entry(MenuItem(text("none: do not count")), lambda _at: match.no_card())]
        if race is not None and race.card:
            says = text("it was {card}").format(card=card_says(match.game.deck, race.card))
        else:
            says = text("judge")
        return [Entry(MenuItem(says), lambda _at: match.no_card()), *self._cards()]

    def of_choice(self, offer: Offer) -> list[Entry]:
        """Give what can be picked of an offer."""

        def performer(pick: Pick) -> Callable[[Click], None]:
            return lambda at: self._steering.perform(pick, at.t_ns, at.error_ns)

        found = [Entry(pick.item, performer(pick)) for pick in self._opened.picks(offer)]
        has_more = offer.required and not self._opened.progress_of(offer).has_begun  # within it there is the way back
        return [*found, self._asking(MORE, ELSE)] if found and has_more else found

    def _laid_over(self, asking: str) -> list[Entry]:
        """Give what can be done beside a choice that waits, the way back first."""
        if asking == ELSE:
            table = self._asking(MenuItem(text("show the table")), TABLE)
            return [Entry(_BACK, lambda _at: None), table, *self.of_play()]
        if asking == TABLE:
            return [Entry(_BACK, lambda _at: None)]
        if asking == VOICE:
            return [Entry(_BACK, lambda _at: None), *map(self._wish, VoiceWish)]
        return self._by_hand(asking.removeprefix(BY_HAND).strip())

    def _wish(self, wish: VoiceWish) -> Entry:
        return Entry(MenuItem(wish_says(wish)), lambda _at: self._match.effects.append(AskVoice(wish)))

    def _by_hand(self, word: str) -> list[Entry]:
        """Give the groups of what may be set by hand; with the word of one, the things in it. The way back first."""
        groups = grouped(self._opened.adjustable())
        if word:
            things = [thing for group in groups if group.says == word for thing in group.things]
            return [self._asking(_BACK, BY_HAND), *map(self._thing, things)]
        up = self._asking(_BACK, ELSE) if self._opened.must_choose() else Entry(_BACK, lambda _at: None)
        return [up, *map(self._group, groups)]

    def _group(self, group: Group) -> Entry:
        if len(group.things) == 1:
            return self._thing(group.things[0])
        return self._asking(MenuItem(joined((group.says, "…"), " ")), f"{BY_HAND} {group.says}")

    def _thing(self, thing: Adjustable) -> Entry:
        offer = self._opened.setting(thing)
        return Entry(MenuItem(thing.label, str(thing.value)), lambda at: self._steering.open(offer, at.t_ns))

    def _asking(self, item: MenuItem, asking: str) -> Entry:
        return Entry(item, lambda at: self._steering.ask(asking, at.t_ns))

    def of_play(self, *, has_end: bool = False) -> list[Entry]:
        """Give what can be done while nothing is asked. has_end: with a way out, as the menu does not go by itself."""
        out = [Entry(MenuItem(text("close the menu")), lambda _at: None)] if has_end else []
        found = self._disputes() if self._match.is_over else self._of_race()
        return [*found, *out] if found else []

    def _of_race(self) -> list[Entry]:
        match = self._match
        voice = [self._asking(MenuItem(text("voice …")), VOICE)] if match.settings.speaks else []
        is_collecting = match.stage.is_collecting
        close = text("show the cards") if match.face_down else text("close now")
        entries = [Entry(MenuItem(close), lambda at: match.close(at.t_ns))] if is_collecting else []
        entries += map(self._none_of, laying.may_play_none(match) if match.face_down else ())
        entries += [*self._cards(), *self._optional()]
        if not is_collecting and match.game.can_end(match.judge.state):
            entries.append(Entry(MenuItem(text("end of the game")), lambda at: self._steering.ask("end", at.t_ns)))
        if match.can_be_play():
            entries.append(Entry(MenuItem(text("it was a play")), lambda _at: match.was_play()))
        if can_have_another(match) and match.cards():
            entries.append(
                Entry(MenuItem(text("it had another card")), lambda at: self._steering.ask(ANOTHER, at.t_ns))
            )
        disputes = [] if is_collecting else self._disputes()
        return [*entries, *disputes, *voice, *self._sound()]

    def _sound(self) -> list[Entry]:
        sounds = self._steering.sounds
        return [Entry(sounds.item, lambda _at: sounds.turn())] if sounds.is_there else []

    def _none_of(self, colour: Colour) -> Entry:
        """Give what says of a seat that it plays no card this time."""

        def pick(at: Click) -> None:
            self._steering.notify(laying.play_none(self._match, colour, at.t_ns))

        return Entry(MenuItem(text("plays none"), colour.short), pick)

    def _disputes(self) -> list[Entry]:
        """Give what can be done about protests, last of all: while a race runs, nothing."""
        found = []
        if may_protest(self._match):
            found.append(Entry(MenuItem(text("protest")), lambda at: self._steering.ask(PROTEST, at.t_ns)))
        if (asked := oldest_protest(self._match.history)) is not None and isinstance(asked.line, Protest):
            label = text("answer {colour}'s protest").format(colour=asked.line.colour.short)
            found.append(Entry(MenuItem(label), lambda at: self._steering.ask(ANSWER, at.t_ns)))
        return found

    def _answers(self) -> list[Entry]:
        asked = oldest_protest(self._match.history)
        entries = [Entry(MenuItem(text("not yet")), lambda _at: None)]
        if asked is not None:
            entries.append(
                Entry(MenuItem(text("the ruling stands")), lambda _at: self._answer(asked.number, stands=True))
            )
            entries.append(
                Entry(MenuItem(text("it does not stand")), lambda _at: self._answer(asked.number, stands=False))
            )
        return entries

    def _answer(self, number: int, *, stands: bool) -> None:
        self._steering.notify(answer(self._match, number, "answered at the box", "knob", stands=stands))

    def _reveal(self, option: Option, t_ns: int) -> None:
        self._match.reveal(option, t_ns)
        self._steering.notify(announcing.revealed_says(self._match, option.label))

    def _cards(self, enter: Callable[[Option, int], None] | None = None) -> list[Entry]:
        """Give the cards that can be entered, those first that no button names. enter: what picking one does."""

        def picker(option: Option) -> Callable[[Click], None]:
            return lambda at: (enter or self._reveal)(option, at.t_ns)

        cards = self._match.cards()
        unnamed = [option for option in cards if option.button is None]
        named = [option for option in cards if option.button is not None]
        return [Entry(MenuItem(option.label), picker(option)) for option in unnamed + named]

    def _optional(self) -> list[Entry]:
        """Give what may be decided and need not: what leaves no choice is picked here, other choices are opened."""
        found = [self._optional_entry(offer) for offer in self._opened.optional()]
        things = self._opened.adjustable()
        if len(things) > FEW:
            return [*found, self._asking(MenuItem(text("set by hand …")), BY_HAND)]
        return [*found, *(self._optional_entry(self._opened.setting(thing)) for thing in things)]

    def _optional_entry(self, offer: Offer) -> Entry:
        who = offer.seat.short if offer.seat else ""
        if len(offer.options) == 1 and offer.at_once:
            only = offer.options[0]
            picked = Pick(MenuItem(offer.prompt, who), only.line)
            return Entry(picked.item, lambda at: self._steering.perform(picked, at.t_ns, at.error_ns))
        return Entry(MenuItem(offer.prompt, who), lambda at: self._steering.open(offer, at.t_ns))
