"""The certificate: sealed bytes, and everything that makes it invalid."""

import hashlib
import hmac
from base64 import b64encode
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from companion.core.errors import Malformed
from companion.core.timing.certificate import (
    Certified,
    Circumstances,
    Present,
    SealedFile,
    Strain,
    certify,
    merge_with,
    seal,
    weigh,
    with_certificate,
)
from companion.core.timing.loop_errors import LineFigures, Spread
from companion.core.words.encoding import encode
from companion.screens.text.certificate import wait_words

KEY = bytes(range(32))
DATE = datetime(2027, 3, 1, 12, 0, 30, 5, tzinfo=UTC)
HERE = Circumstances("7f3a", "Raspberry Pi 4 Model B Rev 1.4", "10000000abcdef01", "6.12.25+rpt-rpi-v8", "gpiod")
LINES = {"red first": 4, "red second": 14}


def figures(label, gpio, least_ns=-1_000, most_ns=9_000, **facts):
    values = {"pulses": 200, "lost": 0, "spurious": 0, "elsewhere": 0, "disturbed": 0, **facts}
    return LineFigures(
        label, gpio, error=Spread(0, 4_000, 8_000), bracket_ns=1_000, least_ns=least_ns, most_ns=most_ns, **values
    )


TRIED = (figures("red first", 4), figures("red second", 14, most_ns=12_000))


def sign(data):
    """Stands in for Ed25519: what is tested is what is signed, and when it is asked."""
    return hmac.digest(KEY, data, "sha512")


def check(key, signature, data):
    return hmac.compare_digest(hmac.digest(key, data, "sha512"), signature)


def present(**changed):
    now = changed.pop("now", DATE + timedelta(days=1))
    facts = {"lines": LINES, "key": KEY} | {name: changed.pop(name) for name in ("lines", "key") if name in changed}
    return Present(msgspec.structs.replace(HERE, **changed), now=now, **facts)


def sealed(lines=TRIED, **options):
    return seal(certify(lines, HERE, "table-companion 0.1.0", DATE, **options), KEY, sign)


def faults(data=None, **changed):
    return list(weigh(data or sealed(), check, present(**changed)).faults)


def test_a_certificate_holds_the_worst_difference_and_is_valid_where_it_was_made():
    data = sealed()
    found = weigh(data, check, present())
    assert found.is_valid
    assert found.sha256 == hashlib.sha256(data).hexdigest()
    assert found.certificate.worst_difference_ns == 13_000
    assert (found.certificate.late, found.certificate.early) == ("red second", "red first")
    assert found.certificate.date == DATE.replace(microsecond=0)
    assert found.certificate.lines == TRIED


@pytest.mark.parametrize("old", [b'"worst_difference_ns":13000', b'"lost":0', b"red second", b"gpiod", b"T12:00:30"])
def test_a_changed_byte_breaks_the_seal(old):
    data = sealed()
    assert old in data
    changed = data.replace(old, old[:-1] + (b"9" if old[-1:] != b"d" else b"e"), 1)
    assert faults(changed)[0] == "its seal is broken: it was changed after it was sealed"


def test_white_space_within_the_certificate_breaks_the_seal():
    assert "changed after" in faults(sealed().replace(b'"version":2', b'"version": 2'))[0]


def sealed_as_version_1():
    """A file of before the load: what this program's has not in common with it is left out, and it is sealed anew."""
    body = msgspec.json.decode(msgspec.json.decode(sealed(), type=SealedFile).certificate)
    old = {name: value for name, value in body.items() if name not in {"load", "longest_wait_ns"}} | {"version": 1}
    data = encode(old)
    return encode(SealedFile(msgspec.Raw(data), b64encode(KEY).decode(), b64encode(sign(data)).decode()))


def test_an_older_certificate_holds_on_and_says_nothing_of_how_long_threads_wait():
    found = weigh(sealed_as_version_1(), check, present())
    assert found.is_valid
    assert (found.certificate.worst_difference_ns, found.certificate.merge_ns) == (13_000, 0)
    assert "by an older program" in wait_words(found.certificate)


