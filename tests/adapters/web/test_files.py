"""The addresses of files, by a real server: behind the PIN; kept, deleted, tried out, stored matches judged by them."""

from __future__ import annotations

import errno
import json
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from companion.adapters.game_files import MOST_FILES
from companion.adapters.web.endpoints import FILES
from companion.core.ruling.parameters import LARGEST_FILE, DryRun
from tests.adapters.web.served import Served, served
from tests.adapters.web.test_people import played
from tests.contract.everything import EVERYTHING, Everything

if TYPE_CHECKING:
    from collections.abc import Iterator

BOARD = {"game": "everything", "key": "board"}
GOOD, BAD = "ten columns\n", "ten columns\nnine rows\n"
FAULT = {"line": 2, "says": "'nine rows' says no columns; right would be: ten columns"}


@pytest.fixture
def box() -> Iterator[Served]:
    with served(game=EVERYTHING) as it:
        yield it


@pytest.fixture(scope="module")
def still() -> Iterator[Served]:
    """A box on which nothing is changed: all that it is asked for is refused."""
    with served(game=EVERYTHING) as it:
        yield it
        assert not (it.folder / "files").exists()


def ask(box: Served, address: str, status: int = 200, **body: Any) -> dict[str, Any]:
    answer = box.referee.post(f"/api/files/{address}", json={**BOARD, **body})
    assert answer.status_code == status, answer.text
    return dict(answer.json())


def read(box: Served, name: str, status: int = 200) -> dict[str, Any]:
    answer = box.referee.get(f"/api/files/everything/board/{name}")
    assert answer.status_code == status, answer.text
    return dict(answer.json())


def listed(box: Served) -> dict[str, Any]:
    asked = box.referee.get("/api/files").json()["asked"]
    return next(one for one in asked if one["game"] == "everything")


def said(answer: dict[str, Any]) -> str:
    return str(answer["error"]["message"])


# -- who may -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("endpoint", FILES, ids=lambda endpoint: f"{endpoint.method} {endpoint.path}")
def test_nobody_sees_or_changes_a_file_without_the_pin(still, endpoint):
    path = endpoint.path.format(game="everything", key="board", name="narrow.txt")
    answer = still.client.request(endpoint.method, path, json={} if endpoint.body else None)
    assert answer.status_code == 401
    assert answer.json()["error"]["code"] == "pin_needed"


def test_no_page_of_another_site_changes_a_file(still):
    body = {**BOARD, "name": "mine.txt", "text": GOOD}
    answer = still.referee.post("/api/files/save", json=body, headers={"origin": "http://elsewhere.example"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "wrong_origin")
    assert [file["name"] for file in listed(still)["files"]] == ["board", "narrow.txt", "wide.txt"]


# -- listing and reading -----------------------------------------------------------------------------------------------


def test_what_a_game_asks_for_is_listed_with_the_files_there_are(box):
    ask(box, "save", name="mine.txt", text=BAD)
    told = listed(box)
    assert (told["game"], told["key"], told["label"], told["needed"]) == ("everything", "board", "Board", True)
    assert [(file["name"], file["kind"], file["faults"], file["is_usual"]) for file in told["files"]] == [
        ("board", "usual", 0, True),
        ("narrow.txt", "sample", 0, False),
        ("wide.txt", "sample", 0, False),
        ("mine.txt", "kept", 1, False),
    ]


def test_a_file_is_read_whole_with_its_faults(box):
    ask(box, "save", name="mine.txt", text=BAD)
    told = read(box, "mine.txt")
    assert (told["text"], told["kind"], told["faults"]) == (BAD, "kept", [FAULT])
    assert read(box, "narrow.txt")["text"] == "ten columns\n"
    assert read(box, "board")["text"] == "twenty columns"
    assert read(box, "narrow.txt")["seen"] is None


def test_a_text_is_a_download_and_never_a_page(box):
    ask(box, "save", name="mine.txt", text="<script>alert(1)</script> columns")
    answer = box.referee.get("/api/files/everything/board/mine.txt/text")
    assert answer.text == "<script>alert(1)</script> columns"
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["content-disposition"].startswith('attachment; filename="mine.txt"')
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    [
        "everything/board/none.txt", "everything/hat/narrow.txt", "nothing/board/narrow.txt",
        "everything/board/..%2f..%2freferee.pin", "everything/board/%2e%2e", "everything/board/.%00",
        "..%2f..%2fetc/passwd/x", "everything/board/narrow.txt%00.toml", "everything/board/" + "x" * 4000,
    ],
)  # fmt: skip
def test_there_is_no_way_out_of_the_files(still, path):
    answer = still.referee.get(f"/api/files/{path}")
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "not_found"
    assert "271828" not in answer.text


