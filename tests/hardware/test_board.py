"""The header board's netlist is the pin map, its rules check is clean and can fail, its picture shows all of it."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from companion.config.pins import GROUND_PINS, HEADER_PIN, built_in
from companion.core.panel import BUTTONS, Colour, Position
from hardware.board.circuit import PLUGS, Built, Component, build, netlist, plug_net
from hardware.board.schematic import draw_schematic
from hardware.drawings.electrical import FILTERS

TERMINALS = {"i2c_sda": ("OLED", "SDA"), "i2c_scl": ("OLED", "SCL"), "knob_a": ("knob", "A"), "knob_b": ("knob", "B"),
             "knob_push": ("knob", "push")}  # fmt: skip


@pytest.fixture(scope="module")
def built() -> Built:
    return netlist(built_in())


def reached(components: dict[str, Component], ref: str, pin: str) -> set[tuple[str, str]]:
    """Follow the copper from a pin of a plug, and through series resistors, to pins of the header."""
    found, todo, seen = set(), [components[ref].nets[pin]], set()
    while todo:
        net = todo.pop()
        if net in seen or net in ("GND", "3V3", "5V"):
            continue
        seen.add(net)
        for other, component in components.items():
            for number, name in component.nets.items():
                if name == net and other == "J1":
                    found.add((other, number))
                elif name == net and other.startswith("R"):
                    todo += component.nets.values()
    return found


def plug_pin(cable: str, terminal: str) -> tuple[str, str]:
    ref, terminals = PLUGS[cable]
    return ref, str(terminals.index(terminal) + 1)


def test_every_plug_pin_leads_to_the_header_pin_of_the_pin_map_and_to_no_other(built: Built):
    for key, gpio in built_in().uses.items():
        if key != "buzzer":
            cable, terminal = TERMINALS.get(key) or key.split()
            assert reached(built.components, *plug_pin(cable, terminal)) == {("J1", str(HEADER_PIN[gpio]))}, key


def test_the_buzzers_gpio_drives_the_transistor_that_pulls_the_buzzer_down(built: Built):
    parts = built.components
    base = parts["Q1"].nets["1"]
    gpio = parts["J1"].nets[str(HEADER_PIN[built_in().uses["buzzer"]])]
    assert any({base, gpio} == set(part.nets.values()) for ref, part in parts.items() if ref.startswith("R"))
    assert any({base, "GND"} == set(part.nets.values()) for ref, part in parts.items() if ref.startswith("R"))
    assert parts["Q1"].nets["3"] == parts["J9"].nets["1"]
    assert parts["Q1"].nets["2"] == "GND"
    assert parts["J9"].nets["2"] == "5V"


def test_all_grounds_are_one_net_and_five_volts_reach_no_gpio(built: Built):
    header = built.components["J1"].nets
    assert all(header[str(pin)] == "GND" for pin in GROUND_PINS)
    assert all(built.components[ref].nets["1"] == "GND" for cable, (ref, _) in PLUGS.items() if cable != "buzzer")
    assert {pin for pin, net in header.items() if net == "5V"} == {"2", "4"}
    assert {pin for pin, net in header.items() if net == "3V3"} == {"1", "17"}
    assert not {"27", "28"} & set(header), "kept for the memory of add-on boards"
    for ref, component in built.components.items():
        if "5V" in component.nets.values() and ref != "J1":
            assert not any(net.startswith(("GPIO", "i2c", "knob")) for net in component.nets.values())


def test_every_line_from_outside_has_a_suppressor_and_every_switch_its_filter(built: Built):
    parts = built.components
    outside = [button.label for button in BUTTONS] + list(TERMINALS)
    for wire in outside:
        arrays = [ref for ref, part in parts.items() if part.value == "SP0504BAHT" and wire in part.nets.values()]
        assert len(arrays) == 1, wire
        assert parts[arrays[0]].nets["2"] == "GND"
    for button in BUTTONS:
        gpio = f"GPIO{built_in().uses[button.label]}"
        pairs = {part.value: set(part.nets.values()) for ref, part in parts.items() if ref[0] in "RC" and (
            {button.label, gpio} & set(part.nets.values()))}  # fmt: skip
        assert pairs == {"10k": {"3V3", button.label}, "1k": {button.label, gpio}, "1n": {gpio, "GND"}}


def test_the_filter_on_the_board_is_the_one_the_electrical_page_reckons_with():
    name, part = next(iter(FILTERS.items()))
    assert "header board" in name
    assert (part.ohms, part.farads) == (1e3, 1e-9)


def test_the_electrical_rules_check_is_clean(built: Built):
    assert (built.errors, built.warnings) == (0, 0)


def test_the_electrical_rules_check_finds_a_pin_that_was_forgotten():
    def without_a_wire(skidl, pins):
        circuit = build(skidl, pins)
        part = next(part for part in circuit.parts if part.ref == "Q1")
        part["1"].disconnect()
        return circuit

    broken = netlist(built_in(), without_a_wire)
    assert broken.errors + broken.warnings > 0


def test_the_electrical_rules_check_finds_two_supplies_joined():
    def short(skidl, pins):
        circuit = build(skidl, pins)
        header = next(part for part in circuit.parts if part.ref == "J1")
        header["1"].net.connect(header["2"])
        return circuit

    assert netlist(built_in(), short).errors > 0


def test_the_kicad_netlist_names_every_part_and_a_footprint_for_each(built: Built):
    assert all(component.footprint.count(":") == 1 for component in built.components.values())
    assert built.kicad.count("(comp") >= len(built.components)
    assert all(f'(ref "{ref}")' in built.kicad for ref in built.components)


def test_building_the_circuit_leaves_no_file_behind(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    netlist(built_in())
    assert not list(tmp_path.iterdir())


def test_the_schematic_shows_every_part_with_its_value(built: Built):
    words = " ".join(element.text or "" for element in ET.fromstring(draw_schematic(built.components)).iter())
    for ref, component in built.components.items():
        if ref[0] in "RCFQ" or ref == "D8":
            assert f"{ref} {component.value}" in words
        else:
            assert ref in words


def test_the_schematic_refuses_a_netlist_with_a_part_missing(built: Built):
    parts = {ref: part for ref, part in built.components.items() if ref != "R1"}
    with pytest.raises(LookupError, match="0 parts R between red first and 3V3"):
        draw_schematic(parts)


def test_plugs_are_in_the_order_of_the_cards():
    assert all(PLUGS[colour][1] == ("ground", *Position) for colour in Colour)
    assert plug_net("red", "first") == "red first"
