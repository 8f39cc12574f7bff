"""The JSON API over real HTTP: what it does, what it refuses and how it says so."""

from __future__ import annotations

import io
import json
import socket
import stat
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from companion.adapters.web.phones.places import Place, Visitor
from companion.core.evidence.written import digest
from companion.core.panel import Colour
from companion.core.ruling.judge import judge_record
from companion.core.ruling.rulings import Fault
from companion.core.timing.line_health import LineHealth
from companion.games import registry
from tests.adapters.web.served import PIN, Served, served, until
from tests.screens.strip.races import dead_heat

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import httpx

    from tests.screens.strip.races import Race


@pytest.fixture
def box() -> Iterator[Served]:
    with served() as it:
        yield it


@pytest.fixture(scope="module")
def shared() -> Iterator[Served]:
    """One server for the tests that leave it as it is."""
    with served() as it:
        yield it


def refusal(answer: httpx.Response, status: int, code: str) -> str:
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert error["code"] == code
    return str(error["message"])


# -- a match -----------------------------------------------------------------------------------------------------------


def test_a_whole_powwow_over_the_api(box: Served) -> None:
    box.begin("red hunter", "buffalo", "teepee")
    box.box.press("red hunter")
    box.until_state(lambda state: bool(state["race"]) and len(state["race"]["rows"]) == 1)
    assert box.referee.post("/api/close", json={}).json()["says"] == "closed"
    state = box.until_state(lambda state: state["offers"] != [])
    (offer,) = state["offers"]
    assert [option["label"] for option in offer["options"]] == ["1 buffalo", "1 teepee"]
    assert (offer["seat"], offer["required"], offer["private"]) == ("red", True, False)
    assert box.referee.post("/api/choose", json={"option": offer["options"][1]["key"]}).status_code == 200
    state = box.until_state(lambda state: state["seats"][0]["score"] == 2)
    assert state["race"]["turns"][0]["cards"] == ["red hunter", "teepee"]
    assert state["seats"][0]["name"] == "Ann"
    assert state["course"][0]["says"][0] == "red chooses the teepees"
    undo = state["can"]["undo"]
    body = {"reason": "meant the buffalo", "by": "Ann", "line": undo["line"]}
    assert "chooses" in box.referee.post("/api/undo", json=body).json()["says"]
    state = box.until_state(lambda state: state["seats"][0]["score"] == 0)
    assert [entry["undone"] for entry in state["course"][:2]] == [False, True]
    record = box.client.get("/api/matches/1/record")
    assert record.headers["content-disposition"] == 'attachment; filename="match-1.jsonl"'
    assert not any(isinstance(r, Fault) for r in judge_record(record.content.splitlines(), registry.find))


def test_type_ahead_keys_are_two_letters_and_different(box: Served) -> None:
    box.begin()
    cards = box.until_state(lambda state: bool(state["cards"]))["cards"]
    keys = {card["card"]: card["keys"] for card in cards}
    assert (keys["red hunter"], keys["buffalo"], keys["totem pole"]) == ("rh", "bu", "tp")
    assert len(set(keys.values())) == len(keys) == 25
    assert {len(key) for key in keys.values()} == {2}


