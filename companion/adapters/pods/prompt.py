"""MicroPython's prompt at a pod's port: whoever copies files onto a pod must have had an answer there first.

A pod that restarts drops the bytes that come meanwhile, and how long it takes depends on the chip, its file system and
the host's USB. So the prompt is asked for again and again, and nothing is copied before it has answered.

A prompt alone tells nothing: it may answer a frame that was on its way when the pod restarted, and behind it may lie a
Ctrl-D that starts the program anew. So each question is a product of its own, and only its result is an answer: all
that lay before it has then been taken.
"""

from __future__ import annotations

import select
import time
from typing import TYPE_CHECKING

from companion.adapters.pods.ports import open_port
from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import serial

ASK = b"\r\x03\x02print(%d * %d)\r"
"""A new line, Ctrl-C and Ctrl-B: end what is typed or runs, and leave the mode without a prompt, into which the frames
that call a pod's program may have led. Then a product."""
ANSWER = b"\n%d\r\n>>> "
"""The result, which the echo of the question does not hold, and the prompt after it."""
FACTOR = 9973
"""The question of number n is this times n."""
GONE_S = 0.1
"""How long to wait before a port that is not there is looked for again: USB takes seconds to bring a pod back."""


def wait_for_prompt(
    path: Path,
    patience_s: float = 20.0,
    *,
    ask_again_s: float = 1.0,
    open_port: Callable[[Path], serial.Serial] = open_port,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Return when the pod at `path` has answered at MicroPython's prompt.

    patience_s: how long the port may be away, or silent, in seconds. ask_again_s: how long one question waits for its
    answer before it is taken for lost.

    Raises:
        Unavailable: it has not, or the port could not be opened to the end; says what to do.
    """
    until = clock() + patience_s
    why = Unavailable(
        f"{path} does not show MicroPython's prompt: unplug the pod and plug it in again; if that does not help, "
        "install MicroPython on it anew"
    )
    closed: Unavailable | None = None
    number = 0
    while clock() < until:
        number += 1
        try:
            port = open_port(path)
        except Unavailable as error:
            closed = error
            sleep(GONE_S)
            continue
        closed = None
        with port:
            if _answers(port, number, min(until, clock() + ask_again_s), clock):
                return
    raise closed or why


def _answers(port: serial.Serial, number: int, until: float, clock: Callable[[], float]) -> bool:
    """Ask the question of this number; a port that goes away while it is asked has not answered."""
    said = b""
    try:
        port.write(ASK % (FACTOR, number))
        while (rest := until - clock()) > 0:
            select.select([port], [], [], rest)
            said += port.read(4096)
            if said.endswith(ANSWER % (FACTOR * number)):
                return True
    except OSError:
        return False
    return False
