"""The suite is worth what it notices: each game here breaks one rule, and one test of the suite must be red for it."""

from __future__ import annotations

import inspect
from dataclasses import replace as other

import msgspec
import pytest
from msgspec.structs import replace

from companion.core.errors import Illegal, Malformed
from companion.core.panel import POSITIONS, Button, Colour
from companion.core.record.lines import Close, End, JudgeLine, PressLine
from companion.core.ruling.game import Adjustable, Deadline, FieldValue, LineField, TakingBack
from companion.core.ruling.looks import ButtonFace, Card, Stroke, Symbol
from companion.core.ruling.offers import NumberEntry, Option, Step, Value
from companion.core.ruling.parameters import Choice, Difference, DryRun, FileFault, Parameter, Sample, Seats
from companion.core.ruling.rulings import Settled
from companion.core.ruling.view import Ledger, LedgerRow
from companion.testing.driving import Driver
from companion.testing.games import GameContract
from companion.testing.walks import Walk
from tests.contract.everything import BELL, EVERYTHING, Bid, Double, Everything, Late, Move, Nod, Phase, Stake

pytestmark = pytest.mark.no_cover  # counting branches makes walks through whole matches three times as slow

SEEDS = range(6)


def first_offer(change):
    """Change the first offer that a game makes."""

    def offers(self, state):
        found = Everything.offers(self, state)
        return (change(found[0]), *found[1:]) if found else found

    return {"offers": offers}


def of_kind(kind, change):
    def offers(self, state):
        return tuple(change(o) if o.kind == kind else o for o in Everything.offers(self, state))

    return {"offers": offers}


def view(**changes):
    return {"view": lambda self, state, viewer=None: other(Everything.view(self, state, viewer), **changes)}


def same_options(offer):
    """Two options of one key: the same line under two labels."""
    twin = [Option(f"{option.label} again", option.line) for option in offer.options]
    return other(offer, options=(*offer.options, *twin))


def apply_to(line_type, does):
    """Do something else with lines of one type."""

    def apply(self, state, line):
        return does(self, state, line) if isinstance(line, line_type) else Everything.apply(self, state, line)

    return {"apply": apply}


def outgrown(self, state, offer, chosen):
    step = Everything.step(self, state, offer, chosen)
    if not isinstance(step, Step):
        return step
    return other(step, values=(*step.values, Value("21", "21")) if not chosen else step.values)


def dead_end(self, state, offer, chosen):
    """The last column has no row."""
    if len(chosen) == 1 and chosen[0] == "20":
        return Step("Which row?", ())
    return Everything.step(self, state, offer, chosen)


def wrong_step(self, state, offer, chosen):
    line = Everything.step(self, state, offer, chosen)
    return replace(line, row=99) if isinstance(line, Move) else line


def ever(self, state, line):
    raise KeyError(line)


def takes_any_stake(self, state, line):
    self._demand(state, Phase.STAKE, line.colour)
    return replace(state, phase=Phase.MOVE, stake=line.stake), ()


def takes_any_bid(self, state, line):
    return replace(state, bids=(*state.bids, (line.colour, line.bid))), ()


def bid_told(self, line, viewer=None):
    return Everything.describe(self, line, getattr(line, "colour", viewer) if isinstance(line, Bid) else viewer)


def bid_seen(self, state, viewer=None):
    return other(Everything.view(self, state, viewer), round=sum(int(bid) for _, bid in state.bids))


def drawn_seen(self, state, viewer=None):
    held = Everything.view(self, state, state.draws[-1][0] if state.draws else viewer)
    return other(Everything.view(self, state, viewer), areas=held.areas)


class MutableState(msgspec.Struct):
    """A state that anybody could change."""

    inner: object

    def __hash__(self):
        return hash(self.inner)


def growing():
    """Remember something outside the state, and tell of it."""
    count = iter(range(10**9))
    return {"outcome": lambda self, state: replace(Everything.outcome(self, state), scores={"red": next(count)})}


def leaves_a_trace(self, state, line):
    """Change what the state was made from."""
    state.setup.files["board"] = None
    return Everything.apply(self, state, line)


def unmoved(self, state, line):
    Everything.apply(self, state, line)
    return state, ()


def no_end(self, state, line):
    raise Illegal("it never ends")


