"""A whole event worked out again: one that holds, and a table of attacks, each of which is named."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.adapters.keys.ed25519 import check
from companion.core.errors import UnknownGame
from companion.core.record.seals import in_base64
from companion.games import registry
from companion.tournament.desk.rounds import add_drawing
from companion.tournament.drawing.drawing import draw
from companion.tournament.log import lines
from companion.tournament.log.chain import heads_of, sheet_of
from companion.tournament.log.lines import TableDrawn
from companion.tournament.verifying.findings import Verdict
from companion.tournament.verifying.means import Means
from companion.tournament.verifying.verifying import verify_event
from tests.amounts import many
from tests.tournament.desk.hall import Hall
from tests.tournament.tables.sealing import COLOURS, box_key, line, played, sealed, with_seal
from tests.tournament.verifying.events import (
    ANSWERED,
    RACES,
    Building,
    Built,
    apaches,
    by_hand,
    by_score,
    cup,
    hash_all,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.tournament.verifying.findings import Worked

MEANS = Means(registry.find, check, by_score)


@cache
def whole() -> Built:
    return cup()


def worked(built: Built, head: str | None = None) -> Worked:
    return verify_event(built, MEANS, head)


# -- an event that holds -----------------------------------------------------------------------------------------------


def test_an_event_that_holds_is_consistent_and_not_authenticated_without_a_head() -> None:
    found = worked(whole())
    assert found.verdict is Verdict.CONSISTENT
    assert found.broken == ()
    assert (found.lines, found.vouched) == (len(whole().raw), 0)
    assert (found.records, found.official, found.drawings) == (6, 5, 2)


@pytest.mark.parametrize("place", [0, 20, -1])
def test_the_head_of_any_line_authenticates_the_log_up_to_it(place: int) -> None:
    head = whole().head(place)
    found = worked(whole(), head)
    assert found.verdict is Verdict.AUTHENTICATED
    assert found.vouched == len(whole().raw) + place + 1 if place < 0 else place + 1
    assert worked(whole(), head[:32]).vouched == found.vouched


def test_what_people_decided_is_noted() -> None:
    notes = [str(one) for one in worked(whole()).notes]
    assert len(notes) == 2
    assert notes[0].endswith("player 4 was given 10 points for round 1 by Ann: came late")
    assert notes[1].endswith("the result of table 3 of round 2 was entered by hand by Ann: the box broke")


def test_what_is_to_be_marked_at_results_is_said_with_their_tables() -> None:
    """Of the newest official record of each table; of one that was entered by hand nothing any more."""
    it = Building(3, 10)
    it.draw()
    begun = [it.setup(1, 1), *played(*RACES)]
    undo = line("undo")
    seats = [line("sign", colour=colour) for colour in COLOURS[: len(it.event.table(1, 1).players)]]
    it.keep(1, 1, sealed([*begun, undo, line("judge"), line("end"), *seats], 1), 1)
    it.play(1, 2)
    it.play(1, 3)
    by_hand(it, 1, 3)
    found = worked(it.done())
    nothing = "nothing is said of how times were taken"
    assert dict(found.marked) == {nothing: ((1, 1), (1, 2)), "taken back: 1": ((1, 1),)}


def test_the_standings_are_worked_out() -> None:
    standings = worked(whole()).standings
    assert sorted(one.player for one in standings) == list(range(1, 11))
    assert [one.points for one in standings] == sorted((one.points for one in standings), reverse=True)
    by_player = {one.player: one for one in standings}
    assert by_player[4].rounds[0].points == 10


def test_an_event_at_a_game_of_cards_with_a_variant_holds() -> None:
    found = worked(apaches())
    assert (found.verdict, found.official, found.drawings) == (Verdict.CONSISTENT, 1, 1)


def test_a_log_that_has_only_begun_holds() -> None:
    built = whole().copy()
    built.raw, built.held, built.boxes = built.raw[:1], {}, {}
    found = worked(built)
    assert (found.verdict, found.lines, found.standings) == (Verdict.CONSISTENT, 1, ())


def test_a_change_by_hand_is_noted_with_its_true_difference() -> None:
    it = Building(2, 8)
    it.draw()

    def turned(tables: Any) -> tuple[TableDrawn, ...]:
        one, other = tables
        return (
            TableDrawn(1, (other.players[0], *one.players[1:])),
            TableDrawn(2, (one.players[0], *other.players[1:])),
        )

    it.redraw(turned)
    it.play(1, 1)
    it.play(1, 2)
    built = it.done()
    found = worked(built)
    assert (found.verdict, [one.what for one in found.notes]) == (
        Verdict.CONSISTENT,
        ["changed by hand by Ann: a step"],
    )
    built.change(built.line_of(lines.RedrawnLine), spread=3)
    built.chained()
    says = "it is worse by other numbers than it says: meetings 0, spread 0, seats 0"
    assert [one.what for one in worked(built).broken] == [says]


def test_progress_is_told_from_the_first_step_to_the_last() -> None:
    told: list[tuple[int, int]] = []
    verify_event(whole(), MEANS._replace(tell=lambda done, of: told.append((done, of))))
    steps = len(whole().raw) + len(whole().held)
    assert told == [(done, steps) for done in range(steps)]


def test_a_game_that_is_not_installed_is_named() -> None:
    built = whole().copy()
    built.change(0, game="chess")
    built.chained()
    with pytest.raises(UnknownGame, match="chess"):
        worked(built)
    built.change(0, game="shogi")  # and the chain shows it
    assert "line 2" in worked(built).broken[0].place


def test_what_a_desk_has_made_of_what_boxes_pushed_holds() -> None:
    """The desk's own log and store, of two rounds that it drew, and a protest answered at the box."""
    it = Hall()
    it.enrol(1, 2)
    it.players(9)
    it.done(add_drawing(it.desk, 1, draw(it.desk.wanted()), it.wall))
    it.pushes(1, it.record(1, signed=COLOURS[: len(it.event.table(1, 1).players)]))
    begun = it.record(2)[:-2]  # without `end` and its seal
    protest = [line("protest", colour="red"), line("answer", protest=len(begun) + 1, text="No.", stands=True)]
    it.pushes(2, sealed([*begun, *protest, line("end")], 2))
    it.done(add_drawing(it.desk, 2, draw(it.desk.wanted()), it.wall))
    built = of_hall(it)
    found = verify_event(built, Means(registry.find, check), built.head())
    assert (found.verdict, found.findings) == (Verdict.AUTHENTICATED, ())
    assert (found.official, found.drawings) == (2, 2)