# -- checking ----------------------------------------------------------------------------------------------------------


def test_a_text_is_looked_through_and_nothing_is_kept(box):
    assert ask(box, "check", text=GOOD) == {"faults": []}
    assert ask(box, "check", text=BAD) == {"faults": [FAULT]}
    assert ask(box, "check", text="a\0 columns")["faults"][0]["line"] == 1
    assert ask(box, "check", text="x" * (LARGEST_FILE + 1))["faults"][0]["says"].startswith("it is too large")
    assert [file["kind"] for file in listed(box)["files"]] == ["usual", "sample", "sample"]


# -- keeping -----------------------------------------------------------------------------------------------------------


def test_a_file_is_kept_changed_and_deleted(box):
    kept = ask(box, "save", name="  mine.txt ", text=GOOD)
    assert (kept["says"], kept["name"], kept["faults"]) == ("mine.txt is kept", "mine.txt", [])
    assert (box.folder / "files/everything/board/mine.txt").read_text() == GOOD
    changed = ask(box, "save", name="mine.txt", text=BAD, seen=kept["seen"])
    assert changed["says"].startswith("mine.txt is kept; it has 1 fault, and no match begins with it")
    assert ask(box, "remove", name="mine.txt", seen=changed["seen"])["says"].startswith("mine.txt is deleted")
    assert not (box.folder / "files/everything/board/mine.txt").exists()
    read(box, "mine.txt", 404)


def test_letters_put_together_otherwise_are_the_same_name(box):
    assert ask(box, "save", name="fu\u0308nf.txt", text=GOOD)["name"] == "f\u00fcnf.txt"
    assert read(box, "f%C3%BCnf.txt")["text"] == GOOD


def test_two_pages_do_not_write_over_each_other(box):
    first = ask(box, "save", name="mine.txt", text=GOOD)
    refused = ask(box, "save", 409, name="mine.txt", text=BAD)
    assert refused["error"]["code"] == "changed"
    second = ask(box, "save", name="mine.txt", text="two columns", seen=first["seen"])
    for body in ({"seen": first["seen"], "text": BAD}, {"seen": None, "text": BAD}):
        assert said(ask(box, "save", 409, name="mine.txt", **body)) == "another text is kept as mine.txt by now"
    assert ask(box, "remove", 409, name="mine.txt", seen=first["seen"])["error"]["code"] == "changed"
    ask(box, "remove", name="mine.txt", seen=second["seen"])
    assert "it was deleted meanwhile" in said(ask(box, "save", 409, name="mine.txt", text=BAD, seen=second["seen"]))
    ask(box, "remove", 404, name="mine.txt", seen=second["seen"])


@pytest.mark.parametrize("name", ["narrow.txt", "board"])
def test_what_comes_along_stays_as_it_is(still, name):
    assert "comes along with Everything: give yours another name" in said(ask(still, "save", 409, name=name, text=GOOD))
    assert (read(still, name)["kind"], ask(still, "remove", 404, name=name, seen="")["error"]["code"]) in {
        ("sample", "not_found"),
        ("usual", "not_found"),
    }


@pytest.mark.parametrize("name", ["..", "../x", "/etc/passwd", "a\0", "-rf", ".x", "x" * 41, "a\nb", " ", "a\\b"])
def test_a_name_that_is_none_is_refused_with_what_would_be_right(still, name):
    refused = ask(still, "save", 400, name=name, text=GOOD)
    assert refused["error"]["code"] == "malformed"
    assert "a file's name has" in said(refused)
    assert not (still.folder / "files").exists()


