"""What Apache's own rulings say of themselves to whoever shows them."""

from tests.games.apache.table import Table, settled


def test_tribute_says_how_many_came_from_whom_in_the_order_they_gave():
    table = Table("red yellow green", "warpath")
    for colour in ("yellow", "green"):
        table.reveal(f"{colour} hunter", "buffalo")
        table.race(f"{colour} hunter")
    table.reveal("red warrior", "tomahawk")
    (turn,) = settled(table.race("red warrior"))
    assert turn.note() == "tribute: 1 from YEL, 1 from GRN"
    assert turn.moved() == ("red warrior", "tomahawk")


def test_who_gets_no_tribute_or_nothing_at_all_has_no_note():
    table = Table("red yellow").reveal("red maiden", "yellow maiden", "necklace")
    claimed, nothing = settled(table.race("red maiden", "yellow maiden"))
    assert (claimed.note(), nothing.note(), nothing.moved()) == ("", "", ())


def test_what_a_punished_player_gives_up_is_moved_top_first():
    table = Table("red yellow").reveal("red maiden", "necklace")
    table.race("red maiden")
    table.reveal("buffalo")
    (turn,) = settled(table.race("red hunter"))
    assert (turn.moved(), turn.note()) == (("necklace", "red maiden"), "")


def test_ahead_are_the_leaders():
    table = Table("red yellow").reveal("yellow maiden", "necklace")
    assert table.judge.outcome().ahead() == ("red", "yellow")
    table.race("yellow maiden")
    assert table.judge.outcome().ahead() == ("yellow",)
