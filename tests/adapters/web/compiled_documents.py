"""The types that the pages are checked with are those of the box: the compiler is given real documents to compare.

Needs the programs in `.ci/pages`; `make documents` runs it.
"""

from __future__ import annotations

import copy
import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import companion
from tests.adapters.web.salon import SALON
from tests.adapters.web.served import Served, served
from tests.adapters.web.talk import Talk
from tests.adapters.web.test_offers import begin as begin_salon
from tests.adapters.web.test_offers import bid as both_bid
from tests.adapters.web.test_people import played
from tests.contract.everything import EVERYTHING

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(companion.__file__).parents[1]
COMPILER = ROOT / ".ci" / "pages" / "node_modules" / ".bin" / "tsc"
TYPES = next(Path(companion.__file__).parent.rglob("documents.d.ts"))
STRICT = ("--strict", "--exactOptionalPropertyTypes", "--noEmit", "--ignoreConfig", "--types", "")

Documents = list[tuple[str, Any]]


def compiled(documents: Documents, directory: Path) -> str:
    """Have documents compared with their types; give what the compiler says, nothing where all is well.

    A literal in TypeScript may have no field that its type does not have, so that this finds fields in both directions.
    """
    (directory / "documents.d.ts").write_text(TYPES.read_text(encoding="utf-8"), encoding="utf-8")
    text = 'import type * as box from "./documents";\n'
    for number, (kind, document) in enumerate(documents):
        text += f"export const document{number}: {kind} = {json.dumps(document)};\n"
    (directory / "real.ts").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [COMPILER, *STRICT, "real.ts"], cwd=directory, capture_output=True, text=True, check=False, timeout=120
    )
    said = done.stdout + done.stderr
    assert (done.returncode == 0) == (said == ""), said
    return said


def read(box: Served, *addresses: str) -> Documents:
    return [(f'box.Documents["{address}"]', box.client.get(address).json()) for address in addresses]


def a_match(box: Served) -> Documents:
    """What the box gives in the course of a match: seating, race, choice, correction, end."""
    found = read(box, "/api/session", "/api/link", "/api/games", "/api/state")
    found += read(box, "/api/games/apache/look", "/api/games/order/look")
    box.begin("red hunter", "buffalo", "teepee")
    box.until_state(lambda state: state["phase"] == "idle")
    found += read(box, "/api/state")
    box.box.press("red hunter")
    box.box.press("yellow maiden")
    box.until_state(lambda state: bool(state["race"]) and state["race"]["rows"] != [])
    found += read(box, "/api/state")
    box.referee.post("/api/close", json={})
    state = box.until_state(lambda state: state["offers"] != [])
    found += read(box, "/api/state", "/api/record", "/api/course")
    option = {"option": state["offers"][0]["options"][0]["key"]}
    found += [("box.Done", box.referee.post("/api/choose", json=option).json())]
    box.until_state(lambda state: state["offers"] == [] and state["race"]["turns"] != [])
    found += [*read(box, "/api/state"), *corrected(box)]
    box.referee.post("/api/end", json={})
    box.until_state(lambda state: state["phase"] == "final")
    found += [*read(box, "/api/state", "/api/matches", "/api/matches/1"), *people(box), *disputed(box)]
    return [*found, ("box.Refusal", box.referee.post("/api/end", json={}).json())]


def people(box: Served) -> Documents:
    """What there is of people after a match that is over: lists, each kind of sheet, a link."""
    link = box.referee.post("/api/shares/person", json={"person": "Ann"}).json()
    lists = ("/api/people", "/api/people/names")
    found = [(f'box.Documents["{address}"]', box.referee.get(address).json()) for address in lists]
    evening = found[0][1]["evenings"][0]["evening"]
    sheets = ("people/Ann/sheet", f"evenings/{evening}/sheet", f"shared/{link['token']}/sheet", "matches/1/result")
    found.append(("box.Share", link))
    return [*found, *(("box.Sheet", box.referee.get(f"/api/{address}").json()) for address in sheets)]


def disputed(box: Served) -> Documents:
    """A protest by a panel, its answer and what is signed then."""
    talk = Talk(box.server.port)
    talk.say({"type": "panel"})
    found = [("box.FromBox", talk.get("me", lambda me: me["seat"] is None))]
    talk.say({"type": "panel", "asks": "red"})
    found += [("box.FromBox", talk.get("me", lambda me: me["seat"] == "red"))]
    talk.say({"type": "protest", "text": "too soon"})
    found += [("box.FromBox", talk.get("noted"))]
    state = box.until_state(lambda state: state["protests"] != [])
    found += read(box, "/api/state", "/api/matches/1")
    body = {"protest": state["protests"][0]["line"], "text": "it was not", "stands": True, "by": "Ann"}
    found += [("box.Done", box.referee.post("/api/answer", json=body).json())]
    talk.say({"type": "sign"})
    found += [("box.FromBox", talk.get("noted")), *read(box, "/api/state", "/api/matches/1")]
    talk.close()
    return found


