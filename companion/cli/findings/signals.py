"""What `companion doctor` says of the expanders of lamps and motors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from companion.app.devices import make_button_lamps, make_expander
from companion.cli.findings.finding import Finding, Health
from companion.core.errors import CompanionError, Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.config.settings import Signals


class Trial(Protocol):
    """As much of `ExpanderSignals` and `ButtonLamps` as is asked of both."""

    name: str

    def open(self) -> None:
        """Set it up, with all off. Raises Unavailable."""

    def close(self) -> None:
        """Let go of it."""

    def wiring(self) -> list[str]:
        """Say what is wired where."""


TRY = "companion signals --test tries each lamp and motor"


def check_signals(
    chosen: Signals,
    make: Callable[[Signals], Trial | None] = make_expander,
    make_buttons: Callable[[Signals], Trial | None] = make_button_lamps,
) -> Iterable[Finding]:
    """Set the chips up as a match would, with everything off, and let go of them; nothing where there are none."""
    yield from _checked(chosen, "signals", make)
    yield from _checked(chosen, "button lamps", make_buttons)


def _checked(chosen: Signals, what: str, make: Callable[[Signals], Trial | None]) -> Iterable[Finding]:
    try:
        made = make(chosen)
        if made is None:
            return
        made.open()
    except CompanionError as error:
        yield Finding(Health.FAULT, what, *_mended(error))
        return
    made.close()
    wiring = "; ".join(made.wiring())
    yield Finding(Health.OK, what, f"{made.name}: set up, all off ({wiring}); companion signals --test tries each")


def _mended(error: CompanionError) -> tuple[str, str]:
    """Give what is wrong and how to mend it; of a wrong setting its text says both."""
    text, colon, mend = str(error).rpartition(": ")
    if colon and isinstance(error, Unavailable):
        return text, f"{mend}; then {TRY}"
    return str(error), TRY
