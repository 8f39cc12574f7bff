"""The sheets: of a person, an evening, a match; and the page's list of them all. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.errors import Illegal
from companion.core.panel import Colour
from companion.core.people.book import UnknownPerson, ordered
from companion.core.people.comparing import evening_of, evenings, head_to_head
from companion.core.people.figures import players_of, record_of, seats_of, standings
from companion.core.people.names import is_same
from companion.core.record.lines import Seal, parse_line
from companion.core.ruling.looks import card_says
from companion.core.words.encoding import told
from companion.core.words.texts import capital, joined, listed, text
from companion.screens.people import tables
from companion.screens.people.dates import clock, day
from companion.screens.people.sheet import Cell, Sheet, Table, cells, matches_said

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
        says = text("{name} has played no match yet that is over and stored here")
        raise UnknownPerson(says.format(name=name))
    found, nights = record_of(name, mine), evenings(mine)
    newest, *_, oldest = [*nights, *nights]
    on_one, on_more = text("{matches} on {day}"), text("{matches} on {count} evenings, from {oldest} to {day}")
    about = (on_one if len(nights) == 1 else on_more).format(
        matches=matches_said(found.matches), day=day(newest), count=len(nights), oldest=day(oldest)
    )
    told = [tables.summary_table(found), tables.games_table(name, mine)]
    if not is_shared:
        told.append(tables.head_to_head_table(head_to_head(name, matches)))
    told.append(tables.evenings_table(name, mine, is_linked=not is_shared))
    by_game = [(title, [one for one in mine if one.title == title]) for title in dict.fromkeys(m.title for m in mine)]
    return Sheet(
        title=next(seat.name or name for match in reversed(mine) for seat in seats_of(match, name)),
        about=(about,),
        tables=tuple(told),
        plots=tables.person_plot(name, mine),
        bars=tables.punished_bars(text("Punished, by game"), [(title, record_of(name, of)) for title, of in by_game]),
        notes=tables.DEFINITIONS,
    )


def unplayed_sheet(name: str) -> Sheet:
    """Tell of somebody who is on the list and has played nothing yet."""
    return Sheet(title=name, about=(text("No match yet that is over and stored here."),))


def evening_sheet(evening: str, matches: Sequence[MatchFacts], *, is_shared: bool) -> Sheet:
    """Tell of an evening. is_shared, matches: as of `person_sheet`. Raises UnknownPerson where there was no match."""
    played = evenings(matches).get(evening)
    if not played:
        says = text("no match of the evening {evening} is over and stored here")
        raise UnknownPerson(says.format(evening=evening[:20]))
    people = players_of(played)
    records = [(one.name, one) for one in standings(played)]
    return Sheet(
        title=text("Evening of {day}").format(day=day(evening)),
        about=(joined((matches_said(len(played)), listed(ordered(people)) or text("nobody with a name")), "; "),),
        tables=(
            tables.standings_table(text("Standings"), played, is_linked=not is_shared),
            tables.matches_table(played, is_linked=not is_shared),
        ),
        plots=tables.evening_plot(played),
        bars=tables.punished_bars(text("Punished"), records),
        notes=tables.DEFINITIONS,
    )


def result_sheet(match_id: int, started: str, told: Document, game: Game[Any], lines: Sequence[bytes]) -> Sheet:
    """Tell the result of a match that is over, to be printed and signed. told: the match's document.

    Raises Illegal where it is not over, or cannot be judged to its end.
    """
    if not told.get("over") or told["fault"]:
        raise Illegal(text("match {match} has no result yet: it is not over").format(match=match_id))
    names = {seat["colour"]: seat["name"] or capital(Colour(seat["colour"]).says) for seat in told["seats"]}
    variants = [variant["label"] for variant in told["variants"]]
    return Sheet(
        title=text("Result of {game}, match {match}").format(game=told["title"], match=match_id),
        about=(
            joined((day(evening_of(started)), clock(started))),
            *([text("With {variants}").format(variants=listed(variants))] if variants else []),
        ),
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
    verdict = text("★ shares the victory") if len(told["leaders"]) > 1 else text("★ wins")
    rows = [
        (
            Cell(str(place + 1)),
            Cell(names[one["colour"]], one["colour"]),
            *cells(one["score"], verdict if one["colour"] in told["leaders"] else ""),
        )
        for place, one in zip(better, ranked, strict=True)
    ]
    head = (text("Place"), text("Player"), capital(told["score_label"]), "")
    return Table(text("Score"), head, tuple(rows), named_by=1)


def _account(ledger: Document) -> Table:
    rows = tuple((Cell(row["label"], row["owner"]), *cells(*row["values"])) for row in ledger["rows"])
    return Table(ledger["title"], ("", *ledger["columns"]), rows, ledger["note"])


def _races(told: Document, names: dict[str, str], game: Game[Any]) -> Table:
    has_cards = any(race["card"] for race in told["races"])
    rows = []
    for race in told["races"]:
        order = joined((_placed(press, names) for press in race["presses"]), "; ")
        card = [card_says(game.deck, race["card"]) if race["card"] else text("no card")] if has_cards else []
        rows.append(cells(race["number"], *card, order or text("nobody pressed")))
    return Table(text("Races"), (text("Race"), *([text("Card")] if has_cards else []), text("Order")), tuple(rows))


def _placed(press: Document, names: dict[str, str]) -> str:
    said = joined((str(press["place"]), names[press["colour"]], press["gap_text"]), " ")
    return joined((said, text("punished"))) if press["verdict"] == "punish" else said


def _times(figure: Document, names: dict[str, str]) -> Table:
    rows = tuple(
        (
            Cell(names[one["colour"]], one["colour"]),
            *cells(len(one["values"]), one["fastest"], one["median"], one["slowest"]),
        )
        for one in figure["players"]
    )
    head = (text("Player"), text("Presses"), text("Fastest"), text("Median"), text("Slowest"))
    return Table(figure["title"], head, rows, figure["how"])


def _protests(told: Document) -> Table:
    rows = [
        cells(one["says"], one["answer"]["says"] if one["answer"] else text("not answered")) for one in told["protests"]
    ]
    return Table(text("Protests"), (text("Protest"), text("Answer")), tuple(rows))


def _signatures(told: Document, names: dict[str, str]) -> Table:
    rows = tuple(
        (Cell(name, colour), *cells(text("✓ accepted") if colour in told["signed"] else "", ""))  # type: ignore[arg-type]
        for colour, name in names.items()
    )
    head = (text("Player"), text("On the box"), text("On paper"))
    return Table(text("Signatures"), head, (*rows, cells(text("Referee"), "", "")))


def _sealed(lines: Sequence[bytes], match_id: int) -> str:
    """Say what seals the record that the sheet was made from. It is not checked here."""
    seals = [(number, raw) for number, raw in enumerate(lines, 1) if b'"seal"' in raw]
    for number, raw in reversed(seals):
        line = parse_line(raw, number) if b'"type":"seal"' in raw else None
        if isinstance(line, Seal):
            says = text(
                "The box has sealed the record's lines before line {line}: SHA-256 {sha256}, key {key}."
                " To check it: companion verify {file}"
            )
            return says.format(line=number, sha256=line.sha256, key=line.key, file=f"match-{match_id}.jsonl")
    return text("The box has not sealed this record.")


def overview(book: Book, matches: Sequence[MatchFacts], fault: str) -> Document:
    """Give the list of players, standings in all games and each, evenings, links. fault: of the list, "" for none."""
    known = {name: record_of(name, matches) for name in everybody(book, matches)}
    titles = sorted({match.title for match in matches})
    by_game = [(title, [match for match in matches if match.title == title]) for title in titles]
    boards = [(text("all games"), list(matches)), *by_game] if len(by_game) != 1 else by_game
    return {
        "people": [
            {"name": name, "says": matches_said(one.matches), "matches": one.matches}
            for name, one in known.items()
        ],
        "standings": [
            told(tables.standings_table(text("Standings, {game}").format(game=title), of, is_linked=True))
            for title, of in boards
            if of
        ],
        "evenings": [
            {"evening": evening, "says": day(evening), "matches": matches_said(len(played)),
             "players": listed(ordered(players_of(played)))}
            for evening, played in evenings(matches).items()
        ],
        "shares": [shared_document(share.token, share.person, share.evening) for share in book.shares],
        "notes": list(tables.DEFINITIONS),
        "fault": fault or None,
    }  # fmt: skip


def shared_document(token: str, person: str | None, evening: str | None) -> Document:
    """Tell of a link: its address below the box's, and what it shows."""
    says = person if person is not None else text("Evening of {day}").format(day=day(evening or ""))
    return {"token": token, "address": f"/people#shared={token}", "says": says}


def everybody(book: Book, matches: Sequence[MatchFacts]) -> tuple[str, ...]:
    """Give all who are on the list or have played, in alphabetical order, each as the list spells them."""
    played = [name for name in players_of(matches) if not any(is_same(name, known) for known in book.people)]
    return ordered((*book.people, *played))
