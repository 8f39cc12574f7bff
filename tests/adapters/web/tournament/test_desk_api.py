"""The desk's API on a real port: who may what, tries of PINs, the gate, every act and its refusals, live messages."""

from __future__ import annotations

import gzip
import json
import re
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

import msgspec
import pytest
from websockets.sync.client import connect

from companion.adapters.web.tournament.entry import COOKIES
from companion.adapters.web.tournament.pages import PAGES
from companion.adapters.web.tournament.ways import WAYS
from companion.app.tournament.files import PlayersCsv
from companion.core.errors import Unavailable
from companion.tournament.fingerprint import fingerprint
from companion.tournament.log import lines
from companion.tournament.organiser.acts import AnyAct
from companion.tournament.wire import TakeOver
from tests.adapters.web.tournament.running import (
    ORGANISER,
    PATIENCE_S,
    REFEREE,
    RunningDesk,
    checked_in,
    drawn,
    entered,
    played,
    running,
    shows,
)
from tests.tournament.desk.hall import Hall
from tests.tournament.tables.sealing import box_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

OPEN = ("event", "tables", "pairings", "standings", "player/1", "pairings/1")
OF_THE_REFEREE = ("disputes", "prints")
OF_THE_ORGANISER = ("players", "boxes", "rounds", "notes", "swap/1/1/5", "players.csv", "event.zip")


@pytest.fixture(scope="module")
def still() -> Iterator[RunningDesk]:
    """A desk in the middle of round 1, at which nothing is changed."""
    with running(played()) as desk:
        yield desk


def acted(client: httpx.Client, act: str, status: int = 200, **body: Any) -> Any:
    """Have something done; give what was said of it, or the refusal's message."""
    answer = client.post(f"/api/acts/{act}", json=body)
    assert answer.status_code == status, answer.text
    found = answer.json()
    return found["says"] if status == 200 else found["error"]["message"]


# -- who may what ------------------------------------------------------------------------------------------------------


def test_watching_needs_no_pin_and_what_is_not_for_everybody_needs_the_right_one(still: RunningDesk) -> None:
    allowed = {
        role: {name for name in (*OPEN, *OF_THE_REFEREE, *OF_THE_ORGANISER) if may_get(still, role, name)}
        for role in (None, "referee", "organiser")
    }
    assert allowed[None] == set(OPEN)
    assert allowed["referee"] == {*OPEN, *OF_THE_REFEREE}
    assert allowed["organiser"] == {*OPEN, *OF_THE_REFEREE, *OF_THE_ORGANISER}


def may_get(desk: RunningDesk, role: str | None, name: str) -> bool:
    with desk.client(role) as client:
        return client.get(f"/api/{name}").status_code != 401


def test_nobody_acts_without_a_pin_and_the_referee_not_as_the_organiser(still: RunningDesk) -> None:
    ways = [way for way in WAYS if way.method == "POST" and way.needs is not None]
    assert len(ways) > 15
    with still.client() as stranger, still.client("referee") as referee:
        assert {stranger.post(way.path, json={}).status_code for way in ways} == {401}
        found = {way.path: referee.post(way.path, json={"no": 1}).status_code for way in ways}
    assert {path for path, status in found.items() if status == 401} == {
        way.path for way in ways if way.needs == "organiser"
    }
    assert set(found.values()) == {400, 401}, "the referee's own acts are read"


def test_one_pin_does_not_open_the_other_roles_session(still: RunningDesk) -> None:
    with still.client() as client:
        for role, pin in (("organiser", REFEREE), ("referee", ORGANISER)):
            answer = client.post("/api/session", json={"role": role, "pin": pin})
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "wrong_pin")
        assert client.get("/api/session").json()["role"] is None
        answer = client.post("/api/session", json={"role": "referee", "pin": REFEREE})
        assert answer.json()["role"] == "referee"
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith(COOKIES["referee"])
        assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))