@pytest.mark.parametrize(("wait_ns", "merge_ns", "says"), [(40_000, 80_000, "40.0 µs"), (None, 0, "did not tell")])
def test_twice_the_longest_wait_under_load_is_what_may_be(wait_ns, merge_ns, says):
    data = sealed(strain=Strain(("disk", "network"), wait_ns))
    found = weigh(data, check, present())
    assert found.certificate.merge_ns == merge_ns
    words = wait_words(found.certificate)
    assert says in words
    assert "disk, network" in words


def test_a_certificate_makes_no_wait_shorter_than_it_is_set_and_none_of_another_source():
    certified = Certified("gpiod", 0, "7f", 5_000_000)
    assert [merge_with(set_ns, "gpiod", certified) for set_ns in (2_000_000, 9_000_000)] == [5_000_000, 9_000_000]
    assert merge_with(2_000_000, "gpiozero/lgpio", certified) == 2_000_000
    assert merge_with(2_000_000, "gpiod", None) == 2_000_000


def test_an_unreadable_signature_is_a_broken_seal():
    data = msgspec.json.decode(sealed())
    assert faults(encode({**data, "signature": "%%"}))[0].startswith("its seal is broken")


def test_another_boxs_key_is_foreign():
    other = bytes(32)
    data = seal(certify(TRIED, HERE, "x", DATE), other, lambda body: hmac.digest(other, body, "sha512"))
    assert faults(data) == ["another box's key has sealed it"]


def test_without_the_boxs_own_key_no_seal_is_believed():
    assert "this box's key cannot be read" in faults(key=None)[0]


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"kernel": "6.12.47+rpt"}, "the kernel was 6.12.25+rpt-rpi-v8 and is 6.12.47+rpt"),
        ({"source": "gpiozero/lgpio"}, "how the buttons are read was gpiod and is gpiozero/lgpio"),
        ({"serial": ""}, "the board's serial number was 10000000abcdef01 and is unknown"),
        ({"board": "Raspberry Pi 5"}, "the board was Raspberry Pi 4 Model B Rev 1.4 and is Raspberry Pi 5"),
        ({"box": "8888"}, "the box was 7f3a and is 8888"),
    ],
)
def test_what_has_changed_since_is_named(changed, says):
    assert faults(**changed) == [says]


def test_a_line_that_was_not_tried_where_it_is_now_is_named():
    assert faults(lines={**LINES, "red second": 15, "blue first": 7}) == [
        "red second is on input 15 now and was not tried there",
        "blue first is on input 7 now and was not tried there",
    ]


def test_fewer_lines_than_were_tried_are_no_fault():
    assert faults(lines={"red first": 4}) == []


def test_a_line_that_lost_edges_is_named():
    assert faults(sealed((figures("red first", 4, lost=3), TRIED[1]))) == ["red first lost 3 edges"]


def test_it_expires_after_its_days_and_not_before():
    last = DATE.replace(microsecond=0) + timedelta(days=365)
    assert faults(now=last - timedelta(seconds=2)) == []
    assert faults(now=last) == ["it expired on 2028-02-29"]
    assert faults(sealed(days=3), now=DATE + timedelta(days=4)) == ["it expired on 2027-03-04"]


def test_a_clock_that_is_behind_its_date_is_not_believed():
    assert faults(now=DATE - timedelta(hours=1))[0].startswith("the clock is wrong")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "no certificate"),
        (b"{}", "no certificate"),
        (b"[1]", "no certificate"),
        (sealed()[:-40], "no certificate"),
        (b'{"certificate":[],"key":"","signature":""}', "no certificate"),
        (sealed().replace(b'"version":2', b'"version":3'), "versions 1 to 2"),
        (sealed().replace(b'"software":"', b'"hardware":"'), "no certificate"),
        (sealed().replace(b"12:00:30Z", b"12:00:30"), "no time zone"),
    ],
)
def test_what_is_no_certificate_is_malformed(data, says):
    with pytest.raises(Malformed, match=says):
        weigh(data, check, present())


def test_a_certificate_adds_to_what_its_own_source_states_and_never_takes_off():
    measured = Certified("gpiod", 3_000, "0" * 64)
    assert with_certificate(20_000, "gpiod", measured) == (23_000, "0" * 64)
    assert with_certificate(20_000, "gpiod", measured._replace(added_ns=-3_000)) == (20_000, "0" * 64)
    assert with_certificate(20_000, "keys", measured) == (20_000, None)
    assert with_certificate(20_000, "gpiod", None) == (20_000, None)