def test_the_health_of_each_input_is_told_unless_it_would_say_who_presses(
    box: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert box.client.get("/api/health").json() == {"withheld": None, "inputs": []}
    box.server.tell_inputs((LineHealth("red fourth", is_down=True, glitches=1, glitch="it was too short"),))
    (one,) = box.client.get("/api/health").json()["inputs"]
    assert (one["line"], one["is_down"], one["glitches"], one["is_doubtful"]) == ("red fourth", True, 1, True)
    assert one["says"] == "pressed now; not pressed yet; once no press: it was too short"
    box.begin()
    assert box.client.get("/api/health").json()["inputs"] != []
    desk = box.server.desk
    assert desk is not None
    phone = Place("a secret", "K7QF", Visitor(), seat=Colour.RED)
    monkeypatch.setattr(desk.panels, "listed", lambda: [phone])
    found = box.client.get("/api/health").json()
    assert (found["inputs"], found["withheld"]) == ([], "not shown while phones play: it would say who presses")


def test_replace_a_call_previews_then_does_it(box: Served) -> None:
    box.begin("red hunter", "buffalo")
    box.box.press("red hunter")
    box.referee.post("/api/close")
    box.until_state(lambda state: state["seats"][0]["score"] == 2)
    record = box.client.get("/api/record").json()
    wrong = record["lines"][0]
    assert wrong["content"]["card"] == "red hunter"
    changes = [{"line": wrong["line"], "with": [{"type": "reveal", "card": "blue hunter"}]}]
    preview = box.referee.post("/api/replace/preview", json={"changes": changes, "seen": record["seen"]}).json()
    changed = [line for line in preview["lines"] if line["state"] == "changed"]
    assert "no red hunter is face up" in changed[0]["after"][0]
    assert box.state()["seats"][0]["score"] == 2
    body = {"changes": changes, "reason": "it was blue's", "by": "Ann", "seen": record["seen"]}
    done = box.referee.post("/api/replace", json=body).json()
    assert done["preview"]["changed"] == preview["changed"]
    box.until_state(lambda state: state["seats"][0]["score"] == 0)
    assert refusal(box.referee.post("/api/replace", json=body), 409, "changed")


def test_a_past_match_has_its_reaction_times_and_gaps(box: Served) -> None:
    box.begin("red hunter", "buffalo")
    box.box.press("red hunter")
    box.box.press("yellow maiden")
    box.until_state(lambda state: state["seats"][0]["score"] == 2)
    match = box.client.get("/api/matches/1").json()
    (race,) = match["races"]
    first, second = race["presses"]
    assert race["revealed"]
    assert first["reaction_ns"] > 0
    assert second["reaction_ns"] - first["reaction_ns"] == second["gap_ns"] > 0
    assert (match["fault"], match["scores"][0]["score"]) == (None, 2)
    assert box.client.get("/api/matches").json()[0]["id"] == 1


def test_a_finished_match_is_ended_at_once_and_not_so_once_its_end_is_taken_back(box: Served) -> None:
    box.begin("red hunter")
    listed = ("/api/matches", "/api/matches/1")

    def ended() -> list[bool]:
        (first,), one = (box.client.get(address).json() for address in listed)
        return [first["ended"], one["ended"]]

    assert ended() == [False, False]
    assert box.referee.post("/api/end", json={}).status_code == 200
    state = box.until_state(lambda state: state["phase"] == "final")
    assert ended() == [True, True]
    undo = {"reason": "one card more", "by": "Ann", "line": state["can"]["undo"]["line"]}
    assert box.referee.post("/api/undo", json=undo).status_code == 200
    box.until_state(lambda state: state["phase"] != "final")
    assert ended() == [False, False]
    assert box.referee.post("/api/end", json={}).status_code == 200
    assert box.referee.post("/api/leave", json={}).status_code == 200
    box.until_state(lambda state: state["phase"] == "lobby")
    assert ended() == [True, True]


@pytest.mark.parametrize("address", ["/api/matches/99", "/api/matches/x", "/api/matches/0", "/api/matches/99/record"])
def test_a_match_that_is_not_there_is_not_found(shared: Served, address: str) -> None:
    refusal(shared.client.get(address), 404, "not_found")


def test_the_oled_s_picture_is_a_png(shared: Served) -> None:
    picture = Image.open(io.BytesIO(shared.client.get("/api/oled.png").content))
    assert (picture.format, picture.size, picture.mode) == ("PNG", (128, 64), "1")


@pytest.mark.slow  # plays every demonstration
@pytest.mark.parametrize("simulated", [True, False])
def test_a_demonstration_is_a_list_of_states_for_anybody_and_stands_in_no_list_of_matches(simulated: bool) -> None:
    with served(simulated=simulated) as box:
        before = box.state()
        offered = box.client.get("/api/demonstrations").json()
        assert [one["name"] for one in offered] == list(registry.names())
        for one in offered:
            answer = box.client.get(f"/api/demonstrations/{one['name']}")
            assert answer.json()["title"] == one["title"]
            assert {frozenset(scene["state"]) for scene in answer.json()["scenes"]} == {frozenset(before)}
        again = box.client.get("/api/demonstrations/order", headers={"if-none-match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert box.client.get("/api/matches").json() == []
        assert box.state() == before


def test_a_game_without_a_demonstration_has_none(shared: Served) -> None:
    refusal(shared.client.get("/api/demonstrations/chess"), 404, "not_found")


def test_the_words_of_the_pages_are_explained_to_anybody(shared: Served) -> None:
    assert shared.client.get("/api/words").json()["dead heat"]["more"] == "/help#dead-heat"


# -- who may -----------------------------------------------------------------------------------------------------------

CHANGES = [
    "match", "reveal", "no-card", "close", "choose", "was-play", "undo", "replace", "replace/preview", "end", "leave",
    "resume", "remark", "phones/ABCD", "by-hand", "steps", "input",
]  # fmt: skip


@pytest.mark.parametrize("command", CHANGES)
def test_changing_needs_the_pin_and_says_so_before_anything_else(shared: Served, command: str) -> None:
    assert "PIN" in refusal(shared.client.post(f"/api/{command}", json={"nonsense": 1}), 401, "pin_needed")


def test_a_wrong_pin_opens_nothing(box: Served) -> None:
    answer = box.client.post("/api/session", json={"pin": "000000"})
    refusal(answer, 403, "wrong_pin")
    assert "set-cookie" not in answer.headers
    assert box.client.get("/api/session").json()["referee"] is False


def test_five_wrong_pins_then_wait_and_the_right_one_must_wait_too(box: Served) -> None:
    for _ in range(5):
        refusal(box.client.post("/api/session", json={"pin": "000000"}), 403, "wrong_pin")
    answer = box.client.post("/api/session", json={"pin": PIN})
    refusal(answer, 429, "throttled")
    assert 0 < int(answer.headers["retry-after"]) <= 30
    box.clock.ahead_ns += 31 * 10**9
    assert box.client.post("/api/session", json={"pin": PIN}).json()["referee"] is True


def test_the_cookie_is_not_for_scripts_nor_for_other_sites(box: Served) -> None:
    cookie = box.client.post("/api/session", json={"pin": PIN}).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert box.client.delete("/api/session").json()["referee"] is False
    refusal(box.client.post("/api/end"), 401, "pin_needed")


def test_a_session_ends_after_twelve_hours(box: Served) -> None:
    box.clock.ahead_ns += 12 * 3600 * 10**9 + 1
    refusal(box.referee.post("/api/end"), 401, "pin_needed")


def test_a_changed_pin_ends_the_other_sessions_and_is_kept(tmp_path: Path) -> None:
    with served(pin_directory=tmp_path) as box:
        other = box.client
        assert other.post("/api/session", json={"pin": PIN}).status_code == 200
        refusal(box.referee.put("/api/pin", json={"pin": "12"}), 400, "malformed")
        assert box.referee.put("/api/pin", json={"pin": "31415926"}).status_code == 200
        refusal(other.post("/api/end"), 401, "pin_needed")
        refusal(box.referee.post("/api/end"), 409, "illegal")
        refusal(other.post("/api/session", json={"pin": PIN}), 403, "wrong_pin")
        assert other.post("/api/session", json={"pin": "31415926"}).status_code == 200
        kept = tmp_path / "referee.pin"
        assert kept.read_text().strip() == "31415926"
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1", "http://127.0.0.1:1@evil"]
)
def test_a_page_of_another_site_may_change_nothing(shared: Served, origin: str) -> None:
    refusal(shared.referee.post("/api/end", headers={"origin": origin}), 403, "wrong_origin")
    refusal(shared.client.post("/api/session", json={"pin": PIN}, headers={"origin": origin}), 403, "wrong_origin")


def test_the_box_s_own_page_may(shared: Served) -> None:
    refusal(shared.referee.post("/api/end", headers={"origin": shared.url}), 409, "illegal")


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "[::1", "a@127.0.0.1"]
)
def test_a_name_that_is_not_the_box_s_own_is_refused_even_for_reading(shared: Served, host: str) -> None:
    refusal(shared.client.get("/api/state", headers={"host": host}), 403, "wrong_origin")


