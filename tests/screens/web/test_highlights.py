"""What a match's highlights are made of: what was judged, honestly, and shared where two cannot be told apart."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.timing.events import MS
from companion.games import registry
from companion.screens.web.highlights import highlights
from companion.screens.web.matches import match_document
from tests.screens.strip.races import dead_heat

US = 1_000


def press(colour: str, reaction_ms: float | None, gap_ms: float = 0, **more: Any) -> dict[str, Any]:
    reaction_ns = None if reaction_ms is None else round(reaction_ms * MS)
    return {
        "colour": colour, "reaction_ns": reaction_ns, "gap_ns": round(gap_ms * MS), "error_ns": 20 * US,
        "verdict": "claim", "anticipated": False, "allowance_text": None, **more,
    }  # fmt: skip


def told(*races: list[dict[str, Any]], names: dict[str, str] | None = None) -> dict[str, tuple[list[str], str]]:
    documents = [{"number": number, "presses": presses} for number, presses in enumerate(races, 1)]
    return {one["kind"]: (one["colours"], one["says"]) for one in highlights(documents, names or {}, "Race")}


def test_the_fastest_the_closest_and_the_most_punished_are_told_with_their_race() -> None:
    found = told(
        [press("red", 500), press("blue", 510, 10)],
        [press("blue", 412), press("red", 412.8, 0.8), press("green", 600, 188, verdict="punish")],
        names={"red": "Ada"},
    )
    assert found == {
        "fastest": (["blue"], "Blue: 412 ms ±20 µs from the card, Race 2"),
        "closest": (["blue", "red"], "Blue before Ada (red) by 800 µs ±40 µs, Race 2"),
        "punished": (["green"], "Green: once"),
    }


@pytest.mark.parametrize("fault", [{"verdict": "punish"}, {"anticipated": True}, {"error_ns": 0}])
def test_a_press_that_was_wrong_or_too_soon_or_has_no_error_is_neither_fast_nor_close(fault: dict[str, Any]) -> None:
    found = told([press("red", 100, **fault), press("blue", 100.5, 0.5), press("green", 300, 200)])
    assert found["fastest"] == (["blue"], "Blue: 100 ms ±20 µs from the card, Race 1")
    assert found["closest"][0] == ["blue", "green"]


def test_two_that_cannot_be_told_apart_share_and_are_a_dead_heat() -> None:
    found = told([press("red", 400), press("blue", 400.04, 0.04)], [press("green", 400.05)])
    assert found["fastest"] == (["red", "blue"], "Red and Blue: 400 ms ±20 µs from the card, Race 1")
    assert found["closest"] == (["red", "blue"], "Red and Blue: dead heat, 40 µs ±40 µs apart, Race 1")


def test_what_an_allowance_put_together_is_not_close() -> None:
    moved = press("red", 900, 0, allowance_text="900 − 800 ms allowance (raw +799 ms)")
    assert "closest" not in told([moved, press("blue", 101, 1)])
    assert "closest" not in told([press("red", 900, 0), press("blue", 101, -799)])


def test_of_what_was_not_timed_or_never_happened_nothing_is_told() -> None:
    assert told() == {}
    assert told([press("red", None)], [press("blue", -1)]) == {}


def test_most_punished_is_shared_and_counted() -> None:
    wrong = [press(colour, 400, verdict="punish") for colour in ("red", "blue")]
    assert told(wrong)["punished"][1] == "Red and Blue: once each"
    assert told(wrong, wrong)["punished"][1] == "Red and Blue: twice each"
    assert told(wrong, wrong, wrong[:1])["punished"] == (["red"], "Red: 3 times")


def test_a_judged_record_tells_them() -> None:
    document = match_document(dead_heat().record(), registry.find)
    (found,) = document["highlights"]
    assert (found["kind"], found["title"]) == ("punished", "Most punished")
    assert found["says"].endswith("once each")
