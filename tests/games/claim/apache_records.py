"""Records of Apache as records of Claim: the setup with the file, `prisoner` called `picked`; all else as it stands."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.core.record.lines import Setup, SetupFile, dump_line, parse_line
from companion.core.ruling.judge import judge_record
from companion.games.claim.files import shipped
from companion.games.registry import find
from tests.replay import generate

if TYPE_CHECKING:
    import pytest

Document = dict[str, Any]


def base_match(seed: int, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """A random match of Apache's base game, by Apache's own generator."""
    monkeypatch.setattr(generate, "VARIANTS", ())
    return generate.random_match(seed)


def as_claim(record: list[bytes]) -> list[bytes]:
    setup = parse_line(record[0], 1)
    assert isinstance(setup, Setup)
    file = SetupFile("apache-base.toml", shipped("apache-base"))
    told = replace(setup, game="claim", edition=find("claim").edition, files={"game": file})
    return [dump_line(told), *(line.replace(b'"prisoner":', b'"picked":') for line in record[1:])]


def rulings(record: list[bytes]) -> list[Document]:
    return [json.loads(json.dumps(to_builtins(ruling))) for ruling in judge_record(record, find)]


def to_builtins(ruling: object) -> Any:
    import msgspec

    return msgspec.to_builtins(ruling)
