"""The second judge by itself: clauses of the record and the rulebook's examples, with results worked out by hand."""

import json
from hashlib import sha256

from tests.differential.second_judge import judge_lines

S = 1_000_000_000
MS = 1_000_000
US = 1_000


def setup(*colours, game="apache", **more):
    seats = [colour if isinstance(colour, dict) else {"colour": colour} for colour in colours]
    fixed = {"type": "setup", "record": 2, "match": "0" * 32, "game": game, "edition": 1}
    return {**fixed, "seats": seats, "first": seats[0]["colour"], **more}


def reveal(card, **more):
    return {"type": "reveal", "card": card, **more}


def press(colour, role, t_ns, error_ns=0):
    return {"type": "press", "colour": colour, "role": role, "t_ns": t_ns, "error_ns": error_ns}


def plain(kind, **fields):
    return {"type": kind, **fields}


CLOSE, JUDGE, END, UNDO = (plain(kind) for kind in ("close", "judge", "end", "undo"))


def judged(*lines):
    return judge_lines(json.dumps(line).encode() for line in lines)


def of_type(kind, told):
    return [line for line in told if line["type"] == kind]


def fault(told):
    return told[-1]["line"], told[-1]["kind"]


def placed(told, race=0):
    return [place["colour"] for place in of_type("order", told)[race]["order"]]


def order_round(*presses, **more):
    seats = [{"colour": colour} for colour in ("red", "yellow", "green")]
    return judged(setup(*seats, game="order", **more), *presses, CLOSE, JUDGE)


class TestTheRulebooksExamples:
    def test_a_hunter_takes_the_teepee_or_the_buffalo(self):
        table = [setup("red", "yellow"), *map(reveal, ("red hunter", "teepee", "buffalo"))]
        race = [*table, press("red", "hunter", 5), CLOSE, JUDGE]
        for take, card in (("teepees", "teepee"), ("booty", "buffalo")):
            told = judged(*race, plain("claim", colour="red", take=take))
            assert of_type("settled", told)[0]["cards"] == ["red hunter", card]

    def test_a_chief_who_finds_no_male_left_gets_nothing_and_reveals_next(self):
        cards = ["yellow hunter", "purple hunter", "totem pole", "blue maiden", "buffalo", "teepee", "red chief"]
        told = judged(
            setup("red", "yellow", "purple"), *map(reveal, cards), press("yellow", "hunter", 1),
            press("purple", "hunter", 2), press("red", "chief", 3), CLOSE, JUDGE,
            plain("claim", colour="yellow", take="booty"),
        )  # fmt: skip
        assert [line["result"] for line in of_type("settled", told)] == ["claimed", "claimed", "nothing"]
        assert of_type("settled", told)[1]["cards"] == ["purple hunter", "teepee"]
        assert of_type("resume", told) == [{"type": "resume", "race": 1, "reveals": "red"}]

    def test_four_chiefs_come_along_and_no_other_warrior(self):
        cards = ["blue chief", "yellow chief", "yellow chief", "red chief", "totem pole", "totem pole"]
        cards += ["green warrior", "blue warrior"]
        told = judged(
            setup("red", "green", variants=["shared-booty"]), *map(reveal, cards), press("red", "chief", 1), CLOSE,
            JUDGE, plain("claim", colour="red", take="booty", prisoner="green warrior"),
        )  # fmt: skip
        taken = ["red chief", "yellow chief", "yellow chief", "blue chief", "green warrior", "totem pole", "totem pole"]
        assert of_type("settled", told)[0]["cards"] == taken
        assert told[-1]["table"] == 1


