"""`companion doctor` on a box of everything, of which nothing is plugged in: each is named, with what to do."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from companion.config.input_file import InputEntry, Inputs, inputs_file, write_inputs

COMPANION = str(Path(sys.executable).with_name("companion"))
I2C_BUS = 97
"""None that a machine has."""
SETTINGS = """\
[box]
state_dir = "{state}"
[display]
kind = "ssd1306"
i2c_bus = {bus}
[picture]
second_address = 0x3d
[voice]
kind = "espeak-ng"
device = "plughw:97"
[seats.red]
earphone = "plughw:98"
[signals]
kind = "pca9685"
i2c_bus = {bus}
[scanner]
port = "/dev/serial/by-id/no-reader"
[pods]
ports = ["/dev/serial/by-id/no-pod"]
[web]
port = {port}
"""
PODS = '[pods.e6614104032a5b28]\nname = "west"\nlines = ["red first"]\n'
MENDED = {
    "pod": "plug it in",
    "card scanner": "plug it in",
    "display": "switch I2C on",
    "display 2": "switch I2C on",
    "voice": "plug in a speaker",
    "red's earphone": "plug in a speaker",
    "input": "",
    "signals": "switch I2C on",
    "web": "web.port",
}
"""What each that is absent, or cannot be had, is mended by. Of the input its text says what to do."""


@pytest.fixture
def taken_port():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def test_every_device_of_a_box_of_everything_is_named_with_its_state_and_what_to_do(tmp_path, taken_port):
    state = tmp_path / "state"
    state.mkdir()
    (state / "pods.toml").write_text(PODS)
    write_inputs(inputs_file(state), Inputs({"usb 1234:0001 number A1": InputEntry("pad", "", {"BTN_A": "red first"})}))
    config = tmp_path / "box.toml"
    config.write_text(SETTINGS.format(state=state, bus=I2C_BUS, port=taken_port))
    done = subprocess.run(
        [COMPANION, "doctor", "--config", str(config)], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr == ""
    found = re.findall(r"^(OK|warning|fault) +(.+?)  +(.+)\n(?: +-> (.+)\n)?", done.stdout, re.MULTILINE)
    by_subject = {subject: (health, text, mend) for health, subject, text, mend in found}
    for subject, mend in MENDED.items():
        assert subject in by_subject, (subject, done.stdout)
        assert by_subject[subject][0] != "OK", (subject, done.stdout)
        assert mend in by_subject[subject][2], (subject, done.stdout)
    assert "pad" in by_subject["input"][1]
    assert str(taken_port) in by_subject["web"][1]
    assert all(text.count("(") == text.count(")") for _, text, _ in by_subject.values()), done.stdout
