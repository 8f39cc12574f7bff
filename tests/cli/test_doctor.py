"""`companion doctor`: each thing that can be wrong is found, named, and said how to mend."""

import errno
import os
import re
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

import pytest

from companion.adapters.keys.box_key import BoxKey
from companion.adapters.pods.ports import open_port
from companion.cli import doctor, doctor_run
from companion.cli.doctor import Box, Machine, Serial, check_files, check_key, examine, run_doctor
from companion.cli.findings.finding import Health
from companion.config.pins import built_in
from companion.config.settings import Box as BoxSettings
from companion.config.settings import DisplaySettings, MatchSettings, Pods, Source
from companion.config.settings import Scanner as ScannerSettings
from companion.core.errors import Malformed, Unavailable
from companion.core.timing.certificate import Circumstances, Weighed, certify
from companion.core.timing.events import SECOND, Edge, Levels, SourceFault
from companion.core.timing.loop_errors import LineFigures, Spread
from tests.fakes.scripted_source import ScriptedSource
from tests.fakes.wired_reader import WiredReader

LINES = {"red first": 5, "blue first": 6}
QUIET = [Levels(frozenset(), frozenset(LINES), 0)]


class FakeBus:
    def __init__(self, *answers, error=errno.EREMOTEIO):
        self.answers = answers
        self.error = error
        self.is_closed = False

    def read_byte(self, i2c_addr, force=None):
        if i2c_addr not in self.answers:
            raise OSError(self.error, os.strerror(self.error))
        return 0

    def close(self):
        self.is_closed = True


class FakeDisplay:
    size = (128, 64)

    def __init__(self, error=None):
        self.error = error
        self.is_closed = False

    def open(self):
        if self.error:
            raise Unavailable(self.error)

    def close(self):
        self.is_closed = True