def test_a_session_ends_for_both_roles_by_logging_out(still: RunningDesk) -> None:
    with still.client("organiser") as client:
        client.post("/api/session", json={"role": "referee", "pin": REFEREE})
        assert client.get("/api/players").status_code == 200
        kept = dict(client.cookies)
        assert client.delete("/api/session").json()["role"] is None
        client.cookies.update(kept)
        assert client.get("/api/session").json()["role"] is None, "the old tokens open nothing"
        assert client.get("/api/disputes").status_code == 401


def test_wrong_tries_of_one_pin_count_for_the_other_too() -> None:
    with running(entered(4)) as desk, desk.client() as client:
        statuses = [
            client.post("/api/session", json={"role": role, "pin": "0000"}).status_code
            for role in ("organiser", "referee", "organiser", "referee", "organiser")
        ]
        assert statuses == [403] * 5
        answer = client.post("/api/session", json={"role": "referee", "pin": REFEREE})
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "throttled")
        assert int(answer.headers["retry-after"]) >= 1


def test_a_page_of_another_site_may_change_nothing(still: RunningDesk) -> None:
    with still.client("organiser") as client:
        for headers in ({"origin": "http://evil.example"}, {"origin": still.url, "host": "evil.example"}):
            answer = client.post("/api/acts/announce", json={"text": "Go home", "by": "?"}, headers=headers)
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "wrong_origin")
        assert client.get("/api/event", headers={"host": "evil.example"}).status_code == 403
        assert [one["text"] for one in client.get("/api/event").json()["announcements"]] == ["Dinner is at seven."]


def test_every_page_has_the_strict_policy_and_names_no_inline_script(still: RunningDesk) -> None:
    with still.client() as client:
        for page in PAGES:
            address = "/player/1" if page.address == "/player" else page.address
            answer = client.get(address)
            assert answer.status_code == 200
            assert "default-src 'none'" in answer.headers["content-security-policy"]
            assert "<script>" not in answer.text
            assert "style=" not in answer.text
            assert client.get(f"/css/{page.name}.css").status_code == 200
            assert client.get(f"/js/{page.name}.js").status_code == 200
        assert client.get("/player/x").status_code == 404
        assert client.get("/table").status_code == 404, "the box's pages are not the desk's"


def test_a_page_is_small_at_its_first_load(still: RunningDesk) -> None:
    with still.client() as client:
        for page in PAGES:
            text = client.get(page.address).text
            named = set(re.findall(r'(?:src|href)="(/(?:js|css|icons)?/?[^"]*\.\w+)"', text))
            sent = [client.get(address) for address in sorted(named)]
            assert {one.status_code for one in sent} == {200}
            assert sum(len(gzip.compress(one.content)) for one in sent) <= 150_000
            assert len([address for address in named if address.startswith("/js/tournament/")]) >= 3


def test_pages_and_documents_are_in_the_readers_language(still: RunningDesk) -> None:
    with still.client() as client:
        for code in ("en", "de", "fr", "it"):
            assert f'<html lang="{code}">' in client.get("/", params={"language": code}).text
        client.cookies.clear()
        said = {code: client.get("/api/event", headers={"language": code}).json()["now"] for code in ("en", "de")}
    assert said["en"] == "Round 1 is played."


# -- reading -----------------------------------------------------------------------------------------------------------


def test_the_event_says_its_seeds_hash_first_and_the_seed_after_check_in() -> None:
    with running(entered(4)) as desk, desk.client() as client:
        before = client.get("/api/event").json()
        assert (before["stage"], before["seed"]) == ("entering", None)
        assert len(before["seed_sha256"]) == len(before["head"]) == 64
        desk.do(lambda hall: hall.act(lines.CheckInOpenedLine))
        desk.do(lambda hall: hall.act(lines.CheckInClosedLine, seed="5eed"))
        after = client.get("/api/event").json()
    assert (after["stage"], after["seed"], after["seed_sha256"]) == ("running", "5eed", before["seed_sha256"])
    assert after["head"] != before["head"]


def test_the_clock_is_told_as_it_is_now_not_as_it_was_when_somebody_first_asked() -> None:
    with running(played()) as desk, desk.client() as client:
        assert client.get("/api/event").json()["clock"] == {"left_ms": 2_400_000, "is_running": True}
        desk.do(lambda hall: setattr(hall, "seconds", 60))
        assert client.get("/api/event").json()["clock"]["left_ms"] == 2_340_000
        with listening(desk) as socket:
            assert until(socket, "event")["event"]["clock"]["left_ms"] == 2_340_000


