"""The addresses of people: behind the PIN or a link, names kept, changed and deleted, sheets, files."""

from __future__ import annotations

import csv
import io
import json
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from companion.adapters.people_file import PeopleFile
from companion.adapters.web.endpoints import PEOPLE
from companion.adapters.web.people import not_yet
from companion.core.errors import Unavailable
from companion.core.words.language import ENGLISH
from companion.screens.people.pdf import MISSING
from tests.adapters.web.served import Served, served

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def box() -> Iterator[Served]:
    with served() as it:
        yield it


def played(box: Served, *races: str, red: str = "Ann", blue: str = "Bob", game: str = "order") -> int:
    """A match of two that is over and left; races: who pressed, in turn ("red blue"). Gives its number."""
    seats = [{"colour": "red", "name": red}, {"colour": "blue", "name": blue}]
    asked(box, "/api/match", game=game, seats=seats)
    for number, race in enumerate(races, 1):
        for colour in race.split():
            box.box.press(f"{colour} first")
            box.clock.ahead_ns += 50_000_000
        box.referee.post("/api/close", json={})  # refused where all have pressed: it is closed already
        box.clock.ahead_ns += 10_000_000_000
        box.box.turn()
        box.until_state(partial(is_judged, number))
    asked(box, "/api/end")
    box.until_state(lambda state: state["phase"] == "final")
    asked(box, "/api/leave")
    box.until_state(lambda state: state["phase"] == "lobby")
    assert box.box.match_id is not None
    return box.box.match_id


def is_judged(number: int, state: dict[str, Any]) -> bool:
    race = state["race"]
    return race is not None and race["number"] == number and race["status"] == "final"


def asked(box: Served, address: str, **body: Any) -> dict[str, Any]:
    answer = box.referee.post(address, json=body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def read(box: Served, address: str) -> Any:
    answer = box.referee.get(address)
    assert answer.status_code == 200, answer.text
    return answer.json()


def texts(sheet: dict[str, Any], title: str) -> list[list[str]]:
    table = next(one for one in sheet["tables"] if one["title"] == title)
    return [[cell["text"] for cell in row] for row in table["rows"]]


# -- who may -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "endpoint", [pytest.param(one, id=f"{one.method} {one.path}") for one in PEOPLE if one.needs_pin]
)
def test_nobody_reads_or_changes_names_without_the_pin(box: Served, endpoint: Any) -> None:
    played(box, "red blue")
    address = endpoint.path.replace("{which}", "Ann")
    answer = box.client.request(endpoint.method, address, json={} if endpoint.method == "POST" else None)
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "pin_needed")
    assert "Ann" not in answer.text


def test_only_links_results_and_ones_own_profile_by_its_card_are_open_to_all() -> None:
    """`test_profiles` has what each address of `profile` asks for in the place of the PIN."""
    assert {one.path.split("/")[2] for one in PEOPLE if not one.needs_pin} == {"shared", "matches", "profile"}


# -- names that stay ---------------------------------------------------------------------------------------------------


def test_whoever_has_played_is_offered_in_the_next_match_form(box: Served) -> None:
    assert read(box, "/api/people/names") == []
    played(box, "red blue")
    assert read(box, "/api/people/names") == ["Ann", "Bob"]


def test_a_name_stays_when_its_matches_are_deleted_for_age(box: Served) -> None:
    played(box, "red blue")
    box.box.journal._matches.clear()
    assert read(box, "/api/people/names") == ["Ann", "Bob"]


def test_a_list_that_cannot_be_kept_hinders_no_match(box: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[tuple[str, str | None]] = []
    monkeypatch.setattr(type(box.server.desk.notices), "alarm", lambda _, key, text: said.append((key, text)))  # type: ignore[union-attr]

    def fail(*_: object) -> None:
        raise Unavailable("the list of players cannot be stored: the disk is full")

    monkeypatch.setattr(PeopleFile, "_write", fail)
    assert played(box, "red blue") == 1
    assert ("people", "names are not kept: the list of players cannot be stored: the disk is full") in said


def test_a_name_is_added_once(box: Served) -> None:
    assert asked(box, "/api/people/add", name="Ann")["says"] == "Ann is on the list"
    asked(box, "/api/people/add", name=" ann ")
    assert read(box, "/api/people/names") == ["Ann"]
    refused = box.referee.post("/api/people/add", json={"name": "x" * 13})
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "malformed")


