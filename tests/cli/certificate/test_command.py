"""`companion certify` from its first word to the sealed file, on a fake of libgpiod's C layer with a wire in it."""

import errno
import hashlib
import os
import re
import time
from base64 import b64decode
from datetime import UTC, datetime

import msgspec
import pytest

from companion.adapters.certificate import files
from companion.adapters.gpio.gpiod_source import GpiodSource
from companion.adapters.gpio.gpiozero_source import GpiozeroSource
from companion.adapters.keys.box_key import BoxKey
from companion.adapters.keys.ed25519 import check
from companion.app.certificate.weighing import certified, circumstances, remark_of
from companion.app.devices import make_source
from companion.app.pods import make_pods
from companion.cli.certificate import command as certify
from companion.cli.certificate import trial
from companion.cli.main import FAILED, INTERRUPTED, main
from companion.config.reading import load
from companion.config.settings import Pods
from companion.core.timing.certificate import Certified, SealedFile, seal
from companion.core.timing.certificate import certify as make_certificate
from companion.core.timing.events import MS, Edge
from companion.core.timing.loop_errors import LineFigures, Spread
from companion.files import durable
from tests.fakes.gpio_chip import FakeKernel

LINES = {"red first": 4, "red second": 14, "blue first": 8}
OUTPUT = 18
PULSES = 6


class Bench:
    """A box in a folder, a chip, and a person who moves the wire to the line that is asked for."""

    def __init__(self, folder, chip):
        self.state, self.config, self.chip = folder / "state", folder / "box.toml", chip
        pins = "".join(f'"{label}" = {gpio}\n' for label, gpio in LINES.items())
        self.config.write_text(
            f'[box]\nstate_dir = "{self.state}"\n[display]\nkind = "none"\n[pins]\nbuzzer = 18\n{pins}'
        )
        self.moves = {}
        self.said = []
        self.at = lambda: None

    def say(self, text):
        self.said.append(text)
        if asked := re.match(r"put the wire on (.+) \(GPIO", text):
            line = self.moves.get(asked[1], asked[1])
            self.chip.loop = (OUTPUT, LINES[line]) if line in LINES else None
        self.at()

    def run(self, *options):
        return main(["certify", "--config", str(self.config), "--source", "gpiod", *options])

    @property
    def file(self):
        return self.state / files.PANEL.certificate

    def certificate(self):
        return msgspec.json.decode(msgspec.json.decode(self.file.read_bytes(), type=SealedFile).certificate)


@pytest.fixture
def bench(monkeypatch, tmp_path):
    (tmp_path / "dev").mkdir()
    chip = FakeKernel(monkeypatch, tmp_path / "dev").add()
    chip.clock = time.monotonic_ns
    made = Bench(tmp_path, chip)
    monkeypatch.setattr(certify, "_say", made.say)
    monkeypatch.setattr(certify, "PULSES", PULSES)
    # Real time: the clock of the source, of the output and of the trial are the machine's own.
    for name, value in {"SHORTEST_NS": 6 * MS, "LONGEST_NS": 9 * MS, "PAUSE_NS": MS, "MARGIN_NS": MS}.items():
        monkeypatch.setattr(trial, name, value)
    monkeypatch.setattr(trial, "PATIENCE_NS", 400 * MS)
    return made


def test_a_certificate_is_measured_sealed_shown_and_valid(bench, capsys):
    assert bench.run() == 0
    data = bench.file.read_bytes()
    sealed = msgspec.json.decode(data, type=SealedFile)
    assert check(BoxKey(bench.state).public_key(), b64decode(sealed.signature), bytes(sealed.certificate))
    certificate = bench.certificate()
    assert [line["line"] for line in certificate["lines"]] == list(LINES)
    assert all((line["pulses"], line["lost"], line["spurious"]) == (PULSES, 0, 0) for line in certificate["lines"])
    assert certificate["circumstances"]["source"] == "gpiod"
    assert certificate["circumstances"]["kernel"] == os.uname().release
    assert f"certificate {hashlib.sha256(data).hexdigest()}" in bench.said
    assert bench.said[-1] == "valid"
    assert not (bench.state / files.PANEL.notes).exists()
    assert bench.chip.requests == []


