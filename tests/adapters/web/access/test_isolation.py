"""Pages are set apart from others only where browsers take that: elsewhere each page would log an error."""

from __future__ import annotations

import pytest

from companion.adapters.web.access.gate import isolation


@pytest.mark.parametrize(
    ("host", "scheme"),
    [("127.0.0.1:8017", "http"), ("localhost:8017", "http"), ("localhost", "http"), ("[::1]:8017", "http"),
     ("[::1]", "http"), ("192.0.2.7:8017", "https"), ("box.local", "https")],
)  # fmt: skip
def test_a_trusted_address_is_set_apart(host: str, scheme: str) -> None:
    assert [name for name, _ in isolation(host, scheme)] == [
        b"cross-origin-opener-policy",
        b"cross-origin-embedder-policy",
    ]


@pytest.mark.parametrize("host", ["192.0.2.7:8017", "box.local", "[2001:db8::7]:8017", "127.example.org.invalid:80"])
def test_a_plain_one_in_the_network_is_not(host: str) -> None:
    assert isolation(host, "http") == ()
