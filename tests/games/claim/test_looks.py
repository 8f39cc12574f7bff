"""A match looks as its file says, on displays and pages: its cards, buttons and drawings, also when it is over."""

from __future__ import annotations

from companion.core.play.commands import EnterCard
from companion.core.record.lines import SetupFile
from companion.core.timing.events import MS
from companion.games.claim import GAME
from companion.screens.everybody.looks import game_of_look, look_key
from companion.screens.web.matches import match_document
from companion.screens.web.views import Views
from companion.testing.virtual_box import VirtualBox
from tests.games.claim.games import FILES
from tests.games.claim.matches import random_match
from tests.games.claim.table import find, setup


def test_a_setup_s_file_has_a_look_of_its_own_which_pages_ask_for_by_its_key() -> None:
    given = setup(FILES["snap"])
    game = GAME.playing(given)
    key = look_key(game, given)
    assert key.startswith("claim~")
    assert game_of_look(key, find) is game
    cards = Views(find, ("claim",)).look(key)["cards"]
    assert [card["name"] for card in cards][:2] == ["ace of clubs", "2 of clubs"]
    assert look_key(GAME.playing(setup(FILES["totem"])), setup(FILES["totem"])) != key


def test_a_look_that_is_not_kept_any_more_is_the_game_s_own() -> None:
    assert game_of_look("claim~0123456789abcdef", find) is GAME
    for index in range(20):
        given = setup(FILES["first"] + f"# {index}")
        look_key(GAME.playing(given), given)
    given = setup(FILES["first"] + "# 0")
    assert game_of_look(look_key(GAME.playing(given), given), find).deck[0].name == "ace of clubs"


def test_the_state_of_a_running_match_and_a_past_one_name_their_look() -> None:
    files = {"game": SetupFile("totem.toml", FILES["totem"])}
    box = VirtualBox(("red", "blue"), "claim", find=find, games=("claim",), files=files)
    box.command(EnterCard(card="all in"))
    box.run(box.now_ms + 500)
    views = Views(find, ("claim",))
    state = views.state(box.session.snapshot(round(box.now_ms * MS)), 1)
    assert state["game"]["title"] == "Totem grab"
    assert state["buttons"] == [{"label": "grab", "symbol": "totem"}]
    assert "totem" in views.look(state["game"]["look"])["symbols"]
    past = match_document(random_match(1, "snap"), find)
    assert past["title"] == "Snap"
    assert "king of spades" in {card["name"] for card in views.look(past["look"])["cards"]}


def test_before_a_match_there_is_the_file_that_comes_along() -> None:
    assert GAME.title == "Claim"
    assert [face.label for face in GAME.buttons(None, None)] == ["bell"]
