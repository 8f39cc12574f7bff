"""The benchmark on a kernel's lines plays its whole way too; the smokes of the others are in `make test-all`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.bench import hobbyist
from tests.bench.parts import ON_A_KERNEL, faults
from tests.hil.beside import SCENARIOS, play_beside

if TYPE_CHECKING:
    from tests.hil.guest import Guest


def test_the_hobbyists_part_gives_every_row_and_figure(guest: Guest, unique: str) -> None:
    assert ON_A_KERNEL == ("hobbyist",)
    rounds = hobbyist.SMOKE.rounds
    played = [play_beside(guest, name, rounds, f"{unique}-{number}") for number, name in enumerate(SCENARIOS)]
    assert faults(hobbyist.told_of(played), hobbyist.FIGURES) == []
