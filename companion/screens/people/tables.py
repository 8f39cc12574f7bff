"""Figures of people in words: tables, plots, bars. Each figure says what it rests on. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.people.comparing import evenings
from companion.core.people.figures import LEAST, record_of, seats_of, standings, times_of
from companion.core.words.texts import joined, number, text
from companion.screens.people.dates import clock, short_day
from companion.screens.people.sheet import (
    Bar,
    Bars,
    Cell,
    Dot,
    Lane,
    Plot,
    Table,
    cells,
    matches_said,
    presses_said,
    races_said,
    reactions_said,
)
from companion.screens.text.wording import duration, error

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from urllib.parse import quote

    from companion.core.panel import Colour
    from companion.core.people.comparing import HeadToHead
    from companion.core.people.figures import Estimate, Record
    from companion.core.people.judged import MatchFacts, Reaction
else:
    from urllib.parse import quote

DEFINITIONS = (
    text("A match counts once it is over, as it was ruled in the end: what was taken back or replaced counts no more."),
    text("A win is the best score of a match, alone; it is shared where others have the same."),
    text("First: place 1 of a race in which two or more pressed, as ruled, allowances and dead heats decided."),
    text(
        "Reaction: from the card to the press as it was stamped, without allowance, punished or not. A card has its"
        " time from the scanner that saw it turned, else from the referee who entered it: then his delay is in it."
    ),
    text(
        "No time stands here that rests on fewer than {count} reactions. ± is how far the figure may be off, from the ±"
        " of each of its times."
    ).format(count=LEAST),
)


def estimate(found: Estimate) -> str:
    """Say a time with its ± ("412 ms ±20 µs")."""
    return joined((duration(max(0, found.ns)), error(found.error_ns)), " ")


def too_few(count: int) -> str:
    """Say why there is no figure of times."""
    return text("too few: {reactions} of {least}").format(reactions=reactions_said(count), least=LEAST)


def median_says(reactions: Sequence[Reaction]) -> str:
    """Say the median of some reactions, or why there is none."""
    found = times_of(reactions)
    if found is None:
        return too_few(len(reactions))
    return joined((estimate(found.median), f"({found.n})"), " ")


def person_address(name: str) -> str:
    """Give where a person's sheet is."""
    return f"/people#person={quote(name, safe='')}"


def evening_address(evening: str) -> str:
    """Give where an evening's sheet is."""
    return f"/people#evening={evening}"


def result_address(match_id: int) -> str:
    """Give where a match's result is to be printed."""
    return f"/people#result={match_id}"


def standings_table(title: str, matches: Sequence[MatchFacts], *, is_linked: bool) -> Table:
    """Give everybody's wins, firsts, punishments and median, the best first. is_linked: names lead to their sheets."""
    rows, ranked = [], standings(matches)
    for one in ranked:
        place = 1 + sum(_merit(other) < _merit(one) for other in ranked)
        name = Cell(one.name, None, person_address(one.name) if is_linked else None)
        figures = cells(
            one.matches, one.wins, one.shared, of(one.firsts, one.contested), of(one.punished, one.presses),
            median_says(one.reactions),
        )  # fmt: skip
        rows.append((Cell(str(place)), name, *figures))
    head = (
        text("Place"), text("Player"), text("Matches"), text("Wins"), text("Shared"), text("First in races"),
        text("Punished"), text("Median reaction"),
    )  # fmt: skip
    return Table(title, head, tuple(rows), text("By wins, then shared wins, then fewer matches."), 1)


def _merit(one: Record) -> tuple[int, int, int]:
    """Give what places are given by: the less, the better."""
    return -one.wins, -one.shared, one.matches


def of(part: int, whole: int) -> str:
    """Say a part of a whole ("3 of 12"); a dash where there is no whole."""
    return text("{part} of {whole}").format(part=number(f"{part:,}"), whole=number(f"{whole:,}")) if whole else "–"


def summary_table(found: Record) -> Table:
    """Give a person's figures, one a row, each with what it rests on."""
    times = times_of(found.reactions)
    rows = [
        cells(text("Wins"), found.wins, matches_said(found.matches)),
        cells(text("Shared wins"), found.shared, matches_said(found.matches)),
        cells(text("First in races"), found.firsts, races_said(found.contested)),
        cells(text("Punished"), found.punished, presses_said(found.presses)),
    ]
    if times is None:
        rows.append(cells(text("Reactions"), too_few(len(found.reactions)), reactions_said(len(found.reactions))))
    else:
        rests_on = reactions_said(times.n)
        rows += [
            cells(text("Median reaction"), estimate(times.median), rests_on),
            cells(text("Faster quarter below"), estimate(times.faster), rests_on),
            cells(text("Slower quarter above"), estimate(times.slower), rests_on),
            cells(text("Fastest reaction"), estimate(times.fastest), rests_on),
        ]
    return Table(text("Figures"), (text("Figure"), text("Value"), text("Of")), tuple(rows))


