"""A broker's address: what is read, and what is refused in words."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.adapters.mqtt.broker import Broker, Node, Tls, read_broker
from companion.core.errors import Malformed
from tests.amounts import many


@pytest.mark.parametrize(
    ("address", "nodes", "is_encrypted"),
    [
        ("mqtt://desk.local", (Node("desk.local", 1883),), False),
        ("mqtts://desk.local", (Node("desk.local", 8883),), True),
        ("mqtt://10.0.0.2:2883/", (Node("10.0.0.2", 2883),), False),
        ("mqtts://[fe80::1]:9", (Node("fe80::1", 9),), True),
        ("mqtts://a,b:1,c", (Node("a", 8883), Node("b", 1), Node("c", 8883)), True),
    ],
)
def test_an_address_is_read(address: str, nodes: tuple[Node, ...], is_encrypted: bool) -> None:
    broker = read_broker(address)
    assert (broker.nodes, broker.tls is not None) == (nodes, is_encrypted)
    assert (broker.host, broker.port) == nodes[0]
    assert read_broker(str(broker)) == broker


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("", "begins with mqtt://"),
        ("desk.local", "begins with mqtt://"),
        ("http://desk.local", "begins with mqtt://"),
        ("mqtt://", "'' is no host's name"),
        ("mqtt://a,,b", "'' is no host's name"),
        ("mqtt://a b", "'a b' is no host's name"),
        ("mqtt://a/b", "'a/b' is no host's name"),
        ("mqtt://a:", "'' is no port"),
        ("mqtt://a:0", "'0' is no port"),
        ("mqtt://a:65536", "'65536' is no port"),
        ("mqtt://a:²", "'²' is no port"),
        ("mqtt://fe80::1", "an IPv6 address stands in brackets"),
        ("mqtt://[fe80]", r"\[fe80\] is no IPv6 address"),
        ("mqtt://me:secret@a", "no name and no password stands in a broker's address"),
    ],
)
def test_what_is_no_address_is_refused_in_words(address: str, words: str) -> None:
    with pytest.raises(Malformed, match=words) as raised:
        read_broker(address)
    assert "secret" not in str(raised.value)


def test_what_does_not_belong_together_is_refused() -> None:
    with pytest.raises(Malformed, match="the user's name is missing"):
        read_broker("mqtt://a", password="secret")
    with pytest.raises(Malformed, match="given together"):
        read_broker("mqtts://a", tls=Tls(certificate=Path("c")))
    with pytest.raises(Malformed, match="mqtts:// alone"):
        read_broker("mqtt://a", tls=Tls(Path("ca")))


def test_a_password_is_in_nothing_that_is_shown() -> None:
    broker = read_broker("mqtts://a", username="box-1", password="secret")
    assert broker.password == "secret"
    assert "secret" not in f"{broker} {broker!r} {[broker]}"


@settings(max_examples=many(50))
@given(st.text(max_size=30))
def test_any_text_is_an_address_or_malformed(text: str) -> None:
    for address in (text, f"mqtt://{text}", f"mqtts://[{text}]"):
        with suppress(Malformed):
            assert isinstance(read_broker(address), Broker)
