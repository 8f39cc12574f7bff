"""Which device is which: from sysfs, as the kernel lays it out."""

from companion.adapters.evdev.identity import Identity, node_of, nodes
from tests.fakes.input_devices import BLUETOOTH, FakeInputs


def test_a_device_is_known_by_its_model_its_number_and_its_port(monkeypatch, tmp_path):
    inputs = FakeInputs(monkeypatch, tmp_path)
    inputs.plug(3, "Microsoft X-Box Adaptive Controller", model=(3, 0x045E, 0x0B0A), uniq="30A1", phys="usb-1/input0")
    (node,) = nodes(inputs.folder, inputs.sys)
    assert node.identity == Identity(
        "usb", 0x045E, 0x0B0A, "Microsoft X-Box Adaptive Controller", "usb-1/input0", "30A1"
    )
    assert node.identity.model == "usb 045e:0b0a"
    assert node.identity.keys == ("usb 045e:0b0a at usb-1", "usb 045e:0b0a number 30A1")


def test_two_of_a_model_without_numbers_are_told_apart_by_their_ports(monkeypatch, tmp_path):
    inputs = FakeInputs(monkeypatch, tmp_path)
    inputs.plug(0, phys="usb-1/input0")
    inputs.plug(1, phys="usb-2/input0", uniq="0000")
    one, other = (node.identity for node in nodes(inputs.folder, inputs.sys))
    assert one.model == other.model
    assert one.keys != other.keys
    assert other.by_number == ""


def test_the_interfaces_of_one_keyboard_are_one_device():
    one = Identity("usb", 1, 2, "Keyboard", "usb-1/input0")
    assert one.keys == one._replace(title="Keyboard Consumer Control", phys="usb-1/input1").keys


def test_how_often_a_usb_device_is_asked_is_its_endpoint_s_interval(monkeypatch, tmp_path):
    inputs = FakeInputs(monkeypatch, tmp_path)
    for number, interval in enumerate(("8ms", "125us", None)):
        inputs.plug(number, interval=interval)
    assert [node.polling_ns for node in nodes(inputs.folder, inputs.sys)] == [8_000_000, 125_000, None]


def test_nobody_knows_how_often_a_bluetooth_device_is_asked(monkeypatch, tmp_path):
    inputs = FakeInputs(monkeypatch, tmp_path)
    inputs.plug(0, model=(BLUETOOTH, 0x045E, 0x0B20), interval=None)
    (node,) = nodes(inputs.folder, inputs.sys)
    assert node.identity.model == "bluetooth 045e:0b20"
    assert node.polling_ns is None


def test_what_is_no_event_file_or_has_gone_is_no_device(monkeypatch, tmp_path):
    inputs = FakeInputs(monkeypatch, tmp_path)
    (inputs.folder / "mice").touch()
    (inputs.folder / "event7").touch()
    assert nodes(inputs.folder, inputs.sys) == []
    assert nodes(tmp_path / "nowhere", inputs.sys) == []
    assert node_of(inputs.folder / "event7", inputs.sys) is None


def test_a_link_to_an_event_file_is_its_device(monkeypatch, tmp_path):
    inputs = FakeInputs(monkeypatch, tmp_path)
    device = inputs.plug(4, "Reader")
    (tmp_path / "by-id").symlink_to(device.path)
    node = node_of(tmp_path / "by-id", inputs.sys)
    assert node is not None
    assert node.identity.title == "Reader"
