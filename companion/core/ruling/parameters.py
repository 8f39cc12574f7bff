"""What a setup asks, and which seats a game has. Pure; knows no game."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from companion.core.errors import Illegal, Malformed
from companion.core.record.dead_heats import POLICIES
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.panel import Colour
    from companion.core.record.lines import Setup, SetupFile

LARGEST_FILE = 32 * 1024
"""Bytes of a file that a setup asks for, as UTF-8: the record holds it whole."""
LONGEST_FILE_NAME = 40
"""Characters of one that the box keeps."""
MOST_NAME = 120
"""Characters of one that comes from elsewhere."""
_FILE_NAME = re.compile(r"[^\W_](?:[\w .+-]*[\w+-])?")
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
"""Control characters, what turns the direction of text, and halves of characters: nobody sees what stands there."""

Setting = bool | int | str
"""The value of a parameter: yes or no, a number, or the key of a choice."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a parameter of kind "choice": `key` as the record names it, `label` for people."""

    key: str
    label: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """Something the setup asks.

    key: as the record names it. label: for people, at most 16 characters.
    kind: "yes-no", "choice" (of `choices`), "number" (`low` to `high`) or "file" (a text, held whole by the record).
    default: what stands where nothing was said; of a file its text.
    is_variant: a yes-no that the record lists in `variants` when it is on, and not in `parameters`.
    """

    key: str
    label: str
    kind: Literal["yes-no", "choice", "number", "file"] = "yes-no"
    default: Setting = False
    choices: tuple[Choice, ...] = ()
    low: int = 0
    high: int = 0
    is_variant: bool = False


@dataclass(frozen=True, slots=True)
class FileFault:
    """What is wrong with a file that the setup asks for. line: from 1, None where it is no single one. says: and what
    would be right.
    """

    line: int | None
    says: str


@dataclass(frozen=True, slots=True)
class Sample:
    """A file that the game brings along. name: of the file. title: for people. text: as "PACKAGE:FILE"."""

    name: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A race of a record that a file rules otherwise. race: from 1. ruled: what the record has. would: by the file.

    Both in a sentence, for people.
    """

    race: int
    ruled: str
    would: str


@dataclass(frozen=True, slots=True)
class DryRun:
    """A past record judged by a file. races: how many were looked at. agreed: in how many of them it rules the same.

    why_not: why the record cannot be compared, and nothing else is said then; empty where it can be.
    """

    races: int
    agreed: int
    differing: tuple[Difference, ...] = ()
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Seats:
    """How many may play, and what seats are called where that is no colour. titles: by the order of the seats.

    first: what the setup's `first` is called where that one does not begin ("first dealer"), at most 16 characters.
    """

    fewest: int
    most: int
    titles: tuple[str, ...] = field(default=())
    first: str = ""


def variants_of(parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    """Give those that the record lists as variants."""
    return tuple(parameter for parameter in parameters if parameter.is_variant)


class Asking(Protocol):
    """What a game says of its setup."""

    @property
    def name(self) -> str:
        """As the setup names it."""

    @property
    def title(self) -> str:
        """For people."""

    @property
    def edition(self) -> int:
        """Number of its rules."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What it asks."""

    @property
    def seats(self) -> Seats:
        """How many may play."""

    @property
    def anticipates(self) -> bool:
        """Whether it rules on presses made too soon."""


def verify_setup(game: Asking, setup: Setup) -> None:
    """Check what holds for every game: edition, variants, parameters, files, the seats, who is first.

    Raises Malformed for what the game does not have, Illegal for what cannot be played.
    """
    if setup.edition != game.edition:
        raise Malformed(f"field `edition`: {game.name} {setup.edition} is not installed; this judges {game.edition}")
    _verify_variants(game, setup)
    _verify_parameters(game, setup.parameters or {})
    _verify_files(game, setup)
    _verify_seats(game, setup)
    _verify_ties(setup)
    if setup.anticipation is not None and not game.anticipates:
        raise Malformed(f"field `anticipation`: {game.name} knows none; leave the field out")


def _verify_variants(game: Asking, setup: Setup) -> None:
    known = [parameter.key for parameter in variants_of(game.parameters)]
    variants = setup.variants or ()
    if setup.variants is not None and not known:
        raise Malformed(f"field `variants`: {game.name} has no variants; leave the field out")
    for variant in variants:
        if variant not in known:
            raise Malformed(f"field `variants`: {variant!r} is no variant; allowed: {', '.join(known)}")
    if len(set(variants)) < len(variants):
        raise Illegal("field `variants`: one is named twice")


def _verify_parameters(game: Asking, given: Mapping[str, Setting]) -> None:
    asked = {p.key: p for p in game.parameters if not p.is_variant and p.kind != "file"}
    for key, value in given.items():
        if key not in asked:
            known = ", ".join(asked) or "none"
            raise Malformed(f"field `parameters`: {key!r} is no parameter of {game.name}; there are: {known}")
        if why := why_wrong(asked[key], value):
            raise Malformed(f"field `parameters`: {key}: {why}")


