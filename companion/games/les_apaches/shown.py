"""What displays show of a match: money, districts with the figures in them, the accounts as tables. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.ruling.view import Area, Cell, Held, Ledger, LedgerRow, View
from companion.core.words.texts import joined
from companion.games.les_apaches.rules.districts import BURGHERS, FENCE, HIDEOUTS, LAPS, POOL, ROUNDS, START
from companion.games.les_apaches.rules.ending import BURGHERS_DRAW
from companion.games.les_apaches.rules.play import left_in_stack
from companion.games.les_apaches.rules.state import Phase, State, fit
from companion.games.les_apaches.telling import Telling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.panel import Colour
    from companion.games.les_apaches.rules.state import Figures, Settled

TURNS = frozenset({Phase.DRAFT, Phase.TURN, Phase.BAIL})


class Shown(Telling):
    """The view, what a seat holds unseen, and the ledgers."""

    def place_says(self, state: State, district: int) -> str:
        """Name a district: by its number, and its name where the board file gives one; at most 19 characters."""
        name = state.terms.board.names[district - 1]
        if not name and district in {BURGHERS, FENCE}:
            name = self.text("burghers") if district == BURGHERS else self.text("fence")
        return joined((str(district), name), " ") if name else self.text("district {n}").format(n=district)

    def view(self, state: State, viewer: Colour | None = None) -> View:
        """Give money, phase, and an area for each district until accounts are made. A burgher whose place in a known
        order is the viewer's own is shown to the viewer alone.
        """
        terms = state.terms
        return View(
            scores=tuple((colour, gang.money) for colour, gang in zip(terms.colours, state.gangs, strict=True)),
            score_label=self.text("francs"),
            turn=self._in_turn(state),
            phase=self._phase_says(state),
            round=state.course.number,
            areas=(
                *(self._district_area(state, district) for district in terms.opened if not state.complete),
                *self._hands(state),
                *self._gangs(state, viewer),
            ),
            hints=(
                self.text("Take hideouts in turn."),
                self.text("Most figures get what"),
                self.text("is not covered."),
            ),
        )

    def _in_turn(self, state: State) -> Colour | None:
        if state.phase in TURNS:
            return state.terms.colours[state.seat]
        return state.terms.colours[state.asking] if state.phase is Phase.UNMASK else None

    def _phase_says(self, state: State) -> str:
        match state.phase:
            case Phase.DRAFT:
                return self.text("taking hideouts")
            case Phase.TURN:
                return self.text("turn {n} of {most}").format(n=state.course.lap, most=LAPS)
            case Phase.BAIL:
                return self.text("bail")
            case Phase.UNLAID | Phase.SHUFFLE:
                return self.text("end of round {n}").format(n=state.course.number)
        return self.text("final accounts")

    def _district_area(self, state: State, district: int) -> Area:
        row = state.streets[district - 1]
        cells = tuple(
            Cell(self._cell_says(figures), colour)
            for colour, figures in zip(state.terms.colours, row, strict=True)
            if any(figures)
        )
        return Area(self.place_says(state, district), cells, self._note(state, district))

    def _cell_says(self, figures: Figures) -> str:
        """Say how many figures, and of them how many are no leaders: "5", "5 (1 novice)", "6 (2 nov. 1 reinf.)"."""
        _, novices, reinforcements = figures
        if novices and reinforcements:
            others = self.text("{novices} nov. {others} reinf.").format(novices=novices, others=reinforcements)
        else:
            others = self.figures_say(0, novices, reinforcements)
        return joined((f"{sum(figures)} (", others, ")"), "") if others else str(sum(figures))

    def _note(self, state: State, district: int) -> str:
        if not HIDEOUTS[district - 1]:
            return ""
        if state.phase is Phase.DRAFT:
            left = left_in_stack(state, district)
            return self.texts("{count} hideout to take", "{count} hideouts to take", left)
        laid = len(state.course.laid[district - 1])
        return self.text("{n} of {most} laid").format(n=laid, most=HIDEOUTS[district - 1])

    def _hands(self, state: State) -> tuple[Area, ...]:
        """Give from which districts each gang has hideouts: everybody has seen that."""
        cells = tuple(
            Cell(" ".join(str(n) for n, count in enumerate(hand, start=1) for _ in range(count)), colour)
            for colour, hand in zip(state.terms.colours, state.course.hands, strict=True)
            if any(hand)
        )
        return (Area(self.text("hideouts left from"), cells),) if cells else ()

    def _gangs(self, state: State, viewer: Colour | None) -> tuple[Area, ...]:
        """Give what gangs have outside the districts; a kind of place that is empty has no area."""
        colours, gangs = state.terms.colours, state.gangs
        reserve = tuple(
            Cell(self._cell_says(gang.reserve), colour) for colour, gang in zip(colours, gangs, strict=True)
        )
        found = [Area(self.text("reserve"), reserve)]
        for name, counts in (
            (self.text("hospital"), [sum(gang.hospital) for gang in gangs]),
            (self.text("jail"), [sum(gang.jail) for gang in gangs]),
            (self.text("cemetery"), [gang.killed for gang in gangs]),
            (self.text("reinforcements won"), [gang.won for gang in gangs]),
        ):
            cells = tuple(Cell(str(count), colour) for colour, count in zip(colours, counts, strict=True) if count)
            found += [Area(name, cells)] if cells else []
        burghers = tuple(
            Cell(self._burghers_say(state, seat, viewer), colour)
            for seat, (colour, gang) in enumerate(zip(colours, gangs, strict=True))
            if gang.burghers
        )
        return (*found, Area(self.text("burghers taken"), burghers)) if burghers else tuple(found)

    def _burghers_say(self, state: State, seat: int, viewer: Colour | None) -> str:
        own, order = state.gangs[seat].burghers, state.deal.order
        is_seen = state.complete or viewer is state.terms.colours[seat]
        has_policeman = state.policeman == seat if state.complete else bool(order) and "policeman" in [
            order[place] for place in own
        ]  # fmt: skip
        return self.text("{n}, with policeman").format(n=len(own)) if is_seen and has_policeman else str(len(own))

    def held(self, state: State) -> tuple[Held, ...]:
        """Give the burghers that were drawn by the box, each to its own gang."""
        deal = state.deal
        if not deal.is_shuffled or deal.by_hand:
            return ()
        label = self.text("burgher")
        return tuple(
            Held(colour, BURGHERS_DRAW, deal.n, POOL, place, 1, label)
            for colour, gang in zip(state.terms.colours, state.gangs, strict=True)
            for place in gang.burghers
        )

    # -- accounts ----------------------------------------------------------------------------------------------------

    def ledgers(self, state: State) -> tuple[Ledger, ...]:
        """Give the accounts: of the match, of each round, and of its districts."""
        rounds = range(1, state.course.number + 1)
        each = tuple(ledger for number in rounds for ledger in self._round_ledgers(state, number))
        return (self._total(state), *each)

    def _headings(self) -> tuple[str, ...]:
        """Give what each row of the accounts is, in the order of `Column`."""
        return (
            self.text("Money"),
            self.text("Burglary"),
            self.text("Thefts"),
            self.text("Robbed"),
            self.text("Fence"),
            self.text("Bail"),
            self.text("Burghers"),
            self.text("Policeman"),
            self.text("Figures"),
            self.text("By hand"),
        )

    def _gang_names(self, state: State) -> tuple[str, ...]:
        """Give the headings of the columns: a gang each, so that a table is no wider than a phone."""
        return tuple(map(self.colour_says, state.terms.colours))

    def _sums(self, books: Sequence[Sequence[int]]) -> tuple[LedgerRow, ...]:
        """Give a row for each thing that money came from or went to, those with nothing left out."""
        rows = zip(self._headings(), zip(*books, strict=True), strict=True)
        return tuple(_row(heading, values) for heading, values in rows if any(values))

    def _total(self, state: State) -> Ledger:
        books = [[sum(values) for values in zip(*rounds, strict=True)] for rounds in state.book]
        rows = (
            _row(self.text("Start"), [START] * len(books)),
            *self._sums(books),
            _row(self.text("Total"), [gang.money for gang in state.gangs]),
            _row(self.text("Fit for action"), [fit(state, seat) for seat in range(len(books))]),
        )
        note = "" if state.complete else self.text("The final accounts have not been made.")
        return Ledger("accounts", self.text("Accounts in francs"), self._gang_names(state), rows, note)

    def _round_ledgers(self, state: State, number: int) -> tuple[Ledger, ...]:
        books = [rounds[number - 1] for rounds in state.book]
        rows = (*self._sums(books), _row(self.text("Sum"), [sum(book) for book in books]))
        title = self.text("Round {n}").format(n=number)
        money = Ledger(f"round-{number}", title, self._gang_names(state), rows, self._last_note(number))
        settled = [one for one in state.log if one.round == number]
        if not settled:
            return (money,)
        columns = (self.text("Hideout"), self.text("Gang"), self.text("What it got"))
        districts = tuple(self._district_row(state, one) for one in settled)
        return money, Ledger(
            f"districts-{number}", self.text("Districts, round {n}").format(n=number), columns, districts
        )

    def _last_note(self, number: int) -> str:
        return self.text("Burghers and figures are paid after the third round.") if number == ROUNDS else ""

    def _district_row(self, state: State, one: Settled) -> LedgerRow:
        owner = None if one.seat is None else state.terms.colours[one.seat]
        loot = self.loot_says(one.loot) if one.loot else ""
        got = [self.text("{n} F").format(n=one.francs)] if one.francs else []
        got += [self.figures_say(0, 0, one.reinforcements)] if one.reinforcements else []
        got += [self.text("a leader lost")] if one.lost else []
        got += [self.text("a burgher")] if one.burghers else []
        got += [self.text("nothing")] if owner is not None and not got else []
        who = self.text("nobody") if owner is None else self.colour_says(owner)
        return LedgerRow(self.place_says(state, one.district), owner, (loot, who, joined(got)))


def _row(label: str, values: Sequence[int]) -> LedgerRow:
    return LedgerRow(label, None, tuple(map(str, values)))
