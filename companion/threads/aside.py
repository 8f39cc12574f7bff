"""What takes long, beside an event loop: in a thread of the loop's own pool. For the desk of a tournament, not a box.

Only what has no state of its own belongs there, or what nobody else touches meanwhile.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")


async def aside(do: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do something in a thread, and give what it gives. Raises what it raises."""
    return await asyncio.to_thread(do, *args, **kwargs)
