"""Tries the lamps and motors of the seats by name, shows what each sign looks and feels like, or switches all off."""

from __future__ import annotations

import time
from pathlib import Path  # noqa: TC003 - click asks for it by the annotation
from typing import TYPE_CHECKING

import click

from companion.app.devices import make_button_lamps, make_expander
from companion.cli.options import config_option, read_settings
from companion.core.errors import Unavailable
from companion.core.panel import Colour
from companion.core.signals.board import SignBoard
from companion.core.signals.signs import MEANS, SAYS, Sign
from companion.core.timing.events import SECOND

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.adapters.signals.button_lamps import ButtonLamps
    from companion.adapters.signals.expander import ExpanderSignals

EACH_S = 1.0
"""How long each lamp and motor is on."""
APART_S = 0.5


@click.command("signals")
@config_option
@click.option("--test", "tries", is_flag=True, help="Switch each lamp and motor on for a second, by its name.")
@click.option("--signs", "shows", is_flag=True, help="Give each sign on all lamps and motors of seats, with its words.")
@click.option("--off", is_flag=True, help="Switch all of them off, whatever left them on.")
def command(config_file: Path | None, tries: bool, shows: bool, off: bool) -> int:
    """Try the lamps and motors of the seats, one by one, and the lamps in buttons. The box must not run meanwhile."""
    chosen = read_settings(config_file).signals
    expander, buttons = make_expander(chosen), make_button_lamps(chosen)
    there = [one for one in (expander, buttons) if one is not None]
    if not there:
        if not off:
            click.echo('no lamps and motors: signals.kind = "none", signals.button_lamps = "none"')
        return 0
    if not (tries or shows or off):
        click.echo("\n".join(told for one in there for told in one.wiring()))
        return 0
    try:
        for one in there:
            one.open()
        if expander is not None:
            _try_seats(expander, tries=tries, shows=shows)
        if buttons is not None and tries:
            try_buttons(buttons, click.echo)
    except Unavailable as error:
        if off:  # nothing that could be on is there
            return 0
        raise Unavailable(str(error)) from None
    finally:
        for one in there:
            one.close()
    return 0


def _try_seats(expander: ExpanderSignals, *, tries: bool, shows: bool) -> None:
    if tries:
        try_each(expander, click.echo)
    if shows:
        show_signs(expander, click.echo)


def try_each(
    expander: ExpanderSignals, say: Callable[[str], object], sleep: Callable[[float], object] = time.sleep
) -> None:  # fmt: skip
    """Switch each on for a second, alone. Raises Unavailable where the expander goes."""
    for told, lit in zip(expander.wiring(), expander.lit_by_output(), strict=True):
        say(told)
        expander.switch(frozenset({lit}), {})
        sleep(EACH_S)
        expander.switch(frozenset(), {})
        sleep(APART_S)


def try_buttons(
    buttons: ButtonLamps, say: Callable[[str], object], sleep: Callable[[float], object] = time.sleep
) -> None:  # fmt: skip
    """Light each button for a second, alone. Raises Unavailable where a chip goes."""
    for told, label in zip(buttons.wiring(), buttons.labels(), strict=True):
        say(told)
        buttons.light({label})
        sleep(EACH_S)
        buttons.light(())
        sleep(APART_S)


def show_signs(
    expander: ExpanderSignals,
    say: Callable[[str], object],
    sleep: Callable[[float], object] = time.sleep,
    clock: Callable[[], int] = time.monotonic_ns,
) -> None:
    """Give each sign once to all seats, and say what it is. Raises Unavailable where the expander goes."""
    for sign in Sign:
        say(f"{SAYS[sign]}: {MEANS[sign]}")
        board, now_ns = SignBoard(), clock()
        board.give(sign, list(Colour), now_ns)
        while True:
            expander.switch(board.on(now_ns), {})
            if (due_ns := board.next_deadline(now_ns)) is None:
                break
            sleep(max(0, due_ns - clock()) / SECOND)
            now_ns = max(due_ns, clock())
        sleep(2 * APART_S)
