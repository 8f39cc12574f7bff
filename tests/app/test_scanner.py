"""Scanned cards in a match: revealed in their turn; unknown, shown twice or impossible ones change nothing."""

from __future__ import annotations

import json

import pytest

from companion.app.scanner import CardDesk, load_deck
from companion.config.deck_file import Deck, printed_deck
from companion.config.settings import Scanner as ScannerSettings
from companion.core.errors import CompanionError, Illegal
from companion.core.match.effects import Sound, Tone
from companion.core.play.commands import Done
from companion.core.play.scanning import SCANNER, Scan, Unreadable
from companion.core.record.lines import PressLine, Remark, Reveal
from companion.core.ruling.judge import judge_record
from companion.core.ruling.rulings import Order
from companion.core.timing.events import MS
from companion.games import registry
from companion.screens.text.account import replay_account
from companion.testing import virtual_box
from companion.testing.walks import only
from tests.core.play.virtual_box import START_MS, VirtualBox, unfinished
from tests.games.harbour import HARBOUR

DECK = printed_deck("apache")
CODES = {card: [code for code, name in DECK.codes.items() if name == card] for card in set(DECK.codes.values())}


class ScannedBox(VirtualBox):
    """A box with a scanner."""

    desk = CardDesk(DECK)

    def scan(self, what, at_ms):
        """Show a code at a time; give what was refused, None where it was not."""
        answers: list[Done | CompanionError] = []

        def enter(session):
            try:
                answers.append(self.desk.enter(session, what, round(at_ms * MS)))
            except CompanionError as error:
                answers.append(error)
                session.refuse(str(error))

        self.run(at_ms)
        self.box.ask(round(at_ms * MS), enter)
        self.run(at_ms + 100)
        (answer,) = answers
        return str(answer) if isinstance(answer, CompanionError) else None

    def state(self):
        assert self.session.match is not None
        return self.session.match.judge.state

    def account(self):
        return list(replay_account(self.record(), registry.find))


@pytest.fixture
def box():
    return ScannedBox(seats=("red", "yellow"))


def test_a_scanned_card_is_a_timed_reveal(box):
    assert box.scan(Scan(CODES["red hunter"][0]), 2000) is None
    reveal, remark = box.lines[-2:]
    assert (reveal.card, reveal.t_ns) == ("red hunter", 2000 * MS)
    assert (remark.source, remark.text) == (SCANNER, f"scanned {CODES['red hunter'][0]}: red hunter")


@pytest.mark.parametrize(
    ("what", "why"),
    [
        (Scan("APACHE-999"), "no card has the code APACHE-999"),
        (Scan(CODES["buffalo"][0]), "scanned already"),
        (Unreadable("a code of more than 64 characters"), "the scanner read a code of more than"),
    ],
)
def test_what_cannot_be_revealed_is_said_and_sounded_and_changes_nothing(box, what, why):
    box.scan(Scan(CODES["buffalo"][0]), 2000)
    state, lines = box.state(), list(box.lines)
    box.effects.clear()
    assert why in box.scan(what, 3000)
    assert box.state() == state
    assert box.lines == lines
    assert Sound(Tone.REFUSED) in box.effects
    assert why in box.scene.notice


def test_a_code_that_a_wrong_layout_explains_names_the_right_one(box):
    box.desk = CardDesk(DECK, layout="us")
    says = box.scan(Scan("APACHE/001"), 2000)
    assert says == 'no card has the code APACHE/001; APACHE-001 is one: set scanner.layout = "de"'
    assert box.scan(Scan("APACHE-999"), 3000) == "no card has the code APACHE-999"


@pytest.mark.parametrize("error_ns", [None, 500 * MS + 1])
def test_a_card_of_which_nobody_knows_when_it_was_shown_is_to_be_shown_again(box, error_ns):
    lines = list(box.lines)
    why = box.scan(Scan(CODES["buffalo"][0], error_ns), 2000)
    assert why == "this buffalo lay on the reader before it could be read: take it away, and put it there again"
    assert box.lines == lines
    assert box.scan(Scan(CODES["buffalo"][0], 120 * MS), 3000) is None


def test_a_card_that_cannot_be_there_is_refused(box):
    for number in range(2):
        box.reveal("red chief", 2000 + 1000 * number)
    lines = list(box.lines)
    assert box.scan(Scan(CODES["red chief"][0]), 5000) is not None
    assert box.lines == lines


def test_after_an_undo_the_card_can_be_scanned_again(box):
    box.scan(Scan(CODES["teepee"][3]), 2000)
    box.session.match.undo()
    box.run(2500)
    assert box.scan(Scan(CODES["teepee"][3]), 3000) is None


def test_a_code_shown_before_a_restart_is_still_known_after_it(box):
    box.scan(Scan(CODES["teepee"][3]), 2000)
    again = ScannedBox(unfinished=unfinished(box.lines))
    again.session.resume()
    assert "scanned already" in again.scan(Scan(CODES["teepee"][3]), 9000)
    assert again.scan(Scan(CODES["teepee"][4]), 9500) is None


