"""Any line as any button: on the way of an edge, without a hop more, and caught by pressing it."""

from companion.core.assigning.rewiring import Rewiring, Wire
from companion.core.timing.events import MS, Edge, Levels, SourceFault, Turned, Unheard

YELLOW = Wire("gpiod", "yellow first")
RED = Wire("gpiod", "red first")
WEST = Wire("pods", "red first (west)")


def edge(line, active=True, t_ns=0):
    return Edge(line, active, t_ns, 20)


def test_a_line_goes_by_the_button_that_it_was_given_to_and_keeps_a_contact_of_its_own():
    rewiring = Rewiring({YELLOW: "red first", WEST: "blue second"})
    assert rewiring.pass_("gpiod", edge("yellow first")) == edge("red first (yellow first)")
    assert rewiring.pass_("pods", edge("red first (west)")) == edge("blue second (red first (west))")
    assert rewiring.pass_("gpiod", edge("red first")) == edge("red first")
    assert rewiring.pass_("pods", edge("yellow first")) == edge("yellow first")
    assert rewiring.lines == ("blue second (red first (west))", "red first (yellow first)")


def test_levels_and_faults_name_the_same_lines():
    rewiring = Rewiring({YELLOW: "red first"})
    levels = Levels(frozenset({"yellow first"}), frozenset({"yellow first", "red first"}), 5)
    assert rewiring.pass_("gpiod", levels) == Levels(
        frozenset({"red first (yellow first)"}), frozenset({"red first (yellow first)", "red first"}), 5
    )
    fault = SourceFault("gpiod", "lost", 5, 1, ("yellow first",))
    assert rewiring.pass_("gpiod", fault) == fault._replace(lines=("red first (yellow first)",))
    assert rewiring.pass_("gpiod", Turned(1, 5)) == Turned(1, 5)


def test_lines_that_are_not_read_go_by_the_same_names_and_a_source_is_told_its_own():
    rewiring = Rewiring({YELLOW: "red first"})
    assert rewiring.pass_("gpiod", Unheard(frozenset({"yellow first", "red first"}), 5)) == Unheard(
        frozenset({"red first (yellow first)", "red first"}), 5
    )
    assert rewiring.own_names("gpiod", frozenset({"red first (yellow first)", "red first"})) == {
        "yellow first", "red first"
    }  # fmt: skip
    assert rewiring.own_names("pods", frozenset({"red first (yellow first)"})) == {"red first (yellow first)"}


def test_two_seats_may_change_places():
    rewiring = Rewiring({YELLOW: "red first", RED: "yellow first"})
    assert [rewiring.name_of(wire) for wire in (YELLOW, RED)] == [
        "red first (yellow first)",
        "yellow first (red first)",
    ]
    rewiring.give({})
    assert [rewiring.name_of(wire) for wire in (YELLOW, RED)] == ["yellow first", "red first"]


def test_the_next_press_is_caught_with_its_bounces_and_its_end():
    caught: list[Wire] = []
    rewiring = Rewiring()
    rewiring.on_catch = caught.append
    assert rewiring.pass_("gpiod", edge("yellow first", False)) is not None
    for number, active in enumerate((True, False, True, False)):
        assert rewiring.pass_("gpiod", edge("yellow first", active, number * 100 * MS)) is None
    assert caught == [YELLOW]
    other = edge("red first", True, 400 * MS)
    assert rewiring.pass_("gpiod", other) == other
    later = edge("yellow first", True, 700 * MS)
    assert rewiring.pass_("gpiod", later) == later


def test_the_knob_is_never_caught():
    caught: list[Wire] = []
    rewiring = Rewiring()
    rewiring.on_catch = caught.append
    assert rewiring.pass_("gpiod", edge("knob push")) == edge("knob push")
    assert caught == []
