"""The course of the event, step by step, with what each of the three must see then.

`hold` gives the name of each moment that is worth a picture, and goes on when it is asked for the next one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser.tournament.named import (
    APART,
    BOXES,
    DOUBTED,
    LATE,
    LEAVES,
    LOST,
    ME,
    MINUTES,
    NAMES,
    ROUNDS,
    SPARE,
    UNUSED,
    WALKS_BADLY,
    WRONG,
    name_of,
    players_csv,
)
from tests.browser.tournament.people import log_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.browser.tournament.cup import Cup

LUNCH = "Lunch is at half past twelve, in the garden."
TABLES = 6


def hold(cup: Cup) -> Iterator[str]:
    """Hold the event from its entries to its end."""
    yield from entering(cup)
    yield from checking_in(cup)
    yield from first_round(cup)
    yield from disputed_round(cup, 2, DOUBTED, stands=True)
    yield from failing_round(cup)
    cup.organiser.drop(LEAVES)
    yield from disputed_round(cup, 4, WRONG, stands=False)
    yield from last_round(cup)
    yield from ending(cup)


# -- before the first round --------------------------------------------------------------------------------------------


def entering(cup: Cup) -> Iterator[str]:
    """Log in, enter everybody by a file, enrol the boxes by their codes."""
    organiser, phone = cup.organiser, cup.phone
    yield "asked"
    log_in(organiser, cup.desk.organiser)
    log_in(cup.referee, cup.desk.referee)
    cup.referee.sees("text=No protest waits.")
    phone.sees(".now .big", "Entries are taken at the desk.")
    file = cup.folder / "players.csv"
    file.write_bytes(players_csv())
    organiser.import_players(file)
    organiser.counts("#entries li", len(NAMES))
    assert "always at table 1" in organiser.sees("#entries li", name_of(WALKS_BADLY)).inner_text()
    organiser.keep_apart(*(name_of(one) for one in APART))
    phone.sees(".now .facts", f"{len(NAMES)} entered")
    yield "entered"
    for box in BOXES:
        cup.of(box).add(box)
    organiser.turn("boxes")
    organiser.counts(".waiting li", len(BOXES))
    yield "waiting"
    for box in BOXES:
        organiser.enrol(box, cup.of(box).code(box))
    organiser.sees("#boxes", f"{len(BOXES)} of {len(BOXES)} connected")


def checking_in(cup: Cup) -> Iterator[str]:
    """Check everybody in but one who is late; then the seed is told, and fits its hash."""
    organiser, phone = cup.organiser, cup.phone
    organiser.next("Open the check-in", is_asked=True)
    phone.sees(".now .big", "Check-in is open")
    organiser.turn("players")
    there = [player for player in range(1, len(NAMES) + 1) if player != LATE]
    for player in there:
        organiser.check_in(player)
    organiser.is_told(f"{len(there)} of {len(NAMES)} so far")
    phone.sees(".now .facts", f"{len(there)} of {len(NAMES)} there")
    assert phone.asks("/api/event")["seed"] is None
    yield "check-in"
    organiser.next("Close the check-in", is_asked=True)
    phone.sees(".now .big", "Check-in is closed")
    phone.sees("text=The draw follows from this seed")


# -- rounds ------------------------------------------------------------------------------------------------------------


def draw(cup: Cup, number: int) -> None:
    """Draw a round: as many tables as boxes, who walks badly at table 1, and two apart; the phone says its own."""
    cup.organiser.next(f"Draw round {number}")
    cup.organiser.is_told(f"Round {number} is drawn")
    seats = cup.seats()
    assert len(seats) == TABLES
    assert WALKS_BADLY in seats[1]
    assert not any(set(APART) <= set(players) for players in seats.values())
    assert ME in seats[cup.phone.own_table(number)]
    drawn = {player for players in seats.values() for player in players}
    assert (LATE in drawn) is (number >= 2)
    assert (LEAVES in drawn) is (number <= 3)


def start(cup: Cup, number: int) -> None:
    """Start the clock, which all see."""
    cup.organiser.start_clock(MINUTES)
    cup.phone.sees(".now .big", f"Round {number} is played")
    cup.phone.sees(".now .clock-face", ":")


def over(cup: Cup, number: int) -> None:
    """Wait until a round is over, for each of them."""
    last = (
        "All rounds are played and final" if number == ROUNDS else f"Round {number} is over. Draw round {number + 1}."
    )
    cup.organiser.is_told(last)
    cup.phone.go("/standings")
    cup.phone.sees("#about", "After one round." if number == 1 else f"After {number} rounds.")
    cup.phone.sees("#about", "All results are final.")
    cup.phone.go("/")


def first_round(cup: Cup) -> Iterator[str]:
    """A drawing that is changed by hand, live tables, lunch, and somebody who comes late."""
    organiser, phone = cup.organiser, cup.phone
    organiser.next("Draw round 1")
    organiser.is_told("Round 1 is drawn")
    phone.go("/pairings")
    phone.counts(".names li", len(NAMES) - 1)
    phone.is_me("luthi le", name_of(ME))
    phone.go("/")
    before = phone.own_table(1)
    assert ME in cup.seats()[before]
    assert not any(LATE in players for players in cup.seats().values())
    table, other = next(
        (table, player)
        for table, players in cup.seats().items()
        for player in players
        if table != before and player not in (WALKS_BADLY, *APART) and not set(APART) & set(players)
    )
    yield "drawn"
    organiser.swap(f"{ME} {name_of(ME)}", name_of(other), "father and daughter at one table")
    phone.sees(".own-table strong", str(table))
    assert (ME in cup.seats()[table], other in cup.seats()[before]) == (True, True)
    yield "swapped"
    start(cup, 1)
    for box in BOXES:
        cup.of(box).says(f"waits {box}")
    phone.go("/tables")
    phone.counts(".table-row .chip:has-text('on a box')", TABLES)
    phone.page.wait_for_function(
        "(count) => [...document.querySelectorAll('.shown')].filter((one) => one.textContent).length === count",
        arg=TABLES,
    )
    assert "saving" not in phone.page.inner_text(".table-rows")
    organiser.announce(LUNCH)
    yield "announced"
    for somebody in (organiser, cup.referee, phone):
        somebody.heard(LUNCH)
    yield "playing"
    organiser.turn("players")
    organiser.check_in(LATE)
    for hall in (cup.hall, cup.doomed):
        hall.tell("go")
    phone.counts(".table-row .chip:has-text('final result')", TABLES)
    over(cup, 1)
    yield "round over"


def disputed_round(cup: Cup, number: int, box: str, *, stands: bool) -> Iterator[str]:
    """A protest from a box: its table waits, the referee reads and answers, and it is signed."""
    draw(cup, number)
    table = cup.table_of(box)
    start(cup, number)
    cup.organiser.is_told("A protest waits for the referee.")
    cup.phone.go("/tables")
    cup.phone.sees(f"#table-{table} .chip", "disputed")
    cup.phone.counts(".table-row .chip:has-text('final result')", TABLES - 1)
    cup.referee.sees("text=One protest waits.")
    yield f"protest {number}"
    read = cup.referee.answer(table, stands=stands, reason="The strip shows who was first.")
    assert "I was first" in read
    cup.phone.counts(".table-row .chip:has-text('final result')", TABLES)
    cup.referee.page.click("summary >> text=Answered")
    cup.referee.sees(".answered-list li", "The ruling stands." if stands else "The ruling does not stand.")
    cup.referee.page.click("summary >> text=Answered")
    over(cup, number)


def failing_round(cup: Cup) -> Iterator[str]:
    """A box is lost in the middle of a match, which goes on on another one."""
    draw(cup, 3)
    organiser, phone, table = cup.organiser, cup.phone, cup.table_of(LOST)
    players = cup.seats()[table]
    start(cup, 3)
    cup.doomed.says(f"lost {LOST}")
    cup.doomed.tell(f"lines {LOST}")
    lines = int(cup.doomed.says(f"lines {LOST} "))
    organiser.turn("boxes")
    organiser.sees(f"#boxes-list li:has-text('{LOST}')", f"{lines:,} lines are here")
    cup.doomed.kill()
    organiser.sees(f"#boxes-list li:has-text('{LOST}') .chip", "not connected")
    phone.go("/tables")
    phone.sees(f"#table-{table}", "its box is not connected")
    yield "box lost"
    cup.hall.add(SPARE)
    organiser.enrol(SPARE, cup.hall.code(SPARE))
    organiser.move(table, SPARE)
    organiser.let_go(LOST)
    phone.counts(".table-row .chip:has-text('final result')", TABLES)
    row = next(row for row in cup.tables()["rows"] if row["table"] == table)
    assert (row["box"], {one["player"] for one in row["result"]}) == (SPARE, set(players))
    over(cup, 3)
    yield "box replaced"


def last_round(cup: Cup) -> Iterator[str]:
    """A table that does not play on its box: its result is entered by hand."""
    draw(cup, 5)
    yield "last drawn"
    table = cup.table_of(UNUSED)
    players = cup.seats()[table]
    start(cup, 5)
    cup.phone.go("/tables")
    cup.phone.counts(".table-row .chip:has-text('final result')", TABLES - 1)
    reason = "played with cards alone"
    cup.organiser.enter_result(table, {player: rank for rank, player in enumerate(players, start=1)}, reason)
    cup.phone.sees(f"#table-{table}", f"entered by hand: {reason}")
    yield "by hand"
    over(cup, 5)


def ending(cup: Cup) -> Iterator[str]:
    """The organiser ends it, and everybody is told."""
    cup.organiser.next("End the event", is_asked=True)
    cup.organiser.is_told("The event is over")
    cup.phone.sees(".now .big", "The event is over")
    yield "ended"
