"""A table's record, line by line and at once: what is sealed counts, and what cannot become official says why."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.adapters.keys.ed25519 import check
from companion.core.people.judged import facts_of
from companion.core.record.lines import Event
from companion.core.record.practice import PRACTICE
from companion.core.record.seals import KeyUse, verify_seals
from companion.core.ruling.judge import judge_record
from companion.core.ruling.rulings import Fault
from companion.games import registry
from companion.testing.walks import Walk
from companion.tournament.results import Place
from companion.tournament.tables.expected import Expected, foreign_key, misplaced
from companion.tournament.tables.judged import (
    FEWER_IS_BETTER,
    HASH_OF_NOTHING,
    NOBODY_AHEAD,
    NOT_SEALED,
    Judged,
    Protested,
    TableJudge,
    judge_table,
)
from tests.amounts import many
from tests.tournament.tables.sealing import EVENT, SHEET, box_key, line, played, sealed, setup, table, with_seal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

REPLAYS = sorted((Path(__file__).parents[2] / "replay").glob("*.jsonl"))
PLAYERS = (7, 5, 3, 11, 2)
HERE = Expected(Event("spring", 1, 1, SHEET), "order")
RACES = ({"red": 1, "green": 3}, {"red": 1}, {"blue": 2, "red": 5})


def judge(lines: Sequence[bytes], players: Sequence[int] = PLAYERS[:4], expected: Expected | None = None) -> Judged:
    return judge_table(lines, players, registry.find, check, expected)


def hashed(lines: Sequence[bytes]) -> str:
    return sha256(b"".join(raw + b"\n" for raw in lines if b'"type":"names"' not in raw)).hexdigest()


# -- a result ----------------------------------------------------------------------------------------------------------


def test_a_table_that_is_over_sealed_and_signed() -> None:
    lines = table(*RACES)
    found = judge(lines, expected=HERE)
    assert found == Judged(
        match=f"{1:032x}",
        game="order",
        event=Event("spring", 1, 1, SHEET),
        lines=len(lines),
        sha256=hashed(lines),
        uses=(KeyUse(lines.index(line("end")) + 2, box_key(1).key, is_announced=False),),
        is_over=True,
        places=(Place(7, 1), Place(5, 3), Place(3, 3), Place(11, 2)),
        signed=(7, 5, 3, 11),
        remarks=("nothing is said of how times were taken",),
        fault=None,
    )


def test_nothing_is_said_of_a_record_without_a_seal() -> None:
    lines = [setup(4), *played(*RACES), line("end")]
    assert judge(lines) == Judged()
    assert judge([]) == Judged(fault=NOT_SEALED, sha256=HASH_OF_NOTHING)
    assert judge([b"junk", b"more"]) == Judged()


def test_what_follows_the_last_seal_counts_for_nothing() -> None:
    lines = table(*RACES, signed=1)
    more = [line("undo"), b"junk", line("sign", colour="green"), setup(2)]
    assert judge([*lines, *more]) == judge(lines)
    assert judge(lines).signed == (7,)


def test_a_match_that_is_not_over_has_no_places() -> None:
    found = judge(with_seal([setup(4), *played(*RACES)]))
    assert (found.is_over, found.places, found.fault) == (False, None, None)
    assert found.match == f"{1:032x}"


def test_an_end_that_was_taken_back_is_none_until_the_next() -> None:
    lines = with_seal([*table(*RACES, signed=0), line("undo")])
    assert judge(lines).is_over is False
    again = sealed([*played({"blue": 1}), line("end")], before=lines)
    assert [place.rank for place in judge(again).places or ()] == [1, 3, 3, 1]


def test_names_in_a_record_decide_nothing() -> None:
    lines = sealed([setup(2), line("names", names={"red": "Zoë", "yellow": "Ann"}), line("end")])
    assert judge(lines, (4, 9)).places == (Place(4, 1), Place(9, 1))


def test_a_record_is_the_same_by_its_hash_whatever_names_are_in_it() -> None:
    lines = sealed([setup(2), line("names", names={"red": "Lea"}), line("end")])
    others = [raw.replace(b'"Lea"', b'""') for raw in lines]
    assert others != lines
    assert judge(others, (4, 9)) == judge(lines, (4, 9))
    assert judge(lines, (4, 9)).fault is None


def test_protests_come_with_their_answers() -> None:
    lines = [setup(4), *played(*RACES), line("protest", colour="green", race=2, text="I was first")]
    waiting = judge(with_seal(lines))
    number = len(lines)
    assert waiting.protests == (Protested(number, "green", 2, "I was first"),)
    answered = [
        *with_seal(lines),
        line("answer", protest=number, text="no", stands=True),
        line("protest", colour="red"),
    ]
    assert judge(with_seal(answered)).protests == (
        Protested(number, "green", 2, "I was first", number + 2, stands=True),
        Protested(number + 3, "red", None, ""),
    )


# -- what cannot become official ---------------------------------------------------------------------------------------


def faulty(lines: Sequence[bytes], players: Sequence[int] = PLAYERS[:4]) -> str:
    found = judge(lines, players, HERE)
    assert found.fault is not None
    return found.fault


def with_event(**more: Any) -> list[bytes]:
    return table(*RACES, event=EVENT | more)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (with_event(id="autumn"), "its setup names event autumn, and this is event spring"),
        (with_event(round=2), "its setup names round 2, and this is round 1"),
        (with_event(table=9), "its setup names table 9, and this is table 1"),
        (with_event(sheet="6" * 64), f"its setup names the drawing {'6' * 12}…, and this round's is {'5' * 12}…"),
        (table(*RACES, event=None), "its setup names no event"),
        (table(*RACES, game="apache"), "it is of the game 'apache', and the event plays 'order'"),
        (table(*RACES, dead_heat="clockwise"), "its dead heats go by 'clockwise', and the event's by 'timestamp'"),
        (table(*RACES, seats=5), "it has 5 seats, and 4 players sit at the table"),
        (sealed([setup(4), line("remark", text=PRACTICE), line("end")]), "it is a practice match"),
    ],
)
def test_a_record_of_something_else_says_of_what(lines: list[bytes], says: str) -> None:
    assert faulty(lines) == says


def test_variants_and_parameters_have_to_be_the_events() -> None:
    lines = table(game="apache", variants=["wedding"])
    asked = HERE._replace(game="apache")
    assert judge(lines, expected=asked._replace(variants=("wedding",))).fault is None
    assert (
        judge(lines, expected=asked).fault == "it is played with the variants wedding, and the event with no variants"
    )
    clock = sealed([setup(4, game="clock"), line("end")])
    timed = HERE._replace(game="clock", parameters={"stops": True})
    assert judge(clock, expected=timed).fault == "its parameter 'stops' is None, and the event's is True"


def test_a_parameter_that_the_event_leaves_open_may_be_anything() -> None:
    whole: dict[str, bool | int | str] = {"stops": True, "main": "300"}
    lines = sealed([setup(4, game="clock", parameters=whole), line("end")])
    assert judge(lines, expected=HERE._replace(game="clock")).fault is None
    assert judge(lines, expected=HERE._replace(game="clock", parameters=whole)).fault is None
    assert judge(lines, expected=HERE._replace(game="clock", parameters={"main": "300"})).fault is None
    one = HERE._replace(game="clock", parameters={"stops": 1})  # which is equal to True in Python, and not here
    assert judge(lines, expected=one).fault == "its parameter 'stops' is True, and the event's is 1"


def test_without_expectations_only_the_number_of_seats_is_looked_at() -> None:
    assert judge(table(*RACES, event=None)).fault is None
    wrong = judge(table(*RACES, seats=3))
    assert (wrong.is_over, wrong.places, wrong.signed) == (True, None, ())


def test_a_seal_that_does_not_hold_is_named_by_its_line_and_what_was_sealed_before_stays() -> None:
    lines = table(*RACES, signed=2)
    last = lines.index(line("sign", colour="yellow"))
    changed = [*lines[:last], line("sign", colour="blue"), *lines[last + 1 :]]
    found = judge(changed)
    assert found.fault is not None
    assert found.fault.startswith(f"line {last + 2}: this seal does not hold: of lines")
    assert found.lines == last
    assert found.signed == (7,)
    assert judge([*changed, line("remark", text="more")]) == found


def test_a_sealed_line_that_cannot_be_judged_is_named_and_so_is_a_game_that_is_not_there() -> None:
    bad = with_seal([setup(4), *played(*RACES), line("judge")])
    assert judge(bad).fault == f"line {len(bad) - 1} cannot be judged: a round is judged after its `close`"
    unknown = with_seal([setup(4).replace(b'"order"', b'"chess"')])
    assert str(judge(unknown).fault).startswith("line 1 cannot be judged: field `game`: no game called 'chess'")
    assert judge(unknown).lines == 2
    assert judge(with_seal([b"junk"])).fault is not None


def test_keys_are_given_with_the_lines_from_which_they_seal() -> None:
    one, two = box_key(1).key, box_key(2).key
    begun = with_seal([setup(4), *played(*RACES)])
    moved = line("moved", box="two", key=json.loads(with_seal([setup(2)], 2)[-1])["key"], previous=hashed(begun))
    lines = sealed([moved, line("restart"), line("end")], 2, begun)
    found = judge(lines, expected=HERE)
    assert found.fault is None
    assert found.keys == (one, two)
    assert [use.line for use in found.uses] == [len(begun), len(lines)]
    assert foreign_key(found.uses, {one, two}, two) is None
    assert (
        foreign_key(found.uses, {two})
        == f"from line {len(begun)} on it is sealed by a key that no box of the event has"
    )
    assert (
        foreign_key(found.uses, {one, two}, one) == f"from line {len(lines)} on it is sealed by the key of another box"
    )
    unsaid = judge(sealed([line("end")], 2, begun))
    assert str(foreign_key(unsaid.uses, {one, two})).endswith("no `moved` line names that")
    assert foreign_key((), set()) is None


def test_where_a_match_is_played_is_told_apart_field_by_field() -> None:
    here = Event("spring", 1, 1, SHEET)
    assert misplaced(here, here) is None
    assert misplaced(None, here) == "its setup names no event"


# -- remarks -----------------------------------------------------------------------------------------------------------


CONDITIONS = {
    "software": "companion 1", "box": "one", "window_ms": 1, "late_ms": 1, "settle_ms": 1, "chatter_hz": 1,
    "seats": {
        colour: {"bounce_ms": 1, "accept_ms": 1, "repeat_ms": 1, "extension_ms": ms, "input": ["panel"]}
        for colour, ms in {"red": 0, "yellow": 500}.items()
    },
    "confirmed": [],
    "sources": [
        {"name": "panel", "delay_ms": 1, "error_us": 20, "certificate": "a" * 64},
        {"name": "phones", "delay_ms": 9, "error_us": 9},
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "remarks"),
    [
        ([setup(2, conditions=CONDITIONS)], ["longer window: yellow 500 ms", "times without a certificate: phones"]),
        ([setup(2, timing="untimed", dead_heat="clockwise")], ["untimed"]),
        (
            [setup(2).replace(b'{"colour": "yellow"}', b'{"colour": "yellow", "allowance_ms": 40}')],
            ["allowance: yellow 40 ms", "nothing is said of how times were taken"],
        ),
        ([setup(2, first="yellow")], ["begun by another seat than drawn", "nothing is said of how times were taken"]),
        (
            [setup(2, conditions=CONDITIONS), line("remark", text="other conditions: x", source="conditions")],
            [
                "longer window: yellow 500 ms",
                "times without a certificate: phones",
                "other conditions than when it began",
            ],
        ),
        (
            [setup(2, timing="untimed", dead_heat="clockwise"), *played({"red": 1}), line("undo")],
            ["untimed", "taken back: 1"],
        ),
        ([setup(2, game="clock"), line("end")], ["nothing is said of how times were taken", NOBODY_AHEAD]),
    ],
)  # fmt: skip
def test_what_is_to_be_marked_is_said_in_few_words(lines: list[bytes], remarks: list[str]) -> None:
    assert list(judge(with_seal(lines), (1, 2)).remarks) == remarks


def test_results_by_hand_are_counted_while_they_stand() -> None:
    walk = Walk(registry.find("big-manitou"), 3)
    settable = walk.game.adjustable(walk.state)[0]
    by_hand = line("by_hand", set=settable.key, value=settable.high, reason="miscounted")
    seats = len(walk.colours)
    found = judge(with_seal([*walk.record, by_hand, by_hand]), PLAYERS[:seats])
    assert "set by hand: 2" in found.remarks
    undone = judge(with_seal([*walk.record, by_hand, by_hand, line("undo")]), PLAYERS[:seats])
    assert "set by hand: 1" in undone.remarks
    assert FEWER_IS_BETTER not in undone.remarks


# -- line by line ------------------------------------------------------------------------------------------------------


def oracle(lines: Sequence[bytes], seats: int) -> tuple[Any, ...]:
    """The same worked out at once, by the seals of the whole, and by the judge of people's matches."""
    verified = verify_seals((raw + b"\n" for raw in lines), check)
    counts = lines[: verified.sealed]
    rulings = list(judge_record(counts, registry.find)) if counts else []
    is_faulty = bool(rulings) and isinstance(rulings[-1], Fault)
    facts = facts_of(counts, 1, "", registry.find) if counts and not is_faulty else None
    ahead = None if facts is None else [seat.leads for seat in facts.seats]
    punished = None if facts is None else [seat.punished for seat in facts.seats]
    has_fault = verified.fault is not None or is_faulty or not counts
    return len(counts), hashed(counts), [use.key for use in verified.keys], has_fault, ahead, punished


