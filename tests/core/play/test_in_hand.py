"""What a seat draws unseen: the box has the seed and can say it to that seat alone, for as long as it holds it."""

from __future__ import annotations

from companion.core.panel import Colour
from companion.core.play.commands import Choose, EndMatch, TakeBack
from companion.core.play.snapshot import InHand, Snapshot
from companion.core.ruling.chance import dealt
from companion.core.timing.events import MS
from companion.testing.driving import OneSeed
from companion.testing.virtual_box import VirtualBox
from companion.testing.walks import SEED, only
from tests.contract.turns import TILES, TURNS
from tests.core.play.virtual_box import unfinished

RED, YELLOW = Colour.RED, Colour.YELLOW
ORDER = dealt(SEED, "tiles", 1, TILES)
BOTH = (InHand(RED, "your tile", (ORDER[0],)), InHand(YELLOW, "your tile", (ORDER[1],)))


class NoSeed(OneSeed):
    def find(self, sha256: str) -> str:
        return ""


def box_of(**options: object) -> VirtualBox:
    given = {"seeds": OneSeed(), **options}
    return VirtualBox(("red", "yellow"), "turns", find=only(TURNS), games=("turns",), **given)  # type: ignore[arg-type]


def do(box: VirtualBox, command: object) -> None:
    box.command(command)  # type: ignore[arg-type]
    box.run(box.now_ms + 100)


def dealt_box(**options: object) -> VirtualBox:
    box = box_of(**options)
    do(box, Choose(roll=True))
    return box


def now(box: VirtualBox) -> Snapshot:
    return box.session.snapshot(round(box.now_ms * MS))


def test_each_seat_holds_its_own_of_what_was_dealt_unseen() -> None:
    assert now(box_of()).in_hand == ()
    assert now(dealt_box()).in_hand == BOTH


def test_a_draw_by_hand_is_in_the_record_and_shown_from_there() -> None:
    box = box_of()
    do(box, Choose(result=TILES))
    assert [one.items for one in now(box).in_hand] == [("oakum",), ("ashlar",)]


def test_it_goes_with_the_draw_that_is_taken_back_and_comes_again_the_same() -> None:
    box = dealt_box()
    do(box, TakeBack(line=len(box.lines)))
    assert now(box).in_hand == ()
    do(box, Choose(roll=True))
    assert now(box).in_hand == BOTH


def test_it_is_not_shown_before_the_draw_is_durable() -> None:
    box = box_of()
    box.store = False
    do(box, Choose(roll=True))
    assert now(box).in_hand == ()
    box.store = True
    box.run(box.now_ms + 50)
    assert now(box).in_hand == BOTH


def test_it_is_found_again_after_a_restart_of_the_box() -> None:
    for same_clock in (True, False):
        box = box_of(unfinished=unfinished(dealt_box().lines, same_clock))
        box.click(1200)
        box.run(1500)
        assert now(box).in_hand == BOTH


def test_a_box_without_the_seed_says_so() -> None:
    box = box_of(unfinished=unfinished(dealt_box().lines), seeds=NoSeed())
    box.click(1200)
    box.run(1500)
    assert now(box).in_hand == (InHand(RED, "your tile", None), InHand(YELLOW, "your tile", None))


def test_it_is_known_after_the_seed_was_shown_also_where_the_end_is_taken_back() -> None:
    box = dealt_box()
    do(box, EndMatch())
    assert now(box).in_hand == BOTH
    do(box, TakeBack(line=len(box.lines)))
    do(box, TakeBack(line=len(box.lines) - 2))
    assert now(box).in_hand == BOTH


class OtherSeed(OneSeed):
    def new(self) -> str:
        return "c0ffee"


def test_neither_record_nor_log_nor_display_says_it() -> None:
    told = []
    for seeds in (OneSeed(), OtherSeed()):
        box = dealt_box(seeds=seeds)
        box.press("red first", 2000)
        box.run(2500)
        assert not any(tile.encode() in line for line in box.record() for tile in TILES)
        told.append((box.record()[1:], box.logs(), box.scene, now(box).in_hand))
    assert told[0][:3] == told[1][:3]
    assert told[0][3] != told[1][3]
