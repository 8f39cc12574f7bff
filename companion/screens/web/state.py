"""A session as the documents that pages, scoreboards and overlays read: plain values, ready for JSON. Pure.

Made of what everybody may see (`public`) and of nothing else.

What each field means is written down for page writers beside the web adapter. Instants never leave here, only
differences. Knows no wire and no game by name.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.record.dead_heats import POLICIES
from companion.core.record.lines import Reveal
from companion.core.ruling.offers import REVEAL
from companion.core.ruling.parameters import variants_of
from companion.core.shown.by_hand import FEW
from companion.core.shown.by_hand import grouped as grouped_by_hand
from companion.core.shown.calibrating import Calibrating
from companion.core.shown.scene import Choosing, Final, Idle, Lobby, LookOn, Question, Results, Standing, Status
from companion.core.timing.events import MS
from companion.core.words.texts import Text, plain, text
from companion.screens.everybody.public import played_variants, public_state
from companion.screens.help.pages import address_of_rules
from companion.screens.simple.facts import facts
from companion.screens.speech.announced import who_decides
from companion.screens.speech.facts import spoken_document, turn_says
from companion.screens.text import history as telling
from companion.screens.text.explaining import explained
from companion.screens.text.scene_lines import lines
from companion.screens.text.terms import anchor_of
from companion.screens.text.wording import allowance, error, gap, grouped, lead, left
from companion.screens.web.calibrating import calibration_document
from companion.screens.web.now import now_document
from companion.screens.web.offers import offer_document
from companion.screens.web.waiting import waits_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.core.play.snapshot import RaceNow, Snapshot
    from companion.core.ruling.game import Adjustable, Game
    from companion.core.ruling.looks import Look
    from companion.core.ruling.offers import Option
    from companion.core.ruling.parameters import Parameter
    from companion.core.ruling.view import Area, Clock, Ledger, View
    from companion.core.shown.scene import Menu, Row, Turn
    from companion.screens.everybody.public import PublicGame, PublicMatch, PublicSeat, PublicState, PublicTable

Document = dict[str, Any]

STATUS_TEXT = {
    Status.PROVISIONAL: text("provisional: presses are being collected"),
    Status.CLOSED: text("closed, not judged yet"),
    Status.SAVING: text("being saved"),
    Status.FINAL: text("final"),
    Status.NOT_RECORDED: text("final, but NOT RECORDED"),
}


def state_document(snapshot: Snapshot, match_id: int | None) -> Document:
    """Give the whole state. match_id: of the running match in the journal, None where there is none."""
    return document_of(public_state(snapshot), match_id)


class Shows(NamedTuple):
    """How the box is set to show things. simple: pages that say nothing else are simple ones.

    controls_ms: how long the switches of the hall's page stay; None: always.
    """

    simple: bool = False
    controls_ms: int | None = 4000


USUAL_SHOWS = Shows()


def document_of(public: PublicState, match_id: int | None, shows: Shows = USUAL_SHOWS) -> Document:
    """Give the whole state, of what everybody may see. match_id: as `state_document` has it."""
    scene, match = public.scene, public.match
    body = scene.body
    menu = getattr(body, "menu", None)
    return {
        "phase": _phase(public),
        "alarms": list(scene.alarms),
        "notice": scene.notice,
        "recorded": scene.recorded,
        "roles": list(scene.roles),
        "buttons": [{"label": face.label, "symbol": face.symbol or None} for face in scene.look.buttons],
        **(_of_match(public, match, match_id) if match is not None else _WITHOUT_MATCH),
        "can": {
            **_CANNOT,
            "resume": public.is_offering,
            "dismiss": public.can_be_dismissed,
            **(match.can if match is not None else {}),
        },
        "menu": None if menu is None else _menu(menu, scene.roles),
        "question": _question(body) if isinstance(body, Question) else None,
        "calibration": _calibration(public),
        "held": isinstance(body, Idle) and body.held,
        "waits": waits_for(public),
        "lobby": lobby(public.table) if isinstance(body, (Lobby, LookOn, Calibrating)) else None,
        "now": now_document(public),
        "spoken": spoken_document(public),
        "lines": list(lines(scene)),
        "facts": [{"says": fact.says, "seat": fact.seat, "knob": fact.knob} for fact in facts(scene)],
        "shows": shows._asdict(),
    }


_WITHOUT_MATCH: Document = {
    "game": None, "match": None, "seats": [], "score_label": "", "turn": None, "hidden": None, "leaders": [],
    "table": [], "claims": [], "race": None, "game_phase": "", "round": None, "areas": [], "clocks": [], "offers": [],
    "adjustable": [], "ledgers": [], "cards": [], "protests": [], "signed": [], "course": [], "course_total": 0,
}  # fmt: skip
_CANNOT: Document = {
    "reveal": False, "close": False, "no_card": None, "end": False, "leave": False, "was_play": False,
    "another": False, "for_new_card": [], "none": [], "protest": [], "sign": [], "resume": False, "new_match": True,
    "undo": None, "explain": [], "dismiss": False,
}  # fmt: skip


def _calibration(public: PublicState) -> Document | None:
    body = public.scene.body
    if not isinstance(body, Calibrating):
        return None
    return calibration_document(body, public.scene.roles, public.table.names)


def _question(body: Question) -> Document:
    return {"title": body.title, "lines": list(body.lines), "missing": list(body.missing)}


def _phase(public: PublicState) -> str:
    if public.is_offering:
        return "offer"
    kinds = {
        Lobby: "lobby", Idle: "idle", Standing: "race", Choosing: "choosing", Results: "results", Question: "question",
        Final: "final", LookOn: "lobby", Calibrating: "calibrating",
    }  # fmt: skip
    return kinds[type(public.scene.body)]


def _of_match(public: PublicState, match: PublicMatch, match_id: int | None) -> Document:
    game, progress, view, race, look = match.game, match.progress, match.view, match.race, public.scene.look
    entering = [option for offer in match.offers if offer.kind == REVEAL for option in offer.options]
    return {
        "game": {"name": game.name, "title": game.title, "race_name": game.race_name, "look": game.look},
        "match": {
            "id": match_id,
            "lines": progress.lines,
            "variants": _variants(game.variants),
            "dead_heat": game.dead_heat,
            "window_ms": game.window_ns // MS,
            "over": progress.is_over,
            "practice": game.is_practice,
            "timing": "untimed" if game.is_untimed else "race",
        },
        "seats": _seats(game.seats, view, race),
        "score_label": view.score_label,
        "turn": view.turn,
        "hidden": view.hidden,
        "leaders": list(progress.leaders),
        "table": _cards(view.table, look),
        "claims": [
            {"says": group.says, "cards": _cards(group.cards, look), "by": list(group.by)} for group in view.groups
        ],
        "race": None if race is None else _race(public, match, race),
        "game_phase": view.phase,
        "round": view.round,
        "areas": [_area(area) for area in view.areas],
        "clocks": [_clock(clock, public.now_ns) for clock in view.clocks],
        "offers": [
            offer_document(offer, who_decides(game.seats, offer.seat), public.scene.body, public.scene.roles, look)
            for offer in match.offers
            if offer.kind != REVEAL
        ],
        "adjustable": _adjustable(match.adjustable),
        "ledgers": [ledger_document(ledger) for ledger in match.ledgers],
        "cards": [] if progress.is_over else entry_cards(entering, look),
        "protests": list(match.course.protests),
        "signed": list(match.course.signed),
        "course": list(match.course.entries),
        "course_total": match.course.total,
    }


def _seats(seats: Iterable[PublicSeat], view: View, race: RaceNow | None) -> list[Document]:
    scores = dict(view.scores)
    pressed = {press.colour: press.role for press in race.presses} if race is not None else {}
    return [
        {
            "colour": seat.colour,
            "short": seat.colour.short,
            "name": seat.name,
            "title": seat.title,
            "allowance_ms": seat.allowance_ms,
            "score": scores.get(seat.colour, 0),
            "turn": view.turn is seat.colour,
            "pressed": pressed.get(seat.colour),
        }
        for seat in seats
    ]


def _cards(cards: Iterable[tuple[str, int]], look: Look) -> list[Document]:
    return [{"card": card, "count": count, "says": look.counted(count, card)} for card, count in cards]


def _area(area: Area) -> Document:
    cells = [{"text": cell.text, "owner": cell.owner} for cell in area.cells]
    return {"name": area.name, "cells": cells, "note": area.note}


def ledger_document(ledger: Ledger) -> Document:
    """Give an account as a table."""
    rows = [{"label": row.label, "owner": row.owner, "values": list(row.values)} for row in ledger.rows]
    return {
        "key": ledger.key, "title": ledger.title, "columns": list(ledger.columns), "rows": rows, "note": ledger.note,
    }  # fmt: skip


def _clock(clock: Clock, now_ns: int) -> Document:
    now = clock.as_of(now_ns)
    return {
        "label": now.label,
        "seat": now.seat,
        "left_ms": now.left_ns // MS,
        "left_text": left(now.left_ns),
        "is_running": now.is_running,
        "held_ms": now.held_ns // MS,
        "pace": list(now.rate),
        "flag": now.flag,
        "low_ms": now.low_ns // MS,
    }


def _adjustable(things: Sequence[Adjustable]) -> list[Document]:
    """Give what may be set by hand; where there is much of it, with the group that each is in."""
    groups = grouped_by_hand(things) if len(things) > FEW else ()
    group_of = {one.key: group.says for group in groups if len(group.things) > 1 for one in group.things}
    return [
        {
            "key": one.key, "label": one.label, "low": one.low, "high": one.high, "value": one.value,
            "group": group_of.get(one.key, ""),
        }
        for one in things
    ]  # fmt: skip


def variants(game: Game[Any], keys: tuple[str, ...] | None) -> list[Document]:
    """Give the variants that are played, with their labels."""
    return _variants(played_variants(game, keys))


def _variants(played: Iterable[tuple[str, str]]) -> list[Document]:
    return [{"key": key, "label": label} for key, label in played]


def _race(public: PublicState, match: PublicMatch, race: RaceNow) -> Document:
    progress = match.progress
    judged = progress.status is not Status.SAVING  # no verdict is shown before the lines it rests on are durable
    closes_ns = progress.closes_at_ns
    return {
        "number": race.number,
        "status": progress.status.value,
        "status_text": STATUS_TEXT[progress.status],
        "is_running": race.is_running,
        "card": race.card,
        "asks_card": progress.asks_card,
        "closes_in_ms": None if closes_ns is None else max(0, (closes_ns - public.now_ns) // MS),
        "rows": [row_document(row, judged=judged) for row in race.rows],
        "unsettled": list(race.unsettled),
        "made": list(race.made),
        "hidden_for": list(race.hidden_for),
        "without": None if race.without is None else list(race.without),
        "disputed": list(match.course.disputed),
        "late": [{"colour": colour, "role": plain(role), "role_says": role} for colour, role in race.late],
        "turns": [_turn(turn, public.scene.look) for turn in race.turns] if judged else [],
        "explained": _explained(match.game, race) if judged and not race.is_running else [],
    }


def _explained(game: PublicGame, race: RaceNow) -> list[Document]:
    """Give why it was ruled so, seat by seat; nothing where it is no practice match."""
    if not game.is_practice:
        return []
    told = explained(race.rows, race.turns, POLICIES[game.dead_heat].label, game.clauses)
    return [{"colour": one.colour, "says": list(one.sentences), "rule": _rule(game, one.clause)} for one in told]


def _rule(game: PublicGame, clause: str) -> Document | None:
    if not clause:
        return None
    heading = clause.message if isinstance(clause, Text) else clause
    return {"says": clause, "more": f"{address_of_rules(game.name)}#{anchor_of(heading)}"}


def row_document(row: Row, *, judged: bool) -> Document:
    """Give a place; not `judged`: without its verdict."""
    verdict = row.verdict if judged else None
    punished = verdict == "punish"
    moved = allowance(row.allowance) if row.allowance is not None else ""
    return {
        "place": row.place,
        "colour": row.colour,
        "short": row.colour.short,
        "role": plain(row.role),
        "role_says": row.role,
        "gap_ns": row.gap_ns,
        "error_ns": row.error_ns,
        "gap_text": gap(row),
        "error_text": error(row.error_ns),
        "allowance_text": moved or None,
        "dead_heat": row.dead_heat,
        "anticipated": row.anticipated,
        "verdict": verdict,
        "why": row.why if punished else None,
        "why_text": (row.why_says or None) if punished else None,
        "says": telling.row_says(row if judged else replace(row, verdict=None)),
    }


def _turn(turn: Turn, look: Look) -> Document:
    return {
        "colour": turn.colour,
        "role": plain(turn.role),
        "role_says": turn.role,
        "result": turn.result,
        "lead": lead(turn),
        "cards": list(turn.cards),
        "counted": _cards(((card, count) for count, card in grouped(turn.cards)), look),
        "note": turn.note,
        "says": turn_says(turn, look),
    }


def entry_cards(options: Iterable[Option], look: Look) -> list[Document]:
    """Give the cards that can be entered, each with two letters of what people call it: the same for a whole match."""
    found = [(option, option.line.card) for option in options if isinstance(option.line, Reveal)]
    keys = type_ahead([*(card.says for card in look.cards.values()), *(look.says(card) for _, card in found)])
    return [
        {"card": card, "keys": keys[look.says(card)], "button": option.button.label if option.button else None}
        for option, card in found
    ]


def type_ahead(labels: Iterable[str]) -> dict[str, str]:
    """Give two small letters for each label: initials of two words, first two of one; where taken, the next letter."""
    keys: dict[str, str] = {}
    taken: set[str] = set()
    for label in dict.fromkeys(labels):
        small = label.lower()
        words = small.split()
        rest = (words[1] if len(words) > 1 else small[1:]) + small
        key = next((small[0] + letter for letter in rest if small[0] + letter not in taken), small[:2])
        taken.add(key)
        keys[label] = key
    return keys


def _menu(menu: Menu, roles: Sequence[str]) -> Document:
    called = {plain(role): role for role in roles}
    items = [
        {"label": i.label, "value": i.value, "role": called.get(i.role or "", i.role), "button": i.button}
        for i in menu.items
    ]
    return {"title": menu.title, "cursor": menu.cursor, "items": items}


def lobby(table: PublicTable) -> Document:
    """Give the seating."""
    return {
        "game": table.game,
        "seats": list(table.seats),
        "first": table.first,
        "variants": list(table.variants),
        "dead_heat": table.dead_heat,
        "window_ms": table.window_ns // MS,
        "names": table.names,
        "allowances_ms": table.allowances_ms,
        "parameters": table.parameters,
        "files": table.files,
        "practice": table.practice,
        "by_profile": list(table.by_profile),
        "timing": table.timing,
        "why_untimed": table.why_untimed or None,
    }


def games_document(games: Iterable[Game[Any]]) -> list[Document]:
    """Give what can be played."""
    return [
        {
            "name": game.name,
            "title": game.title,
            "race_name": game.race_name,
            "min_seats": game.seats.fewest,
            "max_seats": game.seats.most,
            "seat_titles": list(game.seats.titles),
            "first_title": game.seats.first,
            "roles": list(game.roles),
            "variants": [{"key": v.key, "label": v.label} for v in variants_of(game.parameters)],
            "parameters": [_parameter(p) for p in game.parameters if not p.is_variant],
        }
        for game in games
    ]


def _parameter(parameter: Parameter) -> Document:
    return {
        "key": parameter.key,
        "label": parameter.label,
        "kind": parameter.kind,
        "default": parameter.default,
        "choices": [{"key": choice.key, "label": choice.label} for choice in parameter.choices],
        "low": parameter.low,
        "high": parameter.high,
    }


def look_document(game: Game[Any]) -> Document:
    """Give how a game's things look: its symbols' strokes, its cards, its buttons before a match."""
    keys = type_ahead([card.says for card in game.deck])
    return {
        "symbols": {
            name: [{"path": s.path, "width": s.width, "turned": s.turned} for s in symbol.strokes]
            for name, symbol in game.symbols.items()
        },
        "cards": [
            {"name": c.name, "label": c.says, "plural": c.plural or c.says, "colour": c.colour,
             "symbol": c.symbol or None, "is_counted": c.is_counted, "keys": keys[c.says]}
            for c in game.deck
        ],
        "buttons": [{"label": face.label, "symbol": face.symbol or None} for face in game.buttons(None, None)],
    }  # fmt: skip
