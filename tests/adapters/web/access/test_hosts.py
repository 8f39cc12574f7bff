"""Which names and addresses a request may call the box by, and whose pages may change something."""

from __future__ import annotations

import pytest

from companion.adapters.web.access.hosts import Hosts

HERE = ("10.0.0.5", 8017)


def test_the_machine_s_own_name_is_good_with_and_without_local_at_its_port() -> None:
    hosts = Hosts(["Table-Box", "box.example.org", "far.example:443"])
    for host in ("table-box", "table-box.local", "TABLE-BOX.", "box.example.org", "Box.Example.Org.", "localhost"):
        assert hosts.is_good(f"{host}:8017", HERE), host
        assert not hosts.is_good(host, HERE), host
        assert hosts.is_good(host, ("10.0.0.5", 80)), host
    for name in (
        "table-box.evil",
        "example.org",
        "box.example.org.local",
        "localhost..",
        "localhost.evil",
        ".localhost",
    ):
        assert not hosts.is_good(f"{name}:8017", HERE), name
    assert hosts.is_good("far.example:443", HERE)
    assert hosts.is_good("far.example", HERE, "https")
    assert not hosts.is_good("far.example", HERE)


@pytest.mark.parametrize(
    ("host", "server"),
    [
        ("10.0.0.5:8017", HERE),
        ("10.0.0.5", ("10.0.0.5", 80)),
        ("10.0.0.5:08017", HERE),
        ("[::1]:8017", ("::1", 8017)),
        ("[0:0:0:0:0:0:0:1]:8017", ("::1", 8017)),
        ("[FE80::1]:8017", ("fe80::1%wlan0", 8017)),
        ("[fe80::1%25wlan0]:8017", ("fe80::1%wlan0", 8017)),
        ("[fe80::1%wlan0]:8017", ("fe80::1", 8017)),
        ("10.0.0.5:8017", ("::ffff:10.0.0.5", 8017)),
        ("[::ffff:10.0.0.5]:8017", HERE),
    ],
)
def test_the_address_of_the_connection_is_good(host: str, server: tuple[str, int]) -> None:
    assert Hosts().is_good(host, server)


@pytest.mark.parametrize(
    "host",
    [
        None, "", " ", "10.0.0.6:8017", "10.0.0.5", "10.0.0.5:80", "10.0.0.5:8018", "10.0.0.5.:80170", "[10.0.0.5]:x",
        "10.5:8017", "0x0a.0.0.5:8017", "167772165:8017", "010.0.0.5:8017", "10.0.0.5.evil.example:8017",
        "evil.example:8017", "a@10.0.0.5:8017", "10.0.0.5:8017@evil", "10.0.0.5:8017/", "10.0.0.5:8017?x",
        "10.0.0.5:8017:8017", "10.0.0.5:", "10.0.0.5:-1", "10.0.0.5:８０１７", "[::1:8017", "::1:8017", "[]:8017",
        "10.0.0.5:8017, evil", "10.0.0.5 :8017", "10.0.0.5:8017\t", "[fe80::1%]:8017", "[::1%25;x]:8017", "/x", "a b",
    ],
)  # fmt: skip
def test_nothing_else_is(host: str | None) -> None:
    assert not Hosts(["table-box"]).is_good(host, HERE)


def test_no_address_is_good_where_that_of_the_connection_is_not_known_and_a_name_without_its_port_neither() -> None:
    assert not Hosts().is_good("127.0.0.1:80", None)
    assert not Hosts().is_good("localhost", None)
    assert not Hosts().is_good("localhost", ("/run/socket", None))


@pytest.mark.parametrize(
    ("origin", "host", "same"),
    [
        (None, "10.0.0.5:8017", True),
        ("http://10.0.0.5:8017", "10.0.0.5:8017", True),
        ("http://LOCALHOST", "localhost", True),
        ("http://10.0.0.5", "10.0.0.5:8017", False),
        ("http://10.0.0.6:8017", "10.0.0.5:8017", False),
        ("http://10.0.0.5:8017/", "10.0.0.5:8017", False),
        ("https://10.0.0.5:8017", "10.0.0.5:8017", False),
        ("null", "10.0.0.5", False),
        ("", "", False),
        ("http://", "", False),
        ("http://[", "10.0.0.5", False),
    ],
)
def test_an_origin_is_the_same_site_only_letter_for_letter(origin: str | None, host: str, same: bool) -> None:
    assert Hosts().is_same_site(origin, host) is same


def test_the_origin_of_an_encrypted_page_is_encrypted_too() -> None:
    assert Hosts().is_same_site("https://10.0.0.5:8017", "10.0.0.5:8017", "https")
    assert not Hosts().is_same_site("http://10.0.0.5:8017", "10.0.0.5:8017", "https")
