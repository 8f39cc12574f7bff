"""Evidence waits while a press is on its way to the disk, and goes to the match it is of."""

from __future__ import annotations

from companion.adapters.simulated.memory_journal import MemoryJournal
from companion.app.storing.sealing import Sealing
from companion.app.turn.effect_runner import MOST_HELD, EffectRunner
from companion.core.evidence.capture import Captured


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
