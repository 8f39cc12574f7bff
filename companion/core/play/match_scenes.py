"""What there is to show of a match: its race, a choice, results, the table, a question, the end. Changes nothing.

Presses just accepted take their places before they are certain, and contacts under way are named: that is laid over
what there is to show anyway, and goes again where it is not confirmed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.core.match import announcing, laying
from companion.core.match.corrections.disputing import oldest_protest
from companion.core.match.match import counting
from companion.core.match.veil import says
from companion.core.match.waiting.early_presses import without_card
from companion.core.panel import BUTTON_BY_LABEL, KNOB_PUSH, label_of
from companion.core.play.match_entries import ANOTHER, ANSWER, PROTEST, TABLE
from companion.core.play.snapshot import NOTHING_PENDING, PendingPlays, late, order_now
from companion.core.record.dead_heats import POLICIES
from companion.core.record.practice import is_practice
from companion.core.ruling.offers import REVEAL
from companion.core.shown.protests import disputing, protesting
from companion.core.shown.race_rows import Judged, newest_race
from companion.core.shown.scene import (
    MORE,
    Body,
    Choosing,
    Final,
    Idle,
    Menu,
    Question,
    Results,
    Row,
    Standing,
    Status,
)
from companion.core.shown.times import USUAL, Times
from companion.core.words.texts import text

if TYPE_CHECKING:
    from companion.core.match.match import Match
    from companion.core.ruling.offers import Offer
    from companion.core.timing.arbiter import Pending

WHO_PROTESTS = text("Who protests?")


@dataclass(frozen=True, slots=True)
class Moment:
    """A match at an instant at the box. since_ns: how long its newest results have been shown. held: the knob is.

    times: how long what is shown stays. turned: how many of the pages that stay until they are dismissed, have been.
    """

    match: Match
    since_ns: int
    held: bool
    times: Times = USUAL
    turned: int = 0

    @property
    def is_stable(self) -> bool:
        """Tell whether what was ruled is durable, or cannot become so, and may be shown."""
        return self.match.status is not Status.SAVING

    @property
    def results(self) -> Judged | None:
        """Give the newest judged race that stands."""
        return newest_race(self.match.history, self.match.game)

    def is_due(self, offer: Offer) -> bool:
        """Tell whether a choice may be asked for: where a race led to it, its final order has been seen."""
        after_race = offer.required and self.match.race is not None
        order_ns = self.times.order_ns
        is_seen = self.turned > 0 if order_ns is None else self.since_ns >= order_ns
        return self.is_stable and (not after_race or is_seen)

    def leafed(self, results: Results) -> Results:
        """Give results with the page that stands now."""
        page_ns, pages = self.times.page_ns, results.pages
        page = min(self.turned, pages) if page_ns is None else self.since_ns // page_ns % (pages + 1)
        return replace(results, focus=page - 1)


def standing(moment: Moment, menu: Menu | None) -> Standing:
    """Show the race that runs."""
    match = moment.match
    number = match.race.number if match.race else 0
    order, closes_ns = order_now(match), match.closes_at_ns
    return Standing(number, order.rows, match.status, late(match), closes_ns, menu, match.game.race_name, *order[1:])


def deciding(moment: Moment, offer: Offer, menu: Menu | None, *, has_begun: bool) -> Body:
    """Show that somebody may choose; menu None: not yet, the final order is shown first."""
    match, results = moment.match, moment.results
    if menu is None:
        return _judged(moment, results) if results is not None else _idle(moment, None)
    last = len(menu.items) - 1
    on_more = menu.cursor == last and menu.items[last] is MORE
    if menu.items[last] is MORE:
        menu = Menu(menu.title, menu.items[:last], min(menu.cursor, last - 1))
    return Choosing(
        number=results.order.race if results and match.race is not None else None,
        seat=offer.seat,
        menu=menu,
        page=int(has_begun),
        race_name=match.game.race_name or match.game.title,
        hint=offer.hint,
        is_private=offer.is_private,
        others=tuple(o.seat for o in match.offers() if o.required and o.seat not in (None, offer.seat)),
        more=on_more,
    )


def between(moment: Moment, menu: Menu | None) -> Body:
    """Show that no race runs: the results of the newest until something new happens, the table, or the end."""
    match = moment.match
    if match.is_over and moment.is_stable:
        stored = match.history if match.fault else match.history.up_to(match.durable_lines)
        ahead, disputed = match.judge.outcome().ahead(), protesting(match.history)
        return Final(match.game.title, match.view(), ahead, stored.signed(), disputed, menu)
    results = moment.results
    if results is not None and not moment.is_stable:
        return _judged(moment, results)
    if results is not None and results.is_newest and menu is None:
        order, order_rows, turns, _ = results
        by = disputing(match.history, order.race)
        is_explained = is_practice(told.line for told in match.history)
        heat_goes = POLICIES[match.setup.dead_heat].label if is_explained else None
        return moment.leafed(
            Results(order.race, order_rows, turns, match.status, match.view(), -1, match.game.race_name, by, heat_goes)
        )
    return _idle(moment, menu)


def laid_over(moment: Moment, asking: str, menu: Menu) -> Body:
    """Show the table, or a menu of what can be done, while a choice waits."""
    if moment.match.stage.is_of_race:
        return standing(moment, menu)
    return _idle(moment, None) if asking == TABLE else between(moment, menu)


def question(moment: Moment, asking: str, menu: Menu) -> Question:
    """Show a question: whether to end ("end"), to take back ("undo") and what, or which card was turned too."""
    match = moment.match
    if asking == ANOTHER:
        number = moment.results.order.race if moment.results is not None else 0
        return Question(
            text("Another card?"),
            (
                text("{race_name} {race} is judged again with that card too.").format(
                    race_name=match.game.race_name, race=number
                ),
            ),
            menu,
        )
    if asking == PROTEST:
        return Question(WHO_PROTESTS, (text("Press a button of your own: it is noted."),), menu)
    if asking == ANSWER:
        asked = oldest_protest(match.history)
        return Question(text("Answer?"), (match.game.describe(asked.line) if asked is not None else "",), menu)
    if asking == "end":
        return Question(text("End of the game?"), (text("No more cards, no more presses are taken."),), menu)
    return Question(text("Take back?"), (_taken_back(match),), menu)


def _taken_back(match: Match) -> str:
    """Say what would be taken back: what is not in the record yet first."""
    if match.announced is not None:
        return announcing.IS_ANNOUNCED
    if match.early:
        return without_card(len(match.early))
    if match.face_down:
        return laying.says(len(match.face_down.laid))
    newest = match.history.newest_doing()
    return says(match, newest) if newest is not None else ""


def plays_of(match: Match, pending: Pending, body: Body) -> PendingPlays:
    """Give what of `pending` would count as plays where `body` is shown; nothing where none would.

    It decides nothing, and says nothing where the same press might be a card (the knob is pushed) or an answer.
    """
    lines = {label_of(press.line) for press in pending.presses} | {label_of(touch.line) for touch in pending.unsettled}
    is_open = match.stage.is_collecting if isinstance(body, Standing) else isinstance(body, (Idle, Results))
    if not lines or not is_open or KNOB_PUSH in lines:
        return NOTHING_PENDING
    presses = counting(match, [press._replace(line=label_of(press.line)) for press in pending.presses])
    if not presses and not match.stage.is_collecting:
        return NOTHING_PENDING  # a hand that only touches begins no race
    taken = {press.colour for press in (*match.presses(), *presses)}
    touching = [BUTTON_BY_LABEL[label_of(touch.line)].colour for touch in pending.unsettled]
    free = [seat.colour for seat in match.setup.seats if seat.colour not in taken]
    return PendingPlays(presses, tuple(colour for colour in free if colour in touching))


def with_pending(match: Match, body: Body, plays: PendingPlays) -> Body:
    """Give a body with what is pending laid over it."""
    if plays == NOTHING_PENDING or match.race is None:
        return body
    now = order_now(match, plays)
    if isinstance(body, Standing):
        return replace(
            body, rows=now.rows, unsettled=now.unsettled, made=now.made, hidden_for=now.hidden_for, without=now.without
        )  # fmt: skip
    return Standing(match.race.number, now.rows, Status.PROVISIONAL, (), None, None, match.game.race_name, *now[1:])


def _judged(moment: Moment, results: Judged) -> Standing:
    match = moment.match
    shown = results.rows if moment.is_stable else _without_verdicts(results.rows)
    number = results.order.race
    by = disputing(match.history, number)
    return Standing(number, shown, match.status, race_name=match.game.race_name, disputed=by)


def _idle(moment: Moment, menu: Menu | None) -> Idle:
    match = moment.match
    newest = match.history.newest_doing()
    recent = newest.says(match.game) if newest is not None else ""
    recent = announcing.IS_ANNOUNCED if match.announced is not None else recent
    cards = match.offers_of(REVEAL)
    hint = cards[0].hint if cards and moment.held else ""
    return Idle(match.game.title, match.view(), recent, menu, moment.held, hint)


def _without_verdicts(order: tuple[Row, ...]) -> tuple[Row, ...]:
    """Give the order as it may be shown before it is durable: who came when, and no ruling."""
    return tuple(replace(row, verdict=None, why=None, why_says="", why_brief="") for row in order)
