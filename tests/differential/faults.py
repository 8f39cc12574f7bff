"""Lines that end a made-up record: every illegal class that docs/record.md lists, and what is malformed.

Each fault is drawn from the state that the second judge has reached; None says that it cannot be had there.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

from tests.differential import drawn_lines as drawn
from tests.differential.second_courses import ApacheCourse
from tests.differential.second_judge import SecondJudge
from tests.differential.strict_lines import COLOURS, Line

Fault = Callable[[Random, SecondJudge], Line | bytes | None]
FirstFault = Callable[[Random, Line], Line | bytes]

SECOND_NS = 1_000_000_000


def apache(judge: SecondJudge) -> ApacheCourse | None:
    return judge.course if isinstance(judge.course, ApacheCourse) else None


def phase(judge: SecondJudge) -> str:
    assert judge.course is not None
    return judge.course.phase


def presses(judge: SecondJudge) -> list[Line]:
    assert judge.course is not None
    return judge.course.presses


def colours(judge: SecondJudge) -> list[str]:
    assert judge.course is not None
    return judge.course.colours


def card_too_many(rng: Random, judge: SecondJudge) -> Line | None:
    course = apache(judge)
    if course is None or course.phase in {"settling", "over"}:
        return None
    gone = sorted(card for card, number in course.hidden.items() if not number)
    return {"type": "reveal", "card": rng.choice(gone)} if gone else None


def reveal_while_settling(rng: Random, judge: SecondJudge) -> Line | None:
    course = apache(judge)
    left = sorted(card for card, number in course.hidden.items() if number) if course else []
    return {"type": "reveal", "card": rng.choice(left)} if left and phase(judge) == "settling" else None


def turned_in_a_race(rng: Random, judge: SecondJudge) -> Line | None:
    course = apache(judge)
    if course is None or not course.on_this_clock:
        return None
    late = min(course.on_this_clock) + SECOND_NS + rng.choice([1, 5, SECOND_NS])
    left = sorted(card for card, number in course.hidden.items() if number)
    return {"type": "reveal", "card": rng.choice(left), "t_ns": late, "turned": True} if left else None


def close_without_press(rng: Random, judge: SecondJudge) -> Line | None:
    return None if presses(judge) or phase(judge) == "over" else {"type": "close"}


def close_before_a_press(rng: Random, judge: SecondJudge) -> Line | None:
    if judge.course is None or phase(judge) != "open" or not judge.course.on_this_clock:
        return None
    return {"type": "close", "t_ns": max(judge.course.on_this_clock) - rng.choice([1, SECOND_NS])}


def close_twice(rng: Random, judge: SecondJudge) -> Line | None:
    return {"type": "close"} if phase(judge) == "closed" else None


def judge_without_close(rng: Random, judge: SecondJudge) -> Line | None:
    return {"type": "judge"} if phase(judge) in {"open", "idle", "settling"} else None


def claim_by_another(rng: Random, judge: SecondJudge) -> Line | None:
    course = apache(judge)
    if course is None or not course.offered:
        return None
    own = course.waiting[0][0]["colour"]
    other = rng.choice([colour for colour in COLOURS if colour != own])
    return drawn.claim(rng, other, course.offered)


def claim_not_on_offer(rng: Random, judge: SecondJudge) -> Line | None:
    course = apache(judge)
    if course is None or not course.offered:
        return None
    line = {"type": "claim", "colour": course.waiting[0][0]["colour"], "take": "wedding", "spouse": "red chief"}
    on_offer = any(option.is_named_by(line) for option in course.offered)
    return {**line, "take": "teepees"} if on_offer else line


def claim_without_choice(rng: Random, judge: SecondJudge) -> Line | None:
    if apache(judge) is None or phase(judge) in {"settling", "over"}:
        return None
    return {"type": "claim", "colour": rng.choice(colours(judge)), "take": "teepees"}


def end_in_a_race(rng: Random, judge: SecondJudge) -> Line | None:
    return {"type": "end"} if presses(judge) or phase(judge) == "settling" else None


def moved_in_a_race(rng: Random, judge: SecondJudge) -> Line | None:
    return drawn.moved(rng) if presses(judge) or phase(judge) == "settling" else None


def line_after_the_end(rng: Random, judge: SecondJudge) -> Line | None:
    """Draw one of the lines that the end shuts out."""
    if phase(judge) != "over":
        return None
    lines: list[Line] = [{"type": kind} for kind in ("close", "judge", "end")]
    lines += [{"type": "close", "t_ns": 1}, {"type": "reveal", "card": "teepee"}, drawn.moved(rng)]
    return rng.choice([*lines, {"type": "claim", "colour": colours(judge)[0], "take": "booty"}])


def answer_to_no_protest(rng: Random, judge: SecondJudge) -> Line | None:
    """Answer a line that is no protest, or that comes only later, or that there is not."""
    protested = set(judge.seats.unanswered)
    numbers = [number for number, _ in judge.standing] + [1, judge.number + 1, judge.number + 9]
    return drawn.answer(rng, rng.choice([number for number in numbers if number not in protested]))


def answer_twice(rng: Random, judge: SecondJudge) -> Line | None:
    return drawn.answer(rng, rng.choice(sorted(judge.seats.answered))) if judge.seats.answered else None


def second_protest(rng: Random, judge: SecondJudge) -> Line | None:
    waiting = sorted(set(judge.seats.unanswered.values()))
    return drawn.protest(rng, rng.choice(waiting), 0) if waiting else None


def protest_of_nobody(rng: Random, judge: SecondJudge) -> Line | None:
    strangers = [colour for colour in COLOURS if colour not in colours(judge)]
    return drawn.protest(rng, rng.choice(strangers), 0) if strangers else None


def sign_before_the_end(rng: Random, judge: SecondJudge) -> Line | None:
    return {"type": "sign", "colour": colours(judge)[0]} if phase(judge) != "over" else None


def sign_twice(rng: Random, judge: SecondJudge) -> Line | None:
    signed = sorted(judge.seats.signed)
    return {"type": "sign", "colour": rng.choice(signed)} if signed and not judge.seats.unanswered else None


def sign_under_protest(rng: Random, judge: SecondJudge) -> Line | None:
    free = [colour for colour in colours(judge) if colour not in judge.seats.signed]
    if phase(judge) != "over" or not judge.seats.unanswered or not free:
        return None
    return {"type": "sign", "colour": rng.choice(free)}


def sign_of_nobody(rng: Random, judge: SecondJudge) -> Line | None:
    strangers = [colour for colour in COLOURS if colour not in colours(judge)]
    if phase(judge) != "over" or judge.seats.unanswered or not strangers:
        return None
    return {"type": "sign", "colour": rng.choice(strangers)}


def reveal_in_order(rng: Random, judge: SecondJudge) -> Line | None:
    return None if apache(judge) else {"type": "reveal", "card": "buffalo"}


def claim_in_order(rng: Random, judge: SecondJudge) -> Line | None:
    return None if apache(judge) else {"type": "claim", "colour": colours(judge)[0], "take": "booty"}


def second_setup(rng: Random, judge: SecondJudge) -> Line | None:
    return judge.course.setup if judge.course else None


def undo_of_nothing(rng: Random, judge: SecondJudge) -> Line | None:
    return None if judge.can_undo else drawn.undo(rng)


ILLEGAL: dict[str, Fault] = {
    fault.__name__: fault
    for fault in (
        card_too_many, reveal_while_settling, turned_in_a_race, close_without_press, close_before_a_press, close_twice,
        judge_without_close, claim_by_another, claim_not_on_offer, claim_without_choice, end_in_a_race,
        moved_in_a_race, line_after_the_end, answer_to_no_protest, answer_twice, second_protest, protest_of_nobody,
        sign_before_the_end, sign_twice, sign_under_protest, sign_of_nobody, reveal_in_order, claim_in_order,
        second_setup, undo_of_nothing,
    )
}  # fmt: skip

GAMES = {
    **dict.fromkeys(("reveal_in_order", "claim_in_order"), "order"),
    **dict.fromkeys(("card_too_many", "reveal_while_settling", "turned_in_a_race"), "apache"),
    **dict.fromkeys(("claim_by_another", "claim_not_on_offer", "claim_without_choice"), "apache"),
    **dict.fromkeys(("unknown_card", "unknown_take"), "apache"),
}
"""The game of a fault that only one of them can have."""

AFTER_THE_END = {"line_after_the_end", "sign_twice", "sign_under_protest", "sign_of_nobody"}

MALFORMED_LINES: dict[str, Line | bytes] = {
    "no_json": b"red slapped first",
    "cut_off": b'{"type":"press","colour":"red","role":"chi',
    "no_object": b'["press"]',
    "nothing": b"",
    "not_utf_8": b'{"type":"remark","text":"\xff"}',
    "no_type": {"text": "of nothing"},
    "unknown_type": {"type": "slap", "colour": "red"},
    "unknown_field": {"type": "judge", "by": "red"},
    "field_missing": {"type": "press", "colour": "red", "role": "chief"},
    "text_for_a_time": {"type": "close", "t_ns": "12"},
    "fraction_for_a_time": {"type": "close", "t_ns": 12.5},
    "truth_for_a_time": {"type": "close", "t_ns": True},
    "number_for_a_text": {"type": "remark", "text": 12},
    "text_for_a_truth": {"type": "answer", "protest": 2, "text": "so", "stands": "yes"},
    "unknown_card": {"type": "reveal", "card": "horse"},
    "unknown_colour": {"type": "sign", "colour": "orange"},
    "unknown_button": {"type": "press", "colour": "red", "role": "shaman", "t_ns": 12},
    "time_below_zero": {"type": "press", "colour": "red", "role": "chief", "t_ns": -1},
    "turned_at_no_time": {"type": "reveal", "card": "buffalo", "turned": True},
    "wall_of_no_day": {"type": "judge", "wall": "2026-02-30T18:30:00Z"},
    "field_twice": b'{"type":"remark","text":"one","text":"two"}',
    "unknown_take": {"type": "claim", "colour": "red", "take": "everything"},
}


OF_THE_GAME = {"unknown_card", "unknown_take", "unknown_button"}
"""Words that only the game knows: after its end such a line is illegal too, and the text ranks the two nowhere."""


def malformed(name: str, line: Line | bytes) -> Fault:
    return lambda rng, judge: None if name in OF_THE_GAME and phase(judge) == "over" else line


FAULTS: dict[str, Fault] = ILLEGAL | {name: malformed(name, line) for name, line in MALFORMED_LINES.items()}


def changed(**fields: object) -> FirstFault:
    """Give the drawn setup other fields."""
    return lambda rng, setup: {**setup, **fields}


def of_order(rng: Random, setup: Line) -> Line:
    """Turn the drawn setup into one of the game `order`."""
    return {name: value for name, value in setup.items() if name not in {"variants", "anticipation"}} | {
        "game": "order"
    }


def without_seats_allowances(setup: Line) -> Line:
    return {**setup, "seats": [{"colour": seat["colour"]} for seat in setup["seats"]]}


def stranger_first(rng: Random, setup: Line) -> Line:
    seats = rng.sample(setup["seats"], 2) if len(setup["seats"]) > 2 else setup["seats"]
    there = {seat["colour"] for seat in seats}
    return {**setup, "seats": seats, "first": rng.choice([colour for colour in COLOURS if colour not in there])}


def allowance_of_untimed(rng: Random, setup: Line) -> Line:
    seats = [{"colour": seat["colour"], "allowance_ms": 150} for seat in setup["seats"]]
    return {**setup, "seats": seats, "timing": "untimed", "dead_heat": "lots", "seed": "0a"}


def untimed_by_time(rng: Random, setup: Line) -> Line:
    plain = {name: value for name, value in setup.items() if name not in {"dead_heat", "seed"}}
    return {**without_seats_allowances(plain), "timing": "untimed"}


def of_allowance(setup: Line, allowance_ms: int) -> Line:
    first, *others = setup["seats"]
    return {**setup, "seats": [{**first, "allowance_ms": allowance_ms}, *others]}


def setup_cut_off(rng: Random, setup: Line) -> bytes:
    return json.dumps(setup).encode()[: rng.randint(1, 90)]


ILLEGAL_SETUPS: dict[str, FirstFault] = {
    "no_setup": lambda rng, setup: {"type": "judge"},
    "stranger_first": stranger_first,
    "seat_alone": lambda rng, setup: {**setup, "seats": setup["seats"][:1], "first": setup["seats"][0]["colour"]},
    "colour_twice": lambda rng, setup: {**setup, "seats": [setup["seats"][0], *setup["seats"]][:5]},
    "untimed_by_time": untimed_by_time,
    "allowance_of_untimed": allowance_of_untimed,
}  # fmt: skip

MALFORMED_SETUPS: dict[str, FirstFault] = {
    "setup_cut_off": setup_cut_off,
    "older_record": changed(record=1),
    "other_rules": changed(edition=2),
    "allowance_of_hours": lambda rng, setup: of_allowance(setup, 60_001),
    "allowance_below_zero": lambda rng, setup: of_allowance(setup, -1),
    "anticipation_of_0_ms": changed(anticipation={"rule": "flag", "ms": 0}),
    "anticipation_of_1001_ms": changed(anticipation={"rule": "flag", "ms": 1001}),
    "unknown_game": changed(game="backgammon"),
    "order_with_variants": lambda rng, setup: {**of_order(rng, setup), "variants": ["wedding"]},
    "order_with_anticipation": lambda rng, setup: {**of_order(rng, setup), "anticipation": {"rule": "flag", "ms": 1}},
    "seed_without_lots": changed(dead_heat="clockwise", seed="0a"),
    "lots_without_seed": lambda rng, setup: {
        **{name: value for name, value in setup.items() if name != "seed"},
        "dead_heat": "lots",
    },
    "unknown_policy": changed(dead_heat="coin"),
    "unknown_variant": changed(variants=["heroes"]),
    "long_seed": changed(dead_heat="lots", seed="0" * 65),
    "seed_of_words": changed(dead_heat="lots", seed="lucky"),
    "short_match": changed(match="6f1e"),
    "setup_with_more": changed(weather="rain"),
}
FIRST_LINE_FAULTS = ILLEGAL_SETUPS | MALFORMED_SETUPS
