"""Sealed records for the tests of a tournament: any lines, sealed as a box does it, by keys of made-up boxes."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from companion.adapters.keys.ed25519 import Ed25519Signer
from companion.core.record.lines import dump_line
from companion.core.record.seals import Sealer
from companion.games import registry
from tests.core.people.records import MS, raced

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

SHEET = "5" * 64
EVENT: dict[str, Any] = {"id": "spring", "round": 1, "table": 1, "sheet": SHEET}
COLOURS = ("red", "yellow", "green", "blue", "purple")


@cache
def box_key(number: int) -> Ed25519Signer:
    """Give what box `number` signs by."""
    return Ed25519Signer(bytes([number]) * 32)


def line(kind: str, **fields: Any) -> bytes:
    return json.dumps({"type": kind, **fields}).encode()


def setup(
    seats: int, game: str = "order", event: Mapping[str, Any] | None = EVENT, match: int = 1, **more: Any
) -> bytes:
    colours = COLOURS[:seats]
    said = {"first": colours[0], **({} if event is None else {"event": dict(event)}), **more}
    return line(
        "setup", record=2, match=f"{match:032x}", game=game, edition=registry.find(game).edition,
        seats=[{"colour": one} for one in colours], **said,
    )  # fmt: skip


def played(*races: Mapping[str, float], game: str = "order") -> list[bytes]:
    """Give the lines of races; each colour with its milliseconds. In Apache every press is punished."""
    return [
        json.dumps(one).encode()
        for number, race in enumerate(races)
        for one in raced(race, (number + 1) * 60_000 * MS, game, 0.02)
    ]


def sealed(lines: Iterable[bytes], box: int = 1, before: Sequence[bytes] = ()) -> list[bytes]:
    """Give lines with a seal wherever a box makes one. before: the record that they follow, which is given too."""
    sealer, signer = Sealer(before), box_key(box)
    out = list(before)
    for raw in lines:
        sealer.add(raw)
        out.append(raw)
        if sealer.is_due:
            out.append(seal_of(sealer, signer))
    return out


def with_seal(lines: Sequence[bytes], box: int = 1) -> list[bytes]:
    """Give a record with a seal more at its end."""
    return [*lines, seal_of(Sealer(lines), box_key(box))]


def seal_of(sealer: Sealer, signer: Ed25519Signer) -> bytes:
    raw = dump_line(sealer.seal(signer.key, signer.sign))
    sealer.add(raw)
    return raw


def table(
    *races: Mapping[str, float], seats: int = 4, signed: int | None = None, box: int = 1, **more: Any
) -> list[bytes]:
    """Give the sealed record of a table that is over. signed: how many seats, None: all."""
    game = more.get("game", "order")
    signs = [line("sign", colour=colour) for colour in COLOURS[: seats if signed is None else signed]]
    return sealed([setup(seats, **more), *played(*races, game=game), line("end"), *signs], box)