def games_table(name: str, matches: Sequence[MatchFacts]) -> Table:
    """Give a person's matches by game."""
    titles = dict.fromkeys(match.title for match in matches)
    records = [(title, record_of(name, [match for match in matches if match.title == title])) for title in titles]
    rows = [cells(title, one.matches, one.wins, one.shared, of(one.firsts, one.contested)) for title, one in records]
    return Table(
        text("By game"),
        (text("Game"), text("Matches"), text("Wins"), text("Shared"), text("First in races")),
        tuple(rows),
    )


def head_to_head_table(found: Iterable[HeadToHead]) -> Table:
    """Give how a person has fared against each of the others."""
    rows = tuple(
        (
            Cell(one.other, None, person_address(one.other)),
            *cells(one.matches, one.ahead, one.level, one.behind, one.sooner, one.later, one.dead_heats),
        )
        for one in found
    )
    head = (
        text("Against"), text("Matches"), text("Ahead"), text("Level"), text("Behind"), text("Sooner"), text("Later"),
        text("Dead heats"),
    )  # fmt: skip
    how = text(
        "Matches by their scores; races in which both pressed by the order as ruled, dead heats of the two apart."
    )
    return Table(text("Head to head"), head, rows, how)


def evenings_table(name: str, matches: Sequence[MatchFacts], *, is_linked: bool) -> Table:
    """Give a person's evenings, the newest first."""
    rows = []
    for evening, played in evenings(matches).items():
        one = record_of(name, played)
        href = evening_address(evening) if is_linked else None
        rows.append((Cell(short_day(evening), None, href), *cells(one.matches, one.wins, median_says(one.reactions))))
    return Table(
        text("Evenings"), (text("Evening"), text("Matches"), text("Wins"), text("Median reaction")), tuple(rows)
    )


def matches_table(matches: Iterable[MatchFacts], *, is_linked: bool) -> Table:
    """Give the matches of an evening with their scores, winners marked."""
    rows = []
    for match in matches:
        href = result_address(match.id) if is_linked else None
        ranked = sorted(match.seats, key=lambda seat: -seat.score)
        scores = joined(
            joined((*(["★"] if seat.leads else []), seat.name or seat.colour.says, str(seat.score)), " ")
            for seat in ranked
        )
        rows.append((Cell(str(match.id), None, href), *cells(clock(match.started), match.title, scores)))
    head = (text("Match"), text("Began"), text("Game"), text("Scores"))
    return Table(text("Matches"), head, tuple(rows), text("★ has won, or shares the victory."))


def evening_plot(matches: Sequence[MatchFacts]) -> tuple[Plot, ...]:
    """Give everybody's reactions, a lane each; () where nobody has enough of them."""
    records = standings(matches)
    lanes = [_lane(one.name, _colour(one.name, matches), one.reactions) for one in records]
    return _plot(text("Reactions"), text("from the card to the press, of everybody who has enough of them"), lanes)


def person_plot(name: str, matches: Sequence[MatchFacts]) -> tuple[Plot, ...]:
    """Give a person's reactions, a lane an evening, the newest first; () where no evening has enough of them."""
    found = [
        _lane(short_day(evening), _colour(name, played), record_of(name, played).reactions)
        for evening, played in evenings(matches).items()
    ]
    how = text("from the card to the press, of each evening that has enough of them")
    return _plot(text("Reactions by evening"), how, found)


def punished_bars(title: str, records: Iterable[tuple[str, Record]]) -> tuple[Bars, ...]:
    """Give how many of their presses were punished, a bar each; () where there are none."""
    bars = tuple(
        Bar(label, one.punished, one.presses, text("{part} punished").format(part=of(one.punished, one.presses)))
        for label, one in records
        if one.presses
    )
    return (Bars(title, text("presses that were punished, of all that count"), bars),) if bars else ()


def _plot(title: str, how: str, lanes: Iterable[Lane | None]) -> tuple[Plot, ...]:
    found = tuple(lane for lane in lanes if lane is not None)
    return (Plot(title, how, found),) if found else ()


def _lane(label: str, colour: Colour, reactions: Sequence[Reaction]) -> Lane | None:
    times = times_of(reactions)
    if times is None:
        return None
    dots = tuple(
        Dot(
            one.ns,
            one.error_ns,
            text("match {match}, race {race}: {time} {error}").format(
                match=one.match, race=one.race, time=duration(one.ns), error=error(one.error_ns)
            ),
        )
        for one in reactions
    )
    slowest = max(one.ns for one in reactions)
    return Lane(
        label, colour, dots, times.median.ns, duration(times.fastest.ns), duration(times.median.ns), duration(slowest)
    )


def _colour(name: str, matches: Sequence[MatchFacts]) -> Colour:
    """Give the colour that somebody had last."""
    return next(seat.colour for match in reversed(matches) for seat in seats_of(match, name))