def corrected(box: Served) -> Documents:
    """A replacement, from its preview to what it led to."""
    record = box.client.get("/api/record").json()
    changes = [{"line": record["lines"][0]["line"], "with": [{"type": "reveal", "card": "blue hunter"}]}]
    body: dict[str, Any] = {"changes": changes, "seen": record["seen"]}
    preview = box.referee.post("/api/replace/preview", json=body).json()
    assert {line["state"] for line in preview["lines"]} >= {"new", "changed"}
    done = box.referee.post("/api/replace", json={**body, "reason": "it was blue's", "by": "Ann"}).json()
    return [("box.Preview", preview), ("box.Done", done), *read(box, "/api/state")]


def a_talk(box: Served) -> Documents:
    """What the box sends to a panel that asks for a seat, presses, and says something wrong."""
    talk = Talk(box.server.port, "?oled=1")
    talk.say({"type": "panel", "asks": "blue"})
    for _ in range(8):
        talk.say({"type": "sync", "id": talk.get("sync")["id"], "t_us": 1_000_000})
    talk.say({"type": "press", "n": 1, "button": "red fourth", "t_us": 1_000_000, "by": "touch"})
    heard = [talk.get("pressed")]
    talk.say({"type": "ping"})
    talk.say({"type": "dance"})
    heard += [talk.get("pong"), talk.get("error"), *talk.passed]
    talk.close()
    assert {one["type"] for one in heard} >= {"hello", "state", "oled", "panel", "pressed", "pong", "error"}
    return [*(("box.FromBox", one) for one in heard), *read(box, "/api/state")]


@pytest.fixture(scope="module")
def match() -> Documents:
    with served() as box:
        return a_match(box)


def test_what_the_box_gives_in_a_match_is_what_the_types_say(match: Documents, tmp_path: Path) -> None:
    assert compiled(match, tmp_path) == ""


def test_what_the_box_sends_to_a_panel_is_what_the_types_say(tmp_path: Path) -> None:
    with served() as box:
        heard = a_talk(box)
    assert compiled(heard, tmp_path) == ""


def the_files(box: Served) -> Documents:
    """What there is of files: all of them, one, its faults, how it is kept, a match with it, a match judged by it."""
    of = {"game": "everything", "key": "board"}
    number = played(box, "red blue", "blue")
    found: Documents = []
    for address, kind, body in (
        ("check", 'box.Answers["/api/files/check"]', {"text": "nine rows"}),
        ("save", 'box.Answers["/api/files/save"]', {"name": "mine.txt", "text": "nine rows"}),
        ("try", "box.Rehearsal", {"text": "nine columns", "seats": ["red", "blue"]}),
        ("dry-run", "box.DryRun", {"text": "nine columns", "match": number}),
    ):
        answer = box.referee.post(f"/api/files/{address}", json={**of, **body})
        assert answer.status_code == 200, answer.text
        found.append((kind, answer.json()))
    found.append(("box.GameFiles", box.referee.get("/api/files").json()))
    return [*found, ("box.GameFile", box.referee.get("/api/files/everything/board/mine.txt").json())]


def test_what_there_is_of_files_is_what_the_types_say(tmp_path: Path) -> None:
    with served(game=EVERYTHING) as box:
        found = the_files(box)
    assert compiled(found, tmp_path) == ""


def a_salon(box: Served) -> Documents:
    """What a game gives that asks in every way there is: secrets first, then all in the open."""
    talk = Talk(box.server.port)
    talk.say({"type": "panel", "asks": "red"})
    begin_salon(box)
    found = [("box.FromBox", talk.get("secret")), *read(box, "/api/state", "/api/games", "/api/games/salon/look")]
    both_bid(box)
    found += [*read(box, "/api/state", "/api/record"), ("box.FromBox", talk.get("secret"))]
    for chosen in ([], ["b"], ["b", "12"]):
        body = {"kind": "move", "seat": "yellow", "chosen": chosen}
        found.append(("box.NextStep", box.referee.post("/api/steps", json=body).json()))
    talk.close()
    return found


def test_what_a_game_with_secrets_and_steps_gives_is_what_the_types_say(tmp_path: Path) -> None:
    with served(game=SALON) as box:
        found = a_salon(box)
    assert compiled(found, tmp_path) == ""


def without(document: dict[str, Any]) -> None:
    del document["can"]["undo"]


def more(document: dict[str, Any]) -> None:
    document["seats"][0]["shoe_size"] = 43


def another(document: dict[str, Any]) -> None:
    document["race"]["rows"][0]["gap_ns"] = "0"


@pytest.mark.parametrize(
    ("change", "said"),
    [(without, "undo"), (more, "shoe_size"), (another, "Type 'string' is not assignable to type 'number'")],
)
def test_a_field_less_or_more_or_of_another_kind_is_said(
    change: Callable[[dict[str, Any]], None], said: str, match: Documents, tmp_path: Path
) -> None:
    kind, document = next(entry for entry in match if "/api/state" in entry[0] and entry[1]["race"])
    changed = copy.deepcopy(document)
    change(changed)
    assert said in compiled([(kind, changed)], tmp_path)