def of_hall(it: Hall) -> Built:
    built = Built()
    built.raw = list(it.log)
    for (box, match, _), raw in sorted(it.stored.items()):
        built.held.setdefault((box, match), []).append(raw)
    built.boxes = {name: list(box.keys) for name, box in it.event.boxes.items()}
    return built


# -- attacks -----------------------------------------------------------------------------------------------------------


class Attack(NamedTuple):
    """Something that is done to an event. place, says: what the first fault has in it. chained: the log's chain was
    written anew after it, as somebody would who has the desk."""

    name: str
    does: Callable[[Built], object]
    place: str
    says: str
    chained: bool = False


ONE, TWO, THREE = (("box-1", f"{101:032x}"), ("box-2", f"{102:032x}"), ("box-3", f"{103:032x}"))
MOVED, STUB = ("box-1", f"{202:032x}"), ("box-2", f"{202:032x}")


def alter(key: tuple[str, str], what: bytes, by: bytes, nth: int = 0) -> Callable[[Built], None]:
    def does(built: Built) -> None:
        record = built.held[key]
        places = [place for place, raw in enumerate(record) if what in raw]
        record[places[nth]] = record[places[nth]].replace(what, by)

    return does


def press_is_earlier(built: Built) -> None:
    alter(ONE, b'"t_ns": 60003000000', b'"t_ns": 60000000000')(built)


