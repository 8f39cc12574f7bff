"""Apache with one seat on one switch, on the kernel's own lines. Collected by `tests/hil/run` only.

`make hil` plays from the empty table to the end of the second Pow-Wow; `make hil ARGS=--long` a whole match, to the
result that is accepted: seats, all 114 cards by the knob, four Pow-Wows, choices, the end: four minutes.

Red has one switch, wired as the first of its buttons. Its first press is its time; what follows picks. What was done on
the lines is done on a model too, and the two records must say the same, but for the times, which the lines tell.
"""

import json
import random

import pytest

from companion.core.record.lines import dump_line
from tests.hil.box import SETTINGS, Box
from tests.hil.expected import ERROR_NS
from tests.hil.guest import Chip, Guest
from tests.hil.patterns import plan
from tests.hil.switch_match import DECK, DWELL_S, LOOPS, ORDER, S, Script, on_model, opening, strokes, whole_match
from tests.hil.truth import PlayedStroke, as_played

SCANS = (
    SETTINGS
    + f"""\
[seats.red]
input = "scan"
scan_dwell_s = {DWELL_S}
scan_loops = {LOOPS}
scan_order = {[place + 1 for place in ORDER]}
"""
)
OF_PLAY = ("reveal", "press", "close", "judge", "claim", "end", "sign")
SAID = ("colour", "role", "card", "take")
WON = [["red", "yellow"], ["yellow", "red"], ["red"], ["yellow", "red"]]
REST_S = 1.5
"""Between two parts: the longest that an edge may be on its way, and once more."""


def said(lines: list[dict[str, object]]) -> list[tuple[object, ...]]:
    """Give what was played, without its times."""
    return [(line["type"], *(line[key] for key in SAID if key in line)) for line in lines if line["type"] in OF_PLAY]


@pytest.mark.timeout(900)
def test_a_match_is_played_by_one_switch_beside_a_seat_of_buttons(
    guest: Guest, chip: Chip, rng: random.Random, unique: str, pytestconfig: pytest.Config
) -> None:
    is_long = bool(pytestconfig.getoption("--long"))
    script = whole_match() if is_long else opening()
    box, made, output = played(script, guest, chip, rng, unique)
    record = box.record()
    model = [json.loads(dump_line(line)) for line in on_model(script)]
    assert said(record) == said(model), output
    assert sum(kind == "reveal" for kind, *_ in said(record)) == script.cards
    (setup,) = [line for line in record if line["type"] == "setup"]
    assert "scan" in setup["conditions"]["seats"]["red"]["input"]
    pressed = [line for line in record if line["type"] == "press"]
    assert len(pressed) == len(script.timed)
    for line, (part, place) in zip(pressed, script.timed, strict=True):
        assert line["error_ns"] <= ERROR_NS["gpiod"], line
        assert made[part][place][0].first.holds(line["t_ns"], 0), f"{line}: {made[part][place][0].first}"
    told = [line["text"] for line in record if line["type"] == "remark"]
    assert sum("picked its card by switch scanning" in text for text in told) == (3 if is_long else 1)
    assert sum("did not pick" in text for text in told) == 1
    orders = [line for line in box.replay(record) if line["type"] == "order"]
    assert [[place["colour"] for place in order["order"]] for order in orders] == (WON if is_long else WON[:2])
    if is_long:
        assert script.cards == DECK
        assert said(record)[-2:] == [("end",), ("sign", "red")]


def played(
    script: Script, guest: Guest, chip: Chip, rng: random.Random, name: str
) -> tuple[Box, list[list[list[PlayedStroke]]], str]:
    """Do it all on the lines; give the box that has ended, what was truly done, part by part, and what the box said."""
    box = Box(guest, name, settings=SCANS)
    made: list[list[list[PlayedStroke]]] = []
    process = box.start("gpiod", seats=())
    try:
        for part, lasts_us in zip(strokes(script, rng), script.lasts_us, strict=True):
            planned = plan(part)
            (edges,) = guest.play(planned, chip)
            guest.rest(max(lasts_us - planned.duration_us, 0) / S + REST_S)
            done = iter(as_played(planned, edges))
            made.append([[next(done) for _ in finger] for finger in part])
        box.stop()
    finally:
        box.kill()
    return box, made, process.said()
