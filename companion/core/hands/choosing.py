"""Offers as menus: what can be picked of one now, by knob or by button, and what picking it does. Pure values.

A choice may take several picks: a group and then its detail, the fields of a stepped offer, a number that is counted
up and entered, a hand of cards that were drawn by hand. `Progress` holds what has been picked so far; nothing is
recorded before the choice is complete, and going a step back is no line. Knows no display and no game by name.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.core.panel import POSITIONS
from companion.core.record.lines import Line
from companion.core.ruling.offers import Offer, Option, Step
from companion.core.shown.scene import MenuItem
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.core.panel import Button, Colour
    from companion.core.ruling.game import Game
    from companion.core.ruling.offers import NumberEntry, Value

FEW = len(POSITIONS)
"""So many values can each have a button of the deciding player's own."""
BACK = text("back")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a choice has come.

    kind, seat: of the offer it is about. group: the group of options chosen so far, None before. chosen: the values of
    a stepped offer, or what has been drawn by hand. number: counted up to so far, None before the first count.
    """

    kind: str
    seat: Colour | None
    group: str | None = None
    chosen: tuple[str, ...] = ()
    number: int | None = None

    @property
    def has_begun(self) -> bool:
        """Tell whether there is a step that could be taken back."""
        return self.group is not None or bool(self.chosen)


@dataclass(frozen=True, slots=True)
class Roll:
    """Let the box roll or draw what `offer` asks for; result: what was rolled by hand instead."""

    offer: Offer
    result: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Pick:
    """Something that can be picked: how it is shown, what follows, and the labels of the buttons that pick it too.

    act: the line that is recorded, the progress that is made, the roll that is asked for; None goes out of the choice.
    """

    item: MenuItem
    act: Line | Progress | Roll | None
    buttons: frozenset[str] = frozenset()


def begun(offer: Offer) -> Progress:
    """Give the progress of an offer of which nothing has been picked yet."""
    return Progress(offer.kind, offer.seat)


def is_of(progress: Progress, offer: Offer) -> bool:
    """Tell whether a progress belongs to an offer."""
    return (progress.kind, progress.seat) == (offer.kind, offer.seat)


def is_possible(game: Game[Any], state: Any, offer: Offer, progress: Progress) -> bool:
    """Tell whether what was picked of an offer so far can still be picked of it."""
    if offer.number is not None:
        return progress.number is None or offer.number.low <= progress.number <= offer.number.high
    if offer.is_stepped:
        return all(_is_on_offer(game, state, offer, progress.chosen[:n]) for n in range(1, len(progress.chosen) + 1))
    if offer.chance is not None:
        return not Counter(progress.chosen) - Counter(offer.chance.outcomes)
    return progress.group is None or progress.group in _grouped(offer.options)


def _is_on_offer(game: Game[Any], state: Any, offer: Offer, chosen: tuple[str, ...]) -> bool:
    step = game.step(state, offer, chosen[:-1])
    return isinstance(step, Step) and any(value.key == chosen[-1] for value in step.values)


def own_buttons(pick: Pick, seat: Colour | None, roles: Sequence[str]) -> frozenset[str]:
    """Give the labels of a seat's own buttons that pick something of its choice; none where it is nobody's."""
    if seat is None:
        return frozenset()
    own = {role_name(roles, index): f"{seat} {position}" for index, position in enumerate(POSITIONS)}
    by_role = own.get(pick.item.role) if pick.item.role is not None else None
    return pick.buttons & set(own.values()) | ({by_role} if by_role is not None else set())


def picked_at_once(offer: Offer, roles: Sequence[str]) -> list[tuple[str, tuple[int, ...]]]:
    """Give what its seat's buttons pick of an offer to be picked at once: a text, and the places of those buttons."""
    own = [f"{offer.seat} {position}" for position in POSITIONS]
    labels = {option.line: option.label for option in offer.options}
    found = []
    for pick in _options(offer, begun(offer), roles):
        by = own_buttons(pick, offer.seat, roles)
        label = labels.get(pick.act, pick.item.label) if isinstance(pick.act, Line) else pick.item.label
        found.append((label, tuple(place for place, button in enumerate(own) if button in by)))
    return found


