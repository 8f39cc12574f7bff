"""What displays show of a match: tracks, forces, areas, buttons, accounts; and what each side drew, for it alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.panel import place_says
from companion.core.ruling.looks import ButtonFace
from companion.core.ruling.view import Area, Cell, Held, Ledger, LedgerRow, View
from companion.core.words.texts import joined
from companion.games.once_we_moved.asking import Asking, owner_of
from companion.games.once_we_moved.judging.pools import BAND_STRENGTH, KEYS, SETTLER_STRENGTH, US_STRENGTH, Pool
from companion.games.once_we_moved.judging.state import APACHE, ARMY, DEPLOYING, MOVING, SIDE, Past, Stage

if TYPE_CHECKING:
    from companion.core.panel import Colour
    from companion.core.ruling.offers import Offer
    from companion.games.once_we_moved.judging.state import State

_FEW = 4
_SEAT_SYMBOLS = ("wickiup", "stockade")


class Showing(Asking):
    """The part of the game that shows."""

    def view(self, state: State, viewer: Colour | None = None) -> View:  # noqa: ARG002 - areas hold numbers alone
        """Give levels, tracks, forces and areas: nothing in them tells one block from another."""
        terms, marks = state.terms, state.marks
        points = zip(terms.colours, state.points, strict=True)
        turn = self.text("turn {turn}/{turns}").format(turn=marks.turn, turns=terms.turns)
        tracks = (
            Area(self.stage_says(state.stage), (Cell(turn),)),
            Area(self.text("Points"), tuple(Cell(str(count), colour) for colour, count in points)),
            Area(self.text("Provocation"), (Cell(self.level_says(marks.level)),)),
            Area(self.text("Incursion"), (Cell(self.text("yes") if marks.incursion else self.text("no")),)),
        )
        return View(
            scores=tuple(zip(terms.colours, marks.levels, strict=True)),
            score_label=self.text("victory levels"),
            turn=self._turn_of(state),
            phase=self.stage_says(state.stage),
            round=marks.turn,
            areas=(*tracks, *self._stacks(state), *self._forces(state)),
            hints=self._hints(state),
        )

    def _turn_of(self, state: State) -> Colour | None:
        """Tell whose turn it is: of the seat that is asked first, nobody's where both are."""
        if state.stage is Stage.COMBAT:
            return None
        return next((offer.seat for offer in self.offers(state)), None)

    def _forces(self, state: State) -> tuple[Area, ...]:
        level, names = state.marks.level, (self.text("Apache forces"), self.text("Army forces"))
        notes = [
            self.text("bands' strength: {count}").format(count=BAND_STRENGTH[level]),
            self.text("US strength: {count}").format(count=US_STRENGTH[level]),
        ]
        if state.out(Pool.SETTLER) and SETTLER_STRENGTH[level] != US_STRENGTH[level]:
            notes[ARMY] = self.text("US {count}, settler {settler}").format(
                count=US_STRENGTH[level], settler=SETTLER_STRENGTH[level]
            )
        found = []
        for side in (APACHE, ARMY):
            out = [pool for pool, count in enumerate(state.forces.out) if count and owner_of(pool) == side]
            owner = state.terms.colours[side]
            cells = [Cell(joined((self.pool_says(pool), str(state.forces.out[pool])), " "), owner) for pool in out]
            if state.has_board and out and (aside := state.aside(side)):
                cells.append(Cell(self.text("not set up {count}").format(count=aside), owner))
            if cells:
                found.append(Area(names[side], tuple(cells), notes[side]))
        return tuple(found)

    def _stacks(self, state: State) -> tuple[Area, ...]:
        """Give the areas where somebody stands, with the sign that matters there."""
        signs = (
            ("town", self.text("town")), ("fort", self.text("fort")), ("river", self.text("river")),
            ("reservation", self.text("reservation")), ("edge", self.text("edge")),
        )  # fmt: skip
        found = []
        for ground, pair in zip(state.terms.terrain.grounds, state.stacks, strict=True):
            owners = zip(state.terms.colours, pair, strict=True)
            cells = tuple(Cell(str(count), colour) for colour, count in owners if count)
            if cells:
                there = [sign for flag, sign in signs if flag in ground.flags]
                note = ""
                for sign in there:
                    longer = joined((note, sign)) if note else sign
                    note = longer if len(longer) <= 20 else note
                found.append(Area(ground.name, cells, note))
        return tuple(found)

    def _hints(self, state: State) -> tuple[str, ...]:
        """Remind of what the box cannot see: where blocks may be set up, who may move, who may not stand together."""
        stage = state.stage
        if stage is Stage.COMBAT:
            return self.text("Fight by your rule book,"), self.text("then press done.")
        if stage in DEPLOYING and SIDE[stage] == APACHE:
            return self.text("Own territory, by water."), self.text("Leaders: anywhere.")
        if stage in DEPLOYING:
            return self.text("US blocks: fort or town."), self.text("The settler: a town.")
        return self._moving_hints(state, SIDE[stage]) if stage in MOVING else ()

    def _moving_hints(self, state: State, side: int) -> tuple[str, ...]:
        if side == APACHE:
            return self.text("Each area with Army: +1."), self.text("Limit: 6 by water, or 3.")
        if state.out(Pool.US_SENIOR) > 1:
            return self.text("Keep US seniors apart."), self.text("Limit: 14 by town, or 10.")
        return self.text("Units move with leaders."), self.text("Limit: 14 by town, or 10.")

    def buttons(self, state: State | None, seat: Colour | None) -> tuple[ButtonFace, ...]:
        """Name the buttons by what the seat is asked first."""
        plain = tuple(ButtonFace(place_says(name)) for name in self.roles)
        if state is None or seat is None:
            return plain
        own = [offer for offer in self.offers(state) if offer.seat is seat]
        return self._faces(own, _SEAT_SYMBOLS[state.terms.colours.index(seat)]) if own else ()

    def _faces(self, own: list[Offer], symbol: str) -> tuple[ButtonFace, ...]:
        offer = own[0]
        if offer.kind == "segment":
            faces = (ButtonFace(self.text("done"), symbol), ButtonFace(self.text("into Mexico")))[: len(offer.options)]
            return (*faces, ButtonFace(self.text("more"))) if len(own) > 1 else faces
        if offer.chance is not None:
            return (ButtonFace(self.text("draw"), symbol),)
        if offer.number is None:
            return ()
        low, high = offer.number.low, offer.number.high
        if high - low < _FEW:
            return tuple(ButtonFace(str(value)) for value in range(low, high + 1))
        return ButtonFace("-1"), ButtonFace("+1"), ButtonFace("+10"), ButtonFace(self.text("enter"))

    def held(self, state: State) -> tuple[Held, ...]:
        """Give what each side drew unseen this turn."""
        terms = state.terms
        return tuple(
            Held(
                seat=terms.colours[owner_of(hand.pool)],
                chance=KEYS[hand.pool],
                n=hand.n,
                items=terms.stickers.left(hand.pool, state.forces.gone[: hand.gone]),
                first=0,
                count=hand.count,
                label=self.pool_says(hand.pool),
            )
            for hand in state.forces.hands
        )

    def ledgers(self, state: State) -> tuple[Ledger, ...]:
        """Give the turns one under the other, and what every victory point is for."""
        return self._turns(state), self._points(state)

    def _turns(self, state: State) -> Ledger:
        colours = state.terms.colours
        rows = []
        for past in state.past:
            sides = (self.text("Apache"), self.text("Army"))
            gains = self.text("nobody") if past.gains is None else sides[past.gains]
            of_both = (str(sum(entry.points for entry in past.entries if entry.side == side)) for side in (0, 1))
            owner = None if past.gains is None else colours[past.gains]
            label = self.text("Turn {turn}").format(turn=past.turn)
            rows.append(LedgerRow(label, owner, (self.level_says(past.level), *of_both, gains)))
        columns = (self.text("Provocation"), self.text("Apache"), self.text("Army"), self.text("Level goes to"))
        levels = state.marks.levels
        note = self.text("Victory levels: Apache {apache}, Army {army}.").format(
            apache=levels[APACHE], army=levels[ARMY]
        )
        return Ledger("turns", self.text("Turns"), columns, tuple(rows), note)

    def _points(self, state: State) -> Ledger:
        rows = [row for past in state.past for row in self._rows(state, past)]
        if state.stage not in {Stage.END, Stage.OVER} or not self._is_told(state):
            rows += self._rows(state, Past(state.marks.turn, state.marks.level, state.sheet, None))
        note = self.text("Where it says: as entered, the players counted, and the box did not.")
        columns = (self.text("For"), self.text("Number"), self.text("Points"))
        return Ledger("points", self.text("Victory points"), columns, tuple(rows), note)

    def _is_told(self, state: State) -> bool:
        """Tell whether the turn's account is among the past turns already."""
        return bool(state.past) and state.past[-1].turn == state.marks.turn and state.past[-1].entries == state.sheet

    def _rows(self, state: State, past: Past) -> list[LedgerRow]:
        label = self.text("Turn {turn}").format(turn=past.turn)
        return [
            LedgerRow(
                label, state.terms.colours[entry.side],
                (self.toll_says(entry.toll), str(entry.tally), str(entry.points)),
            )
            for entry in past.entries
        ]  # fmt: skip
