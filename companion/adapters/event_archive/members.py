"""What an event's file is made of: the names of its members, and how large they may be. Pure."""

from __future__ import annotations

import re

from companion.core.errors import Malformed

MIB = 2**20
MOST_MEMBERS = 60_000
"""A thousand tables of ten rounds are 10,000 records; with so few no archive needs the long form (zip64)."""
LARGEST_MEMBER = 64 * MIB
"""A record of a whole evening is below 1 MiB, the log of an event of 4,000 players below 10."""
LARGEST_IN_ALL = 2048 * MIB
LARGEST_FILE = 512 * MIB

LOG, README = "event.jsonl", "README.txt"
_BOX = r"(?P<box>[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?)"
_RECORD = re.compile(rf"records/{_BOX}/(?P<match>[0-9a-f]{{32}})\.jsonl\Z", re.ASCII)
_KEYS = re.compile(rf"keys/{_BOX}\.pub\Z", re.ASCII)
KEY = re.compile(r"[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=\Z", re.ASCII)
"""32 bytes in base64."""
ALLOWED = f"there are {LOG}, {README}, records/BOX/MATCH.jsonl and keys/BOX.pub"

TEXT = """\
This file is all that was written down at a tournament.

  event.jsonl               the event's log: who entered, what was drawn, which records became official, what the
                            referee decided. Each line names the SHA-256 of the line before it.
  records/BOX/MATCH.jsonl   a match as its box wrote it, line by line, with the box's seals: a seal is the SHA-256 of
                            all lines before it, signed by the box.
  keys/BOX.pub              the public keys that a box was enrolled with, in base64, one a line, the newest last.

Whoever has the program of the boxes can work out every ruling, every drawing and every standing again, without a
network and without trusting anybody who handed this file on:

  companion verify EVENT.zip --head HEX

HEX is what is printed on the pairings of any round as the log's head; take it from a sheet of paper that you got at
the event. The log up to that line is then the one that was printed. Without --head the program can only tell that all
of it fits together: somebody could have written the whole file anew, so that it does.
"""


def record_member(box: str, match: str) -> str:
    """Give the name of a record's member."""
    return f"records/{box}/{match}.jsonl"


def keys_member(box: str) -> str:
    """Give the name of the member with a box's keys."""
    return f"keys/{box}.pub"


def record_of(name: str) -> tuple[str, str] | None:
    """Give box and match of a record's member, None for any other name."""
    found = _RECORD.match(name)
    return None if found is None else (found["box"], found["match"])


def keys_of(name: str) -> str | None:
    """Give whose keys a member has, None for any other name."""
    found = _KEYS.match(name)
    return None if found is None else found["box"]


def check_name(name: str) -> None:
    """Raise Malformed for what is no member of an event's file."""
    if name not in {LOG, README} and record_of(name) is None and keys_of(name) is None:
        raise Malformed(f"{name!r} is no member of an event's file: {ALLOWED}")
