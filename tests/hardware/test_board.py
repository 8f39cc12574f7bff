"""The header board's netlist is the pin map, no cable shorts it, its rules can fail, its sheet shows all of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.config.pins import GROUND_PINS, HEADER_PIN, built_in
from companion.core.panel import BUTTONS, Colour, Position
from hardware.board.circuit import POINTS, Built, Component, build, header_board, netlist
from hardware.board.lamps import ADDRESSES, LAMPS, drive_net, output_of
from hardware.board.plugs import PLUGS, matings, plug_net, short_circuits
from hardware.board.sheet import draw_sheet
from hardware.drawings.electrical import FILTERS

TERMINALS = {"i2c_sda": ("OLED", "SDA"), "i2c_scl": ("OLED", "SCL"), "knob_a": ("knob", "A"), "knob_b": ("knob", "B"),
             "knob_push": ("knob", "push")}  # fmt: skip


@pytest.fixture(scope="module")
def built() -> Built:
    return header_board()


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
    assert parts["J9"].nets["2"] == "buzzer +"


def test_all_grounds_are_one_net_and_five_volts_reach_no_gpio(built: Built):
    header = built.components["J1"].nets
    assert all(header[str(pin)] == "GND" for pin in GROUND_PINS)
    assert all(built.components[ref].nets["1"] == "GND" for cable, (ref, _) in PLUGS.items()
               if cable != "buzzer" and not cable.endswith("lamps"))  # fmt: skip
    assert {pin for pin, net in header.items() if net == "5V"} == {"2", "4"}
    assert {pin for pin, net in header.items() if net == "3V3"} == {"1", "17"}
    assert not {"27", "28"} & set(header), "kept for the memory of add-on boards"
    for ref, component in built.components.items():
        if "5V" in component.nets.values() and ref != "J1":
            assert not any(net.startswith(("GPIO", "i2c", "knob")) for net in component.nets.values())


def test_every_line_from_outside_has_a_suppressor_and_every_switch_its_filter(built: Built):
    parts = built.components
    outside = {net for ref, _ in PLUGS.values() for net in parts[ref].nets.values()} - {"GND", "lamps 5 V"}
    assert outside > {button.label for button in BUTTONS} | set(TERMINALS)
    assert len(outside) == 20 + 20 + 5 + len({"OLED 3.3 V", "knob 3.3 V", "buzzer -", "buzzer +"})
    assert any(part.value == "SMF5.0A" and part.nets == {"1": "lamps 5 V", "2": "GND"} for part in parts.values())
    for wire in outside:
        arrays = [ref for ref, part in parts.items() if part.value == "SP0504BAHT" and wire in part.nets.values()]
        assert len(arrays) == 1, wire
        assert parts[arrays[0]].nets["2"] == "GND"
    for button in BUTTONS:
        gpio = f"GPIO{built_in().uses[button.label]}"
        pairs = {part.value: set(part.nets.values()) for ref, part in parts.items() if ref[0] in "RC" and (
            {button.label, gpio} & set(part.nets.values()))}  # fmt: skip
        assert pairs == {"10k": {"3V3", button.label}, "1k": {button.label, gpio}, "1n": {gpio, "GND"}}


def test_no_cable_in_any_socket_that_takes_it_joins_a_supply_to_ground_or_to_a_gpio(built: Built):
    assert short_circuits(built.components) == []
    tried = set(matings(built.components))
    assert {(cable, cable) for cable in PLUGS} <= tried, "each in its own socket too"
    assert ("red", "purple") in tried
    assert ("green lamps", "red lamps") in tried


def test_a_knob_with_its_supply_where_a_button_has_its_contact_is_found(built: Built):
    """So it was: five pins, the fifth at 3.3 V, beside five sockets for buttons."""
    was = replace(built.components["J7"], footprint=built.components["J2"].footprint,
                  nets={"1": "GND", "2": "knob_a", "3": "knob_b", "4": "knob_push", "5": "3V3"})  # fmt: skip
    found = short_circuits({**built.components, "J7": was})
    for colour in Colour:
        assert f"{colour} cable in the knob socket joins a supply and GPIO and ground" in found


def test_a_buzzer_in_a_socket_of_lamps_that_takes_it_is_found(built: Built):
    lamps = replace(built.components["J10"], footprint=built.components["J9"].footprint,
                    nets={"1": "GND", "2": "lamps 5 V"})  # fmt: skip
    assert short_circuits({**built.components, "J10": lamps}) == [
        "buzzer cable in the red lamps socket joins a supply and ground"
    ]


def test_every_supply_leaves_the_board_through_a_fuse(built: Built):
    header = {net for net in built.components["J1"].nets.values() if net in ("3V3", "5V")}
    for cable, (ref, _) in PLUGS.items():
        assert not header & set(built.components[ref].nets.values()), cable
    fuses = {ref: set(part.nets.values()) for ref, part in built.components.items() if ref[0] == "F"}
    assert sorted(map(sorted, fuses.values())) == [
        ["3V3", "OLED 3.3 V"], ["3V3", "knob 3.3 V"], ["5V", "buzzer +"], ["5V", "lamps 5 V"],
    ]  # fmt: skip


def test_each_lamp_is_switched_by_the_output_that_is_said(built: Built):
    parts = built.components
    assert sorted(LAMPS.values()) == sorted((str(button.colour), str(button.position)) for button in BUTTONS)
    for output, (colour, position) in LAMPS.items():
        chip = next(ref for ref, address in ADDRESSES.items() if address == 0x40 + output // 16)
        led = f"LED{output % 16}"
        assert parts[chip].nets[next(pin for pin, (name, _) in parts[chip].pins.items() if name == led)] == drive_net(
            output
        )
        array, channel = next(
            (ref, n) for ref in ("U3", "U4", "U5") for n in range(1, 9) if output_of(ref, n) == output
        )
        assert parts[array].nets[str(channel)] == drive_net(output)
        ref, pin = plug_pin(f"{colour} lamps", position)
        assert parts[array].nets[str(19 - channel)] == parts[ref].nets[pin]


def test_the_two_chips_have_two_addresses(built: Built):
    for ref, address in ADDRESSES.items():
        pins = {name: built.components[ref].nets[pin] for pin, (name, _) in built.components[ref].pins.items()
                if name.startswith("A")}  # fmt: skip
        assert sum((net == "3V3") << int(name[1]) for name, net in pins.items()) + 0x40 == address
        assert set(pins.values()) <= {"GND", "3V3"}


def test_there_is_a_test_point_for_each_supply_the_bus_and_a_line(built: Built):
    assert {built.components[ref].nets["1"] for ref in POINTS} == {
        "3V3",
        "5V",
        "GND",
        "i2c_sda",
        "i2c_scl",
        "red first",
    }


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


def test_the_schematic_has_every_part_and_is_the_same_each_time(built: Built):
    sheet = draw_sheet(built.components)
    for ref, part in built.components.items():
        assert f'"Reference" "{ref}"' in sheet.text()
        assert f'"Value" "{part.value}"' in sheet.text()
    assert draw_sheet(netlist(built_in()).components).text() == sheet.text()


def test_the_schematic_refuses_a_netlist_with_a_part_missing_or_left_over(built: Built):
    parts = {ref: part for ref, part in built.components.items() if ref != "R1"}
    with pytest.raises(LookupError, match="0 parts R between red first and 3V3"):
        draw_sheet(parts)
    with pytest.raises(LookupError, match="not on the sheet: X1"):
        draw_sheet({**built.components, "X1": built.components["Q1"]}).text()


def test_plugs_are_in_the_order_of_the_cards():
    assert all(PLUGS[colour][1] == ("ground", *Position) for colour in Colour)
    assert plug_net("red", "first") == "red first"
