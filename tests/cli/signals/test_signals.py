"""`companion signals` and what the doctor says of lamps and motors: each by its name, and all off at the end."""

from __future__ import annotations

import pytest

from companion.adapters.signals.button_lamps import ButtonLamps
from companion.adapters.signals.chips import Pca9685
from companion.adapters.signals.expander import ExpanderSignals
from companion.adapters.signals.outputs import Outputs
from companion.app import devices
from companion.cli.findings.finding import Health
from companion.cli.findings.signals import check_signals
from companion.cli.main import main
from companion.cli.signals.command import show_signs, try_buttons, try_each
from companion.config.settings import Signals
from companion.core.signals.signs import SAYS
from tests.fakes.expanders import FakeBus, FakeMcp23017, FakePca9685

PCA = Signals(kind="pca9685", brightness=50)


@pytest.fixture
def bus(monkeypatch):
    found = FakeBus({0x40: FakePca9685(), 0x20: FakeMcp23017()})
    made = ExpanderSignals.__init__
    monkeypatch.setattr(
        ExpanderSignals, "__init__", lambda self, *given, **named: made(self, *given, **named, open_bus=found.open)
    )
    monkeypatch.setattr(Pca9685, "WAKES_S", 0)
    return found


def on(chip):
    return {output: chip.share(output) for output in range(16) if chip.share(output)}


def expander_of(chosen: Signals) -> ExpanderSignals:
    made = devices.make_expander(chosen)
    assert made is not None
    return made


def button_lamps_of(chosen: Signals) -> ButtonLamps:
    made = devices.make_button_lamps(chosen)
    assert made is not None
    return made


def test_each_is_switched_on_alone_and_named(bus):
    expander = expander_of(PCA)
    expander.open()
    seen, said = [], list[str]()
    try_each(expander, said.append, lambda _s: seen.append(on(bus.chips[0x40])))
    lit = [one for one in seen if one]
    assert lit == [{0: 0.5}, {1: 0.5}, {2: 0.5}, {3: 0.5}, {4: 0.5}, {8: 1}, {9: 1}, {10: 1}, {11: 1}, {12: 1}]
    assert said[0] == "output 0: red lamp, 50%"
    assert said[-1] == "output 12: purple motor, 100%"
    assert seen[1::2] == [{}] * 10


def test_each_sign_is_given_and_said(bus):
    expander = expander_of(Signals(kind="mcp23017"))
    expander.open()
    said, now_ns = list[str](), [0]

    def sleep(seconds):
        now_ns[0] += round(seconds * 1_000_000_000)

    show_signs(expander, said.append, sleep, lambda: now_ns[0])
    assert [line.partition(":")[0] for line in said] == list(SAYS.values())
    assert on(bus.chips[0x20]) == {}


def settings_file(tmp_path, text):
    path = tmp_path / "config.toml"
    path.write_text(text)
    return ["--config", str(path)]


def test_without_an_expander_it_says_so(capsys, tmp_path):
    assert main(["signals", *settings_file(tmp_path, "")]) == 0
    assert 'signals.kind = "none"' in capsys.readouterr().out
    assert main(["signals", "--off", *settings_file(tmp_path, "")]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("kind", "address"), [("pca9685", 0x40), ("mcp23017", 0x20)])
def test_off_switches_off_what_a_killed_box_left_on(bus, tmp_path, kind, address):
    killed = expander_of(Signals(kind=kind))
    killed.open()
    killed.switch(frozenset(killed.lit_by_output()), {})
    assert len(on(bus.chips[address])) == 10
    assert main(["signals", "--off", *settings_file(tmp_path, f'[signals]\nkind = "{kind}"\n')]) == 0
    assert on(bus.chips[address]) == {}


def test_off_is_no_failure_where_the_expander_has_gone(bus, tmp_path, capsys):
    bus.chips.clear()
    config = settings_file(tmp_path, '[signals]\nkind = "pca9685"\n')
    assert main(["signals", "--off", *config]) == 0
    assert main(["signals", "--test", *config]) == 1
    assert "does not answer" in capsys.readouterr().err


def test_the_map_is_printed(bus, tmp_path, capsys):
    text = '[signals]\nkind = "pca9685"\nlamps = [15, -1, -1, -1, -1]\nmotors = []\n'
    assert main(["signals", *settings_file(tmp_path, text)]) == 0
    assert capsys.readouterr().out == "output 15: red lamp, 100%\n"


def test_the_doctor_names_it_and_how_it_is(bus):
    (well,) = check_signals(PCA)
    assert well.health is Health.OK
    assert well.text.startswith("lamps and motors on the PCA9685 at address 0x40 of I2C bus 1: set up, all off")
    bus.chips.clear()
    (gone,) = check_signals(PCA)
    assert gone.health is Health.FAULT
    assert "does not answer" in gone.text
    (wrong,) = check_signals(Signals(kind="pca9685", i2c_address=0x20))
    assert wrong.health is Health.FAULT
    assert "it can be at 0x40 to 0x77" in wrong.text
    assert list(check_signals(Signals())) == []


@pytest.fixture
def two_chips(monkeypatch):
    found = FakeBus({0x40: FakePca9685(), 0x41: FakePca9685()})
    made = Outputs.__init__

    def by_fake(self, *given, **named):
        made(self, *given, **{**named, "open_bus": found.open})

    monkeypatch.setattr(Outputs, "__init__", by_fake)
    monkeypatch.setattr(Pca9685, "WAKES_S", 0)
    return found


def test_each_button_is_lit_alone_and_named(two_chips):
    buttons = button_lamps_of(Signals(button_lamps="pca9685"))
    buttons.open()
    seen, said = [], list[str]()
    chips = two_chips.chips.values()
    try_buttons(buttons, said.append, lambda _s: seen.append([on(chip) for chip in chips]))
    assert seen[::2] == [[{n: 1}, {}] for n in range(12)] + [[{}, {n: 1}] for n in range(8)]
    assert seen[1::2] == [[{}, {}]] * 20
    assert said[0] == "output 0 at 0x40: lamp of red first, 100%"


def test_button_lamps_that_were_left_on_are_switched_off(two_chips, tmp_path):
    settings = tmp_path / "config.toml"
    settings.write_text('[signals]\nbutton_lamps = "pca9685"\n', encoding="utf-8")
    left = button_lamps_of(Signals(button_lamps="pca9685"))
    left.open()
    left.light({"red first", "green first"})
    assert main(["signals", "--off", "--config", str(settings)]) == 0
    assert [on(chip) for chip in two_chips.chips.values()] == [{}, {}]


def test_the_doctor_sets_button_lamps_up_and_names_the_chip_that_is_missing(two_chips):
    (well,) = check_signals(Signals(button_lamps="pca9685"))
    assert (well.health, well.subject) == (Health.OK, "button lamps")
    assert "output 7 at 0x41: lamp of blue fourth, 100%" in well.text
    del two_chips.chips[0x41]
    (fault,) = check_signals(Signals(button_lamps="pca9685"))
    assert fault.health is Health.FAULT
    assert "no button lamps on the PCA9685 at address 0x41 of I2C bus 1" in fault.text
