"""`companion pods` on pods' very programs at pseudo-terminals, and the file that it writes."""

from __future__ import annotations

import threading
import time

import pytest

from companion.app.pods import make_pods
from companion.cli.pods import assign_pods, install, list_pods, measure_pods, name_pod, to_prompt
from companion.config.pod_file import PodEntry, read_pods, write_pods
from companion.config.settings import Pods
from companion.core.errors import CompanionError, Malformed, Unavailable
from tests.fakes.wired_pico import WiredPico

WEST, EAST = b"\1west\0\0\0", b"\2east\0\0\0"


@pytest.fixture
def wired(tmp_path):
    pods = {"west": WiredPico(unique_id=WEST), "east": WiredPico(unique_id=EAST, lines=2)}
    for name, pod in pods.items():
        pod.name(tmp_path / name)
    yield pods
    for pod in pods.values():
        pod.close()


@pytest.fixture
def settings(wired):
    return Pods(ports=tuple(str(pod.path) for pod in wired.values()))


@pytest.fixture
def file(tmp_path):
    return tmp_path / "pods.toml"


class Hand:
    """Presses what is asked for."""

    def __init__(self, wired, presses):
        self.said = []
        self._presses = iter(presses)
        self._wired = wired

    def __call__(self, text):
        self.said.append(text)
        if text.startswith("press the button"):
            pod, line = next(self._presses)
            threading.Timer(0.05, self._press, (self._wired[pod].pico, line)).start()

    def _press(self, pico, line):
        pico.contact(line, closed=True)
        time.sleep(0.002)
        pico.contact(line, closed=False)


def test_assigned_buttons_are_kept_and_make_a_source(settings, file, wired):
    hand = Hand(wired, [("west", 2), ("east", 1), ("west", 0)])
    assert assign_pods(settings, file, ["red first", "blue third", "red fourth"], hand, patience_s=15) == 0
    entries = read_pods(file)
    assert entries[WEST.hex()].labels == ("red fourth", None, "red first", None)
    assert entries[EAST.hex()].labels == (None, "blue third")
    pods = make_pods(settings, file.parent)
    assert pods is not None
    assert set(pods.lines) == {
        f"red fourth ({entries[WEST.hex()].name})", f"red first ({entries[WEST.hex()].name})",
        f"blue third ({entries[EAST.hex()].name})",
    }  # fmt: skip


def test_nobody_pressing_ends_the_assignment_and_keeps_what_was_assigned(settings, file, wired):
    hand = Hand(wired, [("east", 0)])
    hand.said = []
    with pytest.raises(StopIteration):
        assign_pods(settings, file, ["red first", "red fourth"], hand, patience_s=15)
    assert read_pods(file)[EAST.hex()].labels == ("red first", None)
    assert assign_pods(settings, file, ["red fourth"], lambda text: None, patience_s=0.3) == 1


def test_a_word_that_is_no_button_is_refused_before_anybody_presses(settings, file):
    with pytest.raises(Malformed, match="did you mean red first"):
        assign_pods(settings, file, ["red frist"], print)


def test_pods_are_listed_with_what_they_are_used_for_and_those_that_are_missing(settings, file):
    write_pods(
        file,
        {WEST.hex(): PodEntry("west", ("red first", None)), "00" * 8: PodEntry("south", ("blue first",))},
    )
    said: list[str] = []
    assert list_pods(settings, file, said.append) == 0
    text = "\n".join(said)
    assert f"west ({WEST.hex()})" in text
    assert "buttons: red first, -" in text
    assert f"not assigned ({EAST.hex()})" in text
    assert "2 lines" in text
    assert "south (0000000000000000): not plugged in" in text
    assert text.count("0 resets (last: power), 0 edges lost") == 2, "each has told how it is"


def test_a_port_without_a_pod_is_listed_with_what_is_wrong(settings, file, tmp_path):
    missing = Pods(ports=(str(tmp_path / "ttyACM7"),))
    said: list[str] = []
    assert list_pods(missing, file, said.append) == 1
    assert "ttyACM7 is not there" in said[0]
    assert measure_pods(missing, file, 0.2, said.append) == 1


def test_measuring_tells_bound_round_trip_and_drift(settings, file):
    wide = Pods(ports=settings.ports, max_bound_ms=100)
    said: list[str] = []
    assert measure_pods(wide, file, 2.5, said.append) == 0
    assert all("bound" in line and "round trip" in line and "ppm" in line for line in said)
    assert measure_pods(Pods(ports=settings.ports, max_bound_ms=0.1), file, 0.5, said.append) == 1
    assert "dead heats" in said[-1]


def test_a_pod_is_renamed_by_its_name_or_id(settings, file):
    write_pods(file, {WEST.hex(): PodEntry("west", ()), EAST.hex(): PodEntry("east", ())})
    name_pod(file, "west", "window")
    name_pod(file, EAST.hex(), "door")
    assert [entry.name for entry in read_pods(file).values()] == ["window", "door"]
    for which, name in (("window", "door"), ("window", "two words"), ("nobody", "x")):
        with pytest.raises(CompanionError):
            name_pod(file, which, name)
    assert [entry.name for entry in read_pods(file).values()] == ["window", "door"]


def test_a_pod_called_to_its_prompt_hears_nothing_more(settings, wired):
    """Bytes that come after its restart would be typed at the prompt."""
    assert wired["west"].read_prompt() is None
    assert to_prompt(wired["west"].path)
    assert wired["west"].read_prompt() == b""


def test_with_several_pods_installing_asks_which(settings):
    with pytest.raises(Unavailable, match="--port"):
        install(settings, None, None, print)


def test_installing_on_what_is_no_port_says_so_at_once(monkeypatch):
    monkeypatch.setattr("companion.cli.pods.wait_for_prompt", lambda _: pytest.fail("nothing restarts there"))
    with pytest.raises(Unavailable, match="cannot be opened as a serial port"):
        install(Pods(), "/dev/null", None, print)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[pod.x]\n", "there is no such table"),
        ("[pods.xyz]\n", "16 digits"),
        (f'[pods.{"0" * 16}]\nname = "two words"\n', "must be a word"),
        (f'[pods.{"0" * 16}]\nlines = ["red frist"]\n', "line 2.*did you mean red first"),
        (f'[pods.{"0" * 16}]\nlines = ["red first", "red first"]\n', "stands there twice"),
        (f"[pods.{'0' * 16}]\nlines = 3\n", "must be a list"),
        (f'[pods.{"0" * 16}]\ncolour = "red"\n', "there is no such key"),
        (f'[pods.{"0" * 16}]\nname = "a"\n[pods.{"1" * 16}]\nname = "a"\n', "has this name already"),
        ("pods = 3\n", "a table for each pod"),
    ],
)
def test_a_wrong_file_of_pods_names_the_fault(tmp_path, text, why):
    (tmp_path / "pods.toml").write_text(text)
    with pytest.raises(Malformed, match=why):
        read_pods(tmp_path / "pods.toml")


def test_without_a_file_or_switched_off_there_are_no_pods(tmp_path, settings, file):
    assert make_pods(settings, file.parent) is None
    write_pods(file, {WEST.hex(): PodEntry("west", ("red first",))})
    assert make_pods(Pods(enabled=False), file.parent) is None