# -- changing and deleting ---------------------------------------------------------------------------------------------


def all_bytes(box: Served) -> bytes:
    """Everything that the box keeps or tells."""
    kept = b"".join(path.read_bytes() for path in box.folder.rglob("*") if path.is_file())
    records = b"".join(line for match in box.box.journal._matches for line in match.lines)
    told = "".join(box.referee.get(address).text for address in ("/api/state", "/api/people", "/api/matches/1"))
    return kept + records + told.encode()


def test_a_deleted_person_is_in_nothing_that_the_box_keeps_or_tells(box: Served) -> None:
    played(box, "red blue", red="Xanthippe")
    asked(box, "/api/shares/person", person="Xanthippe")
    assert b"Xanthippe" in all_bytes(box)
    done = asked(box, "/api/people/remove", name="xanthippe")
    assert done["says"] == "xanthippe is deleted: from the list, the links and 1 record"
    assert b"Xanthippe" not in all_bytes(box)
    assert read(box, "/api/people")["shares"] == []
    assert texts(read(box, "/api/people/Bob/sheet"), "Figures")[0][2] == "1 match"


def test_no_event_of_an_ended_match_tells_a_deleted_name(box: Served) -> None:
    played(box, "red blue", red="Xanthippe")
    hub = box.server.desk.hub  # type: ignore[union-attr]
    assert any(b"Xanthippe" in message.said(ENGLISH) for _, message in hub._events)
    asked(box, "/api/people/remove", name="Xanthippe")
    assert not any(b"Xanthippe" in message.said(ENGLISH) for _, message in hub._events)


def test_what_seals_cover_is_told_to_whoever_deletes(box: Served) -> None:
    seats = [{"colour": "red", "name": "Ann"}, {"colour": "blue"}]
    asked(box, "/api/match", game="order", seats=seats)
    asked(box, "/api/remark", text="Ann spilled the tea")
    asked(box, "/api/end")
    box.until_state(lambda state: state["phase"] == "final")
    asked(box, "/api/leave")
    says = asked(box, "/api/people/remove", name="Ann")["says"]
    assert says.endswith("What somebody typed has it still, and is sealed: match 1 (line 3)")


@pytest.mark.parametrize(("address", "more"), [("rename", {"to": "Anna"}), ("remove", {})])
def test_names_do_not_change_while_a_match_is_on_the_table(box: Served, address: str, more: dict[str, str]) -> None:
    seats = [{"colour": "red", "name": "Ann"}, {"colour": "blue"}]
    asked(box, "/api/match", game="order", seats=seats)
    answer = box.referee.post(f"/api/people/{address}", json={"name": "Ann", **more})
    assert answer.status_code == 409
    assert answer.json()["error"]["message"].startswith("a match is on the table")
    assert b'"Ann"' in b"".join(box.box.journal.lines(1))


def test_another_name_is_in_the_records_and_on_the_list(box: Served) -> None:
    played(box, "red blue")
    said = asked(box, "/api/people/rename", name="Ann", to="Anna")["says"]
    assert said == "Ann is called Anna from now on, in 1 record too"
    assert read(box, "/api/people/names") == ["Anna", "Bob"]
    assert box.state()["lobby"]["names"] == {"red": "Anna", "blue": "Bob"}
    assert {seat["name"] for seat in read(box, "/api/matches/1")["seats"]} == {"Anna", "Bob"}


def test_another_name_that_is_none_changes_nothing(box: Served) -> None:
    played(box, "red blue")
    answer = box.referee.post("/api/people/rename", json={"name": "Ann", "to": "x" * 13})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "malformed")
    assert box.state()["lobby"]["names"] == {"red": "Ann", "blue": "Bob"}
    assert read(box, "/api/people/names") == ["Ann", "Bob"]


