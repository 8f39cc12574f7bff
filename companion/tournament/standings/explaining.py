"""How each number of a standing came about, round by round, so that a player can work it out again. Pure.

Numbers are told as they are reckoned: whole where they are whole, else with two decimals, and "≈" where those are not
all of it. The order rests on the exact ones.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from companion.core.words.texts import joined, number, text
from companion.tournament.standings import values
from companion.tournament.standings.points import WHOLE
from companion.tournament.standings.rounds import Why
from companion.tournament.standings.values import NEUTRAL, mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from companion.tournament.log.lines import TieBreak
    from companion.tournament.standings.points import Score
    from companion.tournament.standings.rounds import RoundPoints, Seated
    from companion.tournament.standings.standings import Standing

    Called = Callable[[int], str]

LOT_DIGITS = 12
"""So much of a lot is shown, in hex digits."""


class Explained(NamedTuple):
    """A number of a standing. value: as it is shown. rows: how it came about, a text each, round by round."""

    tie_break: TieBreak
    value: str
    rows: tuple[str, ...]


def explain(
    standing: Standing,
    tie_breaks: Sequence[TieBreak],
    among: Mapping[int, Standing],
    called: Called | None = None,
) -> tuple[Explained, ...]:
    """Give each number of a standing with how it came about, in the order of the tie-breaks.

    among: all standings, by player. called: what a player is called; None: by number ("player 7").
    """
    by = called or by_number
    return tuple(
        Explained(tie_break, shown(tie_break, value), tuple(_rows(tie_break, standing, among, by)))
        for tie_break, value in zip(tie_breaks, standing.values, strict=True)
    )


def by_number(player: int) -> str:
    """Call a player by number."""
    return text("player {number}").format(number=player)


def shown(tie_break: TieBreak, value: Fraction | int) -> str:
    """Give a number of a standing as it is shown: rounded, a lot by its first hex digits."""
    return f"{value:064x}"[:LOT_DIGITS] if tie_break == "lots" and isinstance(value, int) else figure(value)


def figure(value: Fraction | int) -> str:
    """Give a number with at most two decimals, rounded half up."""
    hundredths = (200 * value.numerator + value.denominator) // (2 * value.denominator)
    whole, rest = divmod(abs(hundredths), 100)
    digits = f"{whole}.{rest:02}".rstrip("0").rstrip(".")
    return number(f"-{digits}" if hundredths < 0 else digits)


def equals(value: Fraction | int) -> str:
    """Give a number with the sign before it that it deserves: "= 10.5", "≈ 10.67"."""
    return joined(("=" if _is_shown_whole(value) else "≈", figure(value)), " ")


def _is_shown_whole(value: Fraction | int) -> bool:
    return (100 * value).denominator == 1


def reckoned(score: Score) -> str:
    """Give how the points of a table came about: "24 × (2 + 0.5) / 3 = 20"."""
    tied = figure(Fraction(score.tied, 2))
    return joined((f"{WHOLE} × ({score.beaten} + ", tied, f") / {score.seats - 1} = {score.points}"), "")


def means(terms: Sequence[Fraction | int]) -> str:
    """Give how a mean came about: "(20 + 12 + 0) / 3 ≈ 10.67"."""
    if len(terms) == 1:
        return figure(terms[0]) if _is_shown_whole(terms[0]) else equals(terms[0])
    sum_of = joined(map(figure, terms), " + ")
    return joined(("(", sum_of, f") / {len(terms)} ", equals(mean(terms))), "")


def round_row(one: RoundPoints) -> str:
    """Say what a round gave a player, and why."""
    match one.why:
        case Why.WAITING:
            return text("round {round}: its table has no result yet").format(round=one.round)
        case Why.BYE:
            return text("round {round}, a bye: {points}").format(round=one.round, points=one.points)
        case Why.MISSED:
            return text("round {round}, missed: {points}").format(round=one.round, points=one.points)
        case Why.GIVEN:
            says = text("round {round}, given by the organiser: {points}")
            return says.format(round=one.round, points=one.points)
        case _:
            return _table_row(one)


def _table_row(one: RoundPoints) -> str:
    if one.at is None:
        return ""
    if one.why is Why.BY_HAND:
        says = text("round {round}, table {table}, entered by hand: {points}")
    elif one.is_final:
        says = text("round {round}, table {table}: {points}")
    else:
        says = text("round {round}, table {table}, not final yet: {points}")
    return says.format(round=one.round, table=one.at.table, points=reckoned(one.at.score))


def _rows(tie_break: TieBreak, of: Standing, among: Mapping[int, Standing], called: Called) -> Iterator[str]:
    match tie_break:
        case "points":
            yield from map(round_row, of.rounds)
            yield _sum([one.points for one in of.rounds if one.points is not None], 0)
        case "wins":
            yield from _tables(of, _win)
            yield _sum([values.win(at) for at in values.tables(of.rounds)], 0)
        case "cards":
            yield from _tables(of, _cards)
            yield _sum([Fraction(*at.cards) for at in values.tables(of.rounds) if at.cards], 0)
        case "opponents":
            yield from _tables(of, lambda at: _opponents(of.player, at, among, called))
            yield _sum([_worth(of.player, at, among) for at in values.tables(of.rounds)], NEUTRAL)
        case "punishments":
            yield from _tables(of, lambda at: figure(at.punished))
            yield _sum([at.punished for at in values.tables(of.rounds)], 0)
        case "lots":
            yield from _lot(of, called)


def _sum(terms: Sequence[Fraction | int], otherwise: Fraction | int) -> str:
    if terms:
        return text("on average {mean}").format(mean=means(terms))
    return text("no round to be counted: {value}").format(value=figure(otherwise))


def _tables(of: Standing, says: Callable[[Seated], str]) -> Iterator[str]:
    row = text("round {round}, table {table}: {points}")
    for one in of.rounds:
        if one.at is not None:
            yield row.format(round=one.round, table=one.at.table, points=says(one.at))


def _win(at: Seated) -> str:
    if not at.sharing_first:
        return text("not first: 0")
    if at.sharing_first == 1:
        return text("first, alone: 1")
    says = text("first, with {others} more: 1 / {all} {value}")
    return says.format(others=at.sharing_first - 1, all=at.sharing_first, value=equals(values.win(at)))


def _cards(at: Seated) -> str:
    if at.cards is None:
        return text("cards not counted")
    has, of = at.cards
    return text("{has} of {all} cards {value}").format(has=has, all=of, value=equals(Fraction(has, of)))


def _worth(player: int, at: Seated, among: Mapping[int, Standing]) -> Fraction:
    return mean([values.opponent(among[other].rounds, player) for other in at.opponents])


def _opponents(player: int, at: Seated, among: Mapping[int, Standing], called: Called) -> str:
    parts = [_opponent(player, other, among, called) for other in at.opponents]
    if len(parts) == 1:
        return parts[0]
    terms = [values.opponent(among[other].rounds, player) for other in at.opponents]
    return joined((*parts, text("on average {mean}").format(mean=means(terms))), "; ")


def _opponent(player: int, other: int, among: Mapping[int, Standing], called: Called) -> str:
    those = values.without(among[other].rounds, player)
    if those:
        return text("{player} elsewhere {mean}").format(player=called(other), mean=means(those))
    return text("{player} played nowhere else: {value}").format(player=called(other), value=figure(NEUTRAL))


def _lot(of: Standing, called: Called) -> Iterator[str]:
    says = text("SHA-256 of “SEED:EVENT:{player}”, the smallest first: {digits}…")
    yield says.format(player=of.player, digits=_digits(of))
    if of.equal:
        others = [called(player) for player in of.equal if player != of.player]
        yield text("equal in all else, so that the lots decide: {players}").format(players=joined(others))


def _digits(of: Standing) -> str:
    return next((shown("lots", value) for value in of.values if isinstance(value, int)), "")