def test_tables_stand_as_their_records_say_and_a_disputed_one_has_no_result(still: RunningDesk) -> None:
    with still.client() as client:
        rows = client.get("/api/tables").json()["rows"]
        standings = client.get("/api/standings").json()
        player = client.get("/api/player/1").json()
    assert [(row["table"], row["stage"], row["result"] is not None) for row in rows] == [
        (1, "final", True), (2, "disputed", False), (3, "playing", False)
    ]  # fmt: skip
    assert rows[2]["shown"] == ["Iris 3, Jan 1, Kim 0, Lea 0"]
    assert (standings["waiting"], standings["is_final"]) == (2, False)
    assert standings["rows"][0]["name"] == "Ann Amsler"
    assert [number["key"] for number in player["standing"]["numbers"]][:2] == ["points", "wins"]
    assert player["standing"]["rounds"][0]["opponents"][0]["name"] == "Ben Brunner"


def test_a_protest_is_told_with_the_race_that_it_is_about(still: RunningDesk) -> None:
    with still.client("referee") as referee:
        dispute = referee.get("/api/disputes").json()["disputes"][0]
        where = "/".join(str(dispute[name]) for name in ("round", "table", "match", "line"))
        account = referee.get(f"/api/disputes/{where}").json()
        wrong = referee.get(f"/api/disputes/{dispute['round']}/{dispute['table']}/{dispute['match']}/1")
    assert (dispute["table"], dispute["box"], dispute["answer"]) == (2, "box-2", None)
    assert "I was first" in account["says"]
    assert [press["colour"] for press in account["presses"]] == ["red", "green"]
    assert account["evidence"] is None
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (409, "illegal")


@pytest.mark.parametrize(
    ("address", "status"),
    [("player/99", 409), ("player/x", 400), ("pairings/9", 409), ("swap/1/1/99", 409), ("swap/1/0x1/2", 400),
     ("prints/none.pdf", 404), ("players.csv", 503), ("event.zip", 503), ("nothing", 404), ("acts/nothing", 404)],
)  # fmt: skip
def test_what_is_not_there_is_refused_by_name(still: RunningDesk, address: str, status: int) -> None:
    with still.client("organiser") as client:
        answer = client.get(f"/api/{address}")
        assert answer.status_code == status
        assert answer.json()["error"]["message"]


def test_a_wrong_method_names_the_right_one(still: RunningDesk) -> None:
    with still.client("organiser") as client:
        answer = client.get("/api/acts/draw")
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


def test_every_address_is_described(still: RunningDesk) -> None:
    with still.client() as client:
        described = client.get("/api/openapi.json").json()
    assert {(path, method.upper()) for path, ways in described["paths"].items() for method in ways} == {
        (way.path, way.method) for way in WAYS
    }


def test_every_act_has_an_address() -> None:
    assert {way.body for way in WAYS if "/acts/" in way.path} == set(get_args(AnyAct))


def test_a_part_is_made_once_for_a_version_and_again_for_the_next() -> None:
    with running(entered(4)) as desk, desk.client("organiser") as client, listening(desk) as socket:
        until(socket, "event")
        first = client.get("/api/players").json()
        assert client.get("/api/players").json() == first
        acted(client, "enter-player", name="Zoe")
        versions = until(socket, "changed", lambda told: "players" in told["versions"])["versions"]
        second = client.get("/api/players").json()
    assert second["version"] == versions["players"] == first["version"] + 1
    assert second["players"][-1]["name"] == "Zoe"


# -- acts --------------------------------------------------------------------------------------------------------------