def lines_swapped(built: Built) -> None:
    record = built.held[ONE]
    record[2], record[3] = record[3], record[2]


def seal_removed(built: Built) -> None:
    record = built.held[ONE]
    del record[next(place for place, raw in enumerate(record) if b'"seal"' in raw)]


def last_seal_removed(built: Built) -> None:
    built.held[ONE].pop()


def line_removed(built: Built) -> None:
    del built.held[ONE][4]


def line_added(built: Built) -> None:
    built.held[ONE].insert(4, line("remark", text="nothing happened"))


def names_added(built: Built) -> None:
    """`names` lines are outside of all seals; the log's hash is of every line."""
    built.held[ONE].insert(1, line("names", names={"red": "Zoë"}))


def sealed_anew(box: int, key: tuple[str, str] = ONE) -> Callable[[Built], None]:
    """The record with other presses, sealed again by a key that the attacker has."""

    def does(built: Built) -> None:
        raw = built.held[key]
        without = [one for one in raw if b'"seal"' not in one]
        at = next(place for place, one in enumerate(without) if b'"green"' in one and b'"press"' in one)
        without[at] = without[at].replace(b'"green"', b'"yellow"')
        built.held[key] = sealed(without, box)

    return does


def sealed_anew_and_official(box: int) -> Callable[[Built], None]:
    """The same, and the log names it: by somebody who has the desk, but no box's key, or the wrong one."""

    def does(built: Built) -> None:
        sealed_anew(box)(built)
        record = built.held[ONE]
        for place, entry in enumerate(built.entries()):
            if isinstance(entry, lines.RecordLine) and entry.match == ONE[1]:
                built.change(place, sha256=hash_all(record[: entry.lines]))

    return does


def of_another(**event: Any) -> Callable[[Built], None]:
    """The record of another event, round or table, truly sealed by the box, is put in this one's place."""

    def does(built: Built) -> None:
        setup = json.loads(built.held[ONE][0])
        setup["event"].update(event)
        rest = [raw for raw in built.held[ONE][1:] if b'"seal"' not in raw]
        record = built.held[ONE] = sealed([json.dumps(setup).encode(), *rest], 1)
        for place, entry in enumerate(built.entries()):
            if isinstance(entry, lines.RecordLine) and entry.match == ONE[1]:
                built.change(place, sha256=hash_all(record))

    return does


def another_tables(built: Built) -> None:
    built.held[ONE] = built.held[THREE]


def another_boxes(built: Built) -> None:
    built.held["box-3", ONE[1]] = built.held.pop(ONE)


def extra_record(built: Built, box: int = 1, **event: Any) -> None:
    setup = json.loads(built.held[ONE][0])
    setup["match"] = "9" * 32
    setup["event"] = {**setup["event"], **event} if event else setup["event"]
    if event.get("id") == "":
        del setup["event"]
    record = sealed([json.dumps(setup).encode(), *played({"red": 1}), line("end")], box)
    built.held["box-1", "9" * 32] = record


def extra(box: int = 1, **event: Any) -> Callable[[Built], None]:
    return lambda built: extra_record(built, box, **event)


def removed(key: tuple[str, str]) -> Callable[[Built], None]:
    def does(built: Built) -> None:
        del built.held[key]

    return does


def key_of_a_stranger(built: Built) -> None:
    built.boxes["box-1"] = [in_base64(box_key(9).key)]


def stranger_enrolled(built: Built) -> None:
    key_of_a_stranger(built)
    built.change(built.line_of(lines.BoxLine), key=in_base64(box_key(9).key))


def log_line(kind: type[Any], nth: int = 0, **fields: Any) -> Callable[[Built], None]:
    return lambda built: built.change(built.line_of(kind, nth), **fields)


