"""What displays and printers get of Big Manitou: grounds, tiles, points, accounts. Pure; nothing is hidden."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from companion.core.ruling.looks import ButtonFace
from companion.core.ruling.view import Area, Cell, Ledger, LedgerRow, View
from companion.core.words.texts import joined
from companion.games.big_manitou import scoring
from companion.games.big_manitou.cards import GROUNDS, MOST_TILES, TILES, is_hero
from companion.games.big_manitou.settling import ground_totals
from companion.games.big_manitou.state import TURNS, Phase, cards_to_take, deciding, laid
from companion.games.big_manitou.wording import Names

if TYPE_CHECKING:
    from companion.games.big_manitou.state import Fate, State


class Showing(Names):
    """Views, faces of buttons, ledgers, in the game's language."""

    def view(self, state: State) -> View:
        """Give points, what lies on each ground, what each seat has."""
        seat = deciding(state)
        return View(
            scores=tuple(zip(state.terms.colours, scoring.points(state.holdings), strict=True)),
            score_label=self.text("points"),
            turn=None if seat is None else state.colour(seat),
            phase=self._phase(state),
            areas=(*self._to_take(state), *self._grounds(state), *self._seats(state), self._bag(state)),
        )

    def _phase(self, state: State) -> str:
        if state.phase is Phase.TURNS:
            turn = state.turn // len(state.seats) + 1
            return self.text("hunt {hunt}, card {turn} of {turns}").format(hunt=state.hunt, turn=turn, turns=TURNS)
        return {
            Phase.COUNTS: self.text("tiles per ground"),
            Phase.BOOTY: self.text("hunt {hunt}: tiles"),
            Phase.CHOOSING: self.text("hunt {hunt}: cards"),
            Phase.EIGHTH: self.text("hunt {hunt}: 8th card"),
            Phase.RIDE: self.text("hunt {hunt}: horse"),
            Phase.THIEF: self.text("hunt {hunt}: thief"),
            Phase.SHARING: self.text("hunt {hunt}: sharing"),
            Phase.DONE: self.text("all hunts are over"),
            Phase.OVER: self.text("over"),
        }[state.phase].format(hunt=state.hunt)

    def _to_take(self, state: State) -> tuple[Area, ...]:
        """Tell everybody who is not ready yet how many cards to take, and how to be ready."""
        if state.phase is not Phase.CHOOSING:
            return ()
        title = self.text("{colour} draws") if state.terms.quick else self.text("{colour} chooses")
        waiting = [seat for seat in state.seats if seat not in state.ready]
        each = (
            Area(title.format(colour=state.colour(seat).short), (Cell(str(cards_to_take(state, seat))),))
            for seat in waiting
        )
        return (Area(self.text("ready"), (), self.text("press any button")), *each)

    def _grounds(self, state: State) -> tuple[Area, ...]:
        """Give the grounds, but not those that are bare once the last hunt is over."""
        is_over = state.phase in {Phase.DONE, Phase.OVER}
        areas = (self._ground(state, index) for index in range(len(GROUNDS)))
        return tuple(area for area in areas if area.cells or area.note or not is_over)

    def _bag(self, state: State) -> Area:
        left = MOST_TILES - laid(state)
        return Area(self.text("in the bag"), (Cell(self.texts("{count} tile", "{count} tiles", left)),))

    def _seats(self, state: State) -> tuple[Area, ...]:
        """Give what each seat has, where it has anything."""
        areas = (self.tiles_of(state, seat) for seat in state.seats)
        return tuple(area for area in areas if area.cells or area.note)

    def _ground(self, state: State, index: int) -> Area:
        """Give a ground: its tiles, whose heroes are face up, the hunters' totals, what was turned down."""
        ground = state.grounds[index]
        lying = Counter(ground.tiles)
        tiles = tuple(Cell(self.several(self.tile(tile), lying[tile])) for tile in TILES if lying[tile])
        heroes = tuple(Cell(self.role(one.card), state.colour(one.seat)) for one in ground.heroes_up())
        hunters = tuple(
            Cell(self.text("hunters {total}").format(total=total), state.colour(seat))
            for seat, total in ground_totals(state, index).items()
        )
        down = sum(is_hero(one.card) and not one.is_up for one in ground.cards)
        note = self.texts("{count} turned down", "{count} turned down", down) if down else ""
        return Area(self.ground_title(index), (*tiles, *heroes, *hunters), note)

    def tiles_of(self, state: State, seat: int) -> Area:
        """Give what a seat has."""
        colour, holdings = state.colour(seat), state.holdings
        having = Counter(holdings.held[seat])
        cells = [Cell(self.several(self.tile(tile), having[tile]), colour) for tile in TILES if having[tile]]
        if holdings.totem == seat:
            cells.append(Cell(self.text("totem cylinder"), colour))
        if holdings.horse == seat:
            cells.append(Cell(self.text("horse cylinder"), colour))
        by_hand = any(holdings.corrections[seat])
        note = self.text("corrected by hand") if by_hand else ""
        return Area(self.text("{colour} has").format(colour=colour), tuple(cells), note)

    def several(self, name: str, count: int) -> str:
        """Say how many of a tile."""
        return name if count == 1 else joined((f"{count} ×", name), " ")

    def faces(self, state: State | None) -> tuple[ButtonFace, ...]:
        """Give what a seat's buttons are called and drawn as now: what the first step of the choice asks."""
        phase = Phase.TURNS if state is None else state.phase
        match phase:
            case Phase.TURNS:
                return (
                    ButtonFace(self.text("1 to 3"), "hunter"),
                    ButtonFace(self.text("4 to 6"), "hunter"),
                    ButtonFace(self.text("7 to 10"), "hunter"),
                    ButtonFace(self.text("heroes"), "chieftain"),
                )
            case Phase.BOOTY:
                return (
                    ButtonFace(self.text("tipi"), "tipi"),
                    ButtonFace(self.text("buffalo"), "buffalo"),
                    ButtonFace(self.text("tomahawk"), "tomahawk"),
                    ButtonFace(self.text("others"), "totem"),
                )
            case Phase.CHOOSING:
                return (ButtonFace(self.text("ready"), "hunter"),) * 4
            case Phase.EIGHTH:
                return (ButtonFace(self.text("a card"), "totem"), ButtonFace(self.text("no card")))
        return ()

    # -- accounts

    def ledgers(self, state: State) -> tuple[Ledger, ...]:
        """Give the points of each seat, and what became of each tile once there is one."""
        return (self._points(state), self._fates(state)) if state.holdings.fates else (self._points(state),)

    def _points(self, state: State) -> Ledger:
        holdings = state.holdings
        having = [scoring.has(holdings, seat) for seat in state.seats]
        best, scores = scoring.most_tomahawks(having), scoring.points(holdings, having)
        rows = tuple(
            LedgerRow(
                colour.says,
                colour,
                (
                    str(one.tipis),
                    str(one.buffaloes),
                    str((one.tipis + one.buffaloes) // 2),
                    str(int(holdings.totem == seat)),
                    str(int(holdings.horse == seat)),
                    str(int(best == seat)),
                    str(scores[seat]),
                    str(scoring.tiles_of(holdings, seat, one)),
                ),
            )
            for seat, (colour, one) in enumerate(zip(state.terms.colours, having, strict=True))
        )
        columns = (
            self.text("tipis"),
            self.text("buffaloes"),
            self.text("half of both"),
            self.text("totem"),
            self.text("horse"),
            self.text("most tomahawks"),
            self.text("points"),
            self.text("tiles"),
        )
        by_hand = any(map(any, holdings.corrections))
        note = self.text("Some of these were corrected by hand.") if by_hand else ""
        return Ledger("points", self.text("Points"), columns, rows, note)

    def _fates(self, state: State) -> Ledger:
        rows = tuple(self._fate(state, fate) for fate in state.holdings.fates)
        columns = (self.text("ground"), self.text("tile"), self.text("why"))
        return Ledger("tiles", self.text("Who took which tile"), columns, rows)

    def _fate(self, state: State, fate: Fate) -> LedgerRow:
        colour = None if fate.seat is None else state.colour(fate.seat)
        ground = "" if fate.ground is None else self.ground(fate.ground)
        why = {
            "hero": self.text("by its hero"),
            "most": self.text("strongest hunters"),
            "second": self.text("second"),
            "gone": self.text("nobody takes it"),
            "stolen": self.text("to the thief"),
        }[fate.by]
        hunt = self.text("hunt {hunt}").format(hunt=fate.hunt)
        return LedgerRow(hunt, colour, (ground, self.tile(fate.tile), why))
