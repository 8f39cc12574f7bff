"""A decision in sentences to be read out: who has it, what there is to choose, which button picks each. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.hands.choosing import picked_at_once, role_name
from companion.core.panel import POSITIONS, Colour
from companion.core.ruling.looks import PLAIN
from companion.core.shown.scene import Choosing
from companion.core.words.texts import capital, joined, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.core.ruling.looks import Look
    from companion.core.ruling.offers import Offer
    from companion.core.shown.scene import Body, MenuItem
    from companion.core.words.texts import Text
    from companion.screens.everybody.public import PublicSeat


def who_decides(seats: Iterable[PublicSeat], colour: Colour | None) -> str:
    """Give a seat with its player's name, with a capital ("Ann (red)", "Red"); the referee for none."""
    if colour is None:
        return text("The referee")
    seat = next((one for one in seats if one.colour is colour), None)
    name = seat and (seat.name or seat.title)
    return text("{name} ({colour})").format(name=name, colour=colour) if name else capital(colour)


def must_choose(offer: Offer, who: str) -> str:
    """Say that `who` must decide, and between what ("Red must choose: 1 stone, or 2 stones."); empty where it need not.

    who: with a capital ("Ann (red)", "The referee"). Of a private choice nothing but that there is one.
    """
    if not offer.required:
        return ""
    if offer.is_private:
        return text("{who} must choose secretly.").format(who=who)
    asked = _asked(offer)
    if offer.number is not None:
        low, high = offer.number.low, offer.number.high
        if asked:
            said = text("{who} must choose ({asked}) a number from {low} to {high}.")
            return said.format(who=who, asked=asked, low=low, high=high)
        return text("{who} must choose a number from {low} to {high}.").format(who=who, low=low, high=high)
    labels = _labels(offer)
    if not labels:
        return _choose(text("{who} must choose."), text("{who} must choose ({asked})."), who=who, asked=asked)
    return _choose(
        text("{who} must choose: {options}."), text("{who} must choose ({asked}): {options}."),
        who=who, asked=asked, options=_or(labels),
    )  # fmt: skip


def _choose(plain: Text, prompted: Text, *, asked: str, **values: str) -> Text:
    return prompted.format(asked=asked, **values) if asked else plain.format(**values)


def by_buttons(offer: Offer, body: Body, roles: Sequence[str] = (), look: Look = PLAIN) -> str:
    """Say which button picks what ("Red first: 1 stone. Red second: 2 stones."); empty where the box offers none now.

    body: what the box's display shows; a choice has buttons as long as it stands there, or always where they pick it
    at once. roles: what the record calls the buttons. look: what the game calls them for people.
    """
    said = text("{button}: {option}.")
    if offer.at_once and not offer.is_private:
        named = ((label, places) for label, places in picked_at_once(offer, roles) if places)
        return _after(said.format(button=_places(offer, places, roles, look), option=label) for label, places in named)
    if not isinstance(body, Choosing) or body.seat is not offer.seat or body.is_private or not offer.required:
        return ""
    buttons = ((_button(item, offer, look), item_says(item, look)) for item in body.menu.items)
    return _after(said.format(button=button, option=option) for button, option in buttons if button)


def _after(sentences: Iterable[str]) -> str:
    found = tuple(sentences)
    return joined(found, " ") if found else ""


def _places(offer: Offer, places: Sequence[int], roles: Sequence[str], look: Look) -> str:
    """Say which of a seat's buttons ("Red first or second", "Any of red's buttons")."""
    if len(places) == len(POSITIONS):
        return text("Any of {colour}'s buttons").format(colour=offer.seat)
    names = _or([look.button_says(str(role_name(roles, place))) for place in places])
    return capital(text("{colour} {button}").format(colour=offer.seat, button=names))


def _button(item: MenuItem, offer: Offer, look: Look) -> str:
    if item.button is not None:
        colour, _, role = item.button.partition(" ")
        return _of(Colour(colour), role, look) if colour in list(Colour) else capital(item.button)
    if item.role is None or offer.seat is None:
        return ""
    return _of(offer.seat, item.role, look)


def _of(colour: Colour, role: str, look: Look) -> str:
    return capital(text("{colour} {button}").format(colour=colour, button=look.button_says(role)))


def item_says(item: MenuItem, look: Look) -> str:
    """Say an item of a menu with its value."""
    label = look.says(item.label)  # a card that its own button names is called as the record has it
    return text("{label} {value}").format(label=label, value=item.value) if item.value else label


def _asked(offer: Offer) -> str:
    """Give the prompt where it says more than who decides: one that begins with the seat does not."""
    said = offer.prompt
    return "" if offer.seat is not None and said.startswith(f"{offer.seat.short} ") else said


def _labels(offer: Offer) -> list[str]:
    """Give what can be chosen first: the groups of the options, by their own words where there is only one in them."""
    groups: dict[str, list[str]] = {}
    for option in offer.options:
        groups.setdefault(option.group or option.key, []).append(option.label)
    named = {option.group: option.group_label for option in offer.options if option.group}
    if len(groups) == 1:
        return [option.label for option in offer.options]
    return [found[0] if len(found) == 1 else named.get(group) or group for group, found in groups.items()]


def _or(labels: Sequence[str]) -> str:
    """List choices; parted by semicolons where one has a comma itself."""
    if len(labels) == 1:
        return labels[0]
    is_long = any("," in label for label in labels)
    said = text("{options}; or {last}") if is_long else text("{options}, or {last}")
    return said.format(options=joined(labels[:-1], "; " if is_long else ", "), last=labels[-1])