def test_localhost_and_the_address_that_was_connected_to_are_good_with_their_port(shared: Served) -> None:
    port = shared.server.port
    for host in (f"localhost:{port}", f"LOCALHOST.:{port}", f"127.0.0.1:{port}", f"{socket.gethostname()}:{port}"):
        assert shared.client.get("/api/state", headers={"host": host}).status_code == 200, host


def test_another_address_or_port_is_refused_though_it_is_one(shared: Served) -> None:
    port = shared.server.port
    for host in (
        f"192.168.1.7:{port}",
        f"127.0.0.2:{port}",
        f"[::1]:{port}",
        "127.0.0.1",
        "localhost:80",
        "127.0.0.1:1",
    ):
        refusal(shared.client.get("/api/state", headers={"host": host}), 403, "wrong_origin")


def test_a_name_of_the_settings_is_good_and_one_with_a_port_at_that_port_alone() -> None:
    with served(names=("box.example.org", "tunnel.example:443")) as box:
        port = box.server.port
        for host, status in (
            (f"box.example.org:{port}", 200), ("box.example.org", 403), ("tunnel.example:443", 200),
            (f"tunnel.example:{port}", 403), (f"box.example.org.local:{port}", 403),
        ):  # fmt: skip
            assert box.client.get("/api/state", headers={"host": host}).status_code == status, host


