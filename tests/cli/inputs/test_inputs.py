"""`companion inputs` and what `companion doctor` says of input devices."""

import os

import pytest

from companion.app.inputs.examining import check_inputs, check_typing_scanner
from companion.cli.inputs.benches import Bench, assign_inputs, forget_inputs, list_inputs, measure_input
from companion.config.input_file import InputEntry, Inputs, MeasuredModel, read_inputs, write_inputs
from companion.config.settings import Scanner
from companion.core.errors import Malformed
from companion.core.timing.events import MS, Edge, Levels
from tests.fakes.input_devices import FakeInputs

A, ABS_Z = 0x130, 2
PAD = "usb 1234:0001 number A1"


@pytest.fixture
def inputs(monkeypatch, tmp_path):
    return FakeInputs(monkeypatch, tmp_path)


class Said(list[str]):
    """What was said; `on(text, do)`: does something when that is said."""

    def __init__(self):
        super().__init__()
        self._doing = {}

    def on(self, text, do):
        self._doing[text] = do

    def __call__(self, text):
        self.append(text)
        for key in [key for key in self._doing if key in text]:
            self._doing.pop(key)()


@pytest.fixture
def said():
    return Said()


@pytest.fixture
def bench(inputs, tmp_path, said):
    return Bench(tmp_path / "inputs.toml", said, inputs.folder, inputs.sys, patience_s=20)


def test_what_is_asked_for_is_pressed_and_kept(inputs, bench, said):
    pad = inputs.plug(0, "Big Switch", uniq="A1", axes={ABS_Z: (0, 1023, 0)})
    said.on("be red first", lambda: pad.key(A, True))
    said.on("be red second", lambda: pad.axis(ABS_Z, 1000))
    assert assign_inputs(bench, ["red first", "red second"]) == 0
    assert read_inputs(bench.file).devices == {
        PAD: InputEntry("pad", "Big Switch", {"BTN_A": "red first", "ABS_Z+": "red second"})
    }
    assert "    RED first is now BTN_A of pad" in said


def test_what_was_another_button_before_and_what_is_the_same_is_said(inputs, bench, said):
    pad = inputs.plug(0, uniq="A1")
    write_inputs(bench.file, Inputs({PAD: InputEntry("pad", "", {"BTN_A": "blue first", "BTN_B": "red first"})}))
    said.on("be red first", lambda: pad.key(A, True))
    assign_inputs(bench, ["red first"])
    assert said[-1] == "    RED first is now BTN_A of pad; it was BLU first; so is BTN_B of pad"


def test_twins_with_the_same_number_are_known_by_their_ports(inputs, bench, said):
    one = inputs.plug(0, uniq="A1", phys="usb-1/input0")
    other = inputs.plug(1, uniq="A1", phys="usb-2/input0")
    said.on("be red first", lambda: one.key(A, True))
    said.on("be blue first", lambda: other.key(A, True))
    assert assign_inputs(bench, ["red first", "blue first"]) == 0
    devices = read_inputs(bench.file).devices
    assert {key: entry.keys for key, entry in devices.items()} == {
        "usb 1234:0001 at usb-1": {"BTN_A": "red first"},
        "usb 1234:0001 at usb-2": {"BTN_A": "blue first"},
    }
    assert [entry.name for entry in devices.values()] == ["pad", "pad-2"]


def test_nothing_pressed_ends_it_and_a_wrong_button_never_begins(inputs, bench, said):
    quick = Bench(bench.file, said, inputs.folder, inputs.sys, patience_s=0)
    assert assign_inputs(quick, ["red first"]) == 1
    assert "nothing was pressed" in said[-1]
    with pytest.raises(Malformed, match="did you mean red first"):
        assign_inputs(bench, ["red frist"])


def test_what_is_forgotten_is_no_button_any_more(inputs, bench, said):
    write_inputs(bench.file, Inputs({PAD: InputEntry("pad", "", {"BTN_A": "blue first"})}))
    assert forget_inputs(bench, ["blue first"]) == 0
    assert read_inputs(bench.file).devices == {}
    assert said == ["nothing more is assigned to BLU first"]


def test_the_list_names_what_is_there_what_is_not_and_what_it_takes(inputs, bench, said):
    inputs.plug(0, "Big Switch", uniq="A1")
    inputs.plug(1, "Keyboard", model=(3, 1, 2))
    entries = {PAD: InputEntry("pad", "Big Switch", {"BTN_A": "red first"}), "usb 9:9 at x": InputEntry("far", "Far")}
    write_inputs(bench.file, Inputs(entries, {"usb 1234:0001": MeasuredModel(9800)}))
    assert list_inputs(bench) == 0
    assert said == [
        f"Big Switch: {PAD}",
        "    pad: delay at most 9.8 ms; BTN_A is red first",
        "Keyboard: usb 0001:0002 at usb-0000:01:00.0-1.1",
        "    delay not known; no use",
        "Far: usb 9:9 at x, not plugged in",
        "    delay not known; no use",
    ]


