"""The output of a loop of wire, by libgpiod above a fake of its C layer and by gpiozero's mock pins."""

import gpiod
import pytest
from gpiod import _ext
from gpiozero.pins.mock import MockFactory

from companion.adapters.gpio.gpiod_source import GpiodSource
from companion.adapters.gpio.outputs.loop_output import LoopOutput, by_factory, by_gpiod
from companion.core.errors import Unavailable
from companion.core.timing.events import Edge
from companion.core.timing.loop_errors import Change
from tests.fakes.gpio_chip import Clock, FakeKernel


@pytest.fixture
def chip(monkeypatch, tmp_path):
    return FakeKernel(monkeypatch, tmp_path).add()


def test_the_output_rests_high_as_a_button_does_that_nobody_presses(chip):
    output = by_gpiod(18)
    output.open()
    (request,) = chip.requests
    assert request.settings[18]["direction"] == _ext.DIRECTION_OUTPUT
    assert request.settings[18]["output_value"] == gpiod.line.Value.ACTIVE.value
    output.close()
    assert chip.requests == []


def test_closing_the_contact_writes_low_between_two_looks_at_the_clock(chip):
    clock = Clock(step_ns=5_000)
    began_ns = clock.now_ns
    request = []

    def claim():
        return (lambda level: request.append((level, clock.now_ns))), lambda: None

    output = LoopOutput(claim, clock)
    output.open()
    assert output.change(True) == Change(True, began_ns + 5_000, began_ns + 10_000)
    assert request == [(False, began_ns + 5_000)]
    output.change(False)
    assert request[1][0] is True


def test_a_wire_from_the_output_to_a_line_makes_edges_with_the_kernels_stamps(chip):
    clock = Clock()
    chip.loop, chip.clock = (18, 4), clock
    source = GpiodSource({"red first": 4}, clock=clock)
    output = by_gpiod(18)
    source.open()
    output.open()
    source.read()
    output.change(True)
    output.change(False)
    edges = [event for event in source.read() if isinstance(event, Edge)]
    assert [(edge.line, edge.active) for edge in edges] == [("red first", True), ("red first", False)]
    output.close()
    source.close()


def test_a_pin_that_is_not_free_is_named_with_its_holder(chip):
    chip.consumers[18] = "companion buzzer"
    output = by_gpiod(18)
    with pytest.raises(Unavailable, match=r"GPIO 18 \(the output of the loop\) is in use by 'companion buzzer'"):
        output.open()


def test_a_chip_that_is_gone_is_said(chip):
    output = by_gpiod(18)
    output.open()
    chip.is_gone = True
    with pytest.raises(Unavailable, match="cannot be written any more"):
        output.change(True)


def test_nothing_is_written_before_it_is_open_and_closing_twice_is_well(chip):
    output = by_gpiod(18)
    with pytest.raises(Unavailable, match="open it first"):
        output.change(True)
    output.open()
    output.close()
    output.close()
    with pytest.raises(Unavailable):
        output.change(True)


def test_by_gpiozero_the_pin_follows_and_is_let_go_of():
    factory = MockFactory()
    output = by_factory(18, lambda: factory)
    output.open()
    pin = factory.pin(18)
    assert (pin.function, pin.state) == ("output", 1)
    output.change(True)
    assert pin.state == 0
    output.change(False)
    assert pin.state == 1
    output.close()
    assert pin.function == "input"


def test_by_gpiozero_a_pin_that_another_device_has_is_refused():
    factory = MockFactory()
    first = by_factory(18, lambda: factory)
    first.open()
    with pytest.raises(Unavailable, match="GPIO 18"):
        by_factory(18, lambda: factory).open()
    first.close()
