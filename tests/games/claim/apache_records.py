"""Records of Apache as records of Claim: the setup with the file, `prisoner` called `picked`; all else as it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.record.lines import Setup, SetupFile, dump_line, parse_line
from companion.games.claim.files import shipped
from tests.replay import generate

if TYPE_CHECKING:
    import pytest


def base_match(seed: int, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Give a random match of Apache's base game, by Apache's own generator."""
    monkeypatch.setattr(generate, "VARIANTS", ())
    return generate.random_match(seed)


def as_claim(record: list[bytes]) -> list[bytes]:
    """Give the record of the same match, described in a file."""
    setup = parse_line(record[0], 1)
    assert isinstance(setup, Setup)
    file = SetupFile("apache-base.toml", shipped("apache-base"))
    told = replace(setup, game="claim", files={"game": file})
    return [dump_line(told), *(line.replace(b'"prisoner":', b'"picked":') for line in record[1:])]
