"""What any page may see of a session: a type of its own, built by naming each public part. Pure.

Theory of operation. A `Snapshot` has everything: the PIN on the box's own display, a game's state with what is hidden
in it, the whole history, private choices. Nothing of that leads out of a `PublicState`: it has no field for a PIN, no
state, no history, no option of a private offer, and no reference to anything that has one. What is added to a session
later is therefore in no page until somebody names it here. Everything is as a viewer without a seat may have it. Knows
no wire and no game by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.match.announcing import IS_ANNOUNCED
from companion.core.match.corrections.new_card import before_new_card
from companion.core.match.corrections.reasons import unexplained
from companion.core.match.laying import is_untimed
from companion.core.match.laying import says as lie_face_down
from companion.core.match.veil import is_veiled, veiled_says
from companion.core.match.waiting.early_presses import without_card
from companion.core.record.practice import is_practice
from companion.core.ruling.looks import card_says
from companion.core.ruling.offers import REVEAL, Offer
from companion.core.ruling.parameters import variants_of
from companion.core.shown.protests import disputes, disputing
from companion.core.shown.scene import Apart, Final, Invitation, LookOn, PublicBody, Scene, Status
from companion.core.words.texts import text
from companion.screens.everybody.looks import look_key
from companion.screens.text import history as telling

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.panel import Colour
    from companion.core.play.seating import Table
    from companion.core.play.snapshot import RaceNow, Running, Snapshot
    from companion.core.ruling.game import Adjustable, Game
    from companion.core.ruling.history import History, Told
    from companion.core.ruling.view import Ledger, View
    from companion.core.shown.scene import Body

Document = dict[str, Any]

NEWEST = 30
"""Entries of the course that a state document has."""


@dataclass(frozen=True, slots=True)
class PublicScene(Scene):
    """A scene for pages: with no body that the box's own display alone may show."""

    body: PublicBody


class PublicTable(NamedTuple):
    """The seating: as `Table` has it, of files their names alone. first: None where whoever sat down first.

    why_untimed: why to play without times, empty where nothing is proposed.
    """

    game: str
    seats: tuple[Colour, ...]
    first: Colour | None
    variants: tuple[str, ...]
    dead_heat: str
    window_ns: int
    names: dict[str, str]
    allowances_ms: dict[str, int]
    parameters: dict[str, Any]
    files: dict[str, str]
    practice: bool
    by_profile: tuple[str, ...]
    timing: str
    why_untimed: str


