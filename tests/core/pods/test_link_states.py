"""The talk's table: every step is taken by what really comes, and what has no step leaves the talk as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.core.pods.frames import encode_frame
from companion.core.pods.link import SILENCE_NS, LineEdge, LineLevels, Met, Overrun, PodLink, Refused, Silent
from companion.core.pods.link_states import TABLE, LinkAct, LinkCause, LinkState
from companion.core.pods.messages import (
    Baseline,
    Edges,
    Hello,
    Identity,
    Lamps,
    Ping,
    PodEdge,
    Pong,
    Report,
    encode_message,
)
from companion.core.pods.pod_clock import (
    PING_PATIENCE_NS,
    WARM_PATIENCE_NS,
    WARM_TRIPS,
    Limits,
    Placed,
    PodClock,
    RoundTrips,
)
from companion.core.pods.talk import ACTS, HELLO_NS, Talk
from companion.core.timing.events import MS, SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.pods.link import LinkEvent
    from companion.core.pods.messages import PodMessage

NOW_NS = 10**12
BOOT = 7
WHERE = {
    LinkCause.OPENED: set(LinkState),
    LinkCause.HELLO_DUE: {LinkState.CALLING, LinkState.MET, LinkState.RECOUNTING},
    LinkCause.SILENCE: {LinkState.MET, LinkState.TALKING, LinkState.RECOUNTING},
    LinkCause.STRANGE: set(LinkState),
    LinkCause.NEW_BOOT: set(LinkState),
    LinkCause.SAME_BOOT: {LinkState.CALLING, LinkState.REFUSED},
    LinkCause.PONG: {LinkState.MET, LinkState.TALKING, LinkState.RECOUNTING},
    LinkCause.REPORT: {LinkState.MET, LinkState.TALKING, LinkState.RECOUNTING},
    LinkCause.LEVELS: {LinkState.MET, LinkState.TALKING, LinkState.RECOUNTING},
    LinkCause.BACKLOG: {LinkState.MET, LinkState.TALKING},
    LinkCause.BACKLOG_AFTER_LOSS: {LinkState.MET, LinkState.RECOUNTING},
    LinkCause.RENUMBERED: {LinkState.MET, LinkState.TALKING, LinkState.RECOUNTING},
    LinkCause.EDGES: {LinkState.TALKING, LinkState.RECOUNTING},
    LinkCause.LOSS: {LinkState.MET, LinkState.TALKING, LinkState.RECOUNTING},
}
"""In which states each cause has a step, said anew, so that a row that goes missing is missed."""


def identity(boot: int = BOOT, version: int = 1) -> Identity:
    return Identity(1, 1, version, b"ABCDEFGH", (1, 0, 0), 4, 0, boot)


def report(overruns: int = 0) -> Report:
    return Report(1, 1, 0, overruns, 0, 0)


class Way:
    """A talk that is led through states by what a pod says, a millisecond apart."""

    def __init__(self) -> None:
        self.now_ns = NOW_NS
        self.talk = Talk(PodClock(Limits(100_000, 2 * MS, 120_000)))
        self.talk.follow(LinkCause.OPENED, None, self.now_ns)

    def hear(self, *messages: PodMessage) -> list[LinkEvent]:
        self.now_ns += MS
        return [event for message in messages for event in self.talk.hear(message, self.now_ns)]

    def state(self) -> tuple[object, ...]:
        """All that the talk knows, but when it last heard anything."""
        talk, kept, clock = self.talk, self.talk.kept, self.talk.clock
        parts = [vars(kept), vars(talk._trips), {"trips": clock._trips, "by": clock.warm_by_ns, "wide": clock.is_wide}]
        values = [{name: list(v) if isinstance(v, list) else v for name, v in part.items()} for part in parts]
        return (talk.state, talk.identity, talk.report, list(talk.queue), talk._lamps, talk._hello_at_ns, values)


def at(state: LinkState, *, known: bool = True) -> Way:
    """A talk in a state. known: with the boot BOOT, levels, and two edges taken before, where the state allows both."""
    way = Way()
    if known or state.is_talking:
        way.hear(identity(), Baseline(BOOT, 0, 0, 0), Edges(BOOT, 0, 0, (PodEdge(0, True, 5), PodEdge(0, False, 9))))
        assert len(way.talk.kept.give(lambda _: Placed(way.now_ns, 0))) == 3
    if state is LinkState.RECOUNTING:
        way.hear(report(overruns=3))
    if state in {LinkState.CALLING, LinkState.MET, LinkState.REFUSED}:
        way.talk.follow(LinkCause.OPENED, None, way.now_ns)
    if state is LinkState.MET:
        way.hear(identity())
    if state is LinkState.REFUSED:
        way.hear(identity(version=0))
    assert way.talk.state is state
    return way


def bring(way: Way, cause: LinkCause) -> Sequence[LinkEvent | Hello]:
    """Let a cause come as it comes: by a message, by time, by the adapter."""
    match cause:
        case LinkCause.OPENED:
            return way.talk.follow(cause, None, way.now_ns)
        case LinkCause.HELLO_DUE:
            way.talk._hello_at_ns = way.now_ns
            return [said for said in way.talk.say(way.now_ns) if isinstance(said, Hello)]
        case LinkCause.SILENCE:
            way.now_ns += SILENCE_NS
            return way.talk.advance(way.now_ns)
        case LinkCause.BACKLOG_AFTER_LOSS if not way.talk.kept.has_lost:
            way.hear(report(overruns=3))
        case LinkCause.LOSS:
            return way.hear(report(overruns=5))
    taken = way.talk.kept._next or 0
    messages: dict[LinkCause, PodMessage] = {
        LinkCause.STRANGE: identity(boot=BOOT + 1, version=0),
        LinkCause.NEW_BOOT: identity(boot=BOOT + 1),
        LinkCause.SAME_BOOT: identity(),
        LinkCause.PONG: Pong(1, 12_345),
        LinkCause.REPORT: report(way.talk.kept._overruns),
        LinkCause.LEVELS: Baseline(BOOT, taken, 0, 0b10),
        LinkCause.BACKLOG: Baseline(BOOT, taken, 2, 0b10),
        LinkCause.BACKLOG_AFTER_LOSS: Baseline(BOOT, taken, 2, 0b10),
        LinkCause.RENUMBERED: Baseline(BOOT, taken + 1, 2, 0b10),
        LinkCause.EDGES: Edges(BOOT, taken, way.talk.kept._overruns, (PodEdge(1, True, 20),)),
    }
    return way.hear(messages[cause])


def test_every_cause_has_its_steps_and_every_act_is_done_somewhere() -> None:
    assert set(TABLE) == set(LinkState)
    assert {cause: {state for state in LinkState if cause in TABLE[state]} for cause in LinkCause} == WHERE
    assert {step.act for row in TABLE.values() for step in row.values()} == set(LinkAct) == set(ACTS)


def test_every_state_is_reached_from_the_call_and_leads_back_to_it() -> None:
    def reached(start: LinkState) -> set[LinkState]:
        found, new = {start}, [start]
        while new:
            following = {step.after for step in TABLE[new.pop()].values()} - found
            found |= following
            new += following
        return found

    assert reached(LinkState.CALLING) == set(LinkState)
    assert all(LinkState.CALLING in reached(state) for state in LinkState)


LEADS = {
    LinkCause.OPENED: LinkState.CALLING,
    LinkCause.SILENCE: LinkState.CALLING,
    LinkCause.STRANGE: LinkState.REFUSED,
    LinkCause.NEW_BOOT: LinkState.MET,
    LinkCause.SAME_BOOT: LinkState.MET,
    LinkCause.LEVELS: LinkState.TALKING,
    LinkCause.BACKLOG: LinkState.TALKING,
    LinkCause.BACKLOG_AFTER_LOSS: LinkState.RECOUNTING,
    LinkCause.RENUMBERED: LinkState.TALKING,
    LinkCause.LOSS: LinkState.RECOUNTING,
}
"""Where each cause leads, from wherever; what is not here leaves the talk where it is."""


def test_a_cause_leads_to_the_same_state_from_everywhere() -> None:
    for state, row in TABLE.items():
        for cause, step in row.items():
            if (state, cause) != (LinkState.MET, LinkCause.LOSS):  # levels are asked for there anyway
                assert step.after is LEADS.get(cause, state), (state, cause)
    assert TABLE[LinkState.MET][LinkCause.LOSS].after is LinkState.MET


@pytest.mark.parametrize(
    ("state", "cause"), [(state, cause) for cause, where in WHERE.items() for state in LinkState if state in where]
)
def test_what_really_comes_takes_the_step_that_the_table_has(state: LinkState, cause: LinkCause, monkeypatch) -> None:
    step, way, done = TABLE[state][cause], at(state), []
    for act, do in ACTS.items():
        monkeypatch.setitem(ACTS, act, lambda *a, act=act, do=do: (done.append(act), do(*a))[1])
    bring(way, cause)
    assert way.talk.state is step.after
    assert done[-1] is step.act


@pytest.mark.parametrize(
    ("state", "cause"), [(state, cause) for cause, where in WHERE.items() for state in LinkState if state not in where]
)
def test_what_has_no_step_is_passed_over_and_leaves_the_talk_as_it_was(state: LinkState, cause: LinkCause) -> None:
    way = at(state)
    before = way.state()
    assert way.talk.follow(cause, object(), way.now_ns) == []
    assert way.state() == before
    if cause not in {LinkCause.BACKLOG, LinkCause.BACKLOG_AFTER_LOSS} or not state.is_talking:
        assert bring(way, cause) == []
        assert way.talk.state is state


@pytest.mark.parametrize("state", [state for state in LinkState if state.is_talking])
def test_what_a_pod_says_of_another_boot_is_not_of_this_one(state: LinkState) -> None:
    way = at(state)
    before = way.state()
    other = BOOT + 1
    assert way.hear(Baseline(other, 0, 0, 0b111), Edges(other, 2, 9, (PodEdge(1, True, 20),))) == []
    assert way.state() == before


# What is done ---------------------------------------------------------------------------------------------------------


def said(way: Way) -> list[type]:
    return [type(message) for message in way.talk.say(way.now_ns)]


def test_a_call_says_hello_at_once_and_again_every_half_second() -> None:
    way = at(LinkState.CALLING)
    assert said(way) == [Hello]
    assert said(way) == []
    way.now_ns += HELLO_NS
    assert said(way) == [Hello]


def test_a_pod_that_is_met_is_told_its_lamps_asked_for_its_clock_and_greeted_until_its_levels_are_there() -> None:
    way = at(LinkState.CALLING, known=False)
    way.talk.light(Lamps(1, 0))
    assert bring(way, LinkCause.NEW_BOOT) == [Met(identity(BOOT + 1), True)]
    kinds = said(way)
    assert kinds[:2] == [Hello, Lamps]
    assert kinds[-1] is Ping
    way.now_ns += HELLO_NS
    assert Hello in said(way)
    way.hear(Baseline(BOOT + 1, 0, 0, 0))
    way.now_ns += HELLO_NS
    assert Hello not in said(way)


def test_one_that_is_known_is_met_again_and_one_of_another_boot_is_new() -> None:
    assert bring(at(LinkState.CALLING), LinkCause.SAME_BOOT) == [Met(identity(), False)]
    for state in LinkState:
        assert bring(at(state), LinkCause.NEW_BOOT) == [Met(identity(BOOT + 1), True)]
        way = at(state)
        assert bring(way, LinkCause.STRANGE) == [Refused(identity(BOOT + 1, 0))]
        assert way.talk.next_deadline() is None


def test_another_program_on_a_pod_that_was_refused_is_met() -> None:
    way = at(LinkState.REFUSED)
    assert bring(way, LinkCause.SAME_BOOT) == [Met(identity(), False)]
    assert said(way)[-1] is Ping


@pytest.mark.parametrize("state", [state for state in LinkState if state.is_talking])
def test_silence_is_said_once_and_the_pod_is_called(state: LinkState) -> None:
    way = at(state)
    (silent,) = bring(way, LinkCause.SILENCE)
    assert silent == Silent(way.now_ns)
    assert way.talk.advance(way.now_ns + SECOND) == []
    assert said(way) == [Hello]


def test_a_loss_is_said_with_its_count_and_hello_until_the_levels_are_those_of_now() -> None:
    way = at(LinkState.TALKING)
    assert bring(way, LinkCause.LOSS) == [Overrun(5)]
    assert way.hear(report(overruns=5)) == []
    way.hear(Baseline(BOOT, 2, 4, 0))
    assert Hello in said(way)
    way.hear(Edges(BOOT, 2, 7, ()))
    assert way.talk.state is LinkState.RECOUNTING
    way.hear(Baseline(BOOT, 2, 0, 0))
    way.now_ns += HELLO_NS
    assert Hello not in said(way)


def test_a_loss_is_remembered_over_a_silence() -> None:
    way = at(LinkState.RECOUNTING)
    bring(way, LinkCause.SILENCE)
    way.hear(identity(), Baseline(BOOT, 2, 1, 0))
    assert way.talk.state is LinkState.RECOUNTING


def test_numbers_that_cannot_be_end_what_was_known_and_doubted() -> None:
    way = at(LinkState.RECOUNTING)
    epoch = way.talk.kept.epoch
    bring(way, LinkCause.RENUMBERED)
    assert (way.talk.kept.epoch, way.talk.kept.has_lost, way.talk.clock.is_warm) == (epoch + 1, False, False)


def test_levels_and_edges_wait_for_round_trips_and_are_given_in_their_order() -> None:
    way = at(LinkState.CALLING, known=False)
    way.hear(identity(), Baseline(BOOT, 5, 1, 0b10), Edges(BOOT, 5, 0, (PodEdge(0, True, 10_500),)))
    given: list[LinkEvent] = []
    for trip in range(WARM_TRIPS):
        assert given == []
        ping = next(message for message in way.talk.say(way.now_ns) if isinstance(message, Ping))
        way.hear(Pong(ping.number, 12_000 + trip * 1000))
        given = way.talk.give(way.now_ns)
    levels, edge = given
    assert isinstance(levels, LineLevels)
    assert isinstance(edge, LineEdge)
    assert (levels.active, edge.line, edge.mark.next_seq) == (0b10, 0, 6)
    assert levels.t_ns < edge.t_ns
    assert way.talk.kept.placed == 1


def test_edges_do_not_wait_for_ever_for_round_trips() -> None:
    way = at(LinkState.CALLING, known=False)
    way.hear(identity(), Baseline(BOOT, 5, 3, 0b10))
    for trip in range(2):
        ping = next(message for message in way.talk.say(way.now_ns) if isinstance(message, Ping))
        way.hear(Pong(ping.number, 12_000 + trip * 1000))
    assert way.talk.give(NOW_NS + WARM_PATIENCE_NS) == []
    assert [type(event) for event in way.talk.give(NOW_NS + MS + WARM_PATIENCE_NS)] == [LineLevels]


def test_a_ping_that_was_given_up_is_not_answered_any_more() -> None:
    trips = RoundTrips(NOW_NS)
    *_, first = trips.ask(NOW_NS)
    assert isinstance(first, Ping)
    assert trips.ask(NOW_NS + PING_PATIENCE_NS - 1) == []
    (second,) = trips.ask(NOW_NS + PING_PATIENCE_NS)
    assert isinstance(second, Ping)
    assert trips.answered(first.number) is None
    assert trips.answered(second.number) == NOW_NS + PING_PATIENCE_NS
    assert trips.answered(second.number) is None


def test_what_the_link_says_is_what_the_talk_says() -> None:
    link, talk = PodLink(), Talk(PodClock(Limits(100_000, 2 * MS, 120_000)))
    for now_ns in (NOW_NS, NOW_NS + HELLO_NS // 2, NOW_NS + HELLO_NS):
        assert link.next_deadline() == talk.next_deadline()
        assert link.send(now_ns) == b"".join(encode_frame(encode_message(each)) for each in talk.say(now_ns))
