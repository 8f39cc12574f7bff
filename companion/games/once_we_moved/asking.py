"""What may or must be decided now, as offers, and choices of several fields step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import Illegal
from companion.core.ruling.offers import MOST_VALUES, Chance, NumberEntry, Offer, Option, Step, Value
from companion.games.once_we_moved.judging import asked
from companion.games.once_we_moved.judging.lines import (
    Casualties,
    Chieftains,
    Deploy,
    Reckoning,
    Reinforced,
    Removed,
    Segment,
    Stacked,
    Surplus,
    Trek,
    Undisclosed,
    Unmasked,
)
from companion.games.once_we_moved.judging.play import most_surplus, why_not_removed
from companion.games.once_we_moved.judging.pools import APACHE_POOLS, KEYS, Pool
from companion.games.once_we_moved.judging.state import (
    APACHE,
    ARMY,
    DEPLOYING,
    LIMITING,
    MOVING,
    SIDE,
    UNMASKING,
    Stage,
    State,
)
from companion.games.once_we_moved.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.record.lines import Line

TOLD_BY = {"apache-lost": ARMY, "army-lost": APACHE, "captured": ARMY, "forced": ARMY, "kept": APACHE, "edge": ARMY}
"""Who enters a number of the account: whoever it pays."""
_BOTH = (APACHE, ARMY)


def owner_of(pool: int) -> int:
    """Give the side that a pool belongs to."""
    return APACHE if pool in APACHE_POOLS else ARMY


class Asking(Wording):
    """The part of the game that asks."""

    def offers(self, state: State) -> tuple[Offer, ...]:
        """Give every decision that may or must be made now."""
        stage = state.stage
        side = SIDE.get(stage, APACHE)
        if stage in DEPLOYING:
            found = self._deploying(state, side)
        elif stage in MOVING:
            found = self._moving(state, side)
        elif stage in LIMITING:
            found = (self._limit(state, side),)
        elif stage in UNMASKING:
            found = (self._rumours(state),)
        else:
            found = self._of_both(state)
        return found

    def _of_both(self, state: State) -> tuple[Offer, ...]:
        """Give what is asked at the stages that are not one side's."""
        match state.stage:
            case Stage.PROVOCATION:
                roller = state.terms.colours[APACHE]  # the rules name nobody; anybody may by the knob
                return (Offer("provocation", roller, self.text("Roll provocation"), chance=Chance("provocation")),)
            case Stage.PICK:
                return self._picking(state)
            case Stage.REINFORCE:
                entry = NumberEntry(0, asked.most_strength(state), lambda tally: Reinforced(tally=tally))
                return (Offer("reinforce", state.terms.colours[ARMY], self.text("Strength gained"), number=entry),)
            case Stage.COMBAT:
                return self._combat(state)
            case Stage.COUNT:
                return (self._toll(state),)
        return ()

    def _picking(self, state: State) -> tuple[Offer, ...]:
        terms, pool = state.terms, state.at
        seat = terms.colours[owner_of(pool)]
        if pool == Pool.LEADERS:
            low, high = asked.leaders_range(state)
            entry = NumberEntry(low, high, lambda tally: Chieftains(tally=tally))
            return (Offer("chieftains", seat, self.text("Leaders out?"), number=entry),)
        left = terms.stickers.left(pool, state.forces.gone)
        chance = Chance(KEYS[pool], left, asked.draw(state, pool), is_secret=True)
        unseen = (Option(self.text("drawn at the table"), Undisclosed()),)
        return (
            Offer("draw", seat, self._draw_prompt(pool, chance.count), chance=chance),
            Offer("undisclosed", seat, self.text("Or draw yourself"), unseen, required=False),
        )

    def _draw_prompt(self, pool: int, count: int) -> str:
        """Say what is to be drawn, in so few letters that a seat's name has room beside them."""
        what = (
            self.text("Bands"), self.text("Rumours"), "", self.text("US seniors"), self.text("US juniors"),
            self.text("US units"), "", "", self.text("MX seniors"), self.text("MX juniors"), self.text("MX units"),
        )[pool]  # fmt: skip
        return self.text("{what}: {count}").format(what=what, count=count)

    def _done(self, state: State, side: int, *, asks_crossing: bool = False) -> Offer:
        """Give the offer to say that one is done, by one press. Not required: other buttons open other offers."""
        colour = state.terms.colours[side]
        options = [Option(self.text("done"), Segment(colour=colour))]
        if asks_crossing:
            options.append(Option(self.text("done, into Mexico"), Segment(colour=colour, crossed=True)))
        prompt = self.text("Apache: done?") if side == APACHE else self.text("Army: done?")
        return Offer("segment", colour, prompt, tuple(options), required=False, at_once=True)

    def _deploying(self, state: State, side: int) -> tuple[Offer, ...]:
        done = self._done(state, side)
        if not state.has_board or not self._where_to_deploy(state, side):
            return (done,)
        left = self.text("Set up ({count} left)").format(count=state.aside(side))
        return done, Offer("deploy", done.seat, left, is_stepped=True, required=False)

    def _moving(self, state: State, side: int) -> tuple[Offer, ...]:
        if state.has_board:
            return (self._done(state, side), *self._treks(state, side))
        done = self._done(state, side, asks_crossing=side == APACHE)
        most = most_surplus(state, side)
        if not most:
            return (done,)
        colour = state.terms.colours[side]
        entry = NumberEntry(1, most, lambda tally: Surplus(colour=colour, tally=tally))
        return done, Offer("surplus", colour, self.text("Over a limit?"), number=entry, required=False)

    def _treks(self, state: State, side: int) -> tuple[Offer, ...]:
        if not self._whence(state, side):
            return ()
        return (Offer("trek", state.terms.colours[side], self.text("Move blocks"), is_stepped=True, required=False),)

    def _limit(self, state: State, side: int) -> Offer:
        colour, area = state.terms.colours[side], state.terms.terrain.grounds[state.at].name
        high = min(state.stacks[state.at][side], state.leaders(side))
        entry = NumberEntry(0, high, lambda tally: Stacked(colour=colour, area=area, tally=tally))
        return Offer("stacked", colour, self.text("{area}: leaders?").format(area=area), number=entry)

    def _rumours(self, state: State) -> Offer:
        area = state.terms.terrain.grounds[state.at].name if state.has_board else None
        entry = NumberEntry(0, asked.most_rumours(state, state.at), lambda tally: Unmasked(area=area, tally=tally))
        prompt = self.text("{area}: rumours?").format(area=area) if area else self.text("Rumours shown?")
        return Offer("unmasked", state.terms.colours[APACHE], prompt, number=entry)

    def _combat(self, state: State) -> tuple[Offer, ...]:
        found = [self._done(state, side) for side in _BOTH]
        if any(self._removable_of(state, pool) for pool in range(len(KEYS))):
            found.append(Offer("removed", None, self.text("Gone for good"), is_stepped=True, required=False))
        for side in _BOTH if state.has_board else ():
            found += self._treks(state, side)
            if state.stacked(side, range(len(state.stacks))):
                prompt = self.text("Apache blocks lost") if side == APACHE else self.text("Army blocks lost")
                colour = state.terms.colours[side]
                found.append(Offer("casualties", colour, prompt, is_stepped=True, required=False))
        return tuple(found)

    def _toll(self, state: State) -> Offer:
        toll = asked.TOLLS[state.at]
        prompt = {
            "apache-lost": self.text("Apache SP lost"),
            "army-lost": self.text("Army SP lost"),
            "captured": self.text("Captured leaders"),
            "forced": self.text("SP reservation"),
            "kept": self.text("SP not forced"),
            "edge": self.text("Blocks at edge"),
        }[toll]
        entry = NumberEntry(0, asked.most_tolled(state), lambda tally: Reckoning(toll=toll, tally=tally))
        return Offer("reckoning", state.terms.colours[TOLD_BY[toll]], prompt, number=entry)

    # -- step by step

    def step(self, state: State, offer: Offer, chosen: Sequence[str]) -> Step | Line:
        """Give the next field of a choice, or the line."""
        if offer.kind == "removed":
            return self._step_removed(state, chosen)
        if offer.seat is None or offer.kind not in {"deploy", "trek", "casualties"}:
            raise Illegal(self.text("{kind} has no steps").format(kind=offer.kind))
        side = state.terms.colours.index(offer.seat)
        picked = [key for key in chosen if not key.startswith("/")]
        if offer.kind == "trek":
            return self._step_trek(state, side, chosen, picked)
        grounds = state.terms.terrain.grounds
        if not picked:
            where = self._where_to_deploy(state, side) if offer.kind == "deploy" else self._standing(state, side)
            return self._areas(state, self.text("Which area?"), where, chosen)
        place = state.terms.terrain.at[picked[0]]
        if len(picked) == 1:
            here = state.stacks[place][side]
            most = asked.most_deployed(state, side, place) if offer.kind == "deploy" else here
            return self._counts(most)
        line = Deploy if offer.kind == "deploy" else Casualties
        return line(colour=offer.seat, area=grounds[place].name, tally=int(picked[1]))

    def _step_trek(self, state: State, side: int, chosen: Sequence[str], picked: list[str]) -> Step | Line:
        at, colour = state.terms.terrain.at, state.terms.colours[side]
        match picked:
            case []:
                return self._areas(state, self.text("From where?"), self._whence(state, side), chosen)
            case [whence]:
                near = self._whither(state, side, at[whence])
                return self._areas(state, self.text("Where to?"), near, chosen[list(chosen).index(whence) + 1 :])
            case [whence, whither]:
                return self._counts(asked.most_across(state, side, at[whence], at[whither]))
        return Trek(colour=colour, whence=picked[0], whither=picked[1], tally=int(picked[2]))

    def _step_removed(self, state: State, chosen: Sequence[str]) -> Step | Line:
        pools = self._removable(state)
        if not chosen:
            return Step(self.text("Of which kind?"), tuple(Value(KEYS[pool], self.pool_says(pool)) for pool in pools))
        if len(chosen) == 1:
            return Step(self.text("Which block?"), tuple(Value(n, n) for n in pools[KEYS.index(chosen[0])]))
        return Removed(sticker=chosen[1])

    def _areas(self, state: State, prompt: str, where: Sequence[int], chosen: Sequence[str]) -> Step:
        """Ask for an area; of very many, first for a part of them."""
        grounds = state.terms.terrain.grounds
        if len(where) > MOST_VALUES:
            parts = [where[start : start + MOST_VALUES] for start in range(0, len(where), MOST_VALUES)]
            part = next((int(key[1:]) for key in chosen if key.startswith("/")), None)
            if part is None:
                spans = [f"{grounds[part[0]].name} - {grounds[part[-1]].name}" for part in parts]
                return Step(prompt, tuple(Value(f"/{index}", span) for index, span in enumerate(spans)))
            where = parts[part]
        return Step(prompt, tuple(Value(grounds[place].name, grounds[place].name) for place in where))

    def _counts(self, most: int) -> Step:
        numbers = range(1, min(asked.MOST_AT_ONCE, most) + 1)
        return Step(self.text("How many blocks?"), tuple(Value(str(number), str(number)) for number in numbers))

    # -- what there is to choose from

    def _where_to_deploy(self, state: State, side: int) -> list[int]:
        grounds = state.terms.terrain.grounds
        return [
            place
            for place, ground in enumerate(grounds)
            if (side == APACHE or ground.is_base) and asked.most_deployed(state, side, place)
        ]

    def _standing(self, state: State, side: int) -> list[int]:
        return [place for place, pair in enumerate(state.stacks) if pair[side]]

    def _whither(self, state: State, side: int, whence: int) -> list[int]:
        near = state.terms.terrain.neighbours[whence]
        return [place for place in near if asked.most_across(state, side, whence, place)]

    def _whence(self, state: State, side: int) -> list[int]:
        return [place for place in self._standing(state, side) if self._whither(state, side, place)]

    def _removable(self, state: State) -> dict[int, list[str]]:
        """Give the blocks that can go out of the match now, by pool."""
        return {pool: names for pool in range(len(KEYS)) if (names := self._removable_of(state, pool))}

    def _removable_of(self, state: State, pool: int) -> list[str]:
        if not state.forces.out[pool]:
            return []
        left = state.terms.stickers.left(pool, state.forces.gone)
        return [name for name in left if pool != Pool.LEADERS or not why_not_removed(state, name)]
