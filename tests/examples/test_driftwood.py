"""The example of a game: installed by itself, tested by itself, and played by everything that the box has."""

from __future__ import annotations

import json
import time
import tomllib
from pathlib import Path

import pytest

from tests.examples.installed import PATIENCE_S, Environment, Served
from tests.fakes.wired_reader import WiredReader

pytestmark = pytest.mark.slow  # starts processes

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).with_name("driftwood.script")


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("driftwood"))


@pytest.fixture(scope="module")
def played(environment: Environment) -> Path:
    """The record of a match that was played by buttons and knob."""
    state = environment.folder / "played"
    words = ("--simulate", "--plain", "--no-web", "--seats", "red,blue", "--game", "driftwood", "--script", str(SCRIPT))
    environment.companion("run", "--state-dir", str(state), *words)
    record = environment.folder / "played.jsonl"
    record.write_text(environment.companion("export", "--state-dir", str(state), "1"))
    return record


def lines_of(record: str) -> list[tuple[str, ...]]:
    """Give what is in a record, without its times, and without what follows a race by itself."""
    lines = [line for line in map(json.loads, record.splitlines()) if line["type"] not in ("evidence", "seal")]
    keys = ("type", "colour", "cove", "card", "role", "cards")
    return [tuple(str(line[key]) for key in keys if key in line) for line in lines]


def test_it_is_found_beside_the_programs_own_games(environment: Environment) -> None:
    said = environment.run("-c", "from companion.games import registry as r; print(*r.names(), dict(r.problems()))")
    own = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["companion.games"]
    assert said == f"{' '.join(sorted([*own, 'driftwood']))} {{}}\n"
    assert "/venv/" in environment.run("-c", "import driftwood; print(driftwood.__file__)")


def test_its_own_tests_pass_where_it_is_installed(environment: Environment) -> None:
    configured = ("-c", str(environment.source / "pyproject.toml"))
    said = environment.run(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", *configured, str(environment.source / "tests")
    )
    assert " passed" in said
    assert "failed" not in said
    assert "skipped" not in said


def test_it_is_played_by_buttons_and_knob(played: Path) -> None:
    assert lines_of(played.read_text())[1:] == [
        ("cove", "red", "north"), ("cove", "blue", "south"), ("reveal", "plank"), ("reveal", "pearl"),
        ("press", "blue", "grab"), ("press", "red", "grab"), ("close",), ("judge",), ("bury", "blue", "1"),
        ("storm", "red", "south"), ("press", "red", "leave"), ("press", "blue", "leave"), ("close",), ("judge",),
        ("end",),
    ]  # fmt: skip


def test_its_record_is_judged_again_and_told_in_two_languages(environment: Environment, played: Path) -> None:
    rulings = [json.loads(line) for line in environment.companion("replay", "--json", str(played)).splitlines()]
    (order, *_), outcome = [r for r in rulings if r["type"] == "order"], rulings[-1]
    assert [(place["colour"], place["gap_ns"]) for place in order["order"]] == [("blue", 0), ("red", 70_000_000)]
    assert outcome == {"type": "outcome", "over": True, "points": {"red": 0, "blue": 4}, "leaders": ["blue"]}
    english = environment.companion("replay", str(played))
    german = environment.companion("replay", "--language", "de", str(played))
    assert english.startswith("Driftwood. ")
    assert "blue: 2 cards are taken." in english
    assert german.startswith("Treibholz. ")
    assert "Blau: 2 Karten werden genommen." in german
    assert "red reveals: plank." in english
    assert "Rot deckt auf: Planke." in german


def test_it_is_played_from_a_page_and_by_scanned_cards(environment: Environment, tmp_path: Path) -> None:
    reader = WiredReader(tmp_path / "reader")
    box = Served(environment, tmp_path / "state", reader)
    try:
        (game,) = [game for game in box.get("games") if game["name"] == "driftwood"]
        assert (game["title"], game["race_name"]) == ("Treibholz", "Gerangel")
        assert [offer["prompt"] for offer in box.get("state")["offers"]] == ["Deine Bucht", "Deine Bucht"]
        labels = {card["name"]: card["label"] for card in box.get("games/driftwood/look")["cards"]}
        assert labels == {"plank": "Planke", "bottle": "Flasche", "pearl": "Perle"}
        for colour in ("blue", "red"):
            choose(box, f"cove {colour} north")
        scan(reader, box, "DRIFTWOOD-001", "plank")
        scan(reader, box, "DRIFTWOOD-024", "pearl")
        document = box.get("state")
        assert [entry["says"] for entry in document["course"] if entry["type"] == "reveal"] == [
            ["aufgedeckt: Perle"], ["aufgedeckt: Planke"],
        ]  # fmt: skip
        assert [(each["card"], each["count"]) for each in document["table"]] == [("plank", 1), ("pearl", 1)]
        assert [(offer["kind"], offer["seat"], offer["required"]) for offer in document["offers"]] == [
            ("storm", "red", False), ("storm", "blue", False),
        ]  # fmt: skip
        choose(box, "storm blue north")
        box.post("end", {})
        record = "\n".join(environment.companion("export", "--state-dir", str(tmp_path / "state"), "1").splitlines())
    finally:
        box.stop()
        reader.unplug()
    assert [line for line in lines_of(record) if line[0] != "remark"][1:] == [
        ("cove", "blue", "north"), ("cove", "red", "north"), ("reveal", "plank"), ("reveal", "pearl"),
        ("storm", "blue", "north"), ("end",),
    ]  # fmt: skip


def choose(box: Served, key: str) -> None:
    """Choose an option as a page does, once it is on offer there."""
    until = time.monotonic() + PATIENCE_S
    while key not in [option["key"] for offer in box.get("state")["offers"] for option in offer["options"]]:
        assert time.monotonic() < until, f"{key} is not on offer"
        time.sleep(0.05)
    box.post("choose", {"option": key})


def scan(reader: WiredReader, box: Served, code: str, card: str) -> None:
    """Show a card to the reader, and wait until it lies on the table."""
    until = time.monotonic() + PATIENCE_S
    reader.show(f"{code}\r\n".encode())
    while card not in [each["card"] for each in box.get("state")["table"]]:
        assert time.monotonic() < until, f"{code} was not taken"
        time.sleep(0.05)