def test_a_line_that_does_not_answer_leaves_notes_and_no_certificate(bench):
    bench.moves["red second"] = "nowhere"
    assert bench.run() == 1
    assert "no certificate: red second did not answer" in bench.said[-1]
    assert not bench.file.exists()
    bench.moves.clear()
    bench.said.clear()
    assert bench.run() == 0
    assert "Done before: red first, blue first (--anew begins with the first)" in bench.said
    assert sum(text.startswith("put the wire on") for text in bench.said) == 1
    assert len(bench.certificate()["lines"]) == 3


def test_anew_begins_with_the_first_line(bench):
    bench.moves["red second"] = "nowhere"
    bench.run()
    bench.moves.clear()
    bench.said.clear()
    assert bench.run("--anew") == 0
    assert sum(text.startswith("put the wire on") for text in bench.said) == 3


def test_stopped_and_gone_on_with(bench):
    def stop():
        if bench.said[-1].startswith("put the wire on red second"):
            raise KeyboardInterrupt

    bench.at = stop
    assert bench.run() == INTERRUPTED
    assert bench.said[-1] == "stopped; 1 lines are noted, go on with companion certify"
    assert bench.chip.requests == []
    bench.at = lambda: None
    assert bench.run() == 0
    assert sum(text.startswith("put the wire on red first") for text in bench.said) == 1


def test_notes_of_other_circumstances_are_not_gone_on_with(bench):
    bench.moves["red second"] = "nowhere"
    bench.run()
    notes = bench.state / files.PANEL.notes
    notes.write_bytes(notes.read_bytes().replace(b'"source":"gpiod"', b'"source":"gpiozero/lgpio"'))
    bench.moves.clear()
    bench.said.clear()
    assert bench.run() == 0
    assert sum(text.startswith("put the wire on") for text in bench.said) == 3


def test_notes_that_cannot_be_read_are_none(bench):
    bench.state.mkdir()
    (bench.state / files.PANEL.notes).write_bytes(b"{")
    assert bench.run() == 0


def test_samples_are_what_the_figures_are_made_of(bench, tmp_path):
    path = tmp_path / "samples.jsonl"
    assert bench.run("--samples", str(path)) == 0
    rows = [msgspec.json.decode(row) for row in path.read_bytes().splitlines()]
    assert len(rows) == 2 * PULSES * len(LINES)
    for line in bench.certificate()["lines"]:
        own = [row for row in rows if row["line"] == line["line"] and row["active"]]
        assert all(row["before_ns"] <= row["t_ns"] <= row["after_ns"] for row in own)
        assert line["least_ns"] <= min(row["t_ns"] - row["before_ns"] for row in own)
        assert line["most_ns"] >= max(row["t_ns"] - row["after_ns"] for row in own)


def test_samples_that_cannot_be_kept_end_the_trial(bench, tmp_path, capsys):
    assert bench.run("--samples", str(tmp_path)) == FAILED
    assert "cannot be written" in capsys.readouterr().err


def test_a_pin_that_is_not_free_is_named_before_anybody_moves_a_wire(bench, capsys):
    bench.chip.consumers[OUTPUT] = "fan"
    assert bench.run() == FAILED
    assert "GPIO 18 (the output of the loop) is in use by 'fan'" in capsys.readouterr().err
    assert bench.said == []


def test_a_box_that_runs_has_the_lines(bench, capsys):
    bench.chip.consumers[4] = "companion"
    assert bench.run() == FAILED
    assert "GPIO 4 (red first) is in use by 'companion': stop it" in capsys.readouterr().err