def two_orders(self, state, line):
    after, rulings = Everything.apply(self, state, line)
    return after, rulings * 2


def late_counts(self, state, line):
    """A seat may press twice."""
    if self.race(state) is not None and any(press.colour is line.colour for press in state.presses):
        return replace(state, presses=(*state.presses, line)), ()
    return Everything.apply(self, state, line)


def press_between(self, state, line):
    if self.race(state) is None:
        return replace(state, stake=state.stake + 1), ()
    return Everything.apply(self, state, line)


def closes_for_good(self, state, line):
    after, rulings = Everything.apply(self, state, line)
    return replace(after, closed_ns=None), rulings


def closes_any(self, state, line):
    return state, ()


def slips(ruling):
    raise KeyError("a slip")


def settled(result="claimed", **methods):
    """Settle a race by a ruling with methods of its own."""
    kind = type("Odd", (Settled,), methods, frozen=True, tag="settled")

    def judged(self, state, line):
        after, rulings = Everything.apply(self, state, line)
        return after, (*rulings, kind(race=1, colour=Colour.RED, role="left", result=result))

    return judged


def refuses_what_has_no_columns(self, setup):
    if not all(line.endswith("columns") for line in setup.files["board"].text.splitlines()):
        raise Malformed("no columns")
    return Everything.start(self, setup)


def shake(option):
    """Another thing on the same button."""
    return Option("shake", Double(colour=option.line.colour), button=Button(option.line.colour, POSITIONS[0]))


NOT_OWN = Button(Colour.PURPLE, POSITIONS[3])


def untimed_alone(self, state, line):
    if line.t_ns is not None:
        raise Illegal("nobody asked when")
    return Everything.apply(self, state, line)


def timed_alone(self, state, line):
    if line.t_ns is None:
        raise Illegal("nobody knows when")
    return Everything.apply(self, state, line)


def ledger(**changes):
    return {"ledgers": lambda self, state: tuple(other(one, **changes) for one in Everything.ledgers(self, state))}


def hidden_ledger(self, state):
    rows = (LedgerRow("bids", None, (str(sum(int(bid) for _, bid in state.bids)), "")),)
    return tuple(other(one, rows=(*one.rows, *rows)) for one in Everything.ledgers(self, state))


def held(**changes):
    return {"held": lambda self, state: tuple(other(one, **changes) for one in Everything.held(self, state))}


def of_kind_and(kind, change, parts):
    return {**of_kind(kind, change), **parts}


def open_draw(offer):
    return other(offer, chance=other(offer.chance, is_secret=False))


