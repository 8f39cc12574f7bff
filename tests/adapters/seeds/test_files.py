"""Seeds are on disk before they are used, only their owner reads them, and what was tampered with is not found."""

import os
import stat

import pytest

from companion.adapters.seeds.files import KEPT, SeedFiles
from companion.core.ruling.chance import commitment


def test_a_seed_is_found_again_by_its_commitment_in_another_run(tmp_path):
    seed = SeedFiles(tmp_path / "seeds").new()
    assert len(bytes.fromhex(seed)) == 32
    assert SeedFiles(tmp_path / "seeds").find(commitment(seed)) == seed


def test_each_is_another(tmp_path):
    seeds = SeedFiles(tmp_path)
    assert len({seeds.new() for _ in range(20)}) == 20


def test_nobody_else_can_read_it(tmp_path):
    seed = SeedFiles(tmp_path / "seeds").new()
    assert stat.S_IMODE((tmp_path / "seeds" / commitment(seed)).stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "seeds").stat().st_mode) == 0o700


@pytest.mark.parametrize("content", [b"", b"00", b"\xff\xff"])
def test_a_seed_that_was_changed_or_lost_is_not_found(tmp_path, content):
    seeds = SeedFiles(tmp_path)
    sha256 = commitment(seeds.new())
    (tmp_path / sha256).write_bytes(content)
    assert seeds.find(sha256) == ""
    (tmp_path / sha256).unlink()
    assert seeds.find(sha256) == ""


def test_where_nothing_can_be_kept_there_is_no_seed(tmp_path):
    (tmp_path / "seeds").write_text("a file stands where the folder should be")
    assert SeedFiles(tmp_path / "seeds").new() == ""


def test_the_oldest_go(tmp_path):
    seeds = SeedFiles(tmp_path)
    first = commitment(seeds.new())
    os.utime(tmp_path / first, (1, 1))
    for _ in range(KEPT):
        seeds.new()
    assert len(list(tmp_path.iterdir())) == KEPT
    assert seeds.find(first) == ""