def test_an_event_goes_from_its_first_entry_to_its_end_by_its_acts() -> None:
    hall = entered(7)
    with running(hall) as desk, desk.client("organiser") as client:
        acted(client, "enter-player", name=" Mia ", club="Thun")
        assert acted(client, "edit-player", player=8, name="Mia Moser", fixed=1) == "the entry of Mia Moser is changed"
        acted(client, "keep-apart", one=1, other=2)
        acted(client, "open-check-in")
        for player in range(1, 9):
            acted(client, "check-in", player=player)
        assert acted(client, "drop", player=3) == "Chloé Challande has left"
        acted(client, "check-in", player=3)
        for number in (1, 2):
            desk.do(partial(Hall.here, number=number))
            code = fingerprint(box_key(number).key).upper()
            assert acted(client, "enrol-box", code=code) == f"box-{number} is enrolled"
        acted(client, "close-check-in")
        assert acted(client, "draw", round=1) == "round 1 is drawn"
        tables = client.get("/api/pairings").json()["tables"]
        seats = {player["player"]: table["table"] for table in tables for player in table["players"]}
        assert (sorted(seats), seats[8]) == (list(range(1, 9)), 1)
        assert seats[1] != seats[2]
        acted(client, "clock", round=1, action="start")
        acted(client, "clock", round=1, action="pause")
        acted(client, "clock", round=1, action="resume")
        acted(client, "announce", text="Sit down", by="Zita")
        for table in tables:
            places = [{"player": one["player"], "rank": rank} for rank, one in enumerate(table["players"], 1)]
            acted(client, "result", round=1, table=table["table"], places=places, reason="no power", by="Zita")
        acted(client, "points", round=1, player=1, points=13, reason="late", by="Zita")
        assert client.get("/api/event").json()["next"]["key"] == "draw"
        acted(client, "end")
        event = client.get("/api/event").json()
    assert (event["stage"], event["next"]["key"]) == ("ended", "download")
    assert hall.kinds()[-1] == "ended"


def test_two_players_change_places_with_the_difference_that_was_told_before() -> None:
    hall = drawn(8, 2)
    with running(hall) as desk, desk.client("organiser") as client:
        swap = client.get("/api/swap/1/1/5").json()
        assert (swap["one"], swap["other"]) == ("Ann Amsler", "Eva Egger")
        assert swap["before"] == swap["after"] == {"meetings": 0, "spread": 0, "seats": 0}
        acted(client, "swap", round=1, one=1, other=5, reason="a wheelchair", by="Zita")
        changed = client.get("/api/rounds").json()["rounds"][0]["changed"]
        assert (changed["reason"], changed["by"]) == ("a wheelchair", "Zita")
        acted(client, "keep-apart", one=2, other=6)
        assert "2" in acted(client, "swap", 409, round=1, one=5, other=6, reason="no", by="Zita"), "must not meet"
        acted(client, "clock", round=1, action="start", minutes=30)
        assert "begun" in acted(client, "swap", 409, round=1, one=1, other=5, reason="again", by="Zita")
    assert desk.hall.event.table(1, 1).players[0] == 5


def test_a_protest_is_answered_with_a_deadline_and_the_table_then_made_final() -> None:
    hall = played()
    with running(hall) as desk, desk.client("referee") as referee:
        one = referee.get("/api/disputes").json()["disputes"][0]
        where = {name: one[name] for name in ("round", "table", "match", "line")}
        assert "waits for its answer" in acted(referee, "final", 409, round=1, table=2)
        acted(referee, "answer", **where, text="Red was first.", by="Ref", stands=True, minutes=15)
        acted(referee, "final", round=1, table=2)
        told = referee.get("/api/disputes").json()["disputes"][0]["answer"]
        assert (told["stands"], told["until"]) == (True, "2026-03-01T10:15:00+00:00")
        assert "no protest that waits" in acted(referee, "answer", 409, **where, text="?", by="Ref", stands=False)
    assert hall.event.table(1, 2).is_final


def test_a_table_goes_on_on_another_box_with_what_has_come_of_it() -> None:
    hall = played()
    hall.enrol(4)
    with running(hall) as desk, desk.client("organiser") as client:
        assert "box-2 has table 2" in acted(client, "assign", 409, round=1, table=3, box="box-2")
        assert acted(client, "assign", round=1, table=3, box="box-4") == "table 3 is played on box-4"
    parts = [message for message in hall.told["box-4"] if isinstance(message, TakeOver)]
    assert sum(len(part.lines) for part in parts) == 3


