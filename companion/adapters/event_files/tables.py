"""Pairings and standings as CSV, for spreadsheets and print. Pure: an event's values in, bytes out.

Where semicolons part the cells, decimals have a comma, as the same spreadsheets read them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.adapters.event_files.cells import Separator, write_rows
from companion.adapters.event_files.players import ListedPlayer
from companion.tournament.standings.explaining import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from fractions import Fraction

    from companion.tournament.log.lines import TableDrawn, TieBreak
    from companion.tournament.standings.standings import Standing

DECIMALS = 4


def standings_csv(
    those: Iterable[Standing],
    tie_breaks: Sequence[TieBreak],
    who: Mapping[int, ListedPlayer],
    separator: Separator = Separator.COMMA,
) -> bytes:
    """Give a row for each player, in order: the sum of points and each tie-break's number, with four decimals.

    who: players by number; one who is not there has no name. `state` says whether the player's rounds are all final.
    """
    head = ("place", "number", "name", "club", "sum", *tie_breaks, "state")
    rows = (
        (
            one.place, one.player, *_names(one.player, who), one.points,
            *(_value(name, value, separator) for name, value in zip(tie_breaks, one.values, strict=True)),
            "final" if one.is_final else "provisional",
        )
        for one in those
    )  # fmt: skip
    return write_rows((head, *rows), separator)


def pairings_csv(
    number: int,
    tables: Iterable[TableDrawn],
    byes: Iterable[int],
    who: Mapping[int, ListedPlayer],
    separator: Separator = Separator.COMMA,
) -> bytes:
    """Give a row for each player of a round, by table and seat, byes last. Seat 1 begins, then clockwise."""
    head = ("round", "table", "seat", "number", "name", "club")
    return write_rows((head, *_seats(number, tables, who), *_without_table(number, byes, who)), separator)


def _seats(number: int, tables: Iterable[TableDrawn], who: Mapping[int, ListedPlayer]) -> Iterator[tuple[object, ...]]:
    for table in sorted(tables, key=lambda one: one.table):
        for seat, player in enumerate(table.players, 1):
            yield number, table.table, seat, player, *_names(player, who)


def _without_table(number: int, byes: Iterable[int], who: Mapping[int, ListedPlayer]) -> Iterator[tuple[object, ...]]:
    for player in sorted(byes):
        yield number, "bye", "", player, *_names(player, who)


def _names(player: int, who: Mapping[int, ListedPlayer]) -> tuple[str, str]:
    found = who.get(player, ListedPlayer(player, ""))
    return found.name, found.club


def _value(name: TieBreak, value: Fraction | int, separator: Separator) -> str:
    """Give a number of a standing; a lot as text, else a spreadsheet would take some of them for numbers."""
    if name == "lots":
        return f"0x{shown(name, value)}"
    digits = _decimal(value)
    return digits.replace(".", ",") if separator is Separator.SEMICOLON else digits


def _decimal(value: Fraction | int) -> str:
    """Give a number that is not negative with up to four decimals, rounded half up."""
    scale = 10**DECIMALS
    whole, rest = divmod((2 * scale * value.numerator + value.denominator) // (2 * value.denominator), scale)
    return f"{whole}.{rest:0{DECIMALS}}".rstrip("0").rstrip(".")
