"""A little of what `make fuzz` feeds into both readers of the pods' line: no crash, no press."""

from __future__ import annotations

import random

import pytest

from tests.core.pods.noise import feed_all, into_the_host, into_the_pod, of_a_pod, to_a_pod
from tests.fakes.pico import FakePico


def test_random_and_mutated_bytes_are_no_press_and_no_order():
    assert feed_all(100_000, seed=5) > 5_000


def test_a_frame_that_is_as_it_was_would_be_found():
    link, frames, now_ns = of_a_pod()
    link.reconnect(now_ns)
    with pytest.raises(AssertionError, match="Met"):
        into_the_host(iter([b"".join(random.Random(1).sample(frames, len(frames)))]), link, now_ns)
    reader = FakePico(lambda: 0)._load()["pod_frames"].FrameIn()
    with pytest.raises(AssertionError):
        into_the_pod(iter(to_a_pod()), reader.feed)
