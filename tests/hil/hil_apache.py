"""A Pow-Wow of Apache from the knob's and the buttons' lines to the ruling, with an OLED on the bus; the contract suite
of button sources on the kernel's own lines. Collected by `tests/hil/run` only.
"""

import random
from collections.abc import Iterator

import pytest

from tests.hil.box import GPIOS, PINS, SETTINGS, SOURCES, Box
from tests.hil.contract import hold_contract
from tests.hil.expected import ERROR_NS
from tests.hil.guest import Chip, Guest
from tests.hil.patterns import CLOSED, OPEN, Edge, Kind, Stroke, bounce_duel, plan, press
from tests.hil.truth import PlayedStroke, as_played

# The guest's i2c-stub is bus 0; a Pi's header has bus 1.
WITH_OLED = (
    SETTINGS.replace('kind = "none"', 'kind = "ssd1306"\ni2c_bus = 0').replace("enabled = false", "enabled = true")
    + '[picture]\nletters = "large"\nfar = ["yellow"]\nsecond_address = 0x3d\n'
)
"""Two displays on one bus, as a table with players on both sides has them."""
S = 1_000_000


@pytest.fixture
def box(guest: Guest, chip: Chip, unique: str) -> Iterator[Box]:
    """The program with a display, not started yet."""
    made = Box(guest, unique, settings=WITH_OLED)
    yield made
    made.kill()


def chord(rng: random.Random, label: str, at_us: int) -> list[Stroke]:
    """The knob is held and an arcade button pressed: that Indian was turned. The button's stroke comes last."""
    push = PINS.knob_push
    assert push is not None
    return [press(rng, push, at_us, 500_000), press(rng, GPIOS[label], at_us + 200_000, 80_000)]


def pick_first_card(rng: random.Random, at_us: int) -> list[Stroke]:
    """The knob is turned by one detent, which opens the menu, and pushed. The push's stroke comes last."""
    assert PINS.knob is not None
    assert PINS.knob_push is not None
    a, b = (
        Stroke(Kind.PRESS, (Edge(at_us + lag_us, line, CLOSED), Edge(at_us + lag_us + 20_000, line, OPEN)))
        for line, lag_us in zip(PINS.knob, (0, 10_000), strict=True)
    )
    return [a, b, press(rng, PINS.knob_push, at_us + 500_000, 100_000)]


@pytest.mark.parametrize("source", SOURCES)
def test_a_powwow_is_played_by_knob_and_buttons_and_judged_again_from_its_record(
    guest: Guest, chip: Chip, box: Box, rng: random.Random, source: str
) -> None:
    parts = [
        chord(rng, "red fourth", 0),
        pick_first_card(rng, 2 * S),
        # Yellow has no hunter on the table and was first, by a switch that still bounces while red's closes.
        bounce_duel(rng, GPIOS["yellow fourth"], GPIOS["red fourth"], 4 * S),
        chord(rng, "yellow first", 8 * S),
    ]
    planned = plan(parts)
    process = box.start(source, seats=("red", "yellow"))
    (played,) = guest.play(planned, chip)
    guest.rest(3)
    box.stop()
    strokes = iter(as_played(planned, played))
    first_card, second_card, (yellow, red), third_card = ([next(strokes) for _ in part] for part in parts)

    sealed = box.record()
    assert {line["type"] for line in sealed} >= {"evidence", "seal"}
    record = [line for line in sealed if line["type"] in ("setup", "reveal", "press", "close", "judge")]
    told = [{key: value for key, value in line.items() if key not in ("wall", "t_ns", "error_ns")} for line in record]
    assert told[0]["game"] == "apache"
    assert told[1:] == [
        {"type": "reveal", "card": "red hunter"},
        {"type": "reveal", "card": "buffalo"},
        {"type": "press", "colour": "yellow", "role": "hunter"},
        {"type": "press", "colour": "red", "role": "hunter"},
        {"type": "close"},
        {"type": "judge"},
        {"type": "reveal", "card": "yellow chief"},
    ], process.said()
    timed: list[tuple[int, PlayedStroke]] = [
        (1, first_card[-1]), (2, second_card[-1]), (3, yellow), (4, red), (5, red), (7, third_card[-1]),
    ]  # fmt: skip
    for place, stroke in timed:
        line = record[place]
        # lgpio may lose edges on a busy machine, and then states more.
        wide_ns = line["error_ns"] if line.get("error_ns", 0) > ERROR_NS[source] else 0
        assert stroke.first.holds(line["t_ns"], wide_ns), f"{line}: {stroke.first}"

    order, *settled, resume, outcome = box.replay(sealed)
    yellow_ns, red_ns = record[3]["t_ns"], record[4]["t_ns"]
    is_tie = red_ns - yellow_ns <= record[3]["error_ns"] + record[4]["error_ns"]
    assert not is_tie or source == "gpiozero"
    assert [
        (place["colour"], place["gap_ns"], place["verdict"], place["why"], place["dead_heat"])
        for place in order["order"]
    ] == [
        ("yellow", 0, "punish", "no matching Indian", is_tie),
        ("red", red_ns - yellow_ns, "claim", None, is_tie),
    ]
    assert [(turn["colour"], turn["result"], turn["cards"]) for turn in settled] == [
        ("yellow", "punished", []),
        ("red", "claimed", ["red hunter", "buffalo"]),
    ]
    assert resume == {"type": "resume", "race": 1, "reveals": "red"}
    assert outcome["piles"] == {"red": 2, "yellow": 0}
    assert "display" not in process.stderr(), process.stderr()


def test_the_button_sources_keep_their_contract_on_the_kernels_own_lines(guest: Guest, chip: Chip) -> None:
    said = hold_contract(guest, "kernel", {"COMPANION_GPIO_SIM": chip.folder})
    assert "skipped" not in said
