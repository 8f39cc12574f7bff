"""Players who have nothing but the box: their own buttons, the knob, and what the small display shows.

Every choice is come to as a player would: what the display shows is read, the knob is turned to an item and pushed, or
the button pressed that stands beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.hands.choosing import BACK, picked_at_once, role_name
from companion.core.panel import KNOB_PUSH, POSITIONS, Button
from companion.core.ruling.offers import REVEAL
from companion.core.shown.by_hand import FEW, grouped
from companion.core.shown.scene import Choosing, Final, Lobby, Menu, MenuItem, Question
from tests.whole.playing import Players
from tests.whole.tabled import Stuck, Tabled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.panel import Colour
    from companion.core.ruling.offers import Offer

END = "end of the game"
SETTINGS = (
    "start", "game", "first", "timing", "window", "dead heat", "practice", "how to join", "play by phone",
)  # fmt: skip
"""What the seating asks in every game."""


class AtTheBox(Players):
    """Plays at a table by buttons and knob. colours: the seats that play so; None: all."""

    def __init__(self, table: Tabled, colours: Sequence[Colour] | None = None) -> None:
        super().__init__(table)
        self._box = table.box
        self._colours = table.colours if colours is None else list(colours)

    # -- what hands do -----------------------------------------------------------------------------------------------

    def press(self, colour: Colour, place: int, after_ms: float = 0) -> None:
        """Press a seat's button for a moment."""
        self._box.press(Button(colour, POSITIONS[place]).label, self._box.now_ms + 1)
        self.table.wait(130 + after_ms)

    def turn(self, steps: int) -> None:
        """Turn the knob."""
        if steps:
            self._box.turn(steps, self._box.now_ms + 1)
            self.table.wait(60)

    def push(self) -> None:
        """Push the knob."""
        self._box.click(self._box.now_ms + 1)
        self.table.wait(200)

    def to(self, item: MenuItem | str) -> None:
        """Turn to an item of the menu on the display and push; without a menu there, turning brings one."""
        if getattr(self._box.body, "menu", None) is None:
            self.turn(1)
        menu = self.menu()
        items = [one if isinstance(item, MenuItem) else one.label for one in menu.items]
        assert item in items, f"{item!r} is not in the menu{self.table.says()}"
        self.turn(items.index(item) - menu.cursor)
        self.push()

    def menu(self) -> Menu:
        """Give the menu on the display; there must be one."""
        menu = getattr(self._box.body, "menu", None)
        assert isinstance(menu, Menu), f"no menu{self.table.says()}"
        return menu

    def open_menu(self) -> list[str]:
        """Turn the knob, and give what it shows then; [] where it shows no menu."""
        if getattr(self._box.body, "menu", None) is None:
            self.turn(1)
        menu = getattr(self._box.body, "menu", None)
        return [item.label for item in menu.items] if menu is not None else []

    # -- the seating -------------------------------------------------------------------------------------------------

    def sit_down(self) -> None:
        """Take the seats by a press each, answer what the game asks by the knob, and start."""
        for colour in self.table.colours:
            self.press(colour, self.random.randrange(4))
        for item in self._lobby().menu.items:
            if item.label not in SETTINGS:
                self._set(item.label)
        if not self.start():  # those settings do not go together
            for item in self._lobby().menu.items:
                if item.label not in SETTINGS:
                    self._set_default(item.label)
            assert self.start(), self.table.says()

    def start(self) -> bool:
        """Push "start", agree where everybody must, and tell whether a match has begun."""
        self.to("start")
        if isinstance(body := self._box.body, Question) and body.missing:
            for colour in body.missing:
                self.press(colour, 0)
        return self._box.session.match is not None

    def _lobby(self) -> Lobby:
        body = self._box.body
        assert isinstance(body, Lobby), self.table.says()
        return body

    def _set(self, label: str) -> None:
        for _ in range(self.random.randrange(4)):
            self.to(label)

    def _set_default(self, label: str) -> None:
        """Push until it says what the game would have without being asked."""
        (parameter,) = (one for one in self.table.game.parameters if one.label == label)
        for _ in range(2000):
            table = self._box.session.table
            is_on = parameter.key in table.variants
            value = is_on if parameter.is_variant else table.parameters.get(parameter.key, parameter.default)
            if value == parameter.default:
                return
            self.to(label)
        raise Stuck(f"{label} never says {parameter.default}")

    def look_up(self) -> None:
        """See what has changed: the display is looked at where something is done."""

    # -- races -------------------------------------------------------------------------------------------------------

    def race_on(self) -> None:
        """Press for a seat that has not pressed, close the race, or let its time pass."""
        match = self.table.match
        free = [colour for colour in self._colours if colour not in [press.colour for press in match.presses()]]
        if free and self.random.random() < 0.7:
            self.press(self.random.choice(free), self.random.randrange(max(len(match.game.roles), 1)))
        elif match.stage.is_collecting and "close now" in self.open_menu():
            self.to("close now")
        else:
            self.table.wait(3500)

    def name_card(self) -> None:
        """Answer which card was turned."""
        self.to(self.random.choice(self.menu().items))

    def reveal(self, offer: Offer) -> None:
        """Enter a card: hold the knob and press its button, or find it in the knob's menu."""
        option = self.random.choice(offer.options)
        self.table.done.add(offer.kind)
        if option.button is not None and self.random.random() < 0.6:
            at_ms = self._box.now_ms
            self._box.edge(KNOB_PUSH, True, at_ms + 1)
            self._box.press(option.button.label, at_ms + 100)
            self._box.edge(KNOB_PUSH, False, at_ms + 250)
            self.table.wait(450)
        elif option.label in self.open_menu():
            self.to(option.label)
        else:
            raise Stuck(f"{option.label} is not in the knob's menu{self.table.says()}")

    # -- choices -----------------------------------------------------------------------------------------------------

    def answer(self, offer: Offer) -> None:
        """Make a choice; what it records is one of those that were on offer."""
        before = len(self._box.lines)
        if offer.at_once and offer.seat is not None and _places(offer, self.table.game.roles):
            self.answer_at_once(offer)
        elif offer.is_private:
            self.answer_blind(offer)
        elif (shown := self.displayed(offer)) is not None:
            offer = shown
            self.answer_shown(offer)
        if len(self._box.lines) > before:
            self.table.done.add(offer.kind)

    def answer_at_once(self, offer: Offer) -> None:
        """One press of a seat's own button picks it, whatever is on the display."""
        colour, before = self.table.colour_of(offer), len(self._box.lines)
        self.press(colour, self.random.choice(_places(offer, self.table.game.roles)))
        assert len(self._box.lines) > before, f"a press did not pick {offer.kind} of {colour}{self.table.says()}"

    def answer_blind(self, offer: Offer) -> None:
        """Pick of a private choice by own buttons, as one's own phone, or nobody but oneself, knows them."""
        colour = self.table.colour_of(offer)
        roles = [role_name(self.table.game.roles, index) for index in range(4)]
        for _ in range(40):
            secrets = [one for one in self._box.session.snapshot(0).secrets if one.seat is colour]
            items = [item for secret in secrets for item in secret.items]
            unnamed = [item.label for item in items if item.role not in roles]
            assert items, f"nothing to be chosen in secret{self.table.says()}"
            assert unnamed == [], f"no button of {colour} picks {unnamed} of {offer.kind}{self.table.says()}"
            before = self._box.lines[:]
            item = self.random.choice([one for one in items if one.label != BACK])
            self.press(colour, roles.index(item.role), 300)
            if self._box.lines != before:
                return
        raise Stuck(f"{offer.kind} is never complete{self.table.says()}")

    def displayed(self, offer: Offer) -> Offer | None:
        """Bring a choice onto the display; give the one that is there then, None where there is none."""
        shown = self._shown()
        if shown is None and not offer.required:
            label = next((item for item in self._items() if (item.label, item.value) == _named(offer)), None)
            if label is None:
                raise Stuck(f"{offer.prompt} is not in the knob's menu{self.table.says()}")
            self.to(label)
        elif shown is not None and offer.seat is not None and shown.seat is not offer.seat:
            self.press(offer.seat, self.random.randrange(4))
        self.table.wait(1600)
        return self._shown()

    def _shown(self) -> Offer | None:
        """Give the offer whose choice is on the display."""
        body = self._box.body
        if not isinstance(body, Choosing):
            return None
        own = [offer for offer in self.table.match.offers() if offer.seat is body.seat and offer.kind != REVEAL]
        return next((offer for offer in own if offer.prompt == body.menu.title), own[0] if own else None)

    def _items(self) -> list[MenuItem]:
        self.open_menu()
        return list(self.menu().items)

    def answer_shown(self, offer: Offer) -> None:
        """Pick from the menu on the display until the choice is complete."""
        before = len(self._box.lines)
        for _ in range(40):
            body = self._box.body
            if not isinstance(body, Choosing) or len(self._box.lines) > before:
                return
            if offer.number is not None and offer.number.high - offer.number.low >= 4:
                self._count(offer)
                continue
            items = [item for item in body.menu.items if item.label != BACK or self.random.random() < 0.05]
            self._pick(body, self.random.choice(items))
        raise Stuck(f"{offer.kind} is never complete{self.table.says()}")

    def _pick(self, body: Choosing, item: MenuItem) -> None:
        """Pick an item by the button beside it, where there is one and whoever has it likes; else by the knob."""
        by_button = self.random.random() < 0.7
        roles = [role_name(self.table.game.roles, index) for index in range(4)]
        if by_button and item.button is not None:
            self._box.press(item.button, self._box.now_ms + 1)
            self.table.wait(250)
        elif by_button and item.role in roles and body.seat is not None:
            self.press(body.seat, roles.index(item.role), 120)
        else:
            self.to(item)
            self.table.wait(50)

    def _count(self, offer: Offer) -> None:
        """Count to a number by own buttons, or by the knob, and enter it."""
        entry, body = offer.number, self._box.body
        assert entry is not None
        assert isinstance(body, Choosing)
        wanted = self.random.choice((entry.low, entry.high, self.random.randint(entry.low, entry.high)))
        wanted = min(wanted, entry.low + 12) if body.seat is not None and self.random.random() < 0.8 else wanted
        far = wanted - int(body.menu.items[0].value)
        buttons = [item.role for item in body.menu.items if item.role is not None]
        if body.seat is None or len(buttons) < 4 or abs(far) > 30 or self.random.random() < 0.3:
            self.turn(far)
        else:
            for place, step in ((2, 10), (1, 1), (0, -1)):
                while far >= step > 0 or far <= step < 0:
                    self.press(body.seat, place, 30)
                    far -= step
        body = self._box.body
        assert isinstance(body, Choosing), self.table.says()
        assert body.menu.items[0].value == str(wanted), self.table.says()
        self._pick(body, body.menu.items[0])

    def set_by_hand(self) -> None:
        """Set something by the knob that the box cannot know."""
        match = self.table.match
        if isinstance(self._box.body, Choosing) and not self._more():
            return
        things = match.game.adjustable(match.judge.state)
        one = self.random.choice(things)
        label = f"set {one.label}"
        if len(things) > FEW:
            self.to("set by hand …")
            group = next(group for group in grouped(things) if one in group.things)
            label = one.label
            if len(group.things) > 1:
                self.to(f"{group.says} …")
        if label not in self.open_menu():
            raise Stuck(f"{label!r} is not in the knob's menu{self.table.says()}")
        self.to(label)
        self.turn(self.random.randint(0, 3))
        self.push()

    def _more(self) -> bool:
        """Turn to "more …", past all that can be chosen, and push; False where this choice has come too far for it."""
        for _ in range(40):
            self.turn(-1)
            body = self._box.body
            if not isinstance(body, Choosing):
                return False
            if body.more:
                self.push()
                return True
        must = [offer for offer in self.table.required() if offer.seat is body.seat]
        assert body.page or not must or body.menu.title not in [offer.prompt for offer in must], self.table.says()
        return False

    # -- back, and the end -------------------------------------------------------------------------------------------

    def take_back(self) -> None:
        """Hold the knob for a second, and say yes."""
        self._box.press(KNOB_PUSH, self._box.now_ms + 1, 1200)
        self.table.wait(1500)
        if isinstance(self._box.body, Question):
            self.to("yes")

    def end(self) -> None:
        """End the game by the knob's menu."""
        if END not in self.open_menu():
            raise Stuck(f"{END!r} is not in the knob's menu{self.table.says()}")
        self.to(END)
        self.to("yes")

    def accept(self) -> None:
        """Everybody accepts the result by a press of their own, once it has been seen."""
        for colour in self._colours:
            self.press(colour, 0)
        body = self._box.body
        assert isinstance(body, Final), self.table.says()
        assert set(body.signed) >= set(self._colours)


def _places(offer: Offer, roles: Sequence[str]) -> list[int]:
    """Give which of its seat's buttons pick something of an offer by one press."""
    return [place for _, places in picked_at_once(offer, roles) for place in places]


def _named(offer: Offer) -> tuple[str, str]:
    return offer.prompt, offer.seat.short if offer.seat else ""
