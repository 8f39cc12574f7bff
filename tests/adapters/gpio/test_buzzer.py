"""The buzzer on gpiozero's mock pins, and on libgpiod's fake: what sounds, and that it never stops the box."""

import threading

import pytest

from companion.adapters.gpio.outputs.buzzer import PanelBuzzer
from companion.adapters.gpio.outputs.gpiod_output import GpiodOutputs, parts_of_wave_ns
from companion.core.errors import Malformed, Unavailable
from companion.core.panel import Colour
from companion.core.signals.tones import PITCHES, RHYTHMIC, duty_of, notes_of
from companion.ports import Sound, Tone
from tests.fakes.gpio_chip import FakeKernel


class Stage:
    """Stands in for the condition's wait: time passes at once, and what sounded is written down."""

    def __init__(self):
        self.heard = []
        self.idle = threading.Event()
        self.buzzer: PanelBuzzer
        self.interrupt = None

    def wait(self, condition, seconds):
        if seconds is None:
            self.idle.set()
            condition.wait()
            return
        device = self.buzzer._device
        self.heard.append((device.value if self.buzzer._kind == "active" else device.tone, round(seconds * 1000)))
        if self.interrupt is not None:
            interrupt, self.interrupt = self.interrupt, None
            self.buzzer.play(interrupt)

    def play(self, tone, *seats):
        self.heard.clear()
        assert self.idle.wait(20)
        self.idle.clear()
        self.buzzer.play(Sound(tone, seats))
        assert self.idle.wait(20)
        return list(self.heard)


@pytest.fixture
def stage(monkeypatch):
    monkeypatch.setenv("GPIOZERO_MOCK_PIN_CLASS", "mockpwmpin")
    return Stage()


def staged(stage, **settings):
    stage.buzzer = PanelBuzzer(27, factory="mock", wait=stage.wait, **settings)
    stage.buzzer.open()
    return stage.buzzer


@pytest.mark.parametrize("tone", Tone)
def test_a_passive_buzzer_plays_each_tones_pitches_and_falls_silent(stage, tone):
    buzzer = staged(stage)
    heard = stage.play(tone)
    assert [ms for _, ms in heard] == [note.ms for note in PITCHES[tone]]
    for (sounding, _), note in zip(heard, PITCHES[tone], strict=True):
        assert (sounding is None) == (note.hz == 0)
        if sounding is not None:
            assert sounding.frequency == pytest.approx(note.hz)
    assert buzzer._device.tone is None
    buzzer.close()


@pytest.mark.parametrize("tone", Tone)
def test_an_active_buzzer_plays_each_tones_rhythm_and_falls_silent(stage, monkeypatch, tone):
    monkeypatch.delenv("GPIOZERO_MOCK_PIN_CLASS")
    buzzer = staged(stage, kind="active")
    assert stage.play(tone) == [(int(bool(note.hz)), note.ms) for note in RHYTHMIC[tone]]
    assert buzzer._device.value == 0
    buzzer.close()


def beeps(notes):
    return tuple(note for note in notes if note.hz)


def shape(notes):
    sounding = beeps(notes)
    direction = sounding[-1].hz - sounding[0].hz
    return len(sounding), (direction > 0) - (direction < 0)


def test_the_pitch_patterns_differ_in_number_or_direction():
    assert set(PITCHES) == set(Tone)
    assert len({shape(notes) for notes in PITCHES.values()}) == len(Tone)


def test_no_tone_is_longer_than_a_second_and_a_half():
    for notes in [*PITCHES.values(), *RHYTHMIC.values()]:
        assert sum(note.ms for note in notes) <= 1500


def test_a_new_tone_cuts_off_the_one_that_sounds(stage):
    buzzer = staged(stage)
    stage.interrupt = Sound(Tone.ACCEPTED)
    heard = stage.play(Tone.PUNISHED)
    assert [ms for _, ms in heard] == [PITCHES[Tone.PUNISHED][0].ms, *(note.ms for note in PITCHES[Tone.ACCEPTED])]
    buzzer.close()


