"""Whatever is pressed at a box where seats play by switches: nothing is lost or counted twice, and nobody waits on."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.match.match import PlaySettings
from companion.core.panel import Colour
from companion.core.record.lines import PressLine
from companion.core.ruling.rulings import Fault
from companion.core.switches.ways import SwitchScanning, Way
from companion.core.timing.events import MS, SECOND
from tests.amounts import many
from tests.core.play.test_live_properties import play, rulings_of, steps
from tests.core.play.virtual_box import VirtualBox, live_rulings, unfinished

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]  # walks through whole matches

HOWS = st.builds(
    SwitchScanning,
    way=st.sampled_from(Way),
    dwell_ns=st.sampled_from((3 * SECOND // 10, SECOND)),
    loops=st.integers(1, 2),
    again=st.booleans(),
)


@given(st.sampled_from(("apache", "order")), steps, HOWS, HOWS)
@settings(max_examples=many(60), deadline=None)
def test_no_press_is_lost_or_counted_twice_and_the_record_replays(
    game: str, moves: list[tuple[int, tuple[str, object]]], one: SwitchScanning, other: SwitchScanning
) -> None:
    switches = {Colour.RED: one, Colour.BLUE: other}
    box = VirtualBox(("red", "yellow", "blue"), game, PlaySettings(switches=switches))
    made = play(box, moves)
    box.run(box.now_ms + 30_000)
    match = box.session.match
    assert match is None or not match.unpicked
    lines = [line for line in box.lines if isinstance(line, PressLine)]
    times = {t_ns for _, t_ns in made}
    assert {line.t_ns for line in lines} <= times
    standing = [(line.colour, line.t_ns) for line in lines]
    undone = any(line.__struct_config__.tag == "undo" for line in box.lines)
    assert undone or len(standing) == len(set(standing))
    if match is not None:
        assert rulings_of(box) == live_rulings(box)
    assert not any(isinstance(ruling, Fault) for ruling in rulings_of(box))


@given(steps, HOWS, st.integers(0, 4000))
@settings(max_examples=many(40), deadline=None)
def test_wherever_a_box_is_killed_its_seat_s_press_keeps_its_time(
    moves: list[tuple[int, tuple[str, object]]], how: SwitchScanning, killed_ms: int
) -> None:
    settings_ = PlaySettings(switches={Colour.RED: how})
    box = VirtualBox(("red", "yellow", "blue"), "order", settings_)
    box.press("red second", 1500)
    box.run(1600)
    for gap_ms, (what, detail) in moves[:6]:
        if what == "press":
            box.press(str(detail), box.now_ms + gap_ms % 500)
    box.run(1600 + killed_ms)
    again = VirtualBox(("red", "yellow", "blue"), "order", settings_, None, unfinished(box.lines, kept=box.kept))
    again.now_ms = box.now_ms
    again.session.resume()
    again.run(again.now_ms + 30_000)
    assert again.session.match is not None
    found = [told.line for told in again.session.match.history if isinstance(told.line, PressLine)]
    assert [line.t_ns for line in found if line.colour is Colour.RED][:1] == [1500 * MS]
    assert not again.session.match.unpicked
