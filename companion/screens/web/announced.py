"""A decision in sentences to be read out: who has it, what there is to choose, which button picks each. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.panel import POSITIONS
from companion.core.play.choosing import picked_at_once, role_name
from companion.core.shown.scene import Choosing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.ruling.offers import Offer
    from companion.core.shown.scene import Body, MenuItem


def must_choose(offer: Offer, who: str) -> str:
    """Say that `who` must decide, and between what ("Red must choose: 1 stone, or 2 stones."); empty where it need not.

    who: with a capital ("Ann (red)", "The referee"). Of a private choice nothing but that there is one.
    """
    if not offer.required:
        return ""
    if offer.is_private:
        return f"{who} must choose secretly."
    if offer.number is not None:
        return f"{who} must choose{_asked(offer)} a number from {offer.number.low} to {offer.number.high}."
    labels = _labels(offer)
    if not labels:
        return f"{who} must choose{_asked(offer)}."
    return f"{who} must choose{_asked(offer)}: {_or(labels)}."


def by_buttons(offer: Offer, body: Body, roles: Sequence[str] = ()) -> str:
    """Say which button picks what ("Red first: 1 stone. Red second: 2 stones."); empty where the box offers none now.

    body: what the box's display shows; a choice has buttons as long as it stands there, or always where they pick it
    at once. roles: what the game calls the buttons.
    """
    if offer.at_once and not offer.is_private:
        named = [
            f"{_places(offer, places, roles)}: {label}." for label, places in picked_at_once(offer, roles) if places
        ]
        return " ".join(named)
    if not isinstance(body, Choosing) or body.seat is not offer.seat or body.is_private or not offer.required:
        return ""
    return " ".join(f"{button}: {_said(item)}." for item in body.menu.items if (button := _button(item, offer)))


def _places(offer: Offer, places: Sequence[int], roles: Sequence[str]) -> str:
    """Say which of a seat's buttons ("Red first or second", "Any of red's buttons")."""
    if len(places) == len(POSITIONS):
        return f"Any of {offer.seat}'s buttons"
    return f"{offer.seat} {_or([str(role_name(roles, place)) for place in places])}".capitalize()


def _button(item: MenuItem, offer: Offer) -> str:
    if item.button is not None:
        return f"{item.button[0].upper()}{item.button[1:]}"
    return f"{offer.seat} {item.role}".capitalize() if item.role is not None and offer.seat is not None else ""


def _said(item: MenuItem) -> str:
    return f"{item.label} {item.value}".strip()


def _asked(offer: Offer) -> str:
    """Give the prompt where it says more than who decides: one that begins with the seat does not."""
    said = offer.prompt
    if not said or (offer.seat is not None and said.startswith(f"{offer.seat.short} ")):
        return ""
    return f" ({said})"


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
    parting = ";" if any("," in label for label in labels) else ","
    return f"{f'{parting} '.join(labels[:-1])}{parting} or {labels[-1]}"
