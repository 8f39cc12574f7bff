"""Whatever lies in the state directory where the box's files should be: the box starts, says so, and records."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from companion.adapters.sqlite_journal import export_lines
from companion.app.assembly import ALL_LINES, build, table_of
from companion.config.reading import Flag, load
from companion.config.run_options import RunOptions
from companion.core.panel import Colour

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.app.loop import BoxLoop

JUNK = bytes(range(256)) * 30


def a_folder(path: Path) -> None:
    path.mkdir()
    (path / "in it").touch()


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def junk(path: Path) -> None:
    path.write_bytes(JUNK)


def a_link_to_itself(path: Path) -> None:
    path.symlink_to(path)


def a_large_one(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(20 * 2**20)


def nested(path: Path) -> None:
    path.write_bytes(b'{"type":"taken","x":' + b"[" * 100_000)


def numbers_beyond_all(path: Path) -> None:
    path.write_text('{"type":"taken","match":1,"boot":null,"line":"red first","t_ns":1e999,"error_ns":-1}\n')


KINDS = (a_folder, a_pipe, junk, a_link_to_itself, a_large_one, nested, numbers_beyond_all)
NAMES = ("intake.jsonl", "seal.key", "seal.pub", "matches.last", "evidence", "seeds", "matches.lock", "matches.sqlite")

HARMLESS = {
    "matches.last": KINDS,
    "matches.lock": tuple(kind for kind in KINDS if kind not in (a_folder, a_link_to_itself)),
    "evidence": KINDS,
    "seeds": KINDS,
}
"""What these hold is of no use to anybody, or is missed only later, and then said."""


def box(state: Path, seats: tuple[Colour, ...] = (Colour.RED, Colour.YELLOW), resume: str = "never") -> BoxLoop:
    settings = load(None, [Flag("", ("box", "state_dir"), str(state)), Flag("", ("box", "resume"), resume)])
    options = RunOptions(simulate=True, seats=seats)
    loop = build(settings, options, sources=[], lines=ALL_LINES, displays=[], buzzer=None)
    loop.box.session.advance(0, 0)
    loop._effects.run(loop.box.session)
    return loop


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_the_box_starts_plays_and_says_what_it_cannot_use(
    tmp_path: Path, name: str, kind: Callable[[Path], None]
) -> None:
    kind(tmp_path / name)
    loop = box(tmp_path)
    match_id = loop.match_id
    assert match_id == 1
    loop._effects.close()
    said = loop.box.session.scene().alarms
    if kind not in HARMLESS.get(name, ()):
        assert said, "what cannot be used is said"
    if name in ("matches.lock", "matches.sqlite"):
        return
    lines = export_lines(tmp_path, match_id)
    assert b'"setup"' in lines[0]
    if name == "intake.jsonl":
        assert "kept as intake-damaged-" in said[0]
        assert list(tmp_path.glob("intake-damaged-*.jsonl"))
        assert any(b'"remark"' in line and b"intake-damaged-" in line for line in lines)


def test_presses_that_can_be_read_among_junk_still_wait(tmp_path: Path) -> None:
    first = box(tmp_path)
    first._effects.close()
    good = b'{"type":"taken","match":1,"boot":null,"line":"red first","t_ns":5,"error_ns":9}\n'
    (tmp_path / "intake.jsonl").write_bytes(JUNK + b"\n" + good + good.replace(b"red first", b"no button"))
    again = box(tmp_path, seats=(), resume="always")
    assert again.box.session.match is not None
    again._effects.close()
    (aside,) = tmp_path.glob("intake-damaged-*.jsonl")
    assert aside.read_bytes().startswith(JUNK)
    assert b'"red first"' in (tmp_path / "intake.jsonl").read_bytes()


def test_what_was_set_aside_is_said_until_the_next_match_and_in_its_record(tmp_path: Path) -> None:
    junk(tmp_path / "matches.sqlite")
    loop = box(tmp_path, seats=())
    (said,) = (text for text in loop.box.session.scene().alarms if "was damaged" in text)
    assert "kept as matches-damaged-" in said
    session = loop.box.session
    settings = load(None, [Flag("", ("match", "game"), "order")])
    table = table_of(settings, RunOptions(seats=(Colour.RED, Colour.YELLOW)))
    session.start(table.setup(session.find_game("order")))
    loop._effects.run(session)
    assert said not in session.scene().alarms
    match_id = loop.match_id
    assert match_id is not None
    loop._effects.close()
    assert any(b'"remark"' in line and b"matches-damaged-" in line for line in export_lines(tmp_path, match_id))