@pytest.mark.parametrize(
    ("request_lines", "status"),
    [
        (b"GET /api/state HTTP/1.1\r\nHost: HERE\r\n\r\n", 200),
        (b"GET /api/state HTTP/1.0\r\n\r\n", 403),
        (b"GET /api/state HTTP/1.1\r\n\r\n", 400),
        (b"GET /api/state HTTP/1.1\r\nHost: HERE\r\nHost: HERE\r\n\r\n", 400),
        (b"GET /api/state HTTP/1.1\r\nHost: evil.example\r\nHost: HERE\r\n\r\n", 400),
        (b"GET http://evil.example/api/state HTTP/1.1\r\nHost: HERE\r\n\r\n", 400),
        (b"GET http://HERE/api/state HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403),
        (b"CONNECT evil.example:80 HTTP/1.1\r\nHost: HERE\r\n\r\n", 400),
    ],
)
def test_no_host_two_hosts_and_a_whole_address_as_target_are_refused(
    shared: Served, request_lines: bytes, status: int
) -> None:
    here = f"127.0.0.1:{shared.server.port}".encode()
    with socket.create_connection(("127.0.0.1", shared.server.port), 30) as connection:
        connection.sendall(request_lines.replace(b"HERE", here))
        assert connection.makefile("rb").readline().split()[1] == str(status).encode()


# -- bad input ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "names"),
    [
        (b"{", "truncated"),
        (b"[]", "Expected `object`"),
        (b'{"card": 5}', "$.card"),
        (b'{"card": "buffalo", "cards": 1}', "cards"),
        (b"{}", "card"),
        (b'{"card": ""}', "$.card"),
        (b'{"card": "buffalo", "seen": 0}', "$.seen"),
        (b"\xff\xfe", "malformed"),
        (b"[" * 5000, ""),
    ],
)
def test_a_malformed_body_is_named(shared: Served, body: bytes, names: str) -> None:
    headers = {"content-type": "application/json"}
    message = refusal(shared.referee.post("/api/reveal", content=body, headers=headers), 400, "malformed")
    assert names.lower() in message.lower()


