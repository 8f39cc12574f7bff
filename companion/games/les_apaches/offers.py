"""What may be decided now, and choices of several fields, one at a time. Rests on the rules' own legality."""

from __future__ import annotations

from gettext import NullTranslations
from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Illegal
from companion.core.ruling.looks import ButtonFace
from companion.core.ruling.offers import Chance, NumberEntry, Offer, Option, Step, Value
from companion.games.les_apaches.rules import lines
from companion.games.les_apaches.rules.acting import Stride, is_unsure, moves, muster_counts, musterable
from companion.games.les_apaches.rules.districts import KINDS, LOOTS, POOL
from companion.games.les_apaches.rules.ending import BURGHERS_DRAW
from companion.games.les_apaches.rules.play import layable, left_in_stack, most_bailed
from companion.games.les_apaches.rules.state import Phase, State
from companion.games.les_apaches.shown import Shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.panel import Colour
    from companion.core.record.lines import Line
    from companion.games.les_apaches.rules.acting import Moves

MUSTER, PROWL, LAY = "muster", "prowl", "hideout"
ALONE, TOUCH = "alone", "touch"
"""Keys of values: no second figure moves; the table says that the districts touch."""


class Asked(NamedTuple):
    """A field of a choice. must: it is asked even where it has a single value."""

    step: Step
    must: bool = False


Memo = tuple[State | None, NullTranslations | None, dict[tuple[str, tuple[str, ...]], "Asked | Line"]]
"""Of one state in one language: the field, or the whole line, that follows the values of an offer."""


def card_name(district: int, loot: str) -> str:
    """Name a hideout as labels and scanner do: "3 money 300"."""
    return f"{district} {loot}"