class Wired:
    """A wired button that is pressed together with a device: some ms before its stamp."""

    name, delay_ns, error_ns, given_until_ns, remark, is_gone = "gpiod", 0, 0, None, None, False
    certificate: str | None = None

    def __init__(self, pad, later_ms):
        self.pad, self.later_ms = pad, list(later_ms)
        self._read, self._write = os.pipe()

    def open(self):
        os.write(self._write, b".")

    def fileno(self):
        return self._read

    def read(self):
        """One push at each reading: a second after the one before, on the stamps' own clock."""
        if not self.later_ms:
            return []
        t_ns = (1000 - len(self.later_ms)) * 1_000_000_000
        later_ns = round(self.later_ms.pop(0) * MS)
        self.pad.key(A, True, t_ns=t_ns + later_ns)
        self.pad.key(A, False, t_ns=t_ns + later_ns + 50 * MS)
        edges = [Edge("red first", True, t_ns, 20), Edge("red first", True, t_ns + MS, 20)]
        return [Levels(frozenset(), frozenset({"red first"}), 0), Edge("blue first", True, t_ns, 20), *edges]

    def check(self):
        pass

    def close(self):
        os.close(self._read)
        os.close(self._write)


@pytest.mark.parametrize(
    ("interval", "bound_us"), [("8ms", 10_500 + 500), (None, 10_500 + 500 + 11_000)], ids=["usb", "bluetooth"]
)
def test_what_a_model_takes_is_measured_against_a_wire(inputs, bench, said, interval, bound_us):
    pad = inputs.plug(0, "Big Switch", uniq="A1", interval=interval)
    later_ms = [-0.5, 10.5, *(4 + number / 10 for number in range(18))]
    assert measure_input(bench, Wired(pad, later_ms), "red first", len(later_ms)) == 0
    (measured,) = read_inputs(bench.file).models.values()
    assert (measured.delay_us, measured.trials) == (bound_us, 20)
    assert "-0.5 to 10.5 ms after the wire, median 4.8 ms, in 20 pushes" in said[-2]


def test_too_few_pushes_measure_nothing(inputs, bench, said):
    pad = inputs.plug(0, uniq="A1")
    quick = Bench(bench.file, said, inputs.folder, inputs.sys, patience_s=1)
    assert measure_input(quick, Wired(pad, [5.0] * 3), "red first", 20) == 1
    assert "too few pushes" in said[-1]
    assert not bench.file.exists()


def findings(inputs, file, **scanner):
    return [(one.health, one.text) for one in check_inputs(file, Scanner(**scanner), inputs.folder, inputs.sys)]


def test_the_doctor_names_every_device_its_use_and_its_delay(inputs, bench):
    inputs.plug(0, "Big Switch", uniq="A1")
    inputs.plug(1, "Keyboard", model=(5, 1, 2), interval=None)
    write_inputs(bench.file, Inputs({PAD: InputEntry("pad", "", {"BTN_A": "red first"})}))
    assert findings(inputs, bench.file) == [
        (
            "warning",
            f"Big Switch ({PAD}, event0): delay not known, asked every 8 ms; pad: BTN_A is red first; no order that it "
            "is in is certain",
        ),
        (
            "OK",
            "Keyboard (bluetooth 0001:0002 at usb-0000:01:00.0-1.1, event1): delay not known, asked at times nobody "
            "knows; no use",
        ),
    ]


def test_the_doctor_finds_what_is_missing_and_what_may_not_be_read(inputs, bench, monkeypatch):
    inputs.plug(0, uniq="A1")
    write_inputs(
        bench.file,
        Inputs(
            {PAD: InputEntry("pad", "", {"BTN_A": "red first"}), "usb 9:9 at x": InputEntry("far", "Far")},
            {"usb 1234:0001": MeasuredModel(9800)},
        ),
    )
    assert [health for health, _ in findings(inputs, bench.file)] == ["OK", "warning"]
    monkeypatch.setattr("companion.app.inputs.examining.os.access", lambda *_: False)
    assert findings(inputs, bench.file)[0][0] == "fault"
    bench.file.write_text("[nonsense]")
    assert findings(inputs, bench.file)[0][0] == "fault"


def test_the_doctor_knows_a_scanner_that_types_and_takes_it_for_no_button(inputs, bench, monkeypatch):
    def typing(port):
        found = check_typing_scanner(Scanner(kind="keyboard", port=port), inputs.folder, inputs.sys)
        return [(one.health, one.text) for one in found]

    inputs.plug(0, "Symbol", model=(3, 0x0C2E, 0x0B61))
    assert findings(inputs, bench.file, kind="keyboard", port="usb 0c2e:0b61") == []
    assert typing("usb 0c2e:0b61") == [("OK", "Symbol (event0), which types")]
    assert typing("usb 0c2e:9999") == [("fault", "no card scanner is plugged in: usb 0c2e:9999")]
    assert typing("") == []
    monkeypatch.setattr("companion.app.inputs.examining.os.access", lambda *_: False)
    assert typing("usb 0c2e:0b61") == [("fault", "Symbol (event0) may not be read")]
    monkeypatch.setattr("companion.app.inputs.examining.find_spec", lambda _: None)
    assert "python-evdev is missing" in typing("usb 0c2e:0b61")[0][1]


def test_without_any_device_the_doctor_says_so(tmp_path):
    (one,) = check_inputs(tmp_path / "inputs.toml", Scanner(), tmp_path / "none", tmp_path)
    assert one.health == "OK"