def test_without_a_pin_for_the_loop_it_says_how_to_name_one(bench, capsys):
    bench.config.write_text(bench.config.read_text().replace("buzzer = 18\n", ""))
    assert bench.run() == FAILED
    assert 'name a free one in the configuration, [pins] "certify" = 18' in capsys.readouterr().err


def test_a_key_that_is_missing_is_said_before_the_work(bench, capsys):
    bench.state.mkdir()
    key = BoxKey(bench.state)
    key.prepare()
    key.signer()
    key.private.unlink()
    assert bench.run() == FAILED
    assert "seal.key is gone" in capsys.readouterr().err
    assert bench.said == []


def test_a_full_disk_leaves_no_half_certificate_and_the_old_one(bench, monkeypatch, capsys):
    bench.run()
    before = bench.file.read_bytes()
    put = durable.put

    def full(path, data):
        if path.name == files.PANEL.certificate:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        put(path, data)

    monkeypatch.setattr(durable, "put", full)
    assert bench.run() == FAILED
    assert "certificate.json cannot be written (No space left on device)" in capsys.readouterr().err
    assert bench.file.read_bytes() == before
    monkeypatch.setattr(durable, "put", put)
    bench.said.clear()
    assert bench.run() == 0
    assert "Done before: red first, red second, blue first (--anew begins with the first)" in bench.said