@pytest.mark.parametrize(
    ("act", "body", "says"),
    [
        ("enter-player", {"name": "Ann Amsler", "club": "Bern"}, "called Ann Amsler too"),
        ("edit-player", {"player": 99, "name": "X"}, "no player 99"),
        ("keep-apart", {"one": 1, "other": 1}, "nobody is kept apart from"),
        ("keep-apart", {"one": 1, "other": 2, "apart": False}, "may meet"),
        ("open-check-in", {}, "not now"),
        ("close-check-in", {}, "not now"),
        ("check-in", {"player": 1}, "checked in already"),
        ("drop", {"player": 99}, "no player 99"),
        ("enrol-box", {"code": "00000 00000"}, "no box waits"),
        ("let-box-go", {"box": "box-9"}, "no box of this event"),
        ("draw", {"round": 5}, "the next round is number 2"),
        ("swap", {"round": 1, "one": 1, "other": 5, "reason": "r", "by": "b"}, "begun"),
        ("assign", {"round": 1, "table": 9, "box": "box-1"}, "no table 9"),
        ("clock", {"round": 1, "action": "start"}, "runs already"),
        ("clock", {"round": 9, "action": "start"}, "not drawn"),
        ("result", {"round": 1, "table": 2, "places": [{"player": 1, "rank": 1}], "reason": "r", "by": "b"}, "sit the"),
        ("points", {"round": 9, "player": 1, "points": 1, "reason": "r", "by": "b"}, "not drawn"),
        ("final", {"round": 1, "table": 3}, "no result yet"),
        ("answer", {"round": 1, "table": 1, "match": "0" * 32, "line": 1, "text": "t", "by": "b", "stands": True},
         "no protest"),
        ("end", {}, "final first"),
    ],
)  # fmt: skip
def test_an_act_that_is_not_possible_says_why_and_changes_nothing(
    still: RunningDesk, act: str, body: dict[str, Any], says: str
) -> None:
    before = list(still.hall.log)
    with still.client("organiser") as client:
        message = acted(client, act, 409, **body)
        assert says in message
        for language in ("de", "fr", "it"):  # and to the reader in theirs
            answer = client.post(f"/api/acts/{act}", json=body, headers={"language": language})
            assert (answer.status_code, answer.json()["error"]["message"] == message) == (409, False)
    assert still.hall.log == before


@pytest.mark.parametrize(
    ("act", "body", "field"),
    [
        ("enter-player", {"name": ""}, "name"),
        ("enter-player", {"name": "X", "fixed": "one"}, "fixed"),
        ("enter-player", {"name": "X", "color": "red"}, "color"),
        ("enrol-box", {"code": "x" * 41}, "code"),
        ("swap", {"round": 1, "one": 1, "other": 2, "reason": "", "by": "b"}, "reason"),
        ("answer", {"round": 1, "table": 1, "match": "no", "line": 1, "text": "t", "by": "b", "stands": True}, "match"),
        ("points", {"round": 1, "player": 1, "points": 1001, "reason": "r", "by": "b"}, "points"),
    ],
)  # fmt: skip
def test_a_body_that_is_none_names_the_field(still: RunningDesk, act: str, body: dict[str, Any], field: str) -> None:
    with still.client("organiser") as client:
        assert field in acted(client, act, 400, **body)


def test_a_code_that_is_no_code_is_malformed(still: RunningDesk) -> None:
    with still.client("organiser") as client:
        assert "ten digits" in acted(client, "enrol-box", 400, code="xyz")


def test_a_round_is_not_drawn_before_check_in_is_closed() -> None:
    with running(entered(4)) as desk, desk.client("organiser") as client:
        assert "check-in is closed" in acted(client, "draw", 409, round=1)


class OneByLine:
    """A reader of files for tests: a name a line."""

    def read(self, text: str, first: int):
        from companion.tournament.organiser.acts import EnterPlayer

        return [EnterPlayer(name=name) for name in text.splitlines()], ()

    def write(self, players, apart) -> bytes:
        return "\n".join(player.name for player in players).encode()


