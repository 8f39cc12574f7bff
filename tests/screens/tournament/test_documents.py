"""The documents of a tournament's pages: what comes next, at each step; rows, standings and a player's way."""

from __future__ import annotations

import pytest

from companion.config.languages import language
from companion.core.errors import Illegal
from companion.core.words.texts import in_language
from companion.games import registry
from companion.screens.tournament.disputes import account_document, box_of, disputes_document, evidence_of
from companion.screens.tournament.event import clock_document
from companion.screens.tournament.guiding import next_step, to_players
from companion.screens.tournament.organiser import boxes_document, notes_document, players_document
from companion.screens.tournament.player import about_player, player_document
from companion.screens.tournament.standings import basis_of, explained_document, standings_document
from companion.screens.tournament.tables import pairings_document, rows_document, rows_shown, tables_document
from companion.screens.tournament.views import Views, signs_of
from companion.tournament.log import lines
from companion.tournament.log.lines import PlaceByHand
from companion.tournament.wire import Held, Shown, ShownPlace, ShownRace, State
from tests.adapters.web.tournament.running import PROTEST, checked_in, drawn, entered, played, shows
from tests.tournament.desk.hall import Hall
from tests.tournament.logs import SEED
from tests.tournament.tables.sealing import line

VIEWS = Views(registry.find)


def by_hand(hall: Hall, number: int = 1) -> None:
    """Have every table of a round come in by hand, in the order of the seats."""
    for table in list(hall.event.round(number).tables.values()):
        places = tuple(PlaceByHand(player, rank) for rank, player in enumerate(table.players, 1))
        hall.act(lines.ByHandLine, round=number, table=table.number, places=places, reason="r", by="b")


def test_what_comes_next_is_said_at_every_step() -> None:
    hall = entered(8)
    seen = [next_step(hall.event).key]
    hall.act(lines.CheckInOpenedLine)
    seen.append(next_step(hall.event).key)
    for number in range(1, 9):
        hall.act(lines.CheckedInLine, player=number)
    hall.act(lines.CheckInClosedLine, seed=SEED)
    seen.append(next_step(hall.event).key)
    hall = drawn(8, 2)
    seen.append(next_step(hall.event).key)
    hall.act(lines.ClockLine, round=1, action="start", left_s=1)
    seen.append(next_step(hall.event).key)
    hall.pushes(1, hall.record(1, more=[PROTEST]))
    seen.append(next_step(hall.event).key)
    by_hand(hall)
    seen.append(next_step(hall.event).key)
    assert seen == ["open", "close", "draw", "start", "wait", "disputes", "draw"]


def test_an_event_that_is_over_has_no_clock() -> None:
    hall = drawn(8, 2)
    hall.act(lines.ClockLine, round=1, action="start", left_s=600)
    assert clock_document(hall.event, hall.now) == {"left_ms": 600_000, "is_running": True}
    by_hand(hall)
    hall.act(lines.EndedLine)
    assert clock_document(hall.event, hall.now) is None


def test_the_last_round_is_followed_by_the_end_and_that_by_the_file() -> None:
    hall = drawn(8, 2)
    hall.event.line = lines.EventLine(
        n=1, prev="0" * 64, log=1, event="spring", name="Cup", game="order", seed_sha256="0" * 64, rounds=1
    )
    by_hand(hall)
    assert (next_step(hall.event).key, next_step(hall.event).part) == ("end", "end")
    assert "standings" in to_players(hall.event)
    hall.act(lines.EndedLine)
    assert next_step(hall.event).key == "download"
    assert "over" in to_players(hall.event)


def test_a_row_shows_what_its_own_box_says_of_its_own_match_and_nothing_else() -> None:
    hall = drawn()
    hall.pushes(1, hall.record(1)[:2])
    shows(hall, 1, *(f"row {number}" for number in range(9)))
    shows(hall, 2, "a match that nothing has come of")
    rows = {row["table"]: row for row in tables_document(hall.desk)["rows"]}
    assert rows[1]["shown"] == [f"row {number}" for number in range(6)]
    assert rows[2]["shown"] == []
    hall.says(1, State(is_there=False))
    assert [row["is_there"] for row in rows_document(hall.desk, {(1, 1), (1, 3), (2, 1), (1, 99)})] == [False, True]


