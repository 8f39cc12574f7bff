"""What a seat that plays by a switch is offered at the table: in a match, and in the seating. Changes nothing.

Whatever else a press of such a seat means, it means as a button's does: sitting down, agreeing, protesting where the
box asks who does, playing. Knows no clock, and no game by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.hands.knob import Click
from companion.core.hands.offered import At, Item, Kind, Offered
from companion.core.match.corrections.disputing import may_protest, may_sign, protest, sign
from companion.core.panel import POSITIONS
from companion.core.play.match_entries import PROTEST, MatchEntries
from companion.core.play.match_menus import ButtonPresses
from companion.core.ruling.looks import look_of
from companion.core.ruling.offers import REVEAL
from companion.core.shown.scene import Status
from companion.core.words.texts import joined, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.hands.choosing import Pick
    from companion.core.match.match import Match
    from companion.core.panel import Button, Colour
    from companion.core.play.match_menus import MatchMenus
    from companion.core.play.seating import Lobby
    from companion.core.ruling.offers import Offer
    from companion.core.shown.own_presses import PressFate
    from companion.core.timing.events import Press

NOT_PICKED = "{colour} did not pick: the card that was offered last is played"
TOLD = text("{colour} did not pick: the card that was offered last is played")
_SEATING, _NAMES = "seating", "names"
"""What is offered before a match, by its key."""
BY_SWITCH = "{colour} picked its card by switch scanning"


class AtTheSeating:
    """The seating: who has a seat may change what the knob may, and start. is_covered: something else is shown."""

    def __init__(self, lobby: Lobby, *, is_covered: bool = False) -> None:
        self._lobby, self._is_covered = lobby, is_covered

    def offered(self, colour: Colour) -> Offered | None:
        """Give what is shown: settings, or names; None where that is neither, or one press sits down or agrees."""
        lobby = self._lobby
        if self._is_covered or lobby.measuring.is_on or lobby.asks is not None or lobby.agreement is not None:
            return None
        if colour not in lobby.table.seats:
            return None
        if lobby.sitting.is_open:
            return Offered(Kind.CALLED, _NAMES, lobby.sitting.asks, self._names(), after=_SEATING)

        def picker(pick: Callable[[], None]) -> Callable[[At], None]:
            return lambda _at: pick()

        settings = [one for one in lobby.settings() if one.for_switches]
        items = tuple(Item(one.item.label, picker(one.pick), one.item.value) for one in settings)
        return Offered(Kind.CALLED, _SEATING, text("New match"), items, after=_NAMES)

    def _names(self) -> tuple[Item, ...]:
        """Give who may be named at the seat that is meant, and the way back."""

        def picker(place: int) -> Callable[[At], None]:
            return lambda _at: self._lobby.name(place)

        return tuple(Item(name, picker(place)) for place, name in enumerate(self._lobby.sitting.listed))

    def before(self, press: Press) -> None:  # noqa: ARG002 - as a match is asked
        """Put away what was said of the press before: nothing else is due."""
        self._lobby.notice = ""

    def note(self, button: Button, t_ns: int, fate: PressFate) -> None:
        """Nobody asks."""

    def refuse(self, why: str) -> None:
        """Say it as the seating does."""
        self._lobby.refuse(why)

    def tell(self, says: str) -> None:
        """Say it as the seating does."""
        self._lobby.notice = says


class AtTheMatch:
    """A match. leave: goes back to the seating once it has ended."""

    def __init__(self, menus: MatchMenus, leave: Callable[[], None]) -> None:
        self._menus, self._match, self._leave = menus, menus.match, leave
        self._buttons = ButtonPresses(menus, menus.opened)

    def offered(self, colour: Colour) -> Offered | None:
        """Give what a seat is offered now; None where its press is a play, or answers by itself."""
        match = self._match
        if all(seat.colour is not colour for seat in match.setup.seats):
            return None
        if colour in match.unpicked:
            return self._card(colour)
        if self._menus.asking == PROTEST:
            return None
        if match.stage.is_of_race:
            return self._which_card() if match.stage.asks_card else None
        if match.is_over:
            return self._at_the_end(colour)
        return self._asked(colour) or self._at_once(colour) or self._optional(colour)

    def before(self, press: Press) -> None:
        """Let the match come to just before a press."""
        self._match.advance(press.t_ns - 1)

    def note(self, button: Button, t_ns: int, fate: PressFate) -> None:
        """Have the seat's own page say it."""
        self._menus.made.note(button, t_ns, fate, self._match.lines_written)

    def refuse(self, why: str) -> None:
        """Say it as the menus do."""
        self._menus.refuse(why)

    def tell(self, says: str) -> None:
        """Say it as the menus do."""
        self._menus.notify(says)

    # -- what there is -----------------------------------------------------------------------------------------------

    def _card(self, colour: Colour) -> Offered:
        """Give the cards of a seat whose clock has stopped, in the person's own order."""
        match, how = self._match, self._match.settings.switches[colour]
        faces = look_of(match.game, match.judge.state).buttons
        places = how.in_order(range(max(1, min(len(match.game.roles), len(POSITIONS)))))

        def fixer(place: int) -> Callable[[At], None]:
            return lambda at: self._fix(colour, place, at)

        def called(place: int) -> str:
            return faces[place].label if place < len(faces) else str(match.game.roles[place])

        items = tuple(Item(called(place), fixer(place)) for place in places)
        return Offered(
            Kind.CARD, (Kind.CARD, match.unpicked.of(colour).t_ns), text("Your card"), items, is_private=True
        )

    def _fix(self, colour: Colour, place: int, at: At) -> None:
        says = (BY_SWITCH if at.is_own else NOT_PICKED).format(colour=colour)
        self._match.fix(colour, place, says)
        if not at.is_own:
            self._menus.notify(TOLD.format(colour=colour.short))

    def _asked(self, colour: Colour) -> Offered | None:
        """Give what a seat must choose now, in secret or on the display; None where it is not asked."""
        opened, match = self._menus.opened, self._match
        if private := opened.private_of(colour):
            return self._choice(private, is_private=True) if match.status is not Status.SAVING else None
        asked = self._menus.chosen_now()
        if asked is None:
            return None
        if asked.seat is colour:
            return self._choice([asked]) if asked.required or opened.opened_by is colour else None
        own = [one for one in match.offers() if one.seat is colour and one.required and one.kind != REVEAL]
        return self._choice([one for one in own if not one.at_once][:1])

    def _choice(self, offers: list[Offer], *, is_private: bool = False) -> Offered | None:
        opened = self._menus.opened
        picks = [pick for offer in offers for pick in (opened.seen(offer) if is_private else opened.picks(offer))]
        if not picks:
            return None
        items = tuple(Item(pick.item.label, self._performer(pick, was_shown=not is_private), pick.item.value)
                      for pick in picks)  # fmt: skip
        key = (Kind.ASKED, tuple(opened.progress_of(offer) for offer in offers), _newest(self._match))
        return Offered(Kind.ASKED, key, opened.prompt(offers[0]), items, is_private)

    def _at_once(self, colour: Colour) -> Offered | None:
        """Give what a seat's buttons would do at once; while a race may begin, only what must be chosen."""
        opened, match = self._menus.opened, self._match
        offers = [one for one in opened.at_once(colour) if one.required or match.race is None]
        picks = [pick for offer in offers for pick in opened.picks(offer)]
        if not picks:
            return None
        items = tuple(Item(pick.item.label, self._performer(pick), pick.item.value) for pick in picks)
        is_private = any(offer.is_private for offer in offers)
        return Offered(
            Kind.TIMED,
            (Kind.TIMED, tuple(one.kind for one in offers), _newest(match)),
            offers[0].prompt,
            items,
            is_private,
        )

    def _optional(self, colour: Colour) -> Offered | None:
        """Give what a seat may decide and need not, in a game in which its press is no play."""
        opened, match = self._menus.opened, self._match
        own = [one for one in opened.optional() if one.seat is colour and not one.at_once and match.race is None]
        items = [
            Item(pick.item.label, self._performer(pick), joined(filter(None, (pick.item.value, offer.prompt)), " "))
            for offer in own
            for pick in opened.picks(offer)
        ]
        return Offered(Kind.CALLED, "optional", text("What now?"), tuple(items)) if items else None

    def _which_card(self) -> Offered | None:
        """Give the answers to the question which card was turned."""
        entries = MatchEntries(self._match, self._menus.opened, self._menus).of_card()
        items = tuple(Item(one.item.label, self._as_click(one.pick), one.item.value) for one in entries)
        return Offered(Kind.CALLED, "which card", text("Which card?"), items)

    def _at_the_end(self, colour: Colour) -> Offered:
        """Give what a seat may do when the match is over."""
        match = self._match
        items = []
        if colour in may_sign(match):
            items.append(Item(text("accept the result"), lambda _at: self._menus.notify(sign(match, colour))))
        if colour in may_protest(match):
            items.append(Item(text("protest"), lambda _at: self._menus.notify(protest(match, colour))))
        items.append(Item(text("go to the seating"), lambda _at: self._leave()))
        return Offered(Kind.CALLED, ("end", _newest(match)), text("at the end"), tuple(items))

    # -- what picking does -------------------------------------------------------------------------------------------

    def _performer(self, pick: Pick, *, was_shown: bool = False) -> Callable[[At], None]:
        return lambda at: self._menus.perform(pick, at.t_ns, at.error_ns, was_shown=was_shown)

    def _as_click(self, pick: Callable[[Click], None]) -> Callable[[At], None]:
        return lambda at: pick(Click(at.t_ns, at.error_ns))


def _newest(match: Match) -> int:
    """Give the number of the newest line that did something: the same question is another one after it."""
    doing = match.history.newest_doing()
    return 0 if doing is None else doing.number