def test_a_file_of_players_is_entered_all_or_none_and_given_back() -> None:
    hall = entered(2)
    with running(hall, csv=OneByLine()) as desk, desk.client("organiser") as client:
        answer = client.post("/api/players/import", json={"text": "Max\nMia"})
        assert answer.json()["says"] == "2 players are entered"
        again = client.post("/api/players/import", json={"text": "Noa\nMia"})
        assert (again.status_code, "Mia" in again.json()["error"]["message"]) == (409, True)
        assert client.get("/api/players.csv").text.splitlines()[2:] == ["Max", "Mia"]
        large = client.post("/api/players/import", json={"text": "\n".join(f"P{n} {'x' * 40}" for n in range(4000))})
        assert large.status_code == 200
        too_large = client.post("/api/players/import", json={"text": "x" * 250_000})
        assert too_large.status_code == 413
    assert len(hall.event.players.all) == 4004


def test_who_must_not_meet_comes_with_the_file_of_players_and_is_given_back() -> None:
    hall = entered(2)
    with running(hall, csv=PlayersCsv()) as desk, desk.client("organiser") as client:
        listed = "name,club,apart\nMax,Harbour,1 4\nMia,,\nNoa,,3\n"
        answer = client.post("/api/players/import", json={"text": listed})
        assert (answer.status_code, answer.json()["says"]) == (200, "3 players are entered")
        assert hall.event.players.apart == {(1, 3), (3, 4), (3, 5)}
        rows = [row.split(",") for row in client.get("/api/players.csv").text.splitlines()]
        assert {row[0]: row[-1] for row in rows[1:]} == {"1": "3", "2": "", "3": "1 4 5", "4": "3", "5": "3"}
        own = client.post("/api/players/import", json={"text": "name,apart\nOla,6\n"})
        assert (own.status_code, "the player's own number" in own.json()["error"]["message"]) == (400, True)
        assert len(hall.event.players.all) == 5


async def an_archive() -> bytes:
    return b"PK"


def test_the_events_file_is_given_to_the_organiser() -> None:
    with running(entered(2), archive=an_archive) as desk, desk.client("organiser") as client:
        answer = client.get("/api/event.zip")
    assert (answer.content, answer.headers["content-type"]) == (b"PK", "application/zip")
    assert "event.zip" in answer.headers["content-disposition"]


class OnePrint:
    """Prints for tests."""

    asked: tuple[Any, ...] = ()

    async def all(self):
        return [{"key": "pairings", "title": "Pairings", "round": 1}]

    async def pdf(self, key, paper, number, language) -> bytes:
        OnePrint.asked = (key, paper, number, language.code)
        if number == 9:
            raise Unavailable("no paper")
        return b"%PDF"


def test_a_print_is_asked_for_by_paper_round_and_language() -> None:
    with running(played(), prints=OnePrint()) as desk, desk.client("referee") as client:
        assert client.get("/api/prints").json()["prints"][0]["key"] == "pairings"
        answer = client.get("/api/prints/pairings.pdf?paper=Letter&round=1&language=de")
        assert (answer.content, OnePrint.asked) == (b"%PDF", ("pairings", "Letter", 1, "de"))
        statuses = [
            client.get(f"/api/prints/{ask}").status_code
            for ask in ("pairings.pdf?paper=A3", "pairings.pdf?round=x", "other.pdf", "pairings.pdf?round=9")
        ]
    assert statuses == [400, 400, 404, 503]


@pytest.mark.slow  # draws every print
def test_every_print_is_drawn_on_both_papers_and_of_no_round_that_is_not() -> None:
    with running(played()) as desk, desk.client("organiser") as client:
        told = client.get("/api/prints").json()
        assert len(told["prints"]) == 4
        for one in told["prints"]:
            for paper in told["papers"]:
                answer = client.get(f"/api/prints/{one['key']}.pdf", params={"paper": paper, "language": "fr"})
                assert (answer.status_code, answer.content[:5]) == (200, b"%PDF-"), one
        assert client.get("/api/prints/table-sheets.pdf?round=2").status_code == 409