def test_a_tone_that_follows_waits_for_the_one_that_sounds(stage):
    buzzer = staged(stage)
    stage.interrupt = Sound(Tone.CHOOSE, follows=True)
    heard = stage.play(Tone.FIRST)
    assert [ms for _, ms in heard] == [note.ms for note in (*PITCHES[Tone.FIRST], *PITCHES[Tone.CHOOSE])]
    buzzer.close()


def test_a_tone_that_follows_does_not_shorten_the_note_that_sounds(stage):
    """The wait of a note ends early where it is notified; only what cuts off may do that."""
    buzzer = staged(stage)
    woken = []
    notify, buzzer._condition.notify = buzzer._condition.notify, lambda: woken.append(True)
    buzzer._is_idle = False
    buzzer.play(Sound(Tone.ACCEPTED, follows=True))
    assert woken == []
    buzzer.play(Sound(Tone.ACCEPTED))
    assert woken == [True]
    buzzer._condition.notify = notify
    buzzer.close()


def test_no_more_than_three_tones_wait(stage):
    buzzer = staged(stage)
    buzzer._is_idle = False
    for tone in Tone:
        with buzzer._condition:
            buzzer.play(Sound(tone, follows=True))
            waiting = len(buzzer._wanted)
        assert waiting <= 3
    buzzer.close()


@pytest.mark.parametrize("seat", Colour)
@pytest.mark.parametrize("kind", ["passive", "active"])
def test_each_seat_s_own_tone_follows_what_is_said_of_it(stage, monkeypatch, kind, seat):
    if kind == "active":
        monkeypatch.delenv("GPIOZERO_MOCK_PIN_CLASS")
    buzzer = staged(stage, kind=kind)
    heard = stage.play(Tone.ACCEPTED, seat)
    notes = notes_of(Tone.ACCEPTED, (seat,), has_pitches=kind == "passive")
    assert [ms for _, ms in heard] == [note.ms for note in notes]
    sounds = [bool(value) if kind == "active" else value is not None for value, _ in heard]
    assert sounds == [bool(note.hz) for note in notes]
    buzzer.close()


@pytest.mark.parametrize("volume", [100, 50, 5])
def test_a_passive_buzzer_is_as_loud_as_its_wave_is_wide(stage, volume):
    buzzer = staged(stage, volume=volume)
    buzzer._sound(1000)
    assert buzzer._device.pwm_device.value == pytest.approx(duty_of(volume))
    assert buzzer._device.tone.frequency == pytest.approx(1000)
    buzzer._sound(0)
    buzzer.close()


def test_at_volume_0_nothing_sounds(stage):
    buzzer = staged(stage, volume=0)
    assert {value for value, _ in stage.play(Tone.PUNISHED)} == {None}
    buzzer.close()


def test_a_silent_kind_has_no_thread_and_no_pin():
    buzzer = PanelBuzzer(27, kind="none")
    buzzer.open()
    buzzer.play(Sound(Tone.ACCEPTED))
    assert buzzer.pins is None
    assert buzzer._thread is None
    buzzer.close()


def test_a_missing_buzzer_is_unavailable_and_playing_goes_unheard():
    buzzer = PanelBuzzer(27, factory="lgpio", chip="pinctrl-nowhere")
    with pytest.raises(Unavailable, match="buzzer on GPIO 27 cannot be had"):
        buzzer.open()
    assert buzzer.fault is not None
    assert "GPIO 27" in buzzer.fault
    buzzer.play(Sound(Tone.REFUSED))
    buzzer.close()
    buzzer.close()


