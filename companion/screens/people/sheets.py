"""The sheets: of a person, an evening, a match; and the page's list of them all. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from companion.core.errors import Illegal
from companion.core.people.book import UnknownPerson, ordered
from companion.core.people.comparing import evening_of, evenings, head_to_head
from companion.core.people.figures import players_of, record_of, seats_of, standings
from companion.core.people.names import is_same
from companion.core.record.lines import Seal, parse_line
from companion.core.ruling.looks import card_says
from companion.screens.people import tables
from companion.screens.people.dates import clock, day
from companion.screens.people.sheet import Cell, Sheet, Table, cells, counted, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.people.book import Book
    from companion.core.people.judged import MatchFacts
    from companion.core.ruling.game import Game

Document = dict[str, Any]


def person_sheet(name: str, matches: Sequence[MatchFacts], *, is_shared: bool) -> Sheet:
    """Tell of a person. is_shared: for whoever has the link: it names nobody else and leads nowhere.

    matches: all that are over, the oldest first. Raises UnknownPerson where they have played none of them.
    """
    mine = [match for match in matches if seats_of(match, name)]
    if not mine:
        raise UnknownPerson(f"{name} has played no match yet that is over and stored here")
    found, nights = record_of(name, mine), evenings(mine)
    newest, *_, oldest = [*nights, *nights]
    span = (
        f"on {day(newest)}" if len(nights) == 1 else f"on {len(nights)} evenings, from {day(oldest)} to {day(newest)}"
    )
    told = [tables.summary_table(found), tables.games_table(name, mine)]
    if not is_shared:
        told.append(tables.head_to_head_table(head_to_head(name, matches)))
    told.append(tables.evenings_table(name, mine, is_linked=not is_shared))
    by_game = [(title, [one for one in mine if one.title == title]) for title in dict.fromkeys(m.title for m in mine)]
    return Sheet(
        title=next(seat.name or name for match in reversed(mine) for seat in seats_of(match, name)),
        about=(f"{counted(found.matches, 'match', 'matches')} {span}",),
        tables=tuple(told),
        plots=tables.person_plot(name, mine),
        bars=tables.punished_bars("Punished, by game", [(title, record_of(name, of)) for title, of in by_game]),
        notes=tables.DEFINITIONS,
    )


def unplayed_sheet(name: str) -> Sheet:
    """Tell of somebody who is on the list and has played nothing yet."""
    return Sheet(title=name, about=("No match yet that is over and stored here.",))


def evening_sheet(evening: str, matches: Sequence[MatchFacts], *, is_shared: bool) -> Sheet:
    """Tell of an evening. is_shared, matches: as of `person_sheet`. Raises UnknownPerson where there was no match."""
    played = evenings(matches).get(evening)
    if not played:
        raise UnknownPerson(f"no match of the evening {evening[:20]} is over and stored here")
    people = players_of(played)
    records = [(one.name, one) for one in standings(played)]
    return Sheet(
        title=f"Evening of {day(evening)}",
        about=(f"{counted(len(played), 'match', 'matches')}; {listed(ordered(people)) or 'nobody with a name'}",),
        tables=(
            tables.standings_table("Standings", played, is_linked=not is_shared),
            tables.matches_table(played, is_linked=not is_shared),
        ),
        plots=tables.evening_plot(played),
        bars=tables.punished_bars("Punished", records),
        notes=tables.DEFINITIONS,
    )


def result_sheet(match_id: int, started: str, told: Document, game: Game[Any], lines: Sequence[bytes]) -> Sheet:
    """Tell the result of a match that is over, to be printed and signed. told: the match's document.

    Raises Illegal where it is not over, or cannot be judged to its end.
    """
    if not told.get("over") or told["fault"]:
        raise Illegal(f"match {match_id} has no result yet: it is not over")
    names = {seat["colour"]: seat["name"] or seat["colour"].capitalize() for seat in told["seats"]}
    variants = [variant["label"] for variant in told["variants"]]
    return Sheet(
        title=f"Result of {told['title']}, match {match_id}",
        about=(f"{day(evening_of(started))}, {clock(started)}", *([f"With {listed(variants)}"] if variants else [])),
        tables=(
            _ranking(told, names),
            *(_account(ledger) for ledger in told["ledgers"]),
            *([_races(told, names, game)] if told["races"] else []),
            *(_times(figure, names) for figure in told["figures"]),
            *([_protests(told)] if told["protests"] else []),
            _signatures(told, names),
        ),
        notes=(_sealed(lines, match_id),),
    )


def _ranking(told: Document, names: dict[str, str]) -> Table:
    rank = {one["colour"]: (one["colour"] in told["leaders"], one["score"]) for one in told["scores"]}
    ranked = sorted(told["scores"], key=lambda one: rank[one["colour"]], reverse=True)
    better = [sum(other > rank[one["colour"]] for other in rank.values()) for one in ranked]
    verdict = "★ shares the victory" if len(told["leaders"]) > 1 else "★ wins"
    rows = [
        (
            Cell(str(place + 1)),
            Cell(names[one["colour"]], one["colour"]),
            *cells(one["score"], verdict if one["colour"] in told["leaders"] else ""),
        )
        for place, one in zip(better, ranked, strict=True)
    ]
    head = ("Place", "Player", told["score_label"].capitalize(), "")
    return Table("Score", head, tuple(rows), named_by=1)


def _account(ledger: Document) -> Table:
    rows = tuple((Cell(row["label"], row["owner"]), *cells(*row["values"])) for row in ledger["rows"])
    return Table(ledger["title"], ("", *ledger["columns"]), rows, ledger["note"])


def _races(told: Document, names: dict[str, str], game: Game[Any]) -> Table:
    has_cards = any(race["card"] for race in told["races"])
    rows = []
    for race in told["races"]:
        order = "; ".join(
            f"{press['place']} {names[press['colour']]} {press['gap_text']}"
            + (", punished" if press["verdict"] == "punish" else "")
            for press in race["presses"]
        )
        card = [card_says(game.deck, race["card"]) if race["card"] else "no card"] if has_cards else []
        rows.append(cells(race["number"], *card, order or "nobody pressed"))
    return Table("Races", ("Race", *(["Card"] if has_cards else []), "Order"), tuple(rows))


def _times(figure: Document, names: dict[str, str]) -> Table:
    rows = tuple(
        (
            Cell(names[one["colour"]], one["colour"]),
            *cells(len(one["values"]), one["fastest"], one["median"], one["slowest"]),
        )
        for one in figure["players"]
    )
    return Table(figure["title"], ("Player", "Presses", "Fastest", "Median", "Slowest"), rows, figure["how"])


def _protests(told: Document) -> Table:
    rows = [cells(one["says"], one["answer"]["says"] if one["answer"] else "not answered") for one in told["protests"]]
    return Table("Protests", ("Protest", "Answer"), tuple(rows))


def _signatures(told: Document, names: dict[str, str]) -> Table:
    rows = tuple(
        (Cell(name, colour), *cells("✓ accepted" if colour in told["signed"] else "", ""))  # type: ignore[arg-type]
        for colour, name in names.items()
    )
    return Table("Signatures", ("Player", "On the box", "On paper"), (*rows, cells("Referee", "", "")))


def _sealed(lines: Sequence[bytes], match_id: int) -> str:
    """Say what seals the record that the sheet was made from. It is not checked here."""
    seals = [(number, raw) for number, raw in enumerate(lines, 1) if b'"seal"' in raw]
    for number, raw in reversed(seals):
        line = parse_line(raw, number) if b'"type":"seal"' in raw else None
        if isinstance(line, Seal):
            return (
                f"The box has sealed the record's lines before line {number}: SHA-256 {line.sha256}, key {line.key}."
                f" To check it: companion verify match-{match_id}.jsonl"
            )
    return "The box has not sealed this record."


def overview(book: Book, matches: Sequence[MatchFacts], fault: str) -> Document:
    """Give the list of players, standings in all games and each, evenings, links. fault: of the list, "" for none."""
    known = {name: record_of(name, matches) for name in everybody(book, matches)}
    titles = sorted({match.title for match in matches})
    by_game = [(title, [match for match in matches if match.title == title]) for title in titles]
    boards = [("all games", list(matches)), *by_game] if len(by_game) != 1 else by_game
    return {
        "people": [
            {"name": name, "says": counted(one.matches, "match", "matches"), "matches": one.matches}
            for name, one in known.items()
        ],
        "standings": [
            msgspec.to_builtins(tables.standings_table(f"Standings, {title}", of, is_linked=True))
            for title, of in boards
            if of
        ],
        "evenings": [
            {"evening": evening, "says": day(evening), "matches": counted(len(played), "match", "matches"),
             "players": listed(ordered(players_of(played)))}
            for evening, played in evenings(matches).items()
        ],
        "shares": [shared_document(share.token, share.person, share.evening) for share in book.shares],
        "notes": list(tables.DEFINITIONS),
        "fault": fault or None,
    }  # fmt: skip


def shared_document(token: str, person: str | None, evening: str | None) -> Document:
    """Tell of a link: its address below the box's, and what it shows."""
    says = person if person is not None else f"Evening of {day(evening or '')}"
    return {"token": token, "address": f"/people#shared={token}", "says": says}


def everybody(book: Book, matches: Sequence[MatchFacts]) -> tuple[str, ...]:
    """Give all who are on the list or have played, in alphabetical order, each as the list spells them."""
    played = [name for name in players_of(matches) if not any(is_same(name, known) for known in book.people)]
    return ordered((*book.people, *played))
