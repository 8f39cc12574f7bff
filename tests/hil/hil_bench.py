"""The benchmark on a kernel's lines runs its whole way too; the smokes of the others are in `make test-all`."""

from __future__ import annotations

import pytest

from tests.bench.parts import ON_A_KERNEL, patience_s, smoke


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=pytest.mark.timeout(patience_s(one) + 30)) for one in ON_A_KERNEL]
)
def test_a_part_runs_its_whole_way_and_gives_every_row_and_figure(name: str) -> None:
    smoke(name)