def test_a_buzzer_that_fails_while_playing_is_one_fault_and_claimed_anew(stage, monkeypatch):
    faults = list[str]()
    buzzer = staged(stage, on_fault=faults.append)
    kind, first = type(buzzer._device), buzzer._device

    def fail(*_):
        monkeypatch.undo()
        monkeypatch.setenv("GPIOZERO_MOCK_PIN_CLASS", "mockpwmpin")
        raise OSError("the chip has gone")

    monkeypatch.setattr(kind, "play", fail)
    assert stage.idle.wait(20)
    stage.idle.clear()
    buzzer.play(Sound(Tone.ACCEPTED))
    assert stage.idle.wait(20)
    assert faults == ["the buzzer on GPIO 27 failed: the chip has gone"]
    assert (buzzer.fault, buzzer._device is first) == (None, False)
    assert [ms for _, ms in stage.play(Tone.ACCEPTED)] == [note.ms for note in PITCHES[Tone.ACCEPTED]]
    buzzer.close()


def test_an_unknown_kind_is_refused_by_name():
    with pytest.raises(Malformed, match="passive, active, none"):
        PanelBuzzer(27, kind="loud")  # type: ignore[arg-type]  # as settings might have it


def test_open_again_after_close(stage):
    buzzer = staged(stage)
    buzzer.close()
    stage.idle.clear()
    buzzer.open()
    assert stage.play(Tone.CHOOSE)
    buzzer.close()


class TestOnLibgpiod:
    @pytest.fixture
    def chip(self, monkeypatch, tmp_path):
        return FakeKernel(monkeypatch, tmp_path).add()

    def test_a_note_is_a_square_wave_on_the_line_and_then_low_with_no_thread_left(self, chip):
        before = threading.active_count()
        buzzer = PanelBuzzer(27, factory="gpiod")
        buzzer.open()
        assert (chip.requests[0].consumer, chip.requests[0].offsets) == ("companion buzzer", [27])
        chip.written.clear()
        buzzer._device.play(784)
        assert chip.wrote(27, times=7)
        buzzer._device.stop()
        levels = [level for _, level in chip.written]
        first = levels.index(True)
        assert levels[first : first + 6] == [True, False] * 3
        assert levels[-1] is False
        buzzer.close()
        assert chip.requests == []
        assert threading.active_count() == before

    def test_an_active_buzzer_is_only_switched(self, chip):
        buzzer = PanelBuzzer(27, kind="active", factory="gpiod")
        buzzer.open()
        chip.written.clear()
        buzzer._device.on()
        buzzer._device.off()
        assert chip.written == [(27, True), (27, False)]
        buzzer.close()

    def test_a_taken_line_names_who_has_it(self, chip):
        chip.consumers[27] = "pwm-fan"
        with pytest.raises(Unavailable, match="pwm-fan"):
            PanelBuzzer(27, factory="gpiod").open()

    def test_a_chip_that_vanishes_while_sounding_ends_the_wave(self, chip):
        before = threading.active_count()
        pin = GpiodOutputs().pin(27)
        pin.function = "output"
        pin.frequency = 2000
        pin.state = 0.5
        chip.is_gone = True
        assert pin._wave is not None
        pin._wave._thread.join(20)
        assert threading.active_count() == before
        chip.is_gone = False
        pin.close()

    def test_a_soft_tone_is_high_for_less_of_each_period_and_lasts_as_long(self, chip):
        buzzer = PanelBuzzer(27, factory="gpiod", volume=50)
        buzzer.open()
        buzzer._sound(1000)
        assert buzzer.pins is not None
        pin = buzzer.pins.factory.pins[27]
        high_ns, low_ns = pin._wave.parts_ns
        assert high_ns == pytest.approx(1_000_000 / 6, abs=1)
        assert high_ns + low_ns == 1_000_000
        assert chip.wrote(27, times=4)
        buzzer._sound(0)
        assert chip.written[-1] == (27, False)
        buzzer.close()

    def test_the_parts_of_a_wave_are_its_period(self):
        assert parts_of_wave_ns(1000, 0.5) == (500_000, 500_000)
        assert parts_of_wave_ns(1000, 0.1) == (100_000, 900_000)
