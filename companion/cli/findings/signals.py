"""What `companion doctor` says of the expander of lamps and motors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.app.devices import make_expander
from companion.cli.findings.finding import Finding, Health
from companion.core.errors import CompanionError, Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.adapters.signals.expander import ExpanderSignals
    from companion.config.settings import Signals

TRY = "companion signals --test tries each lamp and motor"


def check_signals(
    chosen: Signals, make: Callable[[Signals], ExpanderSignals | None] = make_expander
) -> Iterable[Finding]:  # fmt: skip
    """Set the expander up as a match would, with everything off, and let go of it; nothing where there is none."""
    try:
        expander = make(chosen)
        if expander is None:
            return
        expander.open()
    except CompanionError as error:
        yield Finding(Health.FAULT, "signals", *_mended(error))
        return
    expander.close()
    yield Finding(
        Health.OK,
        "signals",
        f"{expander.name}: set up, all off ({'; '.join(expander.wiring())}); companion signals --test tries each",
    )


def _mended(error: CompanionError) -> tuple[str, str]:
    """Give what is wrong and how to mend it; of a wrong setting its text says both."""
    text, colon, mend = str(error).rpartition(": ")
    if colon and isinstance(error, Unavailable):
        return text, f"{mend}; then {TRY}"
    return str(error), TRY
