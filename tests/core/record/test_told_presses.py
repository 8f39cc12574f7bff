"""A press that a remark tells of: read again as it was told, and nothing else is taken for one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.panel import BUTTONS, Colour, marked
from companion.core.record.lines import PressLine, Remark
from companion.core.record.told_presses import read_press, told_time

ROLES = ("chief", "warrior", "maiden", "hunter")


@given(st.sampled_from(BUTTONS), st.integers(0, 2**63 - 1), st.integers(0, 2**63 - 1))
def test_what_is_told_is_read_again(button, t_ns, error_ns):
    remark = Remark(text=f"{button.label}: dropped {told_time(t_ns, error_ns)}", source=marked(button.label, "pod"))
    press = read_press(remark, ROLES)
    assert isinstance(press, PressLine)
    assert (press.colour, press.t_ns, press.error_ns) == (button.colour, t_ns, error_ns)
    assert press.role in ROLES


@pytest.mark.parametrize(
    ("text", "source"),
    [
        (f"dropped {told_time(5, 1)}", None),
        (f"dropped {told_time(5, 1)}", "Ann"),
        (f"dropped {told_time(5, 1)}", "knob push"),
        (f"{told_time(5, 1)} is what somebody says", "red first"),
        ("an edge came 5.0 ms later", "red first"),
    ],
)
def test_nothing_else_is_taken_for_a_press(text, source):
    assert read_press(Remark(text=text, source=source), ROLES) is None


def test_a_button_that_the_game_has_not_has_no_role():
    press = read_press(Remark(text=f"dropped {told_time(5, 1)}", source="red fourth"), ROLES[:2])
    assert press == PressLine(colour=Colour.RED, role="", t_ns=5, error_ns=1)