class TestOrder:
    def test_lots_are_drawn_by_the_hash_of_seed_race_colour_and_sum(self):
        at = {"red": 1000, "yellow": 1001, "green": 1002}
        presses = [press(colour, "first", t_ns, 10) for colour, t_ns in at.items()]
        told = order_round(*presses, dead_heat="lots", seed="3f09")
        assert placed(told) == sorted(at, key=lambda colour: sha256(f"3f09:1:{colour}:3003".encode()).digest())

    def test_an_uncertain_press_is_picked_last_of_the_candidates(self):
        uncertain = press("red", "first", 100 * MS, 5 * MS + 1)
        told = order_round(uncertain, press("green", "first", 104 * MS, 0), dead_heat="clockwise")
        assert placed(told) == ["green", "red"]
        certain_enough = press("red", "first", 100 * MS, 5 * MS)
        told = order_round(press("green", "first", 104 * MS, 0), certain_enough, dead_heat="clockwise")
        assert placed(told) == ["red", "green"]

    def test_an_allowance_moves_a_place_and_the_gap_is_of_raw_times(self):
        seats = [{"colour": "red", "allowance_ms": 300}, {"colour": "yellow"}]
        lines = [press("yellow", "first", S), press("red", "first", S + 299 * MS), CLOSE, JUDGE]
        order = of_type("order", judged(setup(*seats, game="order"), *lines))[0]["order"]
        assert [(place["colour"], place["gap_ns"]) for place in order] == [("red", 0), ("yellow", -299 * MS)]

    def test_all_who_are_tied_are_named_in_the_order_of_seats(self):
        times = {"green": 0, "red": 35, "yellow": 70}
        told = order_round(*(press(colour, "first", S + at * US, 20 * US) for colour, at in times.items()))
        ties = {place["colour"]: place["tied_with"] for place in of_type("order", told)[0]["order"]}
        assert ties == {"green": ["red"], "red": ["yellow", "green"], "yellow": ["red"]}


class TestInTime:
    def test_a_press_delivered_after_its_close_counts_if_made_before_it(self):
        told = judged(
            setup("red", "yellow", "green", game="order"), press("red", "first", 10), plain("close", t_ns=20),
            press("green", "first", 21), press("yellow", "first", 20), press("yellow", "first", 9), JUDGE,
        )  # fmt: skip
        reasons = [(line["colour"], line["reason"]) for line in of_type("ignored", told)]
        assert reasons == [("green", "closed"), ("yellow", "already played")]
        assert placed(told) == ["red", "yellow"]

    def test_a_close_without_a_time_takes_no_more(self):
        told = judged(
            setup("red", "yellow", game="order"), press("red", "first", 10), CLOSE, press("yellow", "first", 1)
        )
        assert told[0]["reason"] == "closed"

    def test_a_close_below_a_press_is_illegal(self):
        told = judged(setup("red", "yellow", game="order"), press("red", "first", 10), plain("close", t_ns=9))
        assert fault(told) == (3, "illegal")


class TestLateCards:
    def test_each_counts_as_a_reveal_by_the_next_seat_and_the_last_is_judged(self):
        told = judged(
            setup("red", "yellow", "green", dead_heat="clockwise"), reveal("red hunter"), press("red", "hunter", S, US),
            press("green", "hunter", S, US), reveal("buffalo"), CLOSE, reveal("green hunter"), JUDGE,
        )  # fmt: skip
        assert placed(told) == ["green", "red"]
        assert [line["result"] for line in of_type("settled", told)] == ["claimed", "nothing"]

    def test_a_card_turned_over_a_second_after_the_first_press_belongs_to_no_race_that_waits(self):
        begun = [setup("red", "yellow"), reveal("red hunter"), press("red", "hunter", S)]
        assert of_type("error", judged(*begun, reveal("buffalo", t_ns=2 * S, turned=True))) == []
        assert fault(judged(*begun, reveal("buffalo", t_ns=2 * S + 1, turned=True))) == (4, "illegal")
        assert of_type("error", judged(*begun, reveal("buffalo", t_ns=9 * S))) == []


class TestAnticipation:
    BEGUN = (reveal("red hunter", t_ns=S), reveal("buffalo", t_ns=2 * S, turned=True))

    def verdict(self, rule, t_ns, error_ns=0, cards=()):
        lines = [setup("red", "yellow", anticipation={"rule": rule, "ms": 100}), *map(reveal, cards), *self.BEGUN]
        place = of_type("order", judged(*lines, press("red", "hunter", t_ns, error_ns), CLOSE, JUDGE))[0]["order"][0]
        return place["verdict"], place["why"], place["anticipated"]

    def test_only_a_certainly_early_press_is_anticipated(self):
        assert self.verdict("punish", 2 * S + 100 * MS - 1) == ("punish", "anticipated", True)
        assert self.verdict("punish", 2 * S + 100 * MS) == ("claim", None, False)
        assert self.verdict("punish", 2 * S + 100 * MS - 1, 1) == ("claim", None, False)

    def test_a_flag_changes_nothing_else(self):
        assert self.verdict("flag", 2 * S) == ("claim", None, True)

    def test_a_press_that_was_good_before_is_not_anticipated(self):
        assert self.verdict("punish", 2 * S, cards=["teepee"]) == ("claim", None, False)