class Offering(Shown):
    """Offers, their steps, and what the buttons are called meanwhile."""

    _memo: Memo = (None, None, {})
    """The fields found for the newest state: a menu asks for what may follow each of its values."""

    def offers(self, state: State) -> tuple[Offer, ...]:
        """Give what is to be decided now: one thing, by one seat or by whoever is at the box."""
        asks = {
            Phase.DRAFT: self._drafting,
            Phase.TURN: self._turn,
            Phase.BAIL: self._bailing,
            Phase.UNLAID: self._asking_unlaid,
            Phase.SHUFFLE: self._shuffling,
            Phase.UNMASK: self._unmasking,
        }
        ask = asks.get(state.phase)
        return (ask(state),) if ask else ()

    def _asking_unlaid(self, state: State) -> Offer:
        prompt = self.text("Unlaid in {n}?").format(n=state.asking)
        return Offer("unlaid", None, prompt, is_stepped=True, hint=self.text("the one taken away"))

    def _shuffling(self, state: State) -> Offer:  # noqa: ARG002 - as the others
        chance = Chance(BURGHERS_DRAW, POOL, len(POOL), is_secret=True)
        return Offer("burghers", None, self.text("Mix burghers"), chance=chance)

    def _drafting(self, state: State) -> Offer:
        colour = state.terms.colours[state.seat]
        options = tuple(
            Option(self.place_says(state, number), lines.Draft(colour=colour, district=str(number)))
            for number in state.terms.quarters
            if left_in_stack(state, number)
        )
        return Offer("draft", colour, self.text("{who} takes a hideout").format(who=colour.short), options)

    def _turn(self, state: State) -> Offer:
        colour = state.terms.colours[state.seat]
        if state.course.acted:
            return Offer("lay", colour, self.text("{who} lays a hideout").format(who=colour.short), is_stepped=True)
        return Offer("turn", colour, self.text("{who} does what?").format(who=colour.short), is_stepped=True)

    def _bailing(self, state: State) -> Offer:
        colour = state.terms.colours[state.seat]
        entry = NumberEntry(0, most_bailed(state), lambda count: lines.Bail(colour=colour, prisoners=count))
        prompt = self.text("{who} frees").format(who=colour.short)
        return Offer("bail", colour, prompt, number=entry, hint=self.text("150 F for each prisoner"))

    def _unmasking(self, state: State) -> Offer:
        colour = state.terms.colours[state.asking]
        options = (
            Option(self.text("no policeman"), lines.Unmask(colour=colour, policeman=False)),
            Option(self.text("the policeman"), lines.Unmask(colour=colour, policeman=True)),
        )
        return Offer("unmask", colour, self.text("{who} turns up").format(who=colour.short), options)

    # -- steps -------------------------------------------------------------------------------------------------------

    def step(self, state: State, offer: Offer, chosen: Sequence[str]) -> Step | Line:
        """Give the next field that is to be asked: one with several values, and one that somebody has to say."""
        full: tuple[str, ...] = ()
        left = list(chosen)
        while isinstance(found := self._remembered(state, offer, full), Asked):
            keys = [value.key for value in found.step.values]
            if len(keys) == 1 and not found.must:
                key = keys[0]
            elif left:
                key = left.pop(0)
            else:
                return found.step
            if key not in keys:
                says = self.text("{key} is no choice; there are: {keys}")
                raise Illegal(says.format(key=repr(key), keys=", ".join(keys)))
            full += (key,)
        return found

    def _remembered(self, state: State, offer: Offer, full: tuple[str, ...]) -> Asked | Line:
        memo = self._memo
        if memo[0] is not state or memo[1] is not self.translation:
            memo = self._memo = (state, self.translation, {})
        known = memo[2]
        key = (offer.kind, full)
        if key not in known:
            known[key] = self._next(state, offer, full)
        return known[key]

    def _next(self, state: State, offer: Offer, full: tuple[str, ...]) -> Asked | Line:
        if offer.kind == "unlaid":
            return self._unlaid(state, full)
        colour = state.terms.colours[state.seat]
        if offer.kind == "lay":
            return self._lay(state, colour, full)
        if not full:
            return Asked(self._actions(state))
        action, *rest = full
        if action == LAY:
            return self._lay(state, colour, tuple(rest))
        return self._place(state, colour, rest) if action == MUSTER else self._move(state, colour, rest)

    def _actions(self, state: State) -> Step:
        values = [Value(LAY, self.text("lay a hideout"))]
        if moves(state, state.seat).has_any():
            values.insert(0, Value(PROWL, self.text("move figures")))
        if any(True for _ in musterable(state, state.seat)):
            values.insert(0, Value(MUSTER, self.text("place figures")))
        return Step(self.text("{who} does what?").format(who=state.terms.colours[state.seat].short), tuple(values))

    def _lay(self, state: State, colour: Colour, full: tuple[str, ...]) -> Asked | Line:
        if not full:
            hand = state.course.hands[state.seat]
            values = tuple(Value(str(n), self.place_says(state, n)) for n, have in enumerate(hand, start=1) if have)
            return Asked(Step(self.text("Lay where?"), values))
        district = int(full[0])
        if len(full) == 1:
            return Asked(Step(self.text("It says?"), self._loots(district, layable(state, district))), must=True)
        return lines.Hideout(colour=colour, district=full[0], loot=_loot_of(full[1]))

    def _unlaid(self, state: State, full: tuple[str, ...]) -> Asked | Line:
        district = state.asking
        if not full:
            prompt = self.text("Unlaid in {n}?").format(n=district)
            return Asked(Step(prompt, self._loots(district, LOOTS)), must=True)
        return lines.Unlaid(district=str(district), loot=_loot_of(full[0]))

    def _loots(self, district: int, loots: Sequence[str]) -> tuple[Value, ...]:
        return tuple(Value(card_name(district, loot), self.loot_says(loot)) for loot in loots)

    def _place(self, state: State, colour: Colour, rest: list[str]) -> Asked | Line:
        """Ask for the district, then for each kind of figure how many."""
        if not rest:
            numbers = musterable(state, state.seat)
            values = tuple(Value(str(number), self.place_says(state, number)) for number in numbers)
            return Asked(Step(self.text("Place where?"), values))
        district, counts = int(rest[0]), tuple(map(int, rest[1:]))
        kind = len(counts)
        if kind == len(KINDS):
            return lines.Muster(
                colour=colour, district=rest[0], leaders=counts[0], novices=counts[1], reinforcements=counts[2]
            )
        found = tuple(muster_counts(state, state.seat, district, counts))
        has_ties = any(count not in found for count in range(1, state.gangs[state.seat].reserve[kind] + 1))
        prompt = (self._counts_without_ties() if has_ties else self._counts_asked())[kind]
        return Asked(Step(prompt, tuple(Value(str(count), str(count)) for count in found)))

    def _counts_asked(self) -> tuple[str, ...]:
        return self.text("Leaders?"), self.text("Novices?"), self.text("Reinforcements?")

    def _counts_without_ties(self) -> tuple[str, ...]:
        """Ask, and say why a number is missing."""
        return self.text("Leaders? No tie!"), self.text("Novices? No tie!"), self.text("Reinf.? No tie!")

    def _move(self, state: State, colour: Colour, rest: list[str]) -> Asked | Line:
        """Ask for a figure and where to, then for another one or none, and at last whether unknown neighbours touch."""
        done = tuple(
            _step_of(rest[n], rest[n + 1]) for n in range(0, len(rest) - 1, 2) if rest[n] not in {ALONE, TOUCH}
        )
        is_complete = len(done) == 2 or (ALONE in rest)
        if is_complete:
            return self._moved(state, colour, done, is_told=rest[-1] == TOUCH)
        found = moves(state, state.seat)
        if len(rest) % 2:
            source = _source_of(rest[-1])
            return Asked(self._targets(state, [step[2] for step in found.steps(source) if _may(found, done, step)]))
        sources = [one for one in found.sources if any(_may(found, done, step) for step in found.steps(one))]
        say = self.text("{figure} of {district}")
        values = [Value(f"{kind} {n}", say.format(figure=self.kind_says(kind), district=n)) for kind, n in sources]
        if done and found.is_legal(*done):
            values.insert(0, Value(ALONE, self.text("no other one")))
        return Asked(Step(self.text("Who else?") if done else self.text("Who moves?"), tuple(values)))

    def _targets(self, state: State, districts: list[int]) -> Step:
        return Step(self.text("Where to?"), tuple(Value(str(n), self.place_says(state, n)) for n in districts))

    def _moved(self, state: State, colour: Colour, done: tuple[Stride, ...], *, is_told: bool) -> Asked | Line:
        is_asked = is_unsure(state, done)
        if is_asked and not is_told:
            value = Value(TOUCH, self.text("yes, they touch"))
            return Asked(Step(self.text("They touch?"), (value,)), must=True)
        figures = tuple((kind, str(origin), str(target)) for kind, origin, target in done)
        return lines.Prowl(colour=colour, figures=figures, adjacent=True if is_asked else None)

    def buttons(self, state: State | None, seat: Colour | None) -> tuple[ButtonFace, ...]:
        """Give what the first buttons of the gang in turn do; else their places."""
        if state is None or state.phase is not Phase.TURN or state.course.acted:
            return super().buttons(state, seat)
        if seat not in {None, state.terms.colours[state.seat]}:
            return super().buttons(state, seat)
        actions = self._actions(state).values
        if len(actions) == 1:
            return super().buttons(state, seat)
        faces = {
            MUSTER: ButtonFace(self.text("place"), "muster"),
            PROWL: ButtonFace(self.text("move"), "prowl"),
            LAY: ButtonFace(self.text("hideout"), "hideout"),
        }
        return tuple(faces[value.key] for value in actions)


def _loot_of(name: str) -> str:
    return name.partition(" ")[2]


def _source_of(figure: str) -> tuple[str, int]:
    kind, origin = figure.split()
    return kind, int(origin)


def _step_of(figure: str, target: str) -> Stride:
    kind, origin = _source_of(figure)
    return kind, origin, int(target)


def _may(found: Moves, done: tuple[Stride, ...], step: Stride) -> bool:
    """Tell whether a step may be the first, or follow the one that is done."""
    return found.is_legal(*done, step) if done else found.can_begin(step)
