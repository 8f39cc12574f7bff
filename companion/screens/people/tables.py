"""Figures of people in words: tables, plots, bars. Each figure says what it rests on. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.people.comparing import evenings
from companion.core.people.figures import LEAST, record_of, seats_of, standings, times_of
from companion.screens.people.dates import clock, short_day
from companion.screens.people.sheet import Bar, Bars, Cell, Dot, Lane, Plot, Table, cells, counted
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
    "A match counts once it is over, as it was ruled in the end: what was taken back or replaced counts no more.",
    "A win is the best score of a match, alone; it is shared where others have the same.",
    "First: place 1 of a race in which two or more pressed, as ruled, allowances and dead heats decided.",
    "Reaction: from the card to the press as it was stamped, without allowance, punished or not. A card has its time"
    " from the scanner that saw it turned, else from the referee who entered it: then his delay is in it.",
    f"No time stands here that rests on fewer than {LEAST} reactions. ± is how far the figure may be off, from the ± of"
    " each of its times.",
)


def estimate(found: Estimate) -> str:
    """Say a time with its ± ("412 ms ±20 µs")."""
    return f"{duration(max(0, found.ns))} {error(found.error_ns)}"


def too_few(count: int) -> str:
    """Say why there is no figure of times."""
    return f"too few: {counted(count, 'reaction')} of {LEAST}"


def median_says(reactions: Sequence[Reaction]) -> str:
    """Say the median of some reactions, or why there is none."""
    found = times_of(reactions)
    return too_few(len(reactions)) if found is None else f"{estimate(found.median)} ({found.n})"


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
    head = ("Place", "Player", "Matches", "Wins", "Shared", "First in races", "Punished", "Median reaction")
    return Table(title, head, tuple(rows), "By wins, then shared wins, then fewer matches.", 1)


def _merit(one: Record) -> tuple[int, int, int]:
    """Give what places are given by: the less, the better."""
    return -one.wins, -one.shared, one.matches


def of(part: int, whole: int) -> str:
    """Say a part of a whole ("3 of 12"); a dash where there is no whole."""
    return f"{part:,} of {whole:,}" if whole else "–"


def summary_table(found: Record) -> Table:
    """Give a person's figures, one a row, each with what it rests on."""
    times = times_of(found.reactions)
    rows = [
        cells("Wins", found.wins, counted(found.matches, "match", "matches")),
        cells("Shared wins", found.shared, counted(found.matches, "match", "matches")),
        cells("First in races", found.firsts, counted(found.contested, "race")),
        cells("Punished", found.punished, counted(found.presses, "press", "presses")),
    ]
    if times is None:
        rows.append(cells("Reactions", too_few(len(found.reactions)), counted(len(found.reactions), "reaction")))
    else:
        rests_on = counted(times.n, "reaction")
        rows += [
            cells("Median reaction", estimate(times.median), rests_on),
            cells("Faster quarter below", estimate(times.faster), rests_on),
            cells("Slower quarter above", estimate(times.slower), rests_on),
            cells("Fastest reaction", estimate(times.fastest), rests_on),
        ]
    return Table("Figures", ("Figure", "Value", "Of"), tuple(rows))


def games_table(name: str, matches: Sequence[MatchFacts]) -> Table:
    """Give a person's matches by game."""
    titles = dict.fromkeys(match.title for match in matches)
    records = [(title, record_of(name, [match for match in matches if match.title == title])) for title in titles]
    rows = [cells(title, one.matches, one.wins, one.shared, of(one.firsts, one.contested)) for title, one in records]
    return Table("By game", ("Game", "Matches", "Wins", "Shared", "First in races"), tuple(rows))


def head_to_head_table(found: Iterable[HeadToHead]) -> Table:
    """Give how a person has fared against each of the others."""
    rows = tuple(
        (
            Cell(one.other, None, person_address(one.other)),
            *cells(one.matches, one.ahead, one.level, one.behind, one.sooner, one.later, one.dead_heats),
        )
        for one in found
    )
    head = ("Against", "Matches", "Ahead", "Level", "Behind", "Sooner", "Later", "Dead heats")
    how = "Matches by their scores; races in which both pressed by the order as ruled, dead heats of the two apart."
    return Table("Head to head", head, rows, how)


def evenings_table(name: str, matches: Sequence[MatchFacts], *, is_linked: bool) -> Table:
    """Give a person's evenings, the newest first."""
    rows = []
    for evening, played in evenings(matches).items():
        one = record_of(name, played)
        href = evening_address(evening) if is_linked else None
        rows.append((Cell(short_day(evening), None, href), *cells(one.matches, one.wins, median_says(one.reactions))))
    return Table("Evenings", ("Evening", "Matches", "Wins", "Median reaction"), tuple(rows))


def matches_table(matches: Iterable[MatchFacts], *, is_linked: bool) -> Table:
    """Give the matches of an evening with their scores, winners marked."""
    rows = []
    for match in matches:
        href = result_address(match.id) if is_linked else None
        ranked = sorted(match.seats, key=lambda seat: -seat.score)
        scores = ", ".join(f"{'★ ' if seat.leads else ''}{seat.name or seat.colour} {seat.score}" for seat in ranked)
        rows.append((Cell(str(match.id), None, href), *cells(clock(match.started), match.title, scores)))
    return Table("Matches", ("Match", "Began", "Game", "Scores"), tuple(rows), "★ has won, or shares the victory.")


def evening_plot(matches: Sequence[MatchFacts]) -> tuple[Plot, ...]:
    """Give everybody's reactions, a lane each; () where nobody has enough of them."""
    records = standings(matches)
    lanes = [_lane(one.name, _colour(one.name, matches), one.reactions) for one in records]
    return _plot("Reactions", "from the card to the press, of everybody who has enough of them", lanes)


def person_plot(name: str, matches: Sequence[MatchFacts]) -> tuple[Plot, ...]:
    """Give a person's reactions, a lane an evening, the newest first; () where no evening has enough of them."""
    found = [
        _lane(short_day(evening), _colour(name, played), record_of(name, played).reactions)
        for evening, played in evenings(matches).items()
    ]
    return _plot("Reactions by evening", "from the card to the press, of each evening that has enough of them", found)


def punished_bars(title: str, records: Iterable[tuple[str, Record]]) -> tuple[Bars, ...]:
    """Give how many of their presses were punished, a bar each; () where there are none."""
    bars = tuple(
        Bar(label, one.punished, one.presses, f"{of(one.punished, one.presses)} punished")
        for label, one in records
        if one.presses
    )
    return (Bars(title, "presses that were punished, of all that count", bars),) if bars else ()


def _plot(title: str, how: str, lanes: Iterable[Lane | None]) -> tuple[Plot, ...]:
    found = tuple(lane for lane in lanes if lane is not None)
    return (Plot(title, how, found),) if found else ()


def _lane(label: str, colour: Colour, reactions: Sequence[Reaction]) -> Lane | None:
    times = times_of(reactions)
    if times is None:
        return None
    dots = tuple(
        Dot(one.ns, one.error_ns, f"match {one.match}, race {one.race}: {duration(one.ns)} {error(one.error_ns)}")
        for one in reactions
    )
    slowest = max(one.ns for one in reactions)
    return Lane(
        label, colour, dots, times.median.ns, duration(times.fastest.ns), duration(times.median.ns), duration(slowest)
    )


def _colour(name: str, matches: Sequence[MatchFacts]) -> Colour:
    """Give the colour that somebody had last."""
    return next(seat.colour for match in reversed(matches) for seat in seats_of(match, name))