def why_wrong(parameter: Parameter, value: Setting) -> str:
    """Say what is wrong with a value of a parameter and what would be right; empty where nothing is."""
    if parameter.kind == "yes-no":
        return "" if isinstance(value, bool) else f"{value!r} is neither true nor false"
    if parameter.kind == "number":
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if is_number and parameter.low <= int(value) <= parameter.high:
            return ""
        return f"{value!r} is no whole number from {parameter.low} to {parameter.high}"
    keys = [choice.key for choice in parameter.choices]
    return "" if value in keys else f"{value!r} is no choice; allowed: {', '.join(keys)}"


def _verify_files(game: Asking, setup: Setup) -> None:
    asked = [p.key for p in game.parameters if p.kind == "file"]
    for key in setup.files or {}:
        if key not in asked:
            known = ", ".join(asked) or "none"
            raise Malformed(f"field `files`: {key!r} is no file that {game.name} asks for; there are: {known}")


def _verify_seats(game: Asking, setup: Setup) -> None:
    colours: list[Colour] = [seat.colour for seat in setup.seats]
    if len(set(colours)) < len(colours):
        raise Illegal("field `seats`: two seats have the same colour")
    if not game.seats.fewest <= len(colours) <= game.seats.most:
        says = text("{game} is for {fewest} to {most} players, not {count}")
        fewest, most = game.seats.fewest, game.seats.most
        raise Illegal(says.format(game=game.title, fewest=fewest, most=most, count=len(colours)))
    if setup.first not in colours:
        raise Illegal(f"field `first`: {setup.first} has no seat")


def _verify_ties(setup: Setup) -> None:
    """Check that lots have their seed, and that nothing rests on times where none are taken."""
    draws = POLICIES[setup.dead_heat].draws
    if draws and setup.seed is None:
        raise Malformed(f"field `seed` is missing; dead heats that go {POLICIES[setup.dead_heat].label} need it")
    if setup.seed is not None and not draws:
        raise Malformed("field `seed`: nothing is drawn with it here; leave the field out")
    if setup.timing == "untimed" and any(seat.allowance_ms for seat in setup.seats):
        raise Illegal("field `seats`: without times nobody has an allowance")
    if setup.timing == "untimed" and setup.dead_heat == "timestamp":
        raise Illegal("field `dead_heat`: without times it is not the earlier time that decides")


def why_no_name(name: str) -> str:
    """Say why a file cannot be called so; empty where it can."""
    if not name or len(name) > LONGEST_FILE_NAME:
        return f"a file's name has 1 to {LONGEST_FILE_NAME} characters"
    if not _FILE_NAME.fullmatch(name) or not name.isprintable():
        return "a file's name has letters, digits, spaces and . _ - + only, and begins with a letter or digit"
    return ""


def faults_of(game: Any, key: str, text: str) -> tuple[FileFault, ...]:
    """Give all that is wrong with a file for a game's parameter `key`; () where it can be played with."""
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > LARGEST_FILE:
        return (FileFault(None, f"it is too large: {size} bytes; a file has at most {LARGEST_FILE}"),)
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        if found := _UNSEEN.search(line):
            where = f"character {found.start() + 1}"
            return (FileFault(number, f"{where} ({ord(found[0]):#06x}) cannot be shown; take it out"),)
    check = getattr(game, "check_file", None)
    try:
        return tuple(check(key, text)) if check is not None else ()
    except RecursionError:
        return (FileFault(None, "it is nested too deeply"),)


def verify_files(game: Any, files: Mapping[str, SetupFile]) -> None:
    """See that files can be played with. Raises Malformed, which names the file, the line, and what would be right."""
    for key, file in files.items():
        if not (0 < len(file.name) <= MOST_NAME and file.name.isprintable()):
            raise Malformed(f"field `files`: {key}: a file's name has 1 to {MOST_NAME} characters that can be shown")
        if faults := faults_of(game, key, file.text):
            raise Malformed(told_faults(file.name, faults))


def told_faults(name: str, faults: tuple[FileFault, ...]) -> str:
    """Say the first of a file's faults, and how many more there are."""
    first = faults[0]
    where = name if first.line is None else f"{name}, line {first.line}"
    more = len(faults) - 1
    return f"{where}: {first.says}{f' (and {more} more)' if more else ''}"


def setting(setup: Setup, parameter: Parameter) -> Setting:
    """Give what a setup says of a parameter: what it names, else the default."""
    if parameter.is_variant:
        return parameter.key in (setup.variants or ())
    return (setup.parameters or {}).get(parameter.key, parameter.default)
