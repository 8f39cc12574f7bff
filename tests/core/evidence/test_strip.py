"""What a strip is drawn from: the record and its evidence agree, or it is said; what was altered is refused."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.core.errors import Malformed
from companion.core.evidence.contacts_seen import Verdict, contacts_seen, timing_of
from companion.core.evidence.strip import NoSuchRace, dead_heats, strip_of
from companion.core.evidence.written import Altered, digest, parse_evidence
from companion.core.panel import Colour, label_of
from companion.core.record.condition_changes import remark_of
from companion.core.record.lines import PressLine, Setup, parse_line
from companion.core.timing.events import MS
from companion.core.words.encoding import encode
from companion.games import registry
from tests.amounts import many
from tests.core.play.virtual_box import VirtualBox
from tests.screens.strip.races import RACES, START_NS, Race, allowance, bouncing, clean, dead_heat, lost, rejected


def test_places_gaps_and_the_close_are_those_of_the_record() -> None:
    strip = clean().strip()
    assert [(place.row.colour, place.row.role, place.t_ns - strip.zero_ns) for place in strip.places] == [
        (Colour.RED, "chief", 0), (Colour.YELLOW, "chief", 61_400_000)
    ]  # fmt: skip
    assert strip.close_ns == START_NS + 61_400_000
    assert strip.heading.race == 1
    assert strip.notes == ()


@pytest.mark.parametrize("name", RACES)
def test_every_edge_of_the_evidence_is_in_a_lane(name: str) -> None:
    race = RACES[name]()
    edges = [entry for entry in parse_evidence(race.evidence()) if hasattr(entry, "active")]
    assert sum(len(lane.edges) for lane in race.strip().lanes) == len(edges)


def test_contacts_are_told_apart_and_each_says_what_became_of_it() -> None:
    lanes = {lane.line: lane for lane in rejected().strip().lanes}
    yellow = [(drawn.contact.verdict, drawn.became) for drawn in lanes["yellow first"].contacts]
    assert yellow == [(Verdict.REJECTED, "")] * 3 + [(Verdict.ACCEPTED, "place 2")]
    assert [drawn.contact.verdict for drawn in lanes["red third"].contacts] == [Verdict.REJECTED]
    assert lanes["knob push"].colour is None


def test_a_bouncing_switch_is_one_contact_from_its_first_edge_to_its_last() -> None:
    (red,) = [lane for lane in bouncing().strip().lanes if lane.line == "red first"]
    (drawn,) = red.contacts
    assert len(red.edges) == 8
    assert (drawn.contact.from_ns, drawn.contact.to_ns) == (START_NS, START_NS + 96_100_000)


def test_lanes_stand_in_the_order_of_seats_and_buttons_the_knob_last() -> None:
    assert [lane.line for lane in rejected().strip().lanes] == ["red first", "red third", "yellow first", "knob push"]


def test_an_allowance_is_what_lies_between_the_raw_and_the_compared_time() -> None:
    places = {place.row.colour: place for place in allowance().strip().places}
    assert places[Colour.YELLOW].t_ns - places[Colour.YELLOW].adjusted_ns == 800 * MS
    assert next(place.row.colour for place in allowance().strip().places) is Colour.PURPLE


def test_tied_seats_are_bracketed_and_those_that_are_not_tied_never_together() -> None:
    assert dead_heats(dead_heat().strip().places) == ((Colour.RED, Colour.YELLOW), (Colour.YELLOW, Colour.BLUE))


def test_losses_are_gaps_with_their_lines() -> None:
    first, second = lost().strip().gaps
    assert (first.from_ns, first.to_ns, first.lines) == (START_NS + 700 * MS, START_NS + 1250 * MS, None)
    assert (second.from_ns, second.lines) == (None, ("yellow second",))


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=many(60))
@given(st.data())
def test_evidence_that_was_altered_is_refused_whichever_byte_it_is(data: st.DataObject) -> None:
    race = clean()
    content, record = race.evidence(), race.record()
    place = data.draw(st.integers(0, len(content) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != content[place]))
    altered = content[:place] + bytes([byte]) + content[place + 1 :]
    with pytest.raises(Altered):
        strip_of(record, 1, registry.find, {digest(content): altered}.get)


def test_evidence_of_another_race_is_refused() -> None:
    with pytest.raises(Altered):
        strip_of(clean().record(), 1, registry.find, lambda _: dead_heat().evidence())


def test_evidence_that_is_not_there_or_not_named_is_said() -> None:
    record = clean().record()
    with pytest.raises(NoSuchRace, match="not there"):
        strip_of(record, 1, registry.find, lambda _: None)
    with pytest.raises(NoSuchRace, match="names no evidence of pow-wow 1"):
        strip_of(record[:-1], 1, registry.find, lambda _: clean().evidence())
    with pytest.raises(NoSuchRace, match="no pow-wow 2"):
        strip_of(record, 2, registry.find, lambda _: clean().evidence())
    with pytest.raises(Malformed, match="line 1"):
        strip_of([b"{}"], 1, registry.find, lambda _: None)


def test_a_record_that_counts_the_edges_otherwise_is_refused() -> None:
    race = clean()
    line = msgspec.json.decode(race.record()[-1])
    wrong = [*race.record()[:-1], encode({**line, "edges": 5})]
    with pytest.raises(Malformed, match="5 edges; its evidence has 4"):
        strip_of(wrong, 1, registry.find, lambda _: race.evidence())


def test_a_press_that_no_contact_explains_is_said() -> None:
    race = clean()
    content = race.evidence()
    record = [line.replace(b"100061400000", b"100061400001") for line in race.record()]
    strip = strip_of(record, 1, registry.find, {digest(content): content}.get)
    assert strip.notes == ("yellow chief: no contact in the evidence explains this press",)


def test_a_press_that_the_record_makes_too_certain_is_said() -> None:
    race = Race()
    race.press("red first", 0, error_us=900)
    race.press("yellow first", 50)
    content = race.evidence()
    record = [line.replace(b'"error_ns":900000', b'"error_ns":20000') for line in race.record()]
    strip = strip_of(record, 1, registry.find, {digest(content): content}.get)
    assert strip.notes == ("red chief: by its edges less certain than the record says",)


def test_conditions_that_were_changed_before_the_race_are_said() -> None:
    race = clean()
    content = race.evidence()
    first, *others = race.record()

    def notes(*remarks: str) -> tuple[str, ...]:
        lines = [encode({"type": "remark", "text": text, "source": "conditions"}) for text in remarks]
        return strip_of([first, *lines, *others], 1, registry.find, {digest(content): content}.get).notes

    assert notes(remark_of(["window_ms 3000 -> 5000"])) == (
        "other conditions than when the match began: window_ms 3000 -> 5000",
    )
    assert notes(remark_of(["window_ms 3000 -> 5000"]), remark_of([])) == ()


def test_filters_are_those_of_the_records_conditions() -> None:
    race = rejected()
    timing = timing_of("yellow first (phone)", race.conditions())
    assert (timing.bounce_ns, timing.accept_ns, timing.repeat_ns, timing.seat) == (20 * MS, 150 * MS, 0, "yellow")


gaps = st.lists(st.sampled_from([50, 400, 900, 2_500, 6_000]), max_size=5)
touches = st.lists(
    st.tuples(
        st.sampled_from(["red first", "yellow first", "red third", "blue second"]),
        st.integers(0, 2_500_000),
        gaps,
        st.sampled_from([300, 1_500, 2_100, 40_000, 400_000]),
    ),
    min_size=1,
    max_size=6,
)


@pytest.mark.no_cover  # counting branches makes it three times as slow
@settings(deadline=None, max_examples=many(60), suppress_health_check=[HealthCheck.too_slow])
@given(touches)
def test_captured_evidence_gives_exactly_the_presses_of_the_record(
    made: list[tuple[str, int, list[int], int]],
) -> None:
    box = VirtualBox(("red", "yellow"), "order")
    busy_until: dict[str, float] = {}
    for line, at_us, bounces, hold_us in made:
        at_ms = max(5000 + at_us / 1000, busy_until.get(line, 0))
        box.edge(line, True, at_ms)
        for number, gap_us in enumerate(bounces):
            at_ms += gap_us / 1000
            box.edge(line, bool(number % 2), at_ms)
        at_ms += hold_us / 1000
        box.edge(line, False, at_ms)
        busy_until[line] = at_ms + 60
    box.run(16_000)
    setup = box.lines[0]
    assert isinstance(setup, Setup)
    for captured in box.box.evidence.take():
        entries = parse_evidence(captured.content)
        began, ended = entries[0].t_ns, entries[-1].t_ns
        seen = contacts_seen(entries, setup.conditions)
        replayed = sorted(
            (label_of(c.line), c.t_ns, c.error_ns) for c in seen.contacts if c.verdict is Verdict.ACCEPTED
        )
        written = [line for line in box.lines if isinstance(line, PressLine) and began <= line.t_ns <= ended]
        assert sorted((f"{line.colour} {line.role}", line.t_ns, line.error_ns) for line in written) == replayed


def test_the_record_of_a_made_up_race_is_one_that_the_box_could_have_written() -> None:
    for number, line in enumerate(bouncing().record(), start=1):
        parse_line(line, number, registry.find("apache").lines)