def test_a_card_scanned_while_a_race_collects_joins_it_as_a_late_reveal(box):
    box.scan(Scan(CODES["buffalo"][0]), 2000)
    box.press("red hunter", 3000)
    box.run(3200)
    assert box.scan(Scan(CODES["red hunter"][0]), 3300) is None
    box.run(9000)
    order = next(ruling for ruling in judge_record(box.record(), registry.find) if isinstance(ruling, Order))
    assert order.order[0].verdict == "claim"


def test_reaction_times_are_in_the_account_and_an_anticipated_press_is_marked_and_not_punished_for_it(box):
    box.scan(Scan(CODES["buffalo"][0]), 2000)
    box.scan(Scan(CODES["red hunter"][0]), 3000)
    box.press("red hunter", 3060)
    box.press("yellow hunter", 3412)
    box.run(9000)
    told = "\n".join(box.account())
    assert "red hunter, 60.000 ms after the card (anticipated)" in told
    assert "412.000 ms after the card" in told
    assert told.count("anticipated") == 1
    order = next(ruling for ruling in judge_record(box.record(), registry.find) if isinstance(ruling, Order))
    assert order.order[0].verdict == "claim"


def test_the_rulings_as_json_are_the_same_with_a_scanner_as_by_hand(box):
    box.scan(Scan(CODES["red hunter"][0]), 2000)
    box.press("red hunter", 2060)
    box.run(9000)
    by_hand = [raw for raw in box.record() if b'"source":"scanner"' not in raw]
    dumps = [
        [json.dumps(str(ruling)) for ruling in judge_record(record, registry.find)]
        for record in (box.record(), by_hand)
    ]
    without_numbers = [[text for text in dump if "line=" not in text] for dump in dumps]
    assert without_numbers[0] == without_numbers[1]


def test_cards_entered_by_hand_have_no_reaction_times(box):
    box.reveal("buffalo", 2000)
    box.press("red hunter", 3060)
    box.run(9000)
    assert "after the card" not in "\n".join(box.account())


def test_without_a_match_or_with_another_game_s_deck_nothing_is_entered():
    lobby = ScannedBox(start=False)
    assert "no match is running" in lobby.scan(Scan(CODES["buffalo"][0]), 2000)
    order = ScannedBox(game="order")
    assert "deck is apache's, not order's" in order.scan(Scan(CODES["buffalo"][0]), 2000)


def test_a_deck_of_factory_codes_is_used_as_well():
    box = ScannedBox(seats=("red", "yellow"))
    box.desk = CardDesk(Deck("apache", {"04A2B91C": "necklace"}))
    assert box.scan(Scan("04A2B91C"), 2000) is None
    assert [line.card for line in box.lines if isinstance(line, Reveal)] == ["necklace"]
    with pytest.raises(Illegal):
        box.desk.enter(box.session, Scan(CODES["buffalo"][0]), 1)


def test_presses_keep_their_times_whatever_is_scanned(box):
    box.scan(Scan(CODES["buffalo"][0]), 2000)
    box.press("red hunter", 2500.5)
    box.scan(Scan("rubbish"), 2501)
    box.run(9000)
    assert [line.t_ns for line in box.lines if isinstance(line, PressLine)] == [round(2500.5 * MS)]
    assert not [line for line in box.lines if isinstance(line, Remark) and "rubbish" in line.text]


@pytest.mark.parametrize("game", ["apache", "order"])
def test_without_a_deck_the_printed_one_is_taken_whatever_game_is_next(game):
    assert load_deck(ScannerSettings(port="/dev/reader"), game) == DECK


def test_a_card_scanned_in_a_game_without_cards_is_refused_and_says_why():
    box = ScannedBox(game="order", seats=("red", "yellow"))
    assert box.scan(Scan(CODES["buffalo"][0]), START_MS + 200) == "the scanner's deck is apache's, not order's"


def test_a_scanned_card_is_said_as_people_call_it_and_recorded_by_its_name():
    box = virtual_box.VirtualBox(("red", "yellow"), "harbour", find=only(HARBOUR), games=("harbour",))
    desk = CardDesk(Deck("harbour", {"HARBOUR-006": "rope"}))
    asked = []
    for _ in range(2):
        asked.append(box.request(lambda session, t_ns: desk.enter(session, Scan("HARBOUR-006"), t_ns)))
        box.run(box.now_ms + 100)
    (done,), (refused,) = asked
    assert isinstance(done, Done)
    assert done.says == "revealed: Tau"
    assert str(refused) == "this Tau has been scanned already"
    reveal, remark = box.lines[-2:]
    assert isinstance(reveal, Reveal)
    assert isinstance(remark, Remark)
    assert (reveal.card, remark.text) == ("rope", "scanned HARBOUR-006: rope")
