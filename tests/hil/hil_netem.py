"""Phones on a network that loses one packet in twenty: `netem` of the guest's own kernel, on its loopback.

No press is lost without a word, and each stamp is as near to the truth as its ± says. Collected by `tests/hil/run`.
"""

import json
import time
from collections.abc import Iterator

import pytest

from tests.hil.guest import PROGRAM, PYTHON, SHARED, Guest, Process
from tests.hil.image import REPOSITORY

LOSS = "5%"
ROUNDS = 10
SEATS = ("red", "yellow", "green", "blue")
PORT, PIN = 8017, "24680135"
CLOCK_NS = 1_000
"""A phone's clock is told in whole microseconds."""
SETTINGS = f"""\
[source]
kind = "none"
[display]
kind = "none"
[buzzer]
kind = "none"
[web]
port = {PORT}
max_error_ms = 1000
"""


@pytest.fixture
def lossy(guest: Guest) -> Iterator[Guest]:
    """The guest, with a loopback that loses packets."""
    guest.run(["/sbin/tc", "qdisc", "add", "dev", "lo", "root", "netem", "loss", LOSS])
    yield guest
    guest.run(["/sbin/tc", "qdisc", "del", "dev", "lo", "root"])


@pytest.fixture
def box(guest: Guest, unique: str) -> Iterator[Process]:
    """A box that phones alone play on."""
    (guest.scratch / f"{unique}.toml").write_text(SETTINGS)
    guest.run(["/bin/mkdir", "-p", f"/run/{unique}"])
    guest.run(["/bin/sh", "-c", f"umask 077; echo {PIN} > /run/{unique}/referee.pin"])
    where = ["--config", str(SHARED / f"{unique}.toml"), "--state-dir", f"/run/{unique}"]
    process = guest.start(
        unique, [PROGRAM, "run", *where, "--game", "order", "--seats", ",".join(SEATS), "--window", "20"]
    )
    process.await_text("begin here: ", seconds=180)
    yield process
    process.stop(seconds=60)


def test_no_press_is_lost_unsaid_and_every_error_holds(lossy: Guest, box: Process) -> None:
    began = time.monotonic()
    script = str(REPOSITORY / "tests" / "hil" / "inside" / "lossy_phones.py")
    ran = lossy.run([PYTHON, script, str(PORT), PIN, str(ROUNDS), *SEATS], seconds=280)
    lost = lossy.run(["/sbin/tc", "-s", "qdisc", "show", "dev", "lo"]).stdout
    dropped = int(lost.partition("dropped ")[2].partition(",")[0])
    done = json.loads(ran.stdout)
    fetch = (
        f"import urllib.request as u; print(u.urlopen('http://127.0.0.1:{PORT}/api/matches/1/record').read().decode())"
    )
    record = [json.loads(line) for line in lossy.run([PYTHON, "-c", fetch]).stdout.splitlines() if line]
    presses = [line for line in record if line["type"] == "press"]
    taken = [one for one in done if one["answer"]["taken"]]
    refused = [one["answer"]["why"] for one in done if not one["answer"]["taken"]]
    errors = [press.get("error_ns", 0) / 1e6 for press in presses]
    print(f"{len(presses)} presses, {dropped} packets dropped, refused {refused}, ± {max(errors):.0f} ms at most,",
          f"{time.monotonic() - began:.0f} s")  # fmt: skip
    assert dropped > 20, lost
    assert len({(one["colour"], one["round"]) for one in done}) == ROUNDS * len(SEATS), "a press was never answered"
    assert len(taken) >= 0.9 * ROUNDS * len(SEATS), refused
    for colour in SEATS:
        true = [one for one in sorted(taken, key=lambda one: one["pressed_ns"]) if one["colour"] == colour]
        kept = [press for press in presses if press["colour"] == colour]
        assert len(kept) == len(true), f"{colour}: a press was lost without a word, or counted twice"
        for one, press in zip(true, kept, strict=True):
            off_ns = abs(press["t_ns"] - one["pressed_ns"])
            is_told = one["answer"]["arrival"] is not None
            assert is_told or off_ns <= press["error_ns"] + CLOCK_NS, f"{colour}, race {one['round']}: {off_ns} ns off"
