"""What every standard line is called, in a few words."""

import pytest

from companion.core.panel import Colour
from companion.core.record.lines import (
    STANDARD_LINES,
    Answer,
    ByHand,
    ChanceLine,
    Close,
    End,
    Evidence,
    JudgeLine,
    Moved,
    Names,
    Open,
    PressLine,
    Protest,
    Remark,
    Restart,
    Reveal,
    Seal,
    Seat,
    Setup,
    Sign,
    Undo,
)
from companion.core.record.words import line_words

SEATS = (Seat(Colour.RED), Seat(Colour.BLUE))
SAID = {
    "the match begins: red, blue": Setup(record=2, match="0" * 32, game="x", edition=1, seats=SEATS, first=Colour.RED),
    "revealed: red ace": Reveal(card="red ace"),
    "red plays ace": PressLine(colour=Colour.RED, role="ace", t_ns=1),
    "no more presses are taken": Close(),
    "judged": JudgeLine(),
    "the game is ended": End(),
    "die by the box: 4": ChanceLine(name="die", n=1, by="box", result=("4",)),
    "draw by hand: ash, elm": ChanceLine(name="draw", n=1, by="hand", result=("ash", "elm")),
    "draw by the box, in secret": ChanceLine(name="draw", n=1, by="box"),
    "the seed is shown": Open(seed="00"),
    "gold is set to 3 by Ann: miscounted": ByHand(set="gold", value=3, reason="miscounted", by="Ann"),
    "gold is set to 3: miscounted": ByHand(set="gold", value=3, reason="miscounted"),
    "gpiod: lost 3 edges": Remark(text="lost 3 edges", source="gpiod"),
    "a note": Remark(text="a note"),
    "the players: red (Ann), blue": Names(names={Colour.RED: "Ann", Colour.BLUE: ""}),
    "the players: no names": Names(names={}),
    "a new clock begins": Restart(),
    "the evidence of race 3 is kept: 12 edges": Evidence(race=3, sha256="0" * 64, edges=12),
    "red protests against race 3: I was first": Protest(colour=Colour.RED, race=3, text="I was first"),
    "red protests": Protest(colour=Colour.RED),
    "the protest of line 9 is answered by Ann, the ruling stands: see the strip": Answer(
        protest=9, by="Ann", stands=True, text="see the strip"
    ),
    "the protest of line 9 is answered, the ruling does not stand: sorry": Answer(
        protest=9, stands=False, text="sorry"
    ),
    "red accepts the result": Sign(colour=Colour.RED),
    "the match goes on on the box b2": Moved(box="b2", key="", previous=""),
    "the box seals the record up to here": Seal(sha256="", key="", signature=""),
    "taken back by Ann: a slip": Undo(by="Ann", reason="a slip"),
    "taken back": Undo(),
}


@pytest.mark.parametrize("words", SAID)
def test_each_line_is_told(words):
    assert line_words(SAID[words]) == words


def test_none_is_told_by_its_type_alone():
    assert {type(line) for line in SAID.values()} == set(STANDARD_LINES)
