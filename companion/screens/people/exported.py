"""Matches and what people did in them as files for other programs: CSV and JSON Lines. Pure."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from companion.core.people.comparing import evening_of
from companion.core.people.figures import times_of
from companion.core.words.encoding import encode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.people.judged import MatchFacts

COLUMNS = (
    "match", "started", "evening", "game", "colour", "player", "score", "won", "presses", "contested_races", "firsts",
    "punished", "reactions", "median_reaction_ns", "median_error_ns",
)  # fmt: skip


def as_csv(matches: Iterable[MatchFacts]) -> bytes:
    """Give a row for each seat of each match; UTF-8 with the mark that spreadsheets know it by.

    A name that a spreadsheet would take for a formula has an apostrophe before it.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for match in matches:
        for seat in match.seats:
            times = times_of(seat.reactions)
            writer.writerow((
                match.id, match.started, evening_of(match.started), match.game, seat.colour.value,
                harmless(seat.name or ""), seat.score, int(seat.leads), seat.presses, seat.contested, seat.firsts,
                seat.punished, len(seat.reactions), "" if times is None else times.median.ns,
                "" if times is None else times.median.error_ns,
            ))  # fmt: skip
    return b"\xef\xbb\xbf" + out.getvalue().encode()


def harmless(text: str) -> str:
    """Keep a spreadsheet from running a text as a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def as_jsonl(matches: Iterable[MatchFacts]) -> bytes:
    """Give an object for each match, a line each: its seats with every reaction, and the order of each race."""
    return b"".join(encode(_match(match)) + b"\n" for match in matches)


def _match(match: MatchFacts) -> dict[str, object]:
    return {
        "match": match.id,
        "started": match.started,
        "evening": evening_of(match.started),
        "game": match.game,
        "score_label": match.score_label,
        "seats": [
            {
                "colour": seat.colour,
                "player": seat.name,
                "score": seat.score,
                "won": seat.leads,
                "presses": seat.presses,
                "contested_races": seat.contested,
                "firsts": seat.firsts,
                "punished": seat.punished,
                "reactions": [
                    {"race": one.race, "reaction_ns": one.ns, "error_ns": one.error_ns} for one in seat.reactions
                ],
            }
            for seat in match.seats
        ],
        "races": [
            {"race": race.number, "order": race.order, "dead_heats": sorted(sorted(pair) for pair in race.tied)}
            for race in match.races
        ],
    }
