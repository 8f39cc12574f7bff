"""What is wrong with a game file, and on which line: every sort of fault, each with what would be right."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Malformed
from companion.core.ruling.judge import Judge
from companion.games.claim import GAME
from companion.games.claim.files import SAMPLES, shipped
from companion.games.claim.language.toml_lines import lines_of
from tests.games.claim.games import FILES, OWN
from tests.games.claim.table import find, setup

SMALL = """[game]
format = 1
title = "Small"

[table]
shows = "tops"

[deal]

[[card]]
name = "{rank} of {suit}"
each = { suit = ["sun", "moon"], rank = [1, 2, 3] }
copies = 4

[[hand]]
name = "slap"
needs = [{ that = "any rank: count(rank = it) > 1", why = "nothing alike" }]

[[take]]
name = "all"
move = [{ from = "pile of all", to = "stock of me" }]

[wrong]
move = [{ from = "stock of me", to = "stock of others", number = 1 }]
"""


def faults(text: str) -> list[tuple[int | None, str]]:
    return [(fault.line, fault.says) for fault in GAME.check_file("game", text)]


def changed(old: str, new: str) -> str:
    assert SMALL.count(old) == 1, old
    return SMALL.replace(old, new)


@pytest.mark.parametrize("name", FILES)
def test_what_comes_along_is_in_order(name: str) -> None:
    assert faults(FILES[name]) == []


def test_samples_are_what_the_page_lists_and_the_default_is_one_of_them() -> None:
    assert [sample.name for sample in GAME.samples("game")] == [
        "fruits.toml", "snap.toml", "slaps.toml", "spoons.toml", "totem.toml", "apache-base.toml", "first.toml",
    ]  # fmt: skip
    assert GAME.samples("other") == ()
    assert GAME.check_file("other", "[") == ()
    assert GAME.parameters[0].default == shipped("fruits")
    assert all(sample.text == f"companion.games.claim:files/{sample.name}" for sample in SAMPLES)


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("format = 1", "format = 2", 2, "this reads format = 1"),
        ('title = "Small"', "", 1, "`title` is missing"),
        ('title = "Small"', 'titel = "Small"', 3, "`titel` means nothing here; did you mean 'title'?"),
        ('title = "Small"', f'title = "{"long" * 6}"', 3, "no text of 1 to 20 characters"),
        ('title = "Small"', 'title = "Small"\nplayers = [1, 5]', 4, "each from 2 to 5"),
        ('"tops"', '"top"', 6, "none of all, tops; did you mean 'tops'?"),
        ("[deal]", "[deel]", 8, "`deel` means nothing here; did you mean 'deal'?"),
        ("[deal]", "[deal]\neach = 9", 9, "5 players want 45 cards; there are 24: fewer `players`?"),
        ("[deal]", '[deal]\neach = "some"', 9, 'neither "all" nor a whole number'),
        ("[deal]", '[deal]\nrefill = "yes"', 9, "neither true nor false"),
        ("copies = 4", "copies = 0", 13, "no whole number from 1 to 99"),
        ("copies = 4", "copies = true", 13, "no whole number from 1 to 99"),
        ("of {suit}", "of {suite}", 11, "the cards have no 'suite'; did you mean 'suit'?"),
        ("{rank} of {suit}", "{suit}", 11, "two cards are called 'sun'"),
        ("[1, 2, 3]", '[1, 2, "3"]', 12, "`rank` has texts and numbers"),
        ("[1, 2, 3]", "[1, 2, 2]", 12, "`rank` has a value twice"),
        ("[1, 2, 3]", "[]", 12, "is a list of texts or numbers"),
        ("rank = [1", "taken = [1", 12, "'taken' has a meaning in patterns"),
        ("rank = [1", "Rank = [1", 12, "no word of small letters"),
        ("copies = 4", "copies = 4\nis = { suit = 'sun' }", 14, "`suit` stands in `each` as well"),
        ("copies = 4", "copies = 4\nsymbol = 'sta'", 14, "there is no drawing 'sta'; did you mean 'star'?"),
        ("copies = 4", "copies = 80", 10, "more than 400 in all"),
        ("copies = 4", "symbol = 'star'", 13, "'1 of sun' has the same drawing, and would look like '2 of sun'"),
        ('name = "slap"', 'name = "Slap"', 16, "small letters, digits, spaces"),
        ('name = "slap"', 'name = "slap"\nsymbol = "hend"', 17, "there is no drawing 'hend'; did you mean 'hand'?"),
        ('why = "nothing alike"', 'way = "nothing alike"', 17, "`way` means nothing here; did you mean 'why'?"),
        ("that =", "what =", 17, "`that` is missing"),
        ("count(rank = it)", "count(rnak = it)", 17, "at character 17: 'rnak' is no attribute of the cards; did you"),
        ("count(rank = it)", "coutn(rank = it)", 17, "did you mean 'count'?"),
        ("any rank:", "any rank", 17, "at character 10: ':' is missing before 'count'"),
        ("count(rank = it) > 1", "count(suit = son) > 1", 17, "no card has 'son' for `suit`; did you mean 'sun'?"),
        ("count(rank = it) > 1", "count(suit = it) > 1", 17, "a text is compared with a number"),
        ("count(rank = it) > 1", "count(rank = it)", 17, "a condition belongs here, not a number"),
        ("count(rank = it) > 1", "count(rank = it) > top(suit) of me", 17, "a number is compared with a text"),
        ("count(rank = it) > 1", "top(suit) of me > sun", 17, "texts are compared with = and != alone"),
        ("count(rank = it) > 1", "top(rank) of it > 1", 17, "`it` is no seat here"),
        ("any rank: count(rank = it) > 1", "count(rank = it) > 1", 17, "`it` means nothing here"),
        ("any rank: count(rank = it) > 1", "sum(suit) > 1", 17, "texts; numbers are wanted"),
        ("any rank: count(rank = it) > 1", "count() > 1 && yes", 17, "'&' means nothing here; write `and`"),
        ("any rank: count(rank = it) > 1", "no | yes", 17, "'|' means nothing here; write `or`"),
        ("any rank: count(rank = it) > 1", "!no", 17, "'!' means nothing here; write `not`"),
        ('name = "slap"', 'name = "slap"\nsymbol = "fist"', 17, "there is no drawing 'fist'; there are: banana, bell,"),
        ("any rank: count(rank = it) > 1", "count() § 2", 17, "at character 9: '§' means nothing here"),
        ("any rank: count(rank = it) > 1", "count() > no", 17, "as a text it stands in quotes"),
        ("any rank: count(rank = it) > 1", "(" * 21 + "yes" + ")" * 21, 17, "more than 20 brackets"),
        ("any rank: count(rank = it) > 1", "count() > 10000", 17, "at most 4 digits"),
        ("any rank: count(rank = it) > 1", "yes" + " " * 1000, 17, "at most 1000 characters"),
        ('name = "all"', 'name = "all"\nhands = ["slip"]', 21, "no [[hand]] 'slip'; did you mean 'slap'?"),
        ('name = "all"', 'name = "all"\nhands = []', 21, "a list of names of hands"),
        ('name = "all"', 'name = "all"\npoints = 1000', 21, "from -999 to 999"),
        ('"pile of all"', '"pile of al"', 21, "did you mean 'all'?"),
        ('"pile of all"', '"pile"', 21, "whose pile?"),
        ('"pile of all"', '"table of me"', 21, "the table is everybody's"),
        ('"pile of all"', '"table"', 21, 'no table with shows = "tops"'),
        ('"pile of all"', '"heap"', 21, "'heap' is no place"),
        ('"pile of all"', '"pile of rival"', 21, "there is no rival"),
        ('"pile of all"', '"out"', 21, "what is out of the game stays there"),
        ('to = "stock of me" ', 'to = "pile of me" ', 21, "what is put aside goes to the pot, or out"),
        ('to = "stock of me" ', 'to = "won of others" ', 21, "from several places cards go to one"),
        ('to = "stock of me" ', 'to = "won of me", pick = true ', 21, "picked from one place"),
        ('to = "stock of me" ', 'to = "won of me", number = 1, least = 2 ', 21, "more than `number`, which is 1"),
        ('"pile of all", ', '"pile of me", where = "yes", ', 21, "there are not several seats"),
        ('to = "stock of others"', 'to = "won of next"', 24, "nobody knows what lies in a stock"),
        (", number = 1 }", " }", 24, "how many go to each?"),
        (", number = 1 }", ', number = 1, cards = "suit = sun" }', 24, "nobody knows what lies in a stock"),
        (", number = 1 }", ", number = 1, least = 1 }", 24, "this belongs to a [[take]]"),
        ("copies = 4", "copies = 4\nis = 'sun'", 14, "this is a table: { attribute = … }"),
        ("copies = 4", "copies = 4\nis = { mood = [] }", 14, "`mood`: a text of 1 to 20 characters"),
        ("[1, 2, 3]", str([*range(600)]), 12, "that is 1200 different cards; there are at most 200"),
        ("any rank: count(rank = it) > 1", "size(heap) > 1", 17, "'heap' is no place that has a size"),
        ("any rank: count(rank = it) > 1", "1 + sun > 2", 17, "'+' is for numbers, not a text"),
        ("any rank: count(rank = it) > 1", "(yes) = (no)", 17, "a condition cannot be compared"),
        ('"any rank: count(rank = it) > 1"', "3", 17, "3 is no text"),
        ('to = "stock of me" ', 'to = "won of me", pick = true, number = 1 ', 21, "what is picked is one card"),
        ('to = "stock of me" ',
         'to = "won of me", pick = true }, { from = "pile of me", to = "won of me", pick = true ', 21,
         "one card is picked at most: two of these have `pick`"),
        ("[wrong]\n", "[wrong]\nwho = 'last'\n", 24, "`who` means nothing here"),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_its_line_and_what_would_be_right(old: str, new: str, line: int, says: str) -> None:
    found = faults(changed(old, new))
    assert any(number == line and says in text for number, text in found), found


@pytest.mark.parametrize(
    ("more", "line", "says"),
    [
        ("[[hand]]\nname = 'slap'", 27, "there is another [[hand]] 'slap'"),
        ("[[take]]\nname = 'all'", 27, "the same hand has another [[take]] 'all'"),
        ("[[hand]]\nname = 'grab'\n[[take]]\nname = 'x'\nhands = ['slap']", 20, ""),
        ("[turn]\nafter = 'first'", 27, "none of last, winner, next"),
        ("[end]\nempty = 'wun'", 27, "did you mean 'won'?"),
        ("[end]\nwho = 'others'", 27, "`who` says of whom `empty` is: that is missing"),
        ("[end]\nempty = 'won'\nwho = 'two'", 28, "none of one, others"),
        ("[end]\npoints = 0", 27, "from 1 to 999"),
        ("[score]\nbest = 'least'", 27, "none of most, fewest"),
        ("[symbols]\nface = ['#']", 27, "7 rows of one length"),
        ("[symbols]\nface = ['#', '#', '#', '#', '#', '#', 'x']", 27, "# for a lit pixel"),
        ("[symbols]\nface = 7", 27, "a list of 7 texts"),
        ("[last]\nwho = 'fast'", 27, "none of last, missing, slowest; did you mean 'last'?"),
        ("[last]\nmove = 7", 27, "a list of tables"),
    ],
)
def test_a_fault_further_down(more: str, line: int, says: str) -> None:
    found = faults(f"{SMALL}\n{more}\n")
    if says:
        assert any(number == line and says in text for number, text in found), found
    else:
        assert found == []


def test_a_hand_that_could_never_be_right_is_a_fault() -> None:
    text = changed('name = "all"', 'name = "all"\nhands = ["slap"]') + "\n[[hand]]\nname = 'grab'\n"
    assert faults(text) == [(27, "no [[take]] is for the hand 'grab': a press of it could never be right")]


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("[game\nformat = 1", 1, "this is no TOML"),
        ("[game]\nformat = 1\nformat = 2", 3, "this is no TOML"),
        ("[game]\nformat = one", 2, "a text stands in quotes"),
        ("[hand]\nname = 'a'\n[hand]\nname = 'b'", 3, "what is there several times stands in double brackets"),
        ("[take]\nname = 'a'\n[[take]]\nname = 'b'", 3, "what is there several times stands in double brackets"),
        ("[game]\nformat = 1\ntitle = 'a'\n[take]\nname = 'b'", 4, "this is written [[take]], each time"),
        ('[game]\ntitle = "open', 2, "this is no TOML"),
        ("", 1, "`title` is missing"),
        ("x" * 40_000, None, "more than 32768 bytes"),
    ],
)
def test_what_is_no_file_of_a_game_at_all(text: str, line: int | None, says: str) -> None:
    found = faults(text)
    assert any(number == line and says in told for number, told in found), found


def test_faults_come_in_the_order_of_their_lines_and_each_once() -> None:
    text = changed("copies = 4", "copies = 0").replace("format = 1", "format = 3").replace("pile of all", "heap")
    lines = [line for line, _ in faults(text)]
    assert lines == sorted(lines, key=lambda line: line or 0)
    assert len(set(faults(text))) == len(faults(text)) == 3


def test_cards_and_what_belongs_to_them_are_faults_without_cards() -> None:
    text = FILES["spoons"] + "\n[table]\nshows = 'all'\n[turn]\n[wrong]\nmove = [{ from = 'pot', to = 'out' }]\n"
    told = [says for _, says in faults(text)]
    assert any("[table] belongs to a game with cards" in says for says in told)
    assert any("[turn] belongs to a game with cards" in says for says in told)
    assert any("this game has no cards" in says for says in told)
    assert faults(FILES["spoons"].replace("taken <", "count() <"))[0][1].endswith("this game has no cards")
    assert "`points` alone" in faults(FILES["spoons"].replace("[end]\n", "[end]\nreveals = 3\n"))[0][1]


def test_a_setup_is_refused_with_the_first_fault_and_without_a_file() -> None:
    with pytest.raises(Malformed, match=r"game.toml, line 13: .*copies|line 13: `copies`: 0 is no whole number"):
        Judge(find).feed(setup(changed("copies = 4", "copies = 0")))
    with pytest.raises(Malformed, match="`game` is missing"):
        GAME.start(setup_without_file())
    with pytest.raises(Illegal, match="Grab a spoon is for 3 to 5 players, not 2"):
        Judge(find).feed(setup(FILES["spoons"], "red blue"))


def setup_without_file():
    from msgspec.structs import replace

    return replace(setup(SMALL), files=None)


@pytest.mark.parametrize("name", OWN)
def test_every_key_is_found_on_its_own_line(name: str) -> None:
    text = FILES[name]
    found, rows = lines_of(text).found, text.splitlines()
    for path, line in found.items():
        key = next((part for part in reversed(path) if isinstance(part, str)), "")
        if isinstance(path[-1], str):
            assert key in rows[line - 1], (path, line)


def test_lines_of_texts_over_several_lines_of_quotes_and_of_dotted_keys() -> None:
    text = 'a = """\n[no]\n"""\nb.c = 1\n[x."y z"]\n"k\\"" = [\n  1, # ]\n  { n = \'}\' },\n]\n[[t]]\n[[t]]\nl = 1\n'
    found = lines_of(text).found
    assert (found["a",], found["b", "c"], found["x", "y z"]) == (1, 4, 5)
    assert (found["x", "y z", 'k"'], found["x", "y z", 'k"', 1], found["x", "y z", 'k"', 1, "n"]) == (6, 8, 8)
    assert (found["t", 0], found["t", 1], found["t", 1, "l"]) == (10, 11, 12)
    assert lines_of(text).of(("x", "y z", "missing")) == 5