def test_no_row_and_no_pairing_is_there_before_a_round_is() -> None:
    hall = checked_in(8, 2)
    assert tables_document(hall.desk) == {"round": None, "rows": [], "byes": []}
    assert rows_document(hall.desk, {(1, 1)}) == []
    assert pairings_document(hall.event, None)["tables"] == []


def test_standings_and_a_players_way_have_the_same_numbers() -> None:
    hall = played()
    basis = basis_of(hall.desk)
    found = basis.standings()
    told = standings_document(basis, found)
    assert [row["place"] for row in told["rows"]] == list(range(1, 13))
    first = player_document(about_player(hall.event, 1), basis, found, 1)["standing"]
    assert {name: first[name] for name in told["rows"][0]} == told["rows"][0]
    assert [one["value"] for one in first["numbers"]] == first["values"]
    assert all(one["rows"] for one in first["numbers"])
    assert first["rounds"][0]["points"] == 24


def test_a_player_who_is_not_there_has_a_way_without_a_standing() -> None:
    hall = entered(2)
    basis = basis_of(hall.desk)
    way = player_document(about_player(hall.event, 2), basis, basis.standings(), 2)
    assert (way["is_there"], way["now"], way["standing"]) == (False, None, None)
    with pytest.raises(Illegal):
        explained_document(basis, (), 2)
    with pytest.raises(Illegal):
        about_player(hall.event, 3)


def test_once_the_event_is_over_nobody_sits_anywhere() -> None:
    hall = drawn(8, 2)
    by_hand(hall)
    about = about_player(hall.event, 1)
    assert (about["is_over"], about["now"]["round"]) == (False, 1)
    hall.act(lines.EndedLine)
    about = about_player(hall.event, 1)
    assert (about["is_over"], about["now"]) == (True, None)


def test_a_bye_is_told_as_no_table() -> None:
    hall = checked_in(5, 1)
    from companion.tournament.desk.rounds import add_drawing
    from companion.tournament.drawing.wanted import Drawing

    hall.done(add_drawing(hall.desk, 1, Drawing((lines.TableDrawn(1, (1, 2, 3, 4)),), (5,)), hall.wall))
    assert about_player(hall.event, 5)["now"] == {"round": 1, "table": None, "players": []}
    assert tables_document(hall.desk)["byes"] == [{"player": 5, "name": "Eva Egger"}]


def test_boxes_that_wait_are_named_without_their_code_and_those_behind_with_how_far() -> None:
    hall = checked_in(8, 1)
    hall.here(1, Held("0" * 31 + "1", 12, 0))
    hall.here(2)
    told = boxes_document(hall.desk)
    assert [(box["box"], box["behind"], box["fault"]) for box in told["boxes"]] == [("box-1", 12, None)]
    assert told["waiting"] == [{"box": "box-2", "why": "not enrolled"}]
    hall.act(lines.BoxOutLine, box="box-1")
    assert boxes_document(hall.desk)["gone"] == ["box-1"]
    hall.here(1)
    assert notes_document(hall.desk)["notes"][0] == "box-1 takes part no more"


def test_players_have_who_must_not_meet_them() -> None:
    hall = entered(3)
    hall.act(lines.ApartLine, players=(3, 1))
    told = players_document(hall.desk)
    assert told["apart"] == [{"one": 1, "one_name": "Ann Amsler", "other": 3, "other_name": "Chloé Challande"}]
    assert [one["is_there"] for one in told["players"]] == [False] * 3