def test_a_form_is_no_json(shared: Served) -> None:
    assert "application/json" in refusal(shared.referee.post("/api/end", data={"a": "b"}), 400, "malformed")


@pytest.mark.parametrize("announced", [True, False])
def test_a_body_that_is_too_large_is_refused(shared: Served, announced: bool) -> None:
    body = b'{"card": "' + b"x" * 70_000 + b'"}'
    headers = {"content-type": "application/json"}
    content: Any = body if announced else iter([body[:40_000], body[40_000:]])
    refusal(shared.referee.post("/api/reveal", content=content, headers=headers), 413, "too_large")
    assert shared.state()["phase"] == "lobby"


def test_a_wrong_method_says_which_would_be_right(shared: Served) -> None:
    answer = shared.client.get("/api/reveal")
    refusal(answer, 405, "wrong_method")
    assert answer.headers["allow"] == "POST"


def test_what_is_illegal_says_why(box: Served) -> None:
    box.begin()
    message = refusal(box.referee.post("/api/choose", json={"option": "x"}), 409, "illegal")
    assert "nothing is to be chosen" in message
    refusal(box.referee.post("/api/reveal", json={"card": "unicorn"}), 400, "malformed")
    refusal(box.referee.post("/api/end", json={"seen": 99}), 409, "changed")


# -- pages and headers -------------------------------------------------------------------------------------------------