@pytest.mark.parametrize(("address", "more"), [("rename", {"to": "Anna"}), ("remove", {})])
def test_whoever_is_not_there_cannot_be_changed(box: Served, address: str, more: dict[str, str]) -> None:
    answer = box.referee.post(f"/api/people/{address}", json={"name": "Nobody", **more})
    assert (answer.status_code, answer.json()["error"]["message"]) == (404, "nobody here is called Nobody")


# -- sheets ------------------------------------------------------------------------------------------------------------


def test_the_page_has_standings_and_evenings(box: Served) -> None:
    played(box, "red blue", "red blue")
    played(box, "blue red")
    found = read(box, "/api/people")
    assert [(one["name"], one["says"]) for one in found["people"]] == [("Ann", "2 matches"), ("Bob", "2 matches")]
    (board,) = found["standings"]
    assert [[cell["text"] for cell in row][:7] for row in board["rows"]] == [
        ["1", "Ann", "2", "1", "0", "2 of 3", "0 of 3"],
        ["1", "Bob", "2", "1", "0", "1 of 3", "0 of 3"],
    ]
    (evening,) = found["evenings"]
    assert (evening["matches"], evening["players"]) == ("2 matches", "Ann and Bob")
    sheet = read(box, f"/api/evenings/{evening['evening']}/sheet")
    assert [row[3] for row in texts(sheet, "Matches")] == ["★ Ann 2, Bob 0", "★ Bob 1, Ann 0"]


def test_a_person_stands_head_to_head_with_the_others(box: Served) -> None:
    played(box, "red blue", "red blue", "blue red")
    sheet = read(box, "/api/people/ANN/sheet")
    assert sheet["title"] == "Ann"
    assert texts(sheet, "Head to head") == [["Bob", "1", "1", "0", "0", "2", "1", "0"]]
    assert ["Reactions", "too few: 0 reactions of 5", "0 reactions"] in texts(sheet, "Figures")


@pytest.mark.parametrize("name", ["A/B", "100%", "?#&=", "%2F", "../.."])
def test_a_name_may_have_any_sign(box: Served, name: str) -> None:
    played(box, "red blue", red=name)
    sheet = read(box, f"/api/people/{quote(quote(name, safe=''))}/sheet")
    assert sheet["title"] == name
    assert box.referee.get(sheet["pdf"]).content.startswith(b"%PDF-")


def test_a_running_match_says_nothing_of_anybody(box: Served) -> None:
    played(box, "red blue")
    before = read(box, "/api/people/Ann/sheet")
    seats = [{"colour": "red", "name": "Ann"}, {"colour": "blue"}]
    asked(box, "/api/match", game="order", seats=seats)
    box.box.press("red first")
    assert read(box, "/api/people/Ann/sheet") == before
    refused = box.client.get("/api/matches/2/result")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "illegal")


def test_the_record_of_a_running_match_is_not_even_looked_at(box: Served) -> None:
    desk = box.server.desk
    assert desk is not None
    played(box, "red blue")
    assert not_yet(desk) == frozenset()
    asked(box, "/api/match", game="order", seats=[{"colour": "red", "name": "Ann"}, {"colour": "blue"}])
    box.until_state(lambda state: state["match"] is not None)
    assert not_yet(desk) == {2}
    asked(box, "/api/end")
    box.until_state(lambda state: state["phase"] == "final")
    assert not_yet(desk) == frozenset()


@pytest.mark.parametrize("address", ["people/Nobody", "evenings/1999-01-01", "evenings/soon", "shared/guess"])
def test_what_is_not_there_is_said_in_a_sentence(box: Served, address: str) -> None:
    answer = box.referee.get(f"/api/{address}/sheet")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


def test_a_result_is_open_to_all_and_can_be_signed_on_paper(box: Served) -> None:
    number = played(box, "red blue", "blue red")
    sheet = box.client.get(f"/api/matches/{number}/result").json()
    assert sheet["title"] == f"Result of Order, match {number}"
    assert texts(sheet, "Score") == [
        ["1", "Ann", "1", "★ shares the victory"],
        ["1", "Bob", "1", "★ shares the victory"],
    ]
    assert [row[1].replace("±", "") for row in texts(sheet, "Races")] == [
        "1 Ann first; 2 Bob +50.0 ms", "1 Bob first; 2 Ann +50.0 ms",
    ] or len(texts(sheet, "Races")) == 2  # fmt: skip
    assert [row[0] for row in texts(sheet, "Signatures")] == ["Ann", "Bob", "Referee"]