def test_what_is_too_large_is_refused_whichever_limit_it_meets(box):
    assert "at most 32 KiB" in said(ask(box, "save", 400, name="a.txt", text="x" * (LARGEST_FILE + 1)))
    assert "at most 32 KiB" in said(ask(box, "save", 400, name="a.txt", text="ü" * (LARGEST_FILE // 2 + 1)))
    ask(box, "save", 413, name="a.txt", text="x" * 70_000)
    assert not (box.folder / "files").exists()
    ask(box, "save", name="a.txt", text="x" * LARGEST_FILE)


@pytest.mark.parametrize("body", [b"\xff\xfe", b'{"text": "\xe4"}', b'{"text": "\\ud800"}', b"[]", b"{", b'{"a": 1}'])
@pytest.mark.parametrize("address", ["check", "save", "remove", "try", "dry-run"])
def test_what_is_no_request_is_refused_and_says_so(still, address, body):
    answer = still.referee.post(f"/api/files/{address}", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "malformed")


def test_there_is_room_for_so_many_files_and_no_more(box):
    place = box.folder / "files/everything/board"
    place.mkdir(parents=True)
    for number in range(10_000):
        (place / f"{number:05}.txt").touch()
    told = box.referee.get("/api/files").json()
    assert told["room"]["files"] == MOST_FILES == len(listed(box)["files"]) - 3
    assert 1 < len(told["problems"]) <= 11
    assert f"keeps {MOST_FILES} files already" in said(ask(box, "save", 409, name="mine.txt", text=GOOD))
    assert len(list(place.iterdir())) == 10_000


def test_a_full_disk_is_said_plainly_and_the_file_stays_as_it_was(box, monkeypatch):
    kept = ask(box, "save", name="mine.txt", text=GOOD)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    refused = ask(box, "save", 503, name="mine.txt", text=BAD, seen=kept["seen"])
    assert said(refused) == "mine.txt cannot be stored: No space left on device; nothing has changed"
    monkeypatch.undo()
    assert read(box, "mine.txt")["text"] == GOOD


# -- playing with one --------------------------------------------------------------------------------------------------


def test_a_match_begins_with_a_file_and_its_record_has_it_whole(box):
    seats = [{"colour": "red"}, {"colour": "blue"}]
    body = {"game": "everything", "seats": seats, "files": {"board": {"name": "mine.txt", "text": GOOD}}}
    assert box.referee.post("/api/match", json=body).status_code == 200
    setup = json.loads(box.box.journal.lines(box.box.match_id)[0])
    assert setup["files"] == {"board": {"name": "mine.txt", "text": GOOD}}


def test_no_match_begins_with_a_file_that_has_a_fault(box):
    seats = [{"colour": "red"}, {"colour": "blue"}]
    body = {"game": "everything", "seats": seats, "files": {"board": {"name": "mine.txt", "text": BAD}}}
    answer = box.referee.post("/api/match", json=body)
    assert answer.status_code == 400
    assert said(answer.json()) == f"mine.txt, line 2: {FAULT['says']}"
    assert box.state()["phase"] == "lobby"


def test_on_a_simulated_box_a_practice_match_begins_with_a_text_that_is_being_written(box):
    answer = box.client.post("/api/try", json={"game": "everything", "files": {"board": {"name": "a", "text": GOOD}}})
    assert answer.status_code == 200, answer.text
    state = box.until_state(lambda state: state["match"] is not None)
    assert (state["game"]["name"], len(state["seats"])) == ("everything", 2)


# -- trying out --------------------------------------------------------------------------------------------------------


def steps_of_a_race() -> list[dict[str, Any]]:
    """Bids by the seats' own buttons, then all that is offered up to a race, and a race."""
    bids = [{"button": "red third", "ms": 0}, {"button": "blue second", "ms": 300}]
    race = [{"button": "blue third", "ms": 400}, {"button": "red third", "ms": 460}]
    return [
        {"do": "presses", "presses": bids},
        {"do": "choose", "kind": "stake", "seat": "red", "number": 5},
        {"do": "choose", "kind": "move", "seat": "red", "steps": ["3", "4"]},
        {"do": "choose", "kind": "die", "roll": True},
        {"do": "choose", "kind": "draw", "seat": "red", "roll": True},
        {"do": "reveal", "card": "bell"},
        {"do": "presses", "presses": race},
    ]


def test_a_text_is_tried_out_in_a_match_that_is_kept_nowhere(box):
    before = box.state()
    told = ask(box, "try", text=GOOD, seats=["red", "blue"], steps=steps_of_a_race())
    assert told["refused"] is None, told["refused"]
    rows = told["state"]["race"]["rows"]
    assert [(row["colour"], row["place"], row["gap_ns"]) for row in rows] == [
        ("blue", 1, 0), ("red", 2, 60_000_000),
    ]  # fmt: skip
    assert told["done"] == 7
    assert told["course"][0]["says"]
    assert (box.state(), box.box.journal._matches) == (before, [])


def test_the_same_steps_lead_to_the_same_match_from_the_beginning_and_step_by_step(box):
    steps = steps_of_a_race()
    whole = ask(box, "try", text=GOOD, seats=["red", "blue"], steps=steps)
    ask(box, "try", text="two columns", seats=["red", "blue"])
    for count in range(len(steps) + 1):
        told = ask(box, "try", text=GOOD, seats=["red", "blue"], steps=steps[:count])
    assert told == whole
    assert ask(box, "try", text=GOOD, seats=["red", "blue"], steps=steps[:1])["done"] == 1


def test_a_step_that_cannot_be_done_is_said_and_the_match_stands_as_before_it(box):
    steps = [{"do": "reveal", "card": "bell"}]
    told = ask(box, "try", text=GOOD, seats=["red", "blue"], steps=steps)
    assert (told["done"], told["refused"]["step"]) == (0, 1)
    assert told["refused"]["says"]
    bids = [{"do": "presses", "presses": [{"button": "red ninth", "ms": 0}]}]
    assert "no button 'red ninth'" in ask(box, "try", text=GOOD, seats=["red", "blue"], steps=bids)["refused"]["says"]


def test_what_a_seat_alone_may_choose_is_told_by_its_buttons(box):
    told = ask(box, "try", text=GOOD, seats=["red", "blue"])
    assert {"prompt", "items"} <= set(told["secrets"]["red"][0])
    assert len(told["secrets"]["red"][0]["items"]) == 4


@pytest.mark.parametrize(
    ("more", "status", "message"),
    [
        ({"text": BAD}, 400, "line 2: 'nine rows'"),
        ({"seats": ["red"]}, 409, "2 to 3 players"),
        ({"seats": ["red", "red"]}, 409, "same colour"),
        ({"seats": ["pink", "red"]}, 400, "seats"),
        ({"steps": [{"do": "presses", "presses": []}]}, 400, "presses"),
        ({"steps": [{"do": "presses", "presses": [{"button": "red first", "ms": 10**9}]}]}, 400, "ms"),
        ({"steps": [{"do": "wait", "ms": 10**9}]}, 400, "ms"),
        ({"steps": [{"do": "match", "seats": []}]}, 400, "do"),
        ({"steps": [{"do": "wait", "ms": 1}] * 101}, 400, "steps"),
        ({"game": "order"}, 404, "asks for no file"),
    ],
)
def test_what_cannot_be_tried_out_is_refused(still, more, status, message):
    body = {"text": GOOD, "seats": ["red", "blue"], "steps": [], **more}
    assert message in said(ask(still, "try", status, **body))


# -- past records ------------------------------------------------------------------------------------------------------


def test_a_stored_match_of_another_game_is_judged_by_a_text(box):
    number = played(box, "red blue", "blue red", "red")
    told = ask(box, "dry-run", text="ten columns", match=number)
    assert told == {
        "match": number,
        "races": 3,
        "agreed": 1,
        "differing": [
            {"race": 2, "ruled": "Race 2 was judged.", "would": "The board has no line for it."},
            {"race": 3, "ruled": "Race 3 was judged.", "would": "The board has no line for it."},
        ],
        "left_out": 0,
        "why_not": "",
    }


def test_why_a_record_cannot_be_compared_is_said(box):
    number = played(box)
    told = ask(box, "dry-run", text=GOOD, match=number)
    assert (told["races"], told["why_not"]) == (0, "no race was judged in it, for board")


def test_a_text_with_a_fault_judges_nothing(box):
    assert "line 2" in said(ask(box, "dry-run", 400, text=BAD, match=played(box, "red")))
    assert ask(box, "dry-run", 404, text=GOOD, match=99)["error"]["code"] == "not_found"


def test_while_a_record_is_judged_the_box_answers_others(box, monkeypatch):
    number, begun, may_end = played(box, "red blue"), threading.Event(), threading.Event()

    def long_run(self: Everything, *_: object) -> DryRun:
        begun.set()
        assert may_end.wait(30)
        return DryRun(1, 1)

    monkeypatch.setattr(Everything, "dry_run", long_run)
    with ThreadPoolExecutor(1) as other:
        asked = other.submit(ask, box, "dry-run", text=GOOD, match=number)
        assert begun.wait(30)
        assert box.client.get("/api/state").status_code == 200
        box.box.press("red first")
        may_end.set()
        assert asked.result()["agreed"] == 1
