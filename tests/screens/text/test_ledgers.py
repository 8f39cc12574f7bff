"""Accounts as tables of text: aligned, whose each row is, and no control character from a game's words."""

from __future__ import annotations

from companion.core.panel import Colour
from companion.core.record.lines import dump_line
from companion.core.ruling.view import Ledger, LedgerRow
from companion.screens.text.account import replay_account
from companion.screens.text.ledgers import ledger_lines
from companion.testing.walks import only
from tests.contract.turns import TURNS, State, Turns
from tests.core.play.test_timed_choices import running

LEDGER = Ledger(
    "money", "Money", ("round 1", "all"),
    (LedgerRow("Ann", Colour.RED, ("12", "112")), LedgerRow("Yellow", Colour.YELLOW, ("7", "7")),
     LedgerRow("bank", None, ("", "81"))),
    "in coins",
)  # fmt: skip


def test_an_account_is_aligned_and_says_whose_each_row_is() -> None:
    assert list(ledger_lines(LEDGER)) == [
        "Money:",
        "             round 1  all",
        "  Ann (red)       12  112",
        "  Yellow           7    7",
        "  bank                 81",
        "  in coins",
    ]


def test_the_readable_account_of_a_record_ends_with_what_the_game_keeps() -> None:
    box = running()
    box.press("red first", 9000)
    box.run(9200)
    told = list(replay_account(map(dump_line, box.lines), only(TURNS)))
    assert told[-5:] == [
        "Time spent:",
        "          turns  seconds",
        "  Red         1      6 s",
        "  Yellow      0      0 s",
        "  whole seconds",
    ]


def test_no_account_steers_the_readers_terminal() -> None:
    class Rude(Turns):
        def ledgers(self, state: State) -> tuple[Ledger, ...]:
            return (Ledger("x", "\x1b[2J", ("a\nb",), (LedgerRow("\x07", None, ("\r",)),)),)

    told = list(replay_account(map(dump_line, running().lines), only(Rude())))
    assert all(line.isprintable() for line in told)
    assert "\\x1b[2J:" in told