class TestUndo:
    def test_a_race_is_opened_again_and_its_number_used_again(self):
        race = [setup("red", "yellow", game="order"), press("red", "first", 10), CLOSE, JUDGE]
        told = judged(*race, UNDO, UNDO, press("yellow", "first", 5), CLOSE, JUDGE)
        assert [line["line"] for line in of_type("undone", told)] == [4, 3]
        assert [line["race"] for line in of_type("order", told)] == [1, 1]
        assert told[-1]["wins"] == {"red": 0, "yellow": 1}

    def test_lines_that_decide_nothing_are_passed_over(self):
        told = judged(setup("red", "yellow"), reveal("teepee"), plain("remark", text="so"), UNDO)
        assert of_type("undone", told) == [{"type": "undone", "line": 2}]

    def test_an_undone_end_voids_the_signatures_after_it(self):
        sign = plain("sign", colour="red")
        told = judged(setup("red", "yellow"), END, sign, UNDO, END, sign)
        assert of_type("error", told) == []
        assert [line["over"] for line in of_type("outcome", told)] == [True, True]
        assert fault(judged(setup("red", "yellow"), END, sign, sign)) == (4, "illegal")

    def test_nothing_is_left_to_take_back(self):
        assert fault(judged(setup("red", "yellow"), reveal("teepee"), UNDO, UNDO)) == (4, "illegal")


class TestVariants:
    def test_tribute_comes_from_the_bottom_and_goes_under_the_pile(self):
        told = judged(
            setup("red", "yellow", variants=["warpath"]), *map(reveal, ["yellow hunter", *["buffalo"] * 3]),
            press("yellow", "hunter", 1), CLOSE, JUDGE, *map(reveal, ["red warrior", "tomahawk"]),
            press("red", "warrior", 2), CLOSE, JUDGE, reveal("teepee"), press("red", "maiden", 3), CLOSE, JUDGE,
        )  # fmt: skip
        assert of_type("settled", told)[1]["tribute"] == {"yellow": 2}
        assert of_type("settled", told)[2]["cards"] == ["tomahawk", "red warrior"]
        assert told[-1]["buffalo"] == {"red": 2, "yellow": 1}

    def test_a_wedding_takes_the_spouse_and_all_teepees(self):
        told = judged(
            setup("red", "yellow", variants=["wedding"]),
            *map(reveal, ["red maiden", "teepee", "blue chief", "teepee"]), press("red", "maiden", 1), CLOSE, JUDGE,
            plain("claim", colour="red", take="wedding", spouse="blue chief"),
        )  # fmt: skip
        assert of_type("settled", told)[0]["cards"] == ["red maiden", "blue chief", "teepee", "teepee"]

    def test_an_ally_named_as_prisoner_is_the_same_option_as_another(self):
        cards = ["red chief", "yellow chief", "blue chief", "totem pole"]
        race = [setup("red", "green", variants=["shared-booty"]), *map(reveal, cards), press("red", "chief", 1)]
        told = judged(*race, CLOSE, JUDGE)
        assert of_type("settled", told)[0]["cards"] == cards


class TestProtests:
    def test_a_seat_waits_for_the_answer_to_its_protest(self):
        protest = plain("protest", colour="red")
        begun = [setup("red", "yellow"), END, protest]
        answer = plain("answer", protest=3, text="no", stands=True)
        assert fault(judged(*begun, protest)) == (4, "illegal")
        assert fault(judged(*begun, plain("sign", colour="yellow"))) == (4, "illegal")
        assert fault(judged(*begun, answer, answer)) == (5, "illegal")
        assert of_type("error", judged(*begun, answer, protest)) == []
