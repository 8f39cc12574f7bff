"""The script language: exact times, and errors that name the line and what is allowed."""

from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.adapters.simulated.script import parse
from companion.core.errors import Malformed
from companion.core.panel import BUTTON_BY_LABEL, KNOB_PUSH
from companion.core.timing.events import MS, SECOND, Edge, Turned


def test_a_press_goes_down_and_up_at_exact_times():
    script = parse("0.500 press red fourth\n0.412300001 press blue first for 120 ms")
    assert script.events == (
        Edge("blue first", True, 412_300_001, 20_000),
        Edge("red fourth", True, 500 * MS, 20_000),
        Edge("blue first", False, 532_300_001, 20_000),
        Edge("red fourth", False, 580 * MS, 20_000),
    )
    assert script.length_ns == 580 * MS


def test_a_plus_counts_from_the_line_before():
    script = parse("# start\n\n1 knob right 3  # to buffalo\n+0.5 knob left\n+0.25 knob push\n+1 end")
    assert script.events[:2] == (Turned(3, SECOND), Turned(-1, 1500 * MS))
    assert script.events[2] == Edge(KNOB_PUSH, True, 1750 * MS, 20_000)
    assert script.length_ns == 2750 * MS


def test_single_edges_make_bounce_and_held_lines():
    script = parse("0.1 down red first\n+0.001 up red first\n+0.002 down red first\n1 knob down\n2 knob up", error_ns=5)
    assert script.events == (
        Edge("red first", True, 100 * MS, 5),
        Edge("red first", False, 101 * MS, 5),
        Edge("red first", True, 103 * MS, 5),
        Edge(KNOB_PUSH, True, SECOND, 5),
        Edge(KNOB_PUSH, False, 2 * SECOND, 5),
    )


def test_what_is_told_of_an_instant_is_no_event():
    script = parse("1 press red first\n+0.5 say Red was  first.  # and nobody else\n0.2 say Nobody yet.")
    assert [(caption.t_ns, caption.text) for caption in script.captions] == [
        (200 * MS, "Nobody yet."),
        (1500 * MS, "Red was first."),
    ]
    assert len(script.events) == 2
    assert script.length_ns == 1500 * MS


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("1 say", "'say' says nothing"),
        ("press red fourth", "'press' is no time; write seconds"),
        ("-1 press red fourth", "'-1' is no time"),
        ("1.0000000001 knob push", "is no time"),
        ("1e3 knob push", "is no time"),
        ("1", "'nothing' is no action; allowed: press"),
        ("1 pres red fourth", "'pres red fourth' is no action; allowed: press"),
        (
            "1 press pink fourth",
            "no button 'pink fourth'; allowed: a colour .red, yellow, green, blue, purple. and which",
        ),
        ("1 press red fourth for 0 ms", "no button"),
        ("1 press knob push", "no button 'knob push'"),
        ("1 down red fourth for 5 ms", "'down' has no length"),
        ("1 knob right 0", "'knob right 0' is no action"),
        ("1 knob push for 1 s", "'knob push for 1 s' is no action"),
        ("1 knob", "'knob ' is no action"),
        ("1 end now", "'end now' is no action"),
        ("1 up red fourth", "red fourth is not down"),
    ],
)
def test_a_slip_is_named_with_its_line_and_what_is_allowed(line, says):
    with pytest.raises(Malformed, match=f"demo, line 3: .*{says}"):
        parse(f"# demo\n0.2 press green first\n{line}\n", name="demo")


def test_a_line_that_is_down_cannot_go_down_again_in_the_order_of_time():
    with pytest.raises(Malformed, match="script, line 1: red fourth is down since line 2"):
        parse("2.05 press red fourth\n2.00 press red fourth")


@given(st.lists(st.tuples(st.sampled_from(sorted(BUTTON_BY_LABEL)), st.integers(1, 10**6), st.integers(1, 10**6))))
def test_any_presses_one_after_the_other_are_read_exactly(presses):
    now_ns, lines, expected = 0, [], []
    for label, gap_us, hold_ms in presses:
        now_ns += gap_us * 1_000
        lines.append(f"{now_ns // SECOND}.{now_ns % SECOND:09d} press {label} for {hold_ms % 1000 + 1} ms")
        hold_ns = (hold_ms % 1000 + 1) * MS
        expected += [Edge(label, True, now_ns, 20_000), Edge(label, False, now_ns + hold_ns, 20_000)]
        now_ns += hold_ns
    assert parse("\n".join(lines)).events == tuple(expected)


def test_the_demonstration_can_be_read_and_is_short():
    text = resources.files("companion").joinpath("games/apache/demo.script").read_text(encoding="utf-8")
    script = parse(text, "demo.script")
    assert {edge.line for edge in script.events if isinstance(edge, Edge)} >= {KNOB_PUSH, "red fourth", "yellow fourth"}
    assert script.length_ns < 60 * SECOND