def test_a_protest_is_told_with_its_own_race_alone() -> None:
    hall = played()
    dispute = disputes_document(hall.desk)["disputes"][0]
    assert box_of(hall.desk, hall.event.table(1, 2), dispute["match"]) == "box-2"
    record = [raw for (box, _, _), raw in sorted(hall.stored.items()) if box == "box-2"]
    account = account_document(record, dispute["line"], registry.find)
    assert account["race"] == 1
    assert [press["says"] for press in account["presses"]] == ["red fourth is first", "green fourth +2.0 ms"]
    assert not any("blue fourth is first" in says for says in account["course"]), "that was race 3"
    with pytest.raises(Illegal, match="no protest"):
        account_document(record, 2, registry.find)


def test_the_evidence_of_a_race_is_named_by_its_hash() -> None:
    record = [line("evidence", race=1, sha256="a" * 64, edges=4), line("evidence", race=2, sha256="b" * 64, edges=4)]
    assert [evidence_of(record, race) for race in (1, 2, 3, None)] == ["a" * 64, "b" * 64, None, None]


def test_signs_differ_exactly_where_a_document_does() -> None:
    hall = played()
    before = signs_of(hall.desk)
    assert signs_of(hall.desk) == before
    hall.act(lines.PlayerLine, player=13, name="Zoe")
    assert changed(before, hall) == {"event", "standings", "players"}
    before = signs_of(hall.desk)
    protest = hall.event.table(1, 2).protests[0]
    hall.act(lines.AnswerLine, round=1, table=2, match=protest.match, line=protest.line, text="t", by="b", stands=True)
    assert changed(before, hall) == {"event", "standings", "disputes"}
    before = signs_of(hall.desk)
    hall.desk.note("something")
    assert changed(before, hall) == {"notes"}


def changed(before, hall: Hall) -> set[str]:
    return {name for name, sign in signs_of(hall.desk).items() if sign != before[name]}


def test_every_part_can_be_asked_for_and_no_other() -> None:
    hall = played()
    for name in ("event", "tables", "pairings", "players", "boxes", "rounds", "disputes", "notes"):
        assert isinstance(VIEWS.part(hall.desk, name, hall.now), dict)
    with pytest.raises(KeyError):
        VIEWS.part(hall.desk, "secrets", hall.now)
    assert VIEWS.title_of("a game that nobody has") == "a game that nobody has"


PLACED = (ShownPlace(seat=1, place=1, gap_ns=0, error_ns=0), ShownPlace(seat=0, place=2, gap_ns=29_000_000, error_ns=0))


@pytest.mark.parametrize(
    ("shown", "rows"),
    [
        ({"race": ShownRace(number=2, is_final=True, places=PLACED), "scores": (0, 2)},
         ["race 2", "1 Ben", "2 Ada +29.0 ms", "so far: Ada 0, Ben 2"]),
        ({"race": ShownRace(number=3, is_final=False, places=()), "scores": ()}, ["race 3: under way"]),
        ({"scores": (1, 2)}, ["so far: Ada 1, Ben 2"]),
        ({}, ["as the box", "says it"]),
        ({"scores": (1, 2, 3)}, ["as the box", "says it"]),
        ({"race": ShownRace(number=2, is_final=True, places=(ShownPlace(seat=4, place=1, gap_ns=0, error_ns=0),))},
         ["as the box", "says it"]),
        ({"race": ShownRace(number=1, is_final=True, places=(
            ShownPlace(seat=0, place=1, gap_ns=0, error_ns=40_000, is_tied=True, is_punished=True),
        ))}, ["race 1", "1 Ada first ±40 µs, punished"]),
    ],
)  # fmt: skip
def test_a_race_is_shown_by_names_and_whatever_a_box_says_that_fits_nobody_as_it_says_it(shown, rows) -> None:
    told = Shown(match="0" * 32, lines=3, rows=("as the box", "says it"), **shown)
    assert [str(one) for one in rows_shown(told, ["Ada", "Ben"])] == rows


def test_what_is_shown_is_in_the_language_of_whoever_looks_on() -> None:
    told = Shown(match="0" * 32, lines=3, rows=(), race=ShownRace(number=2, is_final=True, places=PLACED))
    assert [in_language(one, language("de")) for one in rows_shown(told, ["Ada", "Ben"])] == [
        "Rennen 2",
        "1 Ben",
        "2 Ada +29,0 ms",
    ]
