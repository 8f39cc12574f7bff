"""A whole match of Apache with one seat on one switch, on the kernel's own lines. Collected by `tests/hil/run` only.

From the empty table to the result that is accepted: seats, all 114 cards by the knob, four Pow-Wows, choices, the end.
Red has one switch, wired as the first of its buttons. Its first press is its time; what follows picks. What was done on
the lines is done on a model too, and the two records must say the same, but for the times, which the lines tell.
"""

import json
import random

from companion.core.record.lines import dump_line
from tests.hil.box import SETTINGS, Box
from tests.hil.expected import ERROR_NS
from tests.hil.guest import Chip, Guest
from tests.hil.patterns import plan
from tests.hil.switch_match import DECK, DWELL_S, LOOPS, ORDER, S, on_model, strokes, whole_match
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
REST_S = 1.5
"""Between two parts: the longest that an edge may be on its way, and once more."""


def said(lines: list[dict[str, object]]) -> list[tuple[object, ...]]:
    """Give what was played, without its times."""
    return [(line["type"], *(line[key] for key in SAID if key in line)) for line in lines if line["type"] in OF_PLAY]


def test_a_whole_match_is_played_by_one_switch_beside_a_seat_of_buttons(
    guest: Guest, chip: Chip, rng: random.Random, unique: str
) -> None:
    script = whole_match()
    box = Box(guest, unique, settings=SCANS)
    made: list[list[list[PlayedStroke]]] = []
    process = box.start("gpiod", seats=())
    try:
        for part, lasts_us in zip(strokes(script, rng), script.lasts_us, strict=True):
            planned = plan(part)
            (played,) = guest.play(planned, chip)
            guest.rest(max(lasts_us - planned.duration_us, 0) / S + REST_S)
            done = iter(as_played(planned, played))
            made.append([[next(done) for _ in finger] for finger in part])
        box.stop()
    finally:
        box.kill()

    record = box.record()
    model = [json.loads(dump_line(line)) for line in on_model(script)]
    assert said(record) == said(model), process.said()
    assert sum(kind == "reveal" for kind, *_ in said(record)) == DECK
    assert said(record)[-2:] == [("end",), ("sign", "red")]
    (setup,) = [line for line in record if line["type"] == "setup"]
    assert "scan" in setup["conditions"]["seats"]["red"]["input"]
    pressed = [line for line in record if line["type"] == "press"]
    for line, (part, place) in zip(pressed, script.timed, strict=True):
        assert line["error_ns"] <= ERROR_NS["gpiod"], line
        assert made[part][place][0].first.holds(line["t_ns"], 0), f"{line}: {made[part][place][0].first}"
    told = [line["text"] for line in record if line["type"] == "remark"]
    assert sum("picked its card by switch scanning" in text for text in told) == 3
    assert sum("did not pick" in text for text in told) == 1
    orders = [line for line in box.replay(record) if line["type"] == "order"]
    assert [[place["colour"] for place in order["order"]] for order in orders] == [
        ["red", "yellow"], ["yellow", "red"], ["red"], ["yellow", "red"],
    ]  # fmt: skip
