"""The rules of the README, one test each."""

import pytest
from driftwood import GAME
from driftwood.state import Bury, Cove, Phase, State, Storm

from companion.config.languages import translation
from companion.core.errors import Illegal
from companion.core.panel import Colour
from companion.core.record.lines import Close, JudgeLine, Line, PressLine, Reveal, Seat, Setup

RED, BLUE = Colour.RED, Colour.BLUE


def after(*lines: Line) -> State:
    """Give the state after the setup and these lines."""
    state = GAME.start(
        Setup(record=2, match="0" * 32, game="driftwood", edition=1, seats=(Seat(RED), Seat(BLUE)), first=RED)
    )
    for line in lines:
        state, _ = GAME.apply(state, line)
    return state


def points(state: State) -> int:
    """Give what the blue player has."""
    player = state.player(BLUE)
    assert player is not None
    return player.points


HOME = (Cove(colour=BLUE, cove="south"), Cove(colour=RED, cove="north"))
BEACH = (*HOME, Reveal(card="plank"), Reveal(card="pearl"))
JUDGED = (Close(), JudgeLine())


def press(colour: Colour, role: str, t_ns: int) -> PressLine:
    return PressLine(colour=colour, role=role, t_ns=t_ns)


def test_1_everybody_picks_a_cove_in_any_order() -> None:
    assert after(HOME[0]).phase is Phase.COVES
    assert after(*HOME).phase is Phase.BEACH
    with pytest.raises(Illegal):
        after(HOME[0], HOME[0])


def test_2_cards_pile_up_until_somebody_reaches_for_them() -> None:
    assert after(*BEACH).beach == ("plank", "pearl")
    with pytest.raises(Illegal):
        after(*BEACH, press(RED, "grab", 5), Reveal(card="plank"))


def test_3_the_first_who_grabs_takes_the_beach() -> None:
    state = after(*BEACH, press(RED, "leave", 5), press(BLUE, "grab", 9), *JUDGED)
    assert (state.taker, state.taken, state.beach) == (BLUE, ("pearl", "plank"), ())


def test_3_what_nobody_grabs_stays() -> None:
    assert after(*BEACH, press(RED, "leave", 5), *JUDGED).beach == ("plank", "pearl")


def test_4_buried_cards_count_once_and_loose_ones_twice() -> None:
    taken = (*BEACH, press(BLUE, "grab", 9), *JUDGED)
    assert points(after(*taken, Bury(colour=BLUE, cards=1))) == 4 + 2 * 1
    assert points(after(*taken, Bury(colour=BLUE, cards=0))) == 2 * (4 + 1)


def test_5_a_storm_brings_loose_cards_back_once() -> None:
    taken = (*BEACH, press(BLUE, "grab", 9), *JUDGED, Bury(colour=BLUE, cards=1))
    state = after(*taken, Storm(colour=RED, cove="south"))
    assert state.beach == ("plank",)
    assert points(state) == 4
    with pytest.raises(Illegal):
        GAME.apply(state, Storm(colour=RED, cove="south"))


def test_german_has_its_plurals() -> None:
    german = GAME.speaking(translation("driftwood", "de"))
    assert german.describe(Bury(colour=RED, cards=1)) == "red: 1 Karte wird vergraben"
    assert german.describe(Bury(colour=RED, cards=2)) == "red: 2 Karten werden vergraben"
