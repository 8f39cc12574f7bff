"""How the box stands, in a title and a sentence for whoever has just come: who sits, who plays, who has won. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.shown.scene import Question

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core.panel import Colour
    from companion.screens.web.public import PublicMatch, PublicState, PublicTable

Document = dict[str, Any]


def now_document(public: PublicState) -> Document:
    """Give `title`, a few words, and `says`, a sentence that says what comes next."""
    title, says = _said(public)
    return {"title": title, "says": says}


def _said(public: PublicState) -> tuple[str, str]:
    if public.is_offering:
        return "A match was cut off", "The referee says whether it goes on."
    if public.match is not None:
        return _of_match(public.match)
    body = public.scene.body
    if isinstance(body, Question):
        return body.title, f"{'. '.join(body.lines)}." if body.lines else "The box asks."
    return _of_seating(public.table)


def _of_seating(table: PublicTable) -> tuple[str, str]:
    if not table.seats:
        return (
            "Nobody sits here yet",
            "Take a seat, by a button of your colour or by a phone; or the host begins a match.",
        )
    who = _capital(listed(_called(table.seats, table.names)))
    if len(table.seats) == 1:
        return f"{who} has a seat", "One more, and a match can begin."
    return f"{who} have seats", "The match has not begun yet."


def _of_match(match: PublicMatch) -> tuple[str, str]:
    game, leaders = match.game, match.progress.leaders
    names = {seat.colour.value: seat.name or seat.title or "" for seat in game.seats}
    who = _capital(listed(_called([seat.colour for seat in game.seats], names)))
    if not match.progress.is_over:
        return f"A match of {game.title}", f"{who} {'plays' if len(game.seats) == 1 else 'play'}."
    if not leaders:
        return f"{game.title} is over", f"{who} have played."
    best = _capital(listed(_called(leaders, names)))
    return f"{game.title} is over", f"{best} wins." if len(leaders) == 1 else f"{best} share the victory."


def _called(colours: Sequence[Colour], names: Mapping[str, str]) -> list[str]:
    """Give what each is called: "Ann (red)", or "red"."""
    return [f"{names[colour]} ({colour})" if names.get(colour) else colour.value for colour in colours]


def listed(words: Sequence[str]) -> str:
    """Give "red, yellow and blue"."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