def told(found: Judged) -> tuple[Any, ...]:
    places = found.places
    leads = None if places is None else [place.rank == 1 for place in places]
    if NOBODY_AHEAD in found.remarks and leads is not None:
        leads = [False] * len(leads)
    punished = None if places is None else [place.punished for place in places]
    return found.lines, found.sha256, list(found.keys), found.fault is not None, leads, punished


def seats_of(lines: Sequence[bytes]) -> int:
    return len(json.loads(lines[0]).get("seats", ())) if lines[0].startswith(b"{") else 0


def stepwise(lines: Sequence[bytes], players: Sequence[int]) -> None:
    """Feed lines one by one: after each, what stands is what the lines so far come to at once."""
    judging = TableJudge(players, registry.find, check)
    assert judging.judged == Judged()
    for number, raw in enumerate(lines, start=1):
        before, given = judging.judged, judging.feed(raw)
        assert given in (None, judging.judged)
        assert (given is None) is (judging.judged is before)
        assert told(judging.judged) == oracle(lines[:number], len(players))
    assert judging.lines == len(lines)
    assert judging.judged == judge(lines, players)


def randomly_sealed(lines: Sequence[bytes], random: Random, box: int = 1) -> list[bytes]:
    out: list[bytes] = []
    for raw in lines:
        out.append(raw)
        if random.random() < 0.1:
            out = with_seal(out, box)
    return with_seal(out, box)


