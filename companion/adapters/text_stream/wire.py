"""What a reader and the box say to each other over the socket, one JSON object or one line of text a line. Values."""

from __future__ import annotations

from typing import Literal

import msgspec

SOCKET_NAME = "follow.sock"
LONGEST_ASKED = 1024
"""Bytes of one line of a reader's, at most."""


class Asked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a reader wants: first of all its language, and how much is to be said; later to hear again how things stand.

    language: "" for the box's own.
    """

    language: str = ""
    wordiness: Literal["brief", "normal", "full"] = "normal"
    again: bool = False