class PublicSeat(NamedTuple):
    """A seat of a match. name: of who sits there, title: what the game calls it; None for none."""

    colour: Colour
    name: str | None
    title: str | None
    allowance_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicGame:
    """Which game a match is of, and how it is set up. look: how its things look (`look_key`).

    variants: keys and labels of those that are played. clauses: which heading of the game's rules a verdict goes by.
    is_practice: each ruling is explained. is_untimed: cards are laid face down, without a clock.
    """

    name: str
    title: str
    race_name: str
    look: str
    variants: tuple[tuple[str, str], ...]
    dead_heat: str
    window_ns: int
    seats: tuple[PublicSeat, ...]
    clauses: Mapping[str, str]
    is_practice: bool
    is_untimed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicProgress:
    """How far a match has come. lines, status, closes_at_ns, asks_card: as `Running` has them."""

    lines: int
    status: Status
    is_over: bool
    is_announcing: bool
    closes_at_ns: int | None
    asks_card: bool
    leaders: tuple[Colour, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicCourse:
    """What has happened, in sentences for everybody: the newest entries, of `total`; protests; who has signed.

    disputed: whose protests against the race that is shown have no answer yet.
    """

    entries: tuple[Document, ...]
    total: int
    protests: tuple[Document, ...]
    signed: tuple[Colour, ...]
    disputed: tuple[Colour, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicMatch:
    """The match that runs (or has just ended), as somebody without a seat may see it.

    view: for no seat. offers: what may be decided, of private ones without their options. ledgers: accounts as tables.
    can: which commands would be carried out now, by their names.
    """

    game: PublicGame
    progress: PublicProgress
    view: View
    race: RaceNow | None
    offers: tuple[Offer, ...]
    adjustable: tuple[Adjustable, ...]
    ledgers: tuple[Ledger, ...]
    course: PublicCourse
    can: Document


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicState:
    """A session at `now_ns`, for everybody. is_offering: whether it asks if a match is to be resumed.

    can_be_dismissed: something is shown that stays until somebody dismisses it.
    """

    scene: PublicScene
    now_ns: int
    table: PublicTable
    is_offering: bool
    match: PublicMatch | None
    can_be_dismissed: bool = False


def public_state(snapshot: Snapshot) -> PublicState:
    """Give of a session what everybody may see."""
    return PublicState(
        scene=public_scene(snapshot.scene),
        now_ns=snapshot.now_ns,
        table=_table(snapshot.table, snapshot.why_untimed),
        is_offering=snapshot.is_offering,
        match=None if snapshot.match is None else _match(snapshot.scene, snapshot.match),
        can_be_dismissed=snapshot.can_be_dismissed,
    )


def public_scene(scene: Scene) -> PublicScene:
    """Give a scene as everybody may see it: an invitation without the PIN, the seating without the list of players."""
    return PublicScene(
        body=_public_body(scene.body),
        alarms=scene.alarms,
        notice=scene.notice,
        recorded=scene.recorded,
        roles=scene.roles,
        look=scene.look,
    )


def _public_body(body: Body) -> PublicBody:
    if isinstance(body, Apart):
        return body.seating
    return LookOn(body.url, body.remark) if isinstance(body, Invitation) else body


def public_offer(offer: Offer) -> Offer:
    """Give an offer as everybody may see it: of a private one that there is something to decide, and by whom."""
    if not offer.is_private:
        return offer
    return Offer(
        kind=offer.kind,
        seat=offer.seat,
        prompt=offer.prompt,
        is_stepped=offer.is_stepped,
        required=offer.required,
        is_private=True,
        at_once=offer.at_once,
    )


def _table(table: Table, why_untimed: str) -> PublicTable:
    return PublicTable(
        game=table.game,
        seats=table.seats,
        first=table.first,
        variants=table.variants,
        dead_heat=table.dead_heat,
        window_ns=table.window_ns,
        names={str(colour): name for colour, name in (table.names or {}).items()},
        allowances_ms={str(colour): ms for colour, ms in (table.allowances_ms or {}).items()},
        parameters=dict(table.parameters),
        files={key: file.name for key, file in table.files.items()},
        practice=table.practice,
        by_profile=tuple(sorted(table.by_profile)),
        timing=table.timing,
        why_untimed=why_untimed,
    )


def _match(scene: Scene, running: Running) -> PublicMatch:
    game, state = running.game, running.state
    is_settled = running.status is not Status.SAVING
    return PublicMatch(
        game=_game(running),
        progress=_progress(scene, running),
        view=game.view(state),
        race=running.race,
        offers=tuple(public_offer(offer) for offer in game.offers(state)) if is_settled else (),
        adjustable=tuple(game.adjustable(state)) if is_settled else (),
        ledgers=tuple(game.ledgers(state)) if is_settled else (),
        course=_course(running),
        can=_can(running),
    )


def _game(running: Running) -> PublicGame:
    game, setup = running.game, running.setup
    return PublicGame(
        name=game.name,
        title=game.title,
        race_name=game.race_name,
        look=look_key(game, setup),
        variants=played_variants(game, setup.variants),
        dead_heat=setup.dead_heat,
        window_ns=running.window_ns,
        seats=_seats(running),
        clauses=game.clauses,
        is_practice=is_practice(told.line for told in running.history),
        is_untimed=is_untimed(running.setup),
    )


def played_variants(game: Game[Any], keys: tuple[str, ...] | None) -> tuple[tuple[str, str], ...]:
    """Give key and label of each variant that is played."""
    return tuple((one.key, one.label) for one in variants_of(game.parameters) if one.key in (keys or ()))


def _seats(running: Running) -> tuple[PublicSeat, ...]:
    titles, names = dict(enumerate(running.game.seats.titles)), running.history.names
    return tuple(
        PublicSeat(seat.colour, names.get(seat.colour), titles.get(index), seat.allowance_ms)
        for index, seat in enumerate(running.setup.seats)
    )


def _progress(scene: Scene, running: Running) -> PublicProgress:
    return PublicProgress(
        lines=running.lines,
        status=running.status,
        is_over=running.is_over,
        is_announcing=running.is_announcing,
        closes_at_ns=running.closes_at_ns,
        asks_card=running.asks_card,
        leaders=scene.body.leaders if isinstance(scene.body, Final) else (),
    )


def _course(running: Running) -> PublicCourse:
    shown, game, race = running.history.up_to(running.shown), running.game, running.race
    is_judged = race is not None and not race.is_running
    return PublicCourse(
        entries=tuple(telling.entries(shown, game, NEWEST, running.veil)),
        total=len(shown),
        protests=tuple(protest_documents(running.history, game)),
        signed=tuple(shown.signed()),
        disputed=tuple(disputing(running.history, race.number)) if is_judged and race is not None else (),
    )


def protest_documents(history: History, game: Game[Any]) -> list[Document]:
    """Give every protest with its answer, oldest first."""
    return [
        {
            "line": dispute.number,
            "colour": dispute.protest.colour,
            "race": dispute.protest.race,
            "says": game.describe(dispute.protest),
            "answer": None
            if dispute.answer is None
            else {
                "says": game.describe(dispute.answer),
                "text": dispute.answer.text,
                "stands": dispute.answer.stands,
                "by": dispute.answer.by,
            },
        }
        for dispute in disputes(history)
    ]


def _can(running: Running) -> Document:
    """Tell which commands would be carried out in the match now."""
    game, state = running.game, running.state
    return {
        "reveal": any(offer.kind == REVEAL and offer.options for offer in game.offers(state)),
        "close": running.is_collecting,
        "no_card": _no_card(running),
        "none": list(running.may_play_none),
        "end": not running.early and running.face_down is None and not running.is_over and game.can_end(state),
        "leave": running.is_over and running.status is not Status.SAVING,
        "was_play": running.can_be_play,
        "another": running.can_have_another,
        "protest": list(running.may_protest),
        "sign": list(running.may_sign),
        "for_new_card": _for_new_card(running),
        "new_match": running.is_over,
        "undo": _undo(running),
        "explain": _explain(running),
    }


def _for_new_card(running: Running) -> list[Document]:
    """Give the ignored presses that may have been for the newest card."""
    if running.early or running.is_over or running.veil is not None:
        return []
    presses = before_new_card(running.history.up_to(running.shown))
    return [{"line": told.number, "says": running.game.describe(told.line)} for told in presses]


def _no_card(running: Running) -> str | None:
    if running.early:
        return text("no card was turned: the presses do not count")
    if not running.asks_card:
        return None
    card = running.race.card if running.race is not None else None
    return text("it was {card}").format(card=card_says(running.game.deck, card)) if card else text("judge")


def _explain(running: Running) -> list[Document]:
    """Give what was taken back of late without a reason, oldest first."""
    history = running.history.up_to(running.shown)
    told = [history[line - 1] for line in unexplained(history)]
    return [{"line": one.number, "says": _line_says(running, one)} for one in told]


def _line_says(running: Running, told: Told) -> str:
    return veiled_says(told.line) if is_veiled(told, running.veil) else told.says(running.game)


def _undo(running: Running) -> Document | None:
    if running.early:
        return {"line": 0, "says": without_card(running.early)}
    if running.is_announcing:
        return {"line": 0, "says": IS_ANNOUNCED}
    if running.face_down is not None:
        return {"line": 0, "says": lie_face_down(running.face_down)}
    if running.newest is None:
        return None
    return {"line": running.newest, "says": _line_says(running, running.history[running.newest - 1])}
