"""Evidence waits while a press is on its way to the disk, and goes to the match it is of; cues go to who follows."""

from __future__ import annotations

from companion.adapters.simulated.memory_journal import MemoryJournal
from companion.app.storing.sealing import Sealing
from companion.app.turn.effect_runner import MOST_HELD, EffectRunner
from companion.core.evidence.capture import Captured
from companion.core.match.effects import Cue
from companion.core.panel import Colour


class Store:
    """Keeps what it is given."""

    def __init__(self) -> None:
        self.kept: list[tuple[int, int]] = []
        self.is_busy = False

    def open(self, on_kept: object, on_state: object) -> None:
        """Nothing is told."""

    def keep(self, match_id: int, captured: Captured) -> None:
        self.kept.append((match_id, captured.race))

    def retry(self) -> None:
        """Nothing has failed."""

    def close(self) -> None:
        """Nothing is open."""


def runner(store: Store) -> EffectRunner:
    sealing = Sealing(None, lambda _action: None)
    return EffectRunner(MemoryJournal(), None, (), 1, None, str, sealing, evidence=store)


def of(race: int) -> Captured:
    return Captured(race, b"", "", 0)


def test_evidence_waits_while_a_press_is_on_its_way_and_keeps_its_match() -> None:
    store = Store()
    effects = runner(store)
    effects.keep([of(1)], is_busy=True)
    assert store.kept == []
    effects.match_id = 2
    effects.keep([of(1)], is_busy=False)
    assert store.kept == [(1, 1), (2, 1)]


def test_however_busy_the_box_is_no_more_than_a_few_races_are_held_back() -> None:
    store = Store()
    effects = runner(store)
    for race in range(MOST_HELD):
        effects.keep([of(race)], is_busy=True)
    assert store.kept == []
    effects.keep([of(MOST_HELD)], is_busy=True)
    assert [race for _, race in store.kept] == list(range(MOST_HELD + 1))


def test_what_was_held_back_is_stored_at_the_end() -> None:
    store = Store()
    effects = runner(store)
    effects.keep([of(1)], is_busy=True)
    effects.close()
    assert store.kept == [(1, 1)]


class Follower:
    """Keeps the cues it is told."""

    def __init__(self) -> None:
        self.cues: list[Cue] = []

    def follow(self, _session: object, _scene: object, _now_ns: int, _match_id: int | None) -> None:
        """Nothing is shown."""

    def sound(self, _tone: object) -> None:
        """Nothing sounds."""

    def cue(self, cue: Cue) -> None:
        self.cues.append(cue)


def test_what_a_seat_alone_is_offered_goes_to_every_follower() -> None:
    one, other = Follower(), Follower()
    effects = EffectRunner(MemoryJournal(), None, (one, other), 1, None, str, Sealing(None, lambda _action: None))
    effects.do(Cue(Colour.RED, 2, "second"))
    assert one.cues == other.cues == [Cue(Colour.RED, 2, "second")]