@pytest.mark.parametrize("path", REPLAYS, ids=lambda path: path.stem)
def test_line_by_line_is_as_at_once_on_the_records_of_the_replays(path: Path) -> None:
    raw = [one for one in path.read_bytes().splitlines() if b'"seal"' not in one][:120]
    lines = randomly_sealed(raw, Random(path.stem))
    stepwise_at_seals(lines)


def stepwise_at_seals(lines: Sequence[bytes]) -> None:
    """As `stepwise`, looking at the oracle where something changes only: it judges from the start each time."""
    players = PLAYERS[: seats_of(lines)]
    judging = TableJudge(players, registry.find, check)
    for number, raw in enumerate(lines, start=1):
        given = judging.feed(raw)
        if given is not None:
            assert given == judging.judged
            assert told(given) == oracle(lines[:number], len(players))
    assert judging.judged == judge(lines, players)


@pytest.mark.parametrize("game", registry.names())
def test_line_by_line_is_as_at_once_on_a_match_of_every_game(game: str) -> None:
    walk = Walk(registry.find(game), 11)
    for _ in walk.states():
        pass
    walk.end()
    stepwise_at_seals(randomly_sealed(walk.record, Random(game)))


def _shortened(lines: list[bytes], at: int) -> list[bytes]:
    return lines[:at] + lines[at + 1 :]


def _doubled(lines: list[bytes], at: int) -> list[bytes]:
    return [*lines[: at + 1], *lines[at:]]


def _swapped(lines: list[bytes], at: int) -> list[bytes]:
    other = (at + 1) % len(lines)
    out = list(lines)
    out[at], out[other] = out[other], out[at]
    return out


def _flipped(lines: list[bytes], at: int) -> list[bytes]:
    return [*lines[:at], lines[at][:-2] + bytes([lines[at][-2] ^ 1]) + lines[at][-1:], *lines[at + 1 :]]


HURTS: tuple[Callable[[list[bytes], int], list[bytes]], ...] = (_shortened, _doubled, _swapped, _flipped)
BASE = randomly_sealed([setup(3), *played(*RACES, {"yellow": 3}), line("end"), line("sign", colour="red")], Random(5))


@settings(max_examples=many(60))
@given(st.sampled_from(HURTS), st.integers(1, len(BASE) - 1))
def test_line_by_line_is_as_at_once_whatever_was_done_to_a_record(
    hurt: Callable[[list[bytes], int], list[bytes]], at: int
) -> None:
    stepwise(hurt(list(BASE), at), PLAYERS[:3])
