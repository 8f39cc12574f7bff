"""Whatever is done at the box: no press is lost, and the record replays to what was shown."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.core.panel import BUTTONS, KNOB_PUSH
from companion.core.record.lines import PressLine, Remark, Reveal, Undo
from companion.core.ruling.judge import judge_record
from companion.core.ruling.rulings import Fault, Order
from companion.core.shown.race_rows import newest_race
from companion.core.shown.scene import Results
from companion.core.timing.events import MS
from companion.games import registry
from tests.amounts import many
from tests.core.play.virtual_box import VirtualBox, live_rulings, unfinished

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]  # walks through whole matches

buttons = st.sampled_from([button.label for button in BUTTONS])
inputs = st.one_of(
    st.tuples(st.just("press"), buttons),
    st.tuples(st.just("press"), buttons),
    st.tuples(st.just("press"), buttons),
    st.tuples(st.just("turn"), st.integers(-3, 3)),
    st.tuples(st.just("click"), st.none()),
    st.tuples(st.just("chord"), buttons),
    st.tuples(st.just("hold"), st.none()),
    st.tuples(st.just("wait"), st.none()),
)
steps = st.lists(st.tuples(st.integers(1, 3000), inputs), max_size=40)


def play(box: VirtualBox, moves: list[tuple[int, tuple[str, object]]]) -> list[tuple[str, int]]:
    """Do the moves and give every arcade press made: its label and time in ns."""
    made: list[tuple[str, int]] = []
    at_ms, free_ms, knob_free_ms = 2000, dict.fromkeys((button.label for button in BUTTONS), 0), 0
    for gap_ms, (what, detail) in moves:
        at_ms += gap_ms
        if what in ("press", "chord") and at_ms >= free_ms[str(detail)]:
            press_ms = at_ms + (50 if what == "chord" and at_ms >= knob_free_ms else 0)
            box.press(str(detail), press_ms)
            free_ms[str(detail)] = press_ms + 200
            made.append((str(detail), press_ms * MS))
        if what in ("click", "chord", "hold") and at_ms >= knob_free_ms:
            length_ms = 1500 if what == "hold" else 200
            box.press(KNOB_PUSH, at_ms, length_ms)
            knob_free_ms = at_ms + length_ms + 100
        if what == "turn" and detail:
            box.turn(int(str(detail)), at_ms)
    box.run(at_ms + 6000)
    return made


def rulings_of(box: VirtualBox) -> list[object]:
    return list(judge_record(box.record(), registry.find))


PROTESTED = [
    (1, ("press", "red first")), (1, ("click", None)), (300, ("click", None)), (1, ("click", None)),
    (1000, ("turn", -1)), (1, ("click", None)), (300, ("press", "red first")),
]  # fmt: skip
"""The last press says who protests: it is a remark in the record, with its time."""


@given(steps)
@example(PROTESTED)
@settings(max_examples=many(60), deadline=None)
def test_in_the_game_order_every_press_is_in_the_record_once_at_its_time(
    moves: list[tuple[int, tuple[str, object]]],
) -> None:
    box = VirtualBox(seats=("red", "yellow", "blue"), game="order")
    made = play(box, moves)
    recorded = {(f"{line.colour} {line.role}", line.t_ns) for line in box.lines if isinstance(line, PressLine)}
    ended = box.begun > 1 or any(line.__struct_config__.tag == "end" for line in box.lines)
    answers = [line.text for line in box.lines if isinstance(line, Remark) and "answered who protests" in line.text]
    told = {one for one in made if any(f"({one[1]} ns" in text and text.startswith(one[0]) for text in answers)}
    assert recorded <= set(made)
    assert ended or recorded | told == set(made)
    assert not recorded & told
    assert not any(isinstance(ruling, Fault) for ruling in rulings_of(box))


@given(steps)
@settings(max_examples=many(80), deadline=None)
def test_in_apache_every_press_is_recorded_or_named_a_card_or_answered(
    moves: list[tuple[int, tuple[str, object]]],
) -> None:
    box = VirtualBox(seats=("red", "yellow"), variants=("wedding", "shared-booty", "warpath"))
    made = play(box, moves)
    out = rulings_of(box)
    assert not any(isinstance(ruling, Fault) for ruling in out), out[-1]
    recorded = {line.t_ns for line in box.lines if isinstance(line, PressLine)}
    cards = {line.t_ns for line in box.lines if isinstance(line, Reveal)}
    match = box.session.match
    waiting = {press.t_ns for press in match.early} if match else set()
    answers = sum(1 for line in box.lines if line.__struct_config__.tag == "claim")
    refusals = sum(1 for text in box.logs() if text.startswith("refused"))
    lost = [press for press in made if press[1] not in recorded | cards | waiting]
    ended = match is None or box.begun > 1 or any(line.__struct_config__.tag == "end" for line in box.lines)
    assert ended or len(lost) <= 2 * answers + refusals + 1, lost


@given(steps)
@settings(max_examples=many(60), deadline=None)
def test_what_is_shown_as_the_order_is_what_replay_says(moves: list[tuple[int, tuple[str, object]]]) -> None:
    box = VirtualBox(seats=("red", "yellow", "blue"))
    play(box, moves)
    match = box.session.match
    shown = newest_race(match.history, match.game) if match else None
    orders = [ruling for ruling in rulings_of(box) if isinstance(ruling, Order)]
    undone = any(isinstance(line, Undo) for line in box.lines)
    assert match is None or rulings_of(box) == live_rulings(box)
    if shown is not None:
        assert shown[0] in orders if undone else shown[0] == orders[-1]
        assert [row.gap_ns for row in shown[1]] == [place.gap_ns for place in shown[0].order]
    if isinstance(box.body, Results):
        assert shown is not None
        assert box.body.rows == shown[1]


@given(steps, st.integers(0, 60))
@settings(max_examples=many(60), deadline=None)
def test_a_box_cut_off_anywhere_resumes_to_the_same_table(
    moves: list[tuple[int, tuple[str, object]]], cut: int
) -> None:
    from companion.core.match.match import Match, PlaySettings
    from companion.core.match.resuming import resume

    box = VirtualBox(seats=("red", "yellow"))
    play(box, moves)
    kept = box.lines[: max(1, min(cut, len(box.lines)))]
    resumed = Match(registry.find, PlaySettings())
    resume(resumed, unfinished(kept))
    fresh = Match(registry.find, PlaySettings())
    for line in kept:
        fresh.judge.feed(line)
    written = [effect for effect in resumed.effects if hasattr(effect, "line")]
    if not written:
        assert resumed.judge.state == fresh.judge.state
    assert resumed.lines_written == len(kept) + len(written)