STRANGE = Symbol(("#",), (Stroke("M4 18h16l-8"),))
COUNT = iter(range(10**6))
SEEN_BY = "test_"
BROKEN = {
    "another contract": ("it_keeps_this_contract", {"version": 1}),
    "no edition": ("it_keeps_this_contract", {"edition": 0}),
    "a long title": ("it_keeps_this_contract", {"title": "Everything that there is at all"}),
    "a title that no display has letters for": ("it_keeps_this_contract", {"title": "Всё"}),
    "a line of the record's own name": ("it_keeps_this_contract", {"lines": (*Everything.lines, End)}),
    "six seats": ("its_seats_and_buttons", {"seats": Seats(2, 6)}),
    "fewer titles than seats": ("its_seats_and_buttons", {"seats": Seats(2, 3, ("Army", "Navy"))}),
    "five buttons": ("its_seats_and_buttons", {"roles": ("a", "b", "c", "d", "e")}),
    "a symbol that is not there": ("its_seats_and_buttons", {"buttons": lambda *_: (ButtonFace("left", "nowhere"),)}),
    "a parameter without a label": ("what_it_asks", {"parameters": (Parameter("x", ""),)}),
    "a default outside": ("what_it_asks", {"parameters": (Parameter("x", "X", "number", 9, low=1, high=3),)}),
    "a choice that is none": (
        "what_it_asks",
        {"parameters": (Parameter("x", "X", "choice", "b", (Choice("a", "a"),)),)},
    ),
    "a sample that nobody can name": (
        "a_file_that_it_finds_no_fault_in",
        {"samples": lambda *_: (Sample("../x", "X", "tests.contract:boards/narrow.txt"),)},
    ),
    "a file that is found in order and cannot be read": (
        "a_file_that_it_finds_no_fault_in",
        {"check_file": lambda *_: (), "start": refuses_what_has_no_columns},
    ),
    "a fault in a line that is not there": (
        "a_file_that_it_finds_no_fault_in",
        {"check_file": lambda *_: (FileFault(9999, "it is wrong"),)},
    ),
    "a dry run that forgets a race": (
        "a_dry_run_counts",
        {"dry_run": lambda *_: DryRun(3, 1, (Difference(2, "it was so", "it would be so"),))},
    ),
    "a start that is never the same": (
        "a_setup_is_taken",
        {"start": lambda self, setup: replace(Everything.start(self, setup), stake=next(COUNT))},
    ),
    "no copies of a card": ("its_deck", {"deck": (Card("bell", copies=0),)}),
    "one card twice": ("its_deck", {"deck": (Card("bell", "bells"), Card("bell", "bells"))}),
    "two cards that people call alike": (
        "its_deck",
        {"deck": (Card("bell", "bells"), Card("gong", "gongs", label="bell"))},
    ),
    "a card's label that no display has letters for": ("its_deck", {"deck": (Card("bell", "bells", label="звонок"),)}),
    "a card's symbol that is not there": ("its_deck", {"deck": (Card("bell", "bells", symbol="nowhere"),)}),
    "a crooked drawing": ("its_symbols", {"symbols": {"bell": BELL, "grab": STRANGE}}),
    "an offer that is refused": ("everything_on_offer", apply_to(Double, no_end)),
    "an offer that changes nothing": ("everything_on_offer", apply_to(Double, unmoved)),
    "an offer of nothing": ("every_offer_says", first_offer(lambda offer: other(offer, options=(), number=None))),
    "an offer to nobody": ("every_offer_says", first_offer(lambda offer: other(offer, seat="nobody"))),
    "a long prompt": ("every_offer_says", first_offer(lambda offer: other(offer, prompt="What would you like to do?"))),
    "a long hint": ("every_offer_says", first_offer(lambda offer: other(offer, hint="press one of your own buttons"))),
    "one key twice": ("options_can_be_told_apart", of_kind("bid", same_options)),
    "a group without a label": (
        "options_can_be_told_apart",
        of_kind("bid", lambda offer: other(offer, options=tuple(other(o, group="all") for o in offer.options))),
    ),
    "one button for two things at once": (
        "what_is_picked_at_once",
        of_kind("nod", lambda offer: other(offer, options=(*offer.options, *(shake(o) for o in offer.options)))),
    ),
    "a button of somebody else's at once": (
        "what_is_picked_at_once",
        of_kind("nod", lambda o: other(o, options=tuple(other(one, button=NOT_OWN) for one in o.options))),
    ),
    "a number at once": ("what_is_picked_at_once", of_kind("stake", lambda offer: other(offer, at_once=True))),
    "two things at once, by nobody": (
        "what_is_picked_at_once",
        of_kind("nod", lambda o: other(o, seat=None, options=(*o.options, *(shake(one) for one in o.options)))),
    ),
    "a time that the game gives": (
        "what_is_timed_is_offered",
        of_kind("nod", lambda o: other(o, options=tuple(other(p, line=replace(p.line, t_ns=5)) for p in o.options))),
    ),
    "a timed choice that nobody may time": ("what_is_timed_is_offered", apply_to(Nod, untimed_alone)),
    "a timed choice that must be timed": ("what_is_timed_is_offered", apply_to(Nod, timed_alone)),
    "a sample that is faulty": (
        "the_files_that_come_along",
        {"check_file": lambda self, key, text: (FileFault(1, "it is never right"),)},
    ),
    "a sample that is not there": (
        "the_files_that_come_along",
        {"samples": lambda self, key: (Sample("x", "X", "tests.contract:nowhere.txt"),) if key == "board" else ()},
    ),
    "a file for no file": (
        "the_files_that_come_along",
        {"samples": lambda self, key: (Sample("x", "X", "tests.contract:board.txt"),)},
    ),
    "a fault beyond the end": (
        "the_files_that_come_along",
        {"check_file": lambda self, key, text: () if "columns" in text else (FileFault(99, "it is wrong there"),)},
    ),
    "a fault that says nothing": (
        "the_files_that_come_along",
        {"check_file": lambda self, key, text: () if "columns" in text else (FileFault(1, ""),)},
    ),
    "nothing taken back": ("the_newest_doing", {"taking_back": lambda *_: TakingBack(0)}),
    "more taken back than there is": ("the_newest_doing", {"taking_back": lambda *_: TakingBack(10_000)}),
    "what then does not fit": (
        "the_newest_doing",
        {"taking_back": lambda *_: TakingBack(1, Nod(colour=Colour.PURPLE))},
    ),
    "an account with a value too few": ("accounts_have", ledger(rows=(LedgerRow("Red", None, ("1",)),))),
    "an account of somebody who does not play": (
        "accounts_have",
        {
            "ledgers": lambda self, state: (
                Ledger("x", "X", ("a",), (LedgerRow("Red", "nobody", ("1",)),)),  # type: ignore[arg-type]  # no colour
            )
        },
    ),
    "two accounts of one key": ("accounts_have", {"ledgers": lambda self, state: Everything.ledgers(self, state) * 2}),
    "an account without a title": ("accounts_have", ledger(title="")),
    "an account of what is hidden": ("what_is_chosen_privately", {"ledgers": hidden_ledger}),
    "a draw that never was": ("what_is_held", held(n=77)),
    "a draw that everybody saw": ("what_is_held", of_kind_and("draw", open_draw, held())),
    "another pool": ("what_is_held", held(items=("sun", "moon"))),
    "more than was dealt": ("what_is_held", held(count=4)),
    "two who hold one card": ("what_is_held", {"held": lambda self, state: Everything.held(self, state) * 2}),
    "a line that no reader knows": ("lines_on_offer_can_be_written", {"lines": (Bid, Stake, Move, Late)}),
    "any number": ("numbers_outside", apply_to(Stake, takes_any_stake)),
    "a range too wide": (
        "numbers_outside",
        of_kind("stake", lambda o: other(o, number=NumberEntry(0, 500, o.number.line))),
    ),
    "21 values": ("stepped_choices", {"step": outgrown}),
    "a value that leads nowhere": ("stepped_choices", {"step": dead_end}),
    "a complete choice that is refused": ("stepped_choices", {"step": wrong_step}),
    "a pool that cannot come out": (
        "any_result_of_a_roll",
        of_kind("die", lambda o: other(o, chance=other(o.chance, name="card", items=("1", "2")))),
    ),
    "a roll that is not announced": ("any_result_of_a_roll", {"rolls": False}),
    "a bid out of turn": ("what_nobody_offers", apply_to(Bid, takes_any_bid)),
    "a slip": ("a_line_is_taken_or_refused", apply_to(Close, ever)),
    "a changed state": ("a_line_is_taken_or_refused", {"apply": leaves_a_trace}),
    "never the same outcome": ("asking_changes_nothing", growing()),
    "a mutable state": (
        "states_are_frozen",
        {
            "start": lambda self, setup: MutableState(Everything.start(self, setup)),
            **{name: (lambda *_: ()) for name in ("offers",)},
            "is_exhausted": lambda *_: True,
        },
    ),
    "a ruling that fails at its note": ("every_ruling_can_be_told", apply_to(JudgeLine, settled(note=slips))),
    "cards that are a list": ("every_ruling_can_be_told", apply_to(JudgeLine, settled(moved=lambda _: ["bell"]))),
    "a ruling that cannot be written": ("every_ruling_can_be_told", apply_to(JudgeLine, settled(result=object()))),
    "rulings that depend on more than the record": ("a_replay_gives", growing()),
    "two presses of one seat": ("a_race_takes_presses", apply_to(PressLine, late_counts)),
    "a press where nobody races": ("a_race_takes_presses", apply_to(PressLine, press_between)),
    "a closed race that forgets until when": ("a_closed_race_takes", apply_to(Close, closes_for_good)),
    "a close at any time": ("a_race_is_closed", apply_to(Close, closes_any)),
    "two orders": ("a_race_is_closed", apply_to(JudgeLine, two_orders)),
    "a deadline that is refused": (
        "a_deadlines_line",
        {"deadline": lambda self, state: Deadline(5, Stake(colour=Colour.RED, stake=0))},
    ),
    "a range by hand that is refused": (
        "what_is_adjustable",
        {
            "adjustable": lambda self, state: (Adjustable("nothing", "Nothing", 0, 3, 0),),
            **apply_to(
                msgspec.Struct,
                lambda self, state, line: (
                    Everything.apply(self, state, line)
                    if getattr(line, "set", "") != "nothing"
                    else no_end(self, state, line)
                ),
            ),
        },
    ),
    "a value that does not hold": (
        "what_is_adjustable",
        {"adjustable": lambda self, state: tuple(other(a, value=7) for a in Everything.adjustable(self, state))},
    ),
    "more cards than there are": (
        "no_more_cards",
        {"deck": (Card("bell", "bells", 1),), "_left": lambda *_: {"bell": 9}},
    ),
    "an end that is refused": ("the_end_is_legal", apply_to(End, no_end)),
    "an end too early": (
        "the_end_is_legal",
        {
            "can_end": lambda *_: False,
            **apply_to(End, lambda self, state, line: (replace(state, phase=Phase.OVER), ())),
        },
    ),
    "offers after the end": ("the_end_is_legal", {"offers": lambda self, state: self._bidding(state)}),
    "an exhausted game that offers": ("an_exhausted_game", {"is_exhausted": lambda *_: True}),
    "an outcome of nobody": (
        "the_outcome_is",
        {"outcome": lambda self, state: replace(Everything.outcome(self, state), over=True)},
    ),
    "a view that is too wide": ("the_view_fits", view(phase="a phase with a very long name")),
    "scores of others": ("the_view_fits", view(scores=((Colour.PURPLE, 1),))),
    "a face that is not drawn": ("buttons_have_names", {"buttons": lambda *_: (ButtonFace("left", "nowhere"),)}),
    "a line without words": ("every_line_has_words", {"describe": lambda *_: ""}),
    "a field without its own value": (
        "every_line_has_words",
        {
            "fields": lambda self, line: (
                (LineField("bid", "bid", (FieldValue("9", "9"),)),) if isinstance(line, Bid) else ()
            )
        },
    ),
    "a bid that is told": ("what_is_chosen_privately", {"describe": bid_told}),
    "a bid that is seen": ("what_is_chosen_privately", {"view": bid_seen}),
    "a drawn card that is seen": ("what_is_chosen_privately", {"view": drawn_seen}),
    "a slip of the view": ("whatever_is_done", {"view": lambda self, state, viewer=None: ever(self, state, viewer)}),
    "a race that is none": ("a_press_that_nobody_wants", apply_to(PressLine, press_between)),
}


