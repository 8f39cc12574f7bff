"""What may or must be decided, as documents: for everybody, and for the one seat that a private choice is shown to.

Pure; knows no wire and no game by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.errors import Illegal
from companion.core.hands.choosing import role_name
from companion.core.panel import POSITIONS
from companion.core.play.commands import next_step
from companion.core.ruling.looks import PLAIN
from companion.core.ruling.offers import Step
from companion.core.words.texts import capital, text
from companion.screens.speech.announced import by_buttons, must_choose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.panel import Colour
    from companion.core.play.snapshot import InHand, Running, Secret, Snapshot
    from companion.core.ruling.looks import Look
    from companion.core.ruling.offers import Offer, Option
    from companion.core.shown.scene import Body

Document = dict[str, Any]

NO_SEED = text("This box cannot show it: the seed that it was drawn from is not kept here. It is known at the end.")
"""What a seat is told of what it holds, where the match was begun on another box, or its seed was lost."""


def offer_document(
    offer: Offer, who: str = "", body: Body | None = None, roles: Sequence[str] = (), look: Look = PLAIN
) -> Document:
    """Give what may or must be decided, with a key for each option; of a private one only that there is something.

    who: decides, with a capital, the seat's colour where left out. body: what the box's display shows, None: nothing.
    roles: what the record calls the buttons. look: what the game calls them for people.
    """
    who = who or (capital(offer.seat.says) if offer.seat is not None else text("The referee"))
    number, chance = (None, None) if offer.is_private else (offer.number, offer.chance)
    return {
        "kind": offer.kind,
        "seat": offer.seat,
        "prompt": offer.prompt,
        "required": offer.required,
        "private": offer.is_private,
        "at_once": offer.at_once,
        "options": [] if offer.is_private else [_option(option) for option in offer.options],
        "number": None if number is None else {"low": number.low, "high": number.high},
        "chance": None if chance is None else {"outcomes": list(chance.outcomes), "count": chance.count},
        "stepped": offer.is_stepped,
        "says": must_choose(offer, who),
        "by_buttons": "" if body is None else by_buttons(offer, body, roles, look),
    }


def _option(option: Option) -> Document:
    return {
        "key": option.key,
        "label": option.label,
        "group": option.group or option.key,
        "group_label": option.group_label or option.label,
        "button": option.button.label if option.button else None,
        "also": [button.label for button in option.also],
    }


def step_document(running: Running, kind: str, seat: Colour | None, chosen: tuple[str, ...]) -> Document:
    """Give the next field of a choice of many fields after the values `chosen`, or what they come to.

    Raises Illegal where that is not to be chosen now, is private, has no such fields, or a value is not on offer.
    """
    offers = running.game.offers(running.state)
    offer = next((offer for offer in offers if (offer.kind, offer.seat) == (kind, seat)), None)
    if offer is None or not offer.is_stepped:
        raise Illegal(text("that is not to be chosen now, field by field"))
    if offer.is_private:
        raise Illegal(text("that is chosen secretly, by a button of one's own"))
    step = next_step(running.game, running.state, offer, chosen)
    if isinstance(step, Step):
        values = [{"key": value.key, "label": value.label} for value in step.values]
        return {"done": False, "prompt": step.prompt, "values": values, "says": ""}
    return {"done": True, "prompt": "", "values": [], "says": running.game.describe(step)}


def secrets_document(snapshot: Snapshot, seat: Colour | None) -> list[Document]:
    """Give the private choices of a seat with what each of its buttons picks: for that seat's own eyes alone."""
    if seat is None or snapshot.match is None:
        return []
    roles = snapshot.match.game.roles
    return [_secret(secret, roles) for secret in snapshot.secrets if secret.seat is seat]


def in_hand_document(snapshot: Snapshot, seat: Colour | None) -> list[Document]:
    """Give what a seat has drawn unseen and still holds: for that seat's own eyes alone."""
    return [_in_hand(one) for one in snapshot.in_hand if seat is not None and one.seat is seat]


def _in_hand(one: InHand) -> Document:
    if one.items is None:
        return {"label": one.label, "items": [], "note": NO_SEED}
    return {"label": one.label, "items": list(one.items), "note": ""}


def _secret(secret: Secret, roles: Sequence[str]) -> Document:
    buttons = {role_name(roles, index): f"{secret.seat} {position}" for index, position in enumerate(POSITIONS)}
    items = [{"button": buttons.get(item.role), "label": item.label, "value": item.value} for item in secret.items]
    return {"prompt": secret.prompt, "items": items}
