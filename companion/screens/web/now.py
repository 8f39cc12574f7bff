"""How the box stands, in a title and a sentence for whoever has just come: who sits, who plays, who has won. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.shown.calibrating import Calibrating
from companion.core.shown.scene import Question
from companion.core.words.texts import capital, joined, listed, text, texts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core.panel import Colour
    from companion.screens.everybody.public import PublicMatch, PublicState, PublicTable

Document = dict[str, Any]


def now_document(public: PublicState) -> Document:
    """Give `title`, a few words, and `says`, a sentence that says what comes next."""
    title, says = _said(public)
    return {"title": title, "says": says}


def _said(public: PublicState) -> tuple[str, str]:
    if public.is_offering:
        return text("A match was cut off"), text("The referee says whether it goes on.")
    if public.match is not None:
        return _of_match(public.match)
    body = public.scene.body
    if isinstance(body, Question):
        says = joined((joined(body.lines, ". "), "."), "") if body.lines else text("The box asks.")
        return body.title, says
    if isinstance(body, Calibrating):
        return text("An allowance is measured"), text("Everybody at the table presses what the display shows.")
    return _of_seating(public.table)


def _of_seating(table: PublicTable) -> tuple[str, str]:
    if not table.seats:
        return (
            text("Nobody sits here yet"),
            text("Take a seat, by a button of your colour or by a phone; or the host begins a match."),
        )
    who = capital(listed(_called(table.seats, table.names)))
    title = texts("{who} has a seat", "{who} have seats", len(table.seats), who=who)
    if len(table.seats) == 1:
        return title, text("One more, and a match can begin.")
    return title, text("The match has not begun yet.")


def _of_match(match: PublicMatch) -> tuple[str, str]:
    game, leaders = match.game, match.progress.leaders
    names = {seat.colour.value: seat.name or seat.title or "" for seat in game.seats}
    who = capital(listed(_called([seat.colour for seat in game.seats], names)))
    if not match.progress.is_over:
        title = text("A match of {game}").format(game=game.title)
        return title, texts("{who} plays.", "{who} play.", len(game.seats), who=who)
    title = text("{game} is over").format(game=game.title)
    if not leaders:
        return title, text("{who} have played.").format(who=who)
    best = capital(listed(_called(leaders, names)))
    return title, texts("{who} wins.", "{who} share the victory.", len(leaders), who=best)


def _called(colours: Sequence[Colour], names: Mapping[str, str]) -> list[str]:
    """Give what each is called: "Ann (red)", or "red"."""
    return [
        text("{name} ({colour})").format(name=names[colour], colour=colour) if names.get(colour) else colour.says
        for colour in colours
    ]
