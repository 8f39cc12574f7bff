"""What a run is told on the command line beyond its settings. Reads words, opens nothing."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.config.reading import state_directory
from companion.config.toml_file import WrongOption, did_you_mean
from companion.core.panel import Colour
from companion.games import registry

if TYPE_CHECKING:
    from companion.config.settings import Settings


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """How `companion run` was called.

    simulate: no hardware: a panel in the browser. terminal: that panel is drawn in the terminal instead and pressed by
    keys. script: a file of timed presses to play, None for none. plain: lines of text instead of a panel. seats: who
    plays, clockwise; () where the players sit down at the box. first: who reveals first; None where that is chosen
    there. phones: no panel at all: the buttons are phones'. browser: this machine's own browser is opened, where there
    is one. calibrate: whose allowance is measured, instead of a match; None: nobody's. player: the name of whoever sits
    there then; empty for that of the settings. anew: without the trials that were kept. confirmed_by: who says that all
    seats have agreed to their allowances; empty where they are asked.
    """

    simulate: bool = False
    terminal: bool = False
    script: Path | None = None
    plain: bool = False
    seats: tuple[Colour, ...] = ()
    first: Colour | None = None
    confirmed_by: str = ""
    phones: bool = False
    browser: bool = True
    calibrate: Colour | None = None
    player: str = ""
    anew: bool = False


def parse_seats(seats: str | None, first: str | None) -> tuple[tuple[Colour, ...], Colour | None]:
    """Read `--seats red,yellow` and `--first red`. Raises WrongOption."""
    if seats is None:
        if first is not None:
            raise WrongOption("--first: say with --seats who plays, clockwise")
        return (), None
    colours = tuple(_colour(word.strip(), "--seats") for word in seats.split(","))
    for colour in colours:
        if colours.count(colour) > 1:
            raise WrongOption(f"--seats {seats}: {colour} has two seats; each colour has one")
    if len(colours) < 2:
        raise WrongOption(f"--seats {seats}: at least two must play, clockwise, as in red,yellow")
    if first is None:
        return colours, None
    begins = _colour(first.strip(), "--first")
    if begins not in colours:
        raise WrongOption(f"--first {begins}: has no seat; --seats gives {', '.join(colours)}")
    return colours, begins


DEMONSTRATIONS = "demonstration"
"""Folder within the state directory."""


def kept_apart(settings: Settings) -> Settings:
    """Give the settings of a demonstration: its record is kept in a folder of its own, and none but the newest.

    So it never stands among the matches that people have played.
    """
    folder = str(state_directory(settings.box) / DEMONSTRATIONS)
    return replace(settings, box=replace(settings.box, state_dir=folder, keep_matches=1))


def demonstration(game: str) -> Path:
    """Give the script of the match that comes with a game which has one."""
    package, _, file = registry.find(game).demo.partition(":")
    return Path(str(resources.files(package).joinpath(file)))


def split_words(text: str) -> list[str]:
    """Read "one,other" as a list; "" is the empty list."""
    return [word.strip() for word in text.split(",")] if text.strip() else []


def _colour(word: str, flag: str) -> Colour:
    try:
        return Colour(word.lower())
    except ValueError:
        raise WrongOption(f"{flag}: {word!r} is no colour; {did_you_mean(word.lower(), list(Colour))}") from None