def log_line_removed(kind: type[Any], nth: int = 0) -> Callable[[Built], None]:
    def does(built: Built) -> None:
        del built.raw[built.line_of(kind, nth)]

    return does


def log_reordered(built: Built) -> None:
    built.raw[3], built.raw[4] = built.raw[4], built.raw[3]


def log_is_junk(built: Built) -> None:
    built.raw[7] = b"junk"


def drawing_changed(nth: int) -> Callable[[Built], None]:
    """Two players change tables, and the hash of the pairings with them."""

    def does(built: Built) -> None:
        place = built.line_of(lines.DrawnLine, nth)
        drawn = json.loads(built.raw[place])
        one, other = drawn["tables"][0]["players"], drawn["tables"][1]["players"]
        one[0], other[0] = other[0], one[0]
        tables = [TableDrawn(table["table"], tuple(table["players"])) for table in drawn["tables"]]
        built.change(place, tables=drawn["tables"], sheet=sheet_of(tables, (), "cup", drawn["round"]))

    return does


def yesterdays_log(built: Built) -> None:
    """The log as it was before round 2 was drawn, with all records."""
    built.raw = built.raw[: built.line_of(lines.DrawnLine, 1)]


def log_of_an_hour_ago(built: Built) -> None:
    """The log as it was before the last record, which is of a round that was drawn by then."""
    built.raw = built.raw[: built.line_of(lines.RecordLine, 4)]


def shorter_record_is_official(built: Built) -> None:
    """Of the moved match, the part from before it was moved."""
    built.held[MOVED] = built.held[STUB]


def moved_unsaid(built: Built) -> None:
    begun = built.held[STUB]
    tail = [raw for raw in built.held[MOVED][len(begun) + 1 :] if b'"seal"' not in raw]
    record = built.held[MOVED] = sealed(tail, 1, begun)
    place = built.line_of(lines.RecordLine, 4)
    built.change(place, sha256=hash_all(record), lines=len(record))


def signature_missing(built: Built) -> None:
    """A result is said to be final by signatures, and one of them is not there."""
    record = built.held[ONE]
    place = built.line_of(lines.RecordLine)
    built.change(place, lines=len(record) - 2, sha256=hash_all(record[:-2]))


def protest_kept_quiet(built: Built) -> None:
    places = [built.line_of(kind) for kind in (lines.ProtestLine, lines.AnswerLine)]
    for place in reversed(places):
        del built.raw[place]


def lines_made_fewer(built: Built) -> None:
    built.change(built.line_of(lines.RecordLine), lines=3, sha256=hash_all(built.held[ONE][:3]))


def official_again(built: Built, count: int, key: tuple[str, str] = ONE) -> None:
    """Have the log name the first `count` lines of a record, by their true hash."""
    for place, entry in enumerate(built.entries()):
        if isinstance(entry, lines.RecordLine) and (entry.box, entry.match) == key:
            built.change(place, lines=count, sha256=hash_all(built.held[key][:count]))


def lines_made_more(built: Built) -> None:
    record = built.held[ONE]
    record.append(line("remark", text="not sealed"))
    official_again(built, len(record))


def not_over(built: Built) -> None:
    official_again(built, len(built.held[STUB]), MOVED)


def of_another_match(key: tuple[str, str]) -> Callable[[Built], None]:
    def does(built: Built) -> None:
        setup = json.loads(built.held[ONE][0]) | {"match": "8" * 32}
        rest = [raw for raw in built.held[ONE][1:] if b'"seal"' not in raw]
        built.held[key] = sealed([json.dumps(setup).encode(), *rest], 1)
        if key == ONE:
            official_again(built, len(built.held[ONE]))

    return does


