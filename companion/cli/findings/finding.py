"""One thing that was looked at: how it is, and how to mend it."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Health(StrEnum):
    """How a thing is. Only a fault makes the doctor's exit status 1."""

    OK = "OK"
    WARNING = "warning"
    FAULT = "fault"


class Finding(NamedTuple):
    """What was looked at, how it is, and how to mend it (empty where nothing is wrong)."""

    health: Health
    subject: str
    text: str
    mend: str = ""
