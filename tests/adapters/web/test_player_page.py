"""What a player's page is told over the wire: its own, at once; and while phones race nothing of anybody else's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.adapters.web.phones.places import ELSEWHERE, TAKEN_BACK, UNKNOWN
from companion.core.panel import Colour
from companion.core.profiles.profile import Profile, Screens, Voice
from tests.adapters.web.served import Served, served
from tests.adapters.web.talk import Talk

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def box() -> Iterator[Served]:
    with served(simulated=False) as it:
        it.clock.stop()
        yield it


def phone(box: Served, seat: str, client: str | None = None) -> Talk:
    """A panel that asks for a seat."""
    talk = Talk(box.server.port)
    talk.say({"type": "panel", "asks": seat} | ({"client": client} if client else {}))
    return talk


def let_in(box: Served, talk: Talk, seat: str | None) -> dict[str, Any]:
    panel = talk.get("panel")
    assert box.referee.post(f"/api/phones/{panel['code']}", json={"seat": seat}).status_code == 200
    return panel


def told(talk: Talk, **what: Any) -> dict[str, Any]:
    """Wait until the phone is told this; give all it is told then."""
    return talk.get("me", lambda me: all(me[key] == value for key, value in what.items()))


def news(talk: Talk) -> list[dict[str, Any]]:
    """Give what has been told since it was asked last, the clock's questions aside."""
    talk.say({"type": "ping"})
    talk.get("pong")
    found = [message for message in talk.passed if message["type"] != "sync"]
    talk.passed.clear()
    return found


@pytest.fixture
def duel(box: Served) -> Iterator[tuple[Talk, Talk]]:
    """Two phones in a match, and a card that red's hunter claims from."""
    with phone(box, "red") as red, phone(box, "yellow") as yellow:
        for talk, seat in ((red, "red"), (yellow, "yellow")):
            let_in(box, talk, seat)
            told(talk, seat=seat)
        seats = [{"colour": "red"}, {"colour": "yellow"}]
        assert box.referee.post("/api/match", json={"seats": seats, "window_ms": 60_000}).status_code == 200
        for card in ("red hunter", "buffalo", "teepee"):
            assert box.referee.post("/api/reveal", json={"card": card}).status_code == 200
        told(yellow, headline="Get ready")
        yield red, yellow


def test_a_phone_that_asks_is_told_its_code_and_what_to_do(box: Served) -> None:
    with phone(box, "red") as red:
        me = told(red, mood="guest")
        assert red.passed[-1]["type"] == "panel"
        assert me["headline"] == f"Phone {red.passed[-1]['code']} asks for red"
        assert (me["seat"], me["buttons"]) == (None, [])


def test_the_own_press_is_told_while_phones_race_and_nothing_of_it_to_the_other(
    box: Served, duel: tuple[Talk, Talk]
) -> None:
    red, yellow = duel
    assert news(yellow)
    box.clock.ahead_ns += 200_000_000
    box.box.press("red hunter")
    me = told(red, mood="taken")
    assert me["press"] == {"number": 1, "fate": "counts"}
    assert me["detail"] == "The order is shown when no more presses are taken."
    assert [button["says"] for button in me["buttons"]] == ["nothing now"] * 3 + ["taken"]
    assert news(yellow) == []
    box.clock.ahead_ns += 83_000_000
    box.box.press("red chief")
    assert told(red, mood="late")["headline"] == "Already played"
    box.box.press("yellow chief")
    assert told(yellow, mood="bad")["headline"].startswith("2nd, +83.0 ms")


def test_a_press_that_was_told_as_taken_stays_so_whoever_presses_after_it(box: Served, duel: tuple[Talk, Talk]) -> None:
    """That it is not the newest any more would say that another has pressed."""
    red, yellow = duel
    seats = [{"colour": colour} for colour in ("red", "yellow", "blue")]
    body = {"seats": seats, "window_ms": 60_000, "abandon": True}
    assert box.referee.post("/api/match", json=body).status_code == 200
    assert box.referee.post("/api/reveal", json={"card": "red hunter"}).status_code == 200
    told(red, press=None)
    box.clock.ahead_ns += 200_000_000
    box.box.press("red hunter")
    told(red, mood="taken")
    news(red)
    box.clock.ahead_ns += 200_000_000
    box.box.press("yellow chief")
    told(yellow, mood="taken")
    assert news(red) == []


