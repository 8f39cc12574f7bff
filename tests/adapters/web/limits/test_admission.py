"""Who gets a place, whose goes for it, and what an address counts as: the rules alone."""

from __future__ import annotations

import os
import resource
from dataclasses import replace

import pytest

from companion.adapters.web.limits.admission import Admission
from companion.adapters.web.limits.allowance import MOST_REMEMBERED, Allowances
from companion.adapters.web.limits.bounds import Bounds, free_descriptors, network_of
from companion.adapters.web.limits.guests import Guest, Phase
from companion.core.timing.events import SECOND


class Door:
    """An admission with a clock of its own; `ended` counts the connections that were closed."""

    def __init__(self, **bounds: int) -> None:
        self.now_ns, self.ended, self.notes = 0, 0, list[str]()
        self.admission = Admission(replace(Bounds(), **bounds), lambda: self.now_ns, self.notes.append)

    def _end(self) -> None:
        self.ended += 1

    def come(self, address: str, phase: Phase = Phase.TALKING) -> Guest | None:
        self.now_ns += SECOND
        guest = self.admission.admit(address, self._end)
        if guest is not None:
            guest.enter(phase, self.now_ns)
        return guest

    def is_in(self, guest: Guest | None) -> bool:
        return guest in self.admission.guests


def test_an_address_takes_the_place_of_its_own_that_does_nothing() -> None:
    door = Door(per_address=2)
    idle, talking = door.come("10.0.0.1", Phase.IDLE), door.come("10.0.0.1")
    newest = door.come("10.0.0.1")
    assert (door.is_in(idle), door.is_in(talking), door.is_in(newest), door.ended) == (False, True, True, 1)
    assert door.come("10.0.0.1") is None
    assert door.notes[-1] == "too many connections from one address"


def test_where_all_is_full_one_goes_of_whoever_has_most_and_was_heard_of_longest_ago() -> None:
    door = Door(connections=4)
    first, second, third = (door.come("10.0.0.1") for _ in range(3))
    single = door.come("10.0.0.2")
    assert first is not None
    first.heard_ns = door.now_ns
    assert door.come("10.0.0.3") is not None
    assert [door.is_in(guest) for guest in (first, second, third, single)] == [True, False, True, True]


def test_who_has_as_many_as_anybody_finds_no_other_s_place() -> None:
    door = Door(connections=4)
    guests = [door.come(f"10.0.0.{number}") for number in (1, 1, 2, 2)]
    assert door.come("10.0.0.1") is None
    assert all(door.is_in(guest) for guest in guests)


def test_seated_phones_and_the_box_s_own_browser_never_go() -> None:
    door = Door(connections=3)
    seated, own, other = door.come("10.0.0.1"), door.come("127.0.0.1"), door.come("10.0.0.2")
    assert seated is not None
    seated.is_kept = lambda: True
    for number in range(3, 9):
        assert door.come(f"10.0.0.{number}") is not None
    assert (door.is_in(seated), door.is_in(own), door.is_in(other)) == (True, True, False)
    assert door.come("127.0.0.1") is not None, "the box's own finds a place"
    assert door.come("10.0.0.9") is None, "and there is none left that could go"


def test_new_connections_a_second_are_limited_but_for_the_box_s_own() -> None:
    door = Door(a_second=5, per_address=100)
    came = [door.admission.admit("10.0.0.1", lambda: None) for _ in range(7)]
    assert [guest is not None for guest in came] == [True] * 5 + [False] * 2
    assert all(door.admission.admit("127.0.0.1", lambda: None) for _ in range(20))
    door.now_ns += SECOND
    assert door.admission.admit("10.0.0.1", lambda: None) is not None


def test_who_takes_nothing_of_what_it_is_sent_is_ended_and_who_takes_some_is_not() -> None:
    door = Door(sending_ns=10 * SECOND)
    deaf, slow = door.come("10.0.0.1"), door.come("10.0.0.2")
    assert deaf is not None
    assert slow is not None
    left = 9000
    deaf.unsent, slow.unsent = (lambda: 9000), (lambda: left)
    for _ in range(5):
        left -= 1000
        door.admission.sweep()
        door.now_ns += 4 * SECOND
    assert (door.is_in(deaf), door.is_in(slow)) == (False, True)


def test_whoever_holds_most_goes_where_all_hold_too_much() -> None:
    door = Door(held=10_000)
    small, large = door.come("10.0.0.1"), door.come("10.0.0.2")
    assert small is not None
    assert large is not None
    door.admission.hold(small, 4000)
    door.admission.hold(large, 7000)
    assert (door.is_in(small), door.is_in(large)) == (True, False)
    door.admission.hold(small, 9000)
    assert door.is_in(small), "what went is held no more"


def test_a_guest_leaves_once() -> None:
    door = Door(connections=1)
    guest = door.come("10.0.0.1")
    assert guest is not None
    door.admission.leave(guest)
    door.admission.leave(guest)
    door.admission.close(guest, "again")
    assert door.ended == 0
    assert door.come("10.0.0.2") is not None


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.168.1.7", "192.168.1.7"),
        ("::ffff:192.168.1.7", "192.168.1.7"),
        ("::ffff:127.0.0.1", "127.0.0.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%wlan0", "fe80::1"),
        ("::1", "::1"),
        ("somewhere", "somewhere"),
    ],
)
def test_an_address_counts_as_its_network(host: str, network: str) -> None:
    assert network_of(host) == network


def test_addresses_are_forgotten_beyond_a_thousand() -> None:
    allowances = Allowances(1, 0.0)
    assert allowances.take("first", 0)
    assert not allowances.take("first", 0)
    for number in range(MOST_REMEMBERED):
        allowances.take(f"{number}", 0)
    assert allowances.take("first", 0)


def test_fewer_descriptors_are_fewer_places(monkeypatch: pytest.MonkeyPatch) -> None:
    most = len(os.listdir("/proc/self/fd")) + 300  # noqa: PTH208
    limit = [100, most]
    monkeypatch.setattr(resource, "getrlimit", lambda _which: tuple(limit))
    monkeypatch.setattr(resource, "setrlimit", lambda _which, both: limit.__setitem__(slice(None), both))
    free = free_descriptors()
    assert limit == [most, most], "as far as it may"
    assert 280 < free <= 300
    assert Bounds().within(free).connections == free - 64
    assert Bounds().within(5).connections == 2
    assert Bounds().within(4000) == Bounds()
    limit[:] = [100, most]
    with monkeypatch.context() as patch:
        patch.setattr(resource, "setrlimit", lambda _which, _both: (_ for _ in ()).throw(OSError(1, "no")))
        assert free_descriptors() <= 100, "where a sandbox forbids it, with what there is"
    limit[:] = [resource.RLIM_INFINITY, resource.RLIM_INFINITY]
    assert free_descriptors() > 3000
