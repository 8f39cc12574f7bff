"""What is written to take the newest doing of a running match back, as its game says. Pure; writes nothing."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

from companion.core.errors import Illegal
from companion.core.record.lines import Restart

if TYPE_CHECKING:
    from companion.core.record.lines import Line, Undo
    from companion.core.ruling.history import Told
    from companion.core.ruling.judge import Judge

NOTHING_TO_UNDO = "there is nothing to take back"


def undoing(judge: Judge, newest: Told, undo: Undo) -> list[Line]:
    """Give the lines that take `newest`, the newest doing, back: with others where the game says that they go together.

    A new clock that has begun since stays begun. Raises Illegal, with the reason, where it cannot be now.
    """
    if judge.game is None:
        raise Illegal(NOTHING_TO_UNDO)
    how = judge.game.taking_back(judge.state, newest.line)
    trial = copy(judge)
    written: list[Line] = []

    def write(line: Line) -> None:
        trial.feed(line)
        written.append(line)

    is_another_clock = False
    for _ in range(max(1, how.lines)):
        doing = trial.history.newest_doing()
        if doing is None:
            raise Illegal(f"{how.lines} lines would go back together, and there are not so many")
        while trial.history.taken_back_by(doing.number) is None:
            is_another_clock = is_another_clock or _is_restart(trial)
            write(undo)
    if is_another_clock:
        write(Restart())
    if how.then is not None:
        write(how.then)
    return written


def _is_restart(judge: Judge) -> bool:
    newest = judge.history.newest()
    return newest is not None and isinstance(newest.line, Restart)