def test_a_press_that_was_too_late_stays_the_newest_thing_told_while_the_next_race_is_withheld(
    box: Served, duel: tuple[Talk, Talk]
) -> None:
    red, yellow = duel
    body = {"game": "order", "seats": [{"colour": "red"}, {"colour": "yellow"}], "window_ms": 60_000, "abandon": True}
    assert box.referee.post("/api/match", json=body).status_code == 200
    box.clock.ahead_ns += 200_000_000
    box.box.press("yellow first")
    box.clock.ahead_ns += 200_000_000
    assert box.referee.post("/api/close", json={}).status_code == 200
    box.clock.ahead_ns += 200_000_000
    box.box.press("red first")
    assert told(red, mood="late")["headline"] == "Too late"
    box.clock.ahead_ns += 2_000_000_000
    box.referee.post("/api/remark", json={"text": "time has passed"})
    told(yellow, headline="1st")
    news(red)
    box.box.press("yellow first")
    told(yellow, mood="taken")
    assert news(red) == []


def test_a_seat_chooses_by_key_and_for_itself_alone(box: Served, duel: tuple[Talk, Talk]) -> None:
    red, yellow = duel
    box.box.press("red hunter")
    assert box.referee.post("/api/close", json={}).status_code == 200
    option = box.until_state(lambda state: state["offers"] != [])["offers"][0]["options"][1]["key"]
    yellow.say({"type": "choose", "kind": "claim", "option": option})
    assert yellow.get("error")["message"] == "that is not to be chosen now"
    red.say({"type": "choose", "kind": "claim", "option": option})
    assert red.get("noted")["says"] == "chosen: 1 teepee"


def test_a_panel_without_a_seat_chooses_nothing(box: Served, duel: tuple[Talk, Talk]) -> None:
    with phone(box, "blue") as other:
        other.say({"type": "choose", "kind": "claim", "option": "x"})
        assert other.get("error")["message"] == "this panel plays no seat: the referee gives it one"


def test_a_seat_that_is_given_up_is_free(box: Served) -> None:
    with phone(box, "red") as red:
        let_in(box, red, "red")
        told(red, seat="red")
        red.say({"type": "leave"})
        assert told(red, seat=None)["headline"] == "Which colour do you play?"
        assert box.until_state(lambda state: state["phones"] == [])


def test_why_a_seat_was_lost_is_told(box: Served) -> None:
    with phone(box, "red") as first, phone(box, "red") as second:
        let_in(box, first, "red")
        told(first, seat="red")
        let_in(box, second, "red")
        assert told(first, seat=None)["detail"] == ELSEWHERE.format(seat="red")
        code = box.until_state(lambda state: any(one["seat"] for one in state["phones"]))["phones"][-1]["code"]
        assert box.referee.post(f"/api/phones/{code}", json={"seat": None}).status_code == 200
        assert told(second, seat=None, detail=TAKEN_BACK)
        second.say({"type": "panel", "asks": "blue"})
        assert "asks for blue" in told(second, seat=None)["headline"]


def test_a_phone_that_the_box_does_not_know_any_more_is_told_so(box: Served) -> None:
    with phone(box, "red", client="of another start") as red:
        assert told(red, mood="guest")["detail"] == UNKNOWN


def test_how_a_person_wants_it_is_told_to_the_phone_of_their_seat_alone_and_no_longer_than_they_sit(
    box: Served, duel: tuple[Talk, Talk]
) -> None:
    red, yellow = duel
    news(red), news(yellow)
    ann = Profile(
        name="Ann", language="en", voice=Voice(rate=0.5, volume=40),
        screens=Screens(simple=True, large=True, signals=("tones",)),
    )  # fmt: skip
    box.server.tell_profiles({Colour.RED: ann})
    assert red.get("wishes") == {
        "type": "wishes", "seat": "red", "language": "en", "simple": True, "large": True, "trembles": False,
        "sounds": True, "rate": 0.5, "volume": 0.4,
    }  # fmt: skip
    assert news(yellow) == []
    box.server.tell_profiles({Colour.RED: Profile(name="Bob", language="xx")})
    assert (red.get("wishes")["language"], news(yellow)) == ("", [])
    box.server.tell_profiles({})
    assert red.get("wishes")["seat"] is None
