"""What is written for brokers of others; that they understand it is seen in tests/brokers."""

from __future__ import annotations

import hashlib
import json
import re
import stat
from base64 import b64decode
from datetime import UTC, datetime, timedelta

import pytest

from companion.adapters.web.encryption.own_names import Called
from companion.app.tournament.broker.certificates import certificates_in
from companion.app.tournament.broker.files import write_mosquitto, write_rabbitmq
from companion.app.tournament.broker.mosquitto import Listening
from companion.core.errors import Malformed, Unavailable

LOGINS = {"desk": "desk's password", "box-1": "first", "box-12": "twelfth"}
NOW = datetime(2026, 5, 1, tzinfo=UTC)


def test_mosquitto_is_told_hashes_and_no_password(tmp_path) -> None:
    folder = tmp_path / "made" / "mosquitto"
    settings = write_mosquitto(folder, "cup", LOGINS, Listening("", 8883, tmp_path / "server.pem"))
    written = {path.name: path.read_text() for path in folder.iterdir()}
    assert settings.name in written
    assert not any(password in text for text in written.values() for password in LOGINS.values())
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    hashed = dict(line.split(":", 1) for line in written["passwords"].splitlines())
    for user, password in LOGINS.items():
        _, kind, rounds, salt, digest = hashed[user].split("$")
        assert kind == "7"
        assert hashlib.pbkdf2_hmac("sha512", password.encode(), b64decode(salt), int(rounds)) == b64decode(digest)


def test_mosquitto_listens_encrypted_and_lets_no_stranger_in(tmp_path) -> None:
    lines = write_mosquitto(tmp_path, "cup", LOGINS, Listening("", 8883, tmp_path / "s.pem")).read_text().splitlines()
    assert {"listener 8883", "allow_anonymous false", f"certfile {tmp_path}/s.pem", f"keyfile {tmp_path}/s.pem"} <= set(
        lines
    )
    assert not any(line.startswith("user ") for line in lines)


def test_mosquittos_access_list_is_by_the_users_own_name(tmp_path) -> None:
    write_mosquitto(tmp_path, "cup", LOGINS, Listening("127.0.0.1", 1883, None))
    assert (tmp_path / "access").read_text().splitlines() == [
        "user desk",
        "topic readwrite companion/1/cup/#",
        "",
        "pattern write companion/1/cup/%u/up/#",
        "pattern read companion/1/cup/%u/down",
    ]


def test_rabbitmqs_patterns_let_a_box_reach_its_own_alone(tmp_path) -> None:
    write_rabbitmq(tmp_path, "cup", LOGINS, Listening("", 8883, None))
    told = json.loads((tmp_path / "definitions.json").read_text())
    topics = {one["user"]: one for one in told["topic_permissions"]}
    assert re.search(topics["box-1"]["write"], "companion.1.cup.box-1.up.say")
    assert re.search(topics["box-1"]["read"], "companion.1.cup.box-1.down")
    for foreign in ("companion.1.cup.box-12.up.say", "companion.1.cup.box-1.down", "companion.1.cup.*.up.#", "#"):
        assert not re.search(topics["box-1"]["write"], foreign)
    for foreign in ("companion.1.cup.box-12.down", "companion.1.cup.*.down", "companion.1.cup.box-1.down.x", "#"):
        assert not re.search(topics["box-1"]["read"], foreign)
    assert re.search(topics["desk"]["read"], "companion.1.cup.*.up.#")
    assert not re.search(topics["desk"]["read"], "companion.1.other.box-1.up.say")
    queues = {one["user"]: one["configure"] for one in told["permissions"]}
    for own in (
        "mqtt-subscription-box-1qos1",
        "mqtt-subscription-box-1:2qos1",
        "mqtt-subscription-box-1:cup:2qos1",
        "mqtt-will-box-1",
    ):
        assert re.search(queues["box-1"], own)
    for foreign in ("mqtt-subscription-box-12qos1", "mqtt-subscription-box-12:2qos1", "mqtt-subscription-qos1"):
        assert not re.search(queues["box-1"], foreign)
    for user in told["users"]:
        salted = b64decode(user["password_hash"])
        assert hashlib.sha256(salted[:4] + LOGINS[user["name"]].encode()).digest() == salted[4:]


def test_rabbitmq_is_told_its_peers_and_its_certificate(tmp_path) -> None:
    listening = Listening("10.0.0.2", 8883, tmp_path / "s.pem")
    lines = write_rabbitmq(tmp_path, "cup", LOGINS, listening, ["rabbit@a", "rabbit@b"]).read_text().splitlines()
    assert "cluster_formation.classic_config.nodes.2 = rabbit@b" in lines
    assert "mqtt.listeners.ssl.default = 10.0.0.2:8883" in lines
    assert "mqtt.listeners.tcp = none" in lines


@pytest.mark.parametrize("write", [write_mosquitto, write_rabbitmq])
def test_no_name_gets_in_that_would_be_a_pattern(tmp_path, write) -> None:
    with pytest.raises(Malformed):
        write(tmp_path / "new", "cup", {"desk": "a", "box.*": "b"}, Listening("", 1883, None))
    assert not (tmp_path / "new").exists()


def test_a_folder_that_cannot_be_is_named(tmp_path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(Unavailable, match="nothing can be written into"):
        write_mosquitto(tmp_path / "file", "cup", LOGINS, Listening("", 1883, None))


def test_a_certificate_stays_until_a_name_is_new_or_its_end_is_near(tmp_path) -> None:
    called = Called(("desk.local",), ("10.0.0.2",))
    made = certificates_in(tmp_path, "cup", called, NOW)
    server, authority = made.server.read_bytes(), made.authority.read_bytes()
    assert b"PRIVATE" not in authority
    assert stat.S_IMODE(made.server.stat().st_mode) == 0o600

    def is_kept(called: Called, now: datetime) -> bool:
        certificates_in(tmp_path, "cup", called, now)
        assert made.authority.read_bytes() == authority
        return made.server.read_bytes() == server

    assert is_kept(called, NOW + timedelta(days=300))
    assert not is_kept(called, NOW + timedelta(days=340))
    server = made.server.read_bytes()
    assert not is_kept(Called(("desk.local",), ("10.0.0.2", "10.0.0.3")), NOW + timedelta(days=340))