def test_faults_of_the_desk_are_among_its_notes() -> None:
    with running(entered(2)) as desk, desk.client("organiser") as client, listening(desk) as socket:
        until(socket, "event")
        client.get("/api/notes")
        desk.fault("store", "the disk is full")
        until(socket, "changed", lambda told: "notes" in told["versions"])
        assert client.get("/api/notes").json()["faults"] == ["the disk is full"]


# -- live --------------------------------------------------------------------------------------------------------------


def listening(desk: RunningDesk, query: str = "", **more: Any):
    """Open a page's WebSocket."""
    return connect(f"ws://127.0.0.1:{desk.server.port}/ws{query}", open_timeout=PATIENCE_S, proxy=None, **more)


def until(socket, kind: str, is_it=lambda _told: True) -> dict[str, Any]:
    """Read on until a message of a kind."""
    while True:
        told: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE_S))
        if told["type"] == kind and is_it(told):
            return told


def test_a_page_is_told_what_there_is_and_then_the_rows_that_change() -> None:
    hall = played()
    with running(hall) as desk, listening(desk, "?tables=1") as socket:
        hello = json.loads(socket.recv(timeout=PATIENCE_S))
        assert (hello["type"], hello["versions"]["tables"]) == ("hello", 1)
        assert json.loads(socket.recv(timeout=PATIENCE_S))["event"]["name"] == "Spring Cup"
        desk.do(lambda hall: shows(hall, 3, "Iris 4"), (1, 3))
        rows = until(socket, "rows")
        assert [(row["table"], row["shown"]) for row in rows["rows"]] == [(3, ["Iris 4"])]
        with desk.client() as client:
            assert client.get("/api/tables").json()["version"] == rows["version"] == 2


def test_rows_go_to_pages_that_show_tables_and_to_no_other() -> None:
    with running(played()) as desk, listening(desk) as other, listening(desk, "?tables=1") as shown:
        until(shown, "event")
        until(other, "event")
        desk.do(lambda hall: shows(hall, 3, "Iris 4"), (1, 3))
        until(shown, "rows")
        desk.do(lambda hall: hall.act(lines.PlayerLine, player=13, name="Zoe"))
        kinds = []
        while "players" not in (told := json.loads(other.recv(timeout=PATIENCE_S))).get("versions", {}):
            kinds.append(told["type"])
    assert "rows" not in kinds


def test_a_new_drawing_has_the_tables_asked_for_as_a_whole() -> None:
    with running(checked_in(8, 2)) as desk, listening(desk, "?tables=1") as socket, desk.client("organiser") as client:
        until(socket, "event")
        acted(client, "draw", round=1)
        told = until(socket, "changed", lambda told: "tables" in told["versions"])
        assert client.get("/api/tables").json()["version"] == told["versions"]["tables"]
        assert len(client.get("/api/tables").json()["rows"]) == 2


def test_a_page_that_says_something_else_or_too_much_is_hung_up_on() -> None:
    from websockets.exceptions import ConnectionClosed

    with running(entered(2)) as desk:
        for sent in (['{"type":"act"}'], ['{"type":"ping"}'] * 60):
            with pytest.raises(ConnectionClosed):
                say_all(desk, sent)
        with listening(desk) as socket:
            socket.send('{"type":"ping"}')
            assert until(socket, "pong") == {"type": "pong"}


def say_all(desk: RunningDesk, messages: list[str]) -> None:
    """Send messages, and read what comes until nothing does."""
    with listening(desk) as socket:
        for one in messages:
            socket.send(one)
        for _ in range(100):
            socket.recv(timeout=PATIENCE_S)


def test_a_page_of_another_site_hears_nothing(still: RunningDesk) -> None:
    from websockets.exceptions import InvalidStatus

    with pytest.raises(InvalidStatus), listening(still, origin="http://evil.example"):
        pass


def test_messages_are_read_strictly() -> None:
    from companion.adapters.web.tournament.messages import Ping

    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"type":"ping","more":1}', type=Ping)