FINAL = "event.jsonl, line"
ATTACKS = [
    # -- a record: nobody but the box can make one
    Attack("a press is made earlier", press_is_earlier, ONE[1], "this seal does not hold: of lines 1 to"),
    Attack("two lines are swapped", lines_swapped, ONE[1], "this seal does not hold: of lines 1 to"),
    Attack("a line is removed", line_removed, ONE[1], "this seal does not hold: of lines 1 to"),
    Attack("a line is added", line_added, ONE[1], "this seal does not hold: of lines 1 to"),
    Attack("a seal is removed", seal_removed, ONE[1], "this seal does not hold: of lines 1 to"),
    Attack("the last seal is removed", last_seal_removed, ONE[1], "lines of it official, and it has"),
    Attack("names are added", names_added, ONE[1], "another SHA-256"),
    Attack("a seal's signature is another's", alter(ONE, b'"signature":"', b'"signature":"A', 0), ONE[1], "seal"),
    Attack("sealed anew by a stranger", sealed_anew(9), ONE[1], "another SHA-256"),
    Attack("sealed anew by its own box", sealed_anew(1), ONE[1], "another SHA-256"),
    Attack("sealed anew by a stranger, and official", sealed_anew_and_official(9), ONE[1], "that no box of the", True),
    Attack("sealed anew by another box, and official", sealed_anew_and_official(2), ONE[1], "of another box", True),
    Attack("another box goes on unsaid", moved_unsaid, MOVED[1], "no `moved` line names that", True),
    Attack("a record of another event", of_another(id="autumn"), ONE[1], "its setup names event autumn", True),
    Attack("a record of another round", of_another(round=2), ONE[1], "its setup names round 2", True),
    Attack("a record of another table", of_another(table=3), ONE[1], "its setup names table 3", True),
    Attack("a record of another drawing", of_another(sheet="6" * 64), ONE[1], "its setup names the drawing", True),
    Attack("the record of another table", another_tables, ONE[1], "its setup names table 3"),
    Attack("a record under another box", another_boxes, ONE[1], "it is not in the file"),
    Attack("a record is removed", removed(TWO), TWO[1], "the log made it official, and it is not in the file"),
    Attack("a record's beginning", shorter_record_is_official, MOVED[1], "lines of it official, and it has"),
    Attack("a record up to no seal", lines_made_fewer, ONE[1], "not sealed", True),
    Attack("a record beyond its last seal", lines_made_more, ONE[1], "is no seal", True),
    Attack("a record that is not over", not_over, MOVED[1], "made it official, and it is not over", True),
    Attack("a record of another match", of_another_match(ONE), ONE[1], f"names the match {'8' * 32}", True),
    # -- records that the log does not name
    Attack("an added record of another match", of_another_match(("box-1", "7" * 32)), "7" * 32, "names the match"),
    Attack("a record of another event is added", extra(id="autumn"), "9" * 32, "it is of the event autumn, not of cup"),
    Attack("a record of no event is added", extra(id=""), "9" * 32, "it is of no event, not of cup"),
    Attack("a record of a round that was not drawn", extra(round=3), "9" * 32, "the log is older than the records"),
    Attack("a record of a table that is not there", extra(table=8), "9" * 32, "the log is older than the records"),
    Attack("a record of another box's table", extra(table=3), "9" * 32, "which was never played on box-1"),
    Attack("a record by a stranger's key", extra(9), "9" * 32, "by a key that no box of the event has"),
    Attack("a record by another box's key", extra(2), "9" * 32, "by the key of another box"),
    Attack("yesterday's log with today's records", yesterdays_log, f"{201:032x}", "the log is older than the records"),
    Attack("the log of an hour ago", log_of_an_hour_ago, MOVED[1], "the log is older than the records"),
    # -- keys
    Attack("a key is a stranger's", key_of_a_stranger, "keys/box-1.pub", "other keys than those"),
    Attack("a key is removed", lambda it: it.boxes.pop("box-2"), "keys/box-2.pub", "its keys are not in the file"),
    Attack("a key is added", lambda it: it.boxes.update(x=[]), "keys/x.pub", "the log knows no such box"),
    Attack("a stranger is enrolled", stranger_enrolled, ONE[1], "by a key that no box of the event has", True),
    # -- the log: its chain
    Attack("a line of the log is altered", log_line(lines.PlayerLine, name="Eve"), f"{FINAL} 6", "it names"),
    Attack("a line of the log is removed", log_line_removed(lines.PlayerLine), f"{FINAL} 5", "that it is line 6"),
    Attack("lines of the log are swapped", log_reordered, f"{FINAL} 4", "it says that it is line 5"),
    Attack("a line of the log is junk", log_is_junk, f"{FINAL} 8", "malformed"),
    Attack("the points are altered", log_line(lines.PointsLine, points=24), f"{FINAL} 40", "it names"),
    # -- the log: its sense, when the whole chain was written anew
    Attack("the seed is another", log_line(lines.CheckInClosedLine, seed="bad"), FINAL, "not the seed", True),
    Attack("a player is removed", log_line_removed(lines.PlayerLine), FINAL, "the next player has the number", True),
    Attack("a player did not check in", log_line_removed(lines.CheckedInLine), FINAL, "players who are there", True),
    Attack("round 1 is drawn otherwise", drawing_changed(0), "round 1", "not what log and seed lead to: table 1", True),
    Attack("round 2 is drawn otherwise", drawing_changed(1), "round 2", "not what log and seed lead to: table 1", True),
    Attack("the pairings are others", log_line(lines.DrawnLine, sheet="6" * 64), FINAL, "pairings of round 1", True),
    Attack("points were other before round 2", log_line(lines.PointsLine, points=24), "round 2", "not what log", True),
    Attack("points were none before round 2", log_line_removed(lines.PointsLine), "round 2", "not what log", True),
    Attack("a result is kept back", log_line_removed(lines.RecordLine), FINAL, "has no result yet", True),
    Attack("an answer is turned", log_line(lines.AnswerLine, stands=False), FINAL, "it names"),
    Attack("a protest is kept quiet", protest_kept_quiet, FINAL, "the log does not know the protest in line", True),
    Attack("a protest is invented", log_line(lines.ProtestLine, line=2), FINAL, "no protest that waits", True),
    Attack("a signature is missing", signature_missing, FINAL, "have not signed", True),
    Attack("a deadline that is not over", log_line(lines.FinalLine, 1, wall=ANSWERED), FINAL, "by its deadline", True),
    Attack("a deadline that never is", log_line(lines.AnswerLine, wall="9999-12-31T23:55Z"), FINAL, "by its dea", True),
    Attack("a deadline of an upheld protest", log_line(lines.AnswerLine, stands=False), FINAL, "by its deadline", True),
    Attack("a deadline without a time", log_line(lines.FinalLine, 1, wall="noon"), FINAL, "no time that can be", True),
    Attack("the end is not the end", log_line_removed(lines.FinalLine), FINAL, "has to be final first", True),
]  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS, ids=[attack.name for attack in ATTACKS])
def test_an_attack_is_named(attack: Attack) -> None:
    built = whole().copy()
    attack.does(built)
    if attack.chained:
        built.chained()
    found = worked(built)
    assert found.verdict is Verdict.BROKEN
    assert attack.place in found.broken[0].place
    assert attack.says in found.broken[0].what


