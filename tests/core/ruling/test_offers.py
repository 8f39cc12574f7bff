"""Options are told apart, and found again by a page or a phone, by the line that they would write."""

from companion.core.panel import Colour
from companion.core.record.lines import Line, Reveal
from companion.core.ruling.offers import Option
from companion.games.apache.lines import Claim


def key(line: Line) -> str:
    return Option("as people say it", line).key


def test_the_key_of_an_option_is_the_type_of_its_line_and_all_its_fields_in_their_order():
    line = Claim(colour=Colour.RED, take="booty", prisoner="green warrior")
    assert key(line) == "claim red booty green warrior -"


def test_options_that_differ_in_anything_but_the_time_of_day_have_keys_of_their_own():
    plain = Claim(colour=Colour.RED, take="wedding")
    others = [
        Claim(colour=Colour.BLUE, take="wedding"),
        Claim(colour=Colour.RED, take="teepees"),
        Claim(colour=Colour.RED, take="wedding", prisoner="red maiden"),
        Claim(colour=Colour.RED, take="wedding", spouse="red maiden"),
        Reveal(card="red wedding"),
    ]
    assert len({key(line) for line in (plain, *others)}) == 6
    assert key(Claim(colour=Colour.RED, take="wedding", wall="2026-11-21T20:00:00Z")) == key(plain)
