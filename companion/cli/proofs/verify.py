"""Says how far the seals of a record hold, and by which key this box seals: `companion verify`, `companion key`.

What a record leads to is said by `companion replay`, whatever its seals say. The file of a whole event, which is known
by its first bytes, is worked out again by `event`.
"""

from __future__ import annotations

from base64 import b64decode
from binascii import Error as NoBase64
from typing import TYPE_CHECKING

import click

from companion.adapters.event_archive.reader import is_archive
from companion.adapters.keys.box_key import BoxKey
from companion.adapters.keys.ed25519 import KEY_BYTES, check
from companion.cli.options import config_option, read_settings, state_dir_option
from companion.cli.proofs import event
from companion.cli.replay import lines_in, opened
from companion.config.reading import state_directory
from companion.core.errors import Unavailable
from companion.core.record.lines import LONGEST_LINE, MalformedLine
from companion.core.record.seals import in_base64, verify_seals
from companion.files.reading import open_file, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from companion.core.record.seals import KeyUse, Verified

HOLD, BROKEN, UNREADABLE = 0, 1, 2
"""Exit statuses: every seal holds, or there is none; one does not, or is by another key than KEY; no such file."""

IS_WANTED = "this is the key that was asked for"
WHOSE = "nothing proves whose key that is: compare it with what `companion key` says on the box, or give it by --key"


@click.command("verify")
@click.argument("record", metavar="FILE")
@click.option("--key", "key_text", metavar="KEY", help="All seals must be by this key: base64, or a file with it.")
@click.option("--head", "head_text", metavar="HEX", help="Of an event: the head of its log that a print names.")
def command(record: str, key_text: str | None, head_text: str | None) -> int:
    """Say up to which line the seals of a record hold; - reads standard input. Work out an event's file again."""
    wanted = None if key_text is None else read_key(key_text)
    head = None if head_text is None else event.read_head(head_text)
    name = "standard input" if record == "-" else record
    if record != "-" and _is_event(record):
        if key_text is not None:
            raise click.UsageError("--key is for a record; an event's file has the keys of all its boxes")
        return event.run(record, head)
    if head is not None:
        raise click.UsageError(f"--head is for an event's file, and {shown(record)} is none")
    try:
        with opened(record, None) as file:
            found = verify_seals(_whole(lines_in(file, name)), check, wanted)
    except MalformedLine as error:
        click.echo(f"{name}: {error}")
        return BROKEN
    except Unavailable as error:
        click.echo(f"companion verify: {error}", err=True)
        return UNREADABLE
    for sentence in sentences(found, is_key_given=wanted is not None):
        click.echo(sentence)
    return HOLD if found.fault is None else BROKEN


@click.command("key")
@config_option
@state_dir_option
def key_command(config_file: Path | None, state_dir: str | None) -> None:
    """Print the public key that this box seals by."""
    directory = state_directory(read_settings(config_file, state_dir=state_dir).box)
    click.echo(in_base64(BoxKey(directory).public_key()))


def _is_event(path: str) -> bool:
    try:
        return is_archive(path)
    except Unavailable:
        return False  # said by whoever reads it


def read_key(text: str) -> bytes:
    """Give the public key that was named on the command line. Raises UsageError."""
    for candidate in (text, _content(text)):
        try:
            key = b64decode(candidate.strip(), validate=True)
        except (NoBase64, ValueError):
            continue
        if len(key) == KEY_BYTES:
            return key
    raise click.UsageError(
        f"--key {shown(text)}: neither a key ({KEY_BYTES} bytes in base64, as `companion key` prints)"
        " nor a file with one"
    )


def _content(path: str) -> str:
    try:
        with open_file(path) as file:
            return file.read(1000).decode("ascii")
    except (OSError, ValueError):
        return ""


def _whole(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Give lines on, unless one is too long to be given whole: a part of a line must not pass for one."""
    for number, raw in enumerate(lines, start=1):
        if len(raw) > LONGEST_LINE:
            raise MalformedLine(number, f"longer than {LONGEST_LINE} bytes")
        yield raw


def sentences(found: Verified, *, is_key_given: bool) -> Iterator[str]:
    """Say how far the seals hold. is_key_given: they were asked to be by a certain key."""
    if found.fault is not None:
        yield f"line {found.fault.line}: this seal does not hold: {found.fault.why}"
        if not found.seals:
            yield "no seal before it: nothing vouches for any line"
            return
        yield f"every seal before it holds, up to line {found.sealed}: {_vouched(found)}"
    elif not found.seals:
        yield "warning: not sealed: no line is a seal, and nothing shows whether any line has been changed"
        return
    else:
        yield f"every seal holds, up to line {found.sealed} ({found.seals} in all): {_vouched(found)}"
        if found.lines > found.sealed:
            yield f"{_range(found.sealed + 1, found.lines)} after the last seal: nothing vouches for what they say"
    yield from (_by(use) for use in found.keys)
    yield IS_WANTED if is_key_given else WHOSE
    yield "nothing shows whether lines followed the last seal"


def _vouched(found: Verified) -> str:
    return f"{_range(1, found.sealed - 1)} as sealed, but for `names` lines, which may be changed"


def _range(first: int, last: int) -> str:
    return f"line {first} is" if first == last else f"lines {first} to {last} are"


def _by(use: KeyUse) -> str:
    moved = ", to whose box the match was moved" if use.is_announced else ""
    return f"from line {use.line} on sealed by the key {in_base64(use.key)}{moved}"
