"""The referee's commands: each does what the buttons could do, or is refused by name and changes nothing."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import CompanionError, Illegal, Malformed
from companion.core.match.effects import GaveUp
from companion.core.panel import KNOB_PUSH, Colour
from companion.core.play.commands import (
    AddRemark,
    AnswerOffer,
    AnyCommand,
    CallPlayer,
    Change,
    Changed,
    Choose,
    CloseRace,
    Command,
    Done,
    EndMatch,
    EnterCard,
    LeaveMatch,
    NewMatch,
    NoCard,
    Player,
    PreviewReplace,
    ReplaceCall,
    TakeBack,
    WasPlay,
    perform,
)  # fmt: skip
from companion.core.record.lines import PressLine, Reveal, Undo
from companion.core.ruling.judge import judge_record
from companion.core.ruling.offers import line_key
from companion.core.ruling.replacing import Fate
from companion.core.ruling.rulings import Fault, Order
from companion.core.shown.scene import Lobby
from companion.core.timing.events import MS
from companion.games import registry
from companion.games.apache.lines import Claim
from tests.amounts import many
from tests.core.play.virtual_box import VirtualBox, unfinished


class Desk(VirtualBox):
    """A box with a referee who asks."""

    def ask(self, command: Command, at_ms: float) -> Done:
        """Ask at a time, wait until it has been done."""
        answers: list[Done | CompanionError] = []

        def request(session: Any) -> None:
            try:
                answers.append(perform(session, command, round(at_ms * MS)))
            except CompanionError as error:
                answers.append(error)

        self.run(at_ms)
        self.box.ask(round(at_ms * MS), request)
        self.run(at_ms + 100)
        (answer,) = answers
        if isinstance(answer, CompanionError):
            raise answer
        return answer

    def race(self, at_ms: float, card: str = "red hunter") -> None:
        """Reveal, and let red and yellow press; red first by 50 ms."""
        self.ask(EnterCard(card=card), at_ms)
        self.press("red hunter", at_ms + 300)
        self.press("yellow hunter", at_ms + 350)
        self.run(at_ms + 1000)


def test_only_the_seat_whose_turn_it_is_may_say_which_card_it_turned() -> None:
    desk = two()
    with pytest.raises(Illegal, match="red turns the cards now, so red or the referee enters which it was"):
        desk.ask(EnterCard(card="buffalo", seat=Colour.YELLOW), 2000)
    assert desk.ask(EnterCard(card="buffalo", seat=Colour.RED), 2200).says == "revealed: buffalo"
    assert desk.ask(EnterCard(card="teepee"), 2400).says == "revealed: teepee"


def two(**table: Any) -> Desk:
    return Desk(seats=("red", "yellow"), **table)


def test_a_whole_powwow_by_commands_is_judged_as_by_buttons() -> None:
    box = two()
    box.ask(EnterCard(card="red hunter"), 2000)
    box.ask(EnterCard(card="buffalo"), 2500)
    box.ask(EnterCard(card="teepee"), 3000)
    box.press("red hunter", 3500)
    box.ask(CloseRace(), 4000)
    assert box.types() == ["setup", "reveal", "reveal", "reveal", "press", "close", "judge"]
    decision = box.session.match.must_decide()  # type: ignore[union-attr]
    assert decision is not None
    keys = [line_key(option.line) for option in decision.options]
    assert keys == ["claim red booty - -", "claim red teepees - -"]
    assert box.ask(Choose(option="claim red teepees - -"), 6000).says == "chosen: 1 teepee"
    assert box.lines[-1] == Claim(colour=Colour.RED, take="teepees")
    assert not any(isinstance(ruling, Fault) for ruling in judge_record(box.record(), registry.find))


def test_a_close_shuts_out_no_press_that_was_earlier_and_still_on_its_way() -> None:
    box = Desk(seats=("red", "yellow", "blue"))
    box.ask(EnterCard(card="red hunter"), 2000)
    box.press("red hunter", 3000)
    box.run(3300)
    closed: list[int] = []
    box.box.ask(3400 * MS, lambda session: closed.append(perform(session, CloseRace(), 3400 * MS) is not None))
    box.press("yellow hunter", 3399)
    box.press("blue hunter", 3401)
    box.run(3400)
    assert closed == []
    box.run(3600)
    assert closed == [True]
    close = box.types().index("close")
    assert [line.colour for line in box.lines[:close] if isinstance(line, PressLine)] == [Colour.RED, Colour.YELLOW]
    assert [line.colour for line in box.lines[close:] if isinstance(line, PressLine)] == [Colour.BLUE]


def test_a_card_that_cannot_be_there_is_refused_and_nothing_changes() -> None:
    box = two()
    for at in (2000, 2500, 3000):
        box.ask(EnterCard(card="red hunter"), at)
    lines, scene = list(box.lines), box.body
    with pytest.raises(Illegal, match="red hunter"):
        box.ask(EnterCard(card="red hunter"), 3500)
    with pytest.raises(Malformed, match="buffalos"):
        box.ask(EnterCard(card="buffalos"), 3600)
    assert box.lines == lines
    assert box.body == scene


def test_what_was_meant_for_an_older_state_is_refused() -> None:
    box = two()
    box.ask(EnterCard(card="red hunter"), 2000)
    with pytest.raises(Changed, match="2 lines by now, not 1"):
        box.ask(EnterCard(card="buffalo", seen=1), 2500)
    box.ask(EnterCard(card="buffalo", seen=2), 2600)


def test_undo_takes_back_the_line_it_names_and_keeps_who_and_why() -> None:
    box = two()
    box.ask(EnterCard(card="red hunter"), 2000)
    box.ask(EnterCard(card="buffalo"), 2500)
    with pytest.raises(Changed, match="line 3 is the newest"):
        box.ask(TakeBack(reason="slip", by="Ann", line=2), 3000)
    done = box.ask(TakeBack(reason="slip", by="Ann", line=3), 3100)
    assert done.says == 'taken back by Ann: "revealed: buffalo" (slip)'
    assert box.scene.notice == done.says
    assert (box.lines[-1].reason, box.lines[-1].by) == ("slip", "Ann")  # type: ignore[attr-defined]


def test_undo_of_presses_that_wait_for_their_card_says_so_in_the_record() -> None:
    box = two()
    box.press("red hunter", 2000)
    box.run(2200)
    box.ask(TakeBack(reason="nobody turned a card", by="Ann", line=0), 2500)
    assert box.types() == ["setup", "press", "remark"]
    assert "nobody turned a card" in box.lines[-1].text  # type: ignore[attr-defined]


def test_nothing_to_take_back_is_refused() -> None:
    with pytest.raises(Illegal, match="nothing to take back"):
        two().ask(TakeBack(reason="x", by="y", line=1), 2000)


def test_no_card_where_nothing_waits_is_refused() -> None:
    with pytest.raises(Illegal, match="nothing waits for a card"):
        two().ask(NoCard(), 2000)


def test_no_card_judges_a_closed_powwow_whose_judging_was_taken_back() -> None:
    box = two()
    box.ask(EnterCard(card="red hunter"), 2000)
    box.press("red hunter", 9000)
    box.ask(CloseRace(), 9500)
    box.ask(TakeBack(reason="too soon", by="Ann", line=5), 9600)
    assert box.session.match is not None
    assert box.session.match.stage.asks_card
    assert box.ask(NoCard(), 9800).says == "no card was turned"
    assert box.types()[-1] == "judge"


def test_a_button_that_named_a_card_can_be_called_a_play() -> None:
    box = two()
    box.reveal("red hunter", 2000)
    box.run(3000)
    box.ask(WasPlay(), 3100)
    assert box.types() == ["setup", "reveal", "undo"]
    box.ask(EnterCard(card="blue hunter"), 3300)
    assert [line.card if isinstance(line, Reveal) else line.__struct_config__.tag for line in box.lines] == [
        "setup", "red hunter", "undo", "blue hunter", "press",
    ]  # fmt: skip


def test_choosing_where_nothing_is_to_be_chosen_or_on_offer_is_refused() -> None:
    box = two()
    with pytest.raises(Illegal, match="nothing is to be chosen"):
        box.ask(Choose(option="claim red booty - -"), 2000)
    for card, at in (("red hunter", 2200), ("buffalo", 2500), ("teepee", 2800)):
        box.ask(EnterCard(card=card), at)
    box.press("red hunter", 3500)
    box.ask(CloseRace(), 4000)
    with pytest.raises(Illegal, match="'claim red booty - -', 'claim red teepees - -'"):
        box.ask(Choose(option="claim yellow booty - -"), 6000)


def test_new_match_by_command_while_one_runs_must_say_that_it_is_given_up() -> None:
    box = two()
    command = NewMatch(seats=(Player(Colour.BLUE, "Cy"), Player(Colour.GREEN)), variants=("wedding",), window_ms=1500)
    with pytest.raises(Illegal, match="is running"):
        box.ask(command, 2000)
    box.ask(msgspec.structs.replace(command, abandon=True), 2200)
    match = box.session.match
    assert match is not None
    assert [str(seat.colour) for seat in match.setup.seats] == ["blue", "green"]
    assert (match.setup.first, match.setup.variants) == ("blue", ("wedding",))
    assert match.history.names == {Colour.BLUE: "Cy"}
    assert match.settings.window_ns == 1500 * MS
    assert any(isinstance(effect, GaveUp) for effect in box.effects)
    assert box.types() == ["setup", "names"]


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        (NewMatch(seats=(Player(Colour.RED), Player(Colour.RED))), "same colour"),
        (NewMatch(seats=(Player(Colour.RED),)), "2 to 5"),
        (NewMatch(seats=(Player(Colour.RED), Player(Colour.BLUE)), first=Colour.GREEN), "green has no seat"),
        (NewMatch(seats=(Player(Colour.RED), Player(Colour.BLUE)), variants=("weding",)), "weding"),
        (NewMatch(seats=(Player(Colour.RED), Player(Colour.BLUE)), game="chess"), "chess"),
        (NewMatch(seats=(Player(Colour.RED), Player(Colour.BLUE)), game="order", variants=("wedding",)), "no variants"),
        (NewMatch(seats=(Player(Colour.RED, "Bartholomew Q."), Player(Colour.BLUE))), "at most 12"),
        (NewMatch(seats=(Player(Colour.RED, "a\x1b[2J"), Player(Colour.BLUE))), "can be shown"),
    ],
)
def test_a_match_that_cannot_be_played_is_refused_and_the_seating_stays(command: NewMatch, fault: str) -> None:
    box = Desk(seats=("red", "yellow"), start=False)
    before = box.session.table
    with pytest.raises(CompanionError, match=fault):
        box.ask(command, 2000)
    assert box.session.table == before
    assert isinstance(box.body, Lobby)


def test_end_and_leave_go_back_to_the_seating_with_the_same_players() -> None:
    box = two()
    with pytest.raises(Illegal, match="no match has ended"):
        box.ask(LeaveMatch(), 2000)
    box.ask(EndMatch(), 2200)
    box.ask(LeaveMatch(), 2500)
    assert isinstance(box.body, Lobby)
    assert box.body.seats == (Colour.RED, Colour.YELLOW)
    with pytest.raises(Illegal, match="no match is running"):
        box.ask(EndMatch(), 2700)


def test_an_end_that_is_not_stored_yet_is_not_left() -> None:
    box = two()
    box.store = False
    box.ask(EndMatch(), 2200)
    with pytest.raises(Illegal, match="being saved"):
        box.ask(LeaveMatch(), 2500)


@pytest.mark.parametrize("resume", [True, False])
def test_an_offer_is_taken_up_or_left(resume: bool) -> None:
    played = two()
    played.ask(EnterCard(card="buffalo"), 2000)
    box = Desk(seats=("red", "yellow"), unfinished=unfinished(played.lines))
    with pytest.raises(Illegal, match="no match is running"):
        box.ask(EndMatch(), 1900)
    box.ask(AnswerOffer(resume=resume), 2000)
    assert (box.session.match is not None) is resume
    assert box.gave_up() is not resume
    with pytest.raises(Illegal, match="no match was cut off"):
        box.ask(AnswerOffer(resume=True), 2500)


def test_a_remark_is_in_the_record_and_decides_nothing() -> None:
    box = two()
    box.ask(AddRemark(text="cards were dealt anew", by="Ann"), 2000)
    assert (box.lines[-1].text, box.lines[-1].source) == ("cards were dealt anew", "Ann")  # type: ignore[attr-defined]


def test_a_command_puts_away_the_knob_s_open_question() -> None:
    box = two()
    box.ask(EnterCard(card="buffalo"), 2000)
    box.press(KNOB_PUSH, 2500, 1200)
    box.run(3800)
    assert box.body.title == "Take back?"
    box.ask(EnterCard(card="teepee"), 4000)
    assert not hasattr(box.body, "title")
    assert box.scene.notice == "revealed: teepee"


# -- replace a call ----------------------------------------------------------------------------------------------------


def reveal(card: str) -> dict[str, Any]:
    return {"type": "reveal", "card": card}


def replaced(line: int, *lines: dict[str, Any], seen: int | None = None) -> PreviewReplace:
    return PreviewReplace(changes=(Change(line=line, lines=lines),), seen=seen)


def wrong_reveal() -> Desk:
    """The red hunter was entered (line 2); it was the blue one. Red claimed with it (choice), yellow reveals on."""
    box = two()
    for card, at in (("red hunter", 2000), ("buffalo", 2400), ("teepee", 2800)):
        box.ask(EnterCard(card=card), at)
    box.press("red hunter", 3500)
    box.ask(CloseRace(), 4000)
    box.ask(Choose(option="claim red booty - -"), 6000)
    box.ask(EnterCard(card="totem pole"), 8000)
    return box


def test_a_preview_says_what_every_later_ruling_becomes_and_changes_nothing() -> None:
    box = wrong_reveal()
    lines, scene = list(box.lines), box.body
    outcome = box.ask(replaced(2, reveal("blue hunter")), 9000).preview
    assert outcome is not None
    fates = [(entry.number, entry.line.__struct_config__.tag, entry.fate.value) for entry in outcome.retold]
    assert fates == [
        (2, "reveal", "out"), (2, "reveal", "new"), (3, "reveal", "same"), (4, "reveal", "same"), (5, "press", "same"),
        (6, "close", "same"), (7, "judge", "changed"), (8, "claim", "misfit"), (9, "reveal", "same"),
    ]  # fmt: skip
    judged = next(entry for entry in outcome.retold if entry.number == 7)
    assert [order.order[0].verdict for order in judged.before if isinstance(order, Order)] == ["claim"]
    assert [order.order[0].verdict for order in judged.after if isinstance(order, Order)] == ["punish"]
    assert "choose" in next(entry.message for entry in outcome.retold if entry.fate is Fate.MISFIT)
    assert (outcome.count(Fate.CHANGED), outcome.count(Fate.MISFIT), outcome.decision) == (1, 1, None)
    assert box.lines == lines
    assert box.body == scene


def test_an_accepted_replacement_keeps_every_old_line_in_the_record_with_who_and_why() -> None:
    box = wrong_reveal()
    old = list(box.lines)
    command = ReplaceCall(
        changes=(Change(line=2, lines=(reveal("blue hunter"),)),), reason="it was blue's", by="Ann", seen=9
    )
    box.ask(command, 9000)
    assert box.lines[:9] == old
    undos = [line for line in box.lines if isinstance(line, Undo)]
    assert len(undos) == 8
    assert {(undo.reason, undo.by) for undo in undos} == {("it was blue's", "Ann")}
    assert box.types()[17:] == ["reveal", "reveal", "reveal", "press", "close", "judge", "reveal"]
    again = box.lines[17:]
    assert (again[0].card, again[0].t_ns) == ("blue hunter", old[1].t_ns)  # type: ignore[attr-defined]
    assert again[3] == old[4]
    rulings = list(judge_record(box.record(), registry.find))
    assert not any(isinstance(ruling, Fault) for ruling in rulings)
    match = box.session.match
    assert match is not None
    assert rulings[-1] == match.judge.outcome()


def test_taking_a_claim_out_asks_for_the_choice_again_and_the_later_reveal_no_longer_fits() -> None:
    box = wrong_reveal()
    outcome = box.ask(replaced(8), 9000).preview
    assert outcome is not None
    assert [(entry.number, entry.fate) for entry in outcome.retold] == [(8, Fate.OUT), (9, Fate.MISFIT)]
    assert outcome.decision is not None
    assert outcome.decision.seat is Colour.RED


def test_a_line_put_in_before_another_and_two_changes_at_once() -> None:
    box = wrong_reveal()
    command = PreviewReplace(
        changes=(
            Change(line=3, lines=(reveal("necklace"), reveal("buffalo"))),
            Change(line=8, lines=({"type": "claim", "colour": "red", "take": "teepees"},)),
        )
    )
    outcome = box.ask(command, 9000).preview
    assert outcome is not None
    assert [entry.line.card for entry in outcome.retold if entry.fate is Fate.NEW and entry.number == 3] == [  # type: ignore[attr-defined]
        "necklace", "buffalo",
    ]  # fmt: skip
    assert outcome.count(Fate.MISFIT) == 0


@pytest.mark.parametrize(
    ("command", "error", "fault"),
    [
        (replaced(1, reveal("teepee")), Illegal, "line 1: no such line"),
        (replaced(40), Illegal, "line 40: no such line"),
        (replaced(2, reveal("teepees")), Malformed, "line 2: what is to stand there does not fit: .*teepees"),
        (replaced(2, {"type": "reveal"}), Malformed, "line 2: .*card"),
        (replaced(2, {"type": "reveal", "card": "teepee", "x": 1}), Malformed, "line 2: .*x"),
        (replaced(2, {"type": "undo"}), Illegal, "line 2: a `undo` cannot"),
        (replaced(2, {"type": "judge"}), Illegal, "line 2: what is to stand there does not fit"),
        (replaced(5, {"type": "press", "colour": "red", "role": "chief", "t_ns": 7}), Illegal, "keeps the time"),
        (PreviewReplace(changes=(Change(line=2, lines=()), Change(line=2, lines=()))), Illegal, "replaced twice"),
        (replaced(2, seen=3), Changed, "9 lines by now, not 3"),
    ],
)
def test_a_replacement_that_cannot_be_is_refused_by_line(
    command: PreviewReplace, error: type[CompanionError], fault: str
) -> None:
    box = wrong_reveal()
    before = list(box.lines)
    with pytest.raises(error, match=fault):
        box.ask(command, 9000)
    assert box.lines == before


def test_a_press_may_get_another_role_and_keeps_its_time() -> None:
    box = wrong_reveal()
    outcome = box.ask(replaced(5, {"type": "press", "colour": "red", "role": "chief"}), 9000).preview
    assert outcome is not None
    (new,) = [entry.line for entry in outcome.retold if entry.fate is Fate.NEW]
    old = box.lines[4]
    assert isinstance(new, PressLine)
    assert isinstance(old, PressLine)
    assert (new.t_ns, new.error_ns) == (old.t_ns, old.error_ns)


def test_nothing_is_replaced_while_presses_wait_for_their_card() -> None:
    box = wrong_reveal()
    box.press("red chief", 12_000)
    box.run(12_100)
    if box.session.match is not None and box.session.match.early:
        with pytest.raises(Illegal, match="has not been entered"):
            box.ask(ReplaceCall(changes=(Change(line=2, lines=()),), reason="x", by="y", seen=9), 12_200)


def test_a_closed_powwow_reopened_by_a_replacement_waits_for_the_referee() -> None:
    box = two()
    box.race(2000)
    judged = box.types().index("judge") + 1
    close = box.types().index("close") + 1
    seen = len(box.lines)
    changes = (Change(line=close, lines=()), Change(line=judged, lines=()))
    box.ask(ReplaceCall(changes=changes, reason="closed too early", by="Ann", seen=seen), 4000)
    box.run(30_000)
    match = box.session.match
    assert match is not None
    assert match.stage.is_collecting


# -- properties --------------------------------------------------------------------------------------------------------

CARDS = ["red hunter", "yellow hunter", "red chief", "buffalo", "teepee", "totem pole", "no such card"]
commands = st.one_of(
    st.builds(EnterCard, card=st.sampled_from(CARDS)),
    st.just(NoCard()),
    st.just(CloseRace()),
    st.builds(
        Choose,
        option=st.sampled_from(
            ["claim red booty - -", "claim red teepees - -", "claim yellow booty - -", "claim yellow teepees - -"]
        ),
    ),
    st.just(WasPlay()),
    st.builds(TakeBack, reason=st.just("slip"), by=st.just("Ann"), line=st.integers(0, 30)),
    st.builds(
        lambda line, card, seen: ReplaceCall(
            changes=(Change(line=line, lines=(reveal(card),) if card else ()),), reason="slip", by="Ann", seen=seen
        ),
        st.integers(1, 20),
        st.sampled_from([*CARDS, ""]),
        st.integers(1, 60),
    ),
    st.just(EndMatch()),
    st.builds(AddRemark, text=st.just("note")),
)
moves = st.lists(st.one_of(commands, st.sampled_from(["red hunter", "yellow hunter", "red chief"])), max_size=25)


@pytest.mark.no_cover  # counting branches makes it three times as slow
@given(moves)
@settings(max_examples=many(120))
def test_whatever_is_asked_the_record_stays_one_that_anybody_judges_the_same(steps: list[Any]) -> None:
    box = two()
    at_ms = 2000.0
    for step in steps:
        if isinstance(step, str):
            box.press(step, at_ms)
            box.run(at_ms + 400)
        else:
            command = step
            if isinstance(command, ReplaceCall) and command.seen % 2:  # half of them are up to date
                command = msgspec.structs.replace(command, seen=max(1, len(box.lines)))
            before = list(box.lines)
            try:
                box.ask(command, at_ms)
            except CompanionError:
                assert set(box.types()[len(before) :]) <= {"close", "judge"}, "what time alone had written"
        at_ms += 700
    match = box.session.match
    assert match is not None
    rulings = list(judge_record(box.record(), registry.find))
    assert not any(isinstance(ruling, Fault) for ruling in rulings)
    assert not rulings or match.is_over or rulings[-1] == match.judge.outcome()
    gone = [told.number for told in match.history if match.history.taken_back_by(told.number) is not None]
    assert len(gone) == box.types().count("undo")
    assert not {told.number for told in match.history.standing()} & set(gone)


def test_every_command_has_its_own_word() -> None:
    words = [kind.__struct_config__.tag for kind in AnyCommand.__args__]
    assert len(set(words)) == len(words) == 33


# -- names -------------------------------------------------------------------------------------------------------------


def test_whoever_is_renamed_or_deleted_is_so_in_the_seating() -> None:
    desk = Desk(seats=("red", "yellow"), start=False)
    seats = (Player(Colour.RED, "Ann"), Player(Colour.BLUE, "Bob"))
    desk.ask(NewMatch(seats=seats, game="order"), 100)
    with pytest.raises(Illegal, match="a match is on the table: end it, go back to the seating"):
        desk.ask(CallPlayer(name="Ann"), 200)
    desk.ask(EndMatch(), 300)
    desk.run(1000)
    with pytest.raises(Illegal, match="a match is on the table"):
        desk.ask(CallPlayer(name="Ann"), 1100)
    desk.ask(LeaveMatch(), 1300)
    assert desk.ask(CallPlayer(name="ann", to="Anna"), 1500).says == "ann is called Anna"
    assert desk.session.table.names == {Colour.RED: "Anna", Colour.BLUE: "Bob"}
    assert desk.ask(CallPlayer(name="ANNA"), 1700).says == "ANNA has no seat any more"
    assert desk.session.table.names == {Colour.BLUE: "Bob"}


def test_no_name_changes_while_a_match_waits_to_be_taken_up() -> None:
    played = Desk(("red", "yellow"))
    played.race(1000)
    played.run(3000)
    offered = Desk(seats=("red", "yellow"), unfinished=unfinished(played.lines))
    with pytest.raises(Illegal, match="a match is on the table"):
        offered.ask(CallPlayer(name="Ann"), 100)
