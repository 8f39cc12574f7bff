"""The types that the desk's pages are checked with are those of a desk: the compiler is given real documents.

Needs the programs in `.ci/pages`; `make documents` runs it.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

import companion
from companion.adapters.web.tournament import messages
from companion.adapters.web.tournament.ways import WAYS
from companion.tournament.log import lines
from tests.adapters.web.compiled_documents import COMPILER, STRICT
from tests.adapters.web.tournament.running import drawn, entered, played, running
from tests.adapters.web.tournament.test_desk_api import acted, listening, until

if TYPE_CHECKING:
    from tests.tournament.desk.hall import Hall

TYPES = next(Path(companion.__file__).parent.rglob("event_documents.d.ts"))
PARTS = ("event", "tables", "pairings", "standings", "players", "boxes", "rounds", "notes", "disputes", "prints")
Documents = list[tuple[str, Any]]


def compiled(documents: Documents, directory: Path) -> str:
    """Have documents compared with their types; give what the compiler says, nothing where all is well."""
    (directory / "event_documents.d.ts").write_text(TYPES.read_text(encoding="utf-8"), encoding="utf-8")
    text = 'import type * as desk from "./event_documents";\n'
    for number, (kind, document) in enumerate(documents):
        text += f"export const document{number}: {kind} = {json.dumps(document)};\n"
    (directory / "real.ts").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [COMPILER, *STRICT, "real.ts"], cwd=directory, capture_output=True, text=True, check=False, timeout=120
    )
    return done.stdout + done.stderr


def documents_of(hall: Hall) -> Documents:
    """Give everything that a desk says."""
    with running(hall) as desk, desk.client("organiser") as client, listening(desk, "?tables=1") as socket:
        found: Documents = [(f'desk.Documents["/api/{part}"]', client.get(f"/api/{part}").json()) for part in PARTS]
        found += [("desk.Session", client.get("/api/session").json())]
        found += [("desk.Puzzle", client.get("/api/session/puzzle").json())]
        found += [("desk.Player", client.get(f"/api/player/{number}").json()) for number in (1, 2)]
        found += [("desk.PairingsOf", client.get("/api/pairings/1").json())] if hall.event.rounds else []
        for one in client.get("/api/disputes").json()["disputes"]:
            where = "/".join(str(one[name]) for name in ("round", "table", "match", "line"))
            found += [("desk.Account", client.get(f"/api/disputes/{where}").json())]
        found += [("desk.FromDesk", until(socket, kind)) for kind in ("hello", "event")]
        found += [("desk.Refusal", client.post("/api/acts/end", json={}).json())]
        desk.do(lambda hall: hall.act(lines.PlayerLine, player=len(hall.event.players.all) + 1, name="Zoe"), (1, 1))
        found += [("desk.FromDesk", until(socket, kind)) for kind in ("changed",)]
    return found


@pytest.mark.parametrize("make", [entered, drawn, played])
def test_what_a_desk_says_is_what_the_types_say(make, tmp_path: Path) -> None:
    assert compiled(documents_of(make()), tmp_path) == ""


def test_a_changed_drawing_and_its_preview_are_typed(tmp_path: Path) -> None:
    with running(drawn(8, 2)) as desk, desk.client("organiser") as client:
        found: Documents = [("desk.Swap", client.get("/api/swap/1/1/5").json())]
        acted(client, "swap", round=1, one=1, other=5, reason="r", by="b")
        found += [("desk.Rounds", client.get("/api/rounds").json())]
    assert compiled(found, tmp_path) == ""


def test_a_field_more_or_less_is_found(tmp_path: Path) -> None:
    assert "nobody" in compiled([("desk.Done", {"ok": True, "says": "s", "nobody": 1})], tmp_path)
    assert "says" in compiled([("desk.Done", {"ok": True})], tmp_path)


def test_the_types_know_every_act_and_each_of_its_fields() -> None:
    found = TYPES.read_text(encoding="utf-8")
    acts = found[found.index("export interface Acts") : found.index("export type FromDesk")]
    typed = {
        name.strip('"'): set(re.findall(r"(\w+): ", re.sub(r"\{ player: number; rank.*?\}", "", body)))
        for name, body in re.findall(r'^  ("?[\w-]+"?): (.*?);\n(?=  ["\w]|\})', acts, re.DOTALL | re.MULTILINE)
    }
    served = {
        way.path.removeprefix("/api/acts/"): {field.name for field in msgspec.structs.fields(way.body)}
        for way in WAYS
        if way.path.startswith("/api/acts/") and way.body is not None
    }
    assert typed == served


def test_the_types_know_every_message_of_the_socket() -> None:
    found = TYPES.read_text(encoding="utf-8")
    tags = {str(kind.__struct_config__.tag) for kind in messages.FromDesk.__args__}
    assert set(re.findall(r'\{ type: "(\w+)"', found)) == tags
