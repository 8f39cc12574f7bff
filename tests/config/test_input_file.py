"""The file of inputs: what it says, what is wrong with it, and that people's comments stay."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.config.input_file import LABELS, InputEntry, Inputs, MeasuredModel, read_inputs, write_inputs
from companion.core.assigning.rewiring import Wire
from companion.core.errors import Malformed
from tests.amounts import many

PAD = "usb 045e:0b0a number 30A1"
TEXT = """\
# ours
[devices."usb 045e:0b0a number 30A1"]
name = "pad"          # Ann's
title = "Xbox"
[devices."usb 045e:0b0a number 30A1".keys]
BTN_A = "red first"   # the big one
"ABS_Z+" = "red second"

[models."usb 045e:0b0a"]
delay_us = 9800
trials = 40
measured = "2026-11-23"

[lines]
"gpiod: yellow first" = "red second"
"browser panels: red first (phone)" = "blue first"
"""


def test_it_says_which_key_is_which_button(tmp_path):
    path = tmp_path / "inputs.toml"
    path.write_text(TEXT)
    inputs = read_inputs(path)
    assert inputs.devices == {PAD: InputEntry("pad", "Xbox", {"BTN_A": "red first", "ABS_Z+": "red second"})}
    assert inputs.models == {"usb 045e:0b0a": MeasuredModel(9800, 40, "2026-11-23")}
    assert inputs.lines == {
        Wire("gpiod", "yellow first"): "red second",
        Wire("browser panels", "red first (phone)"): "blue first",
    }


def test_what_is_written_leaves_comments_where_they_are(tmp_path):
    path = tmp_path / "inputs.toml"
    path.write_text(TEXT)
    inputs = read_inputs(path)
    entry = inputs.devices[PAD]
    changed = Inputs({PAD: InputEntry("pad", entry.title, {"BTN_A": "blue first"})}, inputs.models, {})
    write_inputs(path, changed)
    assert read_inputs(path) == changed
    assert "# ours" in path.read_text()
    assert "# Ann's" in path.read_text()


def test_no_file_says_nothing_and_nothing_makes_one_with_a_heading(tmp_path):
    path = tmp_path / "new" / "inputs.toml"
    assert read_inputs(path) == Inputs()
    write_inputs(path, Inputs({PAD: InputEntry("pad", "", {"ANY": "red first"})}))
    assert path.read_text().startswith("# Which input is which button.")
    assert read_inputs(path).devices[PAD].keys == {"ANY": "red first"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[device]", "there is no such table; did you mean devices?"),
        ("devices = 3", "must be a table"),
        ('[devices."x"]\nnam = "pad"', "there is no such key; did you mean name?"),
        ('[devices."x"]\nname = "a pad"', "must be a word of at most 12"),
        ('[devices."x"]\nname = "pad"\ntitle = 4', "must be a text"),
        ('[devices."x"]\nname = "pad"\nkeys = 4', "must be a table of keys"),
        ('[devices."x"]\nname = "pad"\n[devices."x".keys]\nA = "red first"', "is no key, such as KEY_SPACE"),
        ('[devices."x"]\nname = "pad"\n[devices."x".keys]\nBTN_A = "red fifth"', "did you mean red fi"),
        ('[devices."x"]\nname = "pad"\n[devices."y"]\nname = "pad"', "another device has this name already: x"),
        ('[models."x"]\ndelay_us = -1', "must be a whole number"),
        ('[models."x"]\ntrials = 3', "must be a whole number"),
        ('[lines]\n"gpiod yellow first" = "red first"', "must be a source and its line"),
        ('[lines]\n"gpiod: yellow first" = "orange"', "is no button"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, text, says):
    path = tmp_path / "inputs.toml"
    path.write_text(text)
    with pytest.raises(Malformed) as caught:
        read_inputs(path)
    assert says in str(caught.value)
    assert "inputs.toml, line" in str(caught.value)


NAMES = st.from_regex(r"[a-z][\w-]{0,11}", fullmatch=True)
KEYS = st.dictionaries(
    st.sampled_from(["BTN_A", "KEY_SPACE", "ABS_Z+", "ABS_HAT0X-", "ANY", "KEY_0x2fe"]), st.sampled_from(LABELS)
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=many(40))
@given(st.dictionaries(NAMES, KEYS, max_size=3), st.dictionaries(st.text("abc :'\"\\#", min_size=1), st.integers(0, 9)))
def test_whatever_is_assigned_is_read_back(tmp_path, devices, models):
    inputs = Inputs(
        {f"usb 0001:0002 at {name}": InputEntry(name, 'a "title"\n', keys) for name, keys in devices.items()},
        {key: MeasuredModel(number, 40, "today") for key, number in models.items()},
        {Wire("pods", f"{label} (x)"): label for label in LABELS[:2]},
    )
    path = tmp_path / "inputs.toml"
    write_inputs(path, inputs)
    assert read_inputs(path) == inputs
