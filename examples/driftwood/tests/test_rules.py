"""The rules of the README, one test each."""

import pytest
from driftwood import GAME
from driftwood.state import Bury, Cove, Phase, Storm

from companion.config.languages import translation
from companion.core.errors import Illegal
from companion.core.panel import Colour
from companion.core.record.lines import Close, JudgeLine, PressLine, Reveal, Seat, Setup

RED, BLUE = Colour.RED, Colour.BLUE


def after(*lines):
    """Give the state after the setup and these lines."""
    state = GAME.start(
        Setup(record=2, match="0" * 32, game="driftwood", edition=1, seats=(Seat(RED), Seat(BLUE)), first=RED)
    )
    for line in lines:
        state, _ = GAME.apply(state, line)
    return state


HOME = (Cove(colour=BLUE, cove="south"), Cove(colour=RED, cove="north"))
BEACH = (*HOME, Reveal(card="plank"), Reveal(card="pearl"))
JUDGED = (Close(), JudgeLine())


def press(colour, role, t_ns):
    return PressLine(colour=colour, role=role, t_ns=t_ns)


def test_1_everybody_picks_a_cove_in_any_order():
    assert after(HOME[0]).phase is Phase.COVES
    assert after(*HOME).phase is Phase.BEACH
    with pytest.raises(Illegal):
        after(HOME[0], HOME[0])


def test_2_cards_pile_up_until_somebody_reaches_for_them():
    assert after(*BEACH).beach == ("plank", "pearl")
    with pytest.raises(Illegal):
        after(*BEACH, press(RED, "grab", 5), Reveal(card="plank"))


def test_3_the_first_who_grabs_takes_the_beach():
    state = after(*BEACH, press(RED, "leave", 5), press(BLUE, "grab", 9), *JUDGED)
    assert (state.taker, state.taken, state.beach) == (BLUE, ("pearl", "plank"), ())


def test_3_what_nobody_grabs_stays():
    assert after(*BEACH, press(RED, "leave", 5), *JUDGED).beach == ("plank", "pearl")


def test_4_buried_cards_count_once_and_loose_ones_twice():
    taken = (*BEACH, press(BLUE, "grab", 9), *JUDGED)
    assert after(*taken, Bury(colour=BLUE, cards=1)).player(BLUE).points == 4 + 2 * 1
    assert after(*taken, Bury(colour=BLUE, cards=0)).player(BLUE).points == 2 * (4 + 1)


def test_5_a_storm_brings_loose_cards_back_once():
    taken = (*BEACH, press(BLUE, "grab", 9), *JUDGED, Bury(colour=BLUE, cards=1))
    state = after(*taken, Storm(colour=RED, cove="south"))
    assert state.beach == ("plank",)
    assert state.player(BLUE).points == 4
    with pytest.raises(Illegal):
        GAME.apply(state, Storm(colour=RED, cove="south"))


def test_german_has_its_plurals():
    german = GAME.speaking(translation("driftwood", "de"))
    assert german.describe(Bury(colour=RED, cards=1)) == "red: 1 Karte wird vergraben"
    assert german.describe(Bury(colour=RED, cards=2)) == "red: 2 Karten werden vergraben"
