"""Run on a copy of the program in which one entry adds the policy `widdershins`: a dead heat goes anticlockwise."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from companion.config.reading import load
from companion.config.writing import render
from companion.core.errors import Malformed
from companion.core.record.lines import dump_line, parse_line
from companion.core.ruling.judge import judge_record
from companion.core.ruling.rulings import Fault, Order
from companion.games.registry import find
from companion.screens.text.account import replay_account
from tests.adapters.web.served import served
from tests.core.play.virtual_box import VirtualBox

if TYPE_CHECKING:
    from pathlib import Path

WORD = "widdershins"
SETUP = {
    "type": "setup", "record": 2, "match": "0" * 32, "game": "order", "edition": 1, "first": "red", "dead_heat": WORD,
    "seats": [{"colour": "red"}, {"colour": "yellow"}, {"colour": "blue"}],
}  # fmt: skip


def record(**changes: Any) -> list[bytes]:
    """Red begins; yellow and blue are too close to call: by time and clockwise yellow is first of them."""
    presses = [
        {"type": "press", "colour": colour, "role": "fourth", "t_ns": t_ns, "error_ns": 20}
        for colour, t_ns in (("yellow", 100), ("blue", 110))
    ]
    return [
        json.dumps(line).encode() for line in ({**SETUP, **changes}, *presses, {"type": "close"}, {"type": "judge"})
    ]


def test_a_record_says_it_and_is_judged_by_it() -> None:
    (order,) = [ruling for ruling in judge_record(record(), find) if isinstance(ruling, Order)]
    assert [place.colour for place in order.order] == ["blue", "yellow"]
    line = parse_line(record()[0], 1)
    assert json.loads(dump_line(line))["dead_heat"] == WORD


def test_a_record_with_a_policy_that_is_none_is_told_of_it() -> None:
    (fault,) = [ruling for ruling in judge_record(record(dead_heat="coin"), find) if isinstance(ruling, Fault)]
    assert fault.message == "field `dead_heat`: 'coin' is not one of: clockwise, lots, timestamp, widdershins"


def test_the_account_says_it() -> None:
    assert "Dead heats go anticlockwise from whoever revealed last." in list(replay_account(record(), find))


def test_the_settings_file_says_it_and_the_written_settings_explain_it(tmp_path: Path) -> None:
    file = tmp_path / "box.toml"
    file.write_text(f'[match]\ndead_heat = "{WORD}"\n')
    settings = load(file)
    assert settings.match.dead_heat == WORD
    assert "anticlockwise (widdershins)" in " ".join(render(settings).replace("\n#", "").split())
    file.write_text('[match]\ndead_heat = "coin"\n')
    with pytest.raises(Malformed, match='must be one of "clockwise", "lots", "timestamp", "widdershins"'):
        load(file)


def test_the_command_line_offers_it() -> None:
    command = [sys.executable, "-c", "from companion.cli.main import main; main(['run', '--help'])"]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    assert "timestamp or clockwise or lots or widdershins" in " ".join(said.split())


def test_the_knob_comes_to_it_and_around_again_and_starts_the_match_with_it() -> None:
    box = VirtualBox(seats=("red", "yellow"), start=False)
    label = "dead heat"
    index = [item.label for item in box.body.menu.items].index(label)
    box.turn(index, 2000)
    seen = []
    for click in range(7):
        box.click(2500 + 500 * click)
        box.run(2900 + 500 * click)
        seen.append({item.label: item.value for item in box.body.menu.items}[label])
    assert seen == ["clockwise", "lots", "anticlockwise", "timestamp", "clockwise", "lots", "anticlockwise"]
    box.turn(-index, 7000)
    box.click(7500)
    box.run(8500)
    assert json.loads(box.record()[0])["dead_heat"] == WORD


def test_the_api_offers_it_and_begins_a_match_with_it() -> None:
    with served() as box:
        offered = {policy["key"]: policy["label"] for policy in box.client.get("/api/dead-heats").json()}
        assert offered[WORD] == "anticlockwise"
        assert list(offered) == ["timestamp", "clockwise", "lots", WORD]
        body = {"seats": SETUP["seats"], "game": "order", "dead_heat": WORD}
        refused = box.referee.post("/api/match", json=body | {"dead_heat": "coin"})
        assert refused.status_code == 400
        assert "coin" in refused.text
        assert box.referee.post("/api/match", json=body).status_code == 200
        assert box.until_state(lambda state: bool(state["match"]))["match"]["dead_heat"] == WORD
        described = json.dumps(box.client.get("/api/openapi.json").json())
        assert '["clockwise", "lots", "timestamp", "widdershins"]' in described
