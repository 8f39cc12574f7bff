"""Signs that last on the lamps of a real pod: from the signals' thread over its serial line to its pins."""

from __future__ import annotations

import time

import pytest

from companion.adapters.pods.interpreter import Assigned
from companion.adapters.pods.source import PodsSource
from companion.app.pods import PodLamps
from companion.app.signals.thread import SignalThread
from companion.core.panel import POSITIONS, Colour
from companion.core.ruling.view import View
from companion.core.shown.scene import Idle, Scene
from companion.core.signals.lasting import signs_of
from companion.core.signals.rhythms import RHYTHMS
from companion.core.signals.signs import Sign
from tests.fakes.wired_pico import WiredPico

UNIQUE_ID = b"\1west\0\0\0"
PATIENCE_S = 20.0


@pytest.fixture
def pico(tmp_path):
    made = WiredPico(unique_id=UNIQUE_ID)
    made.name(tmp_path / "pod")
    yield made
    made.close()


@pytest.fixture
def source(pico):
    labels = tuple(f"red {position}" for position in POSITIONS)
    made = PodsSource({UNIQUE_ID.hex(): Assigned("west", labels)}, ports=[pico.path])
    made.open()
    yield made
    made.close()


@pytest.fixture
def lamps(source):
    return PodLamps(source)


@pytest.fixture
def signals(lamps):
    made = SignalThread([lamps], lambda _name, _told: None)
    made.start()
    yield made
    made.stop()


def levels(pico):
    return [lamp.level for lamp in pico.pico.lamps]


def wait_for(pico, expected):
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        if levels(pico) == expected:
            return
        time.sleep(0.001)
    raise AssertionError(f"the lamps are {levels(pico)}")


def test_all_lamps_of_a_pod_are_lit_for_as_long_as_its_seat_s_sign_lasts(pico, lamps, signals):
    lamps.show(Scene(Idle("Apache", View((), ""))))
    signals.show({Colour.RED: Sign.FIRST})
    for _ in RHYTHMS[Sign.FIRST] + "_":  # given once; what is lit after that lasts
        wait_for(pico, [0, 0, 0, 0])
        wait_for(pico, [1, 1, 1, 1])
    signals.show({})
    wait_for(pico, [0, 0, 0, 0])


def test_whose_turn_it_is_flashes_on_the_pod_again_and_again(pico, lamps, signals):
    """It is given once, and lasts then: more than two flashes are of what lasts."""
    scene = Scene(Idle("Clock", View((), "", turn=Colour.RED)))
    lamps.show(scene)
    signals.show(signs_of(scene, (Colour.RED, Colour.BLUE), has_races=False))
    for _ in range(3):
        wait_for(pico, [1, 1, 1, 1])
        wait_for(pico, [0, 0, 0, 0])