@pytest.mark.parametrize("attack", ATTACKS, ids=[attack.name for attack in ATTACKS])
def test_with_the_printed_head_no_attack_on_the_log_is_authenticated(attack: Attack) -> None:
    """Whoever writes the chain anew has another head, in whatever he changed."""
    built = whole().copy()
    attack.does(built)
    if attack.chained:
        built.chained()
        assert "this is not the log that was printed" in worked(built, whole().head()).broken[-1].what


def test_points_that_are_changed_in_the_last_line_show_by_the_head_alone() -> None:
    """What no later line vouches for and no drawing rests on: the reason why heads are printed."""
    built = whole().copy()
    built.raw.pop()
    head = built.head()
    del built.raw[-1]  # a result by hand, in the place of which another is written
    forged = json.loads(whole().raw[-2])
    forged["places"] = [
        {**place, "player": one["player"]}
        for place, one in zip(forged["places"], reversed(forged["places"]), strict=True)
    ]
    built.raw.append(json.dumps(forged).encode())
    assert worked(built).verdict is Verdict.CONSISTENT
    found = worked(built, head)
    assert found.verdict is Verdict.BROKEN
    assert found.broken[0].what == f"no line of the log has the head {head}: this is not the log that was printed"
    before = worked(built, heads_of(built.raw)[-2])
    assert (before.verdict, before.vouched) == (Verdict.AUTHENTICATED, len(built.raw) - 1)


