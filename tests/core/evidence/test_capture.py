"""Which edges are the evidence of which race, and when they are given."""

from __future__ import annotations

import pytest

from companion.core.evidence.capture import Captured
from companion.core.evidence.written import EdgeSeen, Entry, Lost, digest, parse_evidence
from companion.core.timing.events import MS, SECOND, SourceFault
from tests.core.play.virtual_box import VirtualBox, unfinished

WINDOW_MS = 3000


def box_of(game: str = "order", seats: tuple[str, ...] = ("red", "yellow")) -> VirtualBox:
    return VirtualBox(seats=seats, game=game)


def edges(captured: Captured) -> list[tuple[str, bool, float]]:
    entries: list[Entry] = parse_evidence(captured.content)
    return [(entry.line, entry.active, entry.t_ns / MS) for entry in entries if isinstance(entry, EdgeSeen)]


def test_evidence_reaches_from_two_seconds_before_the_first_press_to_two_after_the_close() -> None:
    box = box_of()
    box.press("green first", 2920)  # opens 2,000 ms before
    box.press("red first", 5000)
    box.press("yellow first", 5010)  # all have pressed: that is the close
    box.edge("blue third", True, 7010)
    box.edge("blue third", False, 7010.001)
    box.run(9000)
    (captured,) = box.box.evidence.take()
    assert captured.race == 1
    assert edges(captured) == [
        ("green first", False, 3000), ("red first", True, 5000), ("yellow first", True, 5010),
        ("red first", False, 5080), ("yellow first", False, 5090), ("blue third", True, 7010),
    ]  # fmt: skip


def test_evidence_is_named_by_its_hash_and_says_how_many_edges_it_has() -> None:
    box = box_of()
    box.press("red first", 5000)
    box.press("yellow second", 5020)
    box.edge("red first", False, 6000)
    box._add(SourceFault("gpiod", "lost 3 edges", 6100 * MS, 3))
    box.run(9000)
    (captured,) = box.box.evidence.take()
    assert captured.race == 1
    assert captured.sha256 == digest(captured.content)
    assert captured.edges == len(edges(captured)) == 5
    losses = [entry for entry in parse_evidence(captured.content) if isinstance(entry, Lost)]
    assert [(loss.lost, loss.source, loss.t_ns) for loss in losses] == [(3, "gpiod", 6100 * MS)]


def test_evidence_is_given_in_its_time_also_where_the_next_race_has_begun() -> None:
    box = box_of()
    for at_ms in (5000, 7100):
        box.press("red first", at_ms)
        box.press("yellow first", at_ms + 10)
    box.run(7000)
    assert box.box.evidence.take() == []
    box.run(7060)
    (first,) = box.box.evidence.take()
    assert first.race == 1
    assert [t_ms for _, _, t_ms in edges(first)] == [5000, 5010, 5080, 5090]
    box.run(9200)
    (second,) = box.box.evidence.take()
    assert second.race == 2
    assert ("red first", True, 7100) in edges(second)


def test_nobody_has_to_press_for_evidence_to_be_given() -> None:
    box = box_of()
    box.press("red first", 5000)
    box.run(9_200)
    assert box.types()[-1] == "judge"
    assert box.box.next_deadline() == (5000 + WINDOW_MS + 2000 + 30) * MS


@pytest.mark.parametrize("waited_s", [5, 60])
def test_presses_that_wait_for_their_card_have_their_evidence_however_long_that_takes(waited_s: int) -> None:
    box = VirtualBox(seats=("red", "yellow"), game="apache")
    box.press("red hunter", 3000)
    box.press("yellow hunter", 3100)
    box.run(3000 + waited_s * 1000)
    box.reveal("red hunter", 3100 + waited_s * 1000)
    box.run(6000 + waited_s * 1000)
    (captured,) = box.box.evidence.take()
    assert [t_ms for _, closes, t_ms in edges(captured) if closes][:2] == [3000, 3100]


def test_a_box_that_stops_gives_what_there_is_of_the_race_that_runs() -> None:
    box = box_of()
    box.press("red first", 5000)
    box.run(5500)
    box.box.evidence.flush(5500 * MS)
    (captured,) = box.box.evidence.take()
    assert captured.race == 1
    assert [t_ms for _, _, t_ms in edges(captured)] == [5000, 5080]


def test_a_race_judged_again_as_it_was_has_its_evidence_already() -> None:
    box = box_of()
    box.press("red first", 5000)
    box.press("yellow first", 5010)
    box.run(9000)
    assert len(box.box.evidence.take()) == 1
    match = box.session.match
    assert match is not None
    match.undo()
    match.judge_now()
    box.run(12_000)
    assert box.types()[-2:] == ["undo", "judge"]
    assert box.box.evidence.take() == []


def reopened(*, after_ms: int, until_ms: int) -> list[Captured]:
    """A race closed by hand after 0.5 s, opened again `after_ms` its first press, and then joined by yellow."""
    box = VirtualBox(("red", "yellow"), "order", window_ns=60 * SECOND)
    box.press("red first", 5000)
    box.run(5500)
    match = box.session.match
    assert match is not None
    match.close(5500 * MS)
    box.run(5000 + after_ms)
    match.undo()
    match.undo()
    box.press("yellow first", 5100 + after_ms)
    box.run(5200 + after_ms)
    match.close((5200 + after_ms) * MS)  # a race that was opened again has no window
    box.run(until_ms)
    assert box.types()[-3:] == ["press", "close", "judge"]
    return box.box.evidence.take()


def test_a_race_that_was_opened_again_has_its_evidence_anew() -> None:
    before, after = reopened(after_ms=3000, until_ms=12_000)
    assert (before.race, after.race) == (1, 1)
    assert ("yellow first", True, 8100) not in edges(before)
    assert ("red first", True, 5000) in edges(after)
    assert ("yellow first", True, 8100) in edges(after)


def test_what_was_forgotten_before_a_race_was_opened_again_is_told() -> None:
    told, *rest = parse_evidence(reopened(after_ms=40_000, until_ms=49_000)[-1].content)
    assert isinstance(told, Lost)
    assert (told.source, told.since_ns) == ("box", 3000 * MS)
    assert [entry.line for entry in rest if isinstance(entry, EdgeSeen)] == ["yellow first", "yellow first"]


def test_a_match_that_was_cut_off_has_no_evidence_of_the_races_before() -> None:
    before = box_of()
    before.press("red first", 5000)
    before.press("yellow first", 5010)
    before.run(9000)
    box = VirtualBox(("red", "yellow"), "order", None, None, unfinished(before.lines))
    box.session.resume()
    box.press("red first", 9000)
    box.press("yellow first", 9010)
    box.run(13_000)
    assert [captured.race for captured in box.box.evidence.take()] == [2]


def test_a_match_that_is_left_gives_what_there_is() -> None:
    box = box_of()
    box.press("red first", 5000)
    box.press("yellow first", 5010)
    box.run(6100)
    match = box.session.match
    assert match is not None
    match.end()
    box.run(6200)
    assert box.box.evidence.take() == []
    box.session.leave()
    box.run(6300)
    assert [captured.race for captured in box.box.evidence.take()] == [1]
