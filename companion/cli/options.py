"""What commands have in common: the options that are settings, and the one place of the command line that reads these.

A command takes from `read_settings` the parts it needs. The whole goes to `app` and `config` alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.config.reading import Flag
    from companion.config.settings import Settings

Result = TypeVar("Result")

HIGHEST = 2**53
"""No number that a command takes is higher: a script of a page would not tell it from its neighbour."""


class Number(click.IntRange):
    """A whole number in plain digits, from `min` to `max`; what only Python takes for one (1_000, ٣) is none."""

    name = "number"

    def __init__(self, least: int, most: int = HIGHEST) -> None:
        super().__init__(least, most)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Give the number; ends the command with one sentence where it is none."""
        if isinstance(value, str) and not (value.isascii() and value.lstrip("-").isdigit() and len(value) <= 30):
            self.fail(f"{value[:40]!r} is not a whole number, such as {max(1, self.min or 0):.0f}.", param, ctx)
        return super().convert(value, param, ctx)


config_option = click.option(
    "--config", "config_file", metavar="FILE", type=click.Path(path_type=Path),
    help="Settings to use. Else: ~/.config/table-companion/config.toml, or /etc/table-companion/config.toml.",
)  # fmt: skip
state_dir_option = click.option("--state-dir", metavar="DIR", help="Where matches are kept.")

SETTINGS = {
    "source": ("source", "kind"),
    "chip": ("source", "chip"),
    "game": ("match", "game"),
    "variants": ("match", "variants"),
    "files": ("match", "files"),
    "window": ("timing", "window_s"),
    "dead_heat": ("match", "dead_heat"),
    "display": ("display", "kind"),
    "buzzer": ("buzzer", "kind"),
    "scanner": ("scanner", "port"),
    "state_dir": ("box", "state_dir"),
    "port": ("web", "port"),
    "language": ("box", "language"),
}
"""The options that are settings, and which."""


def read_settings(config_file: Path | None, **given: Any) -> Settings:
    """Read the settings, with those among the options `given` put over them; None for an option that was not given.

    Raises Unavailable, Malformed; UsageError for a wrong option.
    """
    from companion.config.reading import load, usual_file

    return checked(lambda: load(config_file or usual_file(), _flags(given)))


def checked(read: Callable[[], Result]) -> Result:
    """Turn a wrong option into an error of usage."""
    from companion.config.toml_file import WrongOption

    try:
        return read()
    except WrongOption as error:
        raise click.UsageError(str(error), click.get_current_context()) from None


def _flags(given: dict[str, Any]) -> list[Flag]:
    """Give the settings among the options of a command."""
    from companion.config.reading import Flag
    from companion.config.run_options import split_words

    flags = []
    for name, key in SETTINGS.items():
        value = given.get(name)
        if value is not None and value != ():
            value = split_words(value) if name == "variants" else value
            flag = "--file" if name == "files" else f"--{name.replace('_', '-')}"
            flags.append(Flag(flag, key, list(value) if name == "files" else value))
    if given.get("no_cards"):
        flags.append(Flag("--no-cards", ("match", "cards"), value=False))
    if given.get("untimed"):
        flags.append(Flag("--untimed", ("match", "timing"), value="untimed"))
    if given.get("lan"):
        flags.append(Flag("--lan", ("web", "lan"), value=True))
    if given.get("no_web"):
        flags.append(Flag("--no-web", ("web", "enabled"), value=False))
    if given.get("no_pods"):
        flags.append(Flag("--phones", ("pods", "enabled"), value=False))
    if (resume := given.get("resume")) is not None:
        flags.append(Flag("--resume" if resume else "--new", ("box", "resume"), "always" if resume else "never"))
    return flags