def test_every_answer_lets_a_page_load_nothing_from_elsewhere(shared: Served) -> None:
    for answer in (shared.client.get("/api/state"), shared.client.get("/nothing"), shared.client.post("/api/end")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
    assert "server" not in shared.client.get("/api/state").headers


def test_pages_are_files_of_one_directory_and_nothing_else(tmp_path: Path) -> None:
    pages = tmp_path / "static"
    (pages / "js").mkdir(parents=True)
    (pages / "js" / "table.js").write_text("export const a = 1;")
    (pages / "notes.bak").write_text("not served")
    (tmp_path / "secret.html").write_text("secret")
    with served(pages) as box:
        page = box.client.get("/")
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert box.client.get("/index.html").content == page.content
        assert 'aria-current="page">Referee<' in box.client.get("/referee.html").text
        assert box.client.get("/", headers={"if-none-match": page.headers["etag"]}).status_code == 304
        assert box.client.get("/js/table.js").headers["content-type"].startswith("text/javascript")
        for address in ("/notes.bak", "/../secret.html", "/%2e%2e/secret.html", "/js/../../secret.html", "/js"):
            refusal(box.client.get(address), 404, "not_found")
        (pages / "js" / "table.js").write_text("export const a = 22;")
        until(lambda: "22" in box.client.get("/js/table.js").text)


def test_the_description_names_every_address_and_its_types(shared: Served) -> None:
    description = shared.client.get("/api/openapi.json").json()
    assert description["openapi"].startswith("3.1")
    reveal = description["paths"]["/api/reveal"]["post"]
    assert reveal["security"] == [{"referee": []}]
    assert set(reveal["responses"]) >= {"200", "400", "401", "403", "409", "413"}
    assert "EnterCard" in json.dumps(reveal["requestBody"])
    assert {"/api/state", "/api/matches/{id}", "/api/phones/{code}"} <= set(description["paths"])


def test_the_port_that_is_taken_is_named() -> None:
    with served() as box:
        from companion.adapters.web.server import WebServer
        from companion.core.errors import Unavailable

        second = WebServer(
            host="127.0.0.1", port=box.server.port, views=box.server._plan.views, referee=box.box, archive=box.box,
            panel_source=box.source, simulated=True, version="", pin=PIN,
        )  # fmt: skip
        with pytest.raises(Unavailable, match=f"port {box.server.port}.*--port"):
            second.open()


def test_a_pin_is_drawn_once_and_a_damaged_file_is_named(tmp_path: Path) -> None:
    from companion.adapters.web.access.pin_file import PinFile
    from companion.core.errors import Malformed

    first = PinFile(tmp_path).load()
    assert len(first) == 6
    assert PinFile(tmp_path).load() == first
    (tmp_path / "referee.pin").write_text("hello")
    with pytest.raises(Malformed, match=r"referee\.pin"):
        PinFile(tmp_path).load()


def test_the_link_is_a_qr_code_and_on_this_machine_alone_it_is_local(shared: Served) -> None:
    link = shared.client.get("/api/link").json()
    assert link == {"urls": [f"{shared.url}/"], "lan": False, "trust": None}
    svg = shared.client.get("/api/link.svg")
    assert svg.headers["content-type"].startswith("image/svg+xml")
    assert b"<svg" in svg.content


# -- strips ------------------------------------------------------------------------------------------------------------


def stored(box: Served, race: Race) -> None:
    box.box.journal.begin("apache", race.record(), None)
    box.box.kept[digest(race.evidence())] = race.evidence()


def test_a_race_of_a_past_match_is_drawn_as_wide_as_it_is_asked_for(box: Served) -> None:
    stored(box, dead_heat())
    answer = box.client.get("/api/matches/1/strips/1.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert 'id="strip-1-title"' in answer.text
    assert "dead heat with RED, BLU" in answer.text
    assert 'width="380"' in box.client.get("/api/matches/1/strips/1.svg?width=380").text
    assert [race["evidence"] for race in box.client.get("/api/matches/1").json()["races"]] == [True]


def test_a_race_without_evidence_is_not_found_and_not_offered(box: Served) -> None:
    box.box.journal.begin("apache", dead_heat().record()[:-1], None)
    assert "names no evidence" in refusal(box.client.get("/api/matches/1/strips/1.svg"), 404, "not_found")
    assert [race["evidence"] for race in box.client.get("/api/matches/1").json()["races"]] == [False]


@pytest.mark.parametrize("address", ["1/strips/2.svg", "1/strips/x.svg", "9/strips/1.svg", "1/strips/1.svg?width=wide"])
def test_what_is_no_race_is_not_found(box: Served, address: str) -> None:
    stored(box, dead_heat())
    assert "no" in refusal(box.client.get(f"/api/matches/{address}"), 404, "not_found")


def test_altered_evidence_is_not_drawn(box: Served) -> None:
    stored(box, dead_heat())
    box.box.kept = {key: value.replace(b"35000", b"25000") for key, value in box.box.kept.items()}
    message = refusal(box.client.get("/api/matches/1/strips/1.svg"), 503, "unavailable")
    assert "not the evidence that the record names" in message


def test_a_race_is_drawn_as_nothing_but_lanes_for_whoever_looks_from_far_away(box: Served) -> None:
    stored(box, dead_heat())
    whole, lanes = (box.client.get(f"/api/matches/1/strips/1.svg{query}").text for query in ("", "?part=lanes"))
    assert ">Contacts<" in whole
    assert ">Contacts<" not in lanes
    assert "dead heat with RED, BLU" in lanes, "the whole is no longer said in words"
    assert "it is lanes" in refusal(box.client.get("/api/matches/1/strips/1.svg?part=legend"), 404, "not_found")


def test_the_desk_asks_for_what_shall_be_a_button_and_whoever_watches_sees_it_asked(box: Served) -> None:
    asked = {"button": "red second"}
    assert "on a box that has any" in refusal(box.referee.post("/api/input", json=asked), 409, "illegal")
    box.box.session.let_assign()
    assert box.referee.post("/api/input", json=asked).json()["says"] == "press what shall be RED second"
    assert box.box.session.wanted_input == "red second"
    assert box.referee.post("/api/input", json={"button": None}).json()["says"] == "nothing is awaited any more"
    assert box.box.session.wanted_input is None
    assert "red fifth" in refusal(box.referee.post("/api/input", json={"button": "red fifth"}), 400, "malformed")
