"""Profiles by the API: the referee's all of them, a person's own by their card, and nobody else's by anything."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from companion.adapters.web.endpoints import ENDPOINTS
from companion.core.panel import Colour
from companion.core.profiles.exchange import as_file
from companion.core.profiles.profile import Allowance, Filters, Profile
from tests.adapters.web.served import Served
from tests.adapters.web.served import served as served_box
from tests.adapters.web.talk import Talk
from tests.core.profiles.people import FULL

if TYPE_CHECKING:
    from collections.abc import Iterator

ANN = Profile(name="Ann", filters=Filters(accept_ms=80), card="A" * 16)
BOB = Profile(name="Bob", allowance=Allowance(ms=300), card="B" * 16)


@pytest.fixture
def served() -> Iterator[Served]:
    box = Served()
    try:
        for profile in (ANN, BOB):
            box.profiles.take_in(as_file(profile))
        yield box
    finally:
        box.stop()


def post(client: httpx.Client, address: str, **body: Any) -> httpx.Response:
    return client.post(address, json=body)


# -- the referee -------------------------------------------------------------------------------------------------------


def test_the_referee_sees_all_and_no_list_says_what_cards_say(served: Served) -> None:
    (served.folder / "profiles" / "zz.json").write_bytes(b'{"version":2,"name":"Cleo"}')
    served.profiles.look()
    told = served.referee.get("/api/profiles").json()

    assert [(one["name"], one["allowance_ms"], one["has_card"]) for one in told["profiles"]] == [
        ("Ann", 0, True), ("Bob", 300, True),
    ]  # fmt: skip
    assert told["profiles"][0]["wishes"]["filters"] == {"accept_ms": 80.0}
    assert told["profiles"][0]["concessions"] == [
        "a touch counts after 80 ms, which is more than 20: every seat agrees to it first"
    ]
    assert "Cleo" in told["problems"][0]
    assert ANN.card not in json.dumps(told)


def test_the_referee_begins_changes_and_deletes_one(served: Served) -> None:
    assert post(served.referee, "/api/profiles/begin", name="Cleo").json()["name"] == "Cleo"
    assert "Cleo" in served.referee.get("/api/people/names").json()
    changed = post(served.referee, "/api/profiles/change", name="cleo", wishes={"filters": {"repeat_ms": 400}})
    assert changed.json()["wishes"]["filters"] == {"repeat_ms": 400.0}
    assert post(served.referee, "/api/profiles/remove", name="Cleo").json()["says"].startswith("the profile of Cleo")
    assert post(served.referee, "/api/profiles/remove", name="Cleo").status_code == 404
    assert "Cleo" in served.referee.get("/api/people/names").json()


def test_a_new_card_opens_it_and_the_one_before_does_not(served: Served) -> None:
    post(served.referee, "/api/profiles/card", name="Ann")
    card = served.profiles.of("Ann").card

    assert card != ANN.card
    assert post(served.client, "/api/profile", card=ANN.card).status_code == 404
    assert post(served.client, "/api/profile", card=f"p-{card[:4]} {card[4:].lower()}").json()["name"] == "Ann"


def test_a_profile_goes_along_and_comes_back(served: Served) -> None:
    along = post(served.referee, "/api/profiles/along", name="Ann").json()
    assert along["card"] == f"P-{ANN.card}"
    assert along["address"].endswith(f"profile#card={ANN.card}")
    assert all(along[key].startswith("<svg") for key in ("code_svg", "card_svg", "address_svg"))
    post(served.referee, "/api/profiles/remove", name="Ann")

    for text in (along["file"], along["code"]):
        assert post(served.referee, "/api/profiles/import", text=text).json()["name"] == "Ann"
        assert served.profiles.of("Ann") == ANN


def test_a_profile_of_another_ann_takes_the_place_only_if_that_is_said(served: Served) -> None:
    other = as_file(Profile(name="Ann")).decode()

    refused = post(served.referee, "/api/profiles/import", text=other)
    assert (refused.status_code, "already" in refused.json()["error"]["message"]) == (409, True)
    assert served.profiles.of("Ann") == ANN
    assert post(served.referee, "/api/profiles/import", text=other, instead=True).status_code == 200
    assert served.profiles.of("Ann").filters == Filters()


@pytest.mark.parametrize(
    ("text", "says"), [('{"version":9,"name":"X"}', "newer version"), ("TCP1:A", "not whole"), ("hello", "no profile")]
)
def test_what_is_no_profile_is_refused_in_words(served: Served, text: str, says: str) -> None:
    refused = post(served.referee, "/api/profiles/import", text=text)
    assert refused.status_code in (400, 409)
    assert says in refused.json()["error"]["message"]


# -- a person's own ----------------------------------------------------------------------------------------------------


def test_a_card_opens_its_own_profile_and_changes_it(served: Served) -> None:
    own = post(served.client, "/api/profile/change", card=ANN.card, wishes={"input": "scan", "language": "de"})
    assert own.json()["wishes"]["input"] == "scan"
    assert (served.profiles.of("Ann").language, served.profiles.of("Ann").filters) == ("de", Filters())
    assert post(served.client, "/api/profile/along", card=ANN.card).json()["name"] == "Ann"
    assert post(served.client, "/api/profile/remove", card=ANN.card).status_code == 200
    assert served.profiles.find("Ann") is None


@pytest.mark.parametrize(
    "wishes",
    [{"allowance": {"ms": 5000}}, {"name": "Bob"}, {"card": "C" * 16}, {"version": 9}, {"filters": {"accept_ms": 501}},
     {"voice": {"rate": -1}}, {"scanning": {"order": [1, 1, 2, 3]}}, {"mapping": [{}] * 17}],
)  # fmt: skip
def test_nobody_gives_themselves_what_others_agree_to_nor_what_cannot_be(
    served: Served, wishes: dict[str, Any]
) -> None:
    assert post(served.client, "/api/profile/change", card=ANN.card, wishes=wishes).status_code == 400
    assert served.profiles.kept == (ANN, BOB)


@pytest.mark.parametrize("card", ["", "C" * 16, "P-", "Ann", "A" * 15, "*" * 16, "\u0131" * 16])
def test_what_is_no_card_of_this_box_opens_nothing(served: Served, card: str) -> None:
    for address in ("/api/profile", "/api/profile/along", "/api/profile/remove"):
        refused = post(served.client, address, card=card)
        assert refused.status_code == 404
        assert "opens no profile" in refused.json()["error"]["message"]
    assert post(served.client, "/api/profile/change", card=card, wishes={}).status_code == 404
    assert served.profiles.kept == (ANN, BOB)


def test_a_person_without_a_card_is_opened_by_no_empty_one(served: Served) -> None:
    served.profiles.begin("Cleo")

    assert post(served.client, "/api/profile", card="").status_code == 404


def test_a_guest_has_nothing_of_anybody_without_a_card(served: Served) -> None:
    for endpoint in ENDPOINTS:
        if endpoint.path.startswith("/api/profiles") or endpoint.path == "/api/sit":
            body = {"name": "Ann", "wishes": {}, "text": as_file(FULL).decode(), "instead": True}
            answer = served.client.request(endpoint.method, endpoint.path, json=body)
            assert answer.status_code == 401, endpoint.path
            assert "Ann" not in answer.text
    assert served.profiles.kept == (ANN, BOB)


# -- a trial -----------------------------------------------------------------------------------------------------------

ROUNDS = [{"place": 1, "from_ms": n * 4000} for n in range(3)]
TOUCHES = [
    {"place": 1, "from_ms": n * 4000 + at, "until_ms": n * 4000 + until}
    for n in range(3)
    for at, until in ((200, 260), (500, 700))
]


def test_a_trial_says_of_each_touch_whether_it_counts_and_proposes(served: Served) -> None:
    told = post(served.client, "/api/profile/trial", card=ANN.card, touches=TOUCHES, rounds=ROUNDS).json()

    assert (told["accept_ms"], told["fits"], told["right"]) == (80, True, 3)
    assert [one["is_press"] for one in told["touches"]] == [False, True] * 3
    assert served.profiles.of("Ann") == ANN


def test_a_trial_is_for_whoever_holds_a_card_or_the_referee(served: Served) -> None:
    assert post(served.client, "/api/profile/trial", touches=TOUCHES, rounds=ROUNDS).status_code == 401
    assert post(served.client, "/api/profile/trial", card="C" * 16, touches=[], rounds=ROUNDS).status_code == 404
    assert post(served.referee, "/api/profile/trial", touches=TOUCHES, rounds=ROUNDS).status_code == 200
    assert post(served.referee, "/api/profile/trial", touches=TOUCHES, rounds=[]).status_code in (400, 409)
    assert post(served.referee, "/api/profile/trial", touches=TOUCHES * 100, rounds=ROUNDS).status_code == 400


# -- the seating -------------------------------------------------------------------------------------------------------


def test_the_referee_has_somebody_sit_down_and_it_is_seen_that_they_play_by_a_profile(served: Served) -> None:
    served.box.press("red first")
    served.box.press("yellow first")
    assert post(served.referee, "/api/sit", seat="red", name="Ann").json()["says"] == (
        "Ann sits at red by a profile of their own"
    )
    assert post(served.referee, "/api/sit", seat="blue", name="Bob").status_code == 409

    lobby = served.client.get("/api/state").json()["lobby"]
    assert (lobby["names"], lobby["by_profile"]) == ({"red": "Ann"}, ["red"])
    assert post(served.referee, "/api/sit", seat="red").status_code == 200
    assert served.client.get("/api/state").json()["lobby"]["by_profile"] == []


def test_the_match_form_has_people_play_by_their_profiles(served: Served) -> None:
    seats = [
        {"colour": "red", "name": "Ann", "by_profile": True},
        {"colour": "blue", "name": "Bob", "by_profile": True},
    ]
    told = post(served.referee, "/api/match", game="order", seats=seats).json()

    assert told["says"].endswith("every seat agrees to the allowances first")
    state = served.client.get("/api/state").json()
    assert state["question"]["lines"][1:] == ["RED: accepts after 80 ms", "BLU: −300 ms allowance"]
    for colour in (Colour.RED, Colour.BLUE):
        post(served.referee, "/api/consent", seat=colour.value, by="Ref")
    match = served.box.session.match
    assert match is not None
    assert [(seat.colour, seat.allowance_ms) for seat in match.setup.seats] == [(Colour.RED, 0), (Colour.BLUE, 300)]
    assert match.settings.accepts_ns[Colour.RED] == 80_000_000


@pytest.mark.parametrize("seat", [{"colour": "red", "by_profile": True},
                                  {"colour": "red", "name": "Bob", "by_profile": True, "allowance_ms": 5}])  # fmt: skip
def test_a_seat_has_the_allowance_of_its_profile_and_no_other(served: Served, seat: dict[str, Any]) -> None:
    seats = [seat, {"colour": "blue"}]
    assert post(served.referee, "/api/match", game="order", seats=seats).status_code == 400


def test_a_phone_that_plays_a_seat_sits_its_person_down_and_no_other_phone_does() -> None:
    with served_box(simulated=False) as box:
        box.profiles.take_in(as_file(ANN))
        box.box.press("red first")
        port = box.server.port
        with Talk(port, source="127.0.0.5") as phone, Talk(port, source="127.0.0.6") as stranger:
            for one in (phone, stranger):
                one.say({"type": "panel", "asks": "red"})
            code = phone.get("panel")["code"]
            assert post(box.referee, f"/api/phones/{code}", seat="red").status_code == 200

            stranger.say({"type": "sit", "card": ANN.card})
            assert "plays no seat" in stranger.get("error")["message"]
            phone.say({"type": "sit", "card": "C" * 16})
            assert "opens no profile" in phone.get("error")["message"]
            phone.say({"type": "sit", "card": f"P-{ANN.card}"})
            assert phone.get("noted")["says"] == "Ann sits at red by a profile of their own"
        assert box.box.session.table.names == {Colour.RED: "Ann"}


def test_nothing_that_everybody_may_ask_for_tells_of_profiles(served: Served) -> None:
    seats = [{"colour": "red", "name": "Ann", "by_profile": True}, {"colour": "blue"}]
    post(served.referee, "/api/match", game="order", seats=seats)
    for endpoint in ENDPOINTS:
        if endpoint.method == "GET" and not endpoint.needs_pin and "{" not in endpoint.path:
            answer = served.client.get(endpoint.path)
            assert ANN.card not in answer.text
            assert "Bob" not in answer.text, endpoint.path
