"""What the camera of a page has read, in a match: entered as of its arrival, for the seat whose phone it was."""

from __future__ import annotations

import pytest

from companion.app.scanner import Cameras
from companion.config.deck_file import Deck, printed_deck, write_deck
from companion.config.settings import Scanner
from companion.core.errors import CompanionError, Malformed
from companion.core.panel import Colour
from companion.core.play.scanning import CAMERA, READING_NS
from companion.core.record.lines import Remark, Reveal
from companion.core.timing.events import MS, SECOND
from companion.games import registry
from companion.ports import SeenCode
from companion.screens.text.account import replay_account
from companion.testing.virtual_box import VirtualBox as AnyVirtualBox
from tests.core.play.test_scanned_choices import CARDS, RED, YELLOW, Grove, Lay, box_of
from tests.core.play.virtual_box import VirtualBox

CODES = {card: code for code, card in printed_deck("apache").codes.items()}


def see(
    box: AnyVirtualBox, code: str, at_ms: float, seat: Colour | None = None, error_ns: int = 0, deck: str = ""
) -> str:
    """Have a camera read a code; give what was done, or why it was not."""
    cameras = Cameras(Scanner(deck=deck))
    cameras.prepare()
    box.run(at_ms)
    answers = box.request(lambda session, t_ns: cameras.enter(session, SeenCode(code, error_ns, seat), t_ns))
    box.run(at_ms + 100)
    (answer,) = answers
    return str(answer) if isinstance(answer, CompanionError) else answer.says


@pytest.fixture
def box() -> VirtualBox:
    return VirtualBox(("red", "yellow"))


@pytest.fixture
def grove_deck(tmp_path):
    """The file of a deck of the game with three cards, as `companion deck enrol` writes it."""
    path = tmp_path / "grove.toml"
    write_deck(path, Deck("apache", {"ROWAN": "buffalo"}))
    return path


def test_a_code_is_a_reveal_as_of_its_arrival_and_nobody_says_when_the_card_was_turned(box):
    assert see(box, CODES["red hunter"], 2000) == "revealed: red hunter"
    reveal, remark = box.lines[-2:]
    assert reveal == Reveal(card="red hunter", t_ns=2000 * MS)
    assert remark == Remark(text=f"scanned {CODES['red hunter']}: red hunter", source=CAMERA)


def test_the_account_tells_no_reaction_time_after_a_card_that_a_camera_read(box):
    see(box, CODES["red hunter"], 2000)
    box.press("red hunter", 2400)
    box.run(9000)
    account = "\n".join(replay_account(box.record(), registry.find))
    assert "reveals: red hunter" in account
    assert "after the card" not in account


@pytest.mark.parametrize(
    ("code", "why"),
    [("APACHE-999", "no card has the code APACHE-999"), (CODES["buffalo"], "this buffalo has been scanned already")],
)
def test_what_is_no_card_or_lies_there_already_is_said_and_changes_nothing(box, code, why):
    see(box, CODES["buffalo"], 2000)
    lines = list(box.lines)
    assert see(box, code, 5000) == why
    assert box.lines == lines


def test_a_card_that_is_seen_long_after_the_first_press_is_the_card_of_that_race(box):
    box.press("red hunter", 2000)
    assert see(box, CODES["red hunter"], 2000 + 2500) == "revealed: red hunter"
    assert see(box, CODES["buffalo"], 4700).startswith("revealed: buffalo")
    box.run(12_000)
    assert [line.t_ns for line in box.lines if isinstance(line, Reveal)] == [4500 * MS, 4700 * MS]


def test_a_seat_enters_a_card_only_where_it_turns(box):
    turn = box.session.match.view().turn
    other = next(colour for colour in (RED, YELLOW) if colour is not turn)
    lines = list(box.lines)
    assert f"{turn} turns the cards now".lower() in see(box, CODES["buffalo"], 2000, other).lower()
    assert box.lines == lines
    assert see(box, CODES["buffalo"], 3000, turn) == "revealed: buffalo"


def test_a_seat_picks_for_itself_alone(monkeypatch):
    monkeypatch.setattr("companion.app.scanner.printed_deck", printed_grove)
    monkeypatch.setattr("companion.app.scanner.has_cards", lambda _game: True)
    box = box_of(Grove(lays=(RED, YELLOW), reveals=False))
    assert see(box, "G-maple", 2000, YELLOW) == "chosen: maple"
    assert box.lines[-1] == Lay(colour=YELLOW, card="maple", t_ns=2000 * MS, error_ns=READING_NS)
    assert see(box, "G-larch", 3000, YELLOW) == "larch is not asked for now"
    assert see(box, "G-larch", 4000) == "chosen: larch"
    assert box.lines[-1].colour is RED


def test_a_picture_that_was_long_on_its_way_widens_what_it_picks_is_timed_by(monkeypatch):
    monkeypatch.setattr("companion.app.scanner.printed_deck", printed_grove)
    monkeypatch.setattr("companion.app.scanner.has_cards", lambda _game: True)
    box = box_of(Grove(lays=(RED,), reveals=False))
    see(box, "G-maple", 2000, RED, error_ns=3 * SECOND)
    line = box.lines[-1]
    assert isinstance(line, Lay)
    assert (line.t_ns, line.error_ns) == (2000 * MS, 3 * SECOND)


def test_a_deck_of_ones_own_says_what_a_code_is(box, grove_deck):
    assert see(box, "ROWAN", 2000, deck=str(grove_deck)) == "revealed: buffalo"
    assert see(box, CODES["teepee"], 3000, deck=str(grove_deck)) == f"no card has the code {CODES['teepee']}"


def test_a_deck_that_cannot_be_read_is_said_with_its_place(tmp_path):
    (tmp_path / "deck.toml").write_text('game = "apach"\n')
    with pytest.raises(Malformed, match=r"deck\.toml"):
        Cameras(Scanner(deck=str(tmp_path / "deck.toml"))).prepare()


def test_without_a_match_a_card_is_not_entered():
    box = VirtualBox(start=False)
    assert see(box, CODES["buffalo"], 5000) == "no match is running: buffalo is not entered"


def printed_grove(game: str):
    return Deck(game, {f"G-{name}": name for name in CARDS})