def test_a_head_beyond_a_fault_vouches_for_nothing() -> None:
    built = whole().copy()
    built.change(built.line_of(lines.PlayerLine), name="Eve")
    found = worked(built, built.head())
    assert (found.verdict, found.vouched) == (Verdict.BROKEN, 0)


def test_one_fault_is_named_once_and_not_in_what_rests_on_it() -> None:
    built = whole().copy()
    press_is_earlier(built)
    found = worked(built)
    assert len({one.place for one in found.broken}) == 1
    assert any("not drawn again: it rests on a record that does not hold" in one.what for one in found.notes)
    assert (found.drawings, found.standings) == (1, ())


def test_a_match_that_was_given_up_is_noted_and_breaks_nothing() -> None:
    built = whole().copy()
    extra_record(built)
    found = worked(built)
    assert found.verdict is Verdict.CONSISTENT
    assert [one.what for one in found.notes if "9" * 32 in one.place] == [
        "it did not count: table 1 of round 1 has its result otherwise, or none"
    ]


def test_what_a_box_sealed_after_the_final_result_breaks_nothing_and_a_broken_seal_there_does() -> None:
    built = whole().copy()
    built.held[TWO] = sealed([line("sign", colour="red")], 2, built.held[TWO])
    assert worked(built).verdict is Verdict.CONSISTENT
    built.held[TWO][-2] = line("sign", colour="yellow")
    assert "this seal does not hold" in worked(built).broken[0].what


def test_a_moved_match_that_went_on_on_its_old_box_too_is_noted() -> None:
    built = whole().copy()
    built.held[STUB] = with_seal([*built.held[STUB], line("remark", text="still here")], 2)
    assert any(STUB[1] in one.place for one in worked(built).notes)


def test_an_answer_that_the_record_has_otherwise_is_noted() -> None:
    built = whole().copy()
    built.change(built.line_of(lines.AnswerLine), stands=False)
    built.change(built.line_of(lines.FinalLine, 1), why="by hand")  # no deadline follows an upheld protest
    built.chained()
    found = worked(built)
    assert found.verdict is Verdict.CONSISTENT
    assert "the log has another answer to it than the record" in [one.what for one in found.notes]


def test_a_drawing_after_a_record_that_was_mended_is_worked_out_again() -> None:
    """A first line of the log names a record wrongly; the next one of the same table, or a result by hand, heals it."""
    for healed_by_hand in (False, True):
        it = Building(2, 8)
        it.draw()
        record = it.play(1, 1, signed=False)
        if healed_by_hand:
            by_hand(it, 1, 1)
        else:
            signs = [line("sign", colour=colour) for colour in COLOURS[:4]]
            it.keep(1, 1, sealed(signs, 1, record), 1)
        it.play(1, 2)
        it.draw()
        built = it.done()
        built.change(built.line_of(lines.RecordLine), sha256="0" * 64)
        built.chained()
        found = worked(built)
        assert len(found.broken) == 1
        assert found.drawings == 2
        assert found.standings != ()


