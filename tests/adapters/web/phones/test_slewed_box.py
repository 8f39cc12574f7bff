"""A phone's stamps on a box whose clock is being corrected by the network's time, and on one that sleeps."""

from __future__ import annotations

import random

import pytest

from companion.adapters.web.phones.panel_source import Panels, PanelSource
from companion.adapters.web.phones.phone_clock import INTERVAL_NS, PhoneClock, TouchDelay
from companion.core.timing.events import MS, SECOND
from companion.core.timing.host_clocks import HostClocks
from tests.core.pods.host_world import HostWorld, Sleep, timesyncd

HALF_NS = INTERVAL_NS["mouse"] // 2


def outside(world: HostWorld, clock: PhoneClock, host: HostClocks | None, seed: int = 1) -> int:
    """Play for 20 s, a press between two round trips; give how many of the browser's stamps lie outside their ±."""
    chance, at_ns, found = random.Random(seed), 0, 0
    for _ in range(40):
        for is_press in (False, True):
            if host is not None:
                host.note(world.reading(at_ns, chance))
            number = None if is_press else clock.ask(world.mono_ns(at_ns))
            stamped_ns = at_ns + chance.randint(MS, 12 * MS)
            at_ns = stamped_ns + chance.randint(MS, 12 * MS)
            if host is not None:
                host.note(world.reading(at_ns, chance))
            t_us = (stamped_ns + stamped_ns * 40 // 10**6) // 1000
            if number is not None:
                clock.answer(number, t_us, world.mono_ns(at_ns))
            else:
                span = clock.span(t_us, "mouse", TouchDelay(0, 0))
                error_ns = abs(span.t_ns + HALF_NS - world.mono_ns(stamped_ns))
                found += error_ns > span.error_ns - HALF_NS
            at_ns += 230 * MS
    return found


@pytest.mark.parametrize("offset_ms", [200, -200])
def test_a_stamp_lies_within_its_bound_while_the_boxs_clock_is_corrected(offset_ms):
    world = HostWorld(timesyncd(5 * SECOND, offset_ms * MS))
    clock = PhoneClock()
    clock.host = HostClocks()
    assert outside(world, clock, clock.host) == 0
    assert clock.mapping.contradictions == 0
    assert outside(world, PhoneClock(), None) > 0, "without readings of the clocks it does not"


def test_after_the_box_has_slept_a_pages_clock_is_not_known():
    world, chance, at = HostWorld(sleeps=(Sleep(5 * SECOND, 9 * SECOND),)), random.Random(1), [SECOND]

    def read_clocks():
        at[0] += 2 * MS
        return world.reading(at[0], chance)

    def clock():
        return world.mono_ns(at[0])

    panels = Panels(PanelSource(clock, ["red first"], read_clocks=read_clocks), clock, simulated=False)
    panel = panels.join()
    for _ in range(4):
        panels.time_told(panel, panels.ask_time(panel), at[0] // 1000, clock())
    assert panels.is_ready(panel, clock())
    at[0] = 9 * SECOND
    panels.ask_time(panel)
    assert not panels.is_ready(panel, clock())
