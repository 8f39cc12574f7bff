"""What there is to say of a scene in short sentences, one after the other, the most urgent first. Pure.

For people who take in one thing at a time. Each fact stands for itself: it names who it is about, and uses no sign and
no abbreviation. Times and gaps are left out; who was first is not. A display shows one fact large, a page one fact with
a key for the next, and a voice may read them out. What waits for somebody comes before what is only to be known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.panel import place_says
from companion.core.shown.scene import Choosing, Final, Idle, Lobby, Question, Results, Standing, Status
from companion.core.words.texts import capital, joined, listed, text, texts
from companion.screens.text.explaining import explained
from companion.screens.text.wording import became

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.panel import Colour
    from companion.core.ruling.looks import Look
    from companion.core.ruling.view import View
    from companion.core.shown.scene import Menu, MenuItem, Scene

PLACES = (text("First"), text("Second"), text("Third"), text("Fourth"), text("Fifth"))


class ShortSentence(NamedTuple):
    """A short sentence, or a few words.

    seat: whom it is about, None for nobody alone. knob: its push picks this; with a seat, which scans, its press does.
    """

    says: str
    seat: Colour | None = None
    knob: bool = False


def facts(scene: Scene) -> tuple[ShortSentence, ...]:
    """Give what there is to say now, at least one fact; () where a picture says it better (an address and its code)."""
    body = tuple(_body(scene))
    if not body:
        return ()
    news = [ShortSentence(text("{event}.").format(event=capital(scene.notice)))] if scene.notice else []
    faults = [ShortSentence(alarm) for alarm in scene.alarms]
    if not scene.recorded:
        faults.insert(0, ShortSentence(text("This is not recorded.")))
    return (*news, *body, *faults)


def _body(scene: Scene) -> Iterator[ShortSentence]:
    body = scene.body
    if isinstance(body, Lobby):
        yield from _picked(body.menu)
        yield _seated(body.seats)
    elif isinstance(body, Standing):
        yield from _race(body, scene)
    elif isinstance(body, Choosing):
        yield from _choice(body)
    elif isinstance(body, Results):
        yield from _results(body, scene.look)
    elif isinstance(body, Question):
        yield ShortSentence(body.title)
        yield from (ShortSentence(line) for line in body.lines if line)
        yield from _picked(body.menu)
    elif isinstance(body, Final):
        yield from _end(body)
    elif isinstance(body, Idle):
        yield from _idle(body)


def _seated(seats: tuple[Colour, ...]) -> ShortSentence:
    if not seats:
        return ShortSentence(text("Press your button to sit down."))
    names = listed([seat.says for seat in seats])
    return ShortSentence(text("{colours} sits.").format(colours=capital(names)) if len(seats) == 1
                else text("{colours} sit.").format(colours=capital(names)))  # fmt: skip


def _picked(menu: Menu | None) -> Iterator[ShortSentence]:
    """Give what the knob would pick now; or, while a seat scans, what a press of that seat would."""
    if menu is not None and menu.items:
        item = menu.items[menu.cursor]
        says = text("Push the knob: {item}") if menu.seat is None else text("Press to pick: {item}")
        yield ShortSentence(says.format(item=item.says), menu.seat, knob=True)


def _race(body: Standing, scene: Scene) -> Iterator[ShortSentence]:
    yield from _picked(body.menu)
    if body.without is not None and body.hidden_for:
        yield from (
            ShortSentence(text("{colour}: lay a card.").format(colour=capital(one)), one) for one in body.hidden_for
        )
        yield from (
            ShortSentence(text("{colour} has laid a card.").format(colour=capital(one)), one) for one in body.made
        )
        yield from (
            ShortSentence(text("{colour} plays no card.").format(colour=capital(one)), one) for one in body.without
        )
        return
    yield from (ShortSentence(text("{colour} has pressed.").format(colour=capital(one)), one) for one in body.made)
    yield from _places(body, scene.look)
    if body.status is Status.PROVISIONAL:
        yield ShortSentence(text("The race is on."))


def _places(body: Standing | Results, _look: Look) -> Iterator[ShortSentence]:
    for row in body.rows:
        place = PLACES[min(row.place, len(PLACES)) - 1]
        yield ShortSentence(text("{place}: {colour}.").format(place=place, colour=row.colour), row.colour)
        if row.verdict == "punish":
            said = text("{colour} is punished: {why}.") if row.why_says else text("{colour} is punished.")
            yield ShortSentence(said.format(colour=capital(row.colour), why=row.why_says), row.colour)


def _choice(body: Choosing) -> Iterator[ShortSentence]:
    if body.menu.seat is not None:
        yield from _picked(body.menu)
    who = text("The referee") if body.seat is None else capital(body.seat)
    if body.is_private:
        yield ShortSentence(text("{who} chooses in secret.").format(who=who), body.seat)
        return
    yield ShortSentence(texts("{who} chooses.", "{who} choose.", 1, who=who), body.seat)
    yield from (ShortSentence(_option(item), body.seat) for item in body.menu.items)


def _option(item: MenuItem) -> str:
    button = item.button or (place_says(item.role) if item.role else "")
    if not button or button == item.label:
        return item.says
    return text("{button}: {option}").format(button=capital(place_says(button)), option=item.says)


def _results(body: Results, look: Look) -> Iterator[ShortSentence]:
    yield from _places(body, look)
    for turn in body.turns:
        if turn.result != "punished" or turn.cards:
            said = became(turn, look)
            yield ShortSentence(text("{colour} {does}.").format(colour=capital(turn.colour), does=said), turn.colour)
    yield from _why(body)
    yield from _scores(body.view)


def _why(body: Results) -> Iterator[ShortSentence]:
    """In a practice match, say why."""
    if body.heat_goes is None:
        return
    for told in explained(body.rows, body.turns, body.heat_goes, {}):
        for sentence in told.sentences:
            yield ShortSentence(joined((capital(told.colour), sentence), ": "), told.colour)


def _scores(view: View) -> Iterator[ShortSentence]:
    for colour, score in view.scores:
        said = text("{colour} has {score} {what}.") if view.score_label else text("{colour} has {score}.")
        yield ShortSentence(said.format(colour=capital(colour), score=score, what=view.score_label), colour)


def _end(body: Final) -> Iterator[ShortSentence]:
    yield from _picked(body.menu)
    names = capital(listed([one.says for one in body.leaders]))
    if not body.leaders:
        yield ShortSentence(text("Nobody wins."))
    elif len(body.leaders) == 1:
        yield ShortSentence(text("{colour} wins!").format(colour=names), body.leaders[0])
    else:
        yield ShortSentence(text("{colours} share the victory!").format(colours=names))
    yield from _scores(body.view)


def _idle(body: Idle) -> Iterator[ShortSentence]:
    yield from _picked(body.menu)
    if body.menu is not None:
        return
    if body.held and body.hint:
        yield ShortSentence(body.hint)
    if body.recent:
        yield ShortSentence(text("{event}.").format(event=capital(body.recent)))
    if body.view.turn is not None:
        yield ShortSentence(text("{colour} is next.").format(colour=capital(body.view.turn)), body.view.turn)
    elif body.view.phase:
        yield ShortSentence(text("{phase}.").format(phase=capital(body.view.phase)))
    yield from (ShortSentence(hint) for hint in body.view.hints)
    yield from _scores(body.view)
    if not (body.recent or body.view.turn or body.view.phase or body.view.scores):
        yield ShortSentence(body.game_title)
