"""All there is to know of a session at one instant, as frozen values: for pages, in whatever thread they are made.

A scene is what the box's own display shows; this is what a larger one may show beside it. Knows no display.
"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import replace as dataclass_replace
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.match import laying
from companion.core.match.anticipated import anticipated
from companion.core.match.corrections.another_card import can_have_another
from companion.core.match.corrections.disputing import may_protest, may_sign
from companion.core.match.match import made_at
from companion.core.match.veil import is_of_button, veil_of, waited_for
from companion.core.record.lines import ChanceLine, Open, PressLine
from companion.core.ruling.chance import held_items
from companion.core.ruling.looks import button_named, card_says
from companion.core.ruling.race import RacePhase
from companion.core.ruling.ranking import rank
from companion.core.shown.own_presses import NOBODY_WAITS, Waiting
from companion.core.shown.race_rows import basis_of, newest_race, rows
from companion.core.shown.scene import Status
from companion.core.shown.timed import ticking

if TYPE_CHECKING:
    from collections.abc import Collection

    from companion.core.match.match import Match
    from companion.core.panel import Colour
    from companion.core.play.seating import Table
    from companion.core.record.lines import Setup
    from companion.core.ruling.game import Game
    from companion.core.ruling.history import History
    from companion.core.shown.own_presses import OwnPress, OwnPresses
    from companion.core.shown.scene import MenuItem, Row, Scene, Turn
    from companion.core.words.texts import Text

LOOKED_BACK = 200
"""Lines among which the presses of a race are that was opened again."""


class RaceNow(NamedTuple):
    """The newest race: the one that runs, else the one that was judged last.

    number: 1, 2, … presses: those that count, of a race that runs. is_running: its presses are collected, or its
    card is awaited. unsettled: seats that touch a button, and whose contact may become a press yet. made,
    hidden_for, without: as `Standing` has them.
    """

    number: int
    is_running: bool
    rows: tuple[Row, ...]
    turns: tuple[Turn, ...]
    presses: tuple[PressLine, ...]
    late: tuple[tuple[Colour, Text], ...]
    card: str | None
    unsettled: tuple[Colour, ...] = ()
    made: tuple[Colour, ...] = ()
    hidden_for: tuple[Colour, ...] = ()
    without: tuple[Colour, ...] | None = None


class PendingPlays(NamedTuple):
    """What is shown of a race before it is certain: presses that will count, and seats that touch a button."""

    presses: tuple[PressLine, ...] = ()
    unsettled: tuple[Colour, ...] = ()


NOTHING_PENDING = PendingPlays()


class OrderNow(NamedTuple):
    """What may be seen of a running race: its order, or no more than who has made a press (`Standing`)."""

    rows: tuple[Row, ...]
    unsettled: tuple[Colour, ...]
    made: tuple[Colour, ...]
    hidden_for: tuple[Colour, ...]
    without: tuple[Colour, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """The match that runs (or has just ended).

    state: of `game`, frozen. lines: number of lines of the record. shown: how many of them may be shown with what was
    ruled on them: those that are durable, or all while the journal cannot store. early: number of presses that wait
    for their card. closes_at_ns: when the collecting window ends, None where it does not by itself.
    newest: number of the line that an undo would take back, None where there is none. veil: after which line presses
    are not to be seen yet (`veil`), None where all may be. face_down: how many cards lie face down, None where nobody
    has laid one nor plays none; may_play_none: which seats may say so. is_announcing: a card is being said
    that is not shown yet. may_protest, may_sign: which seats may protest or accept the result now.
    """

    game: Game[Any]
    state: Any
    setup: Setup
    history: History
    lines: int
    shown: int
    status: Status
    race: RaceNow | None
    window_ns: int
    newest: int | None
    early: int
    closes_at_ns: int | None
    asks_card: bool
    is_collecting: bool
    is_over: bool
    can_be_play: bool
    can_have_another: bool
    veil: int | None
    face_down: int | None = None
    may_play_none: tuple[Colour, ...] = ()
    is_announcing: bool = False
    may_protest: tuple[Colour, ...] = ()
    may_sign: tuple[Colour, ...] = ()


class Secret(NamedTuple):
    """A private choice, to be shown to `seat` alone: what each of its buttons picks now (the items' `role`)."""

    seat: Colour
    prompt: str
    items: tuple[MenuItem, ...]


class InHand(NamedTuple):
    """What a seat has drawn unseen, to be shown to `seat` alone. items: for people; None: the box has no seed."""

    seat: Colour
    label: str
    items: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A session at `now_ns`. table: the seating. is_offering: whether it asks if a match is to be resumed.

    why_untimed: why to play without times, of a seating; empty where nothing is proposed.

    secrets, in_hand, own_presses: never for everybody; whoever shows one has made sure that only its seat is looking.
    """

    scene: Scene
    now_ns: int
    table: Table
    is_offering: bool
    match: Running | None
    secrets: tuple[Secret, ...] = ()
    own_presses: tuple[OwnPress, ...] = ()
    in_hand: tuple[InHand, ...] = ()
    can_be_dismissed: bool = False
    why_untimed: str = ""


def in_hand_of(match: Match) -> tuple[InHand, ...]:
    """Give what seats have drawn unseen in a match and still hold, of draws that are durable."""
    held = match.game.held(match.judge.state)
    if not held:
        return ()
    shown = match.lines_written if match.fault else match.durable_lines
    rolls = {
        (told.line.name, told.line.n): told.line
        for told in match.history.standing_backwards()
        if isinstance(told.line, ChanceLine) and told.number <= shown
    }
    seed = match.seed or next((told.line.seed for told in match.history if isinstance(told.line, Open)), "")
    found = ((one, held_items(one, rolls, seed)) for one in held)
    return tuple(
        InHand(one.seat, one.label, None if items is None else tuple(card_says(match.game.deck, i) for i in items))
        for one, items in found
        if items != ()
    )


def is_ticking(snapshot: Snapshot) -> bool:
    """Tell whether a clock of the game runs, so that what there is to show changes by itself."""
    running = snapshot.match
    return running is not None and any(clock.is_running for clock in running.game.view(running.state).clocks)


def as_of(snapshot: Snapshot, now_ns: int) -> Snapshot:
    """Give a snapshot whose clocks stand as they do at a later instant; the same where none runs."""
    if now_ns <= snapshot.now_ns or not is_ticking(snapshot):
        return snapshot
    return dataclass_replace(snapshot, scene=ticking.as_of(snapshot.scene, now_ns), now_ns=now_ns)


def own_presses_of(match: Match, made: OwnPresses) -> tuple[OwnPress, ...]:
    """Give what became of each seat's newest press in a match."""
    if not match.early and not match.unpicked:
        return made.told(match.history, NOBODY_WAITS)
    unpicked = tuple(PressLine(colour=colour, role="", t_ns=t_ns) for colour, t_ns in match.unpicked.times().items())
    return made.told(match.history, Waiting((*match.early, *unpicked), (*match.presses(), *unpicked)))


def running_of(match: Match, pending: PendingPlays = NOTHING_PENDING) -> Running:
    """Give a match as it stands, with what is shown of its race before it is certain."""
    newest = match.history.newest_doing()
    return Running(
        game=match.game,
        state=match.judge.state,
        setup=match.setup,
        history=match.history,
        lines=match.lines_written,
        shown=match.lines_written if match.fault else match.durable_lines,
        status=Status.PROVISIONAL if pending.presses else match.status,
        race=_race(match, pending),
        window_ns=match.settings.window_ns,
        newest=newest.number if newest is not None else None,
        early=len(match.early) + len(match.unpicked),
        face_down=len(match.face_down.laid) if match.face_down else None,
        may_play_none=laying.may_play_none(match),
        is_announcing=match.announced is not None,
        closes_at_ns=match.closes_at_ns,
        asks_card=match.stage.asks_card,
        is_collecting=match.stage.is_collecting,
        is_over=match.is_over,
        can_be_play=match.can_be_play(),
        can_have_another=can_have_another(match) and bool(match.cards()),
        veil=veil_of(match),
        may_protest=may_protest(match),
        may_sign=may_sign(match),
    )


def is_withheld(told: Snapshot | None, now: Snapshot, phones: Collection[Colour]) -> bool:
    """Tell whether pages must not be sent `now` yet, because phones race: it says that somebody has pressed.

    told: what pages were sent last; they keep it until the race takes no more presses. phones: the seats that phones
    play. A page may be a player's, and a program there is quicker than an eye: so not even that anybody pressed is to
    be learned from it.
    """
    running = now.match
    if running is None or running.status is not Status.PROVISIONAL or not phones_race(running, phones):
        return False
    before = told.match if told is not None else None
    return _says_more(None if before is None or before.setup != running.setup else before, running)


def phones_race(running: Running, phones: Collection[Colour]) -> bool:
    """Tell whether a seat of the match is played by a phone, so that its time counts."""
    return not laying.is_untimed(running.setup) and any(seat.colour in phones for seat in running.setup.seats)


def _says_more(before: Running | None, running: Running) -> bool:
    """Tell whether a running race says of any press that was not known before; None: nothing was."""
    known: set[PressLine] = set()
    was, race = None, running.race
    if before is not None:
        known = {
            told.line for told in islice(reversed(before.history), LOOKED_BACK) if isinstance(told.line, PressLine)
        }
        was = before.race if before.race is not None and before.race.is_running else None
        news = (running.history[index].line for index in range(before.lines, running.lines))
        if running.early > before.early or any(is_of_button(line) for line in news):
            return True
    if race is None:
        return False
    known |= set(was.presses) if was is not None else set()
    seen = (was.unsettled, was.made) if was is not None else ((), ())
    return not known.issuperset(race.presses) or (race.unsettled, race.made) != seen


def late(match: Match) -> tuple[tuple[Colour, Text], ...]:
    """Return the seat and the button's name for people of each press after the close, newest last."""
    presses = match.early.late() if match.stage.is_early else match.history.late_presses()
    return tuple((press.colour, button_named(match.game, press.role)) for press in presses)


def provisional(match: Match, pending: tuple[PressLine, ...] = ()) -> tuple[Row, ...]:
    """Give the order of the running race as it stands, without verdicts; `pending`: presses that will count."""
    race, presses = match.race, (*match.presses(), *pending)
    if race is None or not presses:
        return ()
    places = rank(presses, match.setup.seats, race.revealer, match.setup.ties, race.number)
    known = None if race.phase is RacePhase.WAITING else race  # what lies there is not the card of presses that wait
    shown = rows(places, presses, match.game, basis_of(match.setup, known))
    too_soon = anticipated(match)
    return tuple(dataclass_replace(row, anticipated=row.colour in too_soon) for row in shown) if too_soon else shown


def order_now(match: Match, pending: PendingPlays = NOTHING_PENDING) -> OrderNow:
    """Give what may be seen of the order of the running race, with what is not certain yet."""
    hidden_for = waited_for(match)
    if not hidden_for:
        return OrderNow(provisional(match, pending.presses), pending.unsettled, (), ())
    pressed = {press.colour for press in pending.presses} | set(made_at(match))
    made = pressed | set(pending.unsettled) | match.face_down.laid
    made_in_order = tuple(colour for colour in laying.seats_of(match) if colour in made)
    return OrderNow((), (), made_in_order, hidden_for, laying.without(match, made))


def _race(match: Match, pending: PendingPlays) -> RaceNow | None:
    race = match.race
    if race is not None and (match.stage.is_of_race or pending.presses):
        card = None if match.early and race.phase is RacePhase.WAITING else race.card
        presses = (*match.presses(), *pending.presses)
        now = order_now(match, pending)
        presses = () if now.hidden_for else presses
        return RaceNow(race.number, True, now.rows, (), presses, late(match), card, *now[1:])
    results = newest_race(match.history, match.game)
    if results is None:
        return None
    order, order_rows, turns, _ = results
    return RaceNow(order.race, False, order_rows, turns, (), late(match), None)