@pytest.fixture
def root(tmp_path):
    for name in ("dev", "sys/devices/system/clocksource/clocksource0", "proc/self"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("gpiochip0", "i2c-1"):
        (tmp_path / "dev" / name).touch()
    clocksource = tmp_path / "sys/devices/system/clocksource/clocksource0/current_clocksource"
    clocksource.write_text("arch_sys_counter\n")
    (tmp_path / "proc/self/mounts").write_text("/dev/mmcblk0p2 / ext4 rw 0 0\n")
    return tmp_path


def machine(root, source=None, **changes):
    source = source or ScriptedSource(QUIET)
    settings = {
        "dev": root / "dev",
        "sys": root / "sys",
        "proc": root / "proc",
        "open_bus": lambda bus: FakeBus(0x3C),
        "clock": source.clock,
        "wait": source.wait,
        "resolution_ns": 1,
        "release": "6.12.25+rpt-rpi-v8",
    }
    return Machine(**(settings | changes))


def box(root, source=None, **changes):
    source = source or ScriptedSource(QUIET)
    settings = {
        "lines": LINES,
        "make_source": lambda: source,
        "state_dir": root / "state",
        "displays": (FakeDisplay(),),
        "i2c": (1, 0x3C),
    }
    return Box(**(settings | changes))


def findings(root, events=QUIET, *, source=None, on_box=None, on_machine=None):
    source = source or ScriptedSource(events)
    found = examine(box(root, source, **(on_box or {})), machine(root, source, **(on_machine or {})))
    return {finding.subject: finding for finding in found if finding.health is not Health.OK}


def test_a_box_in_order_has_no_faults_and_ends_with_status_0(root):
    said: list[str] = []
    source = ScriptedSource(QUIET)
    assert run_doctor(box(root, source), said.append, machine(root, source)) == 0
    assert said[-1] == "all is well"
    assert all(line.startswith("OK ") for line in said[:-1])
    assert source.is_closed


def test_a_fault_ends_with_status_1_and_a_line_that_says_how_to_mend_it(root):
    said: list[str] = []
    source = ScriptedSource([Levels(frozenset({"red first"}), frozenset(LINES), 0)])
    assert run_doctor(box(root, source), said.append, machine(root, source)) == 1
    at = next(number for number, line in enumerate(said) if line.startswith("fault"))
    assert "red first" in said[at]
    assert "-> let it go" in said[at + 1]
    assert said[-1] == "1 faults, 0 warnings"


def test_warnings_alone_are_status_0(root):
    (root / "proc/self/mounts").write_text("tmpfs / tmpfs rw 0 0\n")
    said: list[str] = []
    source = ScriptedSource(QUIET)
    assert run_doctor(box(root, source), said.append, machine(root, source)) == 0
    assert said[-1] == "0 faults, 1 warnings"


def test_no_chip_is_told_with_what_the_source_says(root):
    found = findings(root, source=ScriptedSource([], error="no chip: plug one in"))
    assert found["buttons"][2:] == ("no chip", "plug one in")


def test_a_held_line(root):
    found = findings(root, [Levels(frozenset({"blue first"}), frozenset(LINES), 0)])
    assert found.keys() == {"blue first"}
    assert found["blue first"].text == "GPIO 6 is held down"


def test_a_line_let_go_while_listening_is_not_held_but_moves(root):
    events = [Levels(frozenset({"blue first"}), frozenset(LINES), 0), Edge("blue first", False, 1000, 1)]
    assert "floats: 1 edges" in findings(root, events)["blue first"].text


def test_a_floating_line(root):
    edges = [Edge("red first", n % 2 == 0, n * 1000, 1) for n in range(4)]
    found = findings(root, [*QUIET, *edges])
    assert "GPIO 5 floats: 4 edges" in found["red first"].text
    assert "10 kΩ" in found["red first"].mend


def test_a_chattering_line(root):
    edges = [Edge("red first", n % 2 == 0, n * 1000, 1) for n in range(40)]
    assert "GPIO 5 chatters: 40 edges" in findings(root, [*QUIET, *edges])["red first"].text


def test_a_fault_of_the_source_is_passed_on(root):
    found = findings(root, [*QUIET, SourceFault("gpiod", "9 edges were lost", 5, 9)])
    assert found["buttons"].text == "9 edges were lost"


def test_a_source_with_a_remark_on_its_times_is_a_warning(root):
    source = ScriptedSource(QUIET)
    source.remark = "takes the time itself"
    found = findings(root, source=source)
    assert found["buttons"].health is Health.WARNING


@pytest.mark.parametrize(
    ("bus", "text", "mend"),
    [
        (FakeBus(), "nothing answers at 0x3c", "four wires"),
        (FakeBus(error=errno.ENXIO), "nothing answers at 0x3c", "four wires"),
        (FakeBus(0x3D), "a chip does at 0x3d", "address to 0x3d"),
        (FakeBus(error=errno.EIO), "the bus fails", "shorted"),
    ],
)
def test_a_display_that_does_not_answer(root, bus, text, mend):
    finding = findings(root, on_machine={"open_bus": lambda number: bus})["I2C 1"]
    assert finding.health is Health.FAULT
    assert text in finding.text
    assert mend in finding.mend
    assert bus.is_closed


def test_a_bus_that_cannot_be_opened(root):
    def refuse(number):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    assert "group i2c" in findings(root, on_machine={"open_bus": refuse})["I2C 1"].mend


def test_a_display_that_does_not_start(root):
    finding = findings(root, on_box={"displays": (FakeDisplay("no ssd1306 at 0x3c: check its wires"),)})
    assert finding["display"][2:] == ("no ssd1306 at 0x3c", "check its wires")


def test_a_box_without_display_is_not_asked_for_one(root):
    (root / "dev/i2c-1").unlink()
    assert findings(root, on_box={"displays": (), "i2c": None}) == {}


def test_no_gpio_and_no_i2c_device_files(root):
    (root / "dev/gpiochip0").unlink()
    (root / "dev/i2c-1").unlink()
    found = findings(root)
    assert "--simulate" in found["GPIO access"].mend
    assert "companion boot-files" in found["I2C access"].mend


def test_device_files_without_the_right_to_use_them(root, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: "i2c" in str(path))
    found = findings(root)
    assert found.keys() == {"GPIO access"}
    assert "usermod -aG gpio" in found["GPIO access"].mend


def test_one_chip_of_several_that_may_be_used_is_enough(root, monkeypatch):
    (root / "dev/gpiochip4").touch()
    monkeypatch.setattr(os, "access", lambda path, mode: "gpiochip4" not in str(path))
    assert findings(root) == {}


def test_a_state_directory_that_cannot_be_made(root):
    (root / "state").write_text("a file is in the way")
    finding = findings(root)["state"]
    assert finding.health is Health.FAULT
    assert "cannot be written" in finding.text


def test_the_key_that_records_are_sealed_by_is_named():
    found = check_key(lambda: b"\0" * 32)
    assert (found.health, found.text) == (Health.OK, f"records are sealed by the key {'A' * 43}=")
    assert check_key(lambda: None).text == "the box makes its key at its first start"


def test_a_key_that_cannot_be_used_is_a_warning_with_its_reason(tmp_path):
    (tmp_path / "seal.key").write_bytes(b"half")
    (tmp_path / "seal.key").chmod(0o600)
    found = check_key(BoxKey(tmp_path).look)
    assert found.health is Health.WARNING
    assert "seal.key is not whole" in found.text


def played_by(root, *files):
    """Give what the settings say of a box that plays Claim by these files and has nothing else."""
    return fitted(
        box=BoxSettings(state_dir=str(root / "state")), source=Source(kind="none"),
        display=DisplaySettings(kind="none"), match=MatchSettings(game="claim", files=files),
    )  # fmt: skip


def test_the_files_that_the_settings_name_are_named(root, capsys):
    doctor_run.doctor(played_by(root, "game=snap.toml"), buttons=False)
    assert re.search(r"^OK +files +claim is played by game=snap.toml$", capsys.readouterr().out, re.MULTILINE)
    assert check_files(lambda: ()).text == "the settings name none"


def test_a_file_that_cannot_be_played_by_is_a_fault_with_its_line_as_the_box_would_not_start(root, capsys):
    (root / "mine.toml").write_text("title = 'Mine'\nhands = 3\n")
    for name, told in (("mine.toml", "line [1-9]: "), ("none.toml", "No such file")):
        status = doctor_run.doctor(played_by(root, f"game={root / name}"), buttons=False)
        said = capsys.readouterr().out
        assert status == 1
        assert re.search(rf"^fault +files +.*{name}.*{told}", said, re.MULTILINE), said
        assert "-> " in said


def test_a_state_directory_in_memory_only(root):
    (root / "proc/self/mounts").write_text(f"/dev/sda / ext4 rw 0 0\ntmpfs {root} tmpfs rw 0 0\n")
    assert "a power cut empties it" in findings(root)["state"].text


@pytest.mark.parametrize(("free", "health"), [(20_000_000, Health.WARNING), (500_000, Health.FAULT)])
def test_a_card_that_is_nearly_full(root, monkeypatch, free, health):
    real = os.statvfs

    def nearly_full(path):
        values = list(real(path))
        values[1], values[4] = 1, free
        return os.statvfs_result(values)

    monkeypatch.setattr(os, "statvfs", nearly_full)
    assert findings(root)["state"].health is health


def test_a_folder_with_a_space_in_its_mount_point(root):
    (root / "my stick").mkdir()
    escaped = str(root / "my stick").replace(" ", "\\040")
    (root / "proc/self/mounts").write_text(f"/dev/sda / ext4 rw 0 0\n/dev/sdb {escaped} vfat rw 0 0\n")
    assert doctor.file_system(root / "my stick" / "x", root / "proc") == "vfat"
    assert doctor.file_system(root, root / "proc") == "ext4"
    assert doctor.file_system(root, Path("/nowhere")) is None


def test_a_coarse_clock(root):
    clocksource = root / "sys/devices/system/clocksource/clocksource0/current_clocksource"
    assert findings(root, on_machine={"resolution_ns": 4_000_000})["clock"].health is Health.FAULT
    clocksource.write_text("jiffies\n")
    assert findings(root)["clock"].health is Health.FAULT
    clocksource.unlink()
    assert findings(root)["clock"].health is Health.WARNING


@pytest.mark.parametrize(("release", "is_fault"), [("5.4.83-v7+", True), ("5.10.0", False), ("6.6.31+rpt", False)])
def test_a_kernel_without_numbered_edges(root, release, is_fault):
    assert ("kernel" in findings(root, on_machine={"release": release})) is is_fault


def test_a_missing_library_is_named(root, monkeypatch):
    real = metadata.version

    def version(name):
        if name == "lgpio":
            raise metadata.PackageNotFoundError(name)
        return real(name)

    monkeypatch.setattr(metadata, "version", version)
    finding = findings(root)["libraries"]
    assert "not installed: lgpio" in finding.text
    assert finding.health is Health.WARNING


def test_listening_lasts_a_second_of_the_given_clock(root):
    source = ScriptedSource(QUIET)
    list(examine(box(root, source), machine(root, source)))
    assert source.now_ns == SECOND


@pytest.fixture
def reader(tmp_path):
    made = WiredReader(tmp_path / "reader")
    yield made
    made.unplug()


def serial_findings(root, *ports, assigned=0):
    on_box = {"find_serial": lambda: Serial(ports, assigned), "open_port": open_port}
    return findings(root, on_box=on_box)


def test_a_serial_port_in_order_is_opened_and_given_back(root, reader):
    said: list[str] = []
    source = ScriptedSource(QUIET)
    find = {"find_serial": lambda: Serial((("card scanner", reader.path),)), "open_port": open_port}
    assert run_doctor(box(root, source, **find), said.append, machine(root, source)) == 0
    assert [line.split(maxsplit=1)[1] for line in said if "card scanner" in line] == [
        f"card scanner  {reader.path} can be opened"
    ]
    open_port(reader.path).close()


@pytest.mark.parametrize("subject", ["pod", "card scanner"])
def test_a_serial_port_that_is_not_there(root, subject):
    finding = serial_findings(root, (subject, root / "ttyACM0"), assigned=int(subject == "pod"))[subject]
    assert finding.health is Health.FAULT
    assert finding.text == f"{root}/ttyACM0 is not there"
    assert finding.mend == "plug it in, or name another port (ls /dev/serial/by-id)"


def test_a_serial_port_without_the_right_to_use_it(root, reader, monkeypatch):
    real = os.open

    def refuse(path, *arguments, **others):
        if path == str(reader.path):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return real(path, *arguments, **others)

    monkeypatch.setattr(os, "open", refuse)
    finding = serial_findings(root, ("card scanner", reader.path))["card scanner"]
    assert finding.health is Health.FAULT
    assert finding.text == f"no permission for {reader.path}"
    assert "group dialout (sudo usermod -aG dialout" in finding.mend


def test_a_serial_port_that_another_program_holds(root, reader):
    holder = open_port(reader.path)
    finding = serial_findings(root, ("card scanner", reader.path))["card scanner"]
    holder.close()
    assert finding.health is Health.FAULT
    assert finding.text == f"{reader.path} is held by another program"
    assert "another companion" in finding.mend


def test_a_file_that_is_no_serial_port(root):
    (root / "file").touch()
    finding = serial_findings(root, ("card scanner", root / "file"))["card scanner"]
    assert "cannot be opened as a serial port" in finding.text
    assert "/dev/serial/by-id" in finding.mend


def test_one_port_for_a_pod_and_the_scanner_is_a_fault_also_by_two_names(root, reader):
    found = serial_findings(root, ("pod", reader.path), ("card scanner", reader.path.resolve()), assigned=1)
    assert found.keys() == {"card scanner"}
    assert "is the port of a pod already" in found["card scanner"].text
    assert "scanner.port" in found["card scanner"].mend


@pytest.mark.parametrize(("assigned", "mend"), [(0, "pods assign"), (2, "plug them in")])
def test_pods_that_are_plugged_in_and_pods_that_have_buttons_are_not_as_many(root, reader, assigned, mend):
    found = serial_findings(root, ("pod", reader.path), assigned=assigned)
    assert found.keys() == {"pods"}
    assert found["pods"].health is Health.WARNING
    assert mend in found["pods"].mend


def test_a_wrong_file_of_pods_or_cards_is_a_finding_and_the_rest_is_still_looked_at(root):
    def refuse():
        raise Malformed("deck.toml, line 3: no card 'red cheif'")

    said: list[str] = []
    source = ScriptedSource(QUIET)
    wrong = box(root, source, find_serial=refuse, open_port=open_port)
    assert run_doctor(wrong, said.append, machine(root, source)) == 1
    assert [line for line in said if line.startswith("fault") and "deck.toml, line 3" in line]
    assert any(line.split()[1:2] == ["state"] for line in said)


def fitted(**given):
    """What the settings say of what is examined, built in where nothing is given."""
    parts = {"box": BoxSettings(), "source": Source(), "pins": built_in(), "display": DisplaySettings(), "pods": Pods()}
    return doctor_run.Fitted(**{**parts, "scanner": ScannerSettings(), "match": MatchSettings(), **given})


def test_the_ports_that_the_settings_name_are_looked_at(tmp_path):
    (tmp_path / "pods.toml").write_text('[pods.e6614104032a5b28]\nname = "west"\nlines = ["red first"]\n')
    settings = fitted(
        box=BoxSettings(state_dir=str(tmp_path)),
        pods=Pods(ports=("/dev/west", "/dev/east")),
        scanner=ScannerSettings(port="/dev/reader"),
    )
    pods = (("pod", Path("/dev/west")), ("pod", Path("/dev/east")))
    assert doctor_run.find_serial(settings) == Serial((*pods, ("card scanner", Path("/dev/reader"))), assigned=1)
    without = fitted(box=settings.box, pods=Pods(enabled=False, ports=("/dev/west",)))
    assert doctor_run.find_serial(without) == Serial()


def test_a_deck_that_would_keep_the_box_from_starting_is_found(tmp_path):
    scanner = ScannerSettings(port="/dev/reader", deck=str(tmp_path / "absent.toml"))
    with pytest.raises(Unavailable, match=r"absent\.toml"):
        doctor_run.find_serial(fitted(box=BoxSettings(state_dir=str(tmp_path)), scanner=scanner))


def test_a_box_without_pins_is_looked_at_for_what_it_has(tmp_path, reader, capsys):
    settings = fitted(
        box=BoxSettings(state_dir=str(tmp_path / "state")),
        source=Source(kind="none"),
        display=DisplaySettings(kind="none"),
        scanner=ScannerSettings(port=str(reader.path)),
        pods=Pods(enabled=False),
    )
    assert doctor_run.doctor(settings, buttons=False) == 0
    said = capsys.readouterr().out
    assert f"{reader.path} can be opened" in said
    assert "GPIO" not in said


# The certificate


def weighed(*faults):
    circumstances = Circumstances("7f3a", "", "", "6.1", "scripted")
    tried = LineFigures("red first", 5, 200, 0, 0, 0, 0, Spread(0, 1, 2), 3, -3, 5)
    certificate = certify([tried], circumstances, "x", datetime(2027, 3, 1, tzinfo=UTC))
    return Weighed(certificate, "5e" * 32, faults)


def certificate_finding(root, weigh):
    source = ScriptedSource(QUIET)
    found = examine(box(root, source, weigh=weigh), machine(root, source))
    return next(finding for finding in found if finding.subject == "certificate")


def test_a_valid_certificate_is_told_with_its_end_and_what_it_adds(root):
    assert certificate_finding(root, lambda source: weighed()) == (
        Health.OK, "certificate", "valid until 2028-02-29, adds 0.0 µs to each ±", "",
    )  # fmt: skip


def test_an_uncertified_box_is_warned_of_and_no_fault(root):
    finding = certificate_finding(root, lambda source: None)
    assert (finding.health, finding.text) == (Health.WARNING, "this box is not certified")
    assert finding.mend.startswith("companion certify")


def test_a_certificate_that_is_not_valid_says_why(root):
    finding = certificate_finding(root, lambda source: weighed("the kernel was 6.1 and is 6.12", "it expired"))
    assert (finding.health, finding.text) == (
        Health.WARNING, "not valid: the kernel was 6.1 and is 6.12; it expired",
    )  # fmt: skip


def test_a_certificate_that_cannot_be_read_is_a_warning(root):
    def broken(source):
        raise Malformed("this is no certificate")

    assert certificate_finding(root, broken).health is Health.WARNING


def test_the_certificate_is_weighed_for_the_source_as_it_is_while_open(root):
    seen = []
    certificate_finding(root, lambda source: seen.append((source.name, source.is_closed)))
    assert seen == [("scripted", False)]