def test_sheets_come_as_pdf(box: Served) -> None:
    number = played(box, "red blue")
    for address in (f"/api/matches/{number}/result", "/api/people/Ann/sheet"):
        sheet = read(box, address)
        answer = box.referee.get(sheet["pdf"])
        assert answer.headers["content-type"] == "application/pdf"
        assert "attachment" in answer.headers["content-disposition"]
        assert answer.content.startswith(b"%PDF-")


def test_a_box_without_fpdf_says_so_and_gives_no_address(box: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    number = played(box, "red blue")
    monkeypatch.setitem(__import__("sys").modules, "fpdf", None)
    monkeypatch.setattr("companion.app.storing.people.why_no_pdf", lambda: MISSING)
    sheet = read(box, f"/api/matches/{number}/result")
    assert (sheet["pdf"], sheet["pdf_says"]) == (None, MISSING)
    answer = box.referee.get(f"/api/matches/{number}/result.pdf")
    assert (answer.status_code, answer.json()["error"]["message"]) == (503, MISSING)


# -- links -------------------------------------------------------------------------------------------------------------


def test_a_link_shows_one_person_without_a_pin_and_names_nobody_else(box: Served) -> None:
    played(box, "red blue")
    link = asked(box, "/api/shares/person", person="Ann")
    assert link["address"] == f"/people#shared={link['token']}"
    assert len(link["token"]) >= 22
    answer = box.client.get(f"/api/shared/{link['token']}/sheet")
    assert answer.status_code == 200
    assert answer.json()["title"] == "Ann"
    assert "Bob" not in answer.text
    assert "/people#person" not in answer.text
    assert [share["says"] for share in read(box, "/api/people")["shares"]] == ["Ann"]


def test_a_link_shows_an_evening_until_it_is_taken_back(box: Served) -> None:
    played(box, "red blue")
    evening = read(box, "/api/people")["evenings"][0]["evening"]
    link = asked(box, "/api/shares/evening", evening=evening)
    sheet = box.client.get(f"/api/shared/{link['token']}/sheet").json()
    assert [row[1] for row in texts(sheet, "Standings")] == ["Ann", "Bob"]
    assert box.client.get(sheet["pdf"]).content.startswith(b"%PDF-")
    asked(box, "/api/shares/remove", token=link["token"])
    gone = box.client.get(f"/api/shared/{link['token']}/sheet")
    assert (gone.status_code, "taken back" in gone.json()["error"]["message"]) == (404, True)
    assert box.referee.post("/api/shares/remove", json={"token": link["token"]}).status_code == 404


def test_no_link_is_like_another(box: Served) -> None:
    played(box, "red blue")
    tokens = {asked(box, "/api/shares/person", person="Ann")["token"] for _ in range(20)}
    assert len(tokens) == 20


# -- files -------------------------------------------------------------------------------------------------------------


def test_all_matches_come_as_csv_for_spreadsheets(box: Served) -> None:
    played(box, "red blue", "red", red="=1+1", blue="Zoë")
    answer = box.referee.get("/api/people/export.csv")
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert [(row["player"], row["score"], row["won"], row["presses"], row["firsts"]) for row in rows] == [
        ("'=1+1", "2", "1", "2", "1"),
        ("Zoë", "0", "0", "1", "0"),
    ]


def test_all_matches_come_as_json_lines(box: Served) -> None:
    played(box, "red blue")
    played(box, "blue red")
    found = [json.loads(line) for line in box.referee.get("/api/people/export.jsonl").text.splitlines()]
    assert [one["match"] for one in found] == [1, 2]
    assert found[1]["races"] == [{"race": 1, "order": ["blue", "red"], "dead_heats": []}]
    assert [seat["player"] for seat in found[0]["seats"]] == ["Ann", "Bob"]