def without_buttons(pick: Pick, taken: frozenset[str], seat: Colour | None, roles: Sequence[str]) -> Pick:
    """Give a pick that none of the seat's buttons `taken` makes, as something else is on them."""
    if not own_buttons(pick, seat, roles) & taken:
        return pick
    return replace(pick, item=replace(pick.item, role=None, button=None), buttons=pick.buttons - taken)


def picks(game: Game[Any], state: Any, offer: Offer, progress: Progress, *, can_roll: bool) -> list[Pick]:
    """Give what can be picked now, as everybody may see it. can_roll: whether the box has a seed to roll from."""
    found = seen_picks(game, state, offer, progress, can_roll=can_roll)
    return [_blind(pick) for pick in found] if offer.is_private else found


def seen_picks(game: Game[Any], state: Any, offer: Offer, progress: Progress, *, can_roll: bool) -> list[Pick]:
    """Give what can be picked now, the way back last, as the deciding seat alone may see it where it is private."""
    if offer.number is not None:
        found = _numbers(offer.number, progress, game.roles)
    elif offer.chance is not None:
        found = _chances(offer, progress, game.roles, can_roll=can_roll)
    elif offer.is_stepped:
        found = _steps(game, state, offer, progress)
    else:
        found = _options(offer, progress, game.roles)
    if progress.has_begun:
        found.append(_way_back(found, progress, game.roles))
    return [_on_own(pick, index, game.roles) for index, pick in enumerate(found)] if offer.is_private else found


def role_name(roles: Sequence[str], index: int) -> str | None:
    """Give what button number `index` (0 to 3) is called: the game's name, or its place; None where there is none."""
    if index < len(roles):
        return roles[index]
    return POSITIONS[index] if index < len(POSITIONS) else None


def counted_on(entry: NumberEntry, progress: Progress, steps: int) -> Progress:
    """Count a number on by so many, within its range."""
    number = (entry.begins_at if progress.number is None else progress.number) + steps
    return replace(progress, number=max(entry.low, min(entry.high, number)))


def is_counted(entry: NumberEntry) -> bool:
    """Tell whether a number is counted up to; few are picked each by itself."""
    return entry.high - entry.low >= FEW


def _way_back(found: Sequence[Pick], progress: Progress, roles: Sequence[str]) -> Pick:
    """Give the pick that goes one step back: on the player's last button where that picks nothing else."""
    last = role_name(roles, FEW - 1)
    is_free = all(pick.item.role != last and not pick.buttons for pick in found)
    back = replace(progress, group=None, chosen=progress.chosen[:-1])
    return Pick(MenuItem(BACK, role=last if is_free else None), back)


def _on_own(pick: Pick, index: int, roles: Sequence[str]) -> Pick:
    """Put a private choice onto one of the seat's own buttons too, where it is on none."""
    role = role_name(roles, index) if pick.item.role is None else pick.item.role
    return replace(pick, item=replace(pick.item, role=role))


def _blind(pick: Pick) -> Pick:
    """Show nothing of a private choice but which button it is on; the knob would pick it before everybody's eyes."""
    return replace(pick, item=MenuItem("", role=pick.item.role, button=pick.item.button))


def _numbers(entry: NumberEntry, progress: Progress, roles: Sequence[str]) -> list[Pick]:
    """Few numbers have a button each; of many, three buttons count and the fourth enters."""
    if not is_counted(entry):
        values = range(entry.low, entry.high + 1)
        return [Pick(MenuItem(str(v), role=role_name(roles, index)), entry.line(v)) for index, v in enumerate(values)]
    now = entry.begins_at if progress.number is None else progress.number
    steps = [
        Pick(MenuItem(f"{'+' if step > 0 else '−'}{abs(step)}", role=role_name(roles, index)),
             counted_on(entry, progress, step))
        for index, step in enumerate((-1, 1, 10))
    ]  # fmt: skip
    enter = Pick(MenuItem(text("enter"), str(now), role=role_name(roles, FEW - 1)), entry.line(now))
    return [enter, *steps]