def game_of(parts):
    return type("Broken", (Everything,), dict(parts))()


def noticed(game, name):
    """Run one test of the suite, with each of its seeds, and give what it raised; None where all of them passed."""
    suite = type("Suite", (GameContract,), {"game": game})()
    (test,) = [getattr(suite, found) for found in dir(suite) if found.startswith(SEEN_BY + name)]
    wants = list(inspect.signature(test).parameters)
    makes = {
        "walk": lambda seed: Walk(game, seed),
        "driver": lambda seed: Driver(game, seed),
        "seed": lambda seed: seed,
    }
    for seed in SEEDS:
        try:
            test(*(makes[want](seed) for want in wants))
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - a slip of the game goes through, and is red
            return error
    return None


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_game_is_noticed_by_the_test_of_that_rule(name):
    by, parts = BROKEN[name]
    assert noticed(game_of(parts), by) is not None


@pytest.mark.parametrize("by", sorted({by for by, _ in BROKEN.values()}))
def test_the_whole_game_passes_the_same_tests(by):
    assert noticed(EVERYTHING, by) is None


def test_every_test_of_the_suite_has_a_game_that_it_notices():
    tests = {name for name in dir(GameContract) if name.startswith(SEEN_BY)}
    shown = {name for name in tests if any(name.startswith(SEEN_BY + by) for by, _ in BROKEN.values())}
    words = {"test_every_catalogue_is_complete", "test_every_message_that_is_asked_for_is_in_every_catalogue"}
    assert tests - shown == words | {"test_undo_gives_every_state_back"}  # words: test_broken_words; undo: the judge's