def test_a_disk_that_is_full_from_the_start_is_said_before_anybody_moves_a_wire(bench, monkeypatch, capsys):
    def full(path, data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(durable, "put", full)
    assert bench.run() == FAILED
    assert bench.said == []


def test_a_box_without_buttons_on_pins_has_nothing_to_certify(bench, capsys):
    assert main(["certify", "--config", str(bench.config), "--source", "none"]) == FAILED
    assert "this box reads no buttons" in capsys.readouterr().err


# --show


def test_show_without_a_certificate(bench):
    assert bench.run("--show") == 1
    assert bench.said == ["not certified: companion certify makes a certificate"]


def test_show_says_why_it_is_not_valid(bench, monkeypatch):
    bench.run("--days", "1")
    bench.file.write_bytes(bench.file.read_bytes().replace(b'"lost":0', b'"lost":1', 1))
    bench.said.clear()
    assert bench.run("--show") == 1
    assert bench.said[-3:] == [
        "not valid:", "  its seal is broken: it was changed after it was sealed", "  red first lost 1 edges",
    ]  # fmt: skip


def test_show_of_what_is_no_certificate_names_the_remedy(bench, capsys):
    bench.state.mkdir()
    bench.file.write_bytes(b"{}")
    assert bench.run("--show") == FAILED
    assert "this is no certificate" in capsys.readouterr().err


# What it does to presses


def stated(bench, kind="gpiod", **facts):
    settings = load(bench.config)
    made = certified(bench.file, settings.pins.buttons)
    chosen = msgspec.structs.replace(settings.source, kind=kind, **facts)
    return make_source(chosen, settings.pins, bench.state, made)


def test_the_worst_difference_joins_the_uncertainty_of_every_press(bench):
    bench.run()
    source = stated(bench)
    assert isinstance(source, GpiodSource)
    assert source.error_ns == 20_000 + bench.certificate()["worst_difference_ns"]
    assert source.certificate == hashlib.sha256(bench.file.read_bytes()).hexdigest()
    source.open()
    source.read()
    bench.chip.drive(4, grounded=True, t_ns=time.monotonic_ns())
    (edge,) = source.read()
    assert isinstance(edge, Edge)
    assert edge.error_ns == source.error_ns
    source.close()


def test_an_uncertified_box_states_what_it_did_before(bench):
    source = stated(bench)
    assert (source.error_ns, source.certificate) == (20_000, None)


def test_a_certificate_of_another_source_adds_nothing(bench):
    bench.run()
    source = stated(bench, "gpiozero", pin_factory="native")
    assert isinstance(source, GpiozeroSource)
    assert (source.error_ns, source.certificate) == (5 * MS, None)


@pytest.mark.parametrize(("factory", "added"), [("mock", 70_000), ("lgpio", 0)])
def test_what_gpiozero_reads_by_must_be_what_was_certified(factory, added):
    held = Certified(f"gpiozero/{factory}", 70_000, "5e" * 32)
    source = GpiozeroSource({"red first": 4}, factory="mock", certified=held)
    source.open()
    assert source.error_ns == 20_000 + added
    assert source.certificate == (held.sha256 if added else None)
    source.close()


def test_a_certificate_that_is_not_valid_any_more_adds_nothing_and_the_log_says_why(bench, caplog):
    bench.run()
    bench.config.write_text(bench.config.read_text().replace('"red second" = 14', '"red second" = 15'))
    assert stated(bench).error_ns == 20_000
    assert "the certificate is not valid: red second is on input 15 now" in caplog.text


def test_a_certificate_that_cannot_be_read_keeps_no_box_from_starting(bench, caplog):
    bench.state.mkdir()
    bench.file.write_bytes(b"\xff")
    assert stated(bench).error_ns == 20_000
    assert "not certified: this is no certificate" in caplog.text


# Pods


def pods_of(folder, unique_id="e6614104032a5b28"):
    (folder / "pods.toml").write_text(f'[pods.{unique_id}]\nname = "west"\nlines = ["red first", "", "blue first"]\n')
    return make_pods(Pods(edge_error_us=100), folder)


@pytest.fixture
def certified_pod(tmp_path):
    """A state directory with a certificate of one pod's lines."""
    key = BoxKey(tmp_path)
    key.prepare()
    signer = key.signer()
    here = circumstances("pods/e6614104032a5b28", signer.key)
    tried = [
        LineFigures(label, number, 200, 0, 0, 0, 0, Spread(0, 1, 2), 3, 0, 400_000)
        for label, number in (("red first (west)", 0), ("blue first (west)", 2))
    ]
    certificate = make_certificate(tried, here, "x", datetime.now(UTC))
    (tmp_path / files.PODS.certificate).write_bytes(seal(certificate, signer.key, signer.sign))
    return tmp_path


def test_a_certified_pod_states_the_worst_difference_with_its_own_stamp(certified_pod):
    assert pods_of(certified_pod).source.error_ns == 100_000 + 400_000


def test_another_pod_or_other_lines_are_not_certified_by_it(certified_pod):
    other = pods_of(certified_pod, "1111111111111111").source
    assert (other.error_ns, other.certificate) == (100_000, None)
    assert pods_of(certified_pod).source.certificate is not None


def test_a_pod_without_a_certificate_states_what_it_did_before(tmp_path):
    assert (pods_of(tmp_path).source.error_ns, pods_of(tmp_path).source.certificate) == (100_000, None)


def test_the_pods_certificate_is_another_file_than_the_panels(certified_pod):
    assert certified(certified_pod / files.PANEL.certificate, {}) is None


def test_without_pods_there_is_nothing_to_try_on_them(bench, capsys):
    assert bench.run("--pods") == FAILED
    assert "no button is connected: there is nothing to certify" in capsys.readouterr().err


class Named:
    def __init__(self, name, certificate=None):
        self.name, self.certificate = name, certificate


@pytest.mark.parametrize(
    ("sources", "says"),
    [
        ([], ""),
        ([Named("simulated panel"), Named("browser panels")], ""),
        ([Named("gpiod"), Named("browser panels")], "not certified"),
        ([Named("gpiod", "5e")], ""),
        ([Named("gpiod", "5e"), Named("pods")], "pods not certified"),
        ([Named("gpiozero"), Named("pods")], "not certified"),
    ],
)
def test_the_start_screen_says_what_no_certificate_is_about(sources, says):
    assert remark_of(sources) == says