def test_the_record_of_a_box_whose_table_has_gone_to_another_need_not_be_official() -> None:
    it = Building(2, 4)
    it.draw()
    over = sealed([it.setup(1, 1), *played(*RACES), line("end")], 1)
    it.log.add(lines.AssignedLine, round=1, table=1, box="box-2")
    built = it.done()
    built.held["box-1", it.match(1, 1)] = over
    found = worked(built)
    assert (found.verdict, len(found.notes)) == (Verdict.CONSISTENT, 1)


def test_a_change_by_hand_is_held_against_the_rounds_before_it_alone() -> None:
    """Whoever has a bye in the round that is changed has no points for it yet."""
    it = Building(1, 6)
    it.draw()
    (bye,) = it.event.rounds[0].byes
    out = it.event.rounds[0].line.tables[0].players[0]
    it.redraw(lambda tables: (TableDrawn(1, (bye, *tables[0].players[1:])),), byes=(out,))
    assert worked(it.done()).broken == ()


def test_a_change_by_hand_because_somebody_left_is_noted_and_not_compared() -> None:
    it = Building(2, 8)
    it.draw()
    gone = it.event.rounds[0].line.tables[0].players[-1]
    it.log.add(lines.DroppedLine, player=gone)
    it.redraw(lambda tables: (TableDrawn(1, tables[0].players[:-1]), tables[1]))
    found = worked(it.done())
    assert (found.broken, [one.what for one in found.notes]) == ((), ["changed by hand by Ann: a step"])


def test_a_match_of_a_table_that_a_change_by_hand_took_away_is_noted() -> None:
    it = Building(3, 10)
    it.draw()
    begun = with_seal([it.setup(1, 3), *played(*RACES)], 3)
    it.redraw(lambda _: (TableDrawn(1, (1, 2, 3, 4, 5)), TableDrawn(2, (6, 7, 8, 9, 10))))
    built = it.done()
    built.held["box-3", it.match(1, 3)] = begun
    found = worked(built)
    assert (found.verdict, len(found.notes)) == (Verdict.CONSISTENT, 2)
    assert "which a change by hand has taken away" in found.notes[1].what


def test_an_empty_log_is_no_event() -> None:
    built = whole().copy()
    built.raw = []
    found = worked(built, "a" * 64)
    assert found.verdict is Verdict.BROKEN


# -- whatever is done --------------------------------------------------------------------------------------------------


def official() -> list[tuple[str, str]]:
    return [(one.box, one.match) for one in whole().entries() if isinstance(one, lines.RecordLine)]


@settings(max_examples=many(50))
@given(st.data())
def test_whatever_bit_is_changed_in_the_log_or_in_an_official_record_it_is_broken(data: st.DataObject) -> None:
    built = whole().copy()
    member = data.draw(st.sampled_from([built.raw, *(built.held[key] for key in official())]))
    place = data.draw(st.integers(0, len(member) - 1))
    byte, bit = data.draw(st.integers(0, len(member[place]) - 1)), data.draw(st.integers(0, 7))
    changed = bytearray(member[place])
    changed[byte] ^= 1 << bit
    member[place] = bytes(changed)
    assert worked(built, whole().head()).verdict is Verdict.BROKEN


@settings(max_examples=many(40))
@given(st.data())
def test_whatever_line_is_removed_doubled_or_moved_it_is_broken(data: st.DataObject) -> None:
    """Before the last seal, that is: what follows it counts for nothing, and may be anything."""
    built = whole().copy()
    member = data.draw(st.sampled_from([built.raw, *(built.held[key] for key in official())]))
    place = data.draw(st.integers(0, len(member) - 1))
    match data.draw(st.sampled_from(["removed", "doubled", "moved"])):
        case "removed":
            del member[place]
        case "doubled":
            member.insert(data.draw(st.integers(0, len(member) - 1)), member[place])
        case "moved":
            others = [other for other in range(len(member)) if other != place]
            member.insert(data.draw(st.sampled_from(others)), member.pop(place))
    assert worked(built, whole().head()).verdict is Verdict.BROKEN