def _chances(offer: Offer, progress: Progress, roles: Sequence[str], *, can_roll: bool) -> list[Pick]:
    chance = offer.chance
    if chance is None:
        return []
    left = list(chance.outcomes)
    for item in progress.chosen:
        left.remove(item)
    rolls = can_roll and not progress.chosen
    by_box = [Pick(MenuItem(text("let the box do it"), role=role_name(roles, 0)), Roll(offer))] if rolls else []
    is_last = len(progress.chosen) + 1 == chance.count
    by_hand = [
        Pick(
            MenuItem(item, text("by hand")),
            Roll(offer, (*progress.chosen, item)) if is_last else replace(progress, chosen=(*progress.chosen, item)),
        )
        for item in dict.fromkeys(left)
    ]
    return [*by_box, *by_hand]


def _steps(game: Game[Any], state: Any, offer: Offer, progress: Progress) -> list[Pick]:
    step = game.step(state, offer, progress.chosen)
    if not isinstance(step, Step):
        return []
    return [_value(game, state, offer, progress, value, index) for index, value in enumerate(step.values)]


def _value(game: Game[Any], state: Any, offer: Offer, progress: Progress, value: Value, index: int) -> Pick:
    """Give the pick of one value; the one that completes the choice is the line itself."""
    chosen = (*progress.chosen, value.key)
    after = game.step(state, offer, chosen)
    act = replace(progress, chosen=chosen) if isinstance(after, Step) else after
    if value.button is not None:
        name = _name(value.button, game.roles)
        return Pick(MenuItem(value.label, button=name), act, frozenset({value.button.label}))
    return Pick(MenuItem(value.label, role=role_name(game.roles, index)), act)


def _options(offer: Offer, progress: Progress, roles: Sequence[str]) -> list[Pick]:
    """Ask for the group first where there are several, then for its detail; what is picked at once by its button."""
    options = offer.options
    groups = _grouped(options)
    if progress.group in groups and len(groups) > 1:
        return [_detail(option, index, roles) for index, option in enumerate(groups[str(progress.group)])]
    if len(groups) == 1:
        return [_detail(option, index, roles) for index, option in enumerate(options)]
    named = offer.at_once
    return [_of_group(found, index, progress, roles, named=named) for index, found in enumerate(groups.values())]


def _grouped(options: Iterable[Option]) -> dict[str, list[Option]]:
    """Give the options by group; one without a group is a group of its own."""
    groups: dict[str, list[Option]] = {}
    for option in options:
        groups.setdefault(option.group or option.key, []).append(option)
    return groups


def _of_group(options: list[Option], index: int, progress: Progress, roles: Sequence[str], *, named: bool) -> Pick:
    first, role = options[0], role_name(roles, index)
    if len(options) == 1 and named and first.button is not None:
        return replace(_detail(first, index, roles), item=MenuItem(first.label, button=_name(first.button, roles)))
    if len(options) == 1:
        return Pick(MenuItem(first.label, role=role), first.line)
    return Pick(MenuItem(first.group_label or first.group, role=role), replace(progress, group=first.group))


def _detail(option: Option, index: int, roles: Sequence[str]) -> Pick:
    """Give the pick of one option: named by its own button, else by one of the player's own four."""
    if option.button is None:
        return Pick(MenuItem(option.label, role=role_name(roles, index)), option.line)
    named_by = frozenset(button.label for button in (option.button, *option.also))
    name = _name(option.button, roles)
    return Pick(MenuItem(name, button=name), option.line, named_by)


def _name(button: Button, roles: Sequence[str]) -> str:
    return f"{button.colour} {role_name(roles, POSITIONS.index(button.position))}"
