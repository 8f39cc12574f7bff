"""The box from switching on to switching off: every row is taken by what really comes, and nothing else is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.core.errors import Illegal
from companion.core.match.session_stages import TABLE, SessionCause, SessionStage, follow, told_by
from companion.core.panel import Colour
from companion.core.play import session as sessions
from companion.core.play.seating import Table
from companion.core.record.lines import Close
from companion.core.ruling.replacing import Edit
from companion.core.shown.scene import Final, Idle, Invitation, Lobby, Question, Status, Trust
from tests.core.play.virtual_box import VirtualBox, unfinished

if TYPE_CHECKING:
    from collections.abc import Callable

URL = "http://10.0.0.5:8017/"
SEATED = Table(game="apache", seats=(Colour.RED, Colour.YELLOW))
CONCEDED = Table(game="apache", seats=(Colour.RED, Colour.YELLOW), allowances_ms={Colour.RED: 500})
MATCHES = {SessionStage.MATCH, SessionStage.SAVING, SessionStage.ENDED}
WHERE = {
    SessionCause.INVITED: set(SessionStage),
    SessionCause.TOUCHED: set(SessionStage),
    SessionCause.RESUMED: {SessionStage.OFFER},
    SessionCause.DECLINED: {SessionStage.OFFER},
    SessionCause.PREPARED: set(SessionStage),
    SessionCause.OFFERED: {SessionStage.LOBBY, SessionStage.INVITATION},
    SessionCause.BEGAN: set(SessionStage),
    SessionCause.GOES_ON: MATCHES,
    SessionCause.ENDING: MATCHES,
    SessionCause.OVER: MATCHES,
    SessionCause.LEFT: {SessionStage.ENDED},
    SessionCause.CLEARED: set(SessionStage) - {SessionStage.MATCH, SessionStage.SAVING},
}
"""In which stages each cause has a row, said anew, so that one that goes missing is missed."""

LEADS = {
    SessionCause.RESUMED: SessionStage.MATCH,
    SessionCause.DECLINED: SessionStage.LOBBY,
    SessionCause.PREPARED: SessionStage.LOBBY,
    SessionCause.OFFERED: SessionStage.OFFER,
    SessionCause.BEGAN: SessionStage.MATCH,
    SessionCause.GOES_ON: SessionStage.MATCH,
    SessionCause.ENDING: SessionStage.SAVING,
    SessionCause.OVER: SessionStage.ENDED,
    SessionCause.LEFT: SessionStage.LOBBY,
    SessionCause.CLEARED: SessionStage.LOBBY,
}
"""Where each cause leads, from wherever it can; an invitation and a touch move the seating alone."""

ROWS = [(stage, cause) for cause, where in WHERE.items() for stage in SessionStage if stage in where]
NO_ROWS = [(stage, cause) for cause, where in WHERE.items() for stage in SessionStage if stage not in where]


def leads(stage: SessionStage, cause: SessionCause) -> SessionStage:
    if (stage, cause) == (SessionStage.LOBBY, SessionCause.INVITED):
        return SessionStage.INVITATION
    if (stage, cause) == (SessionStage.INVITATION, SessionCause.TOUCHED):
        return SessionStage.LOBBY
    return LEADS.get(cause, stage)


def box_at(stage: SessionStage) -> VirtualBox:
    """A box that came to a stage as boxes do."""
    if stage is SessionStage.OFFER:
        before = VirtualBox(seats=("red", "yellow"))
        return VirtualBox(seats=("red", "yellow"), unfinished=unfinished(before.lines))
    box = VirtualBox(seats=("red", "yellow"), start=stage in MATCHES)
    if stage is SessionStage.INVITATION:
        box.session.invite(URL, "123456")
    if stage in {SessionStage.SAVING, SessionStage.ENDED}:
        box.reveal("buffalo", 1200)
        box.store = stage is SessionStage.ENDED
        end(box, 1700)
    return box


def end(box: VirtualBox, at_ms: float) -> None:
    box.pick("end of the game", at_ms)
    box.click(at_ms + 500)
    box.run(at_ms + 800)


def pass_time(box: VirtualBox) -> None:
    box.run(box.now_ms + 100)


def go_on(box: VirtualBox) -> None:
    """The match goes on: nothing has happened, or its end is taken back."""
    assert box.session.match is not None
    if box.session.match.is_over:
        box.session.match.undo()
    pass_time(box)


def bring_end(box: VirtualBox) -> None:
    """The end is written and not stored; after the end, a call is replaced."""
    box.store = False
    if box.session.stage is SessionStage.MATCH:
        end(box, 2000)
    elif box.session.stage is SessionStage.ENDED:
        assert box.session.match is not None
        box.session.match.replace([Edit(2, ({"type": "reveal", "card": "teepee"},))], "it was a teepee", "referee")
    pass_time(box)


def bring_over(box: VirtualBox) -> None:
    """The end is stored, or cannot be."""
    if box.session.stage is SessionStage.MATCH:
        box.store = False
        box.session.not_stored("the disk is full")
        end(box, 2000)
    box.store = True
    pass_time(box)


def touch(box: VirtualBox) -> None:
    box.turn(1, box.now_ms + 10)
    pass_time(box)


BRING: dict[SessionCause, Callable[[VirtualBox], Any]] = {
    SessionCause.INVITED: lambda box: box.session.invite(URL, "123456"),
    SessionCause.TOUCHED: touch,
    SessionCause.RESUMED: lambda box: box.session.resume(),
    SessionCause.DECLINED: lambda box: box.session.decline(),
    SessionCause.PREPARED: lambda box: box.session.begin(CONCEDED, abandon=True),
    SessionCause.OFFERED: lambda box: box.session.offer(unfinished(VirtualBox(seats=("red", "yellow")).lines)),
    SessionCause.BEGAN: lambda box: box.session.begin(SEATED, abandon=True),
    SessionCause.GOES_ON: go_on,
    SessionCause.ENDING: bring_end,
    SessionCause.OVER: bring_over,
    SessionCause.LEFT: lambda box: box.session.leave(),
    SessionCause.CLEARED: lambda box: box.session.seat_nobody("order"),
}
"""How each cause comes in the running program."""


def state_of(box: VirtualBox) -> tuple[object, ...]:
    session = box.session
    lines = session.match.history if session.match else None
    return session.stage, session.scene(), session.table, lines, list(session._effects), session._invitation


def test_every_cause_has_its_rows_and_each_leads_where_it_does_from_everywhere() -> None:
    assert set(TABLE) == set(SessionStage)
    assert {cause: {stage for stage in SessionStage if cause in TABLE[stage]} for cause in SessionCause} == WHERE
    for stage, cause in ROWS:
        assert follow(stage, cause) is TABLE[stage][cause] is leads(stage, cause)


@pytest.mark.parametrize("stage", SessionStage)
def test_a_box_comes_to_every_stage_and_shows_it(stage: SessionStage) -> None:
    box = box_at(stage)
    shown = {
        SessionStage.OFFER: Question, SessionStage.INVITATION: Invitation, SessionStage.LOBBY: Lobby,
        SessionStage.MATCH: Idle, SessionStage.SAVING: Idle, SessionStage.ENDED: Final,
    }  # fmt: skip
    assert box.session.stage is stage
    assert type(box.body) is shown[stage]
    assert (box.session.match is not None) is (stage in MATCHES)
    assert box.session.is_offering is (stage is SessionStage.OFFER)


@pytest.mark.parametrize(("stage", "cause"), ROWS)
def test_what_really_comes_takes_the_row_that_the_table_has(
    stage: SessionStage, cause: SessionCause, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = box_at(stage)
    taken: dict[tuple[SessionStage, SessionCause], SessionStage] = {}

    def watched(before: SessionStage, came: SessionCause) -> SessionStage:
        return taken.setdefault((before, came), follow(before, came))

    monkeypatch.setattr(sessions, "follow", watched)
    BRING[cause](box)
    assert taken[stage, cause] is leads(stage, cause)
    again = (stage, cause) == (SessionStage.INVITATION, SessionCause.CLEARED)  # nobody has touched it: it is shown on
    assert box.session.stage is (SessionStage.INVITATION if again else leads(stage, cause))


@pytest.mark.parametrize(("stage", "cause"), NO_ROWS)
def test_what_has_no_row_cannot_happen_and_leaves_everything_as_it_was(
    stage: SessionStage, cause: SessionCause
) -> None:
    with pytest.raises(Illegal, match="not while"):
        follow(stage, cause)
    box = box_at(stage)
    before = state_of(box)
    with pytest.raises(Illegal, match="not while"):
        box.session._follow(cause)
    if cause in {SessionCause.RESUMED, SessionCause.LEFT, SessionCause.CLEARED}:
        with pytest.raises((Illegal, LookupError)):
            BRING[cause](box)
    if cause is SessionCause.DECLINED:
        BRING[cause](box)
    assert state_of(box) == before


@pytest.mark.parametrize("stage", SessionStage)
def test_a_match_that_is_refused_leaves_everything_as_it_was(stage: SessionStage) -> None:
    box = box_at(stage)
    before = state_of(box)
    with pytest.raises(Illegal, match="nobody has taken a seat"):
        box.session.begin(Table(game="order"), abandon=True)
    if stage is SessionStage.MATCH:
        with pytest.raises(Illegal, match="a match is running"):
            box.session.begin(SEATED)
    assert state_of(box) == before


def test_an_offer_that_cannot_be_taken_up_stands() -> None:
    lines = VirtualBox(seats=("red", "yellow")).lines
    box = VirtualBox(seats=("red", "yellow"), unfinished=unfinished([*lines, Close(t_ns=5)]))
    before = state_of(box)
    with pytest.raises(Illegal):
        box.session.resume()
    assert state_of(box) == before


def test_a_match_is_over_whatever_becomes_of_its_end_and_ending_only_while_it_is_being_saved() -> None:
    assert {told_by(status, is_over=False) for status in Status} == {SessionCause.GOES_ON}
    ending = {status for status in Status if told_by(status, is_over=True) is SessionCause.ENDING}
    assert ending == {Status.SAVING}
    assert told_by(Status.NOT_RECORDED, is_over=True) is told_by(Status.FINAL, is_over=True) is SessionCause.OVER
    assert {stage for stage in SessionStage if stage.is_over} == {SessionStage.SAVING, SessionStage.ENDED}


def test_an_invitation_waits_for_the_seating_and_not_for_one_that_has_been_touched() -> None:
    for stage, lead in ((SessionStage.OFFER, SessionCause.DECLINED), (SessionStage.ENDED, SessionCause.LEFT)):
        box = box_at(stage)
        box.session.invite(URL, "123456")
        BRING[lead](box)
        assert box.body == Invitation(URL, "123456")
        box = box_at(stage)
        box.session.invite(URL, "123456")
        touch(box)
        BRING[lead](box)
        assert isinstance(box.body, Lobby)


def test_what_everybody_should_know_of_the_box_stands_on_every_start_screen_and_nowhere_else() -> None:
    box = box_at(SessionStage.LOBBY)
    box.session.box_remark = "not certified"
    assert isinstance(box.scene.body, Lobby)
    assert box.scene.body.remark == "not certified"
    box.session.invite(URL, "123456")
    assert box.scene.body == Invitation(URL, "123456", "not certified")
    match = box_at(SessionStage.MATCH)
    before = match.scene
    match.session.box_remark = "not certified"
    assert match.scene == before


def test_the_knob_only_puts_an_invitation_away_and_a_button_takes_its_seat_at_once() -> None:
    box = VirtualBox(seats=(), start=False)
    box.session.invite(URL, "123456")
    box.turn(1, 1200)
    box.run(1300)
    assert isinstance(box.body, Lobby)
    assert box.body.menu.cursor == 0
    box.session.invite(URL, "123456")
    box.press("blue first", 1400)
    box.run(1600)
    assert box.session.table.seats == (Colour.BLUE,)
    assert isinstance(box.body, Lobby)


def test_the_menu_leads_through_the_codes_of_the_free_seats_and_back() -> None:
    box = VirtualBox(seats=("yellow",), start=False)
    box.session.invite(URL, "123456")
    box.turn(1, 1200)
    box.run(1300)
    labels = [item.label for item in box.body.menu.items]
    assert labels[-2:] == ["how to join", "play by phone"]
    box.turn(-1, 1400)
    box.click(1600)
    box.run(1800)
    free = tuple(colour for colour in Colour if colour is not Colour.YELLOW)
    shown = []
    for turn in range(len(free)):
        assert isinstance(box.body, Invitation)
        shown.append(box.body.seat)
        box.turn(1, 2000 + 200 * turn)
        box.run(2100 + 200 * turn)
    assert tuple(shown) == free
    assert isinstance(box.body, Lobby)


def test_the_knob_leads_through_how_encrypted_pages_are_trusted_and_a_button_takes_its_seat_from_anywhere() -> None:
    trust = Trust("http://10.0.0.5:8018/", "AB CD")
    box = VirtualBox(seats=(), start=False)
    box.session.invite(URL, "123456", trust)
    pages = []
    for turn in range(3):
        pages.append(box.body)
        box.turn(1, 1200 + 200 * turn)
        box.run(1300 + 200 * turn)
    assert pages == [Invitation(URL, "123456", trust=trust, page=page) for page in range(3)]
    assert isinstance(box.body, Lobby)
    assert box.body.menu.cursor == 0
    box.session.invite(URL, "123456", trust)
    box.click(2000)
    box.run(2200)
    assert box.body == Invitation(URL, "123456", trust=trust, page=1)
    box.press("blue first", 2300)
    box.run(2500)
    assert box.session.table.seats == (Colour.BLUE,)
    assert isinstance(box.body, Lobby)


def test_a_push_leaves_the_end_once_it_is_stored() -> None:
    box = box_at(SessionStage.SAVING)
    box.click(3000)
    box.run(3300)
    assert box.session.stage is SessionStage.SAVING
    box.store = True
    box.run(3400)
    box.click(3500)
    box.run(3800)
    assert box.session.stage is SessionStage.LOBBY
    assert box.gave_up()


@pytest.mark.parametrize("by_button", [True, False])
def test_an_invitation_is_not_shown_again_after_a_match(by_button: bool) -> None:
    box = VirtualBox(seats=("red", "yellow"), start=False)
    box.session.invite(URL, "123456")
    if by_button:
        box.press("red first", box.now_ms + 10)
        box.run(box.now_ms + 200)
    box.session.begin(SEATED)
    box.run(box.now_ms + 200)
    end(box, box.now_ms + 500)
    box.run(box.now_ms + 500)
    box.session.leave()
    assert isinstance(box.body, Lobby)


def test_whoever_is_at_the_box_may_ask_for_the_invitation_again_while_seats_are_taken() -> None:
    box = VirtualBox(seats=("red",), start=False)
    assert "how to join" not in [item.label for item in box.menu().items]
    box.session.invite(URL, "123456")
    box.turn(1, 1200)
    box.run(1300)
    for _ in range(2):
        box.pick("how to join", box.now_ms + 10)
        assert box.body == Invitation(URL, "123456")
        box.click(box.now_ms + 10)
        box.run(box.now_ms + 200)
        assert isinstance(box.body, Lobby)
    box.session.seat_nobody("apache")
    assert [item.label for item in box.menu().items][-2:] == ["how to join", "play by phone"]


@pytest.mark.parametrize("stage", SessionStage)
def test_another_pin_is_shown_wherever_the_one_before_would_be(stage: SessionStage) -> None:
    box = box_at(stage)
    before = state_of(box)
    if stage is not SessionStage.INVITATION:
        box.session.change_pin("654321")
        assert state_of(box) == before
        box.session.invite(URL, "123456")
    box.session.change_pin("654321")
    if stage is SessionStage.OFFER:
        box.session.decline()
    elif stage is SessionStage.ENDED:
        box.session.leave()
    if stage in {SessionStage.MATCH, SessionStage.SAVING}:
        assert box.session._invitation == Invitation(URL, "654321")
    else:
        assert box.body == Invitation(URL, "654321")
