"""A practice match: one of which pages explain each ruling. Pure.

It is judged like any other; the record says so in a remark near its beginning, which decides nothing, so that whoever
counts matches can leave it out, and so that a match that is taken up again is explained as before.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from companion.core.record.lines import Remark

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.record.lines import Line

PRACTICE = "practice: each ruling is explained"
"""The remark's text."""
LOOKED_AT = 60
"""Lines of a record among which it stands: those before it are remarks from before the match."""


def is_practice(lines: Iterable[Line]) -> bool:
    """Tell whether a record is that of a practice match."""
    return any(isinstance(line, Remark) and line.text == PRACTICE for line in islice(lines, LOOKED_AT))
