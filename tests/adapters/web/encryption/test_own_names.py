"""What this machine is called."""

from __future__ import annotations

import socket

import pytest

from companion.adapters.web.encryption.own_names import is_private, own_names


def test_localhost_the_machine_s_name_and_the_loopback_are_always_there() -> None:
    found = own_names(("Club.example:443", ""), "")
    own = socket.gethostname().lower()
    assert {"localhost", own, "club.example"} <= set(found.names)
    assert "." in own or f"{own}.local" in found.names
    assert "club.example.local" not in found.names
    assert {"127.0.0.1", "::1"} <= set(found.addresses)
    assert all(is_private(address) for address in found.addresses)
    assert (list(found.names), list(found.addresses)) == (sorted(found.names), sorted(found.addresses))


def test_the_kernel_s_list_has_the_address_of_every_interface() -> None:
    from companion.adapters.web.encryption import own_names as module

    assert "127.0.0.1" in module._ipv4()


def test_an_address_that_is_listened_on_is_named_if_it_is_private() -> None:
    assert "127.0.0.9" in own_names(host="127.0.0.9").addresses
    assert "9.9.9.9" not in own_names(host="9.9.9.9").addresses


@pytest.mark.parametrize("text", ["8.8.8.8", "2001:db8::1", "172.32.0.1", "0.0.0.0", "::", "", "box", "fec0::1"])
def test_an_address_of_the_internet_is_not_private(text: str) -> None:
    assert not is_private(text)
