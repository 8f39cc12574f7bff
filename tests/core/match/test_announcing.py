"""A spoken start at the whole box: a card is said, then shown, and presses count from the end of the word."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.app.scanner import CardDesk
from companion.config.deck_file import Deck
from companion.core.errors import Malformed
from companion.core.match.announcing import IS_ANNOUNCED, NO_END, SPOKEN
from companion.core.match.effects import Announce
from companion.core.match.match import PlaySettings
from companion.core.panel import Colour
from companion.core.play.commands import EnterCard, TakeBack
from companion.core.play.scanning import Scan
from companion.core.record.lines import PressLine, Remark, Reveal
from companion.core.record.told_presses import read_press
from companion.core.ruling.judge import judge_record
from companion.core.ruling.rulings import Fault
from companion.core.shown.own_presses import PressFate
from companion.core.shown.scene import Idle
from companion.core.timing.events import MS, SECOND
from companion.games import registry
from companion.screens.text.scene_lines import lines
from companion.screens.web.state import state_document
from tests.amounts import many
from tests.core.play.test_commands import Desk
from tests.core.play.virtual_box import unfinished

RED, YELLOW, GREEN, BLUE, _ = Colour
SPOKEN_START = PlaySettings(is_spoken=True, announcement_ns=10 * SECOND)


def listening(**more: object) -> Desk:
    return Desk(("red", "yellow"), "apache", SPOKEN_START, **more)


def said(box: Desk) -> list[Announce]:
    return [effect for effect in box.effects if isinstance(effect, Announce)]


def word_ends(box: Desk, at_ms: float, fault: str = "") -> None:
    """Whoever speaks tells the end of the newest word, in its turn among the presses."""
    token = said(box)[-1].token
    box.box.ask(round(at_ms * MS), lambda session: session.announced(token, round(at_ms * MS), fault))
    box.run(at_ms + 300)


def announced() -> Desk:
    box = listening()
    box.ask(EnterCard(card="buffalo"), 2000)
    return box


def remarks(box: Desk) -> list[str]:
    return [line.text for line in box.lines if isinstance(line, Remark)]


def test_nobody_sees_the_card_before_the_end_of_the_word_and_then_all_do_at_that_instant() -> None:
    box = announced()
    assert [effect.says for effect in said(box)] == ["buffalo"]
    seen = "\n".join([*lines(box.scene), repr(state_document(box.session.snapshot(2100 * MS), 1)), *remarks(box)])
    assert "revealed" not in seen
    assert isinstance(box.body, Idle)
    assert box.body.recent == IS_ANNOUNCED
    assert "reveal" not in box.types()
    word_ends(box, 3100)
    assert [line.t_ns for line in box.lines if isinstance(line, Reveal)] == [3100 * MS]
    assert "buffalo" in "\n".join(lines(box.scene)).lower()
    assert SPOKEN in remarks(box)


def test_a_press_before_that_is_too_early_told_and_noted_with_its_time() -> None:
    box = announced()
    box.press("red hunter", 2500)
    box.press("yellow hunter", 3050)  # delivered and settled after the end of the word was told
    word_ends(box, 3100)
    assert not [line for line in box.lines if isinstance(line, PressLine)]
    told = [read_press(line, ()) for line in box.lines if isinstance(line, Remark)]
    assert [(line.colour, line.t_ns) for line in told if line is not None] == [(RED, 2500 * MS), (YELLOW, 3050 * MS)]
    assert "refused" in box.tones()
    assert [press.fate for press in box.session.snapshot(3500 * MS).own_presses] == [PressFate.EARLY] * 2
    assert box.kept == []
    box.press("red hunter", 4000)
    box.run(4300)
    assert [(line.colour, line.t_ns) for line in box.lines if isinstance(line, PressLine)] == [(RED, 4000 * MS)]


def test_a_press_that_is_delivered_after_the_end_of_the_word_and_was_made_before_is_too_early() -> None:
    box = announced()
    box.press("red hunter", 3000)
    box.run(3005)
    token = said(box)[-1].token
    box.session.announced(token, 3004 * MS)  # told at once, not in its turn
    box.run(3400)
    assert not [line for line in box.lines if isinstance(line, PressLine)]


def test_without_a_voice_the_race_opens_at_once_and_says_so() -> None:
    box = announced()
    word_ends(box, 2050, "there is no voice")
    assert "reveal" in box.types()
    assert "the card was not spoken: there is no voice" in remarks(box)
    assert box.scene.notice == "not spoken: there is no voice"


def test_where_no_end_is_told_the_race_opens_after_the_stated_time() -> None:
    box = announced()
    box.run(11_990)
    assert "reveal" not in box.types()
    box.run(12_100)
    assert [line.t_ns for line in box.lines if isinstance(line, Reveal)] == [12_000 * MS]
    assert f"the card was not spoken: {NO_END}" in remarks(box)
    word_ends(box, 12_500)  # too late: it means nothing
    assert box.types().count("reveal") == 1


def test_a_card_that_cannot_be_there_is_refused_before_a_word_is_said() -> None:
    box = listening()
    with pytest.raises(Malformed):
        box.ask(EnterCard(card="red king"), 2000)
    assert said(box) == []


def test_a_card_that_was_entered_wrongly_is_withdrawn() -> None:
    box = announced()
    assert box.ask(TakeBack(line=0), 2500).says == "announced no more"
    word_ends(box, 3000)
    assert "reveal" not in box.types()
    box.ask(EnterCard(card="teepee"), 3500)
    word_ends(box, 4000)
    assert [line.card for line in box.lines if isinstance(line, Reveal)] == ["teepee"]


def test_a_card_that_is_entered_into_a_race_is_not_announced() -> None:
    box = listening()
    box.press("red hunter", 2000)
    box.run(2300)
    box.ask(EnterCard(card="buffalo"), 2500)
    assert said(box) == []
    assert "reveal" in box.types()


def test_an_untimed_match_and_a_seen_start_announce_nothing() -> None:
    for box in (listening(timing="untimed", dead_heat="clockwise"), Desk(("red", "yellow"))):
        box.ask(EnterCard(card="buffalo"), 2000)
        assert said(box) == []
        assert "reveal" in box.types()


def test_a_scanned_card_is_announced_and_the_next_one_waits() -> None:
    box = listening()
    desk = CardDesk(Deck("apache", {"b1": "buffalo", "t1": "teepee"}))
    for at_ms, code in ((2000, "b1"), (2600, "t1")):
        box.now_ms = float(at_ms)
        box.request(partial(lambda session, t_ns, code: desk.enter(session, Scan(code), t_ns), code=code))
        box.run(at_ms + 300)
    assert [effect.says for effect in said(box)] == ["buffalo"]
    assert "scanned" not in "".join(remarks(box))
    word_ends(box, 3100)
    assert [line.turned for line in box.lines if isinstance(line, Reveal)] == [None]
    assert any(text.startswith("scanned b1") for text in remarks(box))


def test_a_box_that_stops_within_the_word_has_not_revealed_the_card_and_counts_no_early_press() -> None:
    box = announced()
    box.press("red hunter", 2500)
    box.run(2800)
    again = Desk((), "apache", SPOKEN_START, None, unfinished(box.lines, True, box.kept))
    again.lines = list(box.lines)
    again.session.resume()
    again.run(again.now_ms + 100)
    assert "reveal" not in again.types()
    assert not again.session.match.early  # type: ignore[union-attr]


@given(st.lists(st.integers(2001, 6000), min_size=1, max_size=8, unique=True), st.integers(2200, 5000))
@settings(max_examples=many(40), deadline=None)
def test_a_press_counts_exactly_when_it_is_not_before_the_end_of_the_word(presses: list[int], end_ms: int) -> None:
    times = [presses[0], *(later for earlier, later in pairwise(sorted(presses)) if later - earlier > 200)]
    box = announced()
    for at_ms in sorted(set(times)):
        if all(abs(at_ms - other) > 150 or at_ms == other for other in times):
            box.press("red hunter", at_ms)
    word_ends(box, end_ms + 0.3)  # never in the very instant of a press
    box.run(9000)
    made = [line.t_ns for line in box.lines if isinstance(line, PressLine)]
    told = [line.t_ns for line in (read_press(one, ()) for one in box.lines if isinstance(one, Remark)) if line]
    assert all(t_ns > end_ms * MS for t_ns in made)
    assert all(t_ns <= end_ms * MS for t_ns in told)
    assert not any(isinstance(ruling, Fault) for ruling in judge_record(box.record(), registry.find))
