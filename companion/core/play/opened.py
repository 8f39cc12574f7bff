"""Which offer of a match is open at the box, and how far its choice has come. Knows no knob and no display."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.core.hands.choosing import (
    Pick,
    Progress,
    Roll,
    begun,
    counted_on,
    is_counted,
    is_of,
    is_possible,
    own_buttons,
    picks,
    role_name,
    seen_picks,
    without_buttons,
)
from companion.core.match.match_record import Remembered
from companion.core.panel import BUTTON_BY_LABEL, POSITIONS
from companion.core.play.snapshot import Secret
from companion.core.record.lines import ByHand
from companion.core.ruling.looks import role_says
from companion.core.ruling.offers import REVEAL, NumberEntry, Offer, Step
from companion.core.shown.scene import Status
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.core.match.match import Match
    from companion.core.panel import Button, Colour
    from companion.core.record.lines import Line
    from companion.core.ruling.game import Adjustable
    from companion.core.timing.events import Press


DEEPEST = 2
"""So many groups within each other a scanned card is looked for in."""


class OpenedOffers:
    """The offers of one match as somebody at the box makes them.

    progress: of the choice that was opened or begun. opened_by: the seat whose button opened it, None: the knob did.
    gone: the buttons that named a choice to be made at once which is gone by the newest such press; gone_until_ns: a
    press of theirs up to then was meant for it.
    """

    def __init__(self, match: Match) -> None:
        self._match = match
        self.progress: Progress | None = None
        self.opened_by: Colour | None = None
        self.gone: frozenset[str] = frozenset()
        self.gone_until_ns = 0
        self._remembered = Remembered()

    def asked(self) -> Offer | None:
        """Give the choice that is on the display: the one that somebody opened, else the first that must be made."""
        offers = self._match.offers()
        if self.progress is not None:
            for offer in (*offers, *self._by_hand()):
                if is_of(self.progress, offer):
                    return offer
        return next((offer for offer in offers if offer.required), None)

    def optional(self) -> list[Offer]:
        """Give what may be decided and need not, cards aside."""
        return [offer for offer in self._match.offers() if offer.kind != REVEAL and not offer.required]

    def must_choose(self) -> bool:
        """Tell whether something must be decided now."""
        return any(offer.required for offer in self._match.offers())

    def private_of(self, colour: Colour) -> list[Offer]:
        """Give the private offers of a seat, which its buttons pick whatever is on the display."""
        return [offer for offer in self._match.offers() if offer.is_private and offer.seat is colour]

    def at_once(self, colour: Colour | None = None) -> list[Offer]:
        """Give what a seat's buttons (None: anybody's) pick by one press, whatever is on the display."""
        return [offer for offer in self._match.offers() if offer.at_once and colour in (None, offer.seat)]

    def named_at_once(self) -> frozenset[str]:
        """Give the buttons that pick something by one press now, whatever is on the display."""
        roles = self._match.game.roles
        return frozenset().union(
            *(own_buttons(pick, offer.seat, roles) for offer in self.at_once() for pick in self.picks(offer))
        )

    def keep_what_fits(self, progress: Progress | None) -> None:
        """Go on with a choice that was begun, where what has come between has taken nothing of it away."""
        match = self._match
        if self.progress is not None or progress is None:
            return
        offer = next((one for one in (*match.offers(), *self._by_hand()) if is_of(progress, one)), None)
        if offer is not None and is_possible(match.game, match.judge.state, offer, progress):
            self.progress = progress

    def secrets(self) -> tuple[Secret, ...]:
        """Give the private choices there are now, each for its own seat's eyes alone; () until all is durable."""
        match = self._match
        if match.status is Status.SAVING:
            return ()
        return tuple(
            Secret(offer.seat, self.prompt(offer), tuple(pick.item for pick in self.seen(offer)))
            for offer in match.offers()
            if offer.is_private and offer.seat is not None
        )

    def seen(self, offer: Offer) -> list[Pick]:
        """Give what can be picked of an offer now, as whoever decides may see it."""
        return self._found(seen_picks, offer)

    def progress_of(self, offer: Offer) -> Progress:
        """Give how far the choice of an offer has come."""
        return self.progress if self.progress is not None and is_of(self.progress, offer) else begun(offer)

    def prompt(self, offer: Offer) -> str:
        """Give what is asked now: where a choice has many fields, the next of them."""
        if not offer.is_stepped:
            return offer.prompt
        step = self._match.game.step(self._match.judge.state, offer, self.progress_of(offer).chosen)
        return step.prompt if isinstance(step, Step) else offer.prompt

    def picks(self, offer: Offer) -> list[Pick]:
        """Give what can be picked of an offer now."""
        found = self._found(picks, offer)
        if offer.at_once or offer.required or self.opened_by is offer.seat or not (taken := self.named_at_once()):
            return found
        return [without_buttons(pick, taken, offer.seat, self._match.game.roles) for pick in found]

    def _found(self, find: Callable[..., list[Pick]], offer: Offer) -> list[Pick]:
        """Give what `find` finds to be picked now; a display asks for it several times in every turn."""
        match, progress = self._match, self.progress_of(offer)
        known = self._said()
        key = (find, offer.kind, offer.seat, progress, match.can_roll)
        if key not in known:
            known[key] = find(match.game, match.judge.state, offer, progress, can_roll=match.can_roll)
        found: list[Pick] = known[key]
        return found

    def _said(self) -> dict[object, Any]:
        """Give what has been worked out in the state that the game is in."""
        return self._remembered.of(self._match.game, self._match.judge.state)

    def pick_by(self, press: Press, offer: Offer) -> Pick | None:
        """Give what a button picks of an offer; None where it picks nothing."""
        button = BUTTON_BY_LABEL[press.line]
        is_own, role = offer.seat is button.colour, role_of_button(self._match, button)
        return next(
            (pick for pick in self.picks(offer) if press.line in pick.buttons or (is_own and pick.item.role == role)),
            None,
        )

    def by_card(self, offer: Offer, card: str) -> list[Line | Progress | Roll | None]:
        """Give what a card picks of an offer now: the value of the field that is asked, or what is about it.

        Values may be in groups that are asked for first: a card that is in one alone picks its group with it.
        """
        if not offer.is_stepped:
            return [option.line for option in offer.options if getattr(option.line, "card", None) == card]
        progress = self.progress_of(offer)
        ways = list(self._ways_to(card, offer, progress.chosen, DEEPEST))
        if not ways or (len(ways) > 1 and len(ways[0]) > len(progress.chosen) + 1):
            return []
        after = self._match.game.step(self._match.judge.state, offer, ways[0])
        return [replace(progress, chosen=ways[0]) if isinstance(after, Step) else after]

    def asked_before(self, offer: Offer, card: str) -> str:
        """Give what must be chosen of an offer before a card picks its value; empty where the card is not in it."""
        if not offer.is_stepped or self.by_card(offer, card):
            return ""
        is_in_it = any(self._ways_to(card, offer, self.progress_of(offer).chosen, DEEPEST))
        return self.prompt(offer) if is_in_it else ""

    def _ways_to(self, card: str, offer: Offer, chosen: tuple[str, ...], deeper: int) -> Iterator[tuple[str, ...]]:
        """Give all values to be chosen so that the last of them is this card, the shortest way first."""
        step = self._match.game.step(self._match.judge.state, offer, chosen)
        keys = [value.key for value in step.values] if isinstance(step, Step) else []
        if card in keys:
            yield (*chosen, card)
        elif deeper:
            for key in keys:
                yield from self._ways_to(card, offer, (*chosen, key), deeper - 1)

    def next_of(self, colour: Colour) -> Offer | None:
        """Give the choice that a seat's press brings onto the display: its first, or the one after what is there."""
        offers = [offer for offer in self._match.offers() if offer.seat is colour and not offer.at_once]
        own = [offer for offer in offers if offer.kind != REVEAL]
        if not own:
            return None
        now = self.asked()
        known = [(offer.kind, offer.seat) for offer in own]  # the functions in an offer are others each time
        key = None if now is None else (now.kind, now.seat)
        return own[(known.index(key) + 1) % len(own)] if key in known else own[0]

    def count_on(self, steps: int, *, is_below: bool) -> bool | None:
        """Count a number that is being entered; tell whether the knob is below its lowest then.

        One that must be entered has that place for all else. is_below: it was there before. None: none is counted.
        """
        offer = self.asked()
        if offer is None or offer.number is None or not is_counted(offer.number):
            return None
        progress = self.progress_of(offer)
        now = offer.number.begins_at if progress.number is None else progress.number
        if steps < 0 and (is_below or (offer.required and now == offer.number.low)):
            return True
        self.progress = counted_on(offer.number, progress, steps - is_below)
        return False

    def put_away(self) -> None:
        """Forget a choice that somebody opened and need not make."""
        asked = self.asked()
        if asked is not None and not asked.required:
            self.progress = None

    def adjustable(self) -> tuple[Adjustable, ...]:
        """Give what the referee may set by hand."""
        known = self._said()
        if "adjustable" not in known:
            known["adjustable"] = self._match.game.adjustable(self._match.judge.state)
        things: tuple[Adjustable, ...] = known["adjustable"]
        return things

    def setting(self, thing: Adjustable) -> Offer:
        """Give the offer by which a thing is set by hand."""

        def line(value: int) -> ByHand:
            return ByHand(set=thing.key, value=value, reason="at the box", by="knob")

        entry = NumberEntry(thing.low, thing.high, line, thing.value)
        return Offer(
            f"by hand: {thing.key}", None, text("set {thing}").format(thing=thing.label), number=entry, required=False
        )

    def _by_hand(self) -> list[Offer]:
        """Give what the referee may set by hand, as offers of a number."""
        known = self._said()
        if "by hand" not in known:
            known["by hand"] = [self.setting(thing) for thing in self.adjustable()]
        offers: list[Offer] = known["by hand"]
        return offers


def button_says(match: Match, button: Button, colour: str) -> str:
    """Give a button for people; `colour`: how its seat is called there."""
    role = role_says(match.game, match.game.roles, role_of_button(match, button))
    return text("{colour} {button}").format(colour=colour, button=role)


def role_of_button(match: Match, button: Button) -> str:
    """Give what the game of a match calls a button: its role, else its place."""
    return str(role_name(match.game.roles, POSITIONS.index(button.position)))
