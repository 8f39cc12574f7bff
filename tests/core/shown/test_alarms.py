"""What a display and the record say of faults."""

from companion.core.shown.alarms import Alarms
from companion.core.timing.events import SourceFault


def test_lost_edges_are_told_with_the_lines_on_which_a_press_may_have_been_lost():
    alarms = Alarms()
    fault = SourceFault("gpiod", "9 edges were lost", 1_000, lost=9, lines=("red first", "red fourth"))
    text, source = alarms.hear(fault)
    assert (text, source) == ("9 edges were lost; a press may have been lost on red first, red fourth", "gpiod")
    assert alarms.texts() == (text,)


def test_a_fault_that_costs_no_press_names_no_line():
    text, _ = Alarms().hear(SourceFault("pods", "pod west is back", 1_000))
    assert text == "pod west is back"


def test_what_is_well_again_clears_what_was_said_about_it_and_nothing_else():
    alarms = Alarms()
    alarms.hear(SourceFault("browser panels", "the phone AAAA (red) has gone", 1_000, about="phone AAAA"))
    alarms.hear(SourceFault("browser panels", "the phone BBBB (blue) has gone", 2_000, about="phone BBBB"))
    alarms.hear(SourceFault("browser panels", "edges were lost", 3_000))
    assert len(alarms.texts()) == 3
    text, source = alarms.hear(
        SourceFault("browser panels", "the phone AAAA (red) is back", 4_000, about="phone AAAA", is_over=True)
    )
    assert (text, source) == ("the phone AAAA (red) is back", "browser panels")
    assert alarms.texts() == ("edges were lost", "the phone BBBB (blue) has gone")
